"""The message being streamed."""

from __future__ import annotations

import json
from itertools import compress
from typing import Any

import pytest

from pitui.rpc.events import MessageEnd, MessageStart, MessageUpdate
from pitui.rpc.messages import AnyBlock, AssistantMessage, TextBlock, ThinkingBlock, ToolCallBlock
from pitui.rpc.protocol import decode, join_text
from pitui.session.live import parse_arguments, update
from pitui.session.reducer import fold, reduce
from pitui.session.state import AssistantEntry, BlockKind, LiveBlock, LiveMessage, Run, RunState, Session, ToolEntry
from tests.session.recorded import ALL, is_cut, of, timed

WHOLE = [name for name in ALL if not is_cut(name)]
RUNNING = Session(run=Run(RunState.STREAMING, open=True, active=True))


def step(kind: str, index: int = 0, **fields: Any) -> MessageUpdate:  # noqa: ANN401  # JSON
    record = {"type": "message_update", "assistantMessageEvent": {"type": kind, "contentIndex": index, **fields}}
    event = decode(json.dumps(record).encode())
    assert isinstance(event, MessageUpdate)
    return event


def streamed(*steps: MessageUpdate) -> LiveMessage:
    live = LiveMessage("assistant:1")
    for each in steps:
        live = update(live, each)
    return live


def is_whole(block: AnyBlock) -> bool:
    """The arguments of a call that was cut off are nowhere but in its deltas."""
    return not isinstance(block, ToolCallBlock) or block.arguments_error is None


def rebuilt(block: LiveBlock) -> tuple[BlockKind, object]:
    """A block by what its deltas said; a call by its id, name and parsed arguments."""
    if block.kind is BlockKind.TOOL_CALL:
        return block.kind, (block.call_id, block.name, parse_arguments(block.text))
    return block.kind, block.text


def final(block: AnyBlock) -> tuple[BlockKind, object]:
    """The same of a finished block. Lone surrogates are shown as U+FFFD."""
    match block:
        case TextBlock():
            return BlockKind.TEXT, join_text([block.text])
        case ThinkingBlock():
            return BlockKind.THINKING, block.thinking
        case ToolCallBlock():
            return BlockKind.TOOL_CALL, (block.id, block.name, block.arguments)
        case _:
            raise AssertionError(f"a block no model in the traces writes: {block}")


@pytest.mark.parametrize("name", WHOLE)
def test_right_before_its_end_the_streamed_message_equals_the_agents_own(name: str) -> None:
    session = Session()
    for now, event in timed(name):
        if isinstance(event, MessageEnd) and isinstance(event.message, AssistantMessage):
            assert session.live is not None
            whole = [is_whole(block) for block in event.message.content]
            assert len(session.live.blocks) == len(whole)
            assert list(compress(map(rebuilt, session.live.blocks), whole)) == list(
                compress(map(final, event.message.content), whole)
            )
        session = reduce(session, event, now)


def test_the_oracle_has_seen_every_kind_of_block_in_every_version() -> None:
    kinds = {
        (name.split("/")[0], final(block)[0])
        for name in WHOLE for _, event in timed(name)
        if isinstance(event, MessageEnd) and isinstance(event.message, AssistantMessage)
        for block in event.message.content
    }
    assert {version for version, _ in kinds} == {"0.74.0", "0.80.10", "0.84.1", "0.87.1", "1.0.3", "1.6.0"}
    assert len(kinds) == 6 * len(BlockKind)


def test_an_earlier_value_keeps_its_text_when_a_later_one_grows() -> None:
    first = streamed(step("text_start"), step("text_delta", delta="one"))
    second = update(first, step("text_delta", delta=" two"))
    assert (first.blocks[0].text, second.blocks[0].text) == ("one", "one two")


def test_two_futures_of_one_value_do_not_mix() -> None:
    base = streamed(step("text_delta", delta="a"))
    left, right = update(base, step("text_delta", delta="b")), update(base, step("text_delta", delta="c"))
    assert (base.blocks[0].text, left.blocks[0].text, right.blocks[0].text) == ("a", "ab", "ac")


def test_successive_values_share_one_list_of_pieces() -> None:
    first = streamed(step("text_delta", delta="a"))
    assert update(first, step("text_delta", delta="b")).blocks[0].parts is first.blocks[0].parts


def test_a_start_empties_what_stood_there() -> None:
    assert streamed(step("text_delta", delta="old"), step("text_start")).blocks == (LiveBlock(BlockKind.TEXT),)


def test_an_end_that_says_something_else_replaces_the_streamed_text() -> None:
    live = streamed(step("text_delta", delta="draft"), step("text_end", content="final"))
    assert live.blocks == (LiveBlock(BlockKind.TEXT, ["final"], 1, True),)


