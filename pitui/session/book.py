"""A transcript under construction: what the commit functions write to, live and from a file alike."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from dataclasses import replace

from pitui.session.state import Entry, Notice, NoticeEntry, ToolEntry

NOTICES = 200
"""Notices kept in one NoticeEntry; older ones are only counted."""


class Book:
    """Entries being added to. `written` are those of an earlier value: they are scanned, never indexed, because a live
    event adds one entry to thousands; what is added here is indexed, because a history adds thousands to none.
    """

    def __init__(self, written: Iterable[Entry] = ()) -> None:
        self._origin = tuple(written)
        self._changed = False
        self.entries: list[Entry] = list(self._origin)
        self._written = len(self.entries)
        self._keys: dict[str, int] = {}
        self._calls: dict[str, int] = {}
        self._taken: dict[str, int] = {}
        self.last_message = self._written

    def add(self, entry: Entry) -> None:
        """Append an entry; its key is made unique by a number."""
        if key := self._free_key(entry.key):
            entry = replace(entry, key=key)
        self._keys.setdefault(entry.key, len(self.entries))
        if isinstance(entry, ToolEntry) and entry.call_id:
            self._calls[entry.call_id] = len(self.entries)
        self.entries.append(entry)
        self._changed = True

    def put(self, index: int, entry: Entry) -> None:
        """Replace an entry by one with the same key."""
        if entry is not self.entries[index]:
            self.entries[index] = entry
            self._changed = True

    def find(self, key: str) -> int | None:
        """Where the entry with this key is."""
        if key in self._keys:
            return self._keys[key]
        return next((i for i in reversed(range(self._written)) if self.entries[i].key == key), None)

    def find_call(self, call_id: str) -> int | None:
        """Where the newest card of this call is: ids are only unique within one answer of some models."""
        if not call_id:
            return None
        if call_id in self._calls:
            return self._calls[call_id]
        for index in reversed(range(self._written)):
            entry = self.entries[index]
            if isinstance(entry, ToolEntry) and entry.call_id == call_id:
                return index
        return None

    def begin_message(self) -> None:
        """A user's or the model's message follows: no call from before it can still get a result in a history."""
        self.last_message = len(self.entries)

    def note(self, notice: Notice, key: str) -> bool:
        """Add a notice to the entry of notices that is last, or else as a new one with `key`; True if it was new."""
        last = self.entries[-1] if self.entries else None
        if not isinstance(last, NoticeEntry):
            self.add(NoticeEntry(key, (notice,)))
            return True
        notices = (*last.notices, notice)
        over = max(0, len(notices) - NOTICES)
        self.put(len(self.entries) - 1, replace(last, notices=notices[over:], dropped=last.dropped + over))
        return False

    def close(self) -> tuple[Entry, ...]:
        """The finished value; the one it started from when nothing changed."""
        return tuple(self.entries) if self._changed else self._origin

    def _free_key(self, key: str) -> str | None:
        """A key nobody has, or None when `key` itself is free."""
        if self.find(key) is None:
            return None
        number = self._taken.get(key, 1) + 1
        while self.find(f"{key}~{number}") is not None:
            number += 1
        self._taken[key] = number
        return f"{key}~{number}"


def digest(text: str) -> str:
    """A short stable name for a text, for entries that have no id both live and in the file."""
    return f"{zlib.crc32(text.encode('utf-8', 'surrogatepass')):08x}"


def stamp(timestamp: float | None, text: str) -> str:
    """The part of a key that tells a message from others: its time in milliseconds, or its text."""
    return f"{timestamp:.0f}" if timestamp is not None else digest(text)
