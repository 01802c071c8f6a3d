"""Prompts on their way, and what goes back to the composer."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitui.rpc.events import MessageEnd, QueueUpdate
from pitui.rpc.messages import ImageBlock
from pitui.session import local
from pitui.session.effects import AGENT_GONE, NEVER_RAN, REPLACED, Refresh, ReturnText, effects
from pitui.session.local import PromptAnswered, PromptHeld, PromptSent
from pitui.session.queue import returned, waiting
from pitui.session.reducer import reduce
from pitui.session.state import QueuedPrompt, QueueKind, Run, RunState, SentPrompt, Session, UserEntry
from tests.session.recorded import before_exit, of, timed

IMAGE = ImageBlock(data="AA==", mime_type="image/png")
SILENT = ("0.74.0", "0.80.10", "0.84.1", "0.87.1")
"""These agents do not say what became of a prompt, so a command's is only gone when they say they are idle."""
STEER, FOLLOW_UP, HELD = QueueKind.STEER, QueueKind.FOLLOW_UP, QueueKind.HELD


def folded(*events: local.AnyEvent) -> Session:
    session = Session(run=Run(RunState.IDLE))
    for event in events:
        session = reduce(session, event, 0.0)
    return session


def queue_update(steering: list[str], follow_up: list[str] | None = None) -> QueueUpdate:
    return QueueUpdate(steering=tuple(steering), follow_up=tuple(follow_up or ()))


def echo(text: str) -> MessageEnd:
    return MessageEnd.model_validate({"message": {"role": "user", "content": text, "timestamp": 1}})


@pytest.mark.parametrize("name", of("steer_followup") + of("steer_followup_all") + of("queue_idle"))
def test_the_queue_is_at_every_moment_what_the_agent_last_said(name: str) -> None:
    session, said = Session(), QueueUpdate(steering=(), follow_up=())
    for now, event in timed(name):
        session = reduce(session, event, now)
        said = event if isinstance(event, QueueUpdate) else said
        assert [(item.kind, item.text) for item in session.queue] == [
            *((STEER, text) for text in said.steering), *((FOLLOW_UP, text) for text in said.follow_up)
        ]


@pytest.mark.parametrize("name", of("steer_followup") + of("simple_prompt") + of("resources") + of("queue_idle"))
def test_in_the_end_no_prompt_is_on_its_way(name: str) -> None:
    session = before_exit(name)
    commands = {prompt.text for prompt in session.sent}
    assert all(text.startswith("/") for text in commands)
    assert not commands or name.split("/")[0] in SILENT


def test_ones_own_message_is_shown_once_when_its_echo_comes() -> None:
    sent = folded(PromptSent("1", "hello"), PromptAnswered("1", "started"))
    shown = reduce(sent, echo("hello"), 0.0)
    assert (sent.sent, sent.entries, shown.sent, shown.entries) == (
        (SentPrompt("1", "hello", accepted=True, started=True),), (), (), (UserEntry("user:1", "hello", (), 1.0),)
    )


def test_an_echo_before_the_answer_takes_the_prompt_too() -> None:
    assert folded(PromptSent("1", "hello"), echo("hello"), PromptAnswered("1", "started")).sent == ()


def test_an_expanded_template_takes_the_oldest_accepted_prompt() -> None:
    session = folded(PromptSent("1", "/fix it"), PromptSent("2", "later"), PromptAnswered("1", "started"),
                     echo("Please fix it"))
    assert [prompt.token for prompt in session.sent] == ["2"]


def test_of_two_equal_prompts_one_echo_takes_one() -> None:
    session = folded(PromptSent("1", "again"), PromptSent("2", "again"), echo("again"))
    assert [prompt.token for prompt in session.sent] == ["2"]


def test_a_message_nobody_here_sent_takes_no_prompt_that_was_not_accepted() -> None:
    assert len(folded(PromptSent("1", "mine"), echo("from an extension")).sent) == 1


def test_a_queued_prompt_moves_from_the_sent_to_the_queue_with_its_images() -> None:
    session = folded(PromptSent("1", "look", STEER, (IMAGE,)), queue_update(["look"]), PromptAnswered("1", "queued"))
    assert (session.sent, session.queue) == ((), (QueuedPrompt("look", STEER, (IMAGE,)),))


