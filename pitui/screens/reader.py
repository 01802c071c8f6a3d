"""One thing in full: a tool's result, a diff, a report. Scrolled, searched and copied like the transcript."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import ClassVar

from anyio import to_thread
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import Static

from pitui.render.bars import one_line, rule_line
from pitui.render.entries import fold_keys, plain_text, render_entry
from pitui.render.lines import Line, View
from pitui.render.rows import gutter
from pitui.render.text import line_of
from pitui.rpc.messages import TextBlock
from pitui.session.state import AssistantEntry, Entry
from pitui.widgets.searchbar import SearchBar
from pitui.widgets.sheet import ShowPictures
from pitui.widgets.transcript import Transcript

LONG = 30_000
"""Characters that are laid out beside everything else: with fewer nobody notices."""


def written(text: str) -> AssistantEntry:
    """A text of our own, in markdown, as something to read."""
    return AssistantEntry("reader", (TextBlock(text=text),))


class Page(Transcript, inherit_bindings=False):
    """A transcript of one entry: keys that are about entries are the reader's here."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("home,g", "top", show=False),
        Binding("end,G", "follow", show=False),
        Binding("pageup,b", "pages(-1)", show=False),
        Binding("pagedown,space", "pages(1)", show=False),
    ]


class ReaderScreen(Screen[None]):
    """Shows `entry` unfolded; `copy` puts a text on the clipboard and says what became of it."""

    AUTO_FOCUS = "Transcript"
    BINDINGS = [
        Binding("escape,q,ctrl+c", "close", show=False),
        Binding("slash,f3,ctrl+f,ctrl+shift+f", "search", show=False, id="tui.altScreen.search"),
        Binding("c,y,ctrl+x", "copy", show=False),
        Binding("up", "rows(-1)", show=False, priority=True),
        Binding("down", "rows(1)", show=False, priority=True),
        Binding("ctrl+home", "top", show=False),
        Binding("ctrl+end", "bottom", show=False),
    ]
    KEYS = "/ searches · c copies all · esc closes"

    def __init__(
        self, title: str, entry: Entry, view: View, copy: Callable[[str], str],
        show_pictures: ShowPictures | None = None,
    ) -> None:
        super().__init__()
        self.heading = title
        self.entry = entry
        self.palette = view.palette
        whole = replace(view, tools_open=True, open=frozenset(fold_keys(entry)), shut=frozenset(), whole=True)
        self.transcript = Page(whole, draw=self._draw, show_pictures=show_pictures)
        self._drawn: tuple[View, list[Line]] | None = None
        self.search_bar = SearchBar()
        self._copy = copy

    def compose(self) -> ComposeResult:
        yield Static(id="reader-head")
        yield self.transcript
        yield self.search_bar

    def on_mount(self) -> None:
        self.transcript.show((self.entry,))
        self.call_after_refresh(self.transcript.go_top)

    def _draw(self, entry: Entry, view: View) -> list[Line]:
        """All of it; what is long is laid out beside what the person does, and is there a moment later."""
        if self._drawn is not None and self._drawn[0] == view:
            return self._drawn[1]
        if len(plain_text(entry)) <= LONG:
            return render_entry(entry, view)
        self.run_worker(self._lay_out(entry, view), exclusive=True, group="layout")
        if self._drawn is not None:
            return self._drawn[1]
        return [line_of([("laying it out", view.palette.muted)], view.width, gutter(view.width))]

    async def _lay_out(self, entry: Entry, view: View) -> None:
        first = self._drawn is None
        self._drawn = view, await to_thread.run_sync(render_entry, entry, view, abandon_on_cancel=True)
        self.transcript.redraw()
        if first:
            self.transcript.go_top()

    def on_resize(self) -> None:
        head = rule_line(one_line(self.heading), self.KEYS, self.size.width, self.palette.accent, self.palette)
        self.query_one("#reader-head", Static).update(head)

    @on(SearchBar.Asked)
    def _ask(self, event: SearchBar.Asked) -> None:
        self._show_hits(lambda: self.transcript.search(event.query))

    @on(SearchBar.Stepped)
    def _step(self, event: SearchBar.Stepped) -> None:
        self._show_hits(lambda: self.transcript.search_next(event.direction))

    def _show_hits(self, act: Callable[[], object]) -> None:
        act()
        state = self.transcript.search_state
        self.search_bar.show(state.current, state.total, not state.complete)

    @on(SearchBar.Closed)
    def _searched(self) -> None:
        self.transcript.search_clear()
        self.transcript.focus()

    @on(Transcript.Copied)
    def _copied(self, event: Transcript.Copied) -> None:
        event.stop()
        self.notify(self._copy(event.text), markup=False)

    def action_search(self) -> None:
        self.search_bar.open()

    def action_copy(self) -> None:
        self.notify(self._copy(self.transcript.selected_text or plain_text(self.entry)), markup=False)

    def action_rows(self, rows: int) -> None:
        self.transcript.move_rows(rows)

    def action_top(self) -> None:
        self.transcript.go_top()

    def action_bottom(self) -> None:
        self.transcript.follow()

    def action_close(self) -> None:
        if self.search_bar.display:
            self.search_bar.action_close()
        else:
            self.dismiss()
