"""pitui's own app on the real agent, driven as a person would: keys in, rows of cells out."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from textual.pilot import Pilot

from pitui.app import PituiApp
from pitui.cli import parse
from pitui.screens.picker import PickerScreen
from pitui.session.state import Entry, NoticeEntry, RunState, Session
from pitui.store.settings import Settings
from tests.real.agents import Home, command

PATIENCE = 60.0
"""Seconds a condition may take on a slow and busy machine before a test gives up."""


@dataclass
class Desk:
    """An app that runs, and the keys to it."""

    app: PituiApp
    pilot: Pilot[int]

    @property
    def session(self) -> Session:
        return self.app.conversation.session

    @property
    def entries(self) -> tuple[Entry, ...]:
        return self.session.entries

    def screen(self) -> str:
        """What is on the screen, row by row, without trailing blanks."""
        return "\n".join(strip.text.rstrip() for strip in self.app.screen._compositor.render_strips())

    async def until(self, wanted: Callable[[], object], what: str = "") -> None:
        """Wait for a condition. Fails with the screen when it does not come true."""
        deadline = time.monotonic() + PATIENCE
        while not wanted():
            if time.monotonic() > deadline:
                raise AssertionError(f"never: {what or wanted}\n{self.session.run}\n{self.screen()}")
            await self.pilot.pause(0.02)

    async def shows(self, text: str) -> None:
        await self.until(lambda: text in " ".join(self.screen().split()), f"{text!r} on the screen")

    async def idle(self) -> None:
        await self.until(lambda: self.session.run.state is RunState.IDLE and not self.session.sent, "idle")

    async def type(self, text: str) -> None:
        await self.pilot.press(*("space" if character == " " else character for character in text))

    async def say(self, text: str, key: str = "enter") -> None:
        """Write a prompt into the composer at once, as a paste does, and send it."""
        self.app.chat.composer.insert(text)
        await self.pilot.press(key)

    async def ask(self, text: str) -> None:
        """Send a prompt and wait until the agent has settled."""
        before = len(self.entries)
        await self.say(text)
        await self.until(lambda: len(self.entries) > before, "an entry")
        await self.idle()

    async def pick(self, words: str = "") -> None:
        """Wait for a list, narrow it by typing, and take the row under the cursor."""
        await self.until(lambda: isinstance(self.app.screen, PickerScreen), "a list")
        await self.type(words)
        await self.pilot.press("enter")
        await self.until(lambda: not isinstance(self.app.screen, PickerScreen), "the list is closed")

    async def close(self) -> None:
        """Close the screen on top."""
        screen = self.app.screen
        await self.pilot.press("escape")
        await self.until(lambda: self.app.screen is not screen, "it closes")

    async def back(self) -> None:
        """Close whatever is open over the chat."""
        while self.app.screen is not self.app.chat:
            await self.close()

    async def notices(self, text: str) -> None:
        """Wait for a line for the person that holds `text`."""
        await self.until(
            lambda: any(text in notice.text for entry in self.entries if isinstance(entry, NoticeEntry)
                        for notice in entry.notices), f"a notice {text!r}")

    async def dialog(self) -> None:
        """Wait until a question of an extension takes keys."""
        await self.until(lambda: self.app.chat.dock.opened, "the question takes keys")

    @property
    def draft(self) -> str:
        return self.app.chat.composer.text


@asynccontextmanager
async def desk(
    home: Home, version: str, arguments: Sequence[str] = (), more: Iterable[str] = (), size: tuple[int, int] = (120, 40)
) -> AsyncIterator[Desk]:
    """The app on that version of the agent, up and idle."""
    options = parse([
        "--agent", " ".join(command(version)), "--cwd", str(home.project), "--record", str(wire_file(home)), *arguments,
        "--", "--offline", *more,
    ])
    assert options is not None
    app = PituiApp(options, Settings(reduced_motion=True), environ=home.environment, state_dir=home.root / "state")
    async with app.run_test(size=size) as pilot:
        it = Desk(app, pilot)
        await it.until(lambda: it.session.run.state is RunState.IDLE, "the agent is up")
        yield it


def wire_file(home: Home) -> Path:
    """Where the next agent of a home is recorded."""
    return home.root / f"wire{len(list(home.root.glob('wire*')))}.jsonl"


def example(version: str, name: str) -> Path:
    """One of the agent's own example extensions."""
    return Path(command(version)[1]).parents[1] / "examples" / "extensions" / name
