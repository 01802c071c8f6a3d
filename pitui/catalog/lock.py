"""At most one agent on a session file: a lock kept for as long as pitui has it open."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import time
from dataclasses import dataclass, field
from pathlib import Path

import platformdirs

from pitui.store.jsonfile import FileTrouble

TRIES = 5
PAUSE = 0.02
"""Seconds between tries: somebody who only looks who has a session holds its lock for an instant."""


@dataclass(frozen=True, slots=True)
class Holder:
    """Who has a session open: process id and when it opened it, in seconds since 1970 (0: not known)."""

    pid: int
    since: float

    def __str__(self) -> str:
        return "this pitui" if self.pid == os.getpid() else f"another pitui (process {self.pid})"


class SessionHeld(Exception):
    """Somebody has the session open."""

    def __init__(self, holder: Holder) -> None:
        super().__init__(f"The session is open in {holder}.")
        self.holder = holder


def lock_folder() -> Path:
    return platformdirs.user_state_path("pitui") / "locks"


@dataclass(slots=True)
class SessionLock:
    """The right to let an agent write one session file.

    The kernel keeps the lock (flock) and drops it when the process ends, however it ends: nothing goes stale, and the
    note inside only says who. Every path of a session, by link or not, is one lock. `now` in seconds since 1970.
    """

    path: Path
    now: float
    folder: Path = field(default_factory=lock_folder)
    _handle: int | None = None

    def acquire(self) -> None:
        """Take the lock. Raises SessionHeld when somebody has it (this process too), FileTrouble when none can be had.

        Once held, another call does nothing.
        """
        if self._handle is not None:
            return
        handle = _open(self.file)
        if not any(_take(handle, fcntl.LOCK_EX) for _ in range(TRIES)):
            holder = _note(handle)
            os.close(handle)
            raise SessionHeld(holder)
        os.truncate(handle, 0)
        os.pwrite(handle, json.dumps({"pid": os.getpid(), "since": self.now, "path": str(self.path)}).encode(), 0)
        self._handle = handle

    def release(self) -> None:
        """Let go; the file stays, since removing it would let two processes lock two files of one name."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None

    def __enter__(self) -> SessionLock:
        self.acquire()
        return self

    def __exit__(self, *_: object) -> None:
        self.release()

    @property
    def file(self) -> Path:
        name = hashlib.sha256(os.fsencode(os.path.realpath(self.path))).hexdigest()[:32]
        return self.folder / f"{name}.lock"


def _take(handle: int, mode: int) -> bool:
    try:
        fcntl.flock(handle, mode | fcntl.LOCK_NB)
    except BlockingIOError:
        time.sleep(PAUSE)
        return False
    return True


def _open(file: Path) -> int:
    try:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        return os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise FileTrouble(f"{file} cannot be made: {error.strerror}") from error


def _note(handle: int) -> Holder:
    try:
        note = json.loads(os.pread(handle, 4096, 0))
        return Holder(int(note["pid"]), float(note["since"]))
    except (ValueError, KeyError, TypeError):
        return Holder(0, 0.0)


def holder_of(path: Path, folder: Path | None = None) -> Holder | None:
    """Who has the session at `path` open, or None. Raises FileTrouble when locks cannot be looked at."""
    file = SessionLock(path, 0.0, folder or lock_folder()).file
    if not file.exists():
        return None
    handle = _open(file)
    try:
        return None if _take(handle, fcntl.LOCK_SH) else _note(handle)
    finally:
        os.close(handle)
