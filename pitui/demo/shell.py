"""The user's own shell commands: really run, streamed, and stopped with everything they started."""

from __future__ import annotations

import asyncio
import codecs
import os
import re
import signal
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import BinaryIO

from pitui.demo.records import Record

MAX_LINES = 2_000
MAX_BYTES = 51_200
LINGER_SECONDS = 0.2
CONTROLS = re.compile(
    r"\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b\[[0-?]*[ -/]*[@-~]|\x1b[@-Z\\-_]|[\x00-\x08\x0b-\x1f\x7f]"
)


class Shell:
    """Runs commands in `sh`, each in a process group of its own."""

    def __init__(self) -> None:
        self._running: set[Command] = set()

    def run(self, command: str, on_output: Callable[[str], None]) -> Coroutine[object, None, Record]:
        """Run `command` to its end, giving its output bit by bit; the answer to `bash`. Raises OSError without `sh`.

        `abort` reaches it as soon as this returns, before anything was awaited.
        """
        running = Command(on_output)
        self._running.add(running)
        return self._finish(running, command)

    async def _finish(self, running: Command, command: str) -> Record:
        try:
            return await running.run(command)
        finally:
            self._running.discard(running)

    def abort(self) -> None:
        """Kill every running command with its children."""
        for command in self._running:
            command.kill()


class Command:
    """One running command and the end of its output."""

    def __init__(self, on_output: Callable[[str], None]) -> None:
        self._process: asyncio.subprocess.Process | None = None
        self._on_output = on_output
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._tail = ""
        self._file: BinaryIO | None = None
        self._cut = False
        self._cancelled = False

    def kill(self) -> None:
        """End the command, or keep it from starting."""
        self._cancelled = True
        if self._process is None:
            return
        try:
            os.killpg(self._process.pid, signal.SIGKILL)
        except ProcessLookupError:
            return

    async def run(self, command: str) -> Record:
        """Read until the command ends; a child that keeps its output open is not waited for."""
        self._process = process = await asyncio.create_subprocess_exec(
            "sh", "-c", command, stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT, start_new_session=True,
        )
        if self._cancelled:
            self.kill()
        reading = asyncio.ensure_future(self._read(process))
        code = await process.wait()
        await asyncio.wait([reading], timeout=LINGER_SECONDS)
        reading.cancel()
        self._take(b"", final=True)
        result: Record = {"output": self._tail}
        if not self._cancelled:
            result["exitCode"] = code if code >= 0 else 128 - code
        result |= {"cancelled": self._cancelled, "truncated": self._cut}
        if self._file:
            self._file.close()
            result["fullOutputPath"] = self._file.name
        return result

    async def _read(self, process: asyncio.subprocess.Process) -> None:
        while process.stdout and (chunk := await process.stdout.read(65_536)):
            self._take(chunk)

    def _take(self, chunk: bytes, final: bool = False) -> None:
        text = CONTROLS.sub("", self._decoder.decode(chunk, final))
        if not text:
            return
        self._on_output(text)
        whole = self._tail + text
        self._tail = last_part(whole)
        if self._file:
            self._file.write(text.encode())
        elif self._tail != whole:
            self._cut = True
            self._file = open_log()
            self._file.write(whole.encode())


def open_log() -> BinaryIO:
    """A new file for the whole of a long output; it stays, as the answer names it."""
    import tempfile  # here, as the process has to start at once and seldom needs it

    path = Path(tempfile.gettempdir()) / f"pitui-demo-bash-{os.urandom(8).hex()}.log"
    return path.open("xb")


def last_part(text: str) -> str:
    """The end of an output that the agent keeps: whole lines, at most 2000 of them and 50 KB."""
    lines = text.split("\n")
    keep = MAX_LINES + (lines[-1] == "")
    if len(lines) > keep:
        text = "\n".join(lines[-keep:])
    raw = text.encode()
    if len(raw) <= MAX_BYTES:
        return text
    tail = raw[-MAX_BYTES:].decode("utf-8", "ignore")
    _, newline, rest = tail.partition("\n")
    return rest if newline else tail
