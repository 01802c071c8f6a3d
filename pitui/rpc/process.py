"""The agent as a process of the operating system. Standard library only, so that it can be started before all else.

An agent has its own session, so that no key of our terminal reaches it, and carries a mark in its environment, so
that what it starts can be found again even when it has moved to a session of its own and its parent is gone. (Found in
/proc: where there is none, only the agent's process group is ended.)
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
import uuid
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

MARK = "PITUI_AGENT"
"""The environment variable that marks an agent and all it starts."""

PIPE_SIZE = 262_144
"""Bytes of the agent's stdout the system holds while a frame is painted: pi writes up to 190 KB in one."""

LINES, LINE_BYTES, TAIL_BYTES = 200, 4_096, 131_072
"""How much of stderr is kept: lines, bytes of one line, bytes in all."""

LEFTOVER_GRACE = 1.0
"""Seconds between SIGTERM and SIGKILL for what an agent leaves behind."""


@dataclass(frozen=True, slots=True)
class ProcessExit:
    """How an agent ended: its exit code (negative: a signal's number, None: unknown) and the last of its stderr."""

    code: int | None
    stderr: tuple[str, ...] = ()


class SpawnFailed(Exception):
    """The agent could not be started; the text says why in plain words."""


class StderrTail:
    """The last lines of a stream, raw and bounded."""

    def __init__(self) -> None:
        self._lines: deque[bytes] = deque(maxlen=LINES)
        self._rest = b""
        self._lock = threading.Lock()

    def feed(self, chunk: bytes) -> None:
        with self._lock:
            *lines, rest = (self._rest + chunk).split(b"\n")
            self._lines.extend(line.removesuffix(b"\r")[:LINE_BYTES] for line in lines[-LINES:])
            self._rest = rest[:LINE_BYTES]
            size = sum(map(len, self._lines))
            while size > TAIL_BYTES:
                size -= len(self._lines.popleft())

    def last(self, count: int) -> tuple[str, ...]:
        """The last lines as they came, escape sequences and all; bytes that are no UTF-8 as U+FFFD."""
        with self._lock:
            lines = [*self._lines, self._rest] if self._rest else list(self._lines)
        return tuple(line.decode("utf-8", "replace") for line in lines[-count:]) if count > 0 else ()


class AgentProcess:
    """A running agent, with all it starts. Raises SpawnFailed.

    Two threads of its own empty its stderr and wait for its end. When it ends, whatever it left running is ended, too.
    If this process ends in whatever way, SIGKILL included, a guard process sees to the same. `mark` is the environment
    entry of all of them.
    """

    def __init__(
        self, argv: Sequence[str], cwd: str | Path | None = None, env: Mapping[str, str] | None = None
    ) -> None:
        mark = uuid.uuid4().hex
        given = dict(os.environ if env is None else env)
        self._process = _spawn(argv, cwd, {**given, MARK: mark})
        self.mark = f"{MARK}={mark}"
        self.pid = self._process.pid
        self.stdin = _unblocked(self._process.stdin)
        self.stdout = _unblocked(self._process.stdout)
        self._code: int | None = None
        self._ended = threading.Event()
        self._tail = StderrTail()
        self._guard = _Guard(self.pid, self.mark, given)
        self._drain = threading.Thread(target=self._drain_stderr, daemon=True)
        self._drain.start()
        threading.Thread(target=self._wait_for_end, daemon=True).start()

    @property
    def ended(self) -> bool:
        """The agent and all it started are gone."""
        return self._ended.is_set()

    def wait(self, seconds: float) -> bool:
        """Wait so long for the end; whether it has come."""
        return self._ended.wait(seconds)

    @property
    def code(self) -> int | None:
        """The exit code once ended; negative: a signal's number."""
        return self._code

    def stderr_tail(self, count: int = 20) -> tuple[str, ...]:
        """The last lines of stderr, raw: they may hold escape sequences."""
        return self._tail.last(count)

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to the agent and to all it started."""
        if self.ended:
            return
        with contextlib.suppress(ProcessLookupError, PermissionError):  # macOS: the group holds only zombies.
            os.killpg(self.pid, number)
        for pid, group in self._living().items():
            if group != self.pid:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, number)

    def kill_now(self) -> None:
        """SIGKILL for the agent and all it started, at once: for signal handlers and `atexit`."""
        self.signal(signal.SIGKILL)

    def _living(self) -> dict[int, int]:
        """The agent and all it started, with their process groups."""
        return _family(self.pid, self.mark)

    def _drain_stderr(self) -> None:
        assert self._process.stderr
        with self._process.stderr as stream:
            while chunk := os.read(stream.fileno(), 65_536):
                self._tail.feed(chunk)

    def _wait_for_end(self) -> None:
        if hasattr(os, "waitid"):
            # Not reaped yet: so long its number, which is the group's, cannot be given to another process.
            os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOWAIT)
            self._end_leftovers()
            self._code = self._process.wait()
        else:
            self._code = self._process.wait()
            self._end_leftovers()
        self._drain.join(0.5)
        self._guard.dismiss()
        self._ended.set()

    def _end_leftovers(self) -> None:
        deadline = time.monotonic() + LEFTOVER_GRACE
        self.signal(signal.SIGTERM)
        while self._living() and time.monotonic() < deadline:
            time.sleep(0.02)
        self.signal(signal.SIGKILL)


def _spawn(argv: Sequence[str], cwd: str | Path | None, env: dict[str, str]) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(
            list(argv), cwd=cwd, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            bufsize=0, start_new_session=True,
        )
    except (OSError, ValueError, IndexError) as error:
        raise SpawnFailed(_why(argv, cwd, env, error)) from error


def _unblocked(pipe: IO[bytes] | None) -> IO[bytes]:
    """Our end of a pipe, never blocking, and enlarged where the system has a call for that and allows it."""
    assert pipe
    os.set_blocking(pipe.fileno(), False)
    if resize := getattr(fcntl, "F_SETPIPE_SZ", None):
        with contextlib.suppress(OSError):
            fcntl.fcntl(pipe, resize, PIPE_SIZE)
    return pipe


def _why(argv: Sequence[str], cwd: str | Path | None, env: Mapping[str, str], error: Exception) -> str:
    if not argv or not argv[0]:
        return "no command was given to start the agent"
    program = argv[0]
    if cwd is not None and not Path(cwd).is_dir():
        return f"the folder {cwd} does not exist"
    match error:
        case FileNotFoundError() if shutil.which(program, path=env.get("PATH")):
            return f"{program} is there, but what should run it (its first line names it) is not"
        case FileNotFoundError():
            return f"{program} was not found"
        case PermissionError() if cwd is not None and error.filename == os.fspath(cwd):
            return f"the folder {cwd} may not be entered"
        case PermissionError():
            return f"{program} may not be executed"
        case OSError():
            return f"{program} could not be started: {error.strerror or error}"
    return f"{program} could not be started: {error}"


# -- what an agent started


def _family(leader: int, mark: str) -> dict[int, int]:
    """Who lives of the leader's group or session, of those with the mark, and of all descendants; with their groups."""
    table = {} if not sys.platform.startswith("linux") else dict(_table())
    found = {
        pid for pid, (_, group, session) in table.items() if leader in (group, session) or _is_marked(pid, mark)
    }
    fresh = found
    while fresh:
        fresh = {pid for pid, (parent, _, _) in table.items() if parent in fresh and pid not in found}
        found |= fresh
    return {pid: table[pid][1] for pid in found}


