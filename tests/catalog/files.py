"""Session files for the tests: written line by line, so that every oddity can be had."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from pitui.rpc.wire import JsonObject

CWD = "/home/user/demo"


def header(session_id: str = "s1", cwd: str = CWD, **more: object) -> JsonObject:
    return {
        "type": "session", "version": 3, "id": session_id, "timestamp": "2026-01-01T00:00:00.000Z", "cwd": cwd, **more
    }


def message(entry_id: str, parent: str | None, role: str, text: object, **more: object) -> JsonObject:
    return {
        "type": "message", "id": entry_id, "parentId": parent, "timestamp": "2026-01-01T00:00:01.000Z",
        "message": {"role": role, "content": text, **more},
    }


def said(entry_id: str, parent: str | None, text: str) -> JsonObject:
    return message(entry_id, parent, "user", [{"type": "text", "text": text}])


def answered(entry_id: str, parent: str | None, text: str, cost: float = 0.0) -> JsonObject:
    return message(
        entry_id, parent, "assistant", [{"type": "text", "text": text}], stopReason="stop",
        usage={"input": 1, "output": 1, "cost": {"total": cost}},
    )


def entry(kind: str, entry_id: str, parent: str | None, **more: object) -> JsonObject:
    return {"type": kind, "id": entry_id, "parentId": parent, "timestamp": "2026-01-01T00:00:02.000Z", **more}


def lines(records: Sequence[JsonObject | str]) -> str:
    """Records a line each; a string is a line as it stands."""
    return "".join((record if isinstance(record, str) else json.dumps(record)) + "\n" for record in records)


def write(path: Path, records: Sequence[JsonObject | str]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(lines(records), encoding="utf-8", errors="surrogatepass")
    return path
