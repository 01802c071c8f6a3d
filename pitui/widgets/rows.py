"""Painting only rows that differ from what the terminal shows, and at once when nothing was painted lately.

This leans on private parts of Textual, which is pinned for that reason; `SUPPORTED` is False where their shape differs,
and everything is then drawn as Textual draws it. Nothing else in pitui may touch these parts.

Why: Textual rewrites every row of a region that asked to be drawn, and asks every widget for its rows even if none of
them is in that region. While text streams in, most rows stay as they are or move up by a few.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import cast

import textual
from rich.console import Console
from textual import events
from textual._compositor import ChopsUpdate, Compositor, CompositorUpdate, LayoutUpdate
from textual.geometry import Region
from textual.screen import Screen, ScreenResultType
from textual.strip import Strip

SUPPORTED = textual.__version__ == "8.2.8"
QUIET = 0.008
"""Seconds without a paint after which a change is painted at once instead of with the next frame."""
SAVED = 4
"""Rows that scrolling the terminal must save to be worth it."""

Row = Mapping[int, Strip | None]
Chops = Sequence[Row]
Span = tuple[int, int, int]


class Shown:
    """What the terminal shows: for each screen row its strips by the column they start at. The rest is unknown."""

    def __init__(self) -> None:
        self._rows: list[dict[int, Strip]] = []

    def forget(self) -> None:
        self._rows = []

    def row(self, y: int, columns: Iterable[int]) -> dict[int, Strip]:
        """What row `y` shows; nothing is known of it if it was cut at other columns."""
        while len(self._rows) <= y:
            self._rows.append({})
        row = self._rows[y]
        if not row.keys() <= set(columns):
            row.clear()
        return row

    def is_known(self, top: int, bottom: int, chops: Chops) -> bool:
        """Whether all of the rows `top` to `bottom` (exclusive) is known, cut as in `chops`."""
        rows = self._rows[top:bottom]
        return len(rows) == bottom - top and all(
            row.keys() == chop.keys() for row, chop in zip(rows, chops[top:bottom], strict=True)
        )

    def scroll(self, top: int, bottom: int, rows: int) -> list[dict[int, Strip]]:
        """The terminal moves the rows `top` to `bottom` up by `rows` (down if negative); returns what they were."""
        before = self._rows[top:bottom]
        fresh: list[dict[int, Strip]] = [{} for _ in range(abs(rows))]
        moved = [dict(row) for row in (before[rows:] if rows > 0 else before[:rows])]
        self._rows[top:bottom] = [*moved, *fresh] if rows > 0 else [*fresh, *moved]
        return before

    def distance(self, top: int, bottom: int, chops: Chops) -> int:
        """By how many rows the terminal should move `top` to `bottom` up (down if negative); 0 if that saves little.

        Only rows whose strips are the very same objects count, and only strips that stand in one row.
        """
        if bottom - top <= SAVED or not self.is_known(top, bottom, chops):
            return 0
        old = _by_strip(self._rows[top:bottom], top)
        new = _by_strip(chops[top:bottom], top)
        votes = Counter(old[strip] - y for strip, y in new.items() if strip in old)
        rows, saved = max(votes.items(), key=lambda vote: vote[1], default=(0, 0))
        return rows if rows and saved - votes[0] >= SAVED else 0


def _by_strip(rows: Iterable[Row], top: int) -> dict[int, int]:
    """The row of each row's widest strip, by the strip's identity; those in more than one row are left out."""
    found: dict[int, int] = {}
    for y, row in enumerate(rows, top):
        widest = max((strip for strip in row.values() if strip is not None), key=_width, default=None)
        if widest is not None:
            found[id(widest)] = -1 if id(widest) in found else y
    return {strip: y for strip, y in found.items() if y >= 0}


def _width(strip: Strip) -> int:
    return strip.cell_length


class RowsUpdate(CompositorUpdate):
    """A partial update that leaves out what the terminal shows already.

    What is shown is noted when the update is made into text, which Textual does right before it writes it.
    """

    def __init__(self, shown: Shown, chops: Chops, spans: list[Span]) -> None:
        self.shown, self.chops, self.spans = shown, chops, spans

    def render_segments(self, console: Console) -> str:
        top, bottom = self.spans[0][0], self.spans[-1][0] + 1
        out: list[str] = []
        if bottom - top == len(self.spans) and (rows := self.shown.distance(top, bottom, self.chops)):
            before = self.shown.scroll(top, bottom, rows)
            move = f"{rows}M" if rows > 0 else f"{-rows}L"
            out.append(f"\x1b[0m\x1b[{top + 1};{bottom}r\x1b[{top + 1};1H\x1b[{move}\x1b[r")
            for y, old in enumerate(before, top):
                chop = self.chops[y]
                now = {x: strip if (new := chop[x]) is None else new for x, strip in old.items()}
                self._write(out, console, y, now)
            return "".join(out)
        for y, start, end in self.spans:
            row = self.chops[y]
            stops = [*list(row)[1:], end]
            inside = {x: strip for (x, strip), stop in zip(row.items(), stops, strict=True) if x < end and stop > start}
            self._write(out, console, y, inside)
        return "".join(out)

    def _write(self, out: list[str], console: Console, y: int, row: Row) -> None:
        known = self.shown.row(y, self.chops[y])
        for x, strip in row.items():
            if strip is None:
                continue
            before = known.get(x)
            if before is not strip and before != strip:
                out.append(f"\x1b[{y + 1};{x + 1}H{strip.render(console)}")
            known[x] = strip


class WholeUpdate(LayoutUpdate):
    """A full update that notes what it shows."""

    def __init__(self, shown: Shown, chops: Chops, region: Region) -> None:
        super().__init__([[strip for strip in row.values() if strip is not None] for row in chops], region)
        self.shown, self.chops = shown, chops

    def render_segments(self, console: Console) -> str:
        self.shown.forget()
        for y, row in enumerate(self.chops):
            self.shown.row(y, row).update({x: strip for x, strip in row.items() if strip is not None})
        return super().render_segments(console)


class RowCompositor(Compositor):
    """Textual's compositor, except for what it writes and for what it asks widgets to render."""

    def __init__(self) -> None:
        super().__init__()
        self.shown = Shown()
        self.comparing = True

    def render_full_update(self, simplify: bool = False) -> LayoutUpdate:
        if simplify:
            return super().render_full_update(simplify=True)
        self._dirty_regions.clear()
        region = self.size.region
        return WholeUpdate(self.shown, self._render_chops(region, lambda y: True), region)

    def render_partial_update(self) -> ChopsUpdate | None:
        update = super().render_partial_update()
        if update is None or not update.spans or not self.comparing:
            return update
        return RowsUpdate(self.shown, update.chops, update.spans)  # type: ignore[return-value]  # it is only drawn

    def _render_chops(self, crop: Region, is_rendered_line: Callable[[int], bool]) -> Sequence[Mapping[int, Strip]]:
        """As Textual's, but a widget is asked only for rows that nothing in front of it fills."""
        cuts = self.cuts
        chops: list[dict[int, Strip | None]] = [dict.fromkeys(row[:-1]) for row in cuts]
        wanted = {
            y: {cut for cut, stop in pairwise(cuts[y]) if stop > crop.x and cut < crop.right}
            for y in crop.line_range
            if y < len(cuts) and is_rendered_line(y)
        }
        for widget, (region, clip) in self.visible_widgets.items():
            seen = clip.intersection(region)
            first, last = seen.column_span
            rows = [
                y for y in range(max(seen.y, crop.y), min(seen.bottom, crop.bottom))
                if any(first <= cut < last for cut in wanted.get(y, ()))
            ]
            if not rows:
                continue
            part = Region(first, rows[0], seen.width, rows[-1] + 1 - rows[0])
            strips = widget.render_lines(part.translate(-region.offset))
            for y in rows:
                strip = strips[y - rows[0]]
                inside = [cut for cut in cuts[y] if first <= cut <= last]
                pieces = (strip,) if len(inside) == 2 else strip.divide([cut - first for cut in inside[1:]])
                chop, left = chops[y], wanted[y]
                for cut, piece in zip(inside, pieces, strict=False):
                    if cut in left:
                        chop[cut] = piece
                        left.discard(cut)
        return cast(Sequence[Mapping[int, Strip]], chops)


