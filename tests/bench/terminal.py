"""Programs in a pseudo-terminal, watched from outside: bytes, processor time, waits for what they show."""

from __future__ import annotations

import fcntl
import math
import os
import pty
import re
import select
import signal
import statistics
import struct
import termios
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

COLUMNS, ROWS = 120, 40


@dataclass(frozen=True, slots=True)
class Used:
    """What a program used: `cpu` and `wall` in seconds, `written` in bytes, `rss` at most, in MB."""

    cpu: float
    wall: float
    written: int
    rss: float


class Terminal:
    """One program in a terminal of 120x40. Nothing answers its questions."""

    def __init__(
        self, command: Sequence[str], environment: Mapping[str, str] | None = None, folder: Path | None = None
    ) -> None:
        self.written = 0
        self.recent = b""
        self.started = time.perf_counter()
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            if folder is not None:
                os.chdir(folder)
            os.execvpe(command[0], list(command), {**os.environ, "TERM": "xterm-256color", **(environment or {})})
        self.resize(COLUMNS, ROWS)
        self._used: Used | None = None

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._used is None:
            os.kill(self.pid, signal.SIGKILL)
            self.finish()

    def resize(self, columns: int, rows: int) -> None:
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def type(self, text: str) -> None:
        os.write(self.fd, text.encode())

    def pump(self, timeout: float) -> bool:
        """Read what was written within `timeout` seconds; False once the program is gone."""
        ready, _, _ = select.select([self.fd], [], [], timeout)
        if ready:
            try:
                data = os.read(self.fd, 1 << 16)
            except OSError:
                return False
            if not data:
                return False
            self.written += len(data)
            self.recent = (self.recent + data)[-200_000:]
        return True

    def wait_for(self, pattern: bytes, timeout: float = 30.0) -> float:
        """Seconds until `pattern` was written, counted from now on; raises TimeoutError."""
        start = time.perf_counter()
        self.recent = b""
        wanted = re.compile(pattern, re.DOTALL)
        while not wanted.search(self.recent):
            if time.perf_counter() - start > timeout or not self.pump(0.05):
                raise TimeoutError(f"{pattern!r} was not written; last was {self.recent[-300:]!r}")
        return time.perf_counter() - start

    def run_for(self, seconds: float) -> None:
        end = time.perf_counter() + seconds
        while (left := end - time.perf_counter()) > 0 and self.pump(left):
            continue

    def echoes(self, key: str, shown: bytes, keys: int = 100) -> dict[str, float]:
        """From each of so many keys to its echo: `shown`, with the number of keys so far put in."""
        times = []
        for number in range(1, keys + 1):
            self.run_for(0.03 + number % 7 / 100)
            self.type(key)
            times.append(self.wait_for(shown % number))
        times.sort()
        return {"p50 ms": 1e3 * statistics.median(times), "p99 ms": 1e3 * times[math.ceil(len(times) * 0.99) - 1]}

    def cpu(self) -> float:
        """Processor seconds the program itself has used so far."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def resident(self) -> float:
        """Memory of the program itself in MB."""
        return int(Path(f"/proc/{self.pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6

    def wakeups(self) -> int:
        """How often the program's threads were put on a processor after waiting."""
        total = 0
        for status in Path(f"/proc/{self.pid}/task").glob("*/status"):
            found = re.search(r"^voluntary_ctxt_switches:\s*(\d+)", status.read_text(), re.MULTILINE)
            total += int(found[1]) if found else 0
        return total

    def finish(self, timeout: float = 300.0) -> Used:
        """Read until the program ends, and what it used in all."""
        end = time.perf_counter() + timeout
        while self.pump(0.2):
            if time.perf_counter() > end:
                os.kill(self.pid, signal.SIGKILL)
        _, _, usage = os.wait4(self.pid, 0)
        os.close(self.fd)
        wall = time.perf_counter() - self.started
        self._used = Used(usage.ru_utime + usage.ru_stime, wall, self.written, usage.ru_maxrss / 1e3)
        return self._used
