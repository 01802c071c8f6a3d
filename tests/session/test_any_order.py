"""Any event is fine in any state: prefixes, gaps and mixtures of conversations never raise."""

from __future__ import annotations

from dataclasses import fields

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pitui.session.effects import Effect, advance, effects
from pitui.session.local import AnyEvent
from pitui.session.queries import awaits_quiet, expired_dialogs, open_dialog
from pitui.session.reducer import fold, reduce
from pitui.session.state import RunState, Session
from tests.session.recorded import ALL, timed

SMALL = tuple(name for name in ALL if len(timed(name)) < 150)


def check(session: Session) -> None:
    """What holds for every session."""
    keys = [entry.key for entry in session.entries]
    assert len(keys) == len(set(keys))
    assert session.run.state is not RunState.EXITED or (session.live is None and not session.dialogs)
    assert not session.run.active or session.run.open


@pytest.mark.parametrize("name", ALL)
def test_every_prefix_of_a_conversation_is_a_session(name: str) -> None:
    session = Session()
    for now, event in timed(name):
        effects(session, event)
        session = reduce(session, event, now)
        check(session)


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_conversations_with_gaps_and_mixed_up_are_sessions(data: st.DataObject) -> None:
    names = data.draw(st.lists(st.sampled_from(SMALL), min_size=1, max_size=3))
    streams = [list(timed(name)) for name in names]
    dropped = data.draw(st.sets(st.integers(0, 200), max_size=60))
    order = data.draw(st.lists(st.integers(0, len(streams) - 1), max_size=250))
    session, number = Session(), 0
    for which in order:
        if streams[which]:
            now, event = streams[which].pop(0)
            number += 1
            if number not in dropped:
                effects(session, event)
                session = reduce(session, event, now)
                check(session)


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_shuffled_events_are_sessions(data: st.DataObject) -> None:
    pool: list[AnyEvent] = [event for _, event in timed(data.draw(st.sampled_from(SMALL)))]
    pool += [event for _, event in timed("1.6.0/abort_tool")] + [event for _, event in timed("1.6.0/compact_overflow")]
    session = Session()
    for event in data.draw(st.lists(st.sampled_from(pool), max_size=120)):
        effects(session, event)
        session = reduce(session, event, 1.0)
        check(session)
        assert open_dialog(session) in (None, *session.dialogs)
        assert expired_dialogs(session, 0.0) == ()
        assert not awaits_quiet(session) or session.run.open


@pytest.mark.parametrize("name", SMALL[::5])
def test_a_batch_asks_for_what_its_events_ask_for_one_by_one(name: str) -> None:
    events = [event for _, event in timed(name)]
    session = Session()
    asked: tuple[Effect, ...] = ()
    for event in events:
        asked += effects(session, event)
        session = reduce(session, event, 1.0)
    assert advance(Session(), events, 1.0) == (session, asked)


@given(st.data())
@settings(max_examples=40, deadline=None)
def test_a_session_is_a_value(data: st.DataObject) -> None:
    """Folding on does not change what was there: an earlier value can be painted later."""
    events = [event for _, event in timed(data.draw(st.sampled_from(SMALL)))]
    cut = data.draw(st.integers(0, len(events)))
    early = fold(Session(), events[:cut], 1.0)
    shown = {field.name: repr(getattr(early, field.name)) for field in fields(Session)}
    texts = [block.text for block in early.live.blocks] if early.live else []
    fold(early, events[cut:], 2.0)
    assert [block.text for block in early.live.blocks] == texts if early.live else not texts
    live = shown.pop("live")
    assert {name: repr(getattr(early, name)) for name in shown} == shown, live
