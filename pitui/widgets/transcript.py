"""The conversation on the screen, and all a reader can do with it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.reactive import reactive, var
from textual.selection import Selection
from textual.strip import Strip

from pitui.render.entries import fold_keys, plain_text, render_entry
from pitui.render.lines import Target, TargetKind, View
from pitui.render.text import sanitize
from pitui.session.state import Entry
from pitui.widgets import folds as folding
from pitui.widgets import selection as selecting
from pitui.widgets.document import Draw
from pitui.widgets.landmarks import is_failure, is_prompt, nearest
from pitui.widgets.search import Search, SearchState, Texts, match_rows, matches_in
from pitui.widgets.sheet import Sheet, ShowPictures
from pitui.widgets.strips import over, with_cursor
from pitui.widgets.viewport import Place, Row


class Transcript(Sheet, can_focus=True):
    """The sheet with what a reader does to it: going to entries, a block cursor, the mouse, selecting, searching.

    Its messages say what the reader wants; acting on them is for whoever holds the transcript.
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
        self, view: View, *, draw: Draw = render_entry, show_pictures: ShowPictures | None = None,
        name: str | None = None, id: str | None = None, classes: str | None = None,
    ) -> None:
        super().__init__(view, draw=draw, show_pictures=show_pictures, name=name, id=id, classes=classes)
        self._spans: list[list[tuple[int, int]]] = []
        self._search: Search | None = None
        self._search_origin: int | None = None
        self._texts = Texts()
        self._pressed: tuple[int, int] | None = None
        self._held_by_selection = False
        self._selected: Selection | None = None
        self._pointed: int | None = None

    # Moving

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
        last = max(0, self._viewport.document.height(index) - 1)
        line = rows[occurrence] if occurrence < len(rows) else last
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

    # What lies over the rows

    def _prepare(self) -> None:
        super()._prepare()
        self._selected = self.text_selection
        self._pointed = self.cursor if self.has_focus else None

    def _overlaid(self, strip: Strip, row: Row, y: int) -> Strip:
        if y < len(self._spans) and self._spans[y]:
            strip = over(strip, self._spans[y], self.view.palette.match)
        if self._selected is not None:
            span = selecting.span_in(self._selected, selecting.row_of(row.place), row.line)
            strip = over(strip, [span] if span else [], self.view.palette.selection)
        if row.place.item == self._pointed:
            strip = with_cursor(strip, self.view.palette)
        return strip

    def _entries_changed(self, changed: Sequence[int]) -> None:
        if self._search is not None and self.entries is not self._search.entries:
            self._search.update(self.entries, changed)
            self.call_later(self._scan)

    def _rows_changed(self) -> None:
        if self._search is not None:
            self._mark_matches()

    def _scroll(self, move: Callable[[], None]) -> None:
        self._held_by_selection = False
        super()._scroll(move)

    def follow(self) -> None:
        self._held_by_selection = False
        super().follow()
