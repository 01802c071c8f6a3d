"""The one fold: (session, event) -> session. Pure, and total: any event is fine in any state."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import fields, replace
from operator import attrgetter
from typing import assert_never

from pitui.rpc.events import (
    AgentEnd,
    AgentSettled,
    AgentStart,
    AutoRetryEnd,
    AutoRetryStart,
    BashExecutionUpdate,
    CommandSent,
    CompactionEnd,
    CompactionStart,
    EntryAppended,
    ExtensionError,
    LateResponse,
    MessageEnd,
    MessageStart,
    MessageUpdate,
    QueueUpdate,
    SessionInfoChanged,
    SummarizationRetryAttemptStart,
    SummarizationRetryFinished,
    SummarizationRetryScheduled,
    ThinkingLevelChanged,
    ToolExecutionEnd,
    ToolExecutionStart,
    ToolExecutionUpdate,
    TurnEnd,
    TurnStart,
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
    Unknown,
)
from pitui.rpc.messages import AssistantMessage, ToolResultMessage, UserMessage
from pitui.rpc.stored import SessionHeader
from pitui.rpc.wire import Wire
from pitui.session import bash, history, live, notices, queue, runs, tools, ui
from pitui.session.book import Book
from pitui.session.commit import assistant_key, commit, commit_assistant, mark_retried, text_of
from pitui.session.local import (
    AbortRequested,
    AgentExited,
    AgentReady,
    AgentStarting,
    AnyEvent,
    BashFinished,
    BashStarted,
    CommandsLoaded,
    DialogClosed,
    EntriesAppended,
    HeldReleased,
    HistoryLoaded,
    MessagesLoaded,
    ModelChosen,
    ModelsLoaded,
    ModesChanged,
    Noticed,
    PromptAnswered,
    PromptHeld,
    PromptSent,
    QueueArranged,
    QueueClearing,
    QueueTaken,
    Quiet,
    SessionReplaced,
    SessionReplacing,
    StateLoaded,
    StatsLoaded,
    ThinkingLevelsLoaded,
)
from pitui.session.queries import is_other
from pitui.session.state import Context, Identity, LiveMessage, Modes, Run, RunState, Session, Stats

ToolEvent = ToolExecutionStart | ToolExecutionUpdate | ToolExecutionEnd
PromptEvent = PromptSent | PromptAnswered | PromptHeld | HeldReleased | QueueTaken | QueueClearing | QueueArranged
ProcessEvent = AgentStarting | AgentReady | AgentExited | AbortRequested | Quiet
LoadEvent = (
    StateLoaded | StatsLoaded | ModelsLoaded | ModelChosen | ThinkingLevelsLoaded | CommandsLoaded | ModesChanged
)


def reduce(session: Session, event: AnyEvent, now: float) -> Session:
    """The session after `event`. `now`: seconds of the event clock, which only has to be monotonic."""
    if isinstance(event, MessageUpdate):
        return _streamed(session, (event,))
    if session.run.state is RunState.EXITED and isinstance(event, Wire):
        return session
    match event:
        case (AgentStart() | AgentEnd() | AgentSettled() | TurnStart() | TurnEnd() | CompactionStart() | CompactionEnd()
              | AutoRetryStart() | AutoRetryEnd() | SummarizationRetryScheduled() | SummarizationRetryAttemptStart()
              | SummarizationRetryFinished()):
            return runs.step(session, event, now)
        case MessageStart():
            return _message_started(session, event)
        case MessageEnd():
            return _message_ended(session, event)
        case ToolExecutionStart() | ToolExecutionUpdate() | ToolExecutionEnd():
            return _tool(session, event, now)
        case (UiSelect() | UiConfirm() | UiInput() | UiEditor() | UiNotify() | UiSetStatus() | UiSetWidget()
              | UiSetTitle() | UiSetEditorText() | UiUnknown()):
            return ui.requested(session, event, now)
        case QueueUpdate():
            return queue.updated(session, event)
        case BashExecutionUpdate():
            return bash.streamed(session, event)
        case ThinkingLevelChanged():
            return replace(session, thinking_level=event.level)
        case SessionInfoChanged():
            return replace(session, identity=replace(session.identity, name=event.name))
        case EntryAppended():
            return history.announced(session, event.entry)
        case SessionHeader() | CommandSent():
            return session
        case ExtensionError():
            return notices.extension_failed(session, event)
        case LateResponse():
            return notices.answered_late(session, event)
        case Unknown():
            return notices.unusable(session, event)
        case _:
            return _local(session, event, now)


def fold(session: Session, events: Iterable[AnyEvent], now: float) -> Session:
    """The session after a batch of events that came together. A stretch of streaming steps makes one new value."""
    steps: list[MessageUpdate] = []
    for event in events:
        if isinstance(event, MessageUpdate):
            steps.append(event)
            continue
        session = reduce(_streamed(session, steps), event, now)
        steps.clear()
    return _streamed(session, steps)


LocalRest = (
    PromptEvent | ProcessEvent | LoadEvent | DialogClosed | BashStarted | BashFinished | HistoryLoaded
    | EntriesAppended | MessagesLoaded | SessionReplacing | SessionReplaced | Noticed
)


def _local(session: Session, event: LocalRest, now: float) -> Session:
    """What happened on this side."""
    match event:
        case (PromptSent() | PromptAnswered() | PromptHeld() | HeldReleased() | QueueTaken() | QueueClearing()
              | QueueArranged()):
            return _prompt(session, event)
        case AgentStarting() | AgentReady() | AgentExited() | AbortRequested() | Quiet():
            return _process(session, event, now)
        case (StateLoaded() | StatsLoaded() | ModelsLoaded() | ModelChosen() | ThinkingLevelsLoaded()
              | CommandsLoaded() | ModesChanged()):
            return _fetched(session, event, now)
        case DialogClosed():
            return ui.closed(session, event.id)
        case BashStarted():
            return bash.started(session, event, now)
        case BashFinished():
            return bash.finished(session, event)
        case HistoryLoaded():
            return history.loaded(session, event)
        case EntriesAppended():
            return history.appended(session, event)
        case MessagesLoaded():
            return history.messages_loaded(session, event)
        case SessionReplacing():
            return replace(session, fresh=frozenset())
        case SessionReplaced():
            return replace(_replaced(session, now), queue=queue.held(session))
        case Noticed():
            return notices.noted(session, event.level, event.text, event.source)
        case _:
            assert_never(event)


def _streamed(session: Session, steps: Sequence[MessageUpdate]) -> Session:
    """Steps of a message nobody started belong to a run that was closed on this side, unless one is open."""
    message = session.live
    if not steps or (message is None and not session.run.open):
        return session
    if message is None:
        message = LiveMessage(f"assistant:{session.sequence}")
        session = replace(session, sequence=session.sequence + 1)
    message = live.update(message, *steps)
    return session if message is session.live else _with_live(session, message)


_FIELDS = tuple(field.name for field in fields(Session))
_VALUES = attrgetter(*_FIELDS)
_LIVE = _FIELDS.index("live")


def _with_live(session: Session, message: LiveMessage) -> Session:
    """`replace(session, live=message)` in a third of its time: the one change that happens with every delta."""
    values = [*_VALUES(session)]
    values[_LIVE] = message
    return Session(*values)


def _message_started(session: Session, event: MessageStart) -> Session:
    """Only the model's messages are streamed; their content comes with the updates alone."""
    message = event.message
    if not isinstance(message, AssistantMessage):
        return session
    book = Book(session.entries)
    if session.live is not None and session.live.blocks:
        commit_assistant(book, live.interrupted(session.live), key=session.live.key)
    mark_retried(book)
    session = replace(session, entries=book.close(), live=LiveMessage(assistant_key(message.timestamp)))
    return runs.working(session, RunState.STREAMING) if session.run.open else session


