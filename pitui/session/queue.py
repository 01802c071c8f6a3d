"""Prompts on their way: written to the agent, waiting in its queue, being moved there, or held back by us."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from pitui.rpc.events import QueueUpdate
from pitui.session.local import PromptAnswered, PromptHeld, PromptSent, QueueArranged, StateLoaded
from pitui.session.state import QueuedPrompt, QueueKind, RunState, SentPrompt, Session


@dataclass(frozen=True, slots=True)
class Waiting:
    """A row of what waits. `moving`: it is on its way back into the agent's queue."""

    item: QueuedPrompt
    moving: bool = False


def waiting(session: Session) -> tuple[Waiting, ...]:
    """All that waits, in the order in which it goes; while the queue changes, what it is being changed from or to."""
    alive = session.run.state is not RunState.EXITED
    queued = [Waiting(item, session.clearing is not None) for item in at_agent(session)]
    moved = [Waiting(item, alive) for item in session.moving]
    ordered = sorted((*queued, *moved), key=lambda row: row.item.kind is QueueKind.FOLLOW_UP)
    return (*ordered, *(Waiting(item) for item in held(session)))


def at_agent(session: Session) -> tuple[QueuedPrompt, ...]:
    """What waits at the agent; while it is asked to give that back, all it may give back."""
    if session.clearing is not None:
        return session.clearing
    return tuple(item for item in session.queue if item.kind is not QueueKind.HELD)


def held(session: Session) -> tuple[QueuedPrompt, ...]:
    """What we hold back."""
    return tuple(item for item in session.queue if item.kind is QueueKind.HELD)


def sent(session: Session, event: PromptSent) -> Session:
    prompt = SentPrompt(event.token, event.text, event.kind, event.images)
    session = replace(session, sent=(*session.sent, prompt))
    if event.waited is None:
        return session
    if event.waited.kind is QueueKind.HELD:
        return release(session, event.waited)
    return replace(session, moving=_less(session.moving, event.waited))


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
    """The agent shows a user's message: one prompt less. Templates and skills come back expanded.

    One that the agent was about to give back, or had given back, went to the model after all.
    """
    exact = next((prompt for prompt in session.sent if prompt.text == text), None)
    if exact is None:
        item = _known(text, session.clearing or ())
        if item is not None and session.clearing is not None:
            return replace(session, clearing=_less(session.clearing, item))
        if (item := _known(text, session.moving)) is not None:
            return replace(session, moving=_less(session.moving, item))
    prompt = exact or next((prompt for prompt in session.sent if prompt.accepted), None)
    return replace(session, sent=tuple(other for other in session.sent if other is not prompt))


def updated(session: Session, event: QueueUpdate) -> Session:
    """Exactly what the agent says, with the images known from sending; what we hold back stays behind it.

    An item is known by its text alone; one that is new is the sent prompt of its kind with that text, else the oldest.
    """
    known, prompts = list(session.queue), list(session.sent)
    queue: list[QueuedPrompt] = []
    new: list[QueuedPrompt] = []
    for kind, texts in ((QueueKind.STEER, event.steering), (QueueKind.FOLLOW_UP, event.follow_up)):
        for text in texts:
            item = _taken(text, kind, known)
            if item is None:
                item = _from_sent(text, kind, prompts)
                new.append(item)
            queue.append(item)
    clearing = None if session.clearing is None else (*session.clearing, *new)
    return replace(session, queue=(*queue, *held(session)), sent=tuple(prompts), clearing=clearing)


def returned(session: Session, steering: Iterable[str], follow_up: Iterable[str]) -> tuple[QueuedPrompt, ...]:
    """What the agent gave back of its queue, with images. What is missing there has been delivered."""
    known = list(session.clearing or ())
    return tuple(
        _taken(text, kind, known) or QueuedPrompt(text, kind)
        for kind, texts in ((QueueKind.STEER, steering), (QueueKind.FOLLOW_UP, follow_up))
        for text in texts
    )


