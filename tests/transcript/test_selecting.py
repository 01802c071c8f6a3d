"""A copy gives the source: no gutters, no wraps, no frames; a selection stays on its text."""

from __future__ import annotations

import pytest
from textual.geometry import Offset
from textual.selection import SELECT_ALL, Selection

from pitui.widgets.selection import STRIDE
from pitui.widgets.transcript import Transcript
from tests.transcript.conversation import answer, live, prompt, talk, tool
from tests.transcript.reader import Reader, reading

pytestmark = pytest.mark.anyio

WORDS = "The quick brown fox jumps over the lazy dog, and then it does so once more because it can."


async def drag(reader: Reader, start: tuple[int, int], end: tuple[int, int]) -> None:
    await reader.pilot.mouse_down(reader.transcript, offset=start)
    await reader.pilot.hover(reader.transcript, offset=((start[0] + end[0]) // 2, end[1]))
    await reader.pilot.hover(reader.transcript, offset=end)
    await reader.pilot.mouse_up(reader.transcript, offset=end)
    await reader.pause()


async def click(reader: Reader, at: tuple[int, int], times: int) -> None:
    await reader.pilot.click(reader.transcript, offset=at, times=times)
    await reader.pause()


async def test_wrapped_rows_are_joined() -> None:
    async with reading((prompt(1, WORDS),), size=(30, 12)) as reader:
        await drag(reader, (0, 0), (28, 3))
        assert reader.app.screen.get_selected_text() == WORDS


async def test_a_part_of_two_rows_leaves_out_the_gutter() -> None:
    async with reading((prompt(1, "first line\nsecond line"),)) as reader:
        await drag(reader, (9, 0), (8, 1))
        assert reader.transcript.selected_text == "line\nsecond"


async def test_code_is_copied_exactly() -> None:
    code = "def f():\n    if x:\n        return [1]\n\n    return  2"
    async with reading((answer(1, f"```python\n{code}\n```"),)) as reader:
        rows = [row for row, text in enumerate(reader.rows()) if "def f" in text or "return  2" in text]
        await drag(reader, (0, rows[0]), (48, rows[-1]))
        assert reader.transcript.selected_text == code


async def test_the_right_half_of_a_wide_character_selects_it() -> None:
    async with reading((prompt(1, "漢字かな"),)) as reader:
        await drag(reader, (4, 0), (4, 0))
        await drag(reader, (4, 0), (6, 0))
        assert reader.transcript.selected_text == "漢字"


async def test_a_double_click_takes_the_word() -> None:
    async with reading((prompt(1, "take this_word, please"),)) as reader:
        await click(reader, (10, 0), 2)
        assert reader.transcript.selected_text == "this_word"


async def test_a_triple_click_takes_the_paragraph() -> None:
    async with reading((prompt(1, f"before\n{WORDS}\nafter"),), size=(30, 12)) as reader:
        await click(reader, (10, 2), 3)
        assert reader.transcript.selected_text == WORDS


async def test_entries_are_set_apart_by_a_blank_line() -> None:
    async with reading((prompt(1, "one"), answer(2, "two"), prompt(3, "three"))) as reader:
        await drag(reader, (0, 0), (40, 4))
        assert reader.transcript.selected_text == "one\n\ntwo\n\nthree"


async def test_a_selection_stays_on_its_text_when_entries_above_change_height() -> None:
    entries = (tool(1, 2), prompt(2, "keep me"), prompt(3))
    async with reading(entries) as reader:
        at = next(row for row, text in enumerate(reader.rows()) if "keep me" in text)
        await drag(reader, (3, at), (9, at))
        reader.transcript.show((tool(1, 3), *entries[1:]))
        await reader.pause()
        assert reader.transcript.selected_text == "keep me"


async def test_the_view_holds_still_while_text_is_selected() -> None:
    async with reading(talk(60)) as reader:
        await drag(reader, (5, 2), (12, 2))
        before = reader.rows()
        reader.transcript.show(talk(60), live("more " * 200))
        await reader.pause()
        assert reader.rows() == before


async def test_following_goes_on_once_nothing_is_selected() -> None:
    async with reading(talk(60)) as reader:
        await drag(reader, (5, 2), (12, 2))
        reader.transcript.show(talk(60), live("more " * 200 + "last"))
        reader.app.screen.clear_selection()
        await reader.pause()
        assert (reader.transcript.following, reader.rows()[-1].split()[-1]) == (True, "last")


async def test_a_whole_conversation_can_be_copied() -> None:
    async with reading((prompt(1, "one"), *talk(300)[1:], prompt(2, "last"))) as reader:
        found = reader.transcript.get_selection(SELECT_ALL)
        assert found is not None
        text = found[0]
        assert (text[:5], text[-4:], "word100.3" in text) == ("one\n\n", "last", True)


async def test_what_is_selected_looks_so_from_its_first_cell_to_its_last() -> None:
    async with reading((prompt(1, "some words"),)) as reader:
        transcript = reader.transcript
        reader.app.screen.selections = {transcript: Selection(Offset(3, 0), Offset(7, 0))}
        await reader.pause()
        assert coloured(transcript, 0) == (3, 7)


async def test_a_selection_is_counted_from_its_entry() -> None:
    async with reading((prompt(1, "one"), prompt(2, "two"))) as reader:
        transcript = reader.transcript
        reader.app.screen.selections = {transcript: Selection(Offset(0, STRIDE), Offset(40, STRIDE + 1))}
        assert transcript.selected_text == "two"


def coloured(transcript: Transcript, row: int) -> tuple[int, int]:
    """The first cell, and the one after the last, that have the ground of a selection."""
    ground = transcript.view.palette.selection.bgcolor
    strip = transcript.render_lines(transcript.size.region)[row]
    cells = [segment.style.bgcolor if segment.style else None for segment in strip for _ in segment.text]
    marked = [cell for cell, colour in enumerate(cells) if colour == ground]
    return marked[0], marked[-1] + 1
