"""Small questions about a session that more than one place asks."""

from __future__ import annotations

from pitui.session.local import StateLoaded
from pitui.session.runs import awaits_quiet
from pitui.session.state import Dialog, Session


def open_dialog(session: Session) -> Dialog | None:
    """The dialog on show: the oldest."""
    return session.dialogs[0] if session.dialogs else None


def expired_dialogs(session: Session, now: float) -> tuple[str, ...]:
    """Ids of the dialogs the agent has given up on, to be folded as `DialogClosed`; nothing is sent."""
    return tuple(dialog.id for dialog in session.dialogs if dialog.expires is not None and dialog.expires <= now)


def is_other(session: Session, event: StateLoaded) -> bool:
    """Whether the agent is in another session than the one shown, which an extension may do without a word.

    The same file under another id is the same session: an agent that died before it had written the file begins it
    anew. One kept in memory is told by its last entry being unknown.
    """
    known = session.identity
    return bool(known.id and event.session_id and event.session_file) and (
        known.id != event.session_id and known.file != event.session_file
    )


__all__ = ["awaits_quiet", "expired_dialogs", "is_other", "open_dialog"]
