"""The end of a session, read from the end of its file: enough to know which one it was."""

from __future__ import annotations

import os
from pathlib import Path

from pitui.session.files import read_session_file
from pitui.session.history import active_path, entries_of
from pitui.session.state import Entry

TAIL = 64 * 1024
"""Bytes read from the end; more when that holds nothing to show, as behind one huge record."""
MOST = 16 * 1024 * 1024
ENTRIES = 40
"""Stored entries of the active branch that are drawn."""


def ending(path: Path) -> tuple[Entry, ...]:
    """The last entries of the active branch. Raises OSError."""
    with path.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        reach = TAIL
        while True:
            start = file.seek(max(0, size - reach))
            data = file.read()
            entries = _entries(data[data.find(b"\n") + 1 :] if start else data)
            if entries or not start or reach >= MOST:
                return entries
            reach *= 8


def _entries(data: bytes) -> tuple[Entry, ...]:
    session = read_session_file(data)
    path, _ = active_path(session.entries, session.leaf_id)
    return entries_of(path[-ENTRIES:])
