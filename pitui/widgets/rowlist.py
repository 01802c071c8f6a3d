"""A list of one-line rows, drawn only where it is seen, and the line of text that filters it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rich.text import Text
from textual import events
from textual.binding import Binding
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widgets import Input

from pitui.render.lines import Palette

Draw = Callable[[int, int], Text]
"""(row, width in cells) to what the row shows; text must be sanitised already."""


class RowList(ScrollView, can_focus=False):
    """Rows by number. Thousands cost what the screen shows; keys come from the screen that owns the list."""

    DEFAULT_CSS = "RowList { height: 1fr; overflow-x: hidden; scrollbar-size-vertical: 1; }"

    cursor = reactive(0, always_update=True)

    @dataclass
    class Moved(Message):
        """The cursor stands on another row, or on another thing."""

        index: int

    @dataclass
    class Chosen(Message):
        """A row was clicked a second time."""

        index: int

    def __init__(self, palette: Palette, id: str | None = None) -> None:
        super().__init__(id=id)
        self.palette = palette
        self.count = 0
        self.empty = Text()
        self._draw: Draw = lambda row, width: Text()

    def show(self, count: int, draw: Draw, cursor: int = 0, empty: str = "") -> None:
        """Show `count` rows drawn by `draw`, with the cursor on one of them; `empty` is said when there are none."""
        self.count, self._draw = count, draw
        self.empty = Text(f" {empty}", self.palette.muted)
        self.virtual_size = Size(self.size.width, count)
        self.cursor = cursor
        self.refresh()

    def validate_cursor(self, cursor: int) -> int:
        return max(0, min(cursor, self.count - 1))

    def watch_cursor(self, cursor: int) -> None:
        self.scroll_to_region(
            Region(0, cursor, 1, 1), animate=False, force=True, immediate=True, x_axis=False
        )
        self.refresh()
        self.post_message(self.Moved(cursor))

    def move(self, by: int) -> None:
        """Move the cursor down by `by` rows (up when negative)."""
        self.cursor = self.cursor + by

    @property
    def page(self) -> int:
        """Rows of a page, one less than are seen."""
        return max(1, self.size.height - 1)

    def on_resize(self) -> None:
        self.virtual_size = Size(self.size.width, self.count)
        self.watch_cursor(self.cursor)

    def on_click(self, event: events.Click) -> None:
        row = round(self.scroll_y) + event.y
        if row >= self.count:
            return
        if row == self.cursor:
            self.post_message(self.Chosen(row))
        else:
            self.cursor = row

    def render_line(self, y: int) -> Strip:
        width, row = self.scrollable_content_region.width, round(self.scroll_y) + y
        if row >= self.count:
            return self._strip(self.empty if y == 0 and not self.count else Text(), width)
        line = self._draw(row, width)
        if row == self.cursor:
            line.stylize_before(self.palette.selection)
            return self._strip(line, width, cursor=True)
        return self._strip(line, width)

    def _strip(self, line: Text, width: int, cursor: bool = False) -> Strip:
        strip = Strip(line.render(self.app.console, end=""))
        style = self.rich_style + self.palette.selection if cursor else self.rich_style
        return strip.adjust_cell_length(width, style).apply_style(self.rich_style)


class QueryInput(Input, inherit_bindings=False):
    """One line of text that leaves every key but those of plain editing to its screen."""

    BINDINGS = [
        Binding("left", "cursor_left", show=False),
        Binding("right", "cursor_right", show=False),
        Binding("home", "home", show=False),
        Binding("end", "end", show=False),
        Binding("backspace", "delete_left", show=False),
        Binding("delete", "delete_right", show=False),
        Binding("ctrl+w,alt+backspace", "delete_left_word", show=False),
        Binding("ctrl+k", "delete_right_all", show=False),
        Binding("ctrl+v", "paste", show=False),
    ]
    DEFAULT_CSS = """
    QueryInput, QueryInput:focus { border: none; height: 1; padding: 0 1; background: $panel; }
    """

    def __init__(self, placeholder: str = "", value: str = "", id: str | None = None) -> None:
        super().__init__(value, placeholder=placeholder, select_on_focus=False, id=id)
