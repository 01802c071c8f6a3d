"""What the tests of the client share."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import anyio
import pytest

from pitui.rpc.transport import ProcessTransport

AGENT = Path(__file__).with_name("agent.py")
TRACES = Path(__file__).parents[1] / "traces"

Script = dict[str, list[dict[str, object]]]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def agent_argv(script: Script) -> list[str]:
    """How to start the scripted agent of `agent.py`."""
    return [sys.executable, "-S", str(AGENT), json.dumps(script)]


def agent(script: Script) -> ProcessTransport:
    """The scripted agent, started."""
    return ProcessTransport(agent_argv(script))


def trace_files() -> list[Path]:
    """All recorded conversations."""
    files = sorted(TRACES.glob("*/*.jsonl"))
    assert files, "no traces"
    return files


async def until(condition: Callable[[], bool]) -> None:
    """Wait for a condition, for ten seconds at most."""
    with anyio.fail_after(10):
        while not condition():  # noqa: ASYNC110 - what another process does has no event
            await anyio.sleep(0.01)


def lives(pid: int) -> bool:
    """Whether a process runs; a zombie does not."""
    try:
        stat = Path("/proc", str(pid), "stat").read_bytes()
    except FileNotFoundError:
        return False
    return stat[stat.rindex(b")") + 2 :][:1] not in (b"Z", b"X")


@pytest.fixture(autouse=True)
def unpaced(monkeypatch: pytest.MonkeyPatch) -> None:
    """Streams that come byte by byte are read without the pauses that keep a screen quick."""
    monkeypatch.setattr("pitui.rpc.client.PACE", 0.0)
