"""What waits to be sent, row by row above the composer, and the keys that change it while it has the focus."""

from __future__ import annotations

from dataclasses import dataclass

from rich.text import Text
from textual import events
from textual.binding import Binding
from textual.message import Message

from pitui.render import bars
from pitui.render.lines import Palette
from pitui.session.arrange import Change, Deed, promoted
from pitui.session.queue import Waiting
from pitui.session.state import QueuedPrompt, Waits
from pitui.widgets.bars import Lines


class QueueStrip(Lines, can_focus=True):
    """With the focus one row is selected; every key is about that row. A click opens it on the row clicked."""

    MOST = 5
    """Rows on show at most."""

    BINDINGS = [
        Binding("up", "select(-1)", show=False),
        Binding("down", "select(1)", show=False),
        Binding("home", "select(-100000)", show=False),
        Binding("end", "select(100000)", show=False),
        Binding("alt+up", "move(-1)", show=False),
        Binding("alt+down", "move(1)", show=False),
        Binding("e,enter", "change('edit')", show=False),
        Binding("d,delete,backspace", "change('drop')", show=False),
        Binding("p", "change('promote')", show=False),
        Binding("escape,q,ctrl+c", "close", show=False),
    ]

    @dataclass
    class Wanted(Message):
        """The person changes what waits."""

        change: Change

    class Closed(Message):
        """There is nothing more to do here."""

    def __init__(self) -> None:
        super().__init__()
        self.waiting: tuple[Waiting, ...] = ()
        self.cursor = 0
        self._top = 0
        self._palette: Palette | None = None
        self._following: QueuedPrompt | None = None

    def show(self, waiting: tuple[Waiting, ...], palette: Palette) -> None:
        """Draw these; the selection stays with its place, or goes along with the row that was moved."""
        self.waiting, self._palette = waiting, palette
        if not waiting and self.has_focus:
            self.post_message(self.Closed())
        places = [at for at, row in enumerate(waiting) if row.item == self._following]
        if places:
            self.cursor = min(places, key=lambda at: abs(at - self.cursor))
        self.cursor = max(0, min(self.cursor, len(waiting) - 1))
        self._draw()

    def _draw(self) -> None:
        if self._palette is None:
            return
        palette, width, focused = self._palette, self.app.size.width, self.has_focus
        self._top = max(0, min(self._top, self.cursor, len(self.waiting) - self.MOST))
        if focused:
            self._top = max(self._top, self.cursor - self.MOST + 1)
        else:
            self._top = 0
        shown = self.waiting[self._top : self._top + self.MOST]
        rows = [
            bars.queue_line(row.item, width, palette, focused and at == self.cursor, row.moving)
            for at, row in enumerate(shown, self._top)
        ]
        if more := len(self.waiting) - len(shown):
            rows.append(Text(f"   … {more} more", palette.muted))
        if rows and focused:
            rows.append(Text(f" {self._keys()}", palette.muted, no_wrap=True))
        elif rows:
            hint = "alt+w edits · alt+up takes back "
            if (room := width - rows[0].cell_len - len(hint)) > 0:
                rows[0].append(" " * room + hint, palette.muted)
        self.draw(rows)

    def _keys(self) -> str:
        item = self.waiting[self.cursor].item
        other = "" if item.what is not Waits.PROMPT else f" · p {bars.goes(promoted(item))}"
        return f"e edits · d drops · alt+up/down moves{other} · esc closes"

    def watch_has_focus(self, has_focus: bool) -> None:
        super().watch_has_focus(has_focus)
        self._following = None
        self._draw()

    def on_click(self, event: events.Click) -> None:
        if event.y < min(self.MOST, len(self.waiting) - self._top):
            self.cursor = self._top + event.y
        self.focus()
        self._draw()

    def action_select(self, by: int) -> None:
        self._following = None
        self.cursor = max(0, min(self.cursor + by, len(self.waiting) - 1))
        self._draw()

    def action_move(self, by: int) -> None:
        self._want(Deed.MOVE, by)

    def action_change(self, deed: str) -> None:
        self._want(Deed(deed))

    def _want(self, deed: Deed, by: int = 0) -> None:
        if not self.waiting:
            return
        item = self.waiting[self.cursor].item
        if deed is Deed.PROMOTE and item.what is not Waits.PROMPT:
            return
        self._following = promoted(item) if deed is Deed.PROMOTE else item if deed is Deed.MOVE else None
        self.post_message(self.Wanted(Change(deed, item, by)))
        if deed is Deed.DROP:
            # The next key of the same read means the next row.
            self.waiting = (*self.waiting[: self.cursor], *self.waiting[self.cursor + 1 :])
            self.cursor = max(0, min(self.cursor, len(self.waiting) - 1))
            self._draw()

    def action_close(self) -> None:
        self.post_message(self.Closed())

