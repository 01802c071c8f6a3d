"""What carries the bytes between the client and an agent."""

from __future__ import annotations

from typing import Protocol

from pitui.rpc.events import Event
from pitui.rpc.process import ProcessExit


class TransportClosed(Exception):
    """Nothing can be sent any more: the other side is gone or has closed its input."""


class Transport(Protocol):
    """One conversation. `receive` has one caller at a time, and so has `send`."""

    @property
    def live(self) -> bool:
        """Whether someone is there to answer; false in a replay."""

    async def receive(self) -> bytes | Event:
        """The next bytes, cut anywhere; empty bytes at the end. A replay also gives events that were never bytes."""

    async def send(self, data: bytes) -> None:
        """Write all of `data`, waiting while the agent does not read. Raises TransportClosed."""

    async def close(self) -> ProcessExit:
        """End the conversation, in bounded time and whatever is cancelled, and say how it ended. May be repeated."""
