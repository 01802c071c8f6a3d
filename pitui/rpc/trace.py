"""Conversations on the wire, written down and played again.

A recording has one JSON object a line: `t`, the seconds since its start; `dir`, which is `in` (to the agent), `out`
(from it) or `err` (its stderr and its end); and `record`. What was not a JSON object is `{"_raw": text}`, with bytes
that are no UTF-8 as lone surrogates (Python's `surrogateescape`).
"""

from __future__ import annotations

import json
import math
import os
import stat
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from io import UnsupportedOperation
from pathlib import Path
from typing import BinaryIO

import anyio

from pitui.rpc.events import CommandSent, Event, Unknown
from pitui.rpc.framing import LineDecoder
from pitui.rpc.process import ProcessExit
from pitui.rpc.protocol import EVIDENCE, encode
from pitui.rpc.transport import TransportClosed
from pitui.rpc.wire import JsonObject

CHUNK = 65_536
"""Bytes read, and given out, at a time."""


_SURELY_SHALLOW = 200
"""With so few brackets a record cannot be nested too deeply to be read."""


class Recorder:
    """Writes a conversation to a new file that only its owner can read. Raises OSError if there is one already.

    A disk that fills up ends the recording, not the conversation. `clock` gives seconds.
    """

    def __init__(self, path: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self._error: str | None = None
        self._clock = clock
        self._start = clock()
        self._file: BinaryIO | None = os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")

    def sent(self, data: bytes) -> None:
        """A record written to the agent, with its line feed."""
        self._write(b"in", data.rstrip(b"\n"))

    def received(self, record: bytes, value: object) -> None:
        """A record read from the agent, and what it was taken for."""
        self._write(b"out", record if _is_object(record, value) else _json({"_raw": _text(record)}))

    def flush(self) -> str | None:
        """Hand what was written to the operating system; says why the recording had to stop, if it had."""
        self._guard(lambda file: file.flush())
        return self._error

    def close(self, end: ProcessExit) -> None:
        """Write down the end, and the last of stderr, which has no times of its own."""
        for line in end.stderr:
            self._write(b"err", _json({"text": line}))
        self._write(b"err", _json({"exit": end.code}))
        self._guard(lambda file: file.close())
        self._file = None

    def _write(self, direction: bytes, record: bytes) -> None:
        head = b'{"t": %.4f, "dir": "%b", "record": ' % (self._clock() - self._start, direction)
        self._guard(lambda file: file.writelines((head, record, b"}\n")))

    def _guard(self, action: Callable[[BinaryIO], object]) -> None:
        if self._file is None:
            return
        try:
            action(self._file)
        except OSError as error:
            self._file, self._error = None, f"the recording stopped: {error.strerror or error}"


def _json(value: JsonObject) -> bytes:
    return json.dumps(value).encode("ascii")


def _text(record: bytes) -> str:
    return record.decode("utf-8", "surrogateescape")


def _is_object(record: bytes, value: object) -> bool:
    """Whether a record can stand in the recording as it is.

    One with other bytes before it, or nested too deeply for most readers, was decoded all the same, but cannot.
    """
    doubtful = isinstance(value, Unknown) or record.count(b"[") + record.count(b"{") > _SURELY_SHALLOW
    try:
        record.decode("utf-8")
        return record[:1] == b"{" and (not doubtful or isinstance(json.loads(record), dict))
    except (ValueError, RecursionError):
        return False


@dataclass(frozen=True, slots=True)
class _Step:
    """Something of a recording to give out, `at` so many seconds after its start."""

    at: float
    item: bytes | Event


class ReplayTransport:
    """Plays a recording, or the output of `pi --mode json`, as an agent that cannot be asked anything.

    `speed` divides the pauses: 1 as it was, 2 twice as fast, 0 without pauses. A `--mode json` stream has no times and
    plays as fast as it comes. Which of the two it is, the first record tells. The recorded client's commands come as
    `CommandSent`, the agent's responses, which keep their ids, as `LateResponse`. A line that cannot be used comes as
    `Unknown`. `source` is a file's path, or an open binary stream such as standard input's.

    Raises OSError when there is no such file, ValueError for an impossible speed.
    """

    live = False

    def __init__(self, source: Path | BinaryIO, speed: float = 1.0) -> None:
        if not (speed >= 0 and math.isfinite(speed)):
            raise ValueError("the speed of a replay is a number from 0 up")
        self._speed = speed
        self._owned = isinstance(source, Path)
        self._file = source.open("rb") if isinstance(source, Path) else source
        self._decoder = LineDecoder()
        self._lines: deque[bytes | Unknown] = deque()
        self._step: _Step | None = None
        self._ended = False
        self._empty = True
        self._wrapped: bool | None = None
        self._at = 0.0
        self._started: float | None = None
        self._code: int | None = None
        self._stderr: deque[str] = deque(maxlen=200)

    async def receive(self) -> bytes | Event:
        """See `Transport`."""
        step = await self._next()
        if step is None:
            return b""
        await self._wait_for(step)
        if not isinstance(step.item, bytes):
            return step.item
        parts = [step.item]
        size = len(step.item)
        while size < CHUNK and (item := self._due_bytes()):
            parts.append(item)
            size += len(item)
        return b"".join(parts)

    async def send(self, data: bytes) -> None:
        """Always raises TransportClosed."""
        raise TransportClosed("a recording cannot be written to")

    async def close(self) -> ProcessExit:
        """See `Transport`; the end is the recorded one."""
        if self._owned:
            self._file.close()
        return ProcessExit(self._code, tuple(self._stderr))

    # -- time

    async def _wait_for(self, step: _Step) -> None:
        if self._started is None:
            self._started = anyio.current_time() - self._offset(step)
        await anyio.sleep_until(self._started + self._offset(step))

    def _offset(self, step: _Step) -> float:
        return step.at / self._speed if self._speed else 0.0

    def _due_bytes(self) -> bytes | None:
        """The next step, if it is bytes, already read, and its time has come."""
        if self._step is None:
            self._step = self._parsed()
        step = self._step
        if step is None or not isinstance(step.item, bytes) or self._started is None:
            return None
        if self._started + self._offset(step) > anyio.current_time():
            return None
        self._step = None
        return step.item

    # -- reading

    async def _next(self) -> _Step | None:
        step, self._step = self._step, None
        while step is None and (step := self._parsed()) is None:
            if self._ended:
                return self._notice_if_empty()
            await self._fill()
        self._empty = False
        return step

    def _notice_if_empty(self) -> _Step | None:
        if not self._empty:
            return None
        self._empty = False
        return _Step(self._at, Unknown(b"", "the recording is empty"))

    async def _fill(self) -> None:
        block = await self._read()
        self._lines.extend(self._decoder.feed(block) if block else self._decoder.finish())
        self._ended = not block

    async def _read(self) -> bytes:
        try:
            descriptor = self._file.fileno()
        except UnsupportedOperation:
            return self._file.read(CHUNK)
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            await anyio.wait_readable(descriptor)
        return os.read(descriptor, CHUNK)

    def _parsed(self) -> _Step | None:
        """The next step among the lines already read."""
        while self._lines:
            line = self._lines.popleft()
            item = line if isinstance(line, Unknown) else self._item(line)
            if item is not None:
                return _Step(self._at, item)
        return None

    def _item(self, line: bytes) -> bytes | Event | None:
        if self._wrapped is False:
            return line + b"\n"
        value = _object(line)
        if self._wrapped is None and value is not None:
            self._wrapped = "dir" in value and "record" in value
        if not self._wrapped:
            return line + b"\n"
        record = value.get("record") if value else None
        if value is None or not isinstance(record, dict):
            return Unknown(line[:EVIDENCE], "a broken line in the recording")
        if isinstance(at := value.get("t"), (int, float)) and math.isfinite(at):
            self._at = max(self._at, at)
        match value.get("dir"):
            case "out":
                return _bytes(record)
            case "in":
                return None if "_raw" in record else CommandSent(record)
            case "err":
                self._note(record)
                return None
        return Unknown(line[:EVIDENCE], "a line of the recording without a direction")

    def _note(self, record: JsonObject) -> None:
        if isinstance(text := record.get("text"), str):
            self._stderr.append(text)
        if isinstance(code := record.get("exit"), int):
            self._code = code


def _bytes(record: JsonObject) -> bytes:
    """What the agent wrote, from how it was recorded."""
    raw = record.get("_raw")
    if not isinstance(raw, str):
        return encode(record)
    try:
        return raw.rstrip("\r\n").encode("utf-8", "surrogateescape") + b"\n"
    except UnicodeEncodeError:
        return raw.rstrip("\r\n").encode("utf-8", "replace") + b"\n"


def _object(line: bytes) -> JsonObject | None:
    """A line as a JSON object; None when it is something else. NaN and the like are no JSON."""
    try:
        value = json.loads(line, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _refuse(constant: str) -> object:
    raise ValueError(f"{constant} is no JSON")
