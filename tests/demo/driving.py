"""Drives the demo agent the way a client does: lines in, records out, with a deadline on everything."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

Record = dict[str, object]
DEADLINE = 20.0
DIALOGS = ("select", "confirm", "input", "editor")


class Demo:
    """A running demo agent. What was taken from it is kept in `records`, its raw output in `lines`."""

    def __init__(self, folder: Path, *arguments: str, speed: str = "0") -> None:
        environment = os.environ | {"PITUI_DEMO_SPEED": speed, "TMPDIR": str(folder)}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "pitui.demo", "--mode", "rpc", *arguments], cwd=folder, env=environment,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )
        self.records: list[Record] = []
        self.lines: list[bytes] = []
        self.answer_dialogs = True
        self._arriving: queue.Queue[Record | None] = queue.Queue()
        self._ids = 0
        threading.Thread(target=self._read, daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        if self.process.stdin and not self.process.stdin.closed:
            self.process.stdin.close()
        try:
            self.process.wait(DEADLINE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            if pipe and not pipe.closed:
                pipe.close()

    def _read(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            self.lines.append(line)
            self._arriving.put(json.loads(line))
        self._arriving.put(None)

    def send_raw(self, data: bytes) -> None:
        assert self.process.stdin
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, kind: str, **fields: object) -> str:
        """Write one command; its id."""
        self._ids += 1
        identity = f"t{self._ids}"
        self.send_raw(json.dumps({"id": identity, "type": kind, **fields}).encode() + b"\n")
        return identity

    def next(self) -> Record:
        """The next record, at the latest after the deadline."""
        record = self._arriving.get(timeout=DEADLINE)
        assert record is not None, "the agent has ended"
        self.records.append(record)
        if self.answer_dialogs and is_dialog(record):
            self.answer(record)
        return record

    def answer(self, dialog: Record, **fields: object) -> None:
        default: Record = {"confirmed": True} if dialog["method"] == "confirm" else {"value": "an answer"}
        self.send_raw(json.dumps({"type": "extension_ui_response", "id": dialog["id"], **(fields or default)}).encode()
                      + b"\n")

    def until(self, wanted: Callable[[Record], bool]) -> list[Record]:
        """The records up to the first that is wanted, which is the last of them."""
        seen = [self.next()]
        while not wanted(seen[-1]):
            seen.append(self.next())
        return seen

    def until_type(self, kind: str) -> list[Record]:
        return self.until(lambda record: record["type"] == kind)

    def request(self, kind: str, **fields: object) -> Record:
        """The response to a command."""
        identity = self.send(kind, **fields)
        return self.until(lambda record: record["type"] == "response" and record.get("id") == identity)[-1]

    def until_response(self, kind: str, **fields: object) -> list[Record]:
        """Everything up to the response to a command."""
        self.send(kind, **fields)
        return self.until(lambda record: label(record) == f"response {kind}")

    def data(self, kind: str, **fields: object) -> Record:
        """What a command answers; it has to succeed."""
        response = self.request(kind, **fields)
        assert response["success"], response
        data = response["data"]
        assert isinstance(data, dict)
        return data

    def error(self, kind: str, **fields: object) -> str:
        response = self.request(kind, **fields)
        assert not response["success"], response
        return str(response["error"])

    def play(self, prompt: str, **fields: object) -> list[Record]:
        """Everything from a prompt's response until the agent has settled."""
        self.send("prompt", message=prompt, **fields)
        return self.until_type("agent_settled")

    def close(self) -> int:
        """Close stdin; the exit code."""
        assert self.process.stdin
        self.process.stdin.close()
        return self.process.wait(DEADLINE)

    def rest(self) -> list[Record]:
        """What is still to come until the agent's end."""
        left: list[Record] = []
        while (record := self._arriving.get(timeout=DEADLINE)) is not None:
            left.append(record)
        return left


def is_dialog(record: Record) -> bool:
    return record["type"] == "extension_ui_request" and record["method"] in DIALOGS


def is_delta(record: Record) -> bool:
    return record["type"] == "message_update" and str(part(record, "assistantMessageEvent")["type"]).endswith("_delta")


def is_text(record: Record) -> bool:
    return record["type"] == "message_update" and part(record, "assistantMessageEvent")["type"] == "text_delta"


def part(record: Record, name: str) -> Record:
    value = record[name]
    assert isinstance(value, dict)
    return value


def parts(record: Record, name: str) -> list[Record]:
    value = record[name]
    assert isinstance(value, list)
    return value


def label(record: Record) -> str:
    """A record in one or two words, to compare orders: `message_start user`, `response abort`."""
    kind = str(record["type"])
    if kind.startswith("message_") and "message" in record:
        return f"{kind} {part(record, 'message')['role']}"
    if kind == "response":
        return f"{kind} {record['command']}"
    if kind == "extension_ui_request":
        return str(record["method"])
    return kind


def labels(records: list[Record]) -> list[str]:
    """The labels of records without streaming updates."""
    return [label(record) for record in records if record["type"] != "message_update"]


def text_of(message: Record) -> str:
    return "".join(str(block.get("text", "")) for block in parts(message, "content"))


def messages(records: list[Record], role: str) -> list[Record]:
    """The finished messages of one role."""
    return [part(r, "message") for r in records if label(r) == f"message_end {role}"]
