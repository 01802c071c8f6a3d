"""Painting only rows that differ from what the terminal shows, and at once when nothing was painted lately.

This leans on private parts of Textual, which is pinned for that reason; `SUPPORTED` is False where their shape differs,
and everything is then drawn as Textual draws it. Nothing else in pitui may touch these parts.

Why: Textual rewrites every row of a region that asked to be drawn, and asks every widget for its rows even if none of
them is in that region. While text streams in, most rows stay as they are or move up by a few.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

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

Chops = Sequence[Mapping[int, Strip | None]]
Span = tuple[int, int, int]


class Shown:
    """What the terminal shows: for each screen row its strips by the column they start at. The rest is unknown."""

    def __init__(self) -> None:
        self._rows: list[dict[int, Strip]] = []
        self._cuts: list[Sequence[int]] = []

    def forget(self) -> None:
        self._rows, self._cuts = [], []

    def row(self, y: int, cuts: Sequence[int]) -> dict[int, Strip]:
        """What row `y` shows; nothing is known of it if it was cut into other columns."""
        while len(self._rows) <= y:
            self._rows.append({})
            self._cuts.append(())
        if self._cuts[y] != cuts:
            self._cuts[y] = cuts
            self._rows[y] = {}
        return self._rows[y]

    def shift(self, top: int, bottom: int, rows: int) -> None:
        """The terminal moved the rows `top` to `bottom` (exclusive) up by `rows` (down if negative)."""
        inside = self._rows[top:bottom]
        fresh: list[dict[int, Strip]] = [{} for _ in range(abs(rows))]
        self._rows[top:bottom] = [*inside[rows:], *fresh] if rows > 0 else [*fresh, *inside[:rows]]

    def moved(self, top: int, bottom: int, chops: Chops) -> int:
        """By how many rows the terminal should move `top` to `bottom` up (down if negative); 0 if that saves little.

        Only rows whose strips are the very same objects count, and only strips that stand in one row.
        """
        if bottom > len(self._rows) or bottom - top <= SAVED:
            return 0
        old = _by_strip(enumerate(self._rows[top:bottom], top))
        new = _by_strip(enumerate(chops[top:bottom], top))
        votes = Counter(old[strip] - y for strip, y in new.items() if strip in old)
        rows, saved = max(votes.items(), key=lambda vote: vote[1], default=(0, 0))
        return rows if rows and saved - votes[0] >= SAVED else 0


def _by_strip(rows: Iterable[tuple[int, Mapping[int, Strip | None]]]) -> dict[int, int]:
    """The row of each row's widest strip, by the strip's identity; those in more than one row are left out."""
    found: dict[int, int] = {}
    for y, row in rows:
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

    def __init__(
        self, shown: Shown, chops: Chops, spans: list[Span], ends: list[list[int]], scroll: Span | None
    ) -> None:
        self.shown, self.chops, self.spans, self.ends, self.scroll = shown, chops, spans, ends, scroll

    def render_segments(self, console: Console) -> str:
        out: list[str] = []
        if self.scroll is not None:
            top, bottom, rows = self.scroll
            self.shown.shift(top, bottom, rows)
            move = f"{rows}M" if rows > 0 else f"{-rows}L"
            out.append(f"\x1b[0m\x1b[{top + 1};{bottom}r\x1b[{top + 1};1H\x1b[{move}\x1b[r")
        for y, start, end in self.spans:
            row = self.chops[y]
            known = self.shown.row(y, tuple(row))
            for (x, strip), stop in zip(row.items(), self.ends[y], strict=False):
                if strip is None or x >= end or stop <= start:
                    continue
                before = known.get(x)
                if before is not strip and before != strip:
                    out.append(f"\x1b[{y + 1};{x + 1}H{strip.render(console)}")
                known[x] = strip
        return "".join(out)


class WholeUpdate(LayoutUpdate):
    """A full update that notes what it shows."""

    def __init__(self, shown: Shown, chops: Chops, region: Region) -> None:
        super().__init__([[strip for strip in row.values() if strip is not None] for row in chops], region)
        self.shown, self.chops = shown, chops

    def render_segments(self, console: Console) -> str:
        self.shown.forget()
        for y, row in enumerate(self.chops):
            self.shown.row(y, tuple(row)).update({x: strip for x, strip in row.items() if strip is not None})
        return super().render_segments(console)


class RowCompositor(Compositor):
    """Textual's compositor, except for what it writes and which widgets it asks for rows."""

    def __init__(self) -> None:
        super().__init__()
        self.shown = Shown()

    def render_full_update(self, simplify: bool = False) -> LayoutUpdate:
        if simplify:
            return super().render_full_update(simplify=True)
        self._dirty_regions.clear()
        region = self.size.region
        return WholeUpdate(self.shown, self._render_chops(region, lambda y: True), region)

    def render_partial_update(self) -> ChopsUpdate | None:
        update = super().render_partial_update()
        if update is None:
            return None
        chops, spans = update.chops, update.spans
        top, bottom = spans[0][0], spans[-1][0] + 1
        scroll: Span | None = None
        if len(spans) == bottom - top and (rows := self.shown.moved(top, bottom, chops)):
            scroll = top, bottom, rows
            chops = self._render_chops(Region(0, top, self.size.width, bottom - top), range(top, bottom).__contains__)
            spans = [(y, 0, self.size.width) for y in range(top, bottom)]
        return RowsUpdate(self.shown, chops, spans, update.chop_ends, scroll)  # type: ignore[return-value]  # only drawn

    def _get_renders(self, crop: Region | None = None) -> Iterable[tuple[Region, Region, list[Strip]]]:
        """As Textual's, but without widgets outside the crop, and with only the rows inside it."""
        if crop is None:
            yield from super()._get_renders(crop)
            return
        for widget, (region, clip) in self.visible_widgets.items():
            seen = clip.intersection(region)
            top, bottom = max(seen.y, crop.y), min(seen.bottom, crop.bottom)
            if seen.width and top < bottom and crop.overlaps(seen):
                rows = Region(seen.x, top, seen.width, bottom - top)
                yield region, rows, widget.render_lines(rows.translate(-region.offset))


class RowScreen(Screen[ScreenResultType]):
    """A screen that compares rows, if `COMPARE_ROWS` and Textual is the version this was made for."""

    COMPARE_ROWS = True

    def __init__(self, name: str | None = None, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(name, id, classes)
        self._last_paint = 0.0
        self._rows: RowCompositor | None = None
        if SUPPORTED and self.COMPARE_ROWS:
            self._compositor = self._rows = RowCompositor()

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
