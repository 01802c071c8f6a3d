"""A conversation written down plays again as it was, and a damaged recording plays as far as it goes."""

from __future__ import annotations

import io
import json
import os
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import anyio
import pytest

from pitui.rpc.client import PiClient, PiExited, ReplayOnly
from pitui.rpc.commands import AnswerCancelled, GetState, Prompt
from pitui.rpc.events import (
    AgentEnd,
    AgentSettled,
    AgentStart,
    CommandSent,
    Event,
    LateResponse,
    Response,
    ThinkingLevelChanged,
    TurnStart,
    UiNotify,
    Unknown,
)
from pitui.rpc.process import ProcessExit
from pitui.rpc.stored import SessionHeader
from pitui.rpc.trace import Recorder, ReplayTransport
from tests.rpc.conftest import TRACES, Script, agent, trace_files

pytestmark = pytest.mark.anyio


async def played(source: Path | bytes, speed: float = 0) -> tuple[list[Event], ProcessExit | None]:
    """All events of a recording, and its end."""
    transport = ReplayTransport(source if isinstance(source, Path) else io.BytesIO(source), speed)
    async with PiClient(transport) as client:
        events = [event async for batch in client.events() for event in batch]
    return events, client.exit


def line(time: float, direction: str, record: dict[str, object]) -> bytes:
    return json.dumps({"t": time, "dir": direction, "record": record}).encode() + b"\n"


START: dict[str, object] = {"type": "agent_start"}
SETTLED: dict[str, object] = {"type": "agent_settled"}


# -- recording

ODDITIES: Script = {"prompt": [
    {"id": "$prompt", "type": "response", "command": "prompt", "success": True},
    {"$raw": "added 12 packages\n"},
    {"$raw": '\x1b]0;x\x07{"type":"agent_start"}\n'},
    {"$raw": '{"type":"thinking_level_changed","level":"half \\ud83d, raw \u2028 and \x85"}\r\n'},
    {"$raw": '{"type":"agent_dreamt","of":"sheep"}\n[1]\n'},
    {"$raw": '{"type":"agent_end","messages":' + "[" * 3_000 + "]" * 3_000 + "}\n"},
    {"type": "extension_ui_request", "id": "n", "method": "notify", "message": "x" * 100_000},
    {"$raw": '{"type":"agent_settled"}'},
    {"$stderr": "so long\n"},
    {"$exit": 9},
]}


async def recorded(path: Path) -> tuple[list[Event], ProcessExit | None]:
    async with PiClient(agent(ODDITIES), Recorder(path)) as client:
        await client.request(Prompt("naïve \ud83d 🙂"))
        events = [event async for batch in client.events() for event in batch]
    return events, client.exit


async def test_a_recorded_conversation_plays_again_as_it_was(tmp_path: Path) -> None:
    live, end = await recorded(tmp_path / "trace.jsonl")
    assert [type(event) for event in live] == [
        Unknown, AgentStart, ThinkingLevelChanged, Unknown, Unknown, AgentEnd, UiNotify, AgentSettled,
    ]
    again, end_again = await played(tmp_path / "trace.jsonl")
    sent = CommandSent({"type": "prompt", "id": "p1", "message": "naïve \ud83d 🙂"})
    answer = LateResponse(Response(id="p1", command="prompt", success=True, data=None, error=None))
    assert again == [sent, answer, *live]
    assert end_again == end == ProcessExit(9, ("so long",))


async def test_a_recording_is_one_json_object_a_line_in_time(tmp_path: Path) -> None:
    await recorded(tmp_path / "trace.jsonl")
    lines = [json.loads(line) for line in (tmp_path / "trace.jsonl").read_bytes().split(b"\n")[:-1]]
    assert {frozenset(line) for line in lines} == {frozenset({"t", "dir", "record"})}
    assert {line["dir"] for line in lines} == {"in", "out", "err"}
    assert all(isinstance(line["record"], dict) for line in lines)
    times = [line["t"] for line in lines]
    assert times == sorted(times)


def test_a_recording_is_the_owners_alone_and_never_overwrites(tmp_path: Path) -> None:
    path = tmp_path / "trace.jsonl"
    Recorder(path).close(ProcessExit(0))
    assert path.stat().st_mode & 0o777 == 0o600
    with pytest.raises(FileExistsError):
        Recorder(path)


def test_bytes_that_are_no_utf8_are_recorded_as_they_were(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path / "trace.jsonl", clock=lambda: 5.0)
    broken = b'{"type":"agent_start","x":"\xff"}'
    recorder.received(broken, AgentStart())
    recorder.close(ProcessExit(0))
    assert (tmp_path / "trace.jsonl").read_bytes().splitlines() == [
        b'{"t": 0.0000, "dir": "out", "record": {"_raw": "{\\"type\\":\\"agent_start\\",\\"x\\":\\"\\udcff\\"}"}}',
        b'{"t": 0.0000, "dir": "err", "record": {"exit": 0}}',
    ]


