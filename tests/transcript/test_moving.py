"""Going through the conversation by keys, the block cursor and the mouse."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pitui.rpc.messages import TextBlock
from pitui.session.state import MessageMeta, ToolState
from pitui.widgets.transcript import Transcript
from tests.transcript.conversation import answer, prompt, talk, tool
from tests.transcript.reader import reading

pytestmark = pytest.mark.anyio


async def test_a_page_keeps_one_row_in_sight() -> None:
    async with reading(talk(60)) as reader:
        before = reader.rows()
        reader.transcript.move_pages(-1)
        await reader.pause()
        assert reader.rows()[-1] == before[0]


async def test_up_and_down_by_the_same_amount_come_back() -> None:
    async with reading(talk(60)) as reader:
        reader.transcript.move_pages(-3)
        await reader.pause()
        before = reader.rows()
        for rows in (-50, 20, 30):
            reader.transcript.move_rows(rows)
        await reader.pause()
        assert reader.rows() == before


async def test_the_top_is_the_first_row() -> None:
    async with reading(talk(60)) as reader:
        await reader.pilot.press("home")
        assert (reader.rows()[0], reader.transcript.scroll_y) == (" ▌ prompt 0", 0)


async def test_the_end_key_follows_again() -> None:
    async with reading(talk(60)) as reader:
        await reader.pilot.press("home", "end")
        assert reader.transcript.following


async def test_prompts_are_visited_one_by_one() -> None:
    async with reading(talk(60)) as reader:
        seen = []
        for direction in (-1, -1, -1, 1):
            reader.transcript.go_prompt(direction)
            await reader.pause()
            seen.append(reader.rows()[0].strip("▎▌ "))
        assert seen == ["prompt 57", "prompt 54", "prompt 51", "prompt 54"]


async def test_there_is_no_prompt_before_the_first() -> None:
    async with reading(talk(60)) as reader:
        reader.transcript.go_top()
        assert not reader.transcript.go_prompt(-1)


async def test_failures_are_visited() -> None:
    failed = replace(answer(500), meta=MessageMeta(error_message="overloaded", stop_reason="error"))
    entries = (*talk(30), tool(400, 2, ToolState.FAILED), *talk(60), failed, *talk(60))
    async with reading(entries) as reader:
        cursors = []
        for direction in (-1, -1, -1, 1):
            reader.transcript.go_error(direction)
            cursors.append(reader.transcript.cursor)
        assert cursors == [91, 30, 30, 91]


async def test_the_cursor_goes_by_entries_and_stays_in_sight() -> None:
    async with reading(talk(60)) as reader:
        for _ in range(20):
            await reader.pilot.press("up")
        cursor = reader.transcript.cursor
        assert cursor is not None
        assert cursor in {row.place.item for row in reader.transcript.rows}


async def test_an_entry_longer_than_the_screen_is_scrolled_through_first() -> None:
    long = answer(1, "\n\n".join(f"paragraph {n}" for n in range(20)))
    async with reading((prompt(0), long, prompt(2))) as reader:
        await reader.pilot.press("home", "down", "down", "down")
        first = reader.transcript.cursor, reader.transcript.scroll_y
        await reader.pilot.press("down", "down", "down", "down")
        assert (first[0], first[1] > 0, reader.transcript.cursor) == (1, True, 2)


async def test_enter_opens_the_entry_under_the_cursor() -> None:
    async with reading((prompt(1), tool(2, 40)), size=(60, 60)) as reader:
        await reader.pilot.press("up", "enter")
        await reader.pause()
        assert any("output 2.20" in row for row in reader.rows())


async def test_the_cursor_shows_only_while_the_transcript_has_the_focus() -> None:
    async with reading((prompt(1), prompt(2))) as reader:
        await reader.pilot.press("up")
        focused = reader.rows()
        reader.app.screen.set_focus(None)
        await reader.pause()
        assert (focused[2][:2], reader.rows()[2][:2]) == ("▎▌", " ▌")


@pytest.mark.parametrize(
    ("key", "message"),
    [
        ("m", Transcript.MenuRequested(prompt(2, "two"))),
        ("v", Transcript.ViewRequested("user:2")),
        ("c", Transcript.Copied("two")),
        ("q", Transcript.QuoteRequested("two")),
    ],
)
async def test_a_key_asks_for_something_to_be_done_with_the_entry(key: str, message: object) -> None:
    async with reading((prompt(1, "one"), prompt(2, "two"))) as reader:
        await reader.pilot.press("up", key)
        await reader.pause()
        assert vars_of(reader.app.messages[-1]) == vars_of(message)


async def test_a_click_on_a_link_asks_and_opens_nothing() -> None:
    async with reading((answer(1, "see [the page](https://example.com/x) now"),)) as reader:
        at = reader.rows()[0].index("page")
        await reader.pilot.click(reader.transcript, offset=(at, 0))
        await reader.pause()
        assert [vars_of(message) for message in reader.app.messages] == [("LinkClicked", "https://example.com/x")]


async def test_a_drag_over_a_link_is_no_click() -> None:
    async with reading((answer(1, "see [the page](https://example.com/x) now"),)) as reader:
        at = reader.rows()[0].index("page")
        await reader.pilot.mouse_down(reader.transcript, offset=(at, 0))
        await reader.pilot.hover(reader.transcript, offset=(at + 2, 0))
        await reader.pilot.mouse_up(reader.transcript, offset=(at + 2, 0))
        await reader.pause()
        assert reader.app.messages == []


async def test_control_characters_are_not_copied() -> None:
    entry = replace(answer(1), blocks=(TextBlock(text="a\x1b]0;title\x07b"),))
    async with reading((entry,)) as reader:
        await reader.pilot.press("up", "c")
        await reader.pause()
        assert not any(ord(character) < 32 for character in str(vars_of(reader.app.messages[-1])[1]))


def vars_of(message: object) -> tuple[str, object]:
    """A message's name and the one thing it carries."""
    names = ("entry", "key", "text", "url")
    return type(message).__name__, next(getattr(message, name) for name in names if hasattr(message, name))
