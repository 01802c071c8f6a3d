"""Ctrl+R: a search through earlier prompts, over the composer."""

from __future__ import annotations

from collections.abc import Sequence

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList
from textual.widgets.option_list import Option

from pitui.keys.keymap import bind
from pitui.matching import matching
from pitui.store.drafts import Draft

_SHOWN = 100
_PAGE = 10


class HistorySearch(ModalScreen[int | None]):
    """Gives the index of the chosen prompt, or None."""

    BINDINGS = [
        bind("tui.select.cancel"),
        bind("tui.select.up"),
        bind("tui.select.down"),
        bind("tui.select.pageUp"),
        bind("tui.select.pageDown"),
    ]

    DEFAULT_CSS = """
    HistorySearch {
        align: left bottom;
        background: transparent;

        & > Vertical { height: auto; max-height: 60%; background: $panel; }
        & OptionList { height: auto; max-height: 12; border: none; background: $panel; }
        & Input { border: none; height: 1; background: $panel; padding: 0 1; }
    }
    """

    def __init__(self, prompts: Sequence[Draft], query: str = "") -> None:
        super().__init__()
        self._texts = [prompt.text for prompt in prompts]
        self._query = query
        self._found: list[int] = []

    def compose(self) -> ComposeResult:
        with Vertical():
            yield OptionList(markup=False)
            yield Input(self._query, placeholder="search earlier prompts")

    def on_mount(self) -> None:
        self.query_one(Input).focus()
        self.query_one(OptionList).can_focus = False
        self._search(self._query)

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        self._search(event.value)

    def _search(self, query: str) -> None:
        newest_first = [len(self._texts) - 1 - index for index in matching(query, self._texts[::-1])]
        seen: set[str] = set()
        self._found = []
        for index in newest_first:
            if self._texts[index] not in seen:
                seen.add(self._texts[index])
                self._found.append(index)
        del self._found[_SHOWN:]
        options = self.query_one(OptionList)
        options.clear_options()
        options.add_options(Option(Content(_summary(self._texts[index]))) for index in self._found)
        options.highlighted = 0 if self._found else None

    @on(Input.Submitted)
    def _submitted(self) -> None:
        chosen = self.query_one(OptionList).highlighted
        if chosen is not None:
            self.dismiss(self._found[chosen])

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(self._found[event.option_index])

    def action_select_cancel(self) -> None:
        self.dismiss(None)

    def action_select_up(self) -> None:
        self.query_one(OptionList).action_cursor_up()

    def action_select_down(self) -> None:
        self.query_one(OptionList).action_cursor_down()

    def action_select_page_up(self) -> None:
        self._page(-_PAGE)

    def action_select_page_down(self) -> None:
        self._page(_PAGE)

    def _page(self, rows: int) -> None:
        options = self.query_one(OptionList)
        if options.highlighted is not None:
            options.highlighted = max(0, min(options.highlighted + rows, options.option_count - 1))


def _summary(text: str) -> str:
    """One row of a prompt, without control characters."""
    first, _, rest = text.strip().partition("\n")
    shown = "".join(character if character.isprintable() else " " for character in first[:300])
    return f"{shown} … +{rest.count(chr(10)) + 1} lines" if rest else shown
