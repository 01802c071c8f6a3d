"""The whole of pitui in a terminal of 120x40, on an agent that costs next to nothing, watched from outside."""

from __future__ import annotations

import os
import shlex
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property, partial
from pathlib import Path

from tests.bench import corpus
from tests.bench.terminal import COLUMNS, ROWS, Terminal

ROOT = Path(__file__).resolve().parents[2]
AGENT = Path(__file__).with_name("agent.py")
READY = rb"Stub"
"""On the screen once the agent has answered."""
COMPOSER = "›".encode()
"""On the screen from the first paint on."""
END = "THE-END-OF-IT"
"""The last word of every answer and of the long session."""
ECHO = b"Z{%d}"
"""On the screen once so many Z were typed."""
MESSAGES = 10_000

Numbers = dict[str, float]

BARE = """
from textual.app import App
from textual.widgets import Static
{imports}
class Bare(App):
    def compose(self):
        yield Static("›", markup=False)
Bare().run()
"""


def quiet(terminal: Terminal, still: float = 0.4, most: float = 30.0) -> None:
    """Wait until the program has used no processor time for `still` seconds."""
    waited = calm = 0.0
    before = terminal.cpu()
    while calm < still and waited < most:
        terminal.run_for(0.1)
        now = terminal.cpu()
        calm, before, waited = 0.0 if now > before else calm + 0.1, now, waited + 0.1


class Program:
    """Starts pitui, kept out of the person's own files. `folder` is its home."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.project = folder / "project"
        self.project.mkdir(exist_ok=True)
        everything = "import pitui.app, pitui.warmth, textual.widgets; pitui.warmth.warm_up().join()"
        subprocess.run([sys.executable, "-c", everything], env={**os.environ, **self.environment}, check=True)

    @cached_property
    def environment(self) -> dict[str, str]:
        kinds = ("CONFIG", "STATE", "DATA", "CACHE")
        return {
            "HOME": str(self.folder), "PI_CODING_AGENT_DIR": str(self.folder / "agent"), "COLORTERM": "truecolor",
            "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(self.folder / "pyc"),
            **{f"XDG_{kind}_HOME": str(self.folder / kind.lower()) for kind in kinds},
        }

    def answer(self, name: str, text: Callable[[], str]) -> Path:
        """The records of an answer, written once."""
        path = self.folder / f"{name}.jsonl"
        if not path.exists():
            path.write_bytes(b"".join(corpus.streamed(f"{text()}\n\n{END}")))
        return path

    @property
    def markdown(self) -> Path:
        return self.answer("markdown", partial(corpus.markdown, 100_000))

    def session(self, messages: int) -> tuple[str, ...]:
        """The options that open a session of so many messages, the last of which ends with `END`."""
        path = self.folder / f"session-{messages}.jsonl"
        if not path.exists():
            path.write_bytes(b"".join(corpus.stored(messages, str(self.project), END)))
        return ("--session", str(path))

    @contextmanager
    def start(self, records: Path, rate: float = 0.0, more: tuple[str, ...] = ()) -> Iterator[Terminal]:
        """pitui, just spawned; `records` is what a prompt is answered with."""
        agent = shlex.join([sys.executable, "-S", str(AGENT), str(records), str(rate)])
        command = [sys.executable, "-m", "pitui", "--agent", agent, "--cwd", str(self.project), *more]
        with Terminal(command, self.environment, self.project) as terminal:
            yield terminal

    @contextmanager
    def ready(self, records: Path, rate: float = 0.0, messages: int = 0) -> Iterator[Terminal]:
        """pitui with all it loads at the start loaded."""
        with self.start(records, rate, self.session(messages) if messages else ()) as terminal:
            terminal.wait_for(READY)
            quiet(terminal)
            yield terminal


def streaming(program: Program, name: str, text: Callable[[], str], rate: float = 0.0) -> Numbers:
    """One answer, from the prompt's Enter until nothing moves any more."""
    with program.ready(program.answer(name, text), rate) as terminal:
        cpu, written, start = terminal.cpu(), terminal.written, time.perf_counter()
        terminal.type("go\r")
        terminal.wait_for(END.encode(), 300)
        wall = time.perf_counter() - start
        quiet(terminal)
        used = terminal.cpu() - cpu
        return {"cpu s": used, "core %": 100 * used / wall, "KB written": (terminal.written - written) / 1e3}


def typing(program: Program, messages: int = 0) -> Numbers:
    """From a key written to the terminal to its echo, while nothing else happens."""
    with program.ready(program.markdown, messages=messages) as terminal:
        return terminal.echoes("Z", ECHO)


def typing_beside(program: Program, records: Path, rate: float, messages: int = 0, keys: int = 100) -> Numbers:
    """The same while an answer streams in."""
    with program.ready(records, rate, messages) as terminal:
        terminal.type("go\r")
        terminal.run_for(0.3)
        return terminal.echoes("Z", ECHO, keys)


def opening(program: Program, messages: int) -> Numbers:
    """A long session: its last words on the screen after the start, memory, a page up, and another width."""
    with program.start(program.markdown, more=program.session(messages)) as terminal:
        terminal.wait_for(END.encode())
        shown, used = time.perf_counter() - terminal.started, terminal.cpu()
        quiet(terminal)
        memory, cpu = terminal.resident(), terminal.cpu()
        for _ in range(40):
            terminal.type("\x1b[5~")
            terminal.run_for(0.05)
        quiet(terminal)
        page = (terminal.cpu() - cpu) / 40
        widths = [_resized(terminal, columns) for columns in (100, COLUMNS, 80, COLUMNS, 90)]
        return {
            "on the screen ms": 1e3 * shown, "its cpu ms": 1e3 * used, "rss MB": memory, "page cpu ms": 1e3 * page,
            "resize ms": 1e3 * statistics.median(widths),
        }


def _resized(terminal: Terminal, columns: int) -> float:
    """Seconds until the last row has the new width: the status bar is the last that is drawn."""
    terminal.resize(columns, ROWS)
    waited = terminal.wait_for(rb"\x1b\[%d;1H" % ROWS)
    terminal.run_for(0.5)
    return waited


def idling(program: Program, seconds: float = 5.0) -> Numbers:
    """Wake-ups, processor time and bytes while nothing happens."""
    with program.ready(program.markdown) as terminal:
        terminal.run_for(3.0)
        before = terminal.wakeups(), terminal.cpu(), terminal.written
        terminal.run_for(seconds)
        after = terminal.wakeups(), terminal.cpu(), terminal.written
    wakeups, cpu, written = (late - early for late, early in zip(after, before, strict=True))
    return {"wakeups/s": wakeups / seconds, "cpu %": 100 * cpu / seconds, "bytes": float(written)}


def starting(program: Program) -> Numbers:
    """Processor time from spawn to the first paint: pitui's, and that of a Textual app with one line in it."""
    cpu = []
    for imports in ("", "import pitui.app"):
        with Terminal([sys.executable, "-c", BARE.format(imports=imports)], program.environment) as terminal:
            terminal.wait_for(COMPOSER)
            cpu.append(terminal.cpu())
    with program.start(program.markdown) as terminal:
        terminal.wait_for(COMPOSER)
        ours = terminal.cpu()
    return {"cpu s": ours, "x bare": ours / cpu[0], "x bare with its imports": ours / cpu[1]}
