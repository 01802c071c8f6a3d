"""How fast the demo plays, and how it is stopped."""

from __future__ import annotations

import asyncio
import math


class Aborted(Exception):
    """The user asked to stop."""


def speed_from(value: str | None) -> float:
    """The factor in `PITUI_DEMO_SPEED`: 1 by default, larger is faster, 0 means no delays at all."""
    try:
        speed = float(value) if value else 1.0
    except ValueError:
        return 1.0
    return math.inf if speed == 0 else max(speed, 0.01) if speed > 0 and math.isfinite(speed) else 1.0


class Pace:
    """Waiting, scaled by the speed. `stop` ends every wait at once with Aborted."""

    def __init__(self, speed: float) -> None:
        self.speed = speed
        self.stop = asyncio.Event()

    def scaled_ms(self, seconds: float) -> int:
        """How many milliseconds a wait of `seconds` really takes."""
        return round(seconds * 1000 / self.speed)

    async def sleep(self, seconds: float) -> None:
        """Wait `seconds` at speed 1. Raises Aborted as soon as `stop` is set."""
        delay = seconds / self.speed
        if delay < 0.001:
            await asyncio.sleep(0)
        elif not self.stop.is_set():
            await wait_for(self.stop, delay)
        if self.stop.is_set():
            raise Aborted


async def wait_for(event: asyncio.Event, seconds: float) -> bool:
    """Wait until `event` is set, at most `seconds`; says whether it was set."""
    try:
        async with asyncio.timeout(seconds):
            await event.wait()
    except TimeoutError:
        return False
    return True
