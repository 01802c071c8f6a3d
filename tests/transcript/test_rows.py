"""Writing only rows that differ leaves the terminal showing what writing all of them would."""

from __future__ import annotations

import random
from dataclasses import replace

import pyte
import pytest
from textual._compositor import Compositor, LayoutUpdate
from textual.app import App, ComposeResult
from textual.drivers.headless_driver import HeadlessDriver
from textual.pilot import Pilot
from textual.screen import ModalScreen, Screen
from textual.widgets import Input, Static

from pitui.session.state import Entry
from pitui.widgets.rows import SUPPORTED, RowScreen
from pitui.widgets.transcript import Transcript
from tests.transcript.conversation import VIEW, Shown, answer, live, prompt, talk, tool

pytestmark = pytest.mark.anyio

WIDTH, HEIGHT = 60, 24
Cell = tuple[object, ...]


class ScreenDriver(HeadlessDriver):
    """A driver whose terminal is pyte's."""

    @property
    def is_headless(self) -> bool:
        return False

    def write(self, data: str) -> None:
        app = self._app
        assert isinstance(app, RowsApp)
        app.written += len(data)
        app.stream.feed(data)


class RowsApp(App[None]):
    CSS = "Static { height: auto; width: 100%; }"

    def __init__(self) -> None:
        super().__init__(driver_class=ScreenDriver)
        self.terminal = new_terminal()
        self.stream = pyte.Stream(self.terminal)
        self.written = 0
        self.transcript = Transcript(VIEW)
        self.line = Static("status", markup=False)

    def get_default_screen(self) -> Screen[None]:
        return RowScreen()

    def compose(self) -> ComposeResult:
        yield self.transcript
        field = Input()
        field.cursor_blink = False
        yield field
        yield self.line

    def shown(self) -> list[list[Cell]]:
        return cells(self.terminal)

    def shown_by_textual(self) -> list[list[Cell]]:
        """What a fresh terminal shows that gets the whole screen as Textual composes and writes it."""
        terminal = new_terminal()
        compositor, region = self.screen._compositor, self.size.region
        chops = Compositor._render_chops(compositor, region, lambda y: True)
        update = LayoutUpdate([row.values() for row in chops], region)
        pyte.Stream(terminal).feed(update.render_segments(self.console))
        return cells(terminal)


def new_terminal() -> pyte.Screen:
    terminal = pyte.Screen(WIDTH, HEIGHT)
    terminal.set_mode(pyte.modes.LNM)
    return terminal


def cells(terminal: pyte.Screen) -> list[list[Cell]]:
    """Each cell's character, colours, and whether it is bold."""
    return [[tuple(terminal.buffer[y][x])[:4] for x in range(WIDTH)] for y in range(HEIGHT)]


class Cover(ModalScreen[None]):
    def compose(self) -> ComposeResult:
        yield Static("a question", markup=False)


class Doing:
    """Random things that happen to a screen."""

    def __init__(self, app: RowsApp, pilot: Pilot[None], seed: int) -> None:
        self.app, self.pilot, self.dice = app, pilot, random.Random(seed)
        self.given = Shown(talk(40))
        self.number = 1_000
        self.show()

    def show(self) -> None:
        self.app.transcript.show(self.given.entries, self.given.live, self.given.sent)

    async def something(self) -> None:
        transcript, dice = self.app.transcript, self.dice
        match dice.randrange(12):
            case 0 | 1 | 2:
                said = self.given.live.blocks[0].text if self.given.live else ""
                self.given = replace(self.given, live=live(f"{said} {'word ' * dice.randint(1, 25)}"))
                self.show()
            case 3:
                self.number += 1
                text = "# head\n\n漢字 text"
                new: list[Entry] = [prompt(self.number), tool(self.number), answer(self.number, text)]
                self.given = replace(self.given, entries=(*self.given.entries, dice.choice(new)), live=None)
                self.show()
            case 4 | 5:
                transcript.move_rows(dice.choice([-30, -7, -3, -1, 1, 3, 9, 30]))
            case 6:
                transcript.follow()
            case 7:
                await self.pilot.press(dice.choice(["x", "漢", "backspace", "tab"]))
            case 8:
                self.app.line.update("\n".join(["status"] * dice.randint(1, 3)))
            case 9:
                transcript.toggle_tools()
            case 10:
                transcript.search(dice.choice(["word", "output", ""]))
            case _:
                await self.app.push_screen(Cover())
                await self.pilot.pause()
                self.app.pop_screen()


@pytest.mark.parametrize("seed", range(6))
async def test_after_anything_the_terminal_shows_what_textual_would_show(seed: int) -> None:
    assert SUPPORTED
    app = RowsApp()
    async with app.run_test(headless=False, size=(WIDTH, HEIGHT)) as pilot:
        doing = Doing(app, pilot, seed)
        for _ in range(30):
            await doing.something()
            await pilot.pause()
            assert app.shown() == app.shown_by_textual()


async def test_growth_below_the_reader_writes_little() -> None:
    app = RowsApp()
    async with app.run_test(headless=False, size=(WIDTH, HEIGHT)) as pilot:
        app.transcript.show(talk(40))
        app.transcript.go_top()
        await pilot.pause()
        before = app.written
        for words in range(40):
            app.transcript.show(talk(40), live("word " * words))
            await pilot.pause()
        assert app.written - before < 4_000


async def test_scrolling_by_a_row_writes_less_than_the_screen() -> None:
    app = RowsApp()
    async with app.run_test(headless=False, size=(WIDTH, HEIGHT)) as pilot:
        app.transcript.show(talk(40))
        await pilot.pause()
        app.screen.refresh()
        before = app.written
        await pilot.pause()
        whole = app.written - before
        before = app.written
        app.transcript.move_rows(-1)
        await pilot.pause()
        assert app.written - before < whole / 4
