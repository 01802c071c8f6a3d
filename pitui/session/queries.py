"""Small questions about a session that more than one place asks."""

from __future__ import annotations

from pitui.session.local import StateLoaded
from pitui.session.runs import awaits_quiet
from pitui.session.state import AssistantEntry, Dialog, Session

VIRTUAL = "pi-virtual"
"""The `api` of a model that picks another one for each request (pi's docs/virtual-models.md)."""

RECENT = 64
"""Entries looked at for the last answer."""


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


def routed_to(session: Session) -> str | None:
    """The model that gave the last answer, when the chosen one left it to another; None when it is the chosen one."""
    model = session.model
    recent = (entry.meta for entry in reversed(session.entries[-RECENT:]) if isinstance(entry, AssistantEntry))
    meta = next((meta for meta in recent if meta is not None and meta.model), None)
    if model is None or meta is None:
        return None
    if model.api == VIRTUAL:
        return meta.response_model or meta.model
    chosen = (meta.provider, meta.model) == (model.provider, model.id)
    answered = meta.response_model or ""
    return answered if chosen and answered and not answered.startswith(model.id) else None


__all__ = ["awaits_quiet", "expired_dialogs", "is_other", "open_dialog", "routed_to"]