def test_images_stay_with_their_prompt_when_others_come_and_go() -> None:
    session = folded(PromptSent("1", "look", STEER, (IMAGE,)), queue_update(["look"]),
                     queue_update(["look", "look"]), queue_update(["other", "look"], ["look"]))
    assert session.queue == (
        QueuedPrompt("other", STEER), QueuedPrompt("look", STEER, (IMAGE,)), QueuedPrompt("look", FOLLOW_UP)
    )


def test_equal_texts_wait_twice() -> None:
    assert folded(queue_update(["a", "a"])).queue == (QueuedPrompt("a", STEER), QueuedPrompt("a", STEER))


def test_what_we_hold_back_survives_what_the_agent_says() -> None:
    session = folded(PromptHeld("later", (IMAGE,)), queue_update(["now"]), queue_update([]))
    assert session.queue == (QueuedPrompt("later", HELD, (IMAGE,)),)


def test_held_prompts_are_released_one_by_one_in_order() -> None:
    session = folded(PromptHeld("one"), PromptHeld("one"), PromptHeld("two"), local.HeldReleased())
    assert session.queue == (QueuedPrompt("one", HELD), QueuedPrompt("two", HELD))


def test_a_queue_that_was_taken_back_is_empty() -> None:
    assert folded(queue_update(["a"]), PromptHeld("b"), local.QueueTaken()).queue == ()


@pytest.mark.parametrize("name", of("steer_followup"))
def test_a_refused_prompt_goes_back_with_its_reason(name: str) -> None:
    session, returned = Session(), []
    for now, event in timed(name):
        returned += [effect for effect in effects(session, event) if isinstance(effect, ReturnText)]
        session = reduce(session, event, now)
    (refused,) = {(effect.text, effect.reason) for effect in returned}
    assert refused[1].startswith("Agent is already processing.")


def test_a_handled_command_leaves_nothing_behind_but_a_question() -> None:
    sent = folded(PromptSent("1", "/todo"))
    answered = PromptAnswered("1", "handled")
    assert (reduce(sent, answered, 0).sent, reduce(sent, answered, 0).run.state, effects(sent, answered)) == (
        (), RunState.IDLE, (Refresh("state"),)
    )


def test_a_command_an_old_agent_took_without_a_word_is_done_when_it_says_it_is_idle() -> None:
    session = folded(PromptSent("1", "/todo"), PromptAnswered("1"))
    idle = local.StateLoaded(None, "off", False, False, "all", "all", None, "s", None, True)
    assert (effects(session, idle), reduce(session, idle, 0).sent) == ((), ())


def test_a_prompt_the_agent_took_and_lost_goes_back() -> None:
    session, returned = Session(), []
    for now, event in timed("1.6.0/double_prompt"):
        returned += [effect for effect in effects(session, event) if isinstance(effect, ReturnText)]
        session = reduce(session, event, now)
    assert returned == [ReturnText("second", (), NEVER_RAN), ReturnText("third", (), NEVER_RAN)]


def test_a_prompt_lost_in_a_compaction_goes_back() -> None:
    session = folded(PromptSent("1", "hello", None, (IMAGE,)), PromptAnswered("1"))
    idle = local.StateLoaded(None, "off", False, False, "all", "all", None, "s", None, True)
    assert effects(session, idle) == (ReturnText("hello", (IMAGE,), NEVER_RAN),)


def test_what_waited_in_a_replaced_session_goes_back() -> None:
    session = folded(queue_update(["steer"]), PromptHeld("held", (IMAGE,)), PromptSent("1", "taken"),
                     PromptAnswered("1", "started"), PromptSent("2", "sent"))
    replaced = reduce(session, local.SessionReplaced(), 0)
    assert returned_by(session, local.SessionReplaced()) == [
        ReturnText("steer", (), REPLACED), ReturnText("taken", (), REPLACED)
    ]
    assert (replaced.queue, replaced.sent) == ((QueuedPrompt("held", HELD, (IMAGE,)),), (SentPrompt("2", "sent"),))


