"""The client of one agent: requests and their answers, dialogs' answers, and everything the agent says unasked.

    async with PiClient(ProcessTransport(["pi", "--mode", "rpc"])) as client:
        state = await client.request(GetState())
        async for events in client.events(): ...
"""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, field
from itertools import count
from types import TracebackType
from typing import Any, Self, TypeVar

import anyio
from anyio.abc import TaskGroup
from anyio.lowlevel import checkpoint
from pydantic import ValidationError

from pitui.rpc.commands import PiCommand, UiAnswer, answer_record
from pitui.rpc.events import Event, LateResponse, Response, Unknown
from pitui.rpc.framing import LineDecoder
from pitui.rpc.process import ProcessExit
from pitui.rpc.protocol import decode, encode
from pitui.rpc.trace import Recorder
from pitui.rpc.transport import Transport, TransportClosed
from pitui.rpc.wire import JsonObject

SLICE = 4_096
"""Bytes of records decoded before other tasks get their turn, so that a key never waits behind a burst."""

PACE = 0.015
"""Seconds between two reads while records stream in: an agent writes each on its own, and waking up for each costs more
than decoding it. The first after a pause is read at once."""

R = TypeVar("R")


class CommandFailed(Exception):
    """The agent refused a command; `error` is its own text."""

    def __init__(self, command: PiCommand[Any], error: str) -> None:
        super().__init__(f"{command.type}: {error}")
        self.command = command
        self.error = error

    @property
    def unsupported(self) -> bool:
        """The agent is too old to know the command; no other sign of an agent's version exists."""
        return self.error.startswith("Unknown command")


class PiExited(Exception):
    """The agent is gone, and an answer will not come."""

    def __init__(self, exit: ProcessExit) -> None:
        super().__init__(f"the agent ended with code {exit.code}")
        self.exit = exit


class ReplayOnly(Exception):
    """Something was asked of a recording."""


@dataclass(eq=False, slots=True)
class _Pending:
    """A request under way. `at_once`: its answer does not wait for the events before it to be taken."""

    command: PiCommand[Any]
    at_once: bool
    waiting: bool = True
    response: Response | None = None
    settled: anyio.Event = field(default_factory=anyio.Event)

    def settle(self, response: Response | None) -> None:
        """Let the caller go on; None when the agent is gone."""
        self.response = response
        self.settled.set()


@dataclass(eq=False, slots=True)
class _Answered:
    """An answer's place among the events."""

    pending: _Pending
    response: Response | None


@dataclass(eq=False, slots=True)
class _Outgoing:
    """A record to be written."""

    data: bytes
    begun: bool = False
    done: anyio.Event = field(default_factory=anyio.Event)