def test_an_end_that_says_the_same_keeps_the_pieces() -> None:
    before = streamed(step("text_delta", delta="one "), step("text_delta", delta="two"))
    after = update(before, step("text_end", content="one two"))
    assert after.blocks[0].parts is before.blocks[0].parts


def test_a_piece_of_a_block_that_never_started_makes_it() -> None:
    live = streamed(step("thinking_delta", 3, delta="hm"))
    assert live.blocks == (LiveBlock(BlockKind.THINKING, ["hm"], 1, index=3),)


def test_blocks_stand_in_the_order_of_their_indexes() -> None:
    live = streamed(*(step("text_delta", index, delta=delta) for index, delta in ((2, "c"), (0, "a"), (2, "C"))))
    assert [(block.index, block.text) for block in live.blocks] == [(0, "a"), (2, "cC")]


def test_a_call_is_named_by_its_start_event() -> None:
    live = streamed(step("toolcall_start", id="call_1", toolName="bash"))
    assert live.blocks == (LiveBlock(BlockKind.TOOL_CALL, call_id="call_1", name="bash"),)


def test_a_call_is_named_by_the_cumulative_message_of_old_agents() -> None:
    live = streamed(step("toolcall_start", 1, partial={"content": [{}, {"id": "call_1", "name": "bash"}]}))
    assert live.blocks == (LiveBlock(BlockKind.TOOL_CALL, call_id="call_1", name="bash", index=1),)


def test_a_call_is_nameless_until_its_end_in_the_versions_between() -> None:
    start = streamed(step("toolcall_start"), step("toolcall_delta", delta='{"a": 1}'))
    call = {"type": "toolCall", "id": "call_1", "name": "bash", "arguments": {"a": 1}}
    end = update(start, step("toolcall_end", toolCall=call))
    assert (start.blocks, end.blocks) == (
        (LiveBlock(BlockKind.TOOL_CALL, ['{"a": 1}'], 1),),
        (LiveBlock(BlockKind.TOOL_CALL, ['{"a": 1}'], 1, True, "call_1", "bash"),),
    )


def test_a_surrogate_pair_split_over_two_deltas_is_one_character() -> None:
    assert streamed(step("text_delta", delta="\ud83d"), step("text_delta", delta="\ude00")).blocks[0].text == "😀"


@pytest.mark.parametrize("kind", ["start", "done", "error", "something_new"])
def test_steps_without_content_change_nothing(kind: str) -> None:
    live = streamed(step("text_delta", delta="a"))
    assert update(live, step(kind)) is live


def test_a_delta_leaves_the_entries_alone() -> None:
    entries = (AssistantEntry("assistant:0:0"),)
    session = Session(entries=entries, run=RUNNING.run, live=LiveMessage("assistant:1"))
    assert reduce(session, step("text_delta", delta="x"), 0).entries is entries


def test_a_batch_gives_the_same_session_as_its_events_one_by_one() -> None:
    for name in of("blocks"):
        events = [event for _, event in timed(name)]
        one_by_one = Session()
        for event in events:
            one_by_one = reduce(one_by_one, event, 1.0)
        assert fold(Session(), events, 1.0) == one_by_one


def test_the_content_of_a_starting_message_is_not_shown() -> None:
    live = reduce(RUNNING, decode_start(1, "all"), 0).live
    assert live is not None
    assert live.blocks == ()


def test_steps_without_a_run_are_not_shown() -> None:
    assert reduce(Session(), step("text_delta", delta="late"), 0) == Session()


def test_an_answer_whose_end_never_came_is_kept_as_stopped_when_the_next_begins() -> None:
    half = reduce(RUNNING, step("text_delta", delta="half"), 0)
    after = reduce(half, decode_start(2), 0)
    assert [(entry.blocks, entry.meta and entry.meta.stop_reason) for entry in after.entries
            if isinstance(entry, AssistantEntry)] == [((TextBlock(text="half"),), "aborted")]


def decode_start(timestamp: int, content: str = "") -> MessageStart:
    record = {"type": "message_start", "message": {"role": "assistant", "content": content, "timestamp": timestamp}}
    event = decode(json.dumps(record).encode())
    assert isinstance(event, MessageStart)
    return event


def test_text_under_an_index_that_is_used_again_does_not_vanish() -> None:
    session = reduce(RUNNING, MessageStart(message=AssistantMessage.model_validate({"content": []})), 0)
    for each in (step("text_start"), step("text_delta", delta="half a word"),
                 step("toolcall_start", id="c1", toolName="bash")):
        session = reduce(session, each, 0)
    call = {"type": "toolCall", "id": "c1", "name": "bash"}
    session = reduce(session, MessageEnd(message=AssistantMessage.model_validate({"content": [call]})), 0)
    said, made = session.entries
    assert isinstance(said, AssistantEntry)
    assert said.blocks == (TextBlock(text="half a word"),)
    assert isinstance(made, ToolEntry)
