"""Never two agents on one session file, seen from two processes."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pitui.catalog.lock import Holder, SessionHeld, SessionLock, holder_of
from pitui.store.jsonfile import FileTrouble

OTHER = """
import sys
from pathlib import Path
from pitui.catalog.lock import SessionLock
SessionLock(Path(sys.argv[1]), 7.0, Path(sys.argv[2])).acquire()
print("held", flush=True)
sys.stdin.read()
"""


@contextmanager
def another_process(path: Path, folder: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that holds the lock until it is told to end."""
    with subprocess.Popen(
        [sys.executable, "-c", OTHER, str(path), str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        try:
            yield process
        finally:
            process.kill()


def test_a_session_open_in_another_process_is_refused_and_its_holder_told(tmp_path: Path) -> None:
    session = tmp_path / "s.jsonl"
    with another_process(session, tmp_path) as process:
        with pytest.raises(SessionHeld) as held:
            SessionLock(session, 1.0, tmp_path).acquire()
        assert held.value.holder == Holder(process.pid, 7.0)
        assert str(process.pid) in str(held.value)
        assert holder_of(session, tmp_path) == Holder(process.pid, 7.0)


def test_a_killed_process_leaves_nothing_stale(tmp_path: Path) -> None:
    session = tmp_path / "s.jsonl"
    with another_process(session, tmp_path) as process:
        process.kill()
        process.wait()
        assert holder_of(session, tmp_path) is None
        with SessionLock(session, 1.0, tmp_path):
            assert holder_of(session, tmp_path) == Holder(os.getpid(), 1.0)


def test_one_process_cannot_open_a_session_twice(tmp_path: Path) -> None:
    session = tmp_path / "s.jsonl"
    with SessionLock(session, 1.0, tmp_path), pytest.raises(SessionHeld, match="this pitui"):
        SessionLock(session, 2.0, tmp_path).acquire()


def test_another_path_to_the_same_file_is_the_same_lock(tmp_path: Path) -> None:
    session = tmp_path / "s.jsonl"
    session.touch()
    (tmp_path / "link.jsonl").symlink_to(session)
    with SessionLock(session, 1.0, tmp_path), pytest.raises(SessionHeld):
        SessionLock(tmp_path / "link.jsonl", 2.0, tmp_path).acquire()


def test_a_released_lock_can_be_had_again(tmp_path: Path) -> None:
    lock = SessionLock(tmp_path / "s.jsonl", 1.0, tmp_path)
    for _ in range(2):
        lock.acquire()
        lock.acquire()
        lock.release()
        lock.release()
    assert holder_of(tmp_path / "s.jsonl", tmp_path) is None


def test_other_sessions_are_not_locked(tmp_path: Path) -> None:
    with SessionLock(tmp_path / "a.jsonl", 1.0, tmp_path), SessionLock(tmp_path / "b.jsonl", 1.0, tmp_path):
        assert holder_of(tmp_path / "c.jsonl", tmp_path) is None


def test_a_place_where_no_lock_can_be_made_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(FileTrouble, match="cannot be made"):
        SessionLock(tmp_path / "s.jsonl", 1.0, tmp_path / "file" / "locks").acquire()


def test_a_note_nobody_can_read_still_means_held(tmp_path: Path) -> None:
    lock = SessionLock(tmp_path / "s.jsonl", 1.0, tmp_path)
    with lock:
        lock.file.write_text("what?")
        assert holder_of(tmp_path / "s.jsonl", tmp_path) == Holder(0, 0.0)
