"""What carries the bytes between the client and an agent."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from signal import SIGKILL, SIGTERM
from typing import Protocol, Self

import anyio

from pitui.rpc.events import Event
from pitui.rpc.process import AgentProcess, ProcessExit

CHUNK = 262_144
"""Bytes read at a time, at most."""

GRACE = 2.0
"""Seconds an agent has to end, after its input was closed and again after SIGTERM. pi takes 16 to 65 ms."""


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
        """Write all of `data`, waiting while the agent does not read. Raises TransportClosed.

        A cancelled call may have written a part.
        """

    async def close(self) -> ProcessExit:
        """End the conversation, in bounded time and whatever is cancelled, and say how it ended. May be repeated."""


class ProcessTransport:
    """An agent started here, in its own session, all three of its streams piped. Raises SpawnFailed.

    It is started by the constructor; `around` takes one that is running already.
    """

    live = True

    def __init__(
        self, argv: Sequence[str], cwd: str | Path | None = None, env: Mapping[str, str] | None = None
    ) -> None:
        self.process = AgentProcess(argv, cwd, env)
        self._exit: ProcessExit | None = None

    @classmethod
    def around(cls, process: AgentProcess) -> Self:
        """The transport of an agent that was started before."""
        transport = cls.__new__(cls)
        transport.process = process
        transport._exit = None
        return transport

    def stderr_tail(self, count: int = 20) -> tuple[str, ...]:
        """The last lines of the agent's stderr, raw: they may hold escape sequences."""
        return self.process.stderr_tail(count)

    def kill_now(self) -> None:
        """See `AgentProcess.kill_now`."""
        self.process.kill_now()

    async def receive(self) -> bytes:
        """See `Transport`."""
        stream = self.process.stdout
        while not stream.closed:
            try:
                return os.read(stream.fileno(), CHUNK)
            except BlockingIOError:
                await anyio.wait_readable(stream.fileno())
        return b""

    async def send(self, data: bytes) -> None:
        """See `Transport`."""
        stream, rest = self.process.stdin, memoryview(data)
        while rest:
            if stream.closed:
                raise TransportClosed("the agent's input is closed")
            try:
                rest = rest[os.write(stream.fileno(), rest) :]
            except BlockingIOError:
                await anyio.wait_writable(stream.fileno())
            except OSError as error:
                raise TransportClosed(f"the agent reads no more: {error.strerror}") from error

    async def close(self) -> ProcessExit:
        """See `Transport`: input closed, then SIGTERM, then SIGKILL, each with a grace; output is read on meanwhile."""
        if self._exit is None:
            with anyio.CancelScope(shield=True):
                await self._shut_down()
            self._exit = ProcessExit(self.process.code, self.stderr_tail())
        return self._exit

    async def _shut_down(self) -> None:
        self.process.stdin.close()
        for number in (SIGTERM, SIGKILL, None):
            if await self._ends_within(GRACE):
                break
            if number is not None:
                self.process.signal(number)
        self.process.stdout.close()

    async def _ends_within(self, seconds: float) -> bool:
        with anyio.move_on_after(seconds) as limit:
            while await self.receive():
                pass  # An agent whose output nobody reads might never come to its end.
        left = max(0.0, limit.deadline - anyio.current_time())
        return await anyio.to_thread.run_sync(self.process.wait, left)