def arranged(session: Session, event: QueueArranged) -> Session:
    """Another order of what is ours; what the agent has is what it says."""
    own = tuple(item for item in session.queue if item.kind is not QueueKind.HELD)
    return replace(
        session, moving=event.moving, queue=(*own, *event.held), clearing=None if event.cleared else session.clearing
    )


def hold(session: Session, event: PromptHeld) -> Session:
    item = QueuedPrompt(event.text, QueueKind.HELD, event.images, event.what, event.then)
    return replace(session, queue=(*session.queue, item))


def release(session: Session, item: QueuedPrompt | None = None) -> Session:
    """That prompt, or the first, is no longer held."""
    waits = held(session)
    gone = item or (waits[0] if waits else None)
    return session if gone is None else replace(session, queue=_less(session.queue, gone))


def lost(session: Session) -> tuple[SentPrompt, ...]:
    """Prompts the agent accepted but, now that its run is over, never ran: two were under way at once."""
    return tuple(prompt for prompt in session.sent if prompt.accepted)


def unanswered(session: Session) -> tuple[SentPrompt, ...]:
    """Prompts written to the agent of which it has not said anything yet: its answer will tell what becomes of them."""
    return tuple(prompt for prompt in session.sent if not prompt.accepted)


def silent(session: Session, event: StateLoaded) -> tuple[SentPrompt, ...]:
    """Prompts an old agent took without a word of a run, now that it says it is idle: commands, or lost."""
    run = session.run
    if run.open or run.state is RunState.STARTING or event.streaming or event.compacting:
        return ()
    return tuple(prompt for prompt in session.sent if prompt.accepted and not prompt.started)


def without(session: Session, gone: tuple[SentPrompt, ...]) -> Session:
    return replace(session, sent=tuple(prompt for prompt in session.sent if prompt not in gone)) if gone else session


def stranded(session: Session) -> Session:
    """The agent is gone: what waited there is ours again, and nothing is on its way any more."""
    return replace(
        session, moving=(*at_agent(session), *session.moving), queue=held(session), clearing=None, sent=()
    )


def anew(session: Session) -> Session:
    """A new agent has nothing of the old one's queue; what we hold waits for it."""
    return replace(session, moving=(), queue=held(session), clearing=None, sent=())


def _less(items: tuple[QueuedPrompt, ...], gone: QueuedPrompt) -> tuple[QueuedPrompt, ...]:
    """`items` without that one, or without one like it."""
    at = next((n for n, item in enumerate(items) if item is gone), None)
    if at is None:
        at = next((n for n, item in enumerate(items) if item == gone), len(items))
    return items[:at] + items[at + 1 :]


def _known(text: str, items: tuple[QueuedPrompt, ...]) -> QueuedPrompt | None:
    return next((item for item in items if item.text == text), None)


def _taken(text: str, kind: QueueKind, known: list[QueuedPrompt]) -> QueuedPrompt | None:
    """The item of this text that waited already; it is taken out of the list."""
    item = next((item for item in known if item.text == text and item.kind is kind), None)
    if item is not None:
        known[:] = _less(tuple(known), item)
    return item


def _from_sent(text: str, kind: QueueKind, prompts: list[SentPrompt]) -> QueuedPrompt:
    """A new item: the prompt of its kind with that text, else the oldest, is on its way no longer.

    One that was sent while the agent seemed idle has no kind: a run had begun of which nothing was known yet.
    """
    of_kind = [prompt for prompt in prompts if prompt.kind is kind]
    unsure = [prompt for prompt in prompts if prompt.kind is None and not prompt.accepted]
    match = next((prompt for prompt in (*of_kind, *unsure) if prompt.text == text), of_kind[0] if of_kind else None)
    if match is None:
        return QueuedPrompt(text, kind)
    prompts.remove(match)
    return QueuedPrompt(text, kind, match.images)
