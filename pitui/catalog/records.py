"""Lines of a session file as JSON objects: only what the agent's own parser takes, and nothing raises."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

import jiter

from pitui.rpc.wire import JsonObject

HEADER_LIMIT = 1 << 20
"""Bytes of a file in which its header must be found: the agent gives up as well, on a similar bound."""


def parse_line(line: bytes) -> JsonObject | None:
    """The object on one line; None for a line the agent would skip."""
    if not line.strip():
        return None
    value: object
    try:
        value = jiter.from_json(line)
    except ValueError:
        value = _parse_slowly(line)
    return value if isinstance(value, dict) else None


def _parse_slowly(line: bytes) -> object:
    """Lone surrogates, deep nesting and broken UTF-8, which the fast parser refuses."""
    try:
        return json.loads(line.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None


def parse_lines(lines: Iterable[bytes]) -> Iterator[JsonObject]:
    """The objects on `lines` in order, malformed lines left out."""
    for line in lines:
        record = parse_line(line)
        if record is not None:
            yield record


def read_header(path: Path) -> JsonObject | None:
    """The header of a session file, which is its first well-formed line; None when it has none or cannot be read."""
    try:
        with path.open("rb") as file:
            head = file.read(HEADER_LIMIT)
    except OSError:
        return None
    first = next(parse_lines(head.split(b"\n")), None)
    return first if first is not None and first.get("type") == "session" else None


def text_of(record: JsonObject, key: str) -> str:
    """The string in `key`, or an empty one."""
    value = record.get(key)
    return value if isinstance(value, str) else ""


def object_of(record: JsonObject, key: str) -> JsonObject:
    """The object in `key`, or an empty one."""
    value = record.get(key)
    return value if isinstance(value, dict) else {}


def content_text(content: object) -> str:
    """The text of a message's content: a plain string, or its text blocks a line each."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    texts = [
        block if isinstance(block, str) else text_of(block, "text")
        for block in content if isinstance(block, str) or (isinstance(block, dict) and block.get("type") == "text")
    ]
    return "\n".join(text for text in texts if text)
