"""A list to choose from, docked at the bottom: models, thinking levels, prompts to fork from, formats."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Static

from pitui.render.bars import rule_line
from pitui.render.lines import Palette
from pitui.widgets.dialogs import Choices


class PickerScreen(ModalScreen[int | None]):
    """Dismisses with the index of the chosen row, or None. `save`: what Ctrl+S does with the row under the cursor."""

    BINDINGS = [
        Binding("escape,ctrl+c", "cancel", show=False),
        Binding("ctrl+s", "save", show=False, id="app.thinking.save"),
    ]
    DEFAULT_CSS = """
    PickerScreen { align: center bottom; background: transparent; }
    PickerScreen > Vertical { height: auto; max-height: 70%; background: $surface; }
    PickerScreen Choices { max-height: 58vh; }
    """

    def __init__(
        self,
        title: str,
        rows: Sequence[str],
        palette: Palette,
        current: int = 0,
        query: str = "",
        save: Callable[[int], None] | None = None,
    ) -> None:
        super().__init__()
        self.save = save
        self.heading = title
        self.rows = tuple(rows)
        self.palette = palette
        self.current = current
        self.first_query = query

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(rule_line(
                self.heading, "", self.app.size.width, self.palette.accent, self.palette, self.palette.text
            ))
            yield Choices(self.rows, self.palette)
            yield Static(Text(
                " ↑↓ choose · type to filter · enter takes it"
                f"{' · ctrl+s as default' if self.save else ''} · esc closes", self.palette.muted))

    def on_mount(self) -> None:
        choices = self.query_one(Choices)
        choices.query_text = self.first_query
        if not self.first_query:
            choices.cursor = self.current
        choices.focus()

    def on_choices_chosen(self, event: Choices.Chosen) -> None:
        self.dismiss(event.index)

    def action_save(self) -> None:
        choices = self.query_one(Choices)
        if self.save is not None and choices.shown:
            index = choices.shown[choices.cursor]
            self.save(index)
            self.dismiss(index)

    def action_cancel(self) -> None:
        self.dismiss(None)
