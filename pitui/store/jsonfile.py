"""JSON files that other programs write too: read quietly, changed under the agent's own lock, replaced atomically."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from pitui.rpc.wire import JsonObject

STALE = 10.0
"""Seconds after which a lock nobody refreshed is taken over: proper-lockfile's default, which the agent uses."""
PATIENCE = 0.2
"""Seconds to wait for a held lock: the agent tries ten times, 20 ms apart."""
PAUSE = 0.02

Clock = Callable[[], float]


class FileTrouble(Exception):
    """A file could not be read or written; the message is for the person."""


def read_object(path: Path) -> JsonObject:
    """The JSON object in `path`; empty when there is no file. Raises FileTrouble for anything else."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise FileTrouble(f"{path} cannot be read: {_reason(error)}") from error
    return _parse(text, path)


def _parse(text: str, path: Path) -> JsonObject:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FileTrouble(f"{path} is not valid JSON: {error}") from error
    if not isinstance(value, dict):
        raise FileTrouble(f"{path} holds no JSON object")
    return value


@contextmanager
def directory_lock(target: Path, *, patience: float = PATIENCE, clock: Clock = time.time) -> Iterator[Path]:
    """Hold `<target>.lock`, a directory, as proper-lockfile does: made is held, and stale after `STALE` seconds.

    It is never refreshed: it is held for milliseconds. Raises FileTrouble when somebody else keeps it for longer than
    `patience` seconds.
    """
    lock = target.with_name(target.name + ".lock")
    deadline = time.monotonic() + patience
    while not _acquire(lock, clock):
        if time.monotonic() >= deadline:
            raise FileTrouble(f"{target} is being written by another program")
        time.sleep(PAUSE)
    try:
        yield lock
    finally:
        with suppress(FileNotFoundError):
            lock.rmdir()


def _acquire(lock: Path, clock: Clock) -> bool:
    try:
        lock.mkdir()
    except FileExistsError:
        _break_if_stale(lock, clock)
        return False
    except OSError as error:
        raise FileTrouble(f"{lock} cannot be made: {_reason(error)}") from error
    return True


def _break_if_stale(lock: Path, clock: Clock) -> None:
    """Remove a lock whose holder is gone; the caller tries again either way."""
    with suppress(OSError):
        if lock.stat().st_mtime < clock() - STALE:
            lock.rmdir()


def update_object(path: Path, change: Callable[[JsonObject], JsonObject]) -> JsonObject:
    """Read, `change` and replace the object in `path` under its lock; gives what was written.

    Indentation, key order, permissions and a symbolic link are kept. Raises FileTrouble, and then nothing is changed:
    a file that cannot be understood is never overwritten.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileTrouble(f"{path.parent} cannot be made: {_reason(error)}") from error
    with directory_lock(path):
        before = read_object(path)
        after = change(before)
        write_text(path, _as_text(after, _indent(path)))
    return after


def _as_text(value: JsonObject, indent: str) -> str:
    text = json.dumps(value, indent=indent, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:  # a lone surrogate has no UTF-8, but JSON has an escape for it
        text = json.dumps(value, indent=indent)
    return text + "\n"


def _indent(path: Path) -> str:
    """The first indentation in the file; two spaces, as the agent writes, when there is none."""
    with suppress(OSError, UnicodeDecodeError):
        for line in path.read_text(encoding="utf-8-sig").split("\n"):
            if margin := line[: len(line) - len(line.lstrip(" \t"))]:
                return margin
    return "  "


def write_text(path: Path, text: str) -> None:
    """Replace `path` by `text` in one step; a reader sees the old file or the new one. Raises FileTrouble."""
    target = Path(os.path.realpath(path))
    temporary = ""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            shutil.copymode(target, temporary)
        Path(temporary).replace(target)
    except OSError as error:
        if temporary:
            Path(temporary).unlink(missing_ok=True)
        raise FileTrouble(f"{path} cannot be written: {_reason(error)}") from error


def _reason(error: Exception) -> str:
    return error.strerror if isinstance(error, OSError) and error.strerror else str(error)
