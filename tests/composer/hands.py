"""A composer alone in an app, and ways to act on it as a terminal does."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from textual._time import get_time
from textual.app import App, ComposeResult
from textual.constants import ESCAPE_DELAY
from textual.events import Event, Key
from textual.pilot import Pilot

from pitui.rpc.messages import ImageBlock
from pitui.terminal.parser import TerminalParser
from pitui.widgets.composer import Composer


class ComposerApp(App[None]):
    """Keeps what was submitted; answers nothing by itself."""

    ENABLE_COMMAND_PALETTE = False

    def __init__(self, keymap: dict[str, str] | None = None) -> None:
        super().__init__()
        self.sent: list[tuple[str, str]] = []
        self.images: list[tuple[ImageBlock, ...]] = []
        self.bubbled: list[str] = []
        self.settled = 0
        self.first_keymap = keymap

    def compose(self) -> ComposeResult:
        yield Composer(placeholder="Ask anything")

    def on_mount(self) -> None:
        if self.first_keymap:
            self.set_keymap(self.first_keymap)
        self.composer.focus()

    @property
    def composer(self) -> Composer:
        return self.query_one(Composer)

    def on_composer_submitted(self, event: Composer.Submitted) -> None:
        self.sent.append((event.text, event.kind))
        self.images.append(event.images)

    def on_composer_settled(self) -> None:
        self.settled += 1

    def on_key(self, event: Key) -> None:
        self.bubbled.append(event.key)


class Hands:
    """A person at a terminal with a composer."""

    def __init__(self, app: ComposerApp, pilot: Pilot[None]) -> None:
        self.app = app
        self.pilot = pilot
        self.composer = app.composer
        self._parser = TerminalParser()

    async def keys(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.pilot.pause()

    async def type(self, text: str) -> None:
        await self.pilot.press(*(_key(character) for character in text))
        await self.pilot.pause()

    async def bytes(self, *reads: str, between: float = 0.0) -> None:
        """What the terminal sends, one read after another; `between`: seconds that pass in the events' clock."""
        clock = get_time()
        for number, data in enumerate(reads):
            for event in self._read(data, waits=number == len(reads) - 1 or between > ESCAPE_DELAY):
                event.time = clock
                clock += 0.00001
                self.app.post_message(event)
            clock += between
        await self.pilot.pause()

    def _read(self, data: str, waits: bool) -> list[Event]:
        """The events of one read; with what the parser gives up on, when it `waits` long enough for the rest."""
        found = list(self._parser.feed(data))
        if waits and self._parser._timeout_time is not None:
            self._parser._timeout_time = 0.0
            found += self._parser.tick()
        return [event for event in found if isinstance(event, Event)]

    async def paste(self, text: str) -> None:
        await self.bytes(f"\x1b[200~{text}\x1b[201~")

    @property
    def text(self) -> str:
        return self.composer.text


def _key(character: str) -> str:
    return {"\n": "ctrl+j", " ": "space"}.get(character, character)


@asynccontextmanager
async def hands(
    size: tuple[int, int] = (80, 24), keymap: dict[str, str] | None = None, cwd: Path | None = None
) -> AsyncIterator[Hands]:
    """A running app with the focus in its composer."""
    app = ComposerApp(keymap)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        if cwd is not None:
            app.composer.sources.cwd = cwd
        yield Hands(app, pilot)
