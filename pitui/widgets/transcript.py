"""The conversation on the screen: one scroll view over all entries, drawn by the row, at the cost of the screen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar

from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive, var
from textual.scroll_view import ScrollView
from textual.scrollbar import ScrollDown, ScrollUp
from textual.selection import Selection
from textual.strip import Strip
from textual.widget import Widget

from pitui.render.entries import fold_keys, plain_text, render_entry
from pitui.render.lines import Target, TargetKind, View
from pitui.render.text import sanitize
from pitui.session.state import Entry, LiveMessage, SentPrompt
from pitui.widgets import folds as folding
from pitui.widgets import selection as selecting
from pitui.widgets.folds import Folds
from pitui.widgets.landmarks import is_failure, is_prompt, nearest
from pitui.widgets.search import Search, SearchState, Texts, match_rows, matches_in
from pitui.widgets.strips import Strips, over, with_cursor
from pitui.widgets.viewport import Place, Row, Viewport

WHEEL = 3
"""Rows a turn of the wheel scrolls; five times that with alt."""
_CURRENT = Style(reverse=True)


class Transcript(ScrollView, can_focus=True):
    """Shows what `show` was given last; follows the end unless the reader went elsewhere.

    Rows are held by what they show, never by their number, so nothing that grows, folds or is measured elsewhere moves
    them. It has no timers: `show` and `tick` are called by whoever has the clock. Its style must have no padding.
    """

    FOCUS_ON_CLICK = False
    DEFAULT_CSS = """
    Transcript {
        height: 1fr; overflow-x: hidden; overflow-y: scroll; scrollbar-size-vertical: 1;
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "cursor(-1)", "Previous entry", show=False, id="transcript.up"),
        Binding("down,j", "cursor(1)", "Next entry", show=False, id="transcript.down"),
        Binding("enter,space", "fold", "Fold", show=False, id="transcript.fold"),
        Binding("m", "menu", "Menu", show=False, id="transcript.menu"),
        Binding("c,y", "copy", "Copy", show=False, id="transcript.copy"),
        Binding("q", "quote", "Quote", show=False, id="transcript.quote"),
        Binding("v", "view", "View in full", show=False, id="transcript.view"),
        Binding("s", "source", "Source", show=False, id="transcript.source"),
        Binding("home,g", "top", "Top", show=False, id="transcript.top"),
        Binding("end,G", "follow", "End", show=False, id="transcript.end"),
        Binding("pageup", "pages(-1)", "Page up", show=False, id="transcript.page_up"),
        Binding("pagedown", "pages(1)", "Page down", show=False, id="transcript.page_down"),
    ]

    following: var[bool] = var(True)
    """Whether the end is kept in view."""
    new_below: var[int] = var(0)
    """Rows that have come below the screen, unseen, since the reader left the end."""
    search_state: var[SearchState] = var(SearchState())
    cursor: reactive[int | None] = reactive(None)
    """The number of the entry the block cursor is on; shown while the transcript has the focus."""

    @dataclass
    class LinkClicked(Message):
        """The reader wants `url` opened."""

        url: str

    @dataclass
    class ViewRequested(Message):
        """The reader wants to see all of the entry `key`."""

        key: str

    @dataclass
    class MenuRequested(Message):
        """The reader asks what can be done with `entry`."""

        entry: Entry

    @dataclass
    class QuoteRequested(Message):
        """The reader wants to answer to `text`."""

        text: str

    @dataclass
    class Copied(Message):
        """The reader wants `text` on the clipboard."""

        text: str

    def __init__(
        self, view: View, *, name: str | None = None, id: str | None = None, classes: str | None = None
    ) -> None:
        super().__init__(name=name, id=id, classes=classes)
        self._viewport = Viewport(view)
        self._strips = Strips(0, Style.null())
        self._painted: list[Row] = []
        self._spans: list[list[tuple[int, int]]] = []
        self._search: Search | None = None
        self._search_origin: int | None = None
        self._texts = Texts()
        self._pressed: tuple[int, int] | None = None
        self._held_by_selection = False

    # What is shown

    def show(
        self, entries: tuple[Entry, ...], live: LiveMessage | None = None, sent: tuple[SentPrompt, ...] = ()
    ) -> None:
        """Show these values; costs what changed (compared by identity) and the screen. At most once a frame."""
        changed = self._viewport.show(entries, live, sent)
        if self._search is not None and entries is not self._search.entries:
            self._search.update(entries, changed)
            self.call_later(self._scan)
        self._paint()

    @property
    def entries(self) -> tuple[Entry, ...]:
        return self._viewport.document.entries

    @property
    def view(self) -> View:
        return self._viewport.document.view

    def set_view(self, view: View) -> None:
        """Look otherwise at everything; `view.width` is ignored, it is the widget's own."""
        self._viewport.set_view(replace(view, width=self.view.width))
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
        """Open or close one fold; the rows above it, or its own first, stay where they are."""
        index = next((at for at in self._near() if key in fold_keys(self.entries[at])), None)
        if index is None:
            return
        entry, view = self.entries[index], self.view
        shut = key not in view.open and (key in view.shut or self._alters(entry, folding.opened(view, [key])))
        self._refold(folding.opened(view, [key]) if shut else folding.closed(view, key), index)

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

    def _alters(self, entry: Entry, view: View) -> bool:
        """Whether `entry` looks otherwise under `view`."""
        now = [line.text for line in render_entry(entry, self.view)]
        return now != [line.text for line in render_entry(entry, view)]

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
        self._held_by_selection = False
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

    def go_entry(self, index: int) -> None:
        """Bring the start of an entry to the top of the screen, as far as the end allows, and the cursor to it."""
        place = Place(index, self._viewport.document.block(index).gap)
        self.cursor = index
        self._scroll(lambda: self._viewport.go(place))

    def go_prompt(self, direction: int) -> bool:
        """Go to the next prompt (1) or the one before (-1); False if there is none."""
        return self._go_nearest(direction, is_prompt)

    def go_error(self, direction: int) -> bool:
        """Go to the next failure (1) or the one before (-1); False if there is none."""
        return self._go_nearest(direction, is_failure)

    def _go_nearest(self, direction: int, wanted: Callable[[Entry], bool]) -> bool:
        top, line = self._viewport.top
        inside = top < len(self.entries) and line > self._viewport.document.block(top).gap
        start = top + 1 if direction > 0 else top - (not inside)
        index = nearest(self.entries, start, direction, wanted)
        if index is not None:
            self.go_entry(index)
        return index is not None

    def _scroll(self, move: Callable[[], None]) -> None:
        self._held_by_selection = False
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

    def action_top(self) -> None:
        self.go_top()

    def action_follow(self) -> None:
        self.follow()

    def action_pages(self, pages: float) -> None:
        self.move_pages(pages)

    # The block cursor

    def action_cursor(self, direction: int) -> None:
        """To the next entry; within one that is longer than the screen, on by a screen first."""
        viewport, document = self._viewport, self._viewport.document
        seen = [row.place.item for row in viewport.rows if row.place.item < len(self.entries)]
        if not seen:
            return
        at = self.cursor
        if at is None or at not in seen:
            self.cursor = seen[-1] if direction < 0 or viewport.following else seen[0]
            return
        rows = [row.place.line for row in viewport.rows if row.place.item == at]
        edge = 0 if direction < 0 else document.height(at) - 1
        if (edge not in rows) and viewport.height > 1:
            self.move_rows(direction * min(viewport.height - 1, abs(edge - rows[0 if direction < 0 else -1])))
            return
        step = at + direction
        while 0 <= step < len(self.entries) and not document.height(step):
            step += direction
        if 0 <= step < len(self.entries):
            self.cursor = step
            self._reveal(step)

    def _reveal(self, index: int) -> None:
        """Scroll as little as it takes to see all of an entry, or as much of it as fits."""
        viewport = self._viewport
        height = viewport.document.height(index)
        if viewport.top > Place(index, 0):
            self._scroll(lambda: viewport.go(Place(index, max(0, height - viewport.height))))
        elif not viewport.rows or viewport.rows[-1].place < Place(index, height - 1):
            top = viewport.step(Place(index, min(height, viewport.height) - 1), 1 - viewport.height)
            self._scroll(lambda: viewport.go(top))

    @property
    def cursor_entry(self) -> Entry | None:
        return self.entries[self.cursor] if self.cursor is not None and self.cursor < len(self.entries) else None

    def action_fold(self) -> None:
        if (entry := self.cursor_entry) is not None and (keys := tuple(fold_keys(entry))):
            self.toggle_fold(keys[0])

    def action_source(self) -> None:
        if (entry := self.cursor_entry) is not None:
            self.toggle_source(entry.key)

    def action_view(self) -> None:
        if (entry := self.cursor_entry) is not None:
            self.post_message(self.ViewRequested(entry.key))

    def action_menu(self) -> None:
        if (entry := self.cursor_entry) is not None:
            self.post_message(self.MenuRequested(entry))

    def action_copy(self) -> None:
        if text := self.selected_text or self._cursor_text():
            self.post_message(self.Copied(text))

    def action_quote(self) -> None:
        if text := self.selected_text or self._cursor_text():
            self.post_message(self.QuoteRequested(text))

    def _cursor_text(self) -> str:
        return sanitize(plain_text(entry)) if (entry := self.cursor_entry) is not None else ""

    # The mouse

    def on_mouse_down(self, event: events.MouseDown) -> None:
        self._pressed = (event.x, event.y)

    def on_click(self, event: events.Click) -> None:
        event.prevent_default()
        row = self._row(event.y)
        if row is None or event.button != 1 or self._pressed != (event.x, event.y):
            return
        target = self._target(row, event.x)
        if target is not None:
            self._act(target)
        elif event.chain == 2:
            start, end = selecting.word_at(row.line, event.x)
            self._select(row.place, start, row.place, end)
        elif event.chain >= 3:
            rows = self._viewport.document.block(row.place.item).rows()
            first, last = selecting.paragraph_at(rows, row.place.line)
            index = row.place.item
            self._select(Place(index, first), 0, Place(index, last), self._viewport.document.view.width)

    def _target(self, row: Row, cell: int) -> Target | None:
        hit = [it for it in row.line.targets if it.start <= cell and (it.end is None or cell < it.end)]
        return min(hit, key=lambda it: it.kind is not TargetKind.LINK, default=None)

    def _act(self, target: Target) -> None:
        match target.kind:
            case TargetKind.FOLD:
                self.toggle_fold(target.value)
            case TargetKind.LINK:
                self.post_message(self.LinkClicked(target.value))
            case TargetKind.VIEW:
                self.post_message(self.ViewRequested(target.value))

    # Selecting

    @property
    def selected_text(self) -> str:
        selection = self.text_selection
        return selecting.selected_text(self._viewport.document, selection) if selection is not None else ""

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        return selecting.selected_text(self._viewport.document, selection), "\n"

    def selection_updated(self, selection: Selection | None) -> None:
        """While text is selected the view holds still, as if the reader had scrolled."""
        viewport = self._viewport
        if selection is not None and viewport.following:
            viewport.release()
            self._held_by_selection = True
        elif selection is None and self._held_by_selection:
            self.follow()
        self.refresh()

    def _select(self, first: Place, start: int, last: Place, end: int) -> None:
        self.screen.selections = {self: selecting.selection_of(first, start, last, end)} if end > start else {}

    # Searching

    def search(self, query: str) -> SearchState:
        """Look for `query` in every entry, the folded parts too; nearest above first. Empty: as `search_clear`.

        The work goes on in slices; `search_state` follows it.
        """
        if not query:
            self.search_clear()
            return self.search_state
        if self._search_origin is None:
            rows = self._viewport.rows
            self._search_origin = rows[-1].place.item if rows else -1
        self._search = Search(query, self.entries, self._search_origin, self._texts)
        self._scan()
        return self.search_state

    def search_next(self, direction: int) -> SearchState:
        """To the next match (1) or the one before (-1), going round."""
        if self._search is not None and self._search.step(direction) is not None:
            self._show_match()
        return self.search_state

    def search_clear(self) -> None:
        self._search = self._search_origin = None
        self._texts = Texts()
        self.search_state = SearchState()
        self._mark_matches()

    def _scan(self) -> None:
        search = self._search
        if search is None:
            return
        had = search.current
        if search.scan():
            self.call_later(self._scan)
        if had is None and search.current is not None:
            self._show_match()
        else:
            self.search_state = search.state
            self._mark_matches()

    def _show_match(self) -> None:
        """Open what hides the current match, and bring it on the screen."""
        search = self._search
        if search is None or search.current is None:
            return
        index, occurrence = search.current
        rows = self._match_rows(index, search)
        if occurrence >= len(rows) and (keys := tuple(fold_keys(self.entries[index]))):
            self._refold(folding.opened(self.view, keys), index)
            rows = self._match_rows(index, search)
        line = rows[min(occurrence, len(rows) - 1)] if rows else 0
        self.cursor = index
        self.search_state = search.state
        place = Place(index, line)
        if all(row.place != place for row in self._viewport.rows):
            top = self._viewport.step(place, -(self._viewport.height // 3))
            self._scroll(lambda: self._viewport.go(top))
        self._mark_matches()

    def _match_rows(self, index: int, search: Search) -> list[int]:
        return match_rows(self._viewport.document.block(index).rows(), search.pattern)

    def _mark_matches(self) -> None:
        spans: list[list[tuple[int, int]]] = []
        if self._search is not None:
            spans = matches_in([row.line for row in self._viewport.rows], self._search.pattern)
        if spans != self._spans:
            self._spans = spans
            self.refresh()

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
        self.following = viewport.following
        self.new_below = viewport.unseen
        old, self._painted = self._painted, rows
        if self._search is not None:
            self._mark_matches()
        if len(old) != len(rows):
            self.refresh()
            return
        differ = [
            at for at, (a, b) in enumerate(zip(old, rows, strict=True))
            if a.line is not b.line or a.place.item != b.place.item
        ]
        if differ:
            self.refresh(Region(0, differ[0], self.size.width, differ[-1] - differ[0] + 1))

    def _tell_scrollbar(self) -> None:
        viewport = self._viewport
        total, top = viewport.total, viewport.scroll
        if self.virtual_size.height != total or self.virtual_size.width != self.size.width:
            self.set_reactive(Widget.virtual_size, Size(self.size.width, total))
        self.set_reactive(Widget.scroll_y, float(top))
        self.set_reactive(Widget.scroll_target_y, float(top))
        bar = self.vertical_scrollbar
        bar.window_virtual_size = total
        bar.window_size = viewport.height
        bar.position = top

    def _row(self, y: int) -> Row | None:
        rows = self._viewport.rows
        return rows[y] if 0 <= y < len(rows) else None

    def _strip(self, y: int) -> Strip:
        row = self._row(y)
        if row is None:
            return self._strips.blank
        strip = self._strips.strip(row.line)
        palette = self.view.palette
        if y < len(self._spans) and self._spans[y]:
            strip = over(strip, self._spans[y], palette.match)
        if (selection := self.text_selection) is not None:
            span = selecting.span_in(selection, selecting.row_of(row.place), row.line)
            strip = over(strip, [span] if span else [], palette.selection)
        if row.place.item == self.cursor and self.has_focus:
            strip = with_cursor(strip, palette)
        return strip

    def _prepare(self) -> None:
        self._fit()
        base = self.visual_style.rich_style
        width = self._viewport.document.view.width
        if self._strips.width != width or self._strips.base != base:
            self._strips = Strips(width, base)

    def render_line(self, y: int) -> Strip:
        """A row whose cells know where they are in the document; Textual asks for it under the mouse."""
        self._prepare()
        row = self._row(y)
        strip = self._strip(y)
        return selecting.hit_strip(strip, selecting.row_of(row.place)) if row is not None else strip

    def render_lines(self, crop: Region) -> list[Strip]:
        """The rows of a region, from the cache; no border or padding is drawn."""
        self._prepare()
        strips = [self._strip(y) for y in crop.line_range]
        start, end = crop.column_span
        if (start, end) != (0, self._strips.width):
            strips = [strip.crop_extend(start, end, self._strips.base) for strip in strips]
        background = self.background_colors[1]
        for line_filter in self.get_line_filters():
            strips = [strip.apply_filter(line_filter, background) for strip in strips]
        return strips
