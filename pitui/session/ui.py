"""What extensions show: dialogs, statuses, panels, the title."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import assert_never

from pitui.rpc.events import (
    AnyUiRequest,
    DialogRequest,
    UiConfirm,
    UiEditor,
    UiInput,
    UiNotify,
    UiSelect,
    UiSetEditorText,
    UiSetStatus,
    UiSetTitle,
    UiSetWidget,
    UiUnknown,
)
from pitui.session.notices import noted
from pitui.session.state import Dialog, Level, Panel, Session

LEVELS = {"warning": Level.WARNING, "error": Level.ERROR}


def requested(session: Session, event: AnyUiRequest, now: float) -> Session:
    """What an extension asks for. Text for the composer is an effect, not a state."""
    match event:
        case UiSelect() | UiConfirm() | UiInput() | UiEditor():
            return _ask(session, event, now)
        case UiNotify():
            return noted(session, LEVELS.get(event.notify_type or "", Level.INFO), event.message)
        case UiSetStatus():
            return _set_status(session, event)
        case UiSetWidget():
            return _set_panel(session, event)
        case UiSetTitle():
            return _mark(replace(session, title=event.title), "title")
        case UiSetEditorText() | UiUnknown():
            return session
        case _:
            assert_never(event)


def closed(session: Session, dialog_id: str) -> Session:
    """One dialog less."""
    return replace(session, dialogs=tuple(dialog for dialog in session.dialogs if dialog.id != dialog_id))


def settled(session: Session) -> Session:
    """The run is over, and with it the questions of its tools; not those of a command that still runs."""
    if not session.dialogs or any(not prompt.accepted for prompt in session.sent):
        return session
    since = session.run.since
    return replace(session, dialogs=tuple(dialog for dialog in session.dialogs if dialog.asked < since))


def replaced(old: Session, new: Session) -> Session:
    """`new` with what the extensions of the new session have shown already."""
    fresh = old.fresh or frozenset()
    return replace(
        new,
        statuses={key: text for key, text in old.statuses.items() if f"status:{key}" in fresh},
        panels=tuple(panel for panel in old.panels if f"panel:{panel.key}" in fresh),
        title=old.title if "title" in fresh else "",
    )


def _ask(session: Session, request: DialogRequest, now: float) -> Session:
    timeout = request.timeout or 0.0
    expires = now + timeout / 1000 if math.isfinite(timeout) and timeout > 0 else None
    session = closed(session, request.id)
    return replace(session, dialogs=(*session.dialogs, Dialog(request.id, request, now, expires)))


def _set_status(session: Session, event: UiSetStatus) -> Session:
    statuses = dict(session.statuses)
    if event.status_text is None:
        statuses.pop(event.status_key, None)
    else:
        statuses[event.status_key] = event.status_text
    return _mark(replace(session, statuses=statuses), f"status:{event.status_key}")


def _set_panel(session: Session, event: UiSetWidget) -> Session:
    """A panel keeps its place when its lines change."""
    key, lines = event.widget_key, event.widget_lines
    others = tuple(panel for panel in session.panels if panel.key != key)
    if lines is None:
        panels = others
    else:
        panel = Panel(key, lines, event.widget_placement == "belowEditor")
        known = len(others) < len(session.panels)
        panels = tuple(panel if each.key == key else each for each in session.panels) if known else (*others, panel)
    return _mark(replace(session, panels=panels), f"panel:{key}")


def _mark(session: Session, name: str) -> Session:
    return session if session.fresh is None else replace(session, fresh=session.fresh | {name})
