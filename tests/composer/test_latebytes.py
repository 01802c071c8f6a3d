"""What a terminal says by itself never becomes text, and what people type always does."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitui.widgets.latebytes import PASS, LateBytes
from tests.composer.hands import hands

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    "reply",
    [
        "\x1b[?61;6;7c", "\x1b[>1;10;0c", "\x1b[?2026;2$y", "\x1b[?1u", "\x1b[12;40R", "\x1b[I", "\x1b[O",
        "\x1b]11;rgb:1e1e/1e1e/1e1e\x07", "\x1b]11;rgb:1e1e/1e1e/1e1e\x1b\\", "\x1bP1+r\x1b\\",
    ],
)
async def test_a_terminals_reply_leaves_no_trace(reply: str) -> None:
    async with hands() as person:
        await person.keys(*"ab")
        await person.bytes(reply)
        assert (person.text, person.app.bubbled) == ("ab", [])


async def test_an_arrow_key_cut_in_two_by_a_slow_line_types_nothing() -> None:
    async with hands() as person:
        await person.keys(*"ab")
        await person.bytes("\x1b", "[A", between=0.3)
        assert person.text == "ab"


async def test_brackets_typed_after_escape_stay() -> None:
    async with hands() as person:
        await person.bytes("\x1b", "[", "A", between=0.15)
        assert person.text == "[A"


@given(st.text(st.characters(min_codepoint=32, max_codepoint=0x2FF, exclude_categories=["Cc"]), max_size=30))
def test_whatever_a_person_types_passes(text: str) -> None:
    late = LateBytes()
    assert [late.feed(character, character, 10 + number * 0.05) for number, character in enumerate(text)] == [
        PASS for _ in text
    ]
