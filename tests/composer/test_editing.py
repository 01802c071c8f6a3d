"""Editing: the agent's keys, cutting and yanking, jumps, wide characters."""

from __future__ import annotations

import pytest

from tests.composer.hands import hands

pytestmark = pytest.mark.anyio


async def test_words_are_cut_and_yanked() -> None:
    async with hands() as person:
        await person.type("one two")
        await person.keys("ctrl+w", "ctrl+a", "ctrl+y")
        assert person.text == "twoone "


async def test_cuts_in_a_row_are_one() -> None:
    async with hands() as person:
        await person.type("one two")
        await person.keys("ctrl+w", "ctrl+w", "ctrl+y")
        assert person.text == "one two"


async def test_yank_pop_goes_back_to_the_cut_before() -> None:
    async with hands() as person:
        await person.type("one")
        await person.keys("ctrl+u")
        await person.type("two")
        await person.keys("ctrl+u", "ctrl+y", "alt+y")
        assert person.text == "one"


async def test_yank_pop_without_a_yank_does_nothing() -> None:
    async with hands() as person:
        await person.type("one")
        await person.keys("ctrl+u", "x", "alt+y")
        assert person.text == "x"


async def test_ctrl_k_at_the_end_of_a_line_joins_the_next() -> None:
    async with hands() as person:
        await person.type("one\ntwo")
        await person.keys("up", "ctrl+e", "ctrl+k")
        assert person.text == "onetwo"


async def test_ctrl_u_at_the_start_of_a_line_joins_the_one_before() -> None:
    async with hands() as person:
        await person.type("one\ntwo")
        await person.keys("ctrl+a", "ctrl+u")
        assert person.text == "onetwo"


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        (("ctrl+a",), "Xone two"),
        (("ctrl+b", "ctrl+b"), "one tXwo"),
        (("alt+b",), "one Xtwo"),
        (("home", "alt+f"), "oneX two"),
        (("home", "ctrl+f"), "oXne two"),
        (("home", "ctrl+right", "end"), "one twoX"),
    ],
)
async def test_the_agents_keys_move_the_cursor(keys: tuple[str, ...], expected: str) -> None:
    async with hands() as person:
        await person.type("one two")
        await person.keys(*keys, "X")
        assert person.text == expected


async def test_ctrl_a_goes_to_the_start_of_the_line_not_of_the_row() -> None:
    async with hands(size=(20, 24)) as person:
        await person.type("words " * 8)
        await person.keys("ctrl+a", "X")
        assert person.text.startswith("Xwords")


async def test_jump_finds_the_character_over_lines() -> None:
    async with hands() as person:
        await person.type("abc\nxyz")
        await person.keys("up", "ctrl+a", "ctrl+right_square_bracket", "z", "X")
        assert person.text == "abc\nxyXz"


async def test_jump_backwards_comes_as_escape_and_a_control_byte() -> None:
    async with hands() as person:
        await person.type("abc abc")
        await person.bytes("\x1b\x1da")
        await person.keys("X")
        assert person.text == "abc Xabc"


async def test_escape_ends_a_jump_and_stops_nothing_else() -> None:
    async with hands() as person:
        await person.type("abc")
        await person.keys("ctrl+right_square_bracket", "escape", "d")
        assert (person.text, person.app.bubbled) == ("abcd", [])


async def test_alt_with_a_letter_types_nothing() -> None:
    async with hands() as person:
        await person.bytes("a\x1bq\x1bz")
        assert person.text == "a"


async def test_shift_space_of_the_kitty_protocol_is_a_space() -> None:
    async with hands() as person:
        await person.bytes("a\x1b[32;2ub")
        assert person.text == "a b"


@pytest.mark.parametrize("character", ["👩‍👩‍👧", "👍🏽", "🇯🇵"[:1], "❄️"])
async def test_backspace_removes_a_whole_character(character: str) -> None:
    async with hands() as person:
        await person.paste(f"a{character}")
        await person.keys("backspace")
        assert person.text == "a"


async def test_the_terminals_cursor_is_behind_the_last_cell_of_wide_characters() -> None:
    async with hands() as person:
        await person.type("漢字")
        await person.keys("ctrl+j")
        await person.type("日本")
        region = person.composer.editor.content_region
        assert person.app.cursor_position == (region.x + 4, region.y + 1)


async def test_a_click_on_the_right_half_of_a_wide_character_is_on_that_character() -> None:
    async with hands() as person:
        await person.type("漢字")
        await person.pilot.click(person.composer.editor, offset=(1, 0))
        assert person.composer.editor.cursor_location[1] in {0, 1}
        await person.pilot.click(person.composer.editor, offset=(3, 0))
        assert person.composer.editor.cursor_location[1] in {1, 2}


async def test_the_field_grows_to_a_third_of_the_screen() -> None:
    async with hands(size=(80, 30)) as person:
        heights = []
        for _ in range(20):
            await person.keys("ctrl+j")
            heights.append(person.composer.editor.size.height)
        assert heights[:3] == [2, 3, 4]
        assert max(heights) == heights[-1] == 9


@pytest.mark.parametrize("width", [8, 3, 1])
async def test_a_narrow_screen_keeps_the_text_whole(width: int) -> None:
    async with hands() as person:
        await person.type("漢字かな交じり文を表示する end")
        await person.pilot.resize_terminal(width, 10)
        await person.pilot.pause()
        await person.pilot.resize_terminal(100, 24)
        await person.pilot.pause()
        assert person.text == "漢字かな交じり文を表示する end"


async def test_undo_and_redo() -> None:
    async with hands() as person:
        await person.type("one")
        await person.keys("left", "X", "ctrl+underscore")
        assert person.text == "one"
        await person.keys("ctrl+shift+z")
        assert person.text == "onXe"


async def test_shift_and_arrows_select_and_typing_replaces() -> None:
    async with hands() as person:
        await person.type("abc")
        await person.keys("shift+left", "shift+left", "X")
        assert person.text == "aX"


async def test_ctrl_c_with_a_selection_copies_instead_of_clearing() -> None:
    async with hands() as person:
        await person.type("abc")
        await person.keys("shift+left", "ctrl+c")
        assert (person.text, person.app.clipboard) == ("abc", "c")


async def test_a_rebound_key_works_and_the_old_one_no_more() -> None:
    from pitui.keys.keymap import parse_keys, resolve

    keymap = resolve([parse_keys('{"tui.input.submit": "ctrl+n", "tui.editor.yank": []}')])
    async with hands(keymap=dict(keymap.textual)) as person:
        await person.keys("a", "enter")
        assert person.app.sent == []
        await person.keys("ctrl+n")
        assert person.app.sent == [("a", "enter")]
