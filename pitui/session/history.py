"""Stored sessions: the active path of a tree of entries, and the transcript it makes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from pitui.rpc.messages import AnyMessage
from pitui.rpc.stored import AnyStored
from pitui.session import tools
from pitui.session.book import Book
from pitui.session.commit import commit, commit_stored
from pitui.session.local import EntriesAppended, HistoryLoaded, MessagesLoaded
from pitui.session.state import (
    AssistantEntry,
    BashEntry,
    Entry,
    Level,
    Notice,
    NoticeEntry,
    Session,
    ToolEntry,
    UserEntry,
)

CUT_KEY = "notice:cut"
CUT_TEXT = "Older entries are missing from the session file: what stood above cannot be shown."


def active_path(entries: Sequence[AnyStored], leaf_id: str | None) -> tuple[tuple[AnyStored, ...], bool]:
    """The entries from the root to `leaf_id`, and whether the way up ends at a parent that is missing.

    No leaf means nothing is selected: an empty path. An id that occurs twice is the later entry's.
    """
    by_id = {entry.id: entry for entry in entries}
    path: list[AnyStored] = []
    seen: set[str] = set()
    at = leaf_id
    while at is not None and at in by_id and at not in seen:
        seen.add(at)
        path.append(by_id[at])
        at = by_id[at].parent_id
    path.reverse()
    return tuple(path), at is not None


def entries_of(path: Iterable[AnyStored], cut: bool = False, open_end: bool = False) -> tuple[Entry, ...]:
    """The transcript of a path. `cut`: say that it begins below what is missing. `open_end`: a run is under way, so the
    calls of the last message may still get their results.
    """
    book = Book()
    if cut:
        book.add(NoticeEntry(CUT_KEY, (Notice(Level.WARNING, CUT_TEXT),)))
    for stored in path:
        commit_stored(book, stored)
    tools.stop(book, book.last_message if open_end else None)
    return book.close()


def messages_entries(messages: Iterable[AnyMessage], open_end: bool = False) -> tuple[Entry, ...]:
    """The transcript of a list of messages: all there is with agents that have no `get_entries`."""
    book = Book()
    for message in messages:
        commit(book, message)
    tools.stop(book, book.last_message if open_end else None)
    return book.close()


def loaded(session: Session, event: HistoryLoaded) -> Session:
    """Show a stored session. A leaf that is not there is taken to be the last entry."""
    leaf = event.leaf_id
    if leaf is not None and all(entry.id != leaf for entry in reversed(event.entries)):
        leaf = event.entries[-1].id if event.entries else None
    path, cut = active_path(event.entries, leaf)
    entries = entries_of(path, cut or event.cut, session.run.open)
    return replace(session, entries=_merged(session, entries), leaf_id=leaf)


def messages_loaded(session: Session, event: MessagesLoaded) -> Session:
    entries = messages_entries(event.messages, session.run.open)
    return replace(session, entries=_merged(session, entries), leaf_id=None)


def appended(session: Session, event: EntriesAppended) -> Session:
    """Learn the stored ids of what was streamed; add only what never was."""
    path, _ = active_path(event.entries, event.leaf_id)
    book = Book(session.entries)
    for stored in path:
        _learn(book, stored)
    return replace(session, entries=book.close(), leaf_id=event.leaf_id or session.leaf_id)


def has_moved(session: Session, event: EntriesAppended) -> bool:
    """Whether the new leaf is not below the last one known: the agent is on another branch, so all of the entries have
    to be loaded anew.
    """
    if session.leaf_id is None:
        return False
    path, _ = active_path(event.entries, event.leaf_id)
    return (path[0].parent_id if path else event.leaf_id) != session.leaf_id


def announced(session: Session, stored: AnyStored) -> Session:
    """One entry the agent tells of. It is only the last known one if none is missing before it: the stream's own
    messages come without ids, and are still to be asked for.
    """
    book = Book(session.entries)
    _learn(book, stored)
    leaf_id = stored.id if stored.parent_id == session.leaf_id else session.leaf_id
    return replace(session, entries=book.close(), leaf_id=leaf_id)


def _learn(book: Book, stored: AnyStored) -> None:
    alone = Book()
    commit_stored(alone, stored)
    for entry in alone.entries:
        index = book.find(entry.key)
        known = book.entries[index] if index is not None else None
        if index is None:
            if not _is_bare_stop(entry):
                book.add(entry)
        elif isinstance(entry, (UserEntry, AssistantEntry)) and isinstance(known, (UserEntry, AssistantEntry)):
            book.put(index, replace(known, stored_id=entry.stored_id))
        elif isinstance(entry, ToolEntry) and isinstance(known, ToolEntry) and known.state in tools.OPEN:
            book.put(index, replace(entry, arguments=known.arguments, name=known.name or entry.name))


def _is_bare_stop(entry: Entry) -> bool:
    """The empty turn after a stopped tool: not shown, so there is no entry to find it by."""
    return (
        isinstance(entry, AssistantEntry) and not entry.blocks and entry.meta is not None
        and entry.meta.stop_reason == "aborted"
    )


def _merged(session: Session, fresh: tuple[Entry, ...]) -> tuple[Entry, ...]:
    """The stored entries with what only we know: the notices, the state of calls that run, and the commands that run
    or, having ended during a run, are not stored yet.
    """
    old = session.entries
    if not old:
        return fresh
    if session.run.open:
        calls = {entry.call_id: entry for entry in old if isinstance(entry, ToolEntry)}
        fresh = tuple(
            calls.get(entry.call_id, entry) if isinstance(entry, ToolEntry) and entry.state in tools.OPEN else entry
            for entry in fresh
        )
    commands = tuple(entry for entry in old if isinstance(entry, BashEntry) and entry.started is not None)
    return _with_notices(old, (*fresh, *_renamed(commands, fresh)))


def _renamed(commands: tuple[BashEntry, ...], fresh: tuple[Entry, ...]) -> tuple[Entry, ...]:
    book = Book(fresh)
    for command in commands:
        book.add(command)
    return tuple(book.entries[len(fresh):])


def _with_notices(old: tuple[Entry, ...], fresh: tuple[Entry, ...]) -> tuple[Entry, ...]:
    """Put the notices back where they were: after the same entry, or at the end when it is not there any more."""
    keys = {entry.key for entry in fresh}
    after: dict[str | None, list[Entry]] = {}
    anchor: str | None = None
    for entry in old:
        if isinstance(entry, NoticeEntry):
            if entry.key != CUT_KEY:
                after.setdefault(anchor, []).append(entry)
        elif entry.key in keys:
            anchor = entry.key
    if not after:
        return fresh
    merged: list[Entry] = list(after.pop(None, ())) if anchor is not None else []
    for entry in fresh:
        merged += (entry, *after.get(entry.key, ()))
    return (*merged, *after.get(None, ()))