@contextmanager
def small_files() -> Iterator[None]:
    """No file may grow over 4 KB: writing more fails as on a full disk. Only while it must: the report of the tests
    may be a file as well.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4_096, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


async def test_a_full_disk_ends_the_recording_and_not_the_conversation(tmp_path: Path) -> None:
    with small_files():
        live, _ = await recorded(tmp_path / "trace.jsonl")
    assert Unknown(b"", "the recording stopped: File too large") in live
    assert AgentSettled(aborted=False) in live


# -- playing


@pytest.mark.parametrize("trace", trace_files(), ids=lambda path: f"{path.parent.name}/{path.stem}")
async def test_every_recording_plays_whole(trace: Path) -> None:
    events, end = await played(trace)
    lines = [json.loads(text) for text in trace.read_bytes().splitlines()]
    assert [event for event in events if isinstance(event, Unknown)] == []
    sent = [line["record"] for line in lines if line["dir"] == "in" and "_raw" not in line["record"]]
    assert [event.record for event in events if isinstance(event, CommandSent)] == sent
    assert len(events) - len(sent) == len([line for line in lines if line["dir"] == "out"])
    codes = [line["record"]["exit"] for line in lines if "exit" in line["record"] and line["dir"] == "err"]
    assert end is not None
    assert end.code == codes[-1]


async def test_a_replay_cannot_be_asked_anything() -> None:
    async with PiClient(ReplayTransport(io.BytesIO(line(0, "out", START)), 0)) as client:
        with pytest.raises(ReplayOnly):
            await client.request(GetState())
        with pytest.raises(ReplayOnly):
            await client.answer(AnswerCancelled("d1"))
        assert await anext(client.events()) == [AgentStart()]


async def test_a_recording_that_breaks_off_plays_as_far_as_it_goes() -> None:
    cut = line(1, "out", SETTLED)[:-20]
    events, end = await played(line(0, "out", START) + cut)
    assert events == [AgentStart(), Unknown(cut, "a broken line in the recording")]
    assert end == ProcessExit(None)


@pytest.mark.parametrize(
    "junk", [b"junk", b"[]", b'{"t": 1}', b'{"t": 1, "dir": "out", "record": 7}', b'{"dir":"out","record":{"x":NaN}}']
)
async def test_a_broken_line_is_told_and_passed_over(junk: bytes) -> None:
    events, _ = await played(line(0, "out", START) + junk + b"\n" + line(1, "out", SETTLED))
    assert events == [AgentStart(), Unknown(junk, "a broken line in the recording"), AgentSettled(aborted=False)]


async def test_an_empty_recording_says_so() -> None:
    assert await played(b"") == ([Unknown(b"", "the recording is empty")], ProcessExit(None))


async def test_a_recording_is_known_by_its_fields_in_any_order_and_spacing() -> None:
    text = b' {"record":{"type":"agent_start"} ,"dir":"out"}\r\n\n{"dir":"err","record":{"exit":3}}'
    assert await played(text) == ([AgentStart()], ProcessExit(3))


HEADER = b'{"type":"session","version":3,"id":"s1","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/p"}\n'


async def test_the_output_of_json_mode_plays_too() -> None:
    events, end = await played(HEADER + b'{"type":"agent_start"}\n{"type":"agent_settled"}')
    assert isinstance(events[0], SessionHeader)
    assert events[0].cwd == "/p"
    assert events[1:] == [AgentStart(), AgentSettled(aborted=False)]
    assert end == ProcessExit(None)


async def test_the_agents_bare_output_plays_too() -> None:
    events, _ = await played(TRACES / "1.6.0" / "unicode.stdout")
    assert len(events) == 96
    assert [event for event in events if isinstance(event, Unknown)] == []


async def test_a_pipe_plays_what_has_come_before_the_rest_is_there() -> None:
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb") as source, os.fdopen(writing, "wb", buffering=0) as feed:
        async with PiClient(ReplayTransport(source)) as client:
            events = client.events()
            feed.write(HEADER)
            assert [type(event) for event in await anext(events)] == [SessionHeader]
            feed.write(b'{"type":"turn_start"}\n')
            assert await anext(events) == [TurnStart()]
            feed.close()
            assert [batch async for batch in events] == []


async def test_without_pauses_hours_pass_at_once() -> None:
    with anyio.fail_after(10):
        events, _ = await played(line(0, "out", START) + line(90_000, "out", SETTLED), speed=0)
    assert events == [AgentStart(), AgentSettled(aborted=False)]


async def test_with_pauses_a_record_waits_for_its_time() -> None:
    recording = io.BytesIO(line(100, "out", START) + line(90_000, "out", SETTLED))
    async with PiClient(ReplayTransport(recording, speed=2)) as client:
        events = client.events()
        assert await anext(events) == [AgentStart()]
        with pytest.raises(TimeoutError), anyio.fail_after(0.1):
            await anext(events)


@pytest.mark.parametrize("speed", [-1, float("nan"), float("inf")])
def test_an_impossible_speed_is_refused(speed: float) -> None:
    with pytest.raises(ValueError, match="speed"):
        ReplayTransport(io.BytesIO(b""), speed)


def test_a_missing_recording_is_an_error_at_once(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        ReplayTransport(tmp_path / "none.jsonl")


async def test_after_a_replay_a_request_fails_like_after_any_end() -> None:
    async with PiClient(ReplayTransport(io.BytesIO(line(0, "err", {"exit": 1})), 0)) as client:
        assert [batch async for batch in client.events()] == [[Unknown(b"", "the recording is empty")]]
        with pytest.raises(PiExited):
            await client.request(GetState())