def test_what_we_held_goes_back_when_an_extension_replaced_the_session() -> None:
    session = reduce(folded(PromptHeld("held")), replace(LOADED, session_file="/a", session_id="a"), 0)
    other = replace(LOADED, session_file="/b", session_id="b")
    assert (returned_by(session, other), reduce(session, other, 0).queue) == ([ReturnText("held", (), REPLACED)], ())


def test_they_go_back_even_when_the_process_is_dead() -> None:
    dead = folded(queue_update(["steer"]), local.AgentExited(1))
    assert returned_by(dead, local.SessionReplaced()) == [ReturnText("steer", (), REPLACED)]


def test_prompts_that_waited_when_the_process_died_wait_for_us_and_those_under_way_go_back() -> None:
    session = folded(queue_update(["steer"]), PromptSent("1", "sent"))
    dead = reduce(session, local.AgentExited(1), 0)
    assert returned_by(session, local.AgentExited(1)) == [ReturnText("sent", (), AGENT_GONE)]
    assert (dead.queue, dead.moving, dead.sent) == ((), (QueuedPrompt("steer", STEER),), ())


def test_a_new_agent_gets_what_we_held_and_the_rest_goes_back() -> None:
    session = folded(queue_update(["steer"]), PromptHeld("held"), PromptSent("1", "sent"))
    started = reduce(session, local.AgentStarting(), 0)
    assert returned_by(session, local.AgentStarting()) == [ReturnText("sent", (), ""), ReturnText("steer", (), "")]
    assert (started.queue, started.sent) == ((QueuedPrompt("held", HELD),), ())


def test_what_the_agent_gives_back_has_its_images_and_lacks_what_was_delivered() -> None:
    session = folded(queue_update(["first"], ["last"]),
                     PromptSent("1", "look", STEER, (IMAGE,)), queue_update(["first", "look"], ["last"]),
                     local.QueueClearing(), queue_update(["look"], ["last"]), echo("first"), queue_update([]))
    assert returned(session, ["look"], ["last"]) == (
        QueuedPrompt("look", STEER, (IMAGE,)), QueuedPrompt("last", FOLLOW_UP)
    )
    assert [row.item.text for row in waiting(session)] == ["look", "last"]


def test_a_prompt_queued_while_the_queue_is_cleared_comes_back_with_its_images() -> None:
    session = folded(local.QueueClearing(), PromptSent("1", "look", STEER, (IMAGE,)), queue_update(["look"]),
                     queue_update([]))
    assert returned(session, ["look"], []) == (QueuedPrompt("look", STEER, (IMAGE,)),)


def test_a_prompt_on_its_way_back_to_the_queue_leaves_it_when_it_is_delivered_after_all() -> None:
    moved = (QueuedPrompt("a", STEER), QueuedPrompt("b", STEER))
    session = folded(local.QueueClearing(), local.QueueArranged(moved, (), cleared=True), echo("b"))
    assert (session.moving, session.clearing) == (moved[:1], None)


def test_a_prompt_sent_again_waits_no_more() -> None:
    item = QueuedPrompt("a", FOLLOW_UP)
    session = folded(local.QueueArranged((item, item), ()), PromptSent("1", "a", FOLLOW_UP, waited=item))
    assert (session.moving, [prompt.text for prompt in session.sent]) == ((item,), ["a"])


def returned_by(session: Session, event: local.AnyEvent) -> list[ReturnText]:
    return [effect for effect in effects(session, event) if isinstance(effect, ReturnText)]


LOADED = local.StateLoaded(None, "off", False, False, "all", "all", None, "s", None, True)
TEXTS = st.lists(st.sampled_from(["a", "b", "c"]), max_size=5)


@given(st.lists(st.tuples(TEXTS, TEXTS), max_size=6), TEXTS)
def test_whatever_was_sent_before_the_queue_is_the_last_update_and_what_we_hold(
    updates: list[tuple[list[str], list[str]]], held: list[str]
) -> None:
    sent = [PromptSent(str(i), text, STEER) for i, text in enumerate("abcabc")]
    session = folded(*(PromptHeld(text) for text in held), *sent, *(queue_update(*update) for update in updates))
    steering, follow_up = updates[-1] if updates else ([], [])
    assert [(item.kind, item.text) for item in session.queue] == [
        *((STEER, text) for text in steering), *((FOLLOW_UP, text) for text in follow_up),
        *((HELD, text) for text in held),
    ]
