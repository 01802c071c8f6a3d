"""The shapes of records: which fields each kind of object has, wherever it appears."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

Record = dict[str, object]


class Shape:
    """The fields a kind of object always has, and those it has ever had."""

    def __init__(self) -> None:
        self.always: frozenset[str] | None = None
        self.ever: frozenset[str] = frozenset()

    def see(self, record: Record) -> None:
        fields = frozenset(record)
        self.always = fields if self.always is None else self.always & fields
        self.ever |= fields


def shapes(records: Iterable[Record]) -> dict[str, Shape]:
    """The shape of each kind of object in what an agent wrote."""
    found: dict[str, Shape] = defaultdict(Shape)
    for record in records:
        for kind, value in kinds(record):
            found[kind].see(value)
    return dict(found)


def kinds(record: Record) -> Iterator[tuple[str, Record]]:
    """The objects of a record with the names of their kinds."""
    kind = str(record.get("type"))
    if kind == "response":
        outcome = "success" if record.get("success") else "error"
        yield f"response {record.get('command')} {outcome}", record
    elif kind == "extension_ui_request":
        yield f"request {record['method']}", record
    else:
        yield f"event {kind}", record
    event = record.get("assistantMessageEvent")
    if isinstance(event, dict):
        yield f"update {event['type']}", event
    result = record.get("result") or record.get("partialResult")
    if isinstance(result, dict):
        yield f"result {kind} {record.get('toolName', '')}", result
    data = record.get("data")
    if isinstance(data, dict):
        yield f"data {record['command']}", data
    yield from _inside(record)


def _inside(value: object) -> Iterator[tuple[str, Record]]:
    """Everything in a value whose kind can be told by its fields."""
    if isinstance(value, list):
        for item in value:
            yield from _inside(item)
    if not isinstance(value, dict):
        return
    yield from _named(value)
    for name, item in value.items():
        if name not in ("arguments", "args", "details", "sections", "parameters", "systemMessage"):
            yield from _inside(item)


def _named(value: Record) -> Iterator[tuple[str, Record]]:
    if "role" in value:
        kind = f"{value['role']} {value.get('stopReason', '')}".strip()
        yield f"message {kind}", value
    elif "parentId" in value:
        yield f"entry {value['type']}", value
    elif value.get("type") in ("text", "thinking", "toolCall", "image") and "note" not in value:
        yield f"block {value['type']}", value
    elif "contextWindow" in value and "baseUrl" in value:
        yield "model", value
    elif "sourceInfo" in value:
        yield "command", value
    elif "cacheRead" in value and "cost" in value and "input" in value:
        yield "usage", value
