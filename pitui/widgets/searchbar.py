"""The search line: what is looked for, which hit this is and how many there are."""

from __future__ import annotations

from dataclasses import dataclass

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal
from textual.message import Message
from textual.widgets import Input, Static


class SearchBar(Horizontal):
    """Hidden until opened; Enter and Shift+Enter go from hit to hit, Escape closes."""

    BINDINGS = [
        Binding("escape", "close", show=False, id="tui.altScreen.searchClose"),
        Binding("ctrl+g,enter", "step(1)", show=False, id="tui.altScreen.searchNext"),
        Binding("ctrl+shift+g,shift+enter,shift+f3", "step(-1)", show=False, id="tui.altScreen.searchPrevious"),
    ]
    DEFAULT_CSS = """
    SearchBar { height: 1; display: none; background: $surface; }
    SearchBar Input, SearchBar Input:focus { border: none; height: 1; width: 1fr; padding: 0 1; background: $surface; }
    SearchBar Static { width: auto; padding: 0 1; color: $text-muted; }
    """

    @dataclass
    class Asked(Message):
        query: str

    @dataclass
    class Stepped(Message):
        direction: int

    @dataclass
    class Closed(Message):
        """The person is done searching."""

    def compose(self) -> ComposeResult:
        yield Static("search", markup=False)
        yield Input(select_on_focus=True)
        yield Static("", id="hits", markup=False)

    def open(self, query: str = "") -> None:
        self.display = True
        entry = self.query_one(Input)
        if query:
            entry.value = query
        entry.focus()
        if entry.value:
            self.post_message(self.Asked(entry.value))

    def show(self, position: int, count: int, scanning: bool) -> None:
        """Which hit of how many; `position` counts from 1, 0 is none yet."""
        more = "…" if scanning else ""
        text = f"{position} of {count}{more}" if count else ("searching…" if scanning else "nothing found")
        self.query_one("#hits", Static).update(text if self.query_one(Input).value else "")

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        self.post_message(self.Asked(event.value))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.post_message(self.Stepped(1))

    def action_step(self, direction: int) -> None:
        self.post_message(self.Stepped(direction))

    def action_close(self) -> None:
        self.display = False
        self.post_message(self.Closed())
