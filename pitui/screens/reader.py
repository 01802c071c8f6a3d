"""One thing in full: a tool's result, a diff, a report. Scrolled, searched and copied like the transcript."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.screen import Screen
from textual.widgets import Static

from pitui.render.bars import one_line, rule_line
from pitui.render.entries import fold_keys, plain_text
from pitui.render.lines import View
from pitui.rpc.messages import TextBlock
from pitui.session.state import AssistantEntry, Entry
from pitui.widgets.searchbar import SearchBar
from pitui.widgets.transcript import Transcript


def written(text: str) -> AssistantEntry:
    """A text of our own, in markdown, as something to read."""
    return AssistantEntry("reader", (TextBlock(text=text),))


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
    KEYS = "↑↓ page keys scroll · / searches · c copies all · esc closes"

    def __init__(self, title: str, entry: Entry, view: View, copy: Callable[[str], str]) -> None:
        super().__init__()
        self.heading = title
        self.entry = entry
        self.palette = view.palette
        self.transcript = Transcript(replace(view, tools_open=True, open=frozenset(fold_keys(entry)), shut=frozenset()))
        self.search_bar = SearchBar()
        self._copy = copy

    def compose(self) -> ComposeResult:
        yield Static(id="reader-head")
        yield self.transcript
        yield self.search_bar

    def on_mount(self) -> None:
        self.transcript.show((self.entry,))
        self.call_after_refresh(self.transcript.go_top)

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