def _table() -> Iterator[tuple[int, tuple[int, int, int]]]:
    """Every living process of this system: its number, and its parent's, group's and session's."""
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            with contextlib.suppress(OSError):  # It ended in the meantime.
                stat = (folder / "stat").read_bytes()
                # The name, in parentheses, may hold anything.
                state, parent, group, session = stat[stat.rindex(b")") + 2 :].split(maxsplit=4)[:4]
                if state not in b"ZX":
                    yield int(folder.name), (int(parent), int(group), int(session))


def _is_marked(pid: int, mark: str) -> bool:
    try:
        return mark.encode() in Path("/proc", str(pid), "environ").read_bytes()
    except OSError:
        return False  # Another user's, or gone.


# -- the guard

_GUARD = """
trap '' HUP INT QUIT TERM
read -r _ && exit 0
strays() { grep -lsF "$2" /proc/[0-9]*/environ | while IFS=/ read -r _ _ pid _; do echo "$pid"; done; }
alive() { kill -0 "-$1" || [ -n "$(strays "$@")" ]; }
hit() { number=$1; shift; kill "-$number" "-$1"; for pid in $(strays "$@"); do kill "-$number" "$pid"; done; }
wait_for_end() { for _ in 1 2 3 4 5 6 7 8 9 10; do alive "$@" || exit 0; sleep 0.1 || sleep 1; done; }
wait_for_end "$@"
hit TERM "$@"
wait_for_end "$@"
hit KILL "$@"
"""
"""Waits for a line, which means that all is well, or for the end of its input, which means that we are gone: then the
agent, whose input has ended too, has a second to leave, and another after SIGTERM. A shell starts in 1 ms."""


class _Guard:
    """A process that ends the agent if we end without having done so."""

    def __init__(self, group: int, mark: str, env: Mapping[str, str]) -> None:
        try:
            self._process: subprocess.Popen[bytes] | None = subprocess.Popen(
                ["/bin/sh", "-c", _GUARD, "pitui-guard", str(group), mark],
                # Without the mark of an agent that we may ourselves be part of: it must outlive that one's end.
                env={name: value for name, value in env.items() if name != MARK},
                stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
            )
        except OSError:
            self._process = None  # No shell: the agent still sees its input end.

    def dismiss(self) -> None:
        """The agent is gone; so may the guard be."""
        if self._process is not None:
            self._process.communicate(b"\n")
