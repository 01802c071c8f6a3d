"""Changing sessions that no agent has open: a new name, the trash, another place."""

from __future__ import annotations

import json
import os
import shutil
import uuid
from collections import deque
from datetime import UTC, datetime
from pathlib import Path

from pitui.catalog.folders import fresh_path
from pitui.catalog.lock import SessionLock, lock_folder
from pitui.catalog.records import parse_lines, read_header, text_of
from pitui.store.jsonfile import FileTrouble


class NoTrash(Exception):
    """There is no trash for this file; it can only be deleted for good."""


def rename_session(path: Path, name: str, now: float, locks: Path | None = None) -> None:
    """Append the name as the agent would; an empty one clears it. `now` in seconds since 1970.

    Raises SessionHeld when the session is open somewhere, FileTrouble when the file cannot be written.
    """
    with SessionLock(path, now, locks or lock_folder()):
        try:
            with path.open("rb") as file:
                last = deque(parse_lines(file), 1)
            leaf = text_of(last[0], "id") if last and last[0].get("type") != "session" else ""
            record = {
                "type": "session_info", "id": uuid.uuid4().hex[:8], "parentId": leaf or None,
                "timestamp": datetime.fromtimestamp(now, UTC).isoformat(timespec="milliseconds")[:-6] + "Z",
                "name": " ".join(name.split()),
            }
            _append(path, json.dumps(record).encode() + b"\n")
        except OSError as error:
            raise FileTrouble(f"{path} cannot be renamed: {error.strerror}") from error


def _append(path: Path, line: bytes) -> None:
    """One line in one write, on a line of its own even after one that was cut off."""
    with path.open("r+b") as file:
        end = file.seek(0, os.SEEK_END)
        if end:
            file.seek(end - 1)
            line = line if file.read(1) == b"\n" else b"\n" + line
        file.seek(0, os.SEEK_END)
        file.write(line)


def trash_session(path: Path, now: float, locks: Path | None = None) -> None:
    """Move the file to the trash. Raises NoTrash, SessionHeld, or FileTrouble when it is gone."""
    from send2trash import send2trash
    from send2trash.exceptions import TrashPermissionError

    with SessionLock(path, now, locks or lock_folder()):
        if not path.exists():
            raise FileTrouble(f"{path} is not there any more.")
        try:
            send2trash(path)
        except (TrashPermissionError, OSError) as error:
            raise NoTrash(str(error)) from error


def delete_session(path: Path, now: float, locks: Path | None = None) -> None:
    """Delete the file for good. Raises SessionHeld, or FileTrouble when it cannot be deleted."""
    with SessionLock(path, now, locks or lock_folder()):
        try:
            path.unlink()
        except OSError as error:
            raise FileTrouble(f"{path} cannot be deleted: {error.strerror}") from error


def import_session(source: Path, folder: Path, now: float) -> Path:
    """Copy a session file into `folder` under a fresh name, its id and working directory kept; gives the copy.

    Raises FileTrouble for a file that is no session or cannot be copied.
    """
    header = read_header(source)
    if header is None:
        reason = "does not begin with a session header" if source.is_file() else "is not there"
        raise FileTrouble(f"{source} {reason}.")
    target = fresh_path(folder, text_of(header, "id"), now)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
    except OSError as error:
        raise FileTrouble(f"{source} cannot be copied to {folder}: {error.strerror}") from error
    return target
