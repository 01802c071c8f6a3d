"""An agent that costs next to nothing: it answers what a front-end asks, and a prompt with records from a file.

Run as `python -S tests/bench/agent.py RECORDS RATE [--session FILE] ...`: RATE records a second, 0 for as fast as they
are taken. Standard library only, and alone, so that it starts at once.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

Answer = Mapping[str, object]


class Agent:
    """One run over standard input and output."""

    def __init__(self, records: str, rate: float, session: str) -> None:
        self.records, self.rate, self.session = records, rate, session
        self.id = "bench"
        self.entries: list[bytes] = []
        if session:
            header, *self.entries = Path(session).read_bytes().splitlines()
            self.id = str(json.loads(header)["id"])
        self.answers: dict[str, Callable[[Answer], object]] = {
            "get_state": self.state, "get_session_stats": self.stats, "get_commands": lambda _: {"commands": []},
            "get_available_models": lambda _: {"models": []},
            "get_available_thinking_levels": lambda _: {"levels": ["off"]},
        }

    def state(self, asked: Answer) -> object:
        return {
            "model": {"id": "stub-1", "name": "Stub", "provider": "stub", "contextWindow": 200_000, "reasoning": False},
            "thinkingLevel": "off", "isStreaming": False, "isCompacting": False, "steeringMode": "all",
            "followUpMode": "all", "sessionId": self.id, "autoCompactionEnabled": True, "messageCount": 0,
            "pendingMessageCount": 0, **({"sessionFile": self.session} if self.session else {}),
        }

    def stats(self, asked: Answer) -> object:
        tokens = {"input": 1, "output": 1, "cacheRead": 0, "cacheWrite": 0, "total": 2}
        return {"sessionId": self.id, "userMessages": 1, "assistantMessages": 1, "tokens": tokens, "cost": 0.0}

    def stored(self, asked: Answer) -> bytes:
        """The answer to `get_entries`, made without reading the entries."""
        since = asked.get("since")
        start = 0
        if isinstance(since, str):
            mark = f'"id":"{since}"'.encode()
            start = next((at for at, entry in enumerate(self.entries, 1) if mark in entry[:200]), 0)
        leaf = json.loads(self.entries[-1])["id"] if self.entries else None
        head = json.dumps(_response(asked))[:-1].encode()
        body = b",".join(self.entries[start:])
        return head + b',"data":{"entries":[' + body + b'],"leafId":' + json.dumps(leaf).encode() + b"}}\n"

    def take(self, line: bytes) -> None:
        asked = json.loads(line)
        kind = asked.get("type")
        if kind == "get_entries":
            write(self.stored(asked))
            return
        data = self.answers[kind](asked) if kind in self.answers else None
        response = _response(asked) if data is None else {**_response(asked), "data": data}
        write(json.dumps(response).encode() + b"\n")
        if kind == "prompt":
            self.play()

    def play(self) -> None:
        lines = Path(self.records).read_bytes().splitlines(keepends=True)
        start = time.monotonic()
        for number, line in enumerate(lines if self.rate else ()):
            if (wait := start + number / self.rate - time.monotonic()) > 0:
                time.sleep(wait)
            write(line)
        if not self.rate:
            write(b"".join(lines))


def _response(asked: Answer) -> dict[str, object]:
    return {"id": asked.get("id"), "type": "response", "command": asked.get("type"), "success": True}


def write(data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(1, rest) :]


def main() -> None:
    words = sys.argv[1:]
    session = words[words.index("--session") + 1] if "--session" in words else ""
    agent = Agent(words[0], float(words[1]), session)
    for line in sys.stdin.buffer:
        agent.take(line)


if __name__ == "__main__":
    main()
