"""Opening and closing what can be folded."""

from __future__ import annotations

import pytest

from pitui.session.state import ToolState
from pitui.widgets.folds import Folds
from tests.transcript.conversation import answer, live, prompt, talk, thinking_live, tool
from tests.transcript.reader import Reader, reading

pytestmark = pytest.mark.anyio

LONG = tool(1, 40)


def shows(reader: Reader, text: str) -> bool:
    return any(text in row for row in reader.rows())


async def test_a_tool_opens_and_closes_by_its_key() -> None:
    async with reading((LONG,), size=(60, 60)) as reader:
        seen = []
        for _ in range(3):
            seen.append(shows(reader, "output 1.20"))
            reader.transcript.toggle_fold(LONG.key)
            await reader.pause()
        assert seen == [False, True, False]


async def test_a_click_on_a_header_opens_it() -> None:
    async with reading((LONG,), size=(60, 60)) as reader:
        await reader.pilot.click(reader.transcript, offset=(4, 0))
        await reader.pause()
        assert shows(reader, "output 1.20")


async def test_a_header_that_was_opened_stays_at_its_row() -> None:
    async with reading((*talk(30), LONG, prompt(99)), size=(60, 20)) as reader:
        before = reader.rows()
        at = next(row for row, text in enumerate(before) if "run 1" in text and "bash" in text)
        reader.transcript.toggle_fold(LONG.key)
        await reader.pause()
        assert (reader.rows()[: at + 1], reader.transcript.following) == (before[: at + 1], False)


async def test_a_fold_whose_end_stays_in_sight_goes_on_following() -> None:
    async with reading((tool(1, 8),), size=(60, 40)) as reader:
        reader.transcript.toggle_fold("tool:1")
        await reader.pause()
        assert reader.transcript.following


async def test_a_tool_open_by_default_closes_first() -> None:
    async with reading((LONG,), size=(60, 60)) as reader:
        reader.transcript.toggle_tools()
        await reader.pause()
        opened = shows(reader, "output 1.20")
        reader.transcript.toggle_fold(LONG.key)
        await reader.pause()
        assert (opened, shows(reader, "output 1.20")) == (True, False)


async def test_thinking_in_a_message_being_written_opens() -> None:
    async with reading((prompt(1),), size=(60, 20)) as reader:
        reader.transcript.show((prompt(1),), thinking_live("first thought\nsecond thought"))
        await reader.pause()
        at = next(row for row, text in enumerate(reader.rows()) if "first thought" in text)
        await reader.pilot.click(reader.transcript, offset=(6, at))
        await reader.pause()
        assert shows(reader, "second thought")


async def test_thinking_goes_from_its_first_line_to_all_to_nothing() -> None:
    async with reading((answer(1, "said", thinking="one\n\ntwo"),), size=(60, 20)) as reader:
        seen = []
        for _ in range(3):
            seen.append((shows(reader, "one"), shows(reader, "two")))
            reader.transcript.toggle_thinking()
            await reader.pause()
        assert seen == [(True, False), (True, True), (False, False)]


async def test_folds_are_a_value_that_can_be_given_back() -> None:
    async with reading((LONG,), size=(60, 60)) as reader:
        reader.transcript.toggle_fold(LONG.key)
        kept = reader.transcript.folds
        reader.transcript.folds = Folds()
        await reader.pause()
        closed = shows(reader, "output 1.20")
        reader.transcript.folds = kept
        await reader.pause()
        assert (closed, shows(reader, "output 1.20")) == (False, True)


async def test_an_entry_is_shown_as_its_source_and_back() -> None:
    async with reading((answer(1, "some **bold** words"),)) as reader:
        seen = []
        for _ in range(3):
            seen.append(reader.rows()[0].strip(" ▎"))
            reader.transcript.toggle_source("answer:1")
            await reader.pause()
        assert seen == ["some bold words", "some **bold** words", "some bold words"]


async def test_only_what_runs_is_drawn_again_as_the_clock_moves() -> None:
    entries = (tool(1), tool(2, 1, ToolState.RUNNING))
    async with reading(entries, size=(60, 20)) as reader:
        before = [row.line for row in reader.transcript.rows]
        reader.transcript.tick(7.0, 3)
        after = [row.line for row in reader.transcript.rows]
        kept = {row.place.item for row, old in zip(reader.transcript.rows, before, strict=True) if row.line is old}
        assert (kept, len(after)) == ({0}, len(before))


async def test_the_live_message_survives_another_view() -> None:
    async with reading((prompt(1),)) as reader:
        reader.transcript.show((prompt(1),), live("said so far"))
        reader.transcript.toggle_tools()
        await reader.pause()
        assert shows(reader, "said so far")
