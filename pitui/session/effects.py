"""What an event asks of the world besides a new state. Skipped when a recording is replayed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from pitui.rpc.events import (
    AgentSettled,
    CompactionEnd,
    MessageUpdate,
    TurnEnd,
    UiConfirm,
    UiEditor,
    UiInput,
    UiSelect,
    UiSetEditorText,
    UiSetTitle,
    UiUnknown,
)
from pitui.rpc.messages import ImageBlock
from pitui.rpc.wire import Wire
from pitui.session import queue
from pitui.session.local import (
    AgentExited,
    AgentStarting,
    AnyEvent,
    PromptAnswered,
    Quiet,
    SessionReplaced,
    StateLoaded,
)
from pitui.session.queries import is_other
from pitui.session.reducer import fold, reduce
from pitui.session.runs import awaits_quiet, last_error, settles
from pitui.session.state import QueuedPrompt, RunState, SentPrompt, Session


@dataclass(frozen=True, slots=True)
class SetTitle:
    """The terminal's title."""

    title: str


@dataclass(frozen=True, slots=True)
class SetComposerText:
    """An extension fills the composer."""

    text: str


@dataclass(frozen=True, slots=True)
class ReturnText:
    """A prompt that will not run goes back to the composer; `reason` in plain words."""

    text: str
    images: tuple[ImageBlock, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Bell:
    """The person may be looking elsewhere."""

    reason: Literal["settled", "dialog", "error"]


@dataclass(frozen=True, slots=True)
class Refresh:
    """Ask the agent again, since it announces less than it changes."""

    what: Literal["state", "stats", "entries"]


@dataclass(frozen=True, slots=True)
class CancelDialog:
    """A question of a kind this version cannot ask: answered at once, so that nothing waits for it."""

    id: str


@dataclass(frozen=True, slots=True)
class EditText:
    """A prompt that waited comes into the composer to be changed; the draft there makes room."""

    text: str
    images: tuple[ImageBlock, ...] = ()


@dataclass(frozen=True, slots=True)
class StashText:
    """A prompt that waited was dropped, and can be got back."""

    text: str
    images: tuple[ImageBlock, ...] = ()


Effect = SetTitle | SetComposerText | ReturnText | EditText | StashText | Bell | Refresh | CancelDialog

REPLACED = "The session was replaced before this prompt ran."
NEVER_RAN = "The agent took this prompt but never ran it."
AGENT_GONE = "The agent ended before this prompt ran."


def effects(before: Session, event: AnyEvent) -> tuple[Effect, ...]:
    """What to do because of `event`, which is about to be folded into `before`."""
    if before.run.state is RunState.EXITED and isinstance(event, Wire):
        return ()
    match event:
        case UiSetTitle():
            return (SetTitle(event.title),)
        case UiSetEditorText():
            return (SetComposerText(event.text),)
        case UiSelect() | UiConfirm() | UiInput() | UiEditor():
            return (Bell("dialog"),)
        case UiUnknown():
            asks = event.title is not None or event.options is not None
            return (CancelDialog(event.id),) if event.id is not None and asks else ()
        case PromptAnswered():
            return _answered(before, event)
        case AgentSettled():
            return _settled(before, event.aborted) if settles(before.run) else ()
        case Quiet():
            return _settled(before, before.run.state is RunState.ABORTING) if awaits_quiet(before) else ()
        case TurnEnd():
            return (Refresh("stats"),)
        case CompactionEnd():
            return (Refresh("state"), Refresh("stats"), Refresh("entries"))
        case SessionReplaced():
            return _replaced(before)
        case AgentStarting():
            return _back((*before.sent, *_queued(before)), "")
        case StateLoaded():
            return _loaded(before, event)
        case AgentExited():
            if before.run.state is RunState.EXITED:
                return ()
            return (Bell("error"), *_back(before.sent, AGENT_GONE))
        case _:
            return ()


def advance(session: Session, events: Iterable[AnyEvent], now: float) -> tuple[Session, tuple[Effect, ...]]:
    """The session after a batch of events that came together, and all they ask for, in order."""
    asked: list[Effect] = []
    for streaming, stretch in groupby(events, lambda event: isinstance(event, MessageUpdate)):
        if streaming:
            session = fold(session, stretch, now)
            continue
        for event in stretch:
            asked += effects(session, event)
            session = reduce(session, event, now)
    return session, tuple(asked)


def _answered(before: Session, event: PromptAnswered) -> tuple[Effect, ...]:
    """A handled command may have changed anything; an agent too old to say may have handled it."""
    if event.error is not None:
        return tuple(
            ReturnText(prompt.text, prompt.images, event.error)
            for prompt in before.sent if prompt.token == event.token
        )
    return (Refresh("state"),) if event.disposition in ("handled", None) else ()


def _loaded(before: Session, event: StateLoaded) -> tuple[Effect, ...]:
    """What an old agent took without a word was a command, or is lost (0.80.10, while it compacts)."""
    if is_other(before, event):
        return (*_back(queue.held(before), REPLACED), *_replaced(before))
    return _back(tuple(prompt for prompt in queue.silent(before, event) if not prompt.text.startswith("/")), NEVER_RAN)


def _settled(before: Session, aborted: bool) -> tuple[Effect, ...]:
    bell: tuple[Effect, ...] = () if aborted or before.run.state is RunState.ABORTING else (
        Bell("error" if last_error(before) else "settled"),
    )
    return (*bell, *_back(queue.lost(before), NEVER_RAN), Refresh("state"), Refresh("stats"), Refresh("entries"))


def _replaced(before: Session) -> tuple[Effect, ...]:
    """What waited in the old session was dropped with it. What we hold goes to the new one, and what the agent has not
    answered yet is as it will say. A command that an old agent took without a word may be the one that replaced it.
    """
    lost = tuple(prompt for prompt in queue.lost(before) if not prompt.text.startswith("/"))
    gone: tuple[QueuedPrompt | SentPrompt, ...] = (*_queued(before), *lost)
    return (*_back(gone, REPLACED), Refresh("state"), Refresh("stats"), Refresh("entries"))


def _queued(before: Session) -> tuple[QueuedPrompt, ...]:
    return (*queue.at_agent(before), *before.moving)


def _back(prompts: tuple[QueuedPrompt | SentPrompt, ...], reason: str) -> tuple[Effect, ...]:
    return tuple(ReturnText(prompt.text, prompt.images, reason) for prompt in prompts)
