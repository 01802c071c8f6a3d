"""What extensions ask and show, and what that asks of the world."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import TypeAdapter

from pitui.rpc.events import (
    AgentEnd,
    AgentSettled,
    AgentStart,
    AnyUiRequest,
    ExtensionError,
    LateResponse,
    MessageEnd,
    Response,
    TurnEnd,
    UiInput,
    UiRequest,
    Unknown,
)
from pitui.session import local
from pitui.session.book import NOTICES
from pitui.session.effects import Bell, CancelDialog, Refresh, SetComposerText, SetTitle, effects
from pitui.session.notices import UNKNOWN_KINDS
from pitui.session.queries import expired_dialogs, open_dialog
from pitui.session.reducer import reduce
from pitui.session.state import (
    Context,
    Level,
    Notice,
    NoticeEntry,
    Panel,
    Run,
    RunState,
    Session,
    Stats,
)
from tests.session.recorded import before_exit, of, timed

REQUEST: TypeAdapter[AnyUiRequest] = TypeAdapter(UiRequest)
IDLE = Session(run=Run(RunState.IDLE))


def ask(method: str, **fields: Any) -> AnyUiRequest:  # noqa: ANN401  # JSON
    return REQUEST.validate_python({"method": method, **fields})


def folded(*events: local.AnyEvent, session: Session = IDLE) -> Session:
    for now, event in enumerate(events, start=1):
        session = reduce(session, event, float(now))
    return session


def notices(session: Session) -> list[Notice]:
    return [notice for entry in session.entries if isinstance(entry, NoticeEntry) for notice in entry.notices]


def ids(session: Session) -> list[str]:
    return [dialog.id for dialog in session.dialogs]


SELECT, CONFIRM = ask("select", id="a", title="Pick", options=["x"]), ask("confirm", id="b", title="Sure?", message="m")


def test_dialogs_wait_in_the_order_they_were_asked_and_the_first_is_shown() -> None:
    session = folded(SELECT, CONFIRM)
    shown = open_dialog(session)
    assert (ids(session), shown and shown.request) == (["a", "b"], SELECT)


def test_an_answered_dialog_makes_way_for_the_next() -> None:
    assert ids(folded(SELECT, CONFIRM, local.DialogClosed("a"))) == ["b"]


def test_a_dialog_that_is_asked_twice_is_one_dialog() -> None:
    assert ids(folded(SELECT, CONFIRM, SELECT)) == ["b", "a"]


def test_a_dialog_expires_by_the_clock_on_this_side() -> None:
    session = folded(ask("input", id="a", title="t", timeout=2000), CONFIRM)
    assert (expired_dialogs(session, 2.9), expired_dialogs(session, 3.0)) == ((), ("a",))


@pytest.mark.parametrize("timeout", [0, -5, float("nan"), float("inf"), None])
def test_a_timeout_that_is_none_never_expires(timeout: float | None) -> None:
    session = folded(ask("input", id="a", title="t", timeout=timeout))
    assert expired_dialogs(session, 1e12) == ()


def test_the_questions_of_a_run_go_with_it() -> None:
    session = folded(AgentStart(), CONFIRM, AgentEnd(will_retry=False), AgentSettled(aborted=True))
    assert session.dialogs == ()


def test_the_question_of_a_command_outlives_a_run_that_settles_beside_it() -> None:
    session = folded(AgentStart(), local.PromptSent("1", "/ask"), CONFIRM, AgentEnd(will_retry=False),
                     AgentSettled(aborted=False))
    assert ids(session) == ["b"]


def test_the_questions_of_a_command_go_when_it_is_handled() -> None:
    assert folded(local.PromptSent("1", "/ask"), CONFIRM, local.PromptAnswered("1", "handled")).dialogs == ()


def test_a_question_of_a_running_tool_outlives_a_command_that_is_handled() -> None:
    session = folded(AgentStart(), CONFIRM, local.PromptSent("1", "/x"), local.PromptAnswered("1", "handled"))
    assert ids(session) == ["b"]


def test_no_question_outlives_the_process() -> None:
    assert folded(SELECT, CONFIRM, local.AgentExited(0)).dialogs == ()


@pytest.mark.parametrize("name", of("ext_timed") + of("ext_rpc_demo") + of("ext_plan_mode") + of("ext_ui_examples"))
def test_in_the_end_no_dialog_is_open(name: str) -> None:
    assert before_exit(name).dialogs == ()


@pytest.mark.parametrize("name", of("ext_dialogs"))
def test_a_dialog_nobody_answers_stays_open_to_the_end(name: str) -> None:
    asked = [event.id for _, event in timed(name) if isinstance(event, UiInput)]
    assert ids(before_exit(name)) == asked[-1:]


def test_a_status_stands_until_it_is_cleared() -> None:
    one = folded(ask("setStatus", statusKey="a", statusText="1"), ask("setStatus", statusKey="b", statusText=""))
    two = folded(ask("setStatus", statusKey="a"), ask("setStatus", statusKey="never"), session=one)
    assert (one.statuses, two.statuses) == ({"a": "1", "b": ""}, {"b": ""})


def test_a_panel_keeps_its_place_when_it_changes_and_goes_when_it_is_cleared() -> None:
    one = folded(ask("setWidget", widgetKey="a", widgetLines=["1"]),
                 ask("setWidget", widgetKey="b", widgetLines=["2"], widgetPlacement="belowEditor"),
                 ask("setWidget", widgetKey="a", widgetLines=[]))
    two = folded(ask("setWidget", widgetKey="a"), session=one)
    assert (one.panels, two.panels) == ((Panel("a", ()), Panel("b", ("2",), True)), (Panel("b", ("2",), True),))


@pytest.mark.parametrize("name", of("ext_probe"))
def test_odd_values_of_a_real_extension_are_shown_as_they_are(name: str) -> None:
    shown: list[Session] = []
    session = Session()
    for now, event in timed(name):
        session = reduce(session, event, now)
        if session.title == "a title":
            shown.append(session)
    assert shown[0].statuses == {"b": "\x1b[31mred\x1b[0m status"}
    assert shown[0].panels == (Panel("low", ("below",), True),)


def test_notices_that_come_one_after_another_are_one_entry() -> None:
    session = folded(ask("notify", message="one"), ask("notify", message="two", notifyType="error"),
                     ask("notify", message="three", notifyType="odd"))
    assert session.entries == (NoticeEntry("notice:0", (
        Notice(Level.INFO, "one"), Notice(Level.ERROR, "two"), Notice(Level.INFO, "three")
    )),)


def test_a_flood_of_notices_keeps_the_newest_and_counts_the_rest() -> None:
    session = folded(*(ask("notify", message=str(number)) for number in range(NOTICES + 5)))
    (entry,) = session.entries
    assert isinstance(entry, NoticeEntry)
    assert (entry.dropped, entry.notices[0].text, len(entry.notices)) == (5, "5", NOTICES)


def test_an_extensions_error_names_it() -> None:
    event = ExtensionError(extension_path="command:x", event="command", error="boom")
    assert notices(folded(event)) == [Notice(Level.ERROR, "command: boom", "command:x")]


def test_unusable_records_are_told_of_once_a_kind() -> None:
    new, broken = Unknown(b"{}", "unknown record type 'x'", "x"), Unknown(b"?", "not JSON")
    assert [notice.level for notice in notices(folded(new, broken, new, broken))] == [Level.INFO, Level.WARNING]


def test_unusable_records_of_ever_new_kinds_do_not_fill_the_screen() -> None:
    session = folded(*(Unknown(b"", "new", str(number)) for number in range(UNKNOWN_KINDS + 9)))
    assert len(notices(session)) == UNKNOWN_KINDS


def test_of_answers_nobody_waits_for_only_a_refusal_is_told() -> None:
    good = LateResponse(Response(id=None, command="prompt", success=True, data=None, error=None))
    bad = LateResponse(Response(id=None, command="parse", success=False, data=None, error="bad JSON"))
    assert notices(folded(good, bad)) == [Notice(Level.WARNING, "bad JSON", "parse")]


def test_an_unknown_question_is_answered_at_once_and_an_unknown_statement_is_not() -> None:
    question, statement = ask("wheel", id="q", title="Spin"), ask("confetti", id="s", amount=3)
    assert (effects(IDLE, question), effects(IDLE, statement)) == ((CancelDialog("q"),), ())


def test_requests_that_change_the_terminal_or_the_composer_are_effects() -> None:
    assert (effects(IDLE, ask("setTitle", title="t")), effects(IDLE, ask("set_editor_text", text="x")),
            effects(IDLE, SELECT)) == ((SetTitle("t"),), (SetComposerText("x"),), (Bell("dialog"),))


ALL_ANEW = (Refresh("state"), Refresh("stats"), Refresh("entries"))


def test_a_settled_run_rings_once_and_asks_anew() -> None:
    rung = [effect for now, session, event in _steps("1.6.0/retry_success") for effect in effects(session, event)
            if isinstance(effect, Bell) and not isinstance(event, local.AgentExited)]
    settled = folded(AgentStart(), AgentEnd(will_retry=False))
    assert (rung, effects(settled, AgentSettled(aborted=False))) == ([Bell("settled")], (Bell("settled"), *ALL_ANEW))


def test_a_run_that_failed_rings_as_an_error() -> None:
    failed = {"role": "assistant", "content": [], "stopReason": "error", "errorMessage": "boom"}
    session = folded(AgentStart(), MessageEnd.model_validate({"message": failed}), AgentEnd(will_retry=False))
    assert effects(session, AgentSettled(aborted=False)) == (Bell("error"), *ALL_ANEW)


def test_a_run_that_was_stopped_does_not_ring() -> None:
    session = folded(AgentStart(), local.AbortRequested(), AgentEnd(will_retry=False))
    assert effects(session, AgentSettled(aborted=False)) == ALL_ANEW


def test_a_stray_settlement_asks_for_nothing() -> None:
    stray = AgentSettled(aborted=False)
    assert (effects(folded(AgentStart()), stray), effects(IDLE, stray)) == ((), ())


def test_after_a_turn_the_totals_are_asked_for() -> None:
    assert effects(IDLE, TurnEnd()) == (Refresh("stats"),)


@pytest.mark.parametrize("name", of("ext_rpc_demo"))
def test_what_a_new_session_shows_before_the_answer_comes_is_kept(name: str) -> None:
    session = before_exit(name)
    assert (session.title, session.statuses, [panel.key for panel in session.panels], session.entries) == (
        "pi RPC Demo (new session)", {"rpc-demo": "Turns: 0"}, ["rpc-demo"], ()
    )


def test_what_the_old_session_showed_goes_with_it() -> None:
    session = folded(ask("setTitle", title="old"), ask("setStatus", statusKey="a", statusText="1"),
                     ask("setWidget", widgetKey="w", widgetLines=["1"]), SELECT, local.SessionReplaced())
    assert session == Session(run=Run(RunState.IDLE, 5.0))


def test_a_session_an_extension_replaced_is_noticed_by_its_id() -> None:
    def state(session_id: str) -> local.StateLoaded:
        return local.StateLoaded(None, "off", False, False, "all", "all", f"{session_id}.jsonl", session_id, None, True)

    session = folded(state("one"), ask("notify", message="old"))
    assert (effects(session, state("two")), folded(state("two"), session=session).entries) == (ALL_ANEW, ())


@pytest.mark.parametrize(("told", "shown"), [
    (Context(0, 0, float("nan")), Context(0, None, None)),
    (Context(None, 1000, None), Context(None, 1000, None)),
    (Context(10, 0, 5.0), Context(10, None, None)),
    (Context(10, 100, 10.0), Context(10, 100, 10.0)),
])
def test_a_window_that_is_not_known_is_none(told: Context, shown: Context) -> None:
    assert folded(local.StatsLoaded(Stats(1, context=told))).stats == Stats(1, context=shown)


def _steps(name: str) -> list[tuple[float, Session, local.AnyEvent]]:
    session, steps = Session(), []
    for now, event in timed(name):
        steps.append((now, session, event))
        session = reduce(session, event, now)
    return steps