def _message_ended(session: Session, event: MessageEnd) -> Session:
    """The authoritative message. One of a run that was closed on this side is not shown."""
    message, book = event.message, Book(session.entries)
    if isinstance(message, AssistantMessage):
        if session.live is None and not session.run.open:
            return session
        message = live.complete(session.live, message)
        session = replace(session, live=None)
    elif isinstance(message, ToolResultMessage):
        if not session.run.open and book.find_call(message.tool_call_id) is None:
            return session
    elif isinstance(message, UserMessage):
        session = queue.echoed(session, text_of(message.content))
    commit(book, message)
    return replace(session, entries=book.close())


def _tool(session: Session, event: ToolEvent, now: float) -> Session:
    """A step of a call; one without an id, or of a run that was closed on this side, is not shown."""
    if not session.run.open or not event.tool_call_id:
        return session
    book = Book(session.entries)
    match event:
        case ToolExecutionStart():
            tools.started(book, event, now)
            session = runs.working(session, RunState.TOOL, event.tool_name)
            return replace(session, entries=book.close())
        case ToolExecutionUpdate():
            tools.updated(book, event)
            return replace(session, entries=book.close())
        case ToolExecutionEnd():
            tools.ended(book, event)
            session = replace(session, entries=book.close())
            other = tools.running(session.entries)
            if other is not None:
                return runs.working(session, RunState.TOOL, other.name)
            return runs.working(session, RunState.STREAMING)
        case _:
            assert_never(event)


