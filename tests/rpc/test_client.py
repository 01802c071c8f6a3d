"""Requests get their answers, events come in order, and nothing waits for an agent that is gone."""

from __future__ import annotations

import asyncio
import json
from itertools import pairwise
from pathlib import Path

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pitui.rpc.client import CommandFailed, PiClient, PiExited
from pitui.rpc.commands import (
    Abort,
    AnswerConfirmed,
    ClearQueue,
    Clone,
    GetMessages,
    GetState,
    GetTree,
    PiCommand,
    Prompt,
)
from pitui.rpc.events import AgentStart, Event, LateResponse, Response, ThinkingLevelChanged, TurnStart, Unknown
from pitui.rpc.process import ProcessExit
from pitui.rpc.protocol import decode
from tests.rpc.conftest import TRACES, Script, agent, lives, trace_files, until

pytestmark = pytest.mark.anyio


def response(name: str, **members: object) -> dict[str, object]:
    return {"id": f"${name}", "type": "response", "command": name, "success": True, **members}


def level(name: str) -> dict[str, object]:
    return {"type": "thinking_level_changed", "level": name}


async def heard(client: PiClient) -> list[Event]:
    """Everything until the end."""
    return [event async for batch in client.events() for event in batch]


async def test_a_request_gets_its_typed_answer() -> None:
    async with PiClient(agent({"get_state": [response("get_state", data={"sessionId": "s1"})]})) as client:
        assert (await client.request(GetState())).session_id == "s1"


async def test_answers_in_another_order_reach_the_right_requests() -> None:
    script: Script = {
        "get_state": [], "get_messages": [],
        "clone": [
            response("clone", data={"cancelled": True}), response("get_messages", data={"messages": [{"role": "x"}]}),
            response("get_state", data={"sessionId": "s1"}),
        ],
    }
    found: dict[str, object] = {}

    async def ask(name: str, command: PiCommand[object]) -> None:
        found[name] = await client.request(command)

    async with PiClient(agent(script)) as client, anyio.create_task_group() as asking:
        for name, command in (("state", GetState()), ("messages", GetMessages()), ("clone", Clone())):
            asking.start_soon(ask, name, command)
    assert {name: type(value).__name__ for name, value in found.items()} == {
        "state": "AgentState", "messages": "Messages", "clone": "Replaced",
    }


async def test_a_refused_command_raises_with_the_agents_own_words() -> None:
    script: Script = {"prompt": [response("prompt", success=False, error="Agent is busy")]}
    async with PiClient(agent(script)) as client:
        with pytest.raises(CommandFailed, match="Agent is busy") as failure:
            await client.request(Prompt("x"))
    assert failure.value.command == Prompt("x")
    assert not failure.value.unsupported


async def test_a_refusal_without_id_belongs_to_the_oldest_request_of_that_command() -> None:
    unknown = {"type": "response", "command": "clear_queue", "success": False, "error": "Unknown command: clear_queue"}
    script: Script = {"get_state": [], "clear_queue": [unknown]}
    async with PiClient(agent(script)) as client, anyio.create_task_group() as asking:
        asking.start_soon(client.request, GetState())
        with pytest.raises(CommandFailed) as failure:
            await client.request(ClearQueue())
        asking.cancel_scope.cancel()
    assert failure.value.unsupported


async def test_an_answer_that_cannot_be_read_fails_the_request() -> None:
    async with PiClient(agent({"get_state": [response("get_state", data=42)]})) as client:
        with pytest.raises(CommandFailed, match="could not be read"):
            await client.request(GetState())


async def test_a_tree_too_deep_to_read_is_refused_and_reading_goes_on() -> None:
    nodes = '{"children":[' * 3_000 + "]}" * 3_000
    raw = f'{{"id":"p1","type":"response","command":"get_tree","success":true,"data":{{"tree":[{nodes}]}}}}\n'
    async with PiClient(agent({"get_tree": [{"$raw": raw}]})) as client:
        with pytest.raises(CommandFailed, match="nested too deeply"):
            await client.request(GetTree())
        await client.request(Abort())


async def test_an_answer_nobody_waits_for_is_an_event() -> None:
    script: Script = {"get_state": [], "abort": [response("get_state"), response("abort"), {"$exit": 0}]}
    async with PiClient(agent(script)) as client:
        with anyio.CancelScope() as impatience:
            async with anyio.create_task_group() as asking:
                asking.start_soon(client.request, GetState())
                await until(lambda: client.unsent == 0)
                impatience.cancel()
        await client.request(Abort())
        late = Response(id="p1", command="get_state", success=True, data=None, error=None)
        assert await heard(client) == [LateResponse(late)]


