"""When an app in a test has done all there is to do.

Textual's pilot waits until the process has used little CPU for 20 ms. On a busy machine that is also true of a process
that was not let run, and a test then looks at an app that has not read its keys yet. Here the event loop itself is
asked: nothing is left to run in it.
"""

from __future__ import annotations

import asyncio
import time

import textual.app
import textual.pilot

_SLICE = 0.02
"""Seconds given to what the loop can't know of: pipes, threads and short timers."""


async def quiet(min_sleep: float = 0.0, max_sleep: float = 5.0) -> None:
    """Wait until nothing is left to run, and still isn't a little later; at most about `max_sleep` seconds."""
    deadline = time.monotonic() + max_sleep
    await _drain(deadline)
    await asyncio.sleep(max(min_sleep, _SLICE))
    await _drain(deadline)


async def _between_keys(min_sleep: float = 0.0) -> None:
    await _drain(time.monotonic() + 5.0)


async def _drain(deadline: float) -> None:
    ready = asyncio.get_running_loop()._ready  # type: ignore[attr-defined]  # asyncio tells it nowhere else
    await asyncio.sleep(0)
    while ready and time.monotonic() < deadline:  # noqa: ASYNC110 - no event tells it
        await asyncio.sleep(0)


def install() -> None:
    """Let every pilot wait like this; from key to key it looks at the loop only."""
    setattr(textual.pilot, "wait_for_idle", quiet)  # noqa: B010 - no export of theirs, so no attribute to mypy
    setattr(textual.app, "wait_for_idle", _between_keys)  # noqa: B010
