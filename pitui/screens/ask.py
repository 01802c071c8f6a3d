"""A question of pitui's own with a few answers: trust, a folder that is gone, a file to delete."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, TypeVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Static

from pitui.render.bars import one_line, rule_line
from pitui.render.lines import Palette
from pitui.render.text import sanitize
from pitui.widgets.dialogs import Choices

T = TypeVar("T")


class AskScreen(ModalScreen[T | None], Generic[T]):
    """Dismisses with the value of the chosen answer, or None for Escape. `cursor`: the answer Enter would give."""

    BINDINGS = [Binding("escape,ctrl+c", "cancel", show=False)]
    DEFAULT_CSS = """
    AskScreen { align: center bottom; background: transparent; }
    AskScreen > Vertical { height: auto; max-height: 80%; background: $surface; }
    AskScreen #ask-body { padding: 0 1 1 1; max-height: 14; overflow-y: auto; }
    """

    def __init__(
        self, title: str, body: str, answers: Sequence[tuple[str, T]], palette: Palette, cursor: int = 0
    ) -> None:
        super().__init__()
        self.heading, self.body = title, body
        self.answers = tuple(answers)
        self.palette = palette
        self.cursor = cursor

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(id="ask-head")
            yield Static(Text(sanitize(self.body), self.palette.text), id="ask-body", markup=False)
            yield Choices([label for label, _ in self.answers], self.palette, filters=False)
            yield Static(Text(" ↑↓ choose · enter answers · esc cancels", self.palette.muted))

    def on_mount(self) -> None:
        choices = self.query_one(Choices)
        choices.cursor = self.cursor
        choices.focus()

    def on_resize(self) -> None:
        head = rule_line(one_line(self.heading), "", self.size.width, self.palette.accent, self.palette)
        self.query_one("#ask-head", Static).update(head)

    def on_choices_chosen(self, event: Choices.Chosen) -> None:
        event.stop()
        self.dismiss(self.answers[event.index][1])

    def action_cancel(self) -> None:
        self.dismiss(None)