async def test_an_error_about_a_line_is_an_event() -> None:
    error = {"type": "response", "command": "parse", "success": False, "error": "Failed to parse"}
    async with PiClient(agent({"start": [error, {"$exit": 0}]})) as client:
        expected = Response(id=None, command="parse", success=False, data=None, error="Failed to parse")
        assert await heard(client) == [LateResponse(expected)]


async def test_a_request_goes_on_after_the_events_before_its_answer_and_before_those_after_it() -> None:
    script: Script = {"get_state": [level("before"), response("get_state"), level("after"), {"$exit": 0}]}
    order: list[object] = []

    async def ask() -> None:
        await client.request(GetState())
        order.append("answer")

    async with PiClient(agent(script)) as client, anyio.create_task_group() as asking:
        asking.start_soon(ask)
        async for batch in client.events():
            await anyio.lowlevel.checkpoint()
            order += batch
    assert order == [ThinkingLevelChanged(level="before"), "answer", ThinkingLevelChanged(level="after")]


async def test_the_loop_over_events_may_itself_ask() -> None:
    script: Script = {
        "start": [{"type": "agent_start"}],
        "get_state": [{"type": "turn_start"}, response("get_state", data={"sessionId": "s1"}), {"$exit": 0}],
    }
    seen: list[object] = []
    async with PiClient(agent(script)) as client:
        async for batch in client.events():
            seen += batch
            if AgentStart() in batch:
                seen.append((await client.request(GetState())).session_id)
    assert seen == [AgentStart(), "s1", TurnStart()]


async def test_events_have_one_listener() -> None:
    async with PiClient(agent({"start": [{"type": "agent_start"}]})) as client:
        async for _ in client.events():
            with pytest.raises(RuntimeError, match="already"):
                await anext(client.events())
            break


async def test_an_answer_to_a_dialog_is_written() -> None:
    script: Script = {"extension_ui_response": [{"type": "thinking_level_changed", "level": "$extension_ui_response"}]}
    async with PiClient(agent(script)) as client:
        await client.answer(AnswerConfirmed("d1", True))
        assert await anext(client.events()) == [ThinkingLevelChanged(level="d1")]


async def test_all_requests_fail_when_the_agent_ends_and_its_last_words_are_told() -> None:
    script: Script = {"get_state": [], "prompt": [{"$stderr": "out of\nmemory\n"}, {"$exit": 7}]}
    failures: list[ProcessExit] = []

    async def ask(command: PiCommand[object]) -> None:
        with pytest.raises(PiExited) as failure:
            await client.request(command)
        failures.append(failure.value.exit)

    async with PiClient(agent(script)) as client, anyio.create_task_group() as asking:
        asking.start_soon(ask, GetState())
        asking.start_soon(ask, Prompt("x"))
    end = ProcessExit(7, ("out of", "memory"))
    assert failures == [end, end]
    assert client.exit == end


async def test_after_the_end_a_request_fails_at_once() -> None:
    async with PiClient(agent({"start": [{"$exit": 3}]})) as client:
        assert await heard(client) == []
        with pytest.raises(PiExited):
            await client.request(GetState())
        with pytest.raises(PiExited):
            await client.answer(AnswerConfirmed("d1", True))


async def test_a_last_record_without_a_line_feed_counts() -> None:
    async with PiClient(agent({"start": [{"$raw": '{"type":"agent_start"}'}, {"$exit": 0}]})) as client:
        assert await heard(client) == [AgentStart()]


async def test_what_is_no_record_is_told_and_reading_goes_on() -> None:
    script: Script = {"start": [{"$raw": "added 12 packages\n"}, {"type": "agent_start"}, {"$exit": 0}]}
    async with PiClient(agent(script)) as client:
        assert await heard(client) == [Unknown(b"added 12 packages", "not JSON"), AgentStart()]


async def test_an_agent_that_does_not_read_blocks_neither_reading_nor_leaving() -> None:
    script: Script = {"start": [{"type": "agent_start"}, {"$deaf": True}]}
    async with PiClient(agent(script)) as client, anyio.create_task_group() as asking:
        asking.start_soon(client.request, Prompt("x" * 2_000_000))
        assert await anext(client.events()) == [AgentStart()]
        await until(lambda: client.blocked_since is not None)
        assert client.unsent == 1
        asking.cancel_scope.cancel()
    assert client.exit == ProcessExit(-15)


