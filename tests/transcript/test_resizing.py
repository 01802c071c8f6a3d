"""Any size from one cell up, with any characters, and back again."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from tests.transcript.conversation import Shown, answer, live, prompt, talk, tool
from tests.transcript.reader import reading

pytestmark = pytest.mark.anyio

WIDE = (
    "漢字かな交じり文を表示する 한국어 텍스트 👩‍👩‍👧 👍🏽 ❄️ 🇯🇵 ✅ é ä ô zero​width ﻿bom ①⑤ … ─ עברית 𠮷 ไทย กำ नमस्ते "
    + "漢" * 200
)
MIXED = f"{WIDE}\n\n| a | b |\n|---|---|\n| {WIDE} | x |\n\n```py\n{WIDE}\n```"
ENTRIES = (prompt(1, WIDE), answer(2, MIXED), tool(3, 9))


@pytest.mark.parametrize("size", [(1, 1), (2, 1), (3, 3), (8, 24), (20, 5), (100, 40), (300, 2)])
async def test_every_row_is_exactly_as_wide_as_the_screen(size: tuple[int, int]) -> None:
    async with reading(ENTRIES, size=size) as reader:
        reader.transcript.show(ENTRIES, live(WIDE))
        await reader.pause()
        strips = reader.app.screen._compositor.render_strips()
        assert [cell_len(strip.text) for strip in strips] == [size[0]] * size[1]


async def test_after_the_narrowest_the_text_is_whole_again() -> None:
    async with reading(ENTRIES, size=(100, 40)) as reader:
        before = reader.rows()
        for width, height in ((20, 10), (8, 4), (1, 1), (100, 40)):
            await reader.resize(width, height)
        assert reader.rows() == before


async def test_the_first_frame_at_another_size_is_right() -> None:
    async with reading(talk(60)) as reader:
        await reader.resize(31, 9)
        assert reader.rows() == Shown(talk(60)).texts(reader.transcript.view)[-9:]


@settings(max_examples=10, deadline=None)
@given(sizes=st.lists(st.tuples(st.integers(1, 90), st.integers(1, 30)), min_size=1, max_size=6))
async def test_a_reader_comes_back_to_the_same_rows(sizes: list[tuple[int, int]]) -> None:
    words = " ".join(f"w{n}" for n in range(400))
    entries = (prompt(1, words), answer(2, f"{words}\n\n{words}"), *talk(40))
    async with reading(entries) as reader:
        reader.transcript.go_top()
        reader.transcript.move_rows(20)
        await reader.pause()
        before = reader.rows()
        for width, height in (*sizes, (50, 12)):
            await reader.resize(width, height)
        assert reader.rows() == before


async def test_the_word_at_the_top_stays_at_the_top_when_the_width_changes() -> None:
    words = " ".join(f"word{n:03}" for n in range(400))
    async with reading((answer(1, words), *talk(40)), size=(50, 12)) as reader:
        reader.transcript.go_top()
        reader.transcript.move_rows(30)
        await reader.pause()
        first = reader.rows()[0].split()[0]
        await reader.resize(83, 12)
        assert first in reader.rows()[0]


async def test_wide_characters_in_a_selection_that_ends_in_one_are_whole() -> None:
    async with reading((prompt(1, "漢字かな"),)) as reader:
        await reader.pilot.mouse_down(reader.transcript, offset=(4, 0))
        await reader.pilot.hover(reader.transcript, offset=(5, 0))
        await reader.pilot.mouse_up(reader.transcript, offset=(5, 0))
        assert reader.transcript.selected_text == "漢字"


async def test_heights_guessed_at_first_are_bettered_without_moving_a_row() -> None:
    async with reading(talk(2_000)) as reader:
        transcript = reader.transcript
        transcript.move_pages(-1)
        await reader.pause()
        before, guessed = reader.rows(), transcript.virtual_size.height
        while transcript.is_measuring:
            await reader.pause()
        exact = len(Shown(talk(2_000)).texts(transcript.view))
        assert reader.rows() == before
        assert abs(transcript.virtual_size.height - exact) <= max(abs(guessed - exact), exact // 10)
