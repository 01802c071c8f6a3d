"""Session files, read from their bytes: versions 1 to 3, as they are found, damage included."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from pydantic import TypeAdapter, ValidationError

from pitui.rpc.messages import CustomMessage, UnknownMessage
from pitui.rpc.stored import AnyStored, SessionHeader, StoredCompaction, StoredEntry, StoredMessage, StoredUnknown
from pitui.session.history import active_path


@dataclass(frozen=True, slots=True)
class StoredSession:
    """A session file. `entries` in file order, all with ids; `leaf_id` is the last one's. `cut`: the active path does
    not reach a root. `skipped`: lines of which nothing could be used.
    """

    header: SessionHeader | None
    entries: tuple[AnyStored, ...]
    leaf_id: str | None
    cut: bool
    skipped: int


Record = SessionHeader | AnyStored


@cache
def _stored() -> TypeAdapter[AnyStored]:
    return TypeAdapter(StoredEntry)


def read_session_file(data: bytes) -> StoredSession:
    """Everything usable in a session file. Never raises: what the agent itself would skip is counted.

    Two records on one line, which the agent loses both, are both read, and so is a whole one behind a broken one.
    A second header (two writers on one file) is ignored.
    """
    records: list[Record] = []
    skipped = 0
    for line in data.split(b"\n"):
        if line := line.strip():
            found = _records(line)
            skipped += not found
            records += found
    header = next((record for record in records if isinstance(record, SessionHeader)), None)
    entries = tuple(_modern(record) for record in records if not isinstance(record, SessionHeader))
    if not any(entry.id for entry in entries):
        entries = tuple(_linear(entries))
    leaf_id = entries[-1].id if entries else None
    _, cut = active_path(entries, leaf_id)
    return StoredSession(header, entries, leaf_id, cut, skipped)


def _records(line: bytes) -> list[Record]:
    """The records of one line: one, as a rule."""
    try:
        record = _known(_stored().validate_json(line))
    except ValidationError:
        return list(_salvaged(line.decode("utf-8", "replace")))
    return [] if record is None else [record]


def _known(record: AnyStored) -> Record | None:
    """The header is told by its type; an object without a type is none of ours."""
    if not isinstance(record, StoredUnknown):
        return record
    if record.type == "session":
        return SessionHeader.model_validate(
            {**(record.model_extra or {}), "type": "session", "id": record.id, "timestamp": record.timestamp}
        )
    return record if record.type else None


def _salvaged(text: str) -> Iterator[Record]:
    """Records glued together, records with lone surrogates, and a whole one behind the stump of another: that has to
    reach the end of the line, since a stump may itself hold objects that look like records (a sub-agent's, say).
    """
    decoder = json.JSONDecoder()
    at, whole = 0, True
    while (at := text.find("{", at)) >= 0:
        try:
            value, end = decoder.raw_decode(text, at)
            if isinstance(value, dict) and (whole or (end == len(text) and _is_record(value))):
                record = _known(_stored().validate_python(value))
                if record is not None:
                    yield record
            at = end
        except RecursionError:
            return
        except ValueError:
            at, whole = at + 1, False


def _is_record(value: dict[str, object]) -> bool:
    """Whether an object found inside of a broken line is a record, not a part of one."""
    return all(isinstance(value.get(name), str) for name in ("type", "id", "timestamp")) and "parentId" in value


def _modern(record: AnyStored) -> AnyStored:
    """Version 2 called an extension's message `hookMessage`."""
    if not (isinstance(record, StoredMessage) and isinstance(record.message, UnknownMessage)):
        return record
    if record.message.role != "hookMessage":
        return record
    message = CustomMessage.model_validate({**(record.message.model_extra or {}), "role": "custom"})
    return record.model_copy(update={"message": message})


def _linear(entries: tuple[AnyStored, ...]) -> Iterator[AnyStored]:
    """Version 1: no ids, each entry follows the last. Its compactions count from the header, which is 0."""
    for number, entry in enumerate(entries, start=1):
        update: dict[str, object] = {"id": f"v1-{number}", "parent_id": f"v1-{number - 1}" if number > 1 else None}
        if isinstance(entry, StoredCompaction) and entry.first_kept_entry_index is not None:
            update["first_kept_entry_id"] = f"v1-{entry.first_kept_entry_index}"
        yield entry.model_copy(update=update)


__all__ = ["StoredSession", "read_session_file"]
