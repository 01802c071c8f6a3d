"""What the screens that are a list share: a filter above it, a preview beside it, and the lines around it."""

from __future__ import annotations

from abc import abstractmethod
from typing import Generic, TypeVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, VerticalScroll
from textual.screen import Screen
from textual.widgets import Static

from pitui.keys.keymap import bind
from pitui.render.bars import one_line, rule_line
from pitui.render.lines import Palette
from pitui.render.text import clip
from pitui.widgets.rowlist import QueryInput, RowList

PREVIEW_FROM = 100
"""Columns from which the preview is shown."""

Row = TypeVar("Row")
Result = TypeVar("Result")


class ListScreen(Screen[Result | None], Generic[Row, Result]):
    """Moves in `rows`, and dismisses with None when it is left.

    `syntax`: what can be typed into the filter. `fields`: more lines to type into, below it.
    """

    BINDINGS = [
        bind("tui.select.up", "move(-1)"),
        bind("tui.select.down", "move(1)"),
        bind("tui.select.pageUp", "move_pages(-1)"),
        bind("tui.select.pageDown", "move_pages(1)"),
        bind("tui.select.confirm"),
        bind("tui.select.cancel"),
        Binding("ctrl+home", "move(-1000000)", show=False),
        Binding("ctrl+end", "move(1000000)", show=False),
    ]
    DEFAULT_CSS = """
    ListScreen #head, ListScreen #foot, ListScreen #status { height: 1; }
    ListScreen #preview { width: 45%; display: none; padding: 0 1 0 2; scrollbar-size-vertical: 1; }
    ListScreen.-wide #preview { display: block; }
    ListScreen #preview-text { height: auto; }
    """

    def __init__(self, palette: Palette, syntax: str, *fields: QueryInput) -> None:
        super().__init__()
        self.rows: list[Row] = []
        self._palette = palette
        self._head, self._note, self._foot = Static(id="head"), Static(id="status"), Static(id="foot")
        self._query, self._fields = QueryInput(f"filter: {syntax}", id="query"), fields
        self._list = RowList(palette, id="list")
        self._preview_text = Static(id="preview-text")
        self._preview_pane = VerticalScroll(self._preview_text, id="preview", can_focus=False)
        self._status = ""

    def compose(self) -> ComposeResult:
        yield self._head
        yield self._query
        yield from self._fields
        yield Horizontal(self._list, self._preview_pane)
        yield self._note
        yield self._foot

    @abstractmethod
    def _draw(self, number: int, width: int) -> Text:
        """A row, as RowList wants it."""

    @abstractmethod
    def _frame(self) -> None:
        """Write the lines around the list, by `_surround`."""

    @abstractmethod
    def _preview(self) -> None:
        """Show what is under the cursor beside the list."""

    @abstractmethod
    def action_select_confirm(self) -> None:
        """Take what is under the cursor."""

    @property
    def row_now(self) -> Row | None:
        """The row under the cursor."""
        at = self._list.cursor
        return self.rows[at] if at < len(self.rows) else None

    @property
    def _preview_width(self) -> int:
        return max(20, self._preview_pane.scrollable_content_region.width)

    def _show(self, rows: list[Row], at: int | None, empty: str) -> None:
        """Show other rows, with the cursor on row `at`, or where it was; `empty` is said when there are none."""
        self.rows = rows
        self._list.show(len(rows), self._draw, self._list.cursor if at is None else at, empty)
        self._frame()

    def _surround(self, title: str, right: str, trouble: str, keys: str) -> None:
        palette, width = self._palette, self.size.width
        self._head.update(rule_line(title, right, width, palette.accent, palette), layout=False)
        self._note.update(Text(f" {one_line(trouble)}", palette.warning, no_wrap=True), layout=False)
        self._foot.update(Text(clip(f" {keys}", width), palette.muted, no_wrap=True), layout=False)

    def _say(self, words: str) -> None:
        self._status = words
        self._frame()

    def on_mount(self) -> None:
        self._query.focus()

    def on_resize(self) -> None:
        self.set_class(self.size.width >= PREVIEW_FROM, "-wide")
        self._frame()
        self.call_after_refresh(self.on_row_list_moved)

    def on_row_list_moved(self) -> None:
        if self.has_class("-wide"):
            self._preview()

    def on_row_list_chosen(self) -> None:
        self.action_select_confirm()

    def action_move(self, by: int) -> None:
        self._list.move(by)

    def action_move_pages(self, by: int) -> None:
        self._list.move(by * self._list.page)

    def action_select_cancel(self) -> None:
        self.dismiss(None)
