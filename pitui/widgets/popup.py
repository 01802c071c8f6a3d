"""The list of completions over the composer. It never has the focus: the keys stay with the text."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from pitui.widgets.completion import Completion, Request

_ROWS = 8


class CompletionPopup(Widget):
    """Shows `items`, one a row. `navigated`: a person chose with the keys, so Enter means the list."""

    COMPONENT_CLASSES = {"popup--chosen", "popup--muted"}

    DEFAULT_CSS = """
    CompletionPopup {
        overlay: screen;
        constrain: inside inside;
        width: 100%;
        height: auto;
        display: none;
        background: $panel;
        color: $foreground;
        padding: 0 1;

        &.-open { display: block; }
        & .popup--chosen { background: $primary 30%; text-style: bold; }
        & .popup--muted { color: $text-muted; }
    }
    """

    class Picked(Message):
        """An item was clicked; it is the chosen one."""

    def __init__(self, rows: int = _ROWS) -> None:
        super().__init__()
        self.rows = rows
        self.request: Request | None = None
        self.items: Sequence[Completion] = ()
        self.index = 0
        self.navigated = False
        self._top = 0

    @property
    def is_open(self) -> bool:
        return bool(self.items)

    @property
    def chosen(self) -> Completion | None:
        """The highlighted item."""
        return self.items[self.index] if self.items else None

    def show(self, request: Request, items: Sequence[Completion]) -> None:
        """Show `items` for `request`; none closes. A choice made with the keys stays while its item does."""
        chosen = self.chosen if self.navigated else None
        self.request, self.items = (request if items else None), items
        self.index = items.index(chosen) if chosen in items else 0
        self.navigated = self.navigated and chosen in items
        self._settle()

    def close(self) -> None:
        """Show nothing."""
        self.request, self.items, self.index, self.navigated = None, (), 0, False
        self._settle()

    def move(self, rows: int) -> None:
        """Highlight another item; round at the ends by single steps."""
        if abs(rows) == 1:
            self.index = (self.index + rows) % len(self.items)
        else:
            self.index = max(0, min(self.index + rows, len(self.items) - 1))
        self.navigated = True
        self._settle()

    def _settle(self) -> None:
        shown = min(len(self.items), self.rows)
        self._top = max(0, min(self._top, self.index, len(self.items) - shown))
        self._top = max(self._top, self.index - shown + 1)
        self.set_class(self.is_open, "-open")
        if self.is_open:
            self.styles.offset = (0, -shown)
        self.refresh(layout=True)

    def render(self) -> Content:
        shown = self.items[self._top : self._top + self.rows]
        names = [item.label or item.value for item in shown]
        column = min(max((Content(name).cell_length for name in names), default=0), max(12, self.size.width // 2))
        rows = zip(shown, names, range(self._top, self._top + len(shown)), strict=True)
        return Content("\n").join([self._row(item, name, column, index) for item, name, index in rows])

    def _row(self, item: Completion, name: str, column: int, index: int) -> Content:
        muted = self.get_visual_style("popup--muted", partial=True)
        head = Content(_one_line(name)).truncate(column, ellipsis=True, pad=True)
        tail = "  ".join(_one_line(part) for part in (item.hint, item.description) if part)
        source = f"  {_one_line(item.source)}" if item.source else ""
        row = Content.assemble(head, ("  " + tail, muted), (source, muted)).truncate(
            max(1, self.content_size.width), ellipsis=True, pad=True
        )
        return row.stylize(self.get_visual_style("popup--chosen", partial=True)) if index == self.index else row

    def on_click(self, event: events.Click) -> None:
        row = self._top + event.get_content_offset_capture(self).y
        if row < len(self.items):
            self.index = row
            self.post_message(self.Picked())

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        event.stop()
        self.move(1)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        event.stop()
        self.move(-1)


def _one_line(text: str) -> str:
    """Foreign text in one row, without control characters."""
    return "".join(character if character.isprintable() else " " for character in text[:500])
