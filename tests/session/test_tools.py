"""Cards of tool calls, direct commands, and the other kinds of entries."""

from __future__ import annotations

from typing import Any

import pytest

from pitui.rpc.events import BashExecutionUpdate, MessageEnd, ToolExecutionEnd, ToolExecutionStart, ToolExecutionUpdate
from pitui.rpc.messages import ImageBlock, TextBlock
from pitui.session import local
from pitui.session.bash import OUTPUT
from pitui.session.local import MessagesLoaded
from pitui.session.reducer import reduce
from pitui.session.state import (
    AssistantEntry,
    BashEntry,
    CustomEntry,
    Run,
    RunState,
    Session,
    ToolEntry,
    ToolState,
    UnknownEntry,
    UserEntry,
)
from tests.session.recorded import MESSAGES, before_exit, of, picture, timed

RUNNING = Session(run=Run(RunState.STREAMING, open=True, active=True))


def cards(session: Session) -> list[ToolEntry]:
    return [entry for entry in session.entries if isinstance(entry, ToolEntry)]


def text(*lines: str) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": line} for line in lines]}


def start(call_id: str, parent: str | None = None) -> ToolExecutionStart:
    return ToolExecutionStart.model_validate(
        {"toolCallId": call_id, "toolName": "bash", "args": {"command": call_id}, "parentToolCallId": parent}
    )


def message(**fields: object) -> MessageEnd:
    return MessageEnd.model_validate({"message": fields})


@pytest.mark.parametrize("name", of("blocks"))
def test_an_answer_is_split_into_stretches_and_cards_in_the_order_written(name: str) -> None:
    kinds = [type(entry) for entry in picture(before_exit(name).entries)]
    assert kinds[:6] == [UserEntry, AssistantEntry, ToolEntry, AssistantEntry, ToolEntry, AssistantEntry]


@pytest.mark.parametrize("name", of("blocks"))
def test_only_the_last_stretch_of_an_answer_says_what_it_cost(name: str) -> None:
    stretches = [entry for entry in before_exit(name).entries if isinstance(entry, AssistantEntry)]
    assert [entry.meta is not None for entry in stretches] == [False, True, True]


@pytest.mark.parametrize("name", of("parallel_tools"))
def test_calls_that_end_in_another_order_stay_in_the_order_they_were_made(name: str) -> None:
    ends = [event.tool_call_id for _, event in timed(name) if isinstance(event, ToolExecutionEnd)]
    made = [card.call_id for card in cards(before_exit(name))]
    assert (sorted(ends), ends == made, {card.state for card in cards(before_exit(name))}) == (
        sorted(made), False, {ToolState.DONE}
    )


@pytest.mark.parametrize("name", of("tools"))
def test_each_call_has_one_card_with_its_result(name: str) -> None:
    states = [(card.name, card.state) for card in cards(before_exit(name))]
    assert sorted(state.value for _, state in states) == ["done"] * 4 + ["failed"] * 2
    assert len({card.call_id for card in cards(before_exit(name))}) == len(states)


def test_what_a_tool_says_meanwhile_replaces_what_it_said_before() -> None:
    session, shown = Session(), []
    for now, event in timed("1.6.0/tools"):
        session = reduce(session, event, now)
        if isinstance(event, ToolExecutionUpdate) and event.partial_result is not None:
            card = next(card for card in cards(session) if card.call_id == event.tool_call_id)
            shown.append((card.content, event.partial_result.content))
    assert [ours for ours, _ in shown] == [theirs for _, theirs in shown]
    assert len(shown) > 2


def test_a_running_call_counts_from_its_start_and_ends_with_its_duration() -> None:
    running = reduce(RUNNING, start("a"), 4.0)
    ended = reduce(running, ToolExecutionEnd.model_validate(
        {"toolCallId": "a", "toolName": "bash", "result": text("ok"), "durationMs": 12}), 5.0)
    assert [(card.state, card.started, card.duration_ms) for card in (*cards(running), *cards(ended))] == [
        (ToolState.RUNNING, 4.0, None), (ToolState.DONE, None, 12.0)
    ]


def test_the_run_names_a_tool_that_still_runs() -> None:
    session = reduce(reduce(RUNNING, start("a"), 1.0), start("b"), 1.0)
    session = reduce(session, ToolExecutionEnd.model_validate({"toolCallId": "a", "toolName": "bash"}), 2.0)
    assert (session.run.state, session.run.detail) == (RunState.TOOL, "bash")


def test_nested_calls_stand_in_the_card_of_their_parent() -> None:
    session, seen = Session(), []
    for now, event in timed("1.6.0/codemode"):
        session = reduce(session, event, now)
        if isinstance(event, ToolExecutionEnd) and event.parent_tool_call_id:
            seen = [(card.call_id, [(child.call_id, child.state, child.content) for child in card.children])
                    for card in cards(session)]
    assert seen == [("call_cm", [("call_cm/1", ToolState.DONE, (TextBlock(text="nested\n"),))])]


def test_the_result_keeps_its_nested_calls_as_they_are_stored() -> None:
    (card,) = cards(before_exit("1.6.0/codemode"))
    assert card.children == (
        ToolEntry("tool:call_cm/1", "call_cm/1", "bash", {"command": "echo nested"}, state=ToolState.DONE,
                  duration_ms=34.0),
    )


def test_a_call_nested_two_deep_stands_in_the_outermost_card() -> None:
    session = reduce(reduce(reduce(RUNNING, start("a"), 1.0), start("b", "a"), 1.0), start("c", "b"), 1.0)
    (card,) = cards(session)
    assert (card.call_id, [child.call_id for child in card.children]) == ("a", ["b", "c"])