def _prompt(session: Session, event: PromptEvent) -> Session:
    match event:
        case PromptSent():
            return queue.sent(session, event)
        case PromptAnswered():
            return _answered(session, event)
        case PromptHeld():
            return queue.hold(session, event)
        case HeldReleased():
            return queue.release(session, event.item)
        case QueueTaken():
            return replace(session, queue=())
        case QueueClearing():
            return replace(session, clearing=queue.at_agent(session))
        case QueueArranged():
            return queue.arranged(session, event)
        case _:
            assert_never(event)


def _answered(session: Session, event: PromptAnswered) -> Session:
    """A command that was handled has no more questions; with a run or another command open, nobody can tell whose."""
    session = queue.answered(session, event)
    over = event.disposition == "handled" or event.error is not None
    if over and not session.run.open and all(prompt.accepted for prompt in session.sent):
        return replace(session, dialogs=())
    return session


def _process(session: Session, event: ProcessEvent, now: float) -> Session:
    match event:
        case AgentStarting():
            return replace(queue.anew(runs.close_open(session)), run=Run(RunState.STARTING, now))
        case AgentReady():
            waiting = session.run.state in (RunState.STARTING, RunState.EXITED)
            return replace(session, run=Run(RunState.IDLE, now)) if waiting else session
        case AgentExited():
            return runs.exited(session, event, now)
        case AbortRequested():
            return runs.abort(session)
        case Quiet():
            return runs.settle(session, now) if runs.awaits_quiet(session) else session
        case _:
            assert_never(event)


def _fetched(session: Session, event: LoadEvent, now: float) -> Session:
    match event:
        case StateLoaded():
            return _state(session, event, now)
        case StatsLoaded():
            return replace(session, stats=sane(event.stats))
        case ModelsLoaded():
            return replace(session, models=event.models)
        case ModelChosen():
            level = session.thinking_level if event.thinking_level is None else event.thinking_level
            return replace(session, model=event.model, thinking_level=level)
        case ThinkingLevelsLoaded():
            return replace(session, thinking_levels=event.levels)
        case CommandsLoaded():
            return replace(session, commands=event.commands)
        case ModesChanged():
            return replace(session, modes=_modes(session.modes, event))
        case _:
            assert_never(event)


def _state(session: Session, event: StateLoaded, now: float) -> Session:
    """Another id than before: an extension has replaced the session, which no event tells.

    An answer can be older than the events before it, so what runs is taken from it only when nothing is known yet.
    """
    if is_other(session, event):
        session = _replaced(session, now)
    session = queue.without(session, queue.silent(session, event))
    if session.run.state is RunState.STARTING:
        state = RunState.STREAMING if event.streaming else RunState.COMPACTING if event.compacting else RunState.IDLE
        session = replace(session, run=Run(state, now, open=event.streaming, active=event.streaming))
    return replace(
        session, model=event.model, thinking_level=event.thinking_level,
        identity=Identity(event.session_id, event.session_file, event.session_name),
        modes=replace(session.modes, steering=event.steering_mode, follow_up=event.follow_up_mode,
                      auto_compaction=event.auto_compaction),
    )


def _replaced(session: Session, now: float) -> Session:
    """Nothing of the old session stays but what is the agent's own: models, modes, commands."""
    run = session.run if session.run.state in (RunState.STARTING, RunState.EXITED) else Run(RunState.IDLE, now)
    return ui.replaced(session, Session(
        run=run, model=session.model, models=session.models, thinking_level=session.thinking_level,
        thinking_levels=session.thinking_levels, modes=session.modes, commands=session.commands,
        sequence=session.sequence, settles=session.settles, unknown=session.unknown, sent=queue.unanswered(session),
    ))


def _modes(modes: Modes, event: ModesChanged) -> Modes:
    return Modes(
        modes.steering if event.steering is None else event.steering,
        modes.follow_up if event.follow_up is None else event.follow_up,
        modes.auto_compaction if event.auto_compaction is None else event.auto_compaction,
        modes.auto_retry if event.auto_retry is None else event.auto_retry,
    )


def sane(stats: Stats) -> Stats:
    """Stats without a window of 0 and without numbers that are none: unknown is None."""
    context = stats.context
    window = context.window or None
    percent = context.percent if window and context.percent is not None and math.isfinite(context.percent) else None
    return replace(stats, context=Context(context.tokens, window, percent, context.estimated))
