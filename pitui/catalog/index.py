"""The index of sessions: cards and texts of every file, kept in a cache and brought up to date while they are shown."""

from __future__ import annotations

import json
import os
import sqlite3
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, fields
from pathlib import Path

import platformdirs

from pitui.catalog.cards import Reading, SessionCard, read_session
from pitui.catalog.folders import newest_first

VERSION = 1
"""Of what is kept; another one throws the cache away."""
FIRST = 30
"""Files read before the first rows are given out."""
PERIOD = 0.15
"""Seconds between batches after the first."""
_SCHEMA = """
create table if not exists sessions (
    path text primary key, mtime integer not null, size integer not null, card text not null
) without rowid;
create table if not exists texts (path text primary key, text text not null, folded text not null);
"""
_FIELDS = frozenset(field.name for field in fields(SessionCard))


@dataclass(frozen=True, slots=True)
class Batch:
    """Cards that became known or changed; `done` of `total` files are known. `gone`: paths that are no longer there."""

    cards: tuple[SessionCard, ...]
    done: int
    total: int
    gone: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class _File:
    """A file as the disk has it; `mtime` in nanoseconds."""

    path: Path
    mtime: int
    size: int

    @property
    def key(self) -> str:
        return _storable(str(self.path))


def cache_path() -> Path:
    return platformdirs.user_cache_path("pitui") / f"sessions-{VERSION}.sqlite"


class SessionIndex:
    """Sessions as of their last reading. Every method may be called in any thread and works on its own connection.

    The cache is only a cache: a damaged or unwritable one is replaced, at worst by one that lasts as long as this
    object. It holds what was said in the sessions, so nobody else may read it.
    """

    def __init__(self, cache: Path | None = None) -> None:
        self._path = cache or cache_path()
        self._spare: tempfile.TemporaryDirectory[str] | None = None

    def refresh(self, root: Path) -> Iterator[Batch]:
        """Bring everything below `root` up to date, newest first; stop iterating to stop the work.

        The first batch comes from the cache (it may be empty), each next one within about `PERIOD` seconds.
        """
        files = [_File(path, status.st_mtime_ns, status.st_size) for path, status in newest_first(root)]
        with self._open() as store:
            known = {row[0]: row[1:] for row in store.execute("select path, mtime, size, card from sessions")}
            fresh, stale = _sorted_out(files, known)
            gone = frozenset(path for path in known if Path(path).is_relative_to(root)) - {file.key for file in files}
            _forget(store, gone)
            store.commit()
            yield Batch(tuple(fresh), len(files) - len(stale), len(files), gone)
            yield from self._read(store, stale, len(files))

    def _read(self, store: sqlite3.Connection, stale: list[_File], total: int) -> Iterator[Batch]:
        cards: list[SessionCard] = []
        done, due = total - len(stale), 0.0
        for number, file in enumerate(stale, 1):
            reading = _read_file(file)
            _keep(store, file, reading)
            done += 1
            if reading is not None:
                cards.append(reading.card)
            now = time.monotonic()
            if number == len(stale) or number == FIRST or (number > FIRST and now >= due):
                store.commit()
                yield Batch(tuple(cards), done, total)
                cards, due = [], time.monotonic() + PERIOD

    def reread(self, path: Path) -> SessionCard | None:
        """Read one file anew; None, and forgotten, when it is gone or no session."""
        with self._open() as store:
            try:
                status = path.stat()
            except OSError:
                _forget(store, [_storable(str(path))])
                return None
            file = _File(path, status.st_mtime_ns, status.st_size)
            reading = _read_file(file)
            _keep(store, file, reading)
            return reading.card if reading is not None else None

    def texts(self, paths: Iterable[str]) -> Iterator[tuple[str, str]]:
        """(path, folded text) of each of `paths` that was read, in their order."""
        with self._open() as store:
            for path in paths:
                row = store.execute("select folded from texts where path = ?", (_storable(path),)).fetchone()
                if row is not None:
                    yield path, row[0]

    def text(self, path: str) -> str:
        """What was said in one session, a message a line."""
        with self._open() as store:
            row = store.execute("select text from texts where path = ?", (_storable(path),)).fetchone()
        return "" if row is None else str(row[0])

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        with closing(self._connect()) as store:
            yield store
            store.commit()

    def _connect(self) -> sqlite3.Connection:
        try:
            return _connected(self._path)
        except (OSError, sqlite3.OperationalError):
            return self._connect_elsewhere()
        except sqlite3.DatabaseError:
            self._path.unlink()
            return _connected(self._path)

    def _connect_elsewhere(self) -> sqlite3.Connection:
        self._spare = self._spare or tempfile.TemporaryDirectory(prefix="pitui-", ignore_cleanup_errors=True)
        self._path = Path(self._spare.name) / "sessions.sqlite"
        return _connected(self._path)


def _connected(path: Path) -> sqlite3.Connection:
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    store = sqlite3.connect(path, timeout=5.0, check_same_thread=False)
    try:
        store.execute("pragma journal_mode = wal")
        store.execute("pragma synchronous = off")
        store.executescript(_SCHEMA)
    except sqlite3.Error:
        store.close()
        raise
    return store


def _sorted_out(files: list[_File], known: dict[str, tuple[int, int, str]]) -> tuple[list[SessionCard], list[_File]]:
    """The cards of files that are as they were, and the files that have to be read."""
    fresh: list[SessionCard] = []
    stale: list[_File] = []
    for file in files:
        row = known.get(file.key)
        if row is None or (row[0], row[1]) != (file.mtime, file.size):
            stale.append(file)
        elif (card := _card(row[2])) is not None:
            fresh.append(card)
    return fresh, stale


def _card(text: str) -> SessionCard | None:
    """The kept card; None for a file known to be no session."""
    data = json.loads(text)
    return SessionCard(**{key: value for key, value in data.items() if key in _FIELDS}) if data else None


def _read_file(file: _File) -> Reading | None:
    try:
        return read_session(file.path, file.size, file.mtime / 1e9)
    except OSError:
        return None


def _keep(store: sqlite3.Connection, file: _File, reading: Reading | None) -> None:
    card = {} if reading is None else asdict(reading.card)
    store.execute("replace into sessions values (?, ?, ?, ?)", (file.key, file.mtime, file.size, json.dumps(card)))
    if reading is not None:
        text = _storable(reading.text)
        store.execute("replace into texts values (?, ?, ?)", (file.key, text, _haystack(reading.card, text)))


def _haystack(card: SessionCard, text: str) -> str:
    return _storable(f"{card.name}\n{card.cwd}\n{card.id}\n{text}".casefold())


def _storable(text: str) -> str:
    """Without lone surrogates, which a database cannot hold."""
    return text.encode("utf-8", "replace").decode()


def _forget(store: sqlite3.Connection, paths: Iterable[str]) -> None:
    gone = [(path,) for path in paths]
    store.executemany("delete from sessions where path = ?", gone)
    store.executemany("delete from texts where path = ?", gone)
