"""The end of a session, read from the end of its file: enough to know which one it was."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pitui.library.records import content_text, object_of, parse_lines, text_of
from pitui.rpc.wire import JsonObject

TAIL = 256 * 1024
"""Bytes read from the end."""


@dataclass(frozen=True, slots=True)
class Said:
    """`who`: user, assistant, tool, or what an entry is. `text` is foreign and as it was stored."""

    who: str
    text: str


def last_said(path: Path, limit: int = 12) -> list[Said]:
    """The last things said on the active branch, oldest first. Raises OSError."""
    found: list[Said] = []
    for record in reversed(_branch(_tail(path))):
        if (said := _said(record)) is not None:
            found.append(said)
            if len(found) == limit:
                break
    return found[::-1]


def _tail(path: Path) -> list[JsonObject]:
    with path.open("rb") as file:
        size = file.seek(0, 2)
        start = file.seek(max(0, size - TAIL))
        lines = file.read().split(b"\n")
    return list(parse_lines(lines[1:] if start else lines))


def _branch(records: Sequence[JsonObject]) -> list[JsonObject]:
    """Those that lead to the last one; all of them in a file from before entries had parents."""
    if not any("id" in record and record.get("type") != "session" for record in records):
        return list(records)
    branch: list[JsonObject] = []
    wanted = text_of(records[-1], "id")
    for record in reversed(records):
        if wanted and record.get("id") == wanted and record.get("type") != "session":
            branch.append(record)
            wanted = text_of(record, "parentId")
    return branch[::-1]


def _said(record: JsonObject) -> Said | None:
    kind = text_of(record, "type")
    if kind in ("compaction", "branch_summary"):
        return Said(kind.replace("_", " "), text_of(record, "summary"))
    if kind != "message":
        return None
    message = object_of(record, "message")
    role = text_of(message, "role")
    if role == "bashExecution":
        return Said("shell", f"$ {text_of(message, 'command')}\n{text_of(message, 'output')}")
    if role not in ("user", "assistant", "toolResult"):
        return None
    text = content_text(message.get("content")) or text_of(message, "errorMessage") or _calls(message)
    return Said("tool" if role == "toolResult" else role, text) if text.strip() else None


def _calls(message: JsonObject) -> str:
    """The tools a message without words calls."""
    content = message.get("content")
    blocks = content if isinstance(content, list) else []
    names = [text_of(block, "name") for block in blocks if isinstance(block, dict) and block.get("type") == "toolCall"]
    return ", ".join(name for name in names if name)
