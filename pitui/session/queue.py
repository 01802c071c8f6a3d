"""Prompts on their way: written to the agent, waiting in its queue, or held back by us."""

from __future__ import annotations

from dataclasses import replace

from pitui.rpc.events import QueueUpdate
from pitui.session.local import PromptAnswered, PromptHeld, PromptSent, StateLoaded
from pitui.session.state import QueuedPrompt, QueueKind, RunState, SentPrompt, Session


def sent(session: Session, event: PromptSent) -> Session:
    prompt = SentPrompt(event.token, event.text, event.kind, event.images)
    return replace(session, sent=(*session.sent, prompt))


def answered(session: Session, event: PromptAnswered) -> Session:
    """Refused, handled and queued prompts are no longer ours to show; the others wait for their echo."""
    if event.error is not None or event.disposition in ("handled", "queued"):
        return replace(session, sent=tuple(prompt for prompt in session.sent if prompt.token != event.token))
    started = event.disposition is not None
    return replace(session, sent=tuple(
        replace(prompt, accepted=True, started=started) if prompt.token == event.token else prompt
        for prompt in session.sent
    ))


def echoed(session: Session, text: str) -> Session:
    """The agent shows a user's message: one sent prompt less. Templates and skills come back expanded."""
    prompt = next((prompt for prompt in session.sent if prompt.text == text), None) or next(
        (prompt for prompt in session.sent if prompt.accepted), None
    )
    return replace(session, sent=tuple(other for other in session.sent if other is not prompt))


def updated(session: Session, event: QueueUpdate) -> Session:
    """Exactly what the agent says, with the images known from sending; what we hold back stays behind it.

    An item is known by its text alone; one that is new is the sent prompt of its kind with that text, else the oldest.
    """
    waiting, prompts = list(session.queue), list(session.sent)
    queue = [
        _item(text, kind, waiting, prompts)
        for kind, texts in ((QueueKind.STEER, event.steering), (QueueKind.FOLLOW_UP, event.follow_up))
        for text in texts
    ]
    return replace(session, queue=(*queue, *_held(session)), sent=tuple(prompts))


def hold(session: Session, event: PromptHeld) -> Session:
    return replace(session, queue=(*session.queue, QueuedPrompt(event.text, QueueKind.HELD, event.images)))


def release(session: Session) -> Session:
    """The first held prompt is no longer held."""
    held = _held(session)
    return replace(session, queue=tuple(item for item in session.queue if not held or item is not held[0]))


def lost(session: Session) -> tuple[SentPrompt, ...]:
    """Prompts the agent accepted but, now that its run is over, never ran: two were under way at once."""
    return tuple(prompt for prompt in session.sent if prompt.accepted)


def silent(session: Session, event: StateLoaded) -> tuple[SentPrompt, ...]:
    """Prompts an old agent took without a word of a run, now that it says it is idle: commands, or lost."""
    run = session.run
    if run.open or run.state is RunState.STARTING or event.streaming or event.compacting:
        return ()
    return tuple(prompt for prompt in session.sent if prompt.accepted and not prompt.started)


def without(session: Session, gone: tuple[SentPrompt, ...]) -> Session:
    return replace(session, sent=tuple(prompt for prompt in session.sent if prompt not in gone)) if gone else session


def _held(session: Session) -> tuple[QueuedPrompt, ...]:
    return tuple(item for item in session.queue if item.kind is QueueKind.HELD)


def _item(text: str, kind: QueueKind, waiting: list[QueuedPrompt], prompts: list[SentPrompt]) -> QueuedPrompt:
    """The item of this text: one that waited already, or one that was just sent; it is taken out of its list."""
    for item in waiting:
        if item.text == text and item.kind is kind:
            waiting.remove(item)
            return item
    of_kind = [prompt for prompt in prompts if prompt.kind is kind]
    match = next((prompt for prompt in of_kind if prompt.text == text), None) or (of_kind[0] if of_kind else None)
    if match is None:
        return QueuedPrompt(text, kind)
    prompts.remove(match)
    return QueuedPrompt(text, kind, match.images)
