"""The answer while it streams looks as it will, and what is complete is never drawn again."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pitui.render.entries import render_entry
from pitui.render.lines import Line, ThinkingView, View
from pitui.render.live import LiveView
from pitui.render.palette import default_palette
from pitui.session.reducer import reduce
from pitui.session.state import BlockKind, LiveBlock, LiveMessage, Session
from tests.render.kinds import CONTROLS, TEXT, check_lines, look, shown
from tests.session.recorded import timed

MARKDOWN = "# Head\n\nSome **bold** words.\n\n- one\n- two\n\n```python\nx = 1\n```\n\nThe end."


def block(kind: BlockKind, *parts: str, index: int = 0, done: bool = False, name: str = "") -> LiveBlock:
    return LiveBlock(kind, list(parts), len(parts), done, "call" if name else "", name, index)


def message(*blocks: LiveBlock, key: str = "assistant:1") -> LiveMessage:
    return LiveMessage(key, tuple(replace(block, index=index) for index, block in enumerate(blocks)))


def drawn(live: LiveMessage, view: View) -> list[Line]:
    picture = LiveView()
    picture.show(live, view)
    return picture.lines


def growing(kind: BlockKind, pieces: list[str], name: str = "") -> list[LiveMessage]:
    """The message after each piece; all share one list, as in the session."""
    parts: list[str] = []
    messages = []
    for piece in pieces:
        parts.append(piece)
        grown = LiveBlock(kind, parts, len(parts), False, "call" if name else "", name)
        messages.append(LiveMessage("assistant:1", (grown,)))
    return messages


def test_text_thinking_and_calls_look_as_they_will() -> None:
    live = message(
        block(BlockKind.THINKING, "First\nSecond", done=True),
        block(BlockKind.TEXT, MARKDOWN, done=True),
        block(BlockKind.TOOL_CALL, '{"command": "ls', name="bash"),
        block(BlockKind.TOOL_CALL, '{"path": "a', name="read"),
    )
    rows = shown(drawn(live, look(40))).split("\n")
    assert rows[:3] == [" ∴ Thought · First", "", "   Head"]
    assert rows[-4:] == ["   The end.", "", " ○ bash ls", " ○ read a"]


def test_thinking_says_that_it_goes_on() -> None:
    assert shown(drawn(message(block(BlockKind.THINKING, "Hm, ", "well")), look())) == " ∴ Thinking · Hm, well"


def test_thinking_in_full_grows_by_rows() -> None:
    view = look(thinking=ThinkingView.FULL)
    picture = LiveView()
    firsts = [picture.show(live, view) for live in growing(BlockKind.THINKING, ["one", "\ntwo\nth", "ree", " more"])]
    assert shown(picture.lines) == " ∴ Thinking\n   one\n   two\n   three more"
    assert firsts == [0, 1, 3, 3]


@pytest.mark.parametrize("thinking", [ThinkingView.HIDDEN, ThinkingView.FIRST_LINE])
def test_more_thinking_changes_nothing_that_is_folded(thinking: ThinkingView) -> None:
    picture, view = LiveView(), look(thinking=thinking)
    firsts = [picture.show(live, view) for live in growing(BlockKind.THINKING, ["one\n", "two", "three"])]
    rows = len(picture.lines)
    assert firsts[1:] == [rows, rows]


def test_arguments_fill_in() -> None:
    text = json.dumps({"path": "a.py", "content": "x = 1\ny = 2\n"})
    picture = LiveView()
    rows = []
    for live in growing(BlockKind.TOOL_CALL, [text[:8], text[8:16], text[16:]], "write"):
        picture.show(live, look())
        rows.append(shown(picture.lines))
    assert rows == [
        " ○ write", " ○ write   a.py", " ○ write   a.py\n   │ 1  x = 1\n   │ 2  y = 2",
    ]


def test_a_call_whose_name_is_not_known_yet_is_a_tool() -> None:
    assert shown(drawn(message(block(BlockKind.TOOL_CALL, '{"com')), look())) == " ○ tool"


def test_nothing_is_drawn_before_there_is_a_word() -> None:
    live = message(block(BlockKind.THINKING), block(BlockKind.TEXT, "\n"))
    assert drawn(live, look()) == []


def test_what_did_not_change_is_not_drawn_again() -> None:
    picture, view = LiveView(), look()
    for live in growing(BlockKind.TEXT, ["para\n\n"] * 50):
        before = list(picture.lines)
        first = picture.show(live, view)
        assert all(new is old for new, old in zip(picture.lines[:first], before, strict=False))
        assert len(picture.lines) - first <= 4
    assert picture.show(live, view) == len(picture.lines)


def test_a_new_block_leaves_those_above_it_alone() -> None:
    picture, view = LiveView(), look()
    text = block(BlockKind.TEXT, "Hello", done=True)
    picture.show(message(text), view)
    above = picture.lines[0]
    assert picture.show(message(text, block(BlockKind.TOOL_CALL, "{}", name="ls")), view) == 1
    assert picture.lines[0] is above


@pytest.mark.parametrize("other", [look(30), look(palette=default_palette(False)), look(prose_width=20)])
def test_another_look_starts_over(other: View) -> None:
    picture = LiveView()
    live = message(block(BlockKind.TEXT, MARKDOWN))
    picture.show(live, look())
    assert picture.show(live, other) == 0
    assert picture.lines == drawn(live, other)


def test_another_message_starts_over() -> None:
    picture = LiveView()
    picture.show(message(block(BlockKind.TEXT, "old")), look())
    assert picture.show(message(block(BlockKind.TEXT, "new"), key="assistant:2"), look()) == 0
    assert shown(picture.lines) == "   new"


def test_a_text_that_the_agent_corrected_is_drawn_anew() -> None:
    picture = LiveView()
    picture.show(message(block(BlockKind.TEXT, "Hallo ", "wrold")), look())
    picture.show(message(block(BlockKind.TEXT, "Hello world", done=True)), look())
    assert shown(picture.lines) == "   Hello world"


def test_folds_work_while_it_streams() -> None:
    picture, view = LiveView(), look()
    live = message(block(BlockKind.THINKING, "one\ntwo"), block(BlockKind.TEXT, "Hi"))
    picture.show(live, view)
    assert picture.show(live, replace(view, open=frozenset({"assistant:1:0/0"}))) == 0
    assert shown(picture.lines) == " ∴ Thinking\n   one\n   two\n\n   Hi"
    picture.show(live, view)
    assert shown(picture.lines) == " ∴ Thinking · one\n\n   Hi"


def test_characters_and_sequences_cut_in_two_are_whole() -> None:
    pieces = ["a \ud83d", "\ude00 \x1b[3", "1mred\x1b", "[0m end"]
    for kind, view in ((BlockKind.TEXT, look()), (BlockKind.THINKING, look(thinking=ThinkingView.FULL))):
        picture = LiveView()
        for live in growing(kind, pieces):
            picture.show(live, view)
            check_lines(picture.lines, 80)
        assert shown(picture.lines).endswith("   a 😀 red end")


@pytest.mark.parametrize("name", ["tools", "parallel_tools", "simple_prompt", "codemode", "unicode"])
def test_a_recorded_answer_ends_as_it_was_drawn_live(name: str) -> None:
    view, picture, session = look(100), LiveView(), Session()
    compared = 0
    for now, event in timed(f"1.6.0/{name}"):
        live = session.live
        session = reduce(session, event, now)
        if session.live is not None:
            picture.show(session.live, view)
        elif live is not None and all(block.kind is not BlockKind.TOOL_CALL for block in live.blocks):
            own = [entry for entry in session.entries if entry.key.startswith(f"{live.key}:")]
            assert shown(picture.lines) == "\n\n".join(shown(render_entry(entry, view)) for entry in own)
            compared += bool(own)
    assert compared


Plan = list[tuple[BlockKind, list[str]]]
PIECES = st.lists(TEXT, max_size=3)
WIDTHS = st.sampled_from([1, 9, 40, 150])


def streamed(plan: Plan, view: View) -> tuple[LiveView, LiveMessage]:
    """A message that came piece by piece, shown after each of them."""
    picture = LiveView()
    live = LiveMessage("m")
    for index, (kind, pieces) in enumerate(plan):
        parts: list[str] = []
        above = live.blocks
        for piece in ("", *pieces):
            parts.append(piece)
            live = LiveMessage("m", (*above, LiveBlock(kind, parts, len(parts), index=index)))
            assert 0 <= picture.show(live, view) <= len(picture.lines)
            check_lines(picture.lines, view.width)
    return picture, live


@settings(deadline=None, max_examples=60)
@given(st.lists(st.tuples(st.sampled_from(BlockKind), PIECES), max_size=3), WIDTHS, st.sampled_from(ThinkingView))
def test_whatever_streams_fits_after_every_piece(plan: Plan, width: int, thinking: ThinkingView) -> None:
    picture, live = streamed(plan, look(width, thinking=thinking))
    assert picture.show(live, look(width, thinking=thinking)) == len(picture.lines)


DRAWN_BY_US = st.sampled_from([BlockKind.THINKING, BlockKind.TOOL_CALL])


@settings(deadline=None, max_examples=60)
@given(st.lists(st.tuples(DRAWN_BY_US, PIECES), max_size=3), WIDTHS, st.sampled_from(ThinkingView))
def test_thoughts_and_calls_end_as_if_they_came_at_once(plan: Plan, width: int, thinking: ThinkingView) -> None:
    view = look(width, thinking=thinking)
    picture, live = streamed(plan, view)
    assert [line.text for line in picture.lines] == [line.text for line in drawn(live, view)]


def test_control_sequences_reach_no_segment_while_it_streams() -> None:
    live = message(*(block(kind, CONTROLS, name=CONTROLS) for kind in BlockKind))
    for width in (1, 9, 80):
        check_lines(drawn(live, look(width, thinking=ThinkingView.FULL, tools_open=True)), width)
