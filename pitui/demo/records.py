"""What every record is made of: JSON objects, times and ids."""

from __future__ import annotations

import os
import time
from datetime import UTC, datetime

Record = dict[str, object]


class Refused(Exception):
    """A command cannot be carried out; the message is the answer's `error`."""


def now_ms() -> int:
    """Milliseconds since 1970, the unit of every message's timestamp."""
    return time.time_ns() // 1_000_000


def iso_time() -> str:
    """Now, the way entries and session headers write it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def entry_id() -> str:
    """An id for an entry: 8 hex digits."""
    return os.urandom(4).hex()


def session_id() -> str:
    """A time-ordered id for a session (UUID version 7)."""
    bits = (now_ms() & ((1 << 48) - 1)) << 80 | int.from_bytes(os.urandom(10), "big")
    bits = bits & ~(0xF << 76) & ~(0x3 << 62) | 0x7 << 76 | 0x2 << 62
    return _as_uuid(bits)


def random_uuid() -> str:
    """A random id (UUID version 4), such as requests of extensions have."""
    bits = int.from_bytes(os.urandom(16), "big")
    return _as_uuid(bits & ~(0xF << 76) & ~(0x3 << 62) | 0x4 << 76 | 0x2 << 62)


def _as_uuid(bits: int) -> str:
    digits = f"{bits:032x}"
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))


def text_field(record: Record, name: str) -> str | None:
    """The string in field `name`, or None when it is absent or no string."""
    value = record.get(name)
    return value if isinstance(value, str) else None


def object_field(record: Record, name: str) -> Record:
    """The object in field `name`, or an empty one."""
    value = record.get(name)
    return value if isinstance(value, dict) else {}


def list_field(record: Record, name: str) -> list[object]:
    """The list in field `name`, or an empty one."""
    value = record.get(name)
    return value if isinstance(value, list) else []


def objects(values: list[object]) -> list[Record]:
    """Only the objects of a list."""
    return [value for value in values if isinstance(value, dict)]


def int_field(record: Record, name: str) -> int:
    """The whole number in field `name`, or 0."""
    value = record.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) else 0
