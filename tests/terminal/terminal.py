"""A terminal for one program: a pseudo-terminal, with pyte as its screen, and what was written to it as bytes."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

import pyte

PITUI = (sys.executable, "-m", "pitui", "--demo")
PATIENCE = 30.0
"""Seconds anything may take that has no deadline of its own."""

_STRANGE = re.compile(rb"\x1b\[[<>=?][\d;]*\$?[a-zA-Z]|\x1b\[[\d;]*t|\x1b_[^\x1b]*\x1b\\")
_KNOWN = re.compile(rb"\x1b\[\?[\d;]*[hl]")
_CUT = re.compile(rb"\x1b(?:\[[\d;<>=?$]*|_[^\x1b]*\x1b?)?\Z")


class Terminal:
    """`command` in a terminal of `columns` and `rows`, as the leader of its session, as in a new window.

    `environ` is added to the environment. Nothing answers the program's questions but the test.
    """

    def __init__(
        self, command: Sequence[str] = PITUI, environ: Mapping[str, str] | None = None, columns: int = 80,
        rows: int = 24, folder: Path | None = None, stdin: Path | None = None, without: Sequence[str] = (),
    ) -> None:
        self.mark = f"PITUI_TEST={uuid.uuid4().hex}"
        self.raw = bytearray()
        self._rest = b""
        self.screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self.screen)
        name, value = self.mark.split("=")
        given = {**os.environ, "TERM": "xterm-256color", "PITUI_DEMO_SPEED": "8", **(environ or {}), name: value}
        for unwanted in ("NO_COLOR", "COLORTERM", "COLORFGBG", "TMUX", "SSH_CONNECTION", "SSH_TTY", "DISPLAY",
                         "WAYLAND_DISPLAY", "VISUAL", "EDITOR", "COLUMNS", "LINES", *without):
            if unwanted not in (environ or {}):
                given.pop(unwanted, None)
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            self._become(command, given, folder, stdin, (rows, columns))
        self.resize(columns, rows)
        self._status: int | None = None

    @staticmethod
    def _become(
        command: Sequence[str], environ: Mapping[str, str], folder: Path | None, stdin: Path | None,
        size: tuple[int, int],
    ) -> None:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", *size, 0, 0))
        if folder is not None:
            os.chdir(folder)
        if stdin is not None:
            os.dup2(os.open(stdin, os.O_RDONLY), 0)
        os.execvpe(command[0], list(command), environ)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for pid in self.processes():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        if self._status is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        self.hang_up()

    # -- what a person does

    def send(self, data: str | bytes) -> None:
        """Bytes from the keyboard, or from the terminal itself."""
        os.write(self.fd, data.encode() if isinstance(data, str) else data)

    def resize(self, columns: int, rows: int) -> None:
        self.screen.resize(rows, columns)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def hang_up(self) -> None:
        """Close the window."""
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1

    def kill(self, number: signal.Signals) -> None:
        os.kill(self.pid, number)

    # -- what a person sees

    def pump(self, seconds: float = 0.05) -> None:
        """Read what is written within `seconds`."""
        if self.fd < 0:
            time.sleep(seconds)
            return
        if select.select([self.fd], [], [], seconds)[0]:
            try:
                data = os.read(self.fd, 65_536)
            except OSError:  # The program and all its children have closed the terminal.
                time.sleep(seconds)
                return
            self.raw += data
            self._draw(data)

    def _draw(self, data: bytes) -> None:
        """pyte prints the end of sequences that it does not know, and has but one screen: both are empty at first."""
        data = self._rest + data
        cut = _CUT.search(data)
        self._rest, data = (data[cut.start() :], data[: cut.start()]) if cut else (b"", data)
        data = re.sub(rb"\x1b\[\?1049[hl]", b"\x1b[2J\x1b[H", data)
        self._stream.feed(_STRANGE.sub(lambda found: found[0] if _KNOWN.fullmatch(found[0]) else b"", data))

    @property
    def text(self) -> str:
        return "\n".join(line.rstrip() for line in self.screen.display)

    def wait_for(self, text: str, seconds: float = PATIENCE) -> None:
        """Until `text` is on the screen, on one row or wrapped at its blanks."""
        self.wait_until(lambda: text in self.text or text in " ".join(self.text.split()), seconds,
                        f"{text!r} is not on the screen")

    def wait_until(self, condition: Callable[[], bool], seconds: float = PATIENCE, complaint: str = "") -> None:
        end = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > end:
                raise TimeoutError(f"{complaint or 'it did not come to that'}:\n{self.text}")
            self.pump()

    def run_for(self, seconds: float) -> None:
        """Go on reading for so long."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self.pump(left)

    def settle(self, seconds: float = 0.3) -> None:
        """Until nothing was written for so long; raises TimeoutError when something always is."""
        sizes = [-1]

        def silent() -> bool:
            sizes.append(len(self.raw))
            self.pump(seconds)
            return len(self.raw) == sizes[-1]

        self.wait_until(silent, complaint="it never falls silent")

    # -- how it ends

    def status(self, seconds: float = PATIENCE) -> int:
        """The exit status as a shell has it, once the program is gone."""
        self.wait_until(self._ended, seconds, "it goes on")
        assert self._status is not None
        return self._status

    def _ended(self) -> bool:
        if self._status is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                code = os.waitstatus_to_exitcode(status)
                self._status = code if code >= 0 else 128 - code
        return self._status is not None

    def processes(self) -> list[int]:
        """All that live of what was started here."""
        found = []
        for folder in Path("/proc").iterdir():
            if folder.name.isdecimal():
                with contextlib.suppress(OSError):
                    if self.mark.encode() in (folder / "environ").read_bytes():
                        found.append(int(folder.name))
        return found

    def wait_for_nobody(self, seconds: float = PATIENCE) -> None:
        self.wait_until(lambda: not self.processes(), seconds, f"{self.processes()} live on")

    # -- the state it is in

    def is_on(self, mode: int) -> bool:
        """Whether the private mode is on; the cursor and line wrap are at first."""
        found = re.findall(rb"\x1b\[\?%d([hl])" % mode, bytes(self.raw))
        return found[-1] == b"h" if found else mode in (7, 25)

    @property
    def keyboard_depth(self) -> int:
        """How many sets of flags of the kitty keyboard protocol are on the stack."""
        return len(re.findall(rb"\x1b\[>\d+u", bytes(self.raw))) - len(re.findall(rb"\x1b\[<\d*u", bytes(self.raw)))

    @property
    def cooked(self) -> bool:
        """Lines are edited and echoed, and keys send signals, as a shell expects."""
        flags = termios.tcgetattr(self.fd)[3]
        return all(flags & flag for flag in (termios.ICANON, termios.ECHO, termios.ISIG))

    def damage(self) -> list[str]:
        """What is not as it was before."""
        modes = {1049: "alternate screen", 1000: "mouse", 1002: "mouse", 1003: "mouse", 1006: "mouse", 1015: "mouse",
                 1016: "mouse pixels", 2004: "bracketed paste", 1004: "focus reports", 2048: "resize reports",
                 2026: "synchronized output"}
        found = [name for mode, name in modes.items() if self.is_on(mode)]
        if not self.is_on(25):
            found.append("hidden cursor")
        if not self.is_on(7):
            found.append("no line wrap")
        if self.keyboard_depth:
            found.append("keyboard protocol")
        if self.fd >= 0 and not self.cooked:
            found.append("raw mode")
        return found