async def test_a_cancelled_request_that_was_not_begun_is_never_sent() -> None:
    script: Script = {"start": [{"$deaf": True}]}
    async with PiClient(agent(script)) as client, anyio.create_task_group() as asking:
        asking.start_soon(client.request, Prompt("x" * 2_000_000))
        await until(lambda: client.blocked_since is not None)
        with anyio.move_on_after(0.05):
            await client.request(GetState())
        assert client.unsent == 1
        asking.cancel_scope.cancel()


async def test_two_long_prompts_are_written_one_after_the_other() -> None:
    script: Script = {"prompt": [response("prompt", data={"disposition": "started"})]}
    answers = []

    async def ask(letter: str) -> None:
        answers.append(await client.request(Prompt(letter * 1_000_000)))

    async with PiClient(agent(script)) as client, anyio.create_task_group() as asking:
        asking.start_soon(ask, "a")
        asking.start_soon(ask, "b")
    assert [answer.disposition for answer in answers] == ["started", "started"]


async def test_a_listener_that_takes_nothing_holds_the_agent_back() -> None:
    flood = json.dumps(level("x" * 1_000)) + "\n"
    script: Script = {"start": [{"$raw": flood, "times": 4_000}, {"$stderr": "done"}, {"$exit": 0}]}
    transport = agent(script)
    async with PiClient(transport) as client:
        events = client.events()
        first = await anext(events)
        assert transport.stderr_tail() == ()
        rest = [event async for batch in events for event in batch]
    assert len(first) + len(rest) == 4_000
    assert client.exit == ProcessExit(0, ("done",))


async def test_an_error_inside_the_with_block_comes_out_as_itself() -> None:
    transport = agent({})
    with pytest.raises(KeyError):
        async with PiClient(transport):
            raise KeyError
    assert not lives(transport.process.pid)


async def test_a_cancelled_task_stays_cancelled() -> None:
    transport = agent({})
    entered = anyio.Event()

    async def listen() -> None:
        async with PiClient(transport) as client:
            entered.set()
            await heard(client)

    task = asyncio.get_running_loop().create_task(listen())
    await entered.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert not lives(transport.process.pid)


class Cut:
    """A conversation whose bytes come in given pieces."""

    live = True

    def __init__(self, pieces: list[bytes]) -> None:
        self._pieces = iter(pieces)

    async def receive(self) -> bytes:
        return next(self._pieces, b"")

    async def send(self, data: bytes) -> None:
        raise AssertionError(data)

    async def close(self) -> ProcessExit:
        return ProcessExit(0)


async def all_events(pieces: list[bytes]) -> list[Event]:
    async with PiClient(Cut(pieces)) as client:
        return await heard(client)


def expected(stream: bytes) -> list[Event]:
    values = [decode(line) for line in stream.split(b"\n") if line]
    return [LateResponse(value) if isinstance(value, Response) else value for value in values]


def output(trace: Path) -> bytes:
    lines = [json.loads(line) for line in trace.read_bytes().splitlines()]
    records = [line["record"] for line in lines if line["dir"] == "out" and "_raw" not in line["record"]]
    return b"".join(json.dumps(record, ensure_ascii=False).encode("utf-8", "replace") + b"\n" for record in records)


def pieces_of(stream: bytes, cuts: list[int]) -> list[bytes]:
    places = sorted({0, len(stream), *(cut % (len(stream) + 1) for cut in cuts)})
    return [stream[start:end] for start, end in pairwise(places)]


def test_a_conversation_one_byte_at_a_time_gives_the_same_events() -> None:
    stream = output(TRACES / "1.6.0" / "malformed.jsonl")
    assert anyio.run(all_events, pieces_of(stream, list(range(len(stream))))) == expected(stream)


@given(st.sampled_from(trace_files()), st.lists(st.integers(0, 2**20), max_size=50))
@settings(max_examples=30, deadline=None)
def test_a_conversation_cut_anywhere_gives_the_same_events(trace: Path, cuts: list[int]) -> None:
    stream = output(trace)
    assert anyio.run(all_events, pieces_of(stream, cuts)) == expected(stream)