class RowScreen(Screen[ScreenResultType]):
    """A screen that compares rows, if Textual is the version this was made for and `compare_rows` is not turned off."""

    def __init__(self, name: str | None = None, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(name, id, classes)
        self._last_paint = 0.0
        self._rows: RowCompositor | None = None
        if SUPPORTED:
            self._compositor = self._rows = RowCompositor()

    @property
    def compare_rows(self) -> bool:
        return self._rows is not None and self._rows.comparing

    @compare_rows.setter
    def compare_rows(self, wanted: bool) -> None:
        if self._rows is not None:
            self._rows.comparing = wanted
            self._rows.shown.forget()

    def repaint(self) -> None:
        """Write every row, whatever the terminal is thought to show."""
        if self._rows is not None:
            self._rows.shown.forget()
        self.refresh()

    def on_screen_suspend(self) -> None:
        """Another screen writes over this one's rows."""
        if self._rows is not None:
            self._rows.shown.forget()

    def on_screen_resume(self) -> None:
        if self._rows is not None:
            self._rows.shown.forget()

    def _on_timer_update(self) -> None:
        self._last_paint = time.monotonic()
        super()._on_timer_update()

    async def _on_idle(self, event: events.Idle) -> None:
        """Paint at once if nothing was painted within `QUIET`; if not, Textual's own handler comes next and waits."""
        if self._rows is None or self.app._batch_count or not self.is_current or not self._is_mounted:
            return
        due = self._layout_required or self._scroll_required or self._repaint_required or self._dirty_widgets
        if due and time.monotonic() - self._last_paint >= QUIET:
            event.prevent_default()
            self._on_timer_update()
