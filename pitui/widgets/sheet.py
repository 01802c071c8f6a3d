"""A scroll view over the conversation, drawn by the row: what is shown, where it stands, and how it is painted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from math import ceil

from rich.style import Style
from textual import events
from textual.color import Color
from textual.geometry import Region, Size
from textual.reactive import var
from textual.scroll_view import ScrollView
from textual.scrollbar import ScrollBar, ScrollDown, ScrollUp
from textual.strip import Strip
from textual.widget import Widget

from pitui.render.entries import fold_keys, render_entry
from pitui.render.lines import View
from pitui.render.placeholders import Picture
from pitui.session.state import Entry, LiveMessage, SentPrompt
from pitui.widgets import folds as folding
from pitui.widgets.document import Draw
from pitui.widgets.folds import Folds
from pitui.widgets.selection import hit_strip, row_of
from pitui.widgets.strips import Strips
from pitui.widgets.thumb import ThumbBar
from pitui.widgets.viewport import Place, Row, Viewport

WHEEL = 3
"""Rows a turn of the wheel scrolls; five times that with alt."""

ShowPictures = Callable[[Iterable[Picture]], None]
"""Gets the pictures on the screen, as far as the terminal draws them itself, before their rows are painted."""


class Sheet(ScrollView):
    """Shows what `show` was given last; follows the end unless the reader went elsewhere.

    Rows are held by what they show, never by their number, so nothing that grows, folds or is measured elsewhere moves
    them. It has no timers: `show` and `tick` are called by whoever has the clock. Its style must have no padding.
    """

    following: var[bool] = var(True)
    """Whether the end is kept in view."""
    new_below: var[int] = var(0)
    """Rows that have come below the screen, unseen, since the reader left the end."""

    def __init__(
        self, view: View, *, draw: Draw = render_entry, show_pictures: ShowPictures | None = None,
        name: str | None = None, id: str | None = None, classes: str | None = None,
    ) -> None:
        super().__init__(name=name, id=id, classes=classes)
        self._viewport = Viewport(view, draw)
        self._show_pictures = show_pictures
        self._strips = Strips(0, Style.null(), (), Color(0, 0, 0))
        self._thumb: tuple[int, ...] = ()
        self._refining = False
        self._painted: list[Row] = []

    # What is shown

    def show(
        self, entries: tuple[Entry, ...], live: LiveMessage | None = None, sent: tuple[SentPrompt, ...] = ()
    ) -> None:
        """Show these values; costs what changed (compared by identity) and the screen. At most once a frame."""
        changed = self._viewport.show(entries, live, sent)
        self._entries_changed(changed)
        self._paint()

    @property
    def entries(self) -> tuple[Entry, ...]:
        return self._viewport.document.entries

    @property
    def rows(self) -> Sequence[Row]:
        """What is on the screen, from the top; fewer rows than the screen has if there is no more."""
        return self._viewport.rows

    @property
    def is_measuring(self) -> bool:
        """Whether heights of entries far away are still being bettered, and the scrollbar with them."""
        return self._refining

    @property
    def view(self) -> View:
        return self._viewport.document.view

    def set_view(self, view: View) -> None:
        """Look otherwise at everything; `view.width` is ignored, it is the widget's own."""
        self._viewport.set_view(replace(view, width=self.view.width))
        self._paint()

    def redraw(self) -> None:
        """Draw every entry anew: what draws them has more to show."""
        self._viewport.redraw()
        self._paint()

    def tick(self, now: float, spinner: int) -> None:
        """Move the clock, in its seconds, and the animation: what runs and is seen is drawn again."""
        document = self._viewport.document
        document.set_view(replace(document.view, now=now, spinner=spinner))
        self._paint()

    @property
    def folds(self) -> Folds:
        """What is open and closed, to be kept and given back."""
        return folding.folds_of(self.view)

    @folds.setter
    def folds(self, folds: Folds) -> None:
        self.set_view(folding.with_folds(self.view, folds))

    def toggle_tools(self) -> None:
        self.set_view(folding.with_tools(self.view))

    def toggle_thinking(self) -> None:
        self.set_view(folding.with_thinking(self.view))

    def toggle_fold(self, key: str) -> None:
        """Open or close one fold; the rows above it stay where they are.

        Whether it is open by default only its renderer knows: if opening it changes nothing, it was.
        """
        index = next((at for at in self._near() if key in fold_keys(self.entries[at])), len(self.entries))
        view = self.view
        if key not in view.open:
            before = self._texts_of(index)
            self._refold(folding.opened(view, [key]), index)
            if key in view.shut or self._texts_of(index) != before:
                return
        self._refold(folding.closed(view, key), index)

    def toggle_source(self, key: str) -> None:
        """Show entry `key` as its source, or no longer."""
        index = next((at for at in self._near() if self.entries[at].key == key), None)
        if index is not None:
            self._refold(folding.with_source(self.view, key), index)

    def _near(self) -> list[int]:
        """Entry numbers: those on the screen first."""
        count = len(self.entries)
        seen = dict.fromkeys(row.place.item for row in self._viewport.rows if row.place.item < count)
        return [*seen, *(at for at in range(count - 1, -1, -1) if at not in seen)]

    def _texts_of(self, index: int) -> list[str]:
        """How item `index` looks now; nothing if there is no such item."""
        document = self._viewport.document
        return [line.text for line in document.block(index).lines] if index < len(document) else []

    def _refold(self, view: View, index: int) -> None:
        viewport = self._viewport
        followed = viewport.following
        viewport.release()
        viewport.set_view(view, index)
        viewport.settle()
        if followed and viewport.at_end:
            viewport.follow()
        self._paint()

    # Moving

    def follow(self) -> None:
        """Go to the end and stay there."""
        self._viewport.follow()
        self._paint()

    def move_rows(self, rows: int) -> None:
        """Scroll down by `rows` (up if negative). Arriving at the end, following resumes."""
        self._scroll(lambda: self._viewport.move(rows))

    def move_pages(self, pages: float) -> None:
        """Scroll by pages, a row less so that one stays in sight: 1, -1, 0.5, -0.5."""
        rows = max(1, round((self._viewport.height - 1) * abs(pages)))
        self.move_rows(rows if pages > 0 else -rows)

    def go_top(self) -> None:
        self._scroll(lambda: self._viewport.go(Place(0, 0)))

    def _scroll(self, move: Callable[[], None]) -> None:
        """Move because the reader wants it."""
        move()
        self._paint()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Someone else scrolls: the scrollbar, a drag that selects, `scroll_to`."""
        viewport = self._viewport
        if self.scrollable_content_region.height == viewport.height and round(new_value) != viewport.scroll:
            self._scroll(lambda: viewport.go_row(round(new_value)))

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        event.prevent_default().stop()
        self.move_rows(WHEEL * (5 if event.meta else 1))

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        event.prevent_default().stop()
        self.move_rows(-WHEEL * (5 if event.meta else 1))

    def on_scroll_up(self, event: ScrollUp) -> None:
        event.prevent_default().stop()
        self.move_pages(-1)

    def on_scroll_down(self, event: ScrollDown) -> None:
        event.prevent_default().stop()
        self.move_pages(1)

    # Painting

    def on_resize(self) -> None:
        self._fit()

    def _fit(self) -> None:
        """Follow the widget's size; called before anything is drawn, so that no frame shows the old one."""
        size = self.scrollable_content_region.size
        viewport = self._viewport
        width = max(1, size.width)
        if (width, size.height) != (viewport.document.view.width, viewport.height):
            viewport.resize(replace(viewport.document.view, width=width), size.height)
            self._paint()

    def _paint(self) -> None:
        """Settle the rows, move the scrollbar, and mark the rows that differ from those painted before."""
        viewport = self._viewport
        if not viewport.height:
            return
        rows = viewport.settle()
        self._tell_scrollbar()
        if viewport.document.rough and not self._refining:
            self._refining = self.call_later(self._refine)
        self.following = viewport.following
        self.new_below = viewport.unseen
        old, self._painted = self._painted, rows
        self._rows_changed()
        if len(old) != len(rows):
            self.refresh()
            return
        differ = [
            at for at, (a, b) in enumerate(zip(old, rows, strict=True))
            if a.line is not b.line or a.place.item != b.place.item
        ]
        if differ:
            self.refresh(Region(0, differ[0], viewport.document.view.width, differ[-1] - differ[0] + 1))

    def _refine(self) -> None:
        """Better the heights of what was not seen yet, a slice at a time; no row on the screen moves."""
        document = self._viewport.document
        document.refine()
        self._tell_scrollbar()
        self._refining = bool(document.rough) and self.call_later(self._refine)

    @property
    def vertical_scrollbar(self) -> ScrollBar:
        """As Textual's: made when first asked for."""
        if self._vertical_scrollbar is None:
            self._vertical_scrollbar = ThumbBar(self.scrollbar_size_vertical)
            self._vertical_scrollbar.display = False
            self.app._start_widget(self, self._vertical_scrollbar)
        return self._vertical_scrollbar

    def _tell_scrollbar(self) -> None:
        viewport = self._viewport
        total, top, height = viewport.total, viewport.scroll, viewport.height
        self.set_reactive(Widget.virtual_size, Size(self.size.width, total))
        self.set_reactive(Widget.scroll_y, float(top))
        self.set_reactive(Widget.scroll_target_y, float(top))
        thumb = _thumb(total, top, height)
        if thumb != self._thumb:
            self._thumb = thumb
            bar = self.vertical_scrollbar
            bar.window_virtual_size = total
            bar.window_size = height
            bar.position = top

    def _row(self, y: int) -> Row | None:
        rows = self._viewport.rows
        return rows[y] if 0 <= y < len(rows) else None

    def _strip(self, y: int) -> Strip:
        row = self._row(y)
        if row is None:
            return self._strips.blank
        strip = self._strips.strip(row.line)
        overlaid = self._overlaid(strip, row, y)
        return strip if overlaid is strip else self._strips.filtered(overlaid)

    def _overlaid(self, strip: Strip, row: Row, y: int) -> Strip:
        """The strip of screen row `y` with what is drawn over it."""
        return strip

    def _entries_changed(self, changed: Sequence[int]) -> None:
        """Entries are others than before: those with numbers in `changed`, and any at the end."""

    def _rows_changed(self) -> None:
        """The rows on the screen may be others."""

    def _prepare(self) -> None:
        self._fit()
        strips, width = self._strips, self._viewport.document.view.width
        base, filters, background = self.visual_style.rich_style, self.get_line_filters(), self.background_colors[1]
        if (strips.width, strips.base, strips.filters, strips.background) != (width, base, filters, background):
            self._strips = Strips(width, base, filters, background)

    def render_line(self, y: int) -> Strip:
        """A row whose cells know where they are in the document; Textual asks for it under the mouse."""
        self._prepare()
        row = self._row(y)
        strip = self._strip(y)
        return hit_strip(strip, row_of(row.place)) if row is not None else strip

    def render_lines(self, crop: Region) -> list[Strip]:
        """The rows of a region, from the cache; no border or padding is drawn."""
        self._prepare()
        if self._show_pictures is not None and self.view.cell is not None:
            self._show_pictures([row.line.picture for row in self._viewport.rows if row.line.picture is not None])
        strips = [self._strip(y) for y in crop.line_range]
        start, end = crop.column_span
        if (start, end) != (0, self._strips.width):
            strips = [strip.crop_extend(start, end, self._strips.base) for strip in strips]
        return strips


def _thumb(total: int, top: int, height: int) -> tuple[int, ...]:
    """What of these is seen in the scrollbar, in eighths of a cell: a bar that would look the same is not told."""
    if total <= height or height < 1:
        return (height,)
    size = max(1.0, height * height / total)
    start = int((height - size) * top / (total - height) * 8)
    return height, start, ceil(size * 8)
