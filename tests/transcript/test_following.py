"""The view follows the end until the reader leaves it, and holds still from then on."""

from __future__ import annotations

from dataclasses import replace

import pytest
from textual.events import MouseScrollUp

from pitui.session.state import ToolState
from tests.transcript.conversation import Shown, answer, live, prompt, sent, talk, tool
from tests.transcript.reader import reading

pytestmark = pytest.mark.anyio


async def test_the_last_row_is_on_the_screen_at_first() -> None:
    async with reading(talk(60)) as reader:
        assert reader.rows() == Shown(talk(60)).texts(reader.transcript.view)[-12:]


async def test_a_short_conversation_begins_at_the_top() -> None:
    async with reading((prompt(1),)) as reader:
        assert reader.rows() == [" ▌ prompt 1", *[""] * 11]


async def test_growth_is_followed() -> None:
    async with reading(talk(60)) as reader:
        transcript = reader.transcript
        for words in range(1, 120, 7):
            transcript.show(talk(60), live("word " * words))
            await reader.pause()
            assert transcript.following
        assert reader.rows()[-1].endswith("word")


async def test_reading_above_is_not_disturbed_by_growth() -> None:
    async with reading(talk(60)) as reader:
        transcript = reader.transcript
        transcript.move_pages(-1)
        await reader.pause()
        before = reader.rows()
        for words in range(1, 300, 20):
            transcript.show(talk(60), live("word " * words))
        transcript.show((*talk(60), answer(99, "word " * 300), prompt(100)))
        await reader.pause()
        assert reader.rows() == before


async def test_new_rows_below_are_counted_and_forgotten_at_the_end() -> None:
    async with reading(talk(60)) as reader:
        transcript = reader.transcript
        transcript.move_pages(-1)
        counts = [transcript.new_below]
        transcript.show((*talk(60), prompt(100)))
        counts.append(transcript.new_below)
        transcript.follow()
        counts.append(transcript.new_below)
        assert (counts, transcript.following) == ([0, 2, 0], True)


async def test_new_rows_that_were_scrolled_into_view_are_no_longer_new() -> None:
    async with reading(talk(60)) as reader:
        transcript = reader.transcript
        transcript.move_rows(-2)
        transcript.show((*talk(60), *(prompt(100 + n) for n in range(10))))
        transcript.move_rows(8)
        assert transcript.new_below == 14


async def test_scrolling_back_to_the_end_resumes_following() -> None:
    async with reading(talk(60)) as reader:
        transcript = reader.transcript
        transcript.move_rows(-5)
        left = transcript.following
        transcript.move_rows(5)
        assert (left, transcript.following) == (False, True)


async def test_the_wheel_leaves_the_end() -> None:
    async with reading(talk(60)) as reader:
        whole = Shown(talk(60)).texts(reader.transcript.view)
        reader.transcript.post_message(MouseScrollUp(reader.transcript, 3, 3, 0, -1, 0, False, False, False))
        await reader.pause()
        assert reader.rows() == whole[-15:-3]


async def test_a_tool_that_grows_above_the_screen_moves_nothing() -> None:
    entries = (*talk(30), tool(1000, 2, ToolState.RUNNING), *talk(30))
    async with reading(entries) as reader:
        transcript = reader.transcript
        transcript.move_pages(-1)
        await reader.pause()
        before = reader.rows()
        grown = replace(tool(1000, 40), key=entries[30].key)
        transcript.show((*entries[:30], grown, *entries[31:]))
        await reader.pause()
        assert reader.rows() == before


async def test_folding_all_tools_keeps_a_row_that_remains_in_its_place() -> None:
    async with reading(talk(60)) as reader:
        transcript = reader.transcript
        transcript.go_entry(30)
        await reader.pause()
        before = reader.rows()
        transcript.toggle_tools()
        await reader.pause()
        assert reader.rows()[0] == before[0] == "▎▌ prompt 30"


async def test_entries_put_in_above_move_nothing() -> None:
    async with reading(talk(60)) as reader:
        transcript = reader.transcript
        transcript.move_pages(-2)
        await reader.pause()
        before = reader.rows()
        earlier = tuple(prompt(1000 + n) for n in range(7))
        transcript.show((*earlier, *talk(60)))
        await reader.pause()
        assert reader.rows() == before


async def test_a_message_that_ends_does_not_move_the_rows_being_read() -> None:
    text = "\n\n".join(f"paragraph {n}" for n in range(40))
    async with reading(talk(9)) as reader:
        transcript = reader.transcript
        transcript.show(talk(9), live(text))
        transcript.move_rows(-20)
        await reader.pause()
        before = reader.rows()
        transcript.show((*talk(9), answer(9, text), tool(10), prompt(11)))
        await reader.pause()
        assert reader.rows() == before


async def test_what_was_sent_is_shown_below_all_else() -> None:
    async with reading(talk(9)) as reader:
        reader.transcript.show(talk(9), live("said so far"), sent("and this"))
        await reader.pause()
        assert reader.rows()[-3:] == ["   said so far", "", " ▌ and this"]


async def test_the_scrollbar_covers_the_whole_and_can_be_dragged_to_its_middle() -> None:
    async with reading(talk(600)) as reader:
        transcript = reader.transcript
        transcript.scroll_to(y=transcript.virtual_size.height // 2, animate=False)
        await reader.pause()
        shown = int(transcript.rows[0].place.item)
        assert (250 < shown < 350, transcript.following) == (True, False)

