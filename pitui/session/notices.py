"""Lines for the person that are no part of the conversation."""

from __future__ import annotations

from dataclasses import replace

from pitui.rpc.events import ExtensionError, LateResponse, Unknown
from pitui.session.book import Book
from pitui.session.state import Level, Notice, Session

UNKNOWN_KINDS = 50
"""Kinds of unusable records that are told of; what comes after is only in the trace."""


def noted(session: Session, level: Level, text: str, source: str = "") -> Session:
    """The session with a notice at its end."""
    book = Book(session.entries)
    new = book.note(Notice(level, text, source), f"notice:{session.sequence}")
    return replace(session, entries=book.close(), sequence=session.sequence + new)


def unusable(session: Session, event: Unknown) -> Session:
    """Told once a kind: what is merely new is a line, what is broken a warning."""
    kind = event.kind or event.reason
    if kind in session.unknown or len(session.unknown) >= UNKNOWN_KINDS:
        return session
    level = Level.INFO if event.kind else Level.WARNING
    session = replace(session, unknown=session.unknown | {kind})
    return noted(session, level, f"The agent sent something that cannot be shown: {event.reason}", "pitui")


def extension_failed(session: Session, event: ExtensionError) -> Session:
    text = f"{event.event}: {event.error}" if event.event else event.error
    return noted(session, Level.ERROR, text, event.extension_path)


def answered_late(session: Session, event: LateResponse) -> Session:
    """Only a refusal is worth a line."""
    if event.response.success:
        return session
    return noted(session, Level.WARNING, event.response.error or "A command failed.", event.response.command or "")
