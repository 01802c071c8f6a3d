"""An agent starts or says why not, never sees our terminal, and nothing of it is left when it or we are gone."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import anyio
import pytest

from pitui.rpc.client import PiClient
from pitui.rpc.events import ThinkingLevelChanged, Unknown
from pitui.rpc.process import AgentProcess, ProcessExit, SpawnFailed, StderrTail
from pitui.rpc.transport import ProcessTransport, TransportClosed
from tests.rpc.conftest import Script, agent, agent_argv, lives, until

pytestmark = pytest.mark.anyio


@pytest.fixture
def strays() -> Iterator[list[int]]:
    """Processes that a failed test must not leave behind."""
    pids: list[int] = []
    yield pids
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


async def read_all(transport: ProcessTransport) -> bytes:
    chunks = []
    while chunk := await transport.receive():
        chunks.append(chunk)
    return b"".join(chunks)


async def brood_of(transport: ProcessTransport) -> list[int]:
    """The agent and the children it has started."""
    async with PiClient(transport) as client:
        (event,) = await anext(client.events())
        assert isinstance(event, Unknown)
        return [int(pid) for pid in json.loads(event.record)["pids"]]


# -- starting


@pytest.mark.parametrize(
    ("argv", "cwd", "words"),
    [
        (["/no/such/pi"], None, "/no/such/pi was not found"),
        (["no-such-pi"], None, "no-such-pi was not found"),
        ([sys.executable], "/no/such/folder", "the folder /no/such/folder does not exist"),
        ([], None, "no command was given to start the agent"),
        (["pi\0"], None, "pi\0 could not be started: embedded null byte"),
    ],
)
def test_an_agent_that_cannot_start_says_why(argv: list[str], cwd: str | None, words: str) -> None:
    with pytest.raises(SpawnFailed) as failure:
        AgentProcess(argv, cwd)
    assert str(failure.value) == words


def test_a_file_that_may_not_be_executed_is_named(tmp_path: Path) -> None:
    program = tmp_path / "pi"
    program.write_text("text")
    with pytest.raises(SpawnFailed, match="pi may not be executed"):
        AgentProcess([str(program)])


def test_a_script_without_its_interpreter_is_told_from_a_missing_one(tmp_path: Path) -> None:
    program = tmp_path / "pi"
    program.write_text("#!/no/such/node\n")
    program.chmod(0o755)
    with pytest.raises(SpawnFailed, match="is there, but what should run it"):
        AgentProcess([str(program)])


async def test_an_agent_has_its_folder_its_environment_and_its_own_session(tmp_path: Path) -> None:
    code = "import os; print(os.getcwd(), os.environ['COLOUR'], os.getsid(0) == os.getpid())"
    transport = ProcessTransport([sys.executable, "-c", code], tmp_path, {**os.environ, "COLOUR": "red"})
    output = await read_all(transport)
    await transport.close()
    assert output.decode() == f"{tmp_path} red True\n"


async def test_an_agent_started_before_everything_else_can_be_talked_to() -> None:
    process = AgentProcess(agent_argv({"start": [{"type": "thinking_level_changed", "level": "low"}, {"$exit": 0}]}))
    async with PiClient(ProcessTransport.around(process)) as client:
        assert await anext(client.events()) == [ThinkingLevelChanged(level="low")]


# -- stderr


async def test_a_flood_of_stderr_neither_blocks_the_agent_nor_fills_the_memory() -> None:
    line = "debug \x1b[31mred\x1b[0m " + "x" * 80 + "\n"
    script: Script = {"start": [
        {"$stderr": line, "times": 20_000}, {"$stderr": "SyntaxError: too old\n"}, {"$exit": 1},
    ]}
    transport = agent(script)
    assert await read_all(transport) == b""
    end = await transport.close()
    assert end.code == 1
    assert end.stderr[-2:] == (line.rstrip("\n"), "SyntaxError: too old")
    assert len(transport.stderr_tail(10_000)) == 200


def test_the_tail_of_stderr_is_bounded_in_bytes_too() -> None:
    tail = StderrTail()
    for _ in range(300):
        tail.feed(b"y" * 100_000 + b"\n")
    tail.feed(b"z" * 100_000)
    kept = tail.last(1_000)
    assert set(map(len, kept)) == {4_096}
    assert sum(map(len, kept)) <= 131_072 + 4_096
    assert tail.last(0) == ()


def test_stderr_lines_come_whole_however_they_were_cut() -> None:
    tail = StderrTail()
    for byte in "née\r\nlast".encode():
        tail.feed(bytes([byte]))
    assert tail.last(5) == ("née", "last")


# -- ending


async def test_an_agent_that_ends_with_its_input_is_not_killed() -> None:
    transport = agent({})
    assert await transport.close() == ProcessExit(0)


async def test_closing_twice_gives_the_same_end() -> None:
    transport = agent({"end": [{"$exit": 4}]})
    assert [await transport.close(), await transport.close()] == [ProcessExit(4), ProcessExit(4)]


async def test_an_agent_with_much_left_to_say_is_heard_out_at_the_end() -> None:
    transport = agent({"end": [{"$raw": "x" * 1_000, "times": 2_000}, {"$exit": 5}]})
    assert await transport.close() == ProcessExit(5)


async def test_an_agent_that_ignores_everything_is_killed() -> None:
    script: Script = {"start": [
        {"$ignore": "SIGTERM"}, {"type": "thinking_level_changed", "level": "x"}, {"$deaf": True},
    ]}
    transport = agent(script)
    assert await transport.receive()
    assert await transport.close() == ProcessExit(-signal.SIGKILL)


async def test_closing_cannot_be_cancelled_half_way() -> None:
    transport = agent({})
    with anyio.CancelScope() as scope:
        scope.cancel()
        await transport.close()
    assert not lives(transport.process.pid)


async def test_what_an_agent_leaves_behind_is_ended_with_it(strays: list[int]) -> None:
    strays += await brood_of(agent({"start": [{"$brood": True}]}))
    assert len(strays) == 4
    assert [pid for pid in strays if lives(pid)] == []


async def test_a_killed_agent_leaves_nothing_behind_either(strays: list[int]) -> None:
    transport = agent({"start": [{"$brood": True}, {"$deaf": True}]})
    async with PiClient(transport) as client:
        events = client.events()
        (event,) = await anext(events)
        assert isinstance(event, Unknown)
        strays += json.loads(event.record)["pids"]
        os.kill(transport.process.pid, signal.SIGKILL)
        assert [batch async for batch in events] == []
    assert client.exit == ProcessExit(-signal.SIGKILL)
    assert [pid for pid in strays if lives(pid)] == []


async def test_all_can_be_killed_at_once(strays: list[int]) -> None:
    transport = agent({"start": [{"$ignore": "SIGTERM"}, {"$brood": True}, {"$deaf": True}]})
    strays += json.loads(await transport.receive())["pids"]
    transport.kill_now()
    await until(lambda: not any(map(lives, strays)))
    assert (await transport.close()).code == -signal.SIGKILL


async def test_writing_to_an_agent_that_is_gone_says_so() -> None:
    transport = agent({"start": [{"$exit": 0}]})
    await until(lambda: transport.process.ended)
    with pytest.raises(TransportClosed):
        await transport.send(b"{}\n")
    await transport.close()
    with pytest.raises(TransportClosed):
        await transport.send(b"{}\n")


# -- our own end

HOST = """
import os, sys
from pitui.rpc.process import AgentProcess
agent = AgentProcess(sys.argv[1:])
os.set_blocking(agent.stdout.fileno(), True)
os.write(1, agent.stdout.readline())
sys.stdin.read()
"""


def host(script: Script) -> subprocess.Popen[bytes]:
    """Another process that has started an agent, as we do."""
    return subprocess.Popen(
        [sys.executable, "-c", HOST, *agent_argv(script)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP])
async def test_whatever_kills_us_ends_the_agent_and_all_it_started(number: signal.Signals, strays: list[int]) -> None:
    with host({"start": [{"$brood": True}]}) as parent:
        assert parent.stdout
        strays += json.loads(parent.stdout.readline())["pids"]
        assert all(map(lives, strays))
        parent.send_signal(number)
    await until(lambda: not any(map(lives, strays)))


async def test_even_an_agent_that_ignores_everything_ends_when_we_are_killed(strays: list[int]) -> None:
    with host({"start": [{"$ignore": "SIGTERM"}, {"$brood": True}, {"$deaf": True}]}) as parent:
        assert parent.stdout
        strays += json.loads(parent.stdout.readline())["pids"]
        parent.kill()
    await until(lambda: not any(map(lives, strays)))


def guards_of(mark: str) -> list[int]:
    found = []
    for folder in Path("/proc").iterdir():
        with suppress(OSError):
            if folder.name.isdecimal() and mark.encode() in (folder / "cmdline").read_bytes():
                found.append(int(folder.name))
    return found


async def test_no_guard_is_left_when_the_agent_is_gone() -> None:
    transport = agent({})
    mark = transport.process.mark
    assert len(guards_of(mark)) == 1
    await transport.close()
    assert guards_of(mark) == []


@pytest.mark.parametrize(
    ("module", "absent"),
    [
        ("pitui.rpc.process", {"anyio", "asyncio", "pydantic", "textual", "rich"}),
        ("pitui.rpc.client", {"textual", "rich", "pitui.session"}),
        ("pitui.rpc.trace", {"textual", "rich", "pitui.session"}),
    ],
)
def test_a_module_of_the_protocol_loads_nothing_it_must_not(module: str, absent: set[str]) -> None:
    code = f"import sys, {module}; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert module in loaded
    assert absent.isdisjoint(loaded)


def test_the_public_names_are_there() -> None:
    import pitui.rpc

    assert all(getattr(pitui.rpc, name).__name__ == name for name in pitui.rpc.__all__)
