"""Ways out of the program: signals, and a deadline that nothing outlasts."""

from __future__ import annotations

import contextlib
import signal
import time
from collections.abc import Callable, Iterator
from threading import Thread
from types import FrameType

LAST_WORDS = 1.0
"""Seconds a run that is being stopped has to end before the agent is closed."""

GRACE = 0.5
"""Seconds the agent has to end after its input was closed, and again after SIGTERM."""

LIMIT = 2.7
"""Seconds from the decision to end until the process is gone, whatever hangs: a terminal that takes nothing, a disk."""


class Deadline:
    """Calls `last_resort` with the exit status `LIMIT` seconds after the first `start`, in a thread of its own."""

    def __init__(self, last_resort: Callable[[int], None]) -> None:
        self._last_resort = last_resort
        self._thread: Thread | None = None

    def start(self, status: int, seconds: float = LIMIT) -> None:
        """From now on there is no staying. May be called in a signal handler, and again, which does nothing."""
        if self._thread is None:
            self._thread = Thread(target=self._wait, args=(status, seconds), daemon=True, name="deadline")
            self._thread.start()

    def _wait(self, status: int, seconds: float) -> None:
        time.sleep(seconds)
        self._last_resort(status)


@contextlib.contextmanager
def signals(leave: Callable[[int], None]) -> Iterator[None]:
    """Meanwhile SIGINT, SIGTERM and SIGHUP call `leave` with the exit status a shell gives for them."""

    def received(number: int, frame: FrameType | None) -> None:
        leave(128 + number)

    # Not the event loop's own handlers: those do nothing while the loop waits for a terminal to take its frame.
    kept = {number: signal.signal(number, received) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    finally:
        for number, handler in kept.items():
            signal.signal(number, handler)
