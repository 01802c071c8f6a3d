"""One thing in full: all of it, however long it is, and never in the way of a key."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from textual.app import App
from textual.pilot import Pilot

from pitui.rpc.messages import TextBlock
from pitui.screens.reader import ReaderScreen
from pitui.session.state import Entry, ToolEntry, ToolState
from tests.transcript.conversation import VIEW

pytestmark = pytest.mark.anyio


def output(lines: int) -> ToolEntry:
    text = "".join(f"number {line}\n" for line in range(1, lines + 1))
    return ToolEntry("tool:1", "1", "bash", {"command": "seq"}, state=ToolState.DONE, content=(TextBlock(text=text),))


class ReaderApp(App[None]):
    CSS = "#reader-head { height: 1; }"

    def __init__(self, entry: Entry) -> None:
        super().__init__()
        self.copied: list[str] = []
        self.reader = ReaderScreen("in full", entry, VIEW, self._copy)

    def _copy(self, text: str) -> str:
        self.copied.append(text)
        return "copied"

    def on_mount(self) -> None:
        self.push_screen(self.reader)

    def rows(self) -> list[str]:
        return [strip.text.rstrip() for strip in self.screen._compositor.render_strips()]


@asynccontextmanager
async def reading(entry: Entry) -> AsyncIterator[tuple[ReaderApp, Pilot[None]]]:
    app = ReaderApp(entry)
    async with app.run_test(size=(60, 10)) as pilot:
        yield app, pilot


async def laid_out(app: ReaderApp, pilot: Pilot[None]) -> None:
    await pilot.pause()
    await app.workers.wait_for_complete()
    await pilot.pause()


async def test_a_short_thing_is_there_at_once() -> None:
    async with reading(output(3)) as (app, pilot):
        await pilot.pause()
        assert [row.strip(" │▁▂▃▄▅▆▇█") for row in app.rows()[2:5]] == ["number 1", "number 2", "number 3"]


async def test_a_long_thing_is_shown_to_its_end() -> None:
    async with reading(output(9_000)) as (app, pilot):
        await laid_out(app, pilot)
        assert app.rows()[2] == "   │ number 1"
        await pilot.press("ctrl+end")
        await pilot.pause()
        assert any("number 9000" in row for row in app.rows())


async def test_a_long_thing_fits_the_new_size_of_the_screen() -> None:
    async with reading(output(9_000)) as (app, pilot):
        await laid_out(app, pilot)
        await pilot.resize_terminal(30, 8)
        await laid_out(app, pilot)
        assert app.reader.transcript.view.width == 29
        assert app.rows()[2] == "   │ number 1"


async def test_it_can_be_left_before_it_is_laid_out() -> None:
    async with reading(output(9_000)) as (app, pilot):
        await pilot.press("q")
        await laid_out(app, pilot)
        assert app.screen is not app.reader


async def test_a_copy_is_the_source_of_all_of_it() -> None:
    async with reading(output(9_000)) as (app, pilot):
        await pilot.press("c")
        await pilot.pause()
        assert app.copied[0].endswith("number 8999\nnumber 9000\n")
