"""What the agent is doing, from a run's first word to its last."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pitui.rpc.events import (
    AgentEnd,
    AgentSettled,
    AgentStart,
    AutoRetryStart,
    CompactionEnd,
    CompactionStart,
    MessageEnd,
)
from pitui.rpc.messages import TextBlock
from pitui.rpc.wire import Wire
from pitui.session import local
from pitui.session.queries import awaits_quiet
from pitui.session.reducer import reduce
from pitui.session.state import (
    AssistantEntry,
    Context,
    Exit,
    Level,
    Notice,
    NoticeEntry,
    Retry,
    Run,
    RunState,
    Session,
    Stats,
    SummaryEntry,
    SummaryKind,
    ToolEntry,
    ToolState,
    UserEntry,
)
from tests.session.recorded import ALL, MESSAGES, VERSIONS, before_exit, fold_all, folded, of, timed

SETTLING = tuple(version for version in VERSIONS if version != "0.74.0")


def course(name: str) -> list[RunState]:
    """The states a conversation goes through, each once in a row."""
    session, states = Session(), [RunState.STARTING]
    for now, event in timed(name):
        session = reduce(session, event, now)
        if session.run.state is not states[-1]:
            states.append(session.run.state)
    return states


def stops(session: Session) -> list[str]:
    """The stop reasons on show."""
    return [entry.meta.stop_reason for entry in session.entries if isinstance(entry, AssistantEntry) and entry.meta]


def notices(session: Session) -> list[Notice]:
    return [notice for entry in session.entries if isinstance(entry, NoticeEntry) for notice in entry.notices]


@pytest.mark.parametrize("name", of("retry_fail"))
def test_a_run_is_busy_through_its_retries_until_it_settles(name: str) -> None:
    attempt = [RunState.STREAMING, RunState.RETRYING]
    assert course(name) == [
        RunState.STARTING, *attempt, *attempt, *attempt, RunState.STREAMING, RunState.IDLE, RunState.EXITED
    ]


@pytest.mark.parametrize("name", of("compact_overflow"))
def test_a_run_is_busy_through_a_compaction_that_follows_its_end(name: str) -> None:
    states = course(name)
    at = states.index(RunState.COMPACTING)
    assert states[at - 1 : at + 3] == [RunState.STREAMING, RunState.COMPACTING, RunState.STREAMING, RunState.IDLE]


@pytest.mark.parametrize("name", of("double_prompt", *SETTLING))
def test_a_prompt_the_agent_lost_does_not_settle_the_run_of_another(name: str) -> None:
    stray = 0
    session = Session()
    for now, event in timed(name):
        if isinstance(event, AgentSettled) and session.run.active:
            stray += 1
            assert reduce(session, event, now).run == session.run
        session = reduce(session, event, now)
    assert (stray, session.sent) == (2, ())


@pytest.mark.parametrize("name", ALL)
def test_every_conversation_that_was_not_killed_ends_idle(name: str) -> None:
    last = before_exit(name)
    if name.split("/")[1].startswith(("kill_", "eof_", "sigterm_streaming", "ext_start_dialog", "start_failures")):
        assert folded(name).run.state in (RunState.EXITED, RunState.STARTING)
    else:
        assert not last.run.state.busy


def test_an_agent_that_never_settles_is_idle_when_it_has_been_quiet() -> None:
    ended = fold_all([(1.0, AgentStart()), (2.0, AgentEnd(will_retry=False))])
    assert (awaits_quiet(ended), ended.run.state.busy, reduce(ended, local.Quiet(), 3.0).run) == (
        True, True, Run(RunState.IDLE, 3.0)
    )


def test_an_agent_that_settles_is_waited_for_however_quiet_it_is() -> None:
    session = fold_all([(1.0, AgentStart()), (2.0, AgentEnd(will_retry=False)), (2.0, AgentSettled(aborted=False)),
                        (3.0, AgentStart()), (4.0, AgentEnd(will_retry=False))])
    assert reduce(session, local.Quiet(), 5.0) == session


def test_silence_in_the_middle_of_a_run_settles_nothing() -> None:
    session = reduce(Session(), AgentStart(), 1.0)
    assert reduce(session, local.Quiet(), 9.0) == session


def test_a_run_counts_from_its_first_start() -> None:
    session = fold_all([(1.0, AgentStart()), (2.0, AgentEnd(will_retry=True)), (3.0, AgentStart())])
    assert session.run == Run(RunState.STREAMING, 1.0, open=True, active=True)


def test_a_pause_before_another_attempt_tells_when_it_ends_and_why() -> None:
    event = AutoRetryStart(attempt=1, max_attempts=3, delay_ms=250.0, error_message="overloaded")
    session = fold_all([(1.0, AgentStart()), (2.0, AgentEnd(will_retry=True)), (2.0, event)])
    assert session.run == Run(RunState.RETRYING, 1.0, open=True, retry=Retry(1, 3, 2.25, "overloaded"))


def test_a_pause_of_a_summary_leaves_the_compaction_on_show() -> None:
    paused = [session.run for session in _states("1.6.0/compact_retry") if session.run.retry]
    assert {(run.state, run.detail) for run in paused} == {(RunState.COMPACTING, "manual")}


@pytest.mark.parametrize("name", of("retry_midstream"))
def test_an_attempt_that_another_one_followed_is_marked_as_retried(name: str) -> None:
    answers = [entry for entry in before_exit(name).entries if isinstance(entry, AssistantEntry)]
    assert [(entry.retried, entry.blocks) for entry in answers] == [
        (True, (TextBlock(text="Half of the ans"),)), (False, (TextBlock(text="The whole answer."),))
    ]


@pytest.mark.parametrize("name", of("retry_fail"))
def test_the_last_failure_is_shown_once_as_an_error(name: str) -> None:
    session = before_exit(name)
    answers = [entry for entry in session.entries if isinstance(entry, AssistantEntry)]
    assert ([entry.retried for entry in answers], set(stops(session)), notices(session)) == (
        [True, True, True, False], {"error"}, []
    )


def test_all_stretches_of_a_failed_attempt_are_marked_and_nothing_before_it() -> None:
    def answer(stop: str, *kinds: str) -> dict[str, object]:
        blocks = [{"type": kind, "text": kind, "id": f"{stop}{i}", "name": "x"} for i, kind in enumerate(kinds)]
        return {"role": "assistant", "timestamp": 1, "stopReason": stop, "content": blocks}

    messages = MESSAGES.validate_python([
        answer("stop", "text"), answer("error", "text", "toolCall", "text"), answer("stop", "text")
    ])
    session = reduce(Session(), local.MessagesLoaded(messages), 0)
    assert [entry.retried for entry in session.entries if isinstance(entry, AssistantEntry)] == [
        False, True, True, False
    ]


def test_an_attempt_is_marked_as_soon_as_the_next_one_begins() -> None:
    marked = [now for now, session in _timed_states("1.6.0/retry_midstream")
              if any(isinstance(entry, AssistantEntry) and entry.retried for entry in session.entries)]
    assert marked[0] == pytest.approx(1.305, abs=0.001)


@pytest.mark.parametrize("name", of("retry_abort", "0.80.10", "1.6.0"))
def test_a_retry_that_was_called_off_leaves_its_error_and_a_line(name: str) -> None:
    session = before_exit(name)
    assert (stops(session), notices(session)) == (
        ["error", "error", "error", "stop"], [Notice(Level.INFO, "Retry cancelled")] * 2
    )


@pytest.mark.parametrize("name", of("stop_reasons"))
def test_every_answer_that_failed_or_was_cut_is_shown(name: str) -> None:
    assert stops(before_exit(name)) == ["length", "error", "error", "error", "error"]


@pytest.mark.parametrize("name", of("abort_tool"))
def test_a_stop_in_a_tool_has_one_mark(name: str) -> None:
    session = before_exit(name)
    states = [entry.state for entry in session.entries if isinstance(entry, ToolEntry)]
    assert (states, stops(session), len(session.entries)) == ([ToolState.STOPPED, ToolState.DONE], ["toolUse"], 4)


@pytest.mark.parametrize("name", of("abort_tool"))
def test_a_stop_is_under_way_until_the_run_settles(name: str) -> None:
    assert course(name)[-3:] == [RunState.ABORTING, RunState.IDLE, RunState.EXITED]


@pytest.mark.parametrize("name", of("abort_text"))
def test_a_stopped_answer_keeps_its_text(name: str) -> None:
    assert stops(before_exit(name)) == ["aborted", "stop"]


def test_a_stop_before_the_first_word_is_shown() -> None:
    user, stopped = before_exit("1.6.0/abort_early").entries
    assert isinstance(user, UserEntry)
    assert isinstance(stopped, AssistantEntry)
    assert stopped.meta is not None
    assert (stopped.blocks, stopped.meta.stop_reason) == ((), "aborted")


@pytest.mark.parametrize("version", ["0.84.1", "0.87.1", "1.0.3"])
def test_a_stop_that_the_agent_calls_an_error_is_a_stop(version: str) -> None:
    messages = [event.message for _, event in timed(f"{version}/abort_tool") if isinstance(event, MessageEnd)]
    session = reduce(Session(run=Run(open=True)), MessageEnd(message=messages[-1]), 0.0)
    assert (getattr(messages[-1], "stop_reason", ""), stops(session)) == ("error", ["aborted"])


@pytest.mark.parametrize("name", of("abort_toolcall_args"))
def test_a_call_whose_arguments_were_cut_off_never_ran(name: str) -> None:
    _, call = before_exit(name).entries
    assert isinstance(call, ToolEntry)
    assert (call.call_id, call.state, call.arguments) == ("call_w", ToolState.STOPPED, {})


def test_asking_an_idle_agent_to_stop_changes_nothing() -> None:
    session = Session(run=Run(RunState.IDLE))
    assert reduce(session, local.AbortRequested(), 1.0) == session


@pytest.mark.parametrize("name", of("compact_manual", "0.80.10", "0.84.1", "0.87.1", "1.6.0"))
def test_a_compaction_stands_where_it_happened_and_one_that_failed_says_why(name: str) -> None:
    session = before_exit(name)
    summaries = [entry for entry in session.entries if isinstance(entry, SummaryEntry)]
    assert [(entry.kind, entry.tokens_before) for entry in summaries] == [(SummaryKind.COMPACTION, 150)]
    assert [notice.text for notice in notices(session)] == [
        "Compaction failed: Nothing to compact (session too small)", "Compaction failed: Already compacted"
    ]


def test_a_compaction_that_was_stopped_is_a_line() -> None:
    session = before_exit("1.6.0/compact_abort")
    assert (session.run.state, notices(session)) == (RunState.IDLE, [Notice(Level.INFO, "Compaction was stopped.")])


def test_after_a_compaction_the_window_holds_what_the_agent_guesses() -> None:
    session = Session(stats=Stats(context=Context(900, 1000, 90.0)))
    result = {"summary": "s", "estimatedTokensAfter": 250}
    ended = CompactionEnd.model_validate({"reason": "threshold", "result": result})
    assert reduce(session, ended, 0).stats.context == Context(250, 1000, 25.0, estimated=True)


def test_after_a_compaction_without_a_guess_nobody_knows_what_the_window_holds() -> None:
    session = Session(stats=Stats(context=Context(900, 1000, 90.0)))
    ended = CompactionEnd.model_validate({"reason": "threshold", "result": {"summary": "s"}})
    assert reduce(session, ended, 0).stats.context == Context(None, 1000, None)


def test_old_names_of_compaction_events_mean_the_same() -> None:
    start = CompactionStart.model_validate({"type": "auto_compaction_start", "reason": "threshold"})
    assert reduce(Session(run=Run(RunState.IDLE)), start, 2.0).run == Run(RunState.COMPACTING, 2.0, "threshold")


def test_a_compaction_by_hand_closes_a_run_that_will_say_no_more() -> None:
    session = fold_all(
        (now, event) for now, event in timed("0.80.10/abort_text")
        if now < 2.2 and not isinstance(event, (local.AbortRequested, MessageEnd, AgentEnd, AgentSettled))
    )
    assert session.live is not None
    after = reduce(session, CompactionStart(reason="manual"), 9.0)
    assert (after.run, after.live, stops(after)[-1]) == (Run(RunState.COMPACTING, 9.0, "manual"), None, "aborted")


@pytest.mark.parametrize("name", of("kill_streaming_1"))
def test_when_the_process_dies_the_half_answer_stays(name: str) -> None:
    session = folded(name)
    assert (session.live, stops(session), session.run.state) == (None, ["stop", "aborted"], RunState.EXITED)


def test_when_the_process_dies_its_tools_have_stopped() -> None:
    assert [entry.state for entry in folded("1.6.0/eof_tool").entries if isinstance(entry, ToolEntry)] == [
        ToolState.STOPPED
    ]


def test_how_the_process_ended_is_kept_and_told_once() -> None:
    exited = local.AgentExited(-9, ("boom",))
    session = fold_all([(1.0, exited), (2.0, exited)])
    assert (session.run, notices(session)) == (
        Run(RunState.EXITED, 1.0, exit=Exit(-9, ("boom",))),
        [Notice(Level.ERROR, "The agent was ended by signal 9.", "pitui")],
    )


@pytest.mark.parametrize(("code", "words"), [
    (0, "exit code 0"), (1, "exit code 1"), (-9, "signal 9"), (137, "signal 9"), (None, "could not be started"),
])
def test_the_end_of_the_process_is_told_in_words(code: int | None, words: str) -> None:
    assert words in notices(reduce(Session(), local.AgentExited(code), 0))[0].text


def test_late_words_of_a_dead_process_change_nothing() -> None:
    dead = reduce(Session(), local.AgentExited(1), 1.0)
    assert fold_all(((now, event) for now, event in timed("1.6.0/tools") if isinstance(event, Wire)), dead) == dead


def test_a_process_that_was_started_again_is_not_dead() -> None:
    session = fold_all([(1.0, local.AgentExited(1)), (2.0, local.AgentStarting()), (3.0, local.AgentReady())])
    assert session.run == Run(RunState.IDLE, 3.0)


def test_the_first_state_tells_what_an_agent_was_doing() -> None:
    assert reduce(Session(), loaded(streaming=True), 1.0).run == Run(RunState.STREAMING, 1.0, open=True, active=True)


def test_a_state_that_is_older_than_the_events_does_not_undo_them() -> None:
    running = reduce(Session(), AgentStart(), 1.0)
    idle = Session(run=Run(RunState.IDLE, 1.0))
    assert reduce(running, loaded(), 2.0).run == running.run
    assert reduce(idle, loaded(streaming=True), 2.0).run == idle.run


def loaded(session_id: str = "s", streaming: bool = False) -> local.StateLoaded:
    return local.StateLoaded(None, "off", streaming, False, "all", "all", None, session_id, None, True)


def _timed_states(name: str) -> list[tuple[float, Session]]:
    session, states = Session(), []
    for now, event in timed(name):
        session = reduce(session, event, now)
        states.append((now, session))
    return states


def _states(name: str) -> list[Session]:
    return [session for _, session in _timed_states(name)]


@pytest.mark.parametrize("name", of("session_streaming"))
def test_a_replaced_session_leaves_nothing_of_the_old_one(name: str) -> None:
    session = Session()
    for now, event in timed(name):
        session = reduce(session, event, now)
        if isinstance(event, local.SessionReplaced):
            assert session == replace(Session(), run=Run(RunState.IDLE, now), settles=session.settles)
    assert session.run.state is RunState.EXITED
