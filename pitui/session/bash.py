"""Direct shell commands: the agent streams their output but never makes a message of them."""

from __future__ import annotations

from dataclasses import replace

from pitui.rpc.events import BashExecutionUpdate
from pitui.session.book import Book
from pitui.session.commit import bash_key
from pitui.session.local import BashFinished, BashStarted
from pitui.session.state import BashEntry, Entry, Session

OUTPUT = 256 * 1024
"""Characters of streamed output kept; the agent's own answer, which replaces them, is cut at 50 KB."""


def started(session: Session, event: BashStarted, now: float) -> Session:
    book = Book(session.entries)
    book.add(BashEntry(
        bash_key(event.command), event.command, running=True, excluded=event.excluded, command_id=event.command_id,
        started=now,
    ))
    return replace(session, entries=book.close())


def streamed(session: Session, event: BashExecutionUpdate) -> Session:
    """A further piece of output; without an id it is the only command's that runs, if there is one such."""
    index = _find(session, None if event.id is None else str(event.id))
    if index is None:
        return session
    return _change(session, index, output=(_at(session, index).output + event.delta)[-OUTPUT:])


def finished(session: Session, event: BashFinished) -> Session:
    """The whole result. The agent stores commands as they end, so that is where the card goes."""
    index = _find(session, event.command_id)
    if index is None:
        return session
    entry = replace(
        _at(session, index), output=event.output or event.error or "", exit_code=event.exit_code,
        cancelled=event.cancelled, truncated=event.truncated, full_output_path=event.full_output_path, running=False,
        command_id=None,
    )
    others = (*session.entries[:index], *session.entries[index + 1:])
    return replace(session, entries=(*others, entry if session.run.open else replace(entry, started=None)))


def settled(session: Session) -> Session:
    """Commands that ended during a run are stored at its end, and go there too; their `started` has marked them."""
    if not any(_is_waiting(entry) for entry in session.entries):
        return session
    others = tuple(entry for entry in session.entries if not _is_waiting(entry))
    moved = tuple(
        replace(entry, started=None) for entry in session.entries if isinstance(entry, BashEntry) and _is_waiting(entry)
    )
    return replace(session, entries=(*others, *moved))


def stopped(session: Session) -> Session:
    """The agent is gone, and what it ran with it."""
    for index, entry in enumerate(session.entries):
        if isinstance(entry, BashEntry) and entry.running:
            session = _change(session, index, running=False, cancelled=True, command_id=None, started=None)
    return session


def _is_waiting(entry: Entry) -> bool:
    return isinstance(entry, BashEntry) and not entry.running and entry.started is not None


def _find(session: Session, command_id: str | None) -> int | None:
    running = [
        index for index in reversed(range(len(session.entries)))
        if isinstance(entry := session.entries[index], BashEntry) and entry.running
        and command_id in (None, entry.command_id)
    ]
    return running[0] if running and (command_id is not None or len(running) == 1) else None


def _at(session: Session, index: int) -> BashEntry:
    entry = session.entries[index]
    assert isinstance(entry, BashEntry)
    return entry


def _change(session: Session, index: int, **changes: object) -> Session:
    book = Book(session.entries)
    book.put(index, replace(_at(session, index), **changes))  # type: ignore[arg-type]  # the fields of a BashEntry
    return replace(session, entries=book.close())
