"""pi's own terminal interface, its RPC mode alone, and pitui on it: one stream from one model server."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.bench import corpus
from tests.bench.program import ECHO, END, ROOT, Numbers, quiet
from tests.bench.terminal import Terminal
from tests.real.agents import CACHE, NODE, PACKAGE, VERSIONS, Home, make_home
from tests.real.model_server import Json, ModelServer

SIZE = 100_000
OFF = 0.02
"""How far a stream may be from its rate."""
MODEL = rb"[Mm]ock-[Tt]hink"
"""On the screen of either once the agent is up."""


def script() -> Path | None:
    """pi's own script: `PI_CLI` in the environment, else the newest version the tests have installed, else None."""
    given = os.environ.get("PI_CLI")
    path = Path(given) if given else CACHE / VERSIONS[0] / "node_modules" / PACKAGE / "dist" / "cli.js"
    return path if path.exists() else None


def streaming(rate: float = 0.0) -> Numbers:
    """Processor seconds of one 100 KB answer at `rate` deltas a second (0: at full speed): pi's interface, pi's RPC
    mode, pitui with its agent.
    """
    with _served(rate) as home:
        tui = _in_terminal(home)
    with _served(rate) as home:
        rpc = _alone(home)
    with _served(rate) as home:
        ours, agent = _pitui(home)
    return {
        "pi's TUI cpu s": tui, "pi's RPC mode cpu s": rpc, "pitui cpu s": ours, "pitui's agent cpu s": agent,
        "pitui / pi's TUI net of its agent": ours / max(0.01, tui - rpc),
        "pitui and agent / pi's TUI": (ours + agent) / tui,
    }


def typing(rate: float) -> Numbers:
    """From a key written to pi's interface to its echo, while an answer streams in."""
    with _served(rate) as home, _tui(home) as terminal:
        terminal.type("go\r")
        terminal.run_for(0.3)
        found = terminal.echoes("Z", ECHO)
        terminal.wait_for(END.encode(), 120)
        return found


@contextmanager
def _served(rate: float) -> Iterator[Home]:
    """A home whose model answers once; raises if it did not keep to the rate."""
    pace: Json = {"rate": rate} if rate else {"burst": True}
    reply: Json = {"steps": [{"text": f"{corpus.markdown(SIZE)}\n\n{END}", "chunk": 12, **pace}]}
    with tempfile.TemporaryDirectory() as folder, ModelServer([reply]) as server:
        yield make_home(Path(folder) / "home", server.port)
        if rate and not any(abs(reached / rate - 1) < OFF for reached in server.rates):
            raise RuntimeError(f"the model server was to send {rate:g} deltas a second, not {server.rates}")


def _pi(*more: str) -> list[str]:
    return [str(NODE), str(script()), "--offline", *more]


def _used(terminal: Terminal, cpu: Callable[[], float]) -> float:
    terminal.type("go")
    terminal.run_for(0.2)
    before = cpu()
    terminal.type("\r")
    terminal.wait_for(END.encode(), 120)
    quiet(terminal, still=1.0)
    return cpu() - before


@contextmanager
def _tui(home: Home) -> Iterator[Terminal]:
    """pi's own interface with all it loads at the start loaded."""
    with Terminal(_pi(), home.environment, home.project) as terminal:
        terminal.wait_for(MODEL, 60)
        quiet(terminal, still=1.0)
        yield terminal


def _in_terminal(home: Home) -> float:
    with _tui(home) as terminal:
        return _used(terminal, terminal.cpu)


def _pitui(home: Home) -> tuple[float, float]:
    command = [
        sys.executable, "-m", "pitui", "--agent", shlex.join([str(NODE), str(script()), "--mode", "rpc"]), "--offline",
    ]
    with Terminal(command, {**home.environment, "PYTHONPATH": str(ROOT)}, home.project) as terminal:
        terminal.wait_for(MODEL, 60)
        quiet(terminal, still=1.0)
        agent = next(pid for pid in children(terminal.pid) if Path(f"/proc/{pid}/exe").resolve() == NODE.resolve())
        before = cpu_of(agent)
        ours = _used(terminal, terminal.cpu)
        return ours, cpu_of(agent) - before


def _alone(home: Home) -> float:
    with subprocess.Popen(
        _pi("--mode", "rpc"), cwd=home.project, env=home.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as process:
        assert process.stdin
        assert process.stdout
        try:
            _ask(process.stdin.fileno(), "get_state")
            process.stdout.readline()
            time.sleep(1.0)
            before = cpu_of(process.pid)
            _ask(process.stdin.fileno(), "prompt", message="go")
            while b'"agent_settled"' not in process.stdout.readline():
                continue
            return cpu_of(process.pid) - before
        finally:
            process.kill()


def _ask(pipe: int, kind: str, **more: str) -> None:
    os.write(pipe, json.dumps({"id": kind, "type": kind, **more}).encode() + b"\n")


def cpu_of(pid: int) -> float:
    """Processor seconds that process has used so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def children(pid: int) -> list[int]:
    """The processes that process has started."""
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        found += map(int, (task / "children").read_text().split())
    return found