def test_a_result_whose_call_is_missing_has_a_card_of_its_own() -> None:
    session = reduce(RUNNING, message(role="toolResult", toolCallId="a", toolName="bash", **text("ok")), 0)
    assert session.entries == (ToolEntry("tool:a", "a", "bash", state=ToolState.DONE, content=(TextBlock(text="ok"),)),)


def test_calls_that_share_an_id_have_their_own_cards_and_the_newest_gets_the_result() -> None:
    call = {"type": "toolCall", "id": "call_0", "name": "bash", "arguments": {}}
    answer = {"role": "assistant", "content": [call], "stopReason": "toolUse"}
    messages = MESSAGES.validate_python([
        {**answer, "timestamp": 1}, {"role": "toolResult", "toolCallId": "call_0", **text("one")},
        {**answer, "timestamp": 2}, {"role": "toolResult", "toolCallId": "call_0", **text("two")},
    ])
    assert [(card.key, card.content) for card in cards(reduce(Session(), MessagesLoaded(messages), 0))] == [
        ("tool:call_0", (TextBlock(text="one"),)), ("tool:call_0~2", (TextBlock(text="two"),))
    ]


@pytest.mark.parametrize(("said", "state"), [
    ("out\n\nCommand aborted", ToolState.STOPPED),
    ("Operation aborted", ToolState.STOPPED),
    ("This operation was aborted", ToolState.STOPPED),
    ("Request was aborted.", ToolState.STOPPED),
    ("make: *** aborted\n\nCommand exited with code 2", ToolState.FAILED),
    ("the build was aborted by the linker because of aborted", ToolState.FAILED),
    ("", ToolState.FAILED),
])
def test_a_call_that_was_told_to_stop_did_not_fail(said: str, state: ToolState) -> None:
    session = reduce(reduce(RUNNING, start("a"), 0), ToolExecutionEnd.model_validate(
        {"toolCallId": "a", "toolName": "bash", "result": text(said), "isError": True}), 1)
    assert [card.state for card in cards(session)] == [state]


def test_the_arguments_of_a_card_are_those_the_model_wrote() -> None:
    call = {"type": "toolCall", "id": "a", "name": "bash", "arguments": {"command": "ls"}}
    session = reduce(RUNNING, message(role="assistant", content=[call], stopReason="toolUse", timestamp=1), 0)
    assert [card.arguments for card in cards(reduce(session, start("a"), 1))] == [{"command": "ls"}]


def test_a_step_of_a_call_without_an_id_is_not_shown() -> None:
    assert reduce(RUNNING, ToolExecutionEnd.model_validate({}), 1.0) == RUNNING


def test_tools_of_a_run_that_was_closed_here_are_not_shown() -> None:
    assert reduce(Session(), start("a"), 1.0) == Session()


@pytest.mark.parametrize("name", of("images"))
def test_images_stay_with_the_prompt_that_carried_them(name: str) -> None:
    user = next(entry for entry in before_exit(name).entries if isinstance(entry, UserEntry))
    assert [(type(image), image.mime_type) for image in user.images] == [(ImageBlock, "image/png")]


@pytest.mark.parametrize("name", of("bash"))
def test_direct_commands_stand_in_the_order_they_ended(name: str) -> None:
    commands = [entry for entry in before_exit(name).entries if isinstance(entry, BashEntry)]
    by_command = [entry.command for entry in commands]
    assert by_command.index("echo B1; sleep 0.2; echo B2") < by_command.index("echo A1; sleep 0.4; echo A2")
    assert not any(entry.running or entry.started for entry in commands)


def test_a_command_shows_its_output_while_it_runs() -> None:
    outputs = []
    session = Session()
    for now, event in timed("1.6.0/bash"):
        session = reduce(session, event, now)
        outputs += [entry.output for entry in session.entries if isinstance(entry, BashEntry) and entry.running]
    assert {"A1\n", "B1\n"} <= set(outputs)


def test_a_command_that_ended_during_a_run_stands_behind_it() -> None:
    kinds = [type(entry) for entry in picture(before_exit("1.6.0/bash_streaming").entries)]
    assert kinds == [UserEntry, AssistantEntry, BashEntry, BashEntry]


def test_the_streamed_output_of_a_command_is_bounded() -> None:
    update = {"type": "bash_execution_update", "id": "c1", "delta": "x" * OUTPUT}
    session = reduce(Session(), local.BashStarted("c1", "yes"), 0)
    for _ in range(3):
        session = reduce(session, BashExecutionUpdate.model_validate(update), 1)
    assert [len(entry.output) for entry in session.entries if isinstance(entry, BashEntry)] == [OUTPUT]


def test_a_command_that_was_refused_says_why() -> None:
    session = reduce(Session(), local.BashStarted("c1", "ls"), 0)
    session = reduce(session, local.BashFinished("c1", error="not now"), 1)
    assert session.entries == (BashEntry(session.entries[0].key, "ls", "not now"),)


def test_what_an_extension_hides_and_the_system_prompt_are_no_entries() -> None:
    messages = MESSAGES.validate_python([
        {"role": "system", "content": "be good"},
        {"role": "custom", "customType": "x", "content": "hidden", "display": False},
        {"role": "custom", "customType": "x", "content": "shown", "display": True, "details": {"n": 1}},
    ])
    (entry,) = reduce(Session(), MessagesLoaded(messages), 0).entries
    assert entry == CustomEntry(entry.key, "x", (TextBlock(text="shown"),), {"n": 1})


def test_a_role_nobody_knows_is_kept_with_all_it_says() -> None:
    session = reduce(Session(), message(role="oracle", content="42", weight=3), 0)
    assert session.entries == (UnknownEntry(session.entries[0].key, "oracle", {"content": "42", "weight": 3}),)
