"""Pastes: one insert that never sends; large ones are a marker that is always sent in full and can't be forged."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitui.store.drafts import Draft
from pitui.widgets.paste import Pastes, clean, is_large, looks
from tests.composer.hands import hands

pytestmark = pytest.mark.anyio

ROWS = "\n".join(f"row {number}" for number in range(20))
FORGED = "[paste #1 +20 lines]"
PRIVATE = st.characters(min_codepoint=0x10DFFE, max_codepoint=0x10F001)
TEXTS = st.text(st.one_of(st.sampled_from("ab \n[]#1漢"), PRIVATE), max_size=40)


async def test_a_paste_is_one_insert_and_never_sends() -> None:
    async with hands() as person:
        await person.paste("line one\r\nline two\tend\n")
        assert (person.text, person.app.sent) == ("line one\nline two\tend\n", [])
        await person.keys("ctrl+underscore")
        assert person.text == ""


async def test_bytes_behind_an_embedded_end_marker_are_text_and_no_keys() -> None:
    async with hands() as person:
        await person.bytes("\x1b[200~safe \x1b[201~\r/quit\r \x1b[2J tail\x1b[201~")
        assert (person.text, person.app.sent) == ("safe \n/quit\n  tail", [])


async def test_enter_a_moment_after_a_paste_sends() -> None:
    async with hands() as person:
        await person.bytes("\x1b[200~safe\x1b[201~", "\r", between=0.05)
        assert person.app.sent == [("safe", "enter")]


async def test_escape_sequences_and_controls_in_a_paste_are_dropped() -> None:
    async with hands() as person:
        await person.paste("a\x1b[31mred\x1b[0m\x07\x08\x1b]0;title\x07b\x9b1mc")
        assert person.text == "aredbc"


async def test_a_large_paste_is_shown_as_a_marker_and_sent_in_full() -> None:
    async with hands() as person:
        await person.type("see ")
        await person.paste(ROWS)
        assert looks(person.composer.editor.text) == "see [paste #1 +20 lines]"
        await person.keys("enter")
        assert person.app.sent == [(f"see {ROWS}", "enter")]


async def test_a_long_line_is_a_marker_too() -> None:
    async with hands() as person:
        await person.paste("x" * 1_001)
        assert looks(person.composer.editor.text) == "[paste #1 1001 chars]"


async def test_typing_what_a_marker_looks_like_makes_none() -> None:
    async with hands() as person:
        await person.paste(ROWS)
        await person.type(FORGED)
        await person.keys("enter")
        assert person.app.sent == [(ROWS + FORGED, "enter")]


async def test_pasting_the_characters_of_a_marker_makes_none() -> None:
    async with hands() as person:
        await person.paste(ROWS)
        marker = person.composer.editor.text
        await person.paste(marker)
        await person.keys("enter")
        assert person.app.sent == [(ROWS + marker, "enter")]


async def test_backspace_deletes_a_marker_whole_and_undo_brings_it_back() -> None:
    async with hands() as person:
        await person.paste(ROWS)
        await person.keys("backspace")
        assert person.text == ""
        await person.keys("ctrl+underscore")
        assert person.text == ROWS


async def test_the_cursor_steps_over_a_marker() -> None:
    async with hands() as person:
        await person.type("a")
        await person.paste(ROWS)
        await person.keys("left", "X", "right", "Y")
        assert person.text == f"aX{ROWS}Y"


async def test_a_marker_survives_cut_send_and_yank() -> None:
    async with hands() as person:
        await person.paste(ROWS)
        await person.keys("ctrl+u", *"other", "enter")
        person.composer.accepted()
        await person.keys("ctrl+y", "enter")
        assert person.app.sent == [("other", "enter"), (ROWS, "enter")]


async def test_a_marker_survives_recall() -> None:
    async with hands() as person:
        await person.paste(ROWS)
        await person.keys("enter")
        person.composer.accepted()
        await person.keys("up")
        assert looks(person.composer.editor.text) == "[paste #1 +20 lines]"
        await person.keys("enter")
        assert person.app.sent == [(ROWS, "enter")] * 2


async def test_a_marker_survives_the_draft_of_a_session() -> None:
    async with hands() as person:
        await person.paste(ROWS)
        draft = person.composer.draft
        person.composer.draft = Draft()
        person.composer.draft = draft
        assert (draft.text, looks(person.composer.editor.text)) == (ROWS, "[paste #1 +20 lines]")


async def test_a_marker_opens_in_place() -> None:
    async with hands() as person:
        await person.paste(ROWS)
        await person.keys("alt+o")
        assert person.composer.editor.text == ROWS


async def test_a_double_click_opens_a_marker() -> None:
    async with hands() as person:
        await person.paste(ROWS)
        await person.pilot.click(person.composer.editor, offset=(4, 0), times=2)
        assert person.composer.editor.text == ROWS


async def test_a_text_too_large_to_lay_out_stays_folded_wherever_it_comes_from() -> None:
    huge = "word " * 200_000
    async with hands() as person:
        person.composer.prefill(huge)
        assert len(person.composer.editor.text) < 100
        assert person.text == huge
        await person.keys("alt+o")
        assert len(person.composer.editor.text) < 100


async def test_a_hundred_thousand_lines_are_sent_whole() -> None:
    text = "\n".join(map(str, range(100_000)))
    async with hands() as person:
        await person.paste(text)
        await person.keys("enter")
        assert person.app.sent == [(text, "enter")]


def _marked(pastes: Pastes, texts: list[str]) -> str:
    """Every other text folded."""
    return "".join(
        pastes.fold(text) if number % 2 and text else pastes.admit(text) for number, text in enumerate(texts)
    )


@given(st.text())
def test_clean_text_holds_no_control_characters_and_cleaning_again_changes_nothing(text: str) -> None:
    cleaned = clean(text)
    assert all(character in "\n\t" or not (ord(character) < 32 or 127 <= ord(character) < 160) for character in cleaned)
    assert clean(cleaned) == cleaned


@given(st.lists(TEXTS, max_size=4))
def test_marked_text_expands_to_what_was_folded_and_admitted(texts: list[str]) -> None:
    pastes = Pastes()
    marked = _marked(pastes, texts)
    assert pastes.expand(marked) == "".join(texts)


@given(st.lists(TEXTS, max_size=4), st.integers(0, 60))
def test_a_draft_comes_back_as_it_was(texts: list[str], cursor: int) -> None:
    pastes = Pastes()
    marked = _marked(pastes, texts)
    draft = pastes.pack(marked, min(cursor, len(marked)))
    again = Pastes()
    assert again.pack(*again.unpack(draft)) == draft


@pytest.mark.parametrize(
    ("text", "large"), [("x" * 1_000, False), ("x" * 1_001, True), ("\n" * 9, False), ("\n" * 10, True)]
)
def test_more_than_ten_lines_or_a_thousand_characters_are_large(text: str, large: bool) -> None:
    assert is_large(text) is large
