"""What the agent is doing: from the start of a run to the moment it settles, is replaced, or the process ends."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from pitui.rpc.events import (
    AgentEnd,
    AgentSettled,
    AgentStart,
    AutoRetryEnd,
    AutoRetryStart,
    CompactionEnd,
    CompactionStart,
    SummarizationRetryAttemptStart,
    SummarizationRetryFinished,
    SummarizationRetryScheduled,
    TurnEnd,
    TurnStart,
)
from pitui.session import bash, queue, tools, ui
from pitui.session.book import Book
from pitui.session.commit import commit_assistant, compaction_entry
from pitui.session.live import interrupted
from pitui.session.local import AgentExited
from pitui.session.notices import noted
from pitui.session.state import AssistantEntry, Context, Exit, Level, Retry, Run, RunState, Session

RunEvent = (
    AgentStart | AgentEnd | AgentSettled | TurnStart | TurnEnd | CompactionStart | CompactionEnd | AutoRetryStart
    | AutoRetryEnd | SummarizationRetryScheduled | SummarizationRetryAttemptStart | SummarizationRetryFinished
)


def step(session: Session, event: RunEvent, now: float) -> Session:
    """The session after one of the agent's own marks."""
    run = session.run
    match event:
        case AgentStart():
            since = run.since if run.open else now
            return replace(session, run=Run(RunState.STREAMING, since, open=True, active=True))
        case AgentEnd():
            return replace(session, run=replace(run, active=False))
        case AgentSettled():
            session = replace(session, settles=True)
            return settle(session, now) if settles(run) else session
        case TurnStart():
            return working(session, RunState.STREAMING) if run.open else session
        case TurnEnd():
            return session
        case AutoRetryStart() | SummarizationRetryScheduled():
            return _paused(session, event, now)
        case AutoRetryEnd():
            return _retried(session, event)
        case SummarizationRetryAttemptStart() | SummarizationRetryFinished():
            return replace(session, run=replace(run, retry=None))
        case CompactionStart():
            return _compacting(session, event, now)
        case CompactionEnd():
            return _compacted(session, event, now)
        case _:
            assert_never(event)


def working(session: Session, state: RunState, detail: str = "") -> Session:
    """The run goes on with something else; a stop that was asked for stays on show until it is done."""
    run = session.run
    if run.state is RunState.ABORTING or (run.state is state and run.detail == detail and run.retry is None):
        return session
    return replace(session, run=replace(run, state=state, detail=detail, retry=None))


def abort(session: Session) -> Session:
    """A stop was asked for; the agent says when it has happened."""
    return replace(session, run=replace(session.run, state=RunState.ABORTING)) if session.run.state.busy else session


def settles(run: Run) -> bool:
    """Whether `agent_settled` means that the run is over: prompts the agent lost settle at once, in the middle of
    another's run, or of a compaction (0.80.10).
    """
    return run.open and not run.active


def settle(session: Session, now: float) -> Session:
    """The run is over: nothing of it goes on."""
    session = bash.settled(ui.settled(close_open(session)))
    session = queue.without(session, queue.lost(session))
    return replace(session, run=Run(RunState.IDLE, now))


def awaits_quiet(session: Session) -> bool:
    """A run has ended and the agent never says `agent_settled`: a `Quiet` would settle it."""
    run = session.run
    return run.open and not run.active and not session.settles and run.state not in (
        RunState.COMPACTING, RunState.RETRYING
    )


def exited(session: Session, event: AgentExited, now: float) -> Session:
    """The process is gone. What was said stays, and so do the prompts that never reached it."""
    if session.run.state is RunState.EXITED:
        return session
    session = bash.stopped(close_open(session))
    session = replace(
        queue.stranded(session), dialogs=(), statuses={}, panels=(),
        run=Run(RunState.EXITED, now, exit=Exit(event.code, event.stderr)),
    )
    return noted(session, Level.WARNING if event.code == 0 else Level.ERROR, exit_text(event.code), "pitui")


def exit_text(code: int | None) -> str:
    """How the process ended, in words. Shells and the agent itself add 128 to the number of a signal."""
    if code is None:
        return "The agent could not be started."
    if 0 <= code <= 128:
        return f"The agent ended with exit code {code}."
    return f"The agent was ended by signal {-code if code < 0 else code - 128}."


def close_open(session: Session) -> Session:
    """Keep what there is of an unfinished answer, and stop the cards of calls that got no result."""
    book = Book(session.entries)
    if session.live is not None and session.live.blocks:
        commit_assistant(book, interrupted(session.live), key=session.live.key)
    tools.stop(book)
    return replace(session, entries=book.close(), live=None)


def _paused(session: Session, event: AutoRetryStart | SummarizationRetryScheduled, now: float) -> Session:
    """Before another attempt; that of a summary is part of its compaction."""
    retry = Retry(event.attempt, event.max_attempts, now + event.delay_ms / 1000, event.error_message)
    run = session.run
    if isinstance(event, AutoRetryStart) and run.state is not RunState.ABORTING:
        run = replace(run, state=RunState.RETRYING, detail="")
    return replace(session, run=replace(run, retry=retry))


def _retried(session: Session, event: AutoRetryEnd) -> Session:
    """The last attempt's own error says it all, unless the retries ended for another reason."""
    if session.run.open:
        session = working(session, RunState.STREAMING)
        session = replace(session, run=replace(session.run, retry=None))
    if event.success or not event.final_error or event.final_error in last_error(session):
        return session
    cancelled = session.run.state is RunState.ABORTING or event.final_error == "Retry cancelled"
    return noted(session, Level.INFO if cancelled else Level.ERROR, event.final_error)


def last_error(session: Session) -> str:
    """The error of the newest assistant message, or nothing."""
    for entry in reversed(session.entries):
        if isinstance(entry, AssistantEntry):
            return (entry.meta.error_message or "") if entry.meta and entry.meta.stop_reason == "error" else ""
    return ""


def _compacting(session: Session, event: CompactionStart, now: float) -> Session:
    """`compact` during a run aborts it; up to 0.80.10 without a word."""
    if event.reason == "manual":
        session = replace(close_open(session), run=Run(RunState.COMPACTING, now, event.reason))
    elif not session.run.open:
        session = replace(session, run=replace(session.run, since=now))
    return working(session, RunState.COMPACTING, event.reason)


def _compacted(session: Session, event: CompactionEnd, now: float) -> Session:
    """The compaction's mark, or why there is none. Before another attempt it lasts until that begins."""
    if event.result is not None and not event.aborted:
        book = Book(session.entries)
        book.add(compaction_entry(event.result.summary, event.result.tokens_before))
        session = replace(session, entries=book.close())
        session = _context(session, event.result.estimated_tokens_after)
    elif event.aborted:
        session = noted(session, Level.INFO, "Compaction was stopped.")
    else:
        session = noted(session, Level.ERROR, event.error_message or "Compaction failed.")
    if not session.run.open:
        return replace(session, run=Run(RunState.IDLE, now))
    return session if event.will_retry else working(session, RunState.STREAMING)


def _context(session: Session, tokens: int | None) -> Session:
    """How full the window is after a compaction: the agent's estimate, or unknown."""
    window = session.stats.context.window or (session.model.context_window if session.model else 0) or None
    percent = 100 * tokens / window if tokens is not None and window else None
    context = Context(tokens, window, percent, estimated=tokens is not None)
    return replace(session, stats=replace(session.stats, context=context))