class PiClient:
    """Speaks with one agent, inside one `async with` of one task; any task may make requests.

    Reading happens only while someone iterates `events()` and has taken all there was, or while a request is open: so
    a slow reader holds the agent back through the pipe, and nothing piles up here.

    Order: a request made by another task than the one that iterates `events()` goes on when that loop has taken all
    events that came before the answer, and before it gets those that came after. A request made by the iterating task
    itself, or while nobody iterates, goes on at once; the events before its answer are then in the next batch.

    `exit` is set when the agent is gone. With `record`, everything said both ways is written down.
    """

    def __init__(self, transport: Transport, record: Recorder | None = None) -> None:
        self.exit: ProcessExit | None = None
        self._transport = transport
        self._recorder = record
        self._ids = count(1)
        self._pending: dict[str, _Pending] = {}
        self._outbox: deque[_Outgoing] = deque()
        self._outbox_filled = anyio.Event()
        self._writing_since: float | None = None
        self._last_read = -PACE
        self._buffer: deque[list[Event] | _Answered] = deque()
        self._newest: list[Event] = []
        self._consumer: int | None = None
        self._hungry = False
        self._wanted = anyio.Event()
        self._fresh = anyio.Event()
        self._tasks: TaskGroup = anyio.create_task_group()
        self._writing = anyio.CancelScope()

    async def __aenter__(self) -> Self:
        await self._tasks.__aenter__()
        self._tasks.start_soon(self._read)
        self._tasks.start_soon(self._write)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        self._tasks.cancel_scope.cancel()
        try:
            return await self._tasks.__aexit__(kind, error, trace)
        except BaseExceptionGroup as group:
            if error is None or group.exceptions != (error,):
                raise
            return False  # The error of the `with` block alone: it goes on as itself, not in a group.
        finally:
            await self._end()
            self._settle_all()

    # -- asking

    def new_id(self) -> str:
        """An id for a request, for whoever must know it before the answer comes."""
        return f"p{next(self._ids)}"

    @property
    def unsent(self) -> int:
        """Records that wait to be written, the one being written included."""
        return len(self._outbox)

    @property
    def blocked_since(self) -> float | None:
        """Since when (`anyio.current_time()`) one record is being written: after a second, the agent is not reading."""
        return self._writing_since

    async def request(self, command: PiCommand[R], *, request_id: str | None = None) -> R:
        """Ask, and wait as long as it takes: compactions, shell commands and extensions' commands may take minutes.

        Raises CommandFailed, PiExited, or ReplayOnly. If cancelled, a record not yet begun is not sent; otherwise its
        answer comes as a `LateResponse`.
        """
        self._check()
        key = request_id or self.new_id()
        outgoing = self._send(command.record(key))
        pending = _Pending(command, at_once=self._consumer in (None, anyio.get_current_task().id))
        self._pending[key] = pending
        self._wanted.set()
        try:
            await pending.settled.wait()
        finally:
            pending.waiting = False
            self._pending.pop(key, None)
            self._withdraw(outgoing)
        return await self._result(command, pending.response)

    async def answer(self, answer: UiAnswer) -> None:
        """Answer a dialog of an extension; returns when it is written. Raises PiExited or ReplayOnly.

        It is written even if this call is cancelled.
        """
        self._check()
        outgoing = self._send(answer_record(answer))
        await outgoing.done.wait()
        if outgoing in self._outbox:
            self._check()

    def _check(self) -> None:
        if self.exit is not None:
            raise PiExited(self.exit)
        if not self._transport.live:
            raise ReplayOnly("a recording answers nothing")

    async def _result(self, command: PiCommand[R], response: Response | None) -> R:
        if response is None:
            raise PiExited(self.exit or ProcessExit(None))
        if not response.success:
            raise CommandFailed(command, response.error or "no reason was given")
        data = response.data
        try:
            for converted in command.in_steps(data):
                data = converted
                await checkpoint()  # Thousands of entries take longer than a key may wait.
            return command.read(data)
        except ValidationError:
            raise CommandFailed(command, "the answer could not be read") from None

    # -- listening

    async def events(self) -> AsyncGenerator[list[Event], None]:
        """What the agent says, in batches of what one read gave; ends when the agent is gone. One loop at a time."""
        if self._consumer is not None:
            raise RuntimeError("events() is being iterated already")
        self._consumer = anyio.get_current_task().id
        try:
            while batch := await self._next_batch():
                yield batch
        finally:
            self._consumer = None
            self._settle_all()

    async def _next_batch(self) -> list[Event]:
        """The events up to the next answer; answers at the front are handed out first. Empty at the end."""
        while True:
            if batch := self._take():
                return batch
            if self._buffer:
                self._settle_first()
                await checkpoint()  # The caller goes on before the next events are taken.
            elif self.exit is not None:
                return []
            else:
                self._hungry = True
                self._fresh = anyio.Event()
                self._wanted.set()
                await self._fresh.wait()

    def _take(self) -> list[Event]:
        """All events before the next answer that someone waits for."""
        batch: list[Event] = []
        while self._buffer:
            item = self._buffer[0]
            if isinstance(item, list):
                batch += item
            elif item.pending.waiting:
                return batch
            elif item.response is not None:
                batch.append(LateResponse(item.response))
            self._buffer.popleft()
        newest, self._newest = self._newest, []
        return batch + newest if batch else newest

    def _settle_first(self) -> None:
        item = self._buffer.popleft()
        if isinstance(item, _Answered):
            item.pending.settle(item.response)

    def _settle_all(self) -> None:
        """Nobody takes events any more: no answer waits for them."""
        kept: deque[list[Event] | _Answered] = deque()
        for item in self._buffer:
            if isinstance(item, _Answered) and item.pending.waiting:
                item.pending.settle(item.response)
            else:
                kept.append(item)
        self._buffer = kept

    # -- reading

    async def _read(self) -> None:
        decoder = LineDecoder()
        while chunk := await self._receive():
            if isinstance(chunk, bytes):
                await self._accept(decoder.feed(chunk))
            else:
                self._newest.append(chunk)
            self._refresh()
        await self._accept(decoder.finish())
        await self._end()

    async def _receive(self) -> bytes | Event:
        if self._transport.live:
            await anyio.sleep_until(self._last_read + PACE)
        while not (self._hungry or self._pending):
            self._wanted = anyio.Event()
            await self._wanted.wait()
        chunk = await self._transport.receive()
        self._last_read = anyio.current_time()
        return chunk

    def _refresh(self) -> None:
        self._hungry = False
        self._fresh.set()

    async def _accept(self, records: Sequence[bytes | Unknown]) -> None:
        size = 0
        for record in records:
            if isinstance(record, Unknown):
                self._newest.append(record)
                continue
            self._sort(record)
            size += len(record)
            if size >= SLICE:
                size = 0
                await checkpoint()
        if self._recorder and (error := self._recorder.flush()):
            self._recorder = None
            self._newest.append(Unknown(b"", error))

    def _sort(self, record: bytes) -> None:
        value = decode(record)
        if self._recorder:
            self._recorder.received(record, value)
        if not isinstance(value, Response):
            self._newest.append(value)
        elif (pending := self._take_pending(value)) is None:
            self._newest.append(LateResponse(value))
        else:
            self._place(pending, value)

    def _take_pending(self, response: Response) -> _Pending | None:
        """Whose answer it is. Agents before 0.79.7 give no id when they do not know the command."""
        key = response.id if isinstance(response.id, str) else None
        if response.id is None and not response.success:
            key = next((key for key, value in self._pending.items() if value.command.type == response.command), None)
        return None if key is None else self._pending.pop(key, None)

    def _place(self, pending: _Pending, response: Response | None) -> None:
        if pending.at_once or self._consumer is None:
            pending.settle(response)
        else:
            self._buffer += (self._newest, _Answered(pending, response))
            self._newest = []

    # -- writing

    def _send(self, record: JsonObject) -> _Outgoing:
        outgoing = _Outgoing(encode(record))
        self._outbox.append(outgoing)
        self._outbox_filled.set()
        return outgoing

    def _withdraw(self, outgoing: _Outgoing) -> None:
        if not outgoing.begun and outgoing in self._outbox:
            self._outbox.remove(outgoing)

    async def _write(self) -> None:
        """The one writer: whoever asked may be cancelled, but a record begun is written to its end."""
        with self._writing:
            while True:
                while not self._outbox:
                    self._outbox_filled = anyio.Event()
                    await self._outbox_filled.wait()
                await self._write_first()

    async def _write_first(self) -> None:
        outgoing = self._outbox[0]
        outgoing.begun = True
        self._writing_since = anyio.current_time()
        if self._recorder:
            self._recorder.sent(outgoing.data)
        try:
            await self._transport.send(outgoing.data)
        except TransportClosed:
            await anyio.sleep_forever()  # What is left fails when `receive` tells the end.
        finally:
            self._writing_since = None
        self._outbox.popleft()
        outgoing.done.set()

    # -- the end

    async def _end(self) -> None:
        """Close the transport; then no request waits any longer and `events()` ends."""
        if self.exit is None:
            self._writing.cancel()
            self.exit = await self._transport.close()
            if self._recorder:
                self._recorder.close(self.exit)
            pending, self._pending = self._pending, {}
            for waiting in pending.values():
                self._place(waiting, None)
            for outgoing in self._outbox:
                outgoing.done.set()
        self._refresh()
