"""From one record to one value, and back. Decoding never raises."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache

from pydantic import TypeAdapter, ValidationError

from pitui.rpc.events import AgentEvent, AnyUiRequest, Event, LateResponse, Response, UiRequest, Unknown
from pitui.rpc.wire import JsonObject

EVIDENCE = 2_000
"""Bytes of an unusable record that are kept."""

DEPTH = 64
"""How many levels of a record nested too deeply are kept; nothing used here is deeper than ten."""

_STRING_OR_BRACKET = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[\[\]{}]', re.DOTALL)

Decoded = Event | Response


@cache
def _event() -> TypeAdapter[Decoded]:
    return TypeAdapter(AgentEvent)


@cache
def _ui_request() -> TypeAdapter[AnyUiRequest]:
    return TypeAdapter(UiRequest)


def decode(record: bytes) -> Decoded:
    """The value of one record (without its LF); `Unknown` for whatever cannot be used."""
    try:
        return _event().validate_json(record)
    except ValidationError:
        return _decode_slowly(record)


def _decode_slowly(record: bytes) -> Decoded:
    """Extension-UI requests, records with bytes before them, lone surrogates, and what is none of ours."""
    try:
        value = _parse(record)
    except RecursionError:
        return _decode_deep(record)
    if isinstance(value, Unknown) and (start := record.find(b"{")) > 0:
        # An extension's escape sequence or a package manager's line glued to the front of a record
        # (earendil-works/pi#2388): the record itself is whole.
        rest = _parse(record[start:])
        value = value if isinstance(rest, Unknown) else rest
    if isinstance(value, Unknown):
        return value
    if not isinstance(value, dict):
        return _unknown(record, "not a JSON object")
    kind = value.get("type")
    try:
        if kind == "extension_ui_request":
            return _ui_request().validate_python(value)
        return _event().validate_python(value)
    except ValidationError:
        name = kind if isinstance(kind, str) else None
        return _unknown(record, f"unknown record type {name!r}" if name else "a record without a type", name)


def _parse(record: bytes) -> object:
    """Python's own parser: it takes lone surrogates, which pydantic's refuses."""
    try:
        return json.loads(record.decode("utf-8", "replace"))
    except ValueError:
        return _unknown(record, "not JSON")


def _decode_deep(record: bytes) -> Decoded:
    """A record with its deep values left out; an answer without them would be another answer, so it is a failed one.

    A `get_tree` answer has one level for each entry of the session.
    """
    value = decode(_prune(record))
    if isinstance(value, Response):
        return value.model_copy(update={"success": False, "data": None, "error": "nested too deeply to read"})
    return replace(value, record=record[:EVIDENCE]) if isinstance(value, Unknown) else value


def _prune(record: bytes) -> bytes:
    """A record with null for every value below `DEPTH` levels; no recursion, for that is what failed."""
    kept: list[bytes] = []
    start = level = 0
    for token in _STRING_OR_BRACKET.finditer(record):
        if token[0] in (b"{", b"["):
            level += 1
            if level == DEPTH:
                kept += (record[start : token.start()], b"null")
        elif token[0] in (b"}", b"]"):
            if level == DEPTH:
                start = token.end()
            level -= 1
    # Unclosed at the end: not JSON, and to be refused as such.
    return b"".join(kept) + record[start:] if level == 0 else b""


def _unknown(record: bytes, reason: str, kind: str | None = None) -> Unknown:
    return Unknown(record[:EVIDENCE], reason, kind)


def encode(record: Mapping[str, object]) -> bytes:
    """One record as ASCII JSON with its LF, so that no reader can mistake a character for a separator.

    Raises TypeError or ValueError for values JSON has no form for.
    """
    return json.dumps(record, ensure_ascii=True, allow_nan=False, separators=(",", ":")).encode("ascii") + b"\n"


def join_text(parts: list[str]) -> str:
    """Streamed pieces as one text: surrogate pairs split over two pieces join, lone ones become U+FFFD."""
    text = "".join(parts)
    if text.isascii():
        return text
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


__all__ = ["Decoded", "JsonObject", "LateResponse", "decode", "encode", "join_text"]
