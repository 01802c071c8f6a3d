"""Commands become the records the agent knows, and their answers become values."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pitui.rpc import commands
from pitui.rpc.commands import (
    AnswerCancelled,
    AnswerConfirmed,
    AnswerValue,
    Bash,
    CycleModel,
    Fork,
    GetCommands,
    GetEntries,
    GetLastAssistantText,
    GetState,
    GetTree,
    PiCommand,
    Prompt,
    SetFollowUpMode,
    SetSessionName,
    UiAnswer,
    answer_record,
)
from pitui.rpc.messages import ImageBlock
from pitui.rpc.results import Acceptance, CommandInfo, Forked, LastAssistantText
from tests.rpc.conftest import trace_files

COMMANDS: dict[str, type[PiCommand[Any]]] = {
    kind.type: kind
    for kind in vars(commands).values()
    if isinstance(kind, type) and issubclass(kind, PiCommand) and kind is not PiCommand
}


def test_all_commands_are_there() -> None:
    assert len(COMMANDS) == 33


@pytest.mark.parametrize(
    ("command", "record"),
    [
        (GetState(), {"type": "get_state", "id": "p1"}),
        (Prompt("hi"), {"type": "prompt", "id": "p1", "message": "hi"}),
        (
            Prompt("hi", images=(ImageBlock(data="aGk=", mime_type="image/png"),), streaming_behavior="followUp"),
            {
                "type": "prompt", "id": "p1", "message": "hi", "streamingBehavior": "followUp",
                "images": [{"type": "image", "data": "aGk=", "mimeType": "image/png"}],
            },
        ),
        (Bash("ls", exclude_from_context=True), {
            "type": "bash", "id": "p1", "command": "ls", "excludeFromContext": True,
        }),
        (SetFollowUpMode("one-at-a-time"), {"type": "set_follow_up_mode", "id": "p1", "mode": "one-at-a-time"}),
        (Fork("e1"), {"type": "fork", "id": "p1", "entryId": "e1"}),
    ],
)
def test_a_command_becomes_its_record(command: PiCommand[Any], record: dict[str, object]) -> None:
    assert command.record("p1") == record


@pytest.mark.parametrize(
    ("answer", "form"),
    [
        (AnswerValue("d1", "Allow"), {"value": "Allow"}),
        (AnswerValue("d1", ""), {"value": ""}),
        (AnswerConfirmed("d1", True), {"confirmed": True}),
        (AnswerConfirmed("d1", False), {"confirmed": False}),
        (AnswerCancelled("d1"), {"cancelled": True}),
    ],
)
def test_an_answer_to_a_dialog_has_its_one_form(answer: UiAnswer, form: dict[str, object]) -> None:
    assert answer_record(answer) == {"type": "extension_ui_response", "id": "d1", **form}


def recorded_answers() -> list[tuple[str, object]]:
    lines = [json.loads(line) for path in trace_files() for line in path.read_bytes().splitlines()]
    records = [line["record"] for line in lines if line["dir"] == "out" and line["record"].get("success") is True]
    return [(record["command"], record.get("data")) for record in records if record["type"] == "response"]


def test_every_recorded_answer_can_be_read() -> None:
    answers = recorded_answers()
    assert {command for command, _ in answers} == set(COMMANDS)
    for command, data in answers:
        example: PiCommand[Any] = COMMANDS[command].__new__(COMMANDS[command])
        value = example.read(data)
        if isinstance(data, dict) and hasattr(value, "model_dump"):
            written = value.model_dump(by_alias=True)
            assert {key: written[key] for key in ("sessionId", "cancelled", "text", "leafId") if key in data} == {
                key: data[key] for key in ("sessionId", "cancelled", "text", "leafId") if key in data
            }


@pytest.mark.parametrize(
    ("command", "data", "value"),
    [
        (Prompt("x"), None, Acceptance(disposition=None)),
        (Prompt("x"), {"disposition": "queued"}, Acceptance(disposition="queued")),
        (Fork("e"), {"cancelled": True}, Forked(text=None, cancelled=True)),
        (CycleModel(), None, None),
        (GetLastAssistantText(), {}, LastAssistantText(text=None)),
        (SetSessionName("n"), {"whatever": 1}, None),
    ],
)
def test_an_absent_answer_or_field_has_its_default(command: PiCommand[Any], data: object, value: object) -> None:
    assert command.read(data) == value


def test_a_field_of_the_wrong_type_does_not_cost_the_answer() -> None:
    state = GetState().read({"sessionId": "s1", "isStreaming": {}, "messageCount": "many", "model": 7})
    assert (state.session_id, state.is_streaming, state.message_count, state.model) == ("s1", False, 0, None)


def test_slash_commands_are_read_in_the_present_and_in_the_documented_form() -> None:
    present = {"name": "fix", "source": "prompt", "sourceInfo": {"path": "/p/fix.md", "scope": "user", "origin": "top"}}
    documented = {"name": "fix", "source": "prompt", "location": "user", "path": "/p/fix.md"}
    value = CommandInfo(name="fix", description=None, source="prompt", path="/p/fix.md", scope="user", origin="top")
    assert GetCommands().read({"commands": [present, documented, "junk"]}).commands == (
        value, value.model_copy(update={"origin": None}),
    )


def test_the_nodes_of_a_tree_stay_as_they_came() -> None:
    node = {"entry": {"id": "a"}, "children": [{"entry": {"id": "b"}, "children": []}], "label": "here"}
    assert GetTree().read({"tree": [node], "leafId": "b"}).tree == (node,)


def test_entries_read_in_steps_are_those_read_at_once() -> None:
    entries = [{"type": "label", "id": str(number), "targetId": "x", "label": "l"} for number in range(450)]
    data: object = {"entries": [*entries, "junk"], "leafId": "449"}
    whole = GetEntries().read(data)
    steps = list(GetEntries().in_steps(data))
    assert len(steps) == 3
    assert GetEntries().read(steps[-1]) == whole
    assert len(whole.entries) == 450
