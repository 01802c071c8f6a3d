"""A resumed session looks exactly like the live one did."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from pitui.rpc.events import EntryAppended
from pitui.rpc.messages import TextBlock
from pitui.session import local
from pitui.session.history import active_path, entries_of, has_moved
from pitui.session.local import EntriesAppended, HistoryLoaded, MessagesLoaded
from pitui.session.reducer import reduce
from pitui.session.state import (
    AssistantEntry,
    BashEntry,
    Entry,
    Level,
    Notice,
    NoticeEntry,
    Run,
    RunState,
    Session,
    ToolEntry,
    ToolState,
    UserEntry,
)
from tests.session.recorded import ALL, MESSAGES, STORED, events_of, fold_all, lines, picture, timed

EXCEPTIONS = {
    "ext_probe": "an extension moved the session to another branch, which no event tells: the client has to reload",
}
"""Scenarios in which what the events told is not what is stored, and why."""


def unstored(entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
    """The picture without the ids that no event tells."""
    return tuple(
        replace(entry, stored_id=None) if isinstance(entry, (UserEntry, AssistantEntry)) else entry
        for entry in picture(entries)
    )


def answers(command: str) -> Iterator[tuple[str, int]]:
    """Every full answer to a command, as (trace, line number): those of the very session that was watched."""
    for name in ALL:
        partial = {line["record"].get("id") for line in lines(name) if "since" in line["record"]}
        for number, line in enumerate(lines(name)):
            record = line["record"]
            if (line["dir"] == "out" and record.get("command") == command and record.get("success")
                    and record.get("id") not in partial and name.split("/")[1] not in EXCEPTIONS):
                yield name, number


def watched(name: str, upto: int) -> tuple[Session, bool]:
    """The live session up to a line, and whether it was watched from its beginning."""
    session, whole = Session(), True
    for line in lines(name)[:upto]:
        for event in events_of(line):
            whole = whole and not isinstance(event, local.SessionReplaced)
            session = reduce(session, event, line["t"])
    return session, whole


def data(name: str, number: int) -> Any:  # noqa: ANN401  # JSON
    return lines(name)[number]["record"]["data"]


WATCHED = [
    (name, number) for name, number in answers("get_entries")
    if data(name, number)["entries"] and watched(name, number)[1]
    and not name.split("/")[1].startswith(("resume_2", "kill_"))
]


@pytest.mark.parametrize(("name", "number"), WATCHED, ids=lambda value: str(value))
def test_the_stored_entries_make_the_picture_that_was_streamed(name: str, number: int) -> None:
    session, _ = watched(name, number)
    answer = data(name, number)
    resumed = reduce(Session(run=session.run), HistoryLoaded(STORED.validate_python(answer["entries"]),
                                                             answer["leafId"]), 0)
    assert unstored(session.entries) == unstored(resumed.entries)


def test_that_was_seen_in_every_version_that_can_tell_its_entries() -> None:
    assert {name.split("/")[0] for name, _ in WATCHED} == {"0.80.10", "0.84.1", "0.87.1", "1.0.3", "1.6.0"}


SCENARIOS = (
    "abort_queue", "abort_text", "abort_tool", "abort_toolcall_args", "blocks", "codemode", "double_prompt", "images",
    "parallel_tools", "queue_idle", "retry_fail", "retry_midstream", "retry_success", "steer_followup", "tools",
    "unicode",
)


CONTEXT = dict(answer for answer in answers("get_messages") if answer[0].split("/")[1] in SCENARIOS)


@pytest.mark.parametrize(("name", "number"), CONTEXT.items(), ids=lambda value: str(value))
def test_the_messages_of_the_context_make_the_picture_but_for_attempts_that_were_retried(
    name: str, number: int
) -> None:
    """Agents before 0.80.3 tell no entries; `get_messages` leaves failed attempts out."""
    upto = lines(name)[number]["t"]
    session = fold_all((now, event) for now, event in timed(name) if now <= upto)
    loaded = reduce(Session(), MessagesLoaded(MESSAGES.validate_python(data(name, number)["messages"])), 0)
    kept = [entry for entry in session.entries if not (isinstance(entry, AssistantEntry) and entry.retried)]
    assert unstored(tuple(kept)) == unstored(loaded.entries)


def history(name: str) -> HistoryLoaded:
    """The last full list of entries of a trace."""
    *_, (_, number) = ((trace, number) for trace, number in answers("get_entries") if trace == name)
    answer = data(name, number)
    return HistoryLoaded(STORED.validate_python(answer["entries"]), answer["leafId"])


def test_keys_are_unique_in_every_picture() -> None:
    for name in ALL:
        keys = [entry.key for entry in fold_all(timed(name)).entries]
        assert len(keys) == len(set(keys)), name


def test_asking_for_new_entries_only_tells_their_ids() -> None:
    event = history("1.6.0/compact_manual")
    session, _ = watched("1.6.0/compact_manual", len(lines("1.6.0/compact_manual")))
    live = replace(session, entries=picture(session.entries)[:7])
    learnt = reduce(live, EntriesAppended(event.entries, event.leaf_id), 0)
    assert (learnt.entries, learnt.leaf_id) == (entries_of(active_path(event.entries, event.leaf_id)[0]), event.leaf_id)


def test_learning_the_ids_twice_changes_nothing() -> None:
    event = history("1.6.0/compact_manual")
    once = reduce(Session(), event, 0)
    assert reduce(once, EntriesAppended(event.entries, event.leaf_id), 0) == once


def test_an_entry_the_stream_never_showed_is_added_by_its_announcement() -> None:
    event = history("1.6.0/resume_2")
    first, *rest = (entry for entry in active_path(event.entries, event.leaf_id)[0])
    session = reduce(Session(), EntriesAppended((first, *rest), event.leaf_id), 0)
    assert session.entries == reduce(Session(), event, 0).entries


def test_a_leaf_that_is_not_below_the_last_one_is_on_another_branch() -> None:
    new = STORED.validate_python([{"type": "label", "id": "c", "parentId": "b"},
                                  {"type": "label", "id": "d", "parentId": "c"}])
    at = {leaf: Session(leaf_id=leaf) for leaf in ("a", "b", None)}
    assert {leaf: has_moved(session, EntriesAppended(new, "d")) for leaf, session in at.items()} == {
        "a": True, "b": False, None: False
    }
    assert {leaf: has_moved(session, EntriesAppended((), "b")) for leaf, session in at.items()} == {
        "a": True, "b": False, None: False
    }


def test_an_extension_that_navigates_is_noticed() -> None:
    name = "1.6.0/ext_probe"
    *_, stored = (STORED.validate_python(line["record"]["data"]["entries"]) for line in lines(name)
                  if line["record"].get("command") == "get_entries" and line["dir"] == "out")
    leaf = next(entry for entry in reversed(stored) if entry.type == "branch_summary")
    before = next(entry for entry in reversed(stored) if entry.type == "compaction")
    assert has_moved(Session(leaf_id=before.id), EntriesAppended((leaf,), leaf.id))


def test_an_announced_entry_is_the_last_known_one_only_if_none_is_missing_before_it() -> None:
    def edit(parent: str) -> EntryAppended:
        entry = {"type": "context_edit", "id": "e", "parentId": parent, "targetId": parent}
        return EntryAppended.model_validate({"entry": entry})

    session = Session(leaf_id="a")
    assert (reduce(session, edit("a"), 0).leaf_id, reduce(session, edit("unseen"), 0).leaf_id) == ("e", "a")


def test_a_hidden_stop_is_not_shown_when_its_entry_is_learnt_later() -> None:
    name = "1.6.0/abort_tool"
    session = fold_all(timed(name))
    messages = data(name, max(number for trace, number in answers("get_messages") if trace == name))["messages"]
    stored = STORED.validate_python([
        {"type": "message", "id": str(i), "parentId": str(i - 1) if i else None, "message": message}
        for i, message in enumerate(messages)
    ])
    learnt = reduce(session, EntriesAppended(stored, stored[-1].id), 0)
    assert unstored(learnt.entries) == unstored(session.entries)


def test_a_call_without_a_result_is_stopped_in_a_session_that_is_idle() -> None:
    messages = MESSAGES.validate_python([
        {"role": "assistant", "timestamp": 1, "stopReason": "toolUse",
         "content": [{"type": "toolCall", "id": "a", "name": "bash", "arguments": {}}]},
    ])
    assert reduce(Session(), MessagesLoaded(messages), 0).entries == (
        ToolEntry("tool:a", "a", "bash", state=ToolState.STOPPED),
    )


def test_a_call_that_runs_goes_on_running_when_the_history_is_loaded_meanwhile() -> None:
    running = ToolEntry("tool:a", "a", "bash", state=ToolState.RUNNING, started=5.0)
    session = Session(entries=(running,), run=Run(RunState.TOOL, open=True, active=True))
    messages = MESSAGES.validate_python([
        {"role": "assistant", "timestamp": 1, "stopReason": "toolUse",
         "content": [{"type": "toolCall", "id": "a", "name": "bash", "arguments": {}}]},
    ])
    assert reduce(session, MessagesLoaded(messages), 0).entries == (running,)


def test_a_command_that_runs_survives_the_loading_of_the_history() -> None:
    command = BashEntry("bash:1", "sleep 9", running=True, command_id="c1", started=1.0)
    session = Session(entries=(command,))
    loaded = reduce(session, history("1.6.0/compact_manual"), 0)
    assert loaded.entries[-1] == command


def test_notices_stay_behind_the_entry_they_followed() -> None:
    event = history("1.6.0/compact_manual")
    plain = reduce(Session(), event, 0).entries
    notice = NoticeEntry("notice:0", (Notice(Level.INFO, "hello"),))
    session = Session(entries=(*plain[:2], notice, *plain[2:]))
    assert reduce(session, event, 0).entries == session.entries


def test_notices_from_before_the_history_come_behind_it() -> None:
    event = history("1.6.0/compact_manual")
    notice = NoticeEntry("notice:0", (Notice(Level.INFO, "hello"),))
    plain = reduce(Session(), event, 0).entries
    assert reduce(Session(entries=(notice,)), event, 0).entries == (*plain, notice)


def test_only_the_path_of_the_leaf_is_shown() -> None:
    stored = STORED.validate_python([
        {"type": "message", "id": id_, "parentId": parent,
         "message": {"role": "user", "content": id_, "timestamp": number}}
        for number, (id_, parent) in enumerate([("a", None), ("b", "a"), ("c", "a")])
    ])
    loaded = reduce(Session(), HistoryLoaded(stored, "c"), 0)
    assert [entry.text for entry in loaded.entries if isinstance(entry, UserEntry)] == ["a", "c"]


def test_a_path_that_begins_below_a_missing_entry_says_so() -> None:
    stored = STORED.validate_python([
        {"type": "message", "id": "b", "parentId": "lost", "message": {"role": "user", "content": "hi", "timestamp": 1}}
    ])
    first, second = reduce(Session(), HistoryLoaded(stored, "b"), 0).entries
    assert (type(first), second) == (NoticeEntry, UserEntry("user:1", "hi", (), 1.0, "b"))


def test_a_path_that_runs_in_a_circle_ends() -> None:
    stored = STORED.validate_python([
        {"type": "label", "id": "a", "parentId": "b"}, {"type": "label", "id": "b", "parentId": "a"}
    ])
    path, cut = active_path(stored, "b")
    assert ([entry.id for entry in path], cut) == (["a", "b"], True)


def test_a_path_of_fifty_thousand_entries_needs_no_recursion() -> None:
    stored = STORED.validate_python([
        {"type": "label", "id": str(i), "parentId": str(i - 1) if i else None} for i in range(50_000)
    ])
    assert active_path(stored, "49999") == (stored, False)


def test_blank_blocks_are_no_stretch_of_their_own() -> None:
    messages = MESSAGES.validate_python([
        {"role": "assistant", "timestamp": 1, "stopReason": "stop",
         "content": [{"type": "text", "text": "\n\n"}, {"type": "toolCall", "id": "a", "name": "x", "arguments": {}},
                     {"type": "text", "text": "end"}]},
    ])
    _, end = reduce(Session(), MessagesLoaded(messages), 0).entries
    assert isinstance(end, AssistantEntry)
    assert (end.key, end.blocks) == ("assistant:1:2", (TextBlock(text="end"),))
