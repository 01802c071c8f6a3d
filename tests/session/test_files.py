"""Session files of every version, damaged in every way that was found."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pitui.rpc.messages import TextBlock
from pitui.rpc.stored import SessionHeader, StoredCompaction, StoredUnknown
from pitui.session.files import StoredSession, read_session_file
from pitui.session.history import active_path, entries_of
from pitui.session.local import HistoryLoaded
from pitui.session.reducer import reduce
from pitui.session.state import (
    AssistantEntry,
    BashEntry,
    CustomEntry,
    Entry,
    NoticeEntry,
    Session,
    SummaryEntry,
    ToolEntry,
    UserEntry,
)

FILES = Path(__file__).parent / "files"
ALL_TYPES = (FILES / "all-entry-types.jsonl").read_bytes()
HEADER = {"type": "session", "version": 3, "id": "s", "timestamp": "2026-01-01T00:00:00Z", "cwd": "/tmp"}


def user(id_: str, parent: str | None, **more: object) -> dict[str, Any]:
    return {"type": "message", "id": id_, "parentId": parent, "timestamp": "2026-01-01T00:00:00Z",
            "message": {"role": "user", "content": id_, "timestamp": 1, **more}}


def file(*records: object, end: bytes = b"\n") -> bytes:
    lines = (record if isinstance(record, bytes) else json.dumps(record).encode() for record in records)
    return b"".join(line + end for line in lines)


def shown(session: StoredSession) -> tuple[Entry, ...]:
    return entries_of(active_path(session.entries, session.leaf_id)[0], session.cut)


def ids(session: StoredSession) -> list[str]:
    return [entry.id for entry in session.entries]


def texts(session: StoredSession) -> list[str]:
    return [entry.text for entry in shown(session) if isinstance(entry, UserEntry)]


def test_every_documented_kind_of_entry_is_read() -> None:
    session = read_session_file(ALL_TYPES)
    unknown = [entry for entry in session.entries if isinstance(entry, StoredUnknown)]
    assert (session.skipped, session.cut, unknown) == (0, False, [])
    assert {type(entry) for leaf in ids(session) for entry in entries_of(active_path(session.entries, leaf)[0])} == {
        UserEntry, AssistantEntry, ToolEntry, BashEntry, CustomEntry, SummaryEntry
    }


def test_of_a_session_with_branches_only_the_active_one_is_shown() -> None:
    session = read_session_file(ALL_TYPES)
    path, cut = active_path(session.entries, session.leaf_id)
    assert ([entry.id for entry in path], cut) == (["bce548b4", "a84ccf5f"], False)


def test_a_file_is_shown_as_the_agents_own_answer_would_be() -> None:
    session = read_session_file((FILES / "all-entry-types-branched.jsonl").read_bytes())
    answered = reduce(Session(), HistoryLoaded(session.entries, session.leaf_id, session.cut), 0)
    assert (answered.entries, answered.leaf_id) == (shown(session), session.leaf_id)


@pytest.mark.parametrize("data", [b"", b"\n\n", b"\r\n"])
def test_an_empty_file_is_an_empty_session(data: bytes) -> None:
    assert read_session_file(data) == StoredSession(None, (), None, False, 0)


def test_a_file_may_hold_only_a_header() -> None:
    session = read_session_file(file(HEADER))
    assert session.header is not None
    assert (session.header.id, session.header.cwd, session.entries, session.leaf_id) == ("s", "/tmp", (), None)


def test_a_skipped_line_cuts_the_path_and_is_counted() -> None:
    session = read_session_file(file(HEADER, user("a", None), b'{"type":"message","id":"b","par', user("c", "b")))
    notice, entry = shown(session)
    assert (session.cut, session.skipped, type(notice), type(entry)) == (True, 1, NoticeEntry, UserEntry)


def test_two_records_glued_on_one_line_are_both_read() -> None:
    glued = json.dumps(user("a", None)).encode() + json.dumps(user("b", "a")).encode()
    session = read_session_file(file(HEADER, glued, user("c", "b")))
    assert (ids(session), session.skipped, session.cut) == (["a", "b", "c"], 0, False)


def test_a_whole_record_behind_a_broken_one_is_read() -> None:
    glued = b'{"type":"message","id":"x","message":{"content":[{"type":"te' + json.dumps(user("b", "a")).encode()
    assert ids(read_session_file(file(HEADER, user("a", None), glued))) == ["a", "b"]


def test_what_a_broken_record_holds_is_no_record_of_this_session() -> None:
    inner = json.dumps(user("sub", "agent")).encode()
    broken = b'{"type":"message","id":"x","message":{"details":[' + inner + b"," + inner + b'],"more":'
    session = read_session_file(file(HEADER, user("a", None), broken))
    assert (ids(session), session.skipped) == (["a"], 1)


def test_of_two_headers_the_first_counts() -> None:
    session = read_session_file(file(HEADER, user("a", None), {**HEADER, "id": "other"}, user("b", "a")))
    assert session.header is not None
    assert (session.header.id, ids(session), session.skipped) == ("s", ["a", "b"], 0)


def test_the_leaf_is_the_last_entry_of_any_kind() -> None:
    label = {"type": "label", "id": "l", "parentId": "a", "targetId": "a", "label": "here"}
    session = read_session_file(file(HEADER, user("a", None), user("b", "a"), label))
    assert (session.leaf_id, texts(session)) == ("l", ["a"])


def test_version_one_is_linear_and_its_compaction_counts_lines() -> None:
    lines = [
        {"type": "session", "id": "s", "timestamp": "t", "cwd": "/c", "provider": "p", "modelId": "m",
         "thinkingLevel": "off", "branchedFrom": "/old.jsonl"},
        {"type": "message", "timestamp": "t", "message": {"role": "user", "content": "one", "timestamp": 1}},
        {"type": "message", "timestamp": "t", "message": {"role": "user", "content": "two", "timestamp": 2}},
        {"type": "compaction", "timestamp": "t", "summary": "S", "firstKeptEntryIndex": 2, "tokensBefore": 9},
    ]
    session = read_session_file(file(*lines))
    compaction = session.entries[2]
    assert isinstance(compaction, StoredCompaction)
    assert session.header is not None
    assert (session.header.version, session.header.branched_from, texts(session), session.cut) == (
        1, "/old.jsonl", ["one", "two"], False
    )
    assert compaction.first_kept_entry_id == session.entries[1].id


def test_version_two_calls_an_extensions_message_by_its_old_name() -> None:
    hook = user("h", None, role="hookMessage", customType="lint", display=True, details={"n": 1})
    session = read_session_file(file({**HEADER, "version": 2}, hook))
    (entry,) = shown(session)
    assert entry == CustomEntry(entry.key, "lint", (TextBlock(text="h"),), {"n": 1})


@pytest.mark.parametrize(("written", "read"), [(3, 3), ("3", 3), ("two", 1), (None, 1)])
def test_the_version_may_be_a_text(written: object, read: int) -> None:
    header = read_session_file(file({**HEADER, "version": written})).header
    assert isinstance(header, SessionHeader)
    assert header.version == read


def test_the_order_of_keys_says_nothing() -> None:
    record = dict(reversed(user("a", None).items()))
    backwards = dict(reversed(HEADER.items()))
    session = read_session_file(file(backwards, record))
    assert (session.header and session.header.id, ids(session)) == ("s", ["a"])


def test_leftovers_of_streaming_are_ignored() -> None:
    call = {"type": "toolCall", "id": "c", "name": "bash", "arguments": {"command": "ls"}, "partialJson": '{"comm'}
    record = user("a", None, role="assistant", content=[call], stopReason="toolUse")
    (card,) = shown(read_session_file(file(HEADER, record)))
    assert isinstance(card, ToolEntry)
    assert card.arguments == {"command": "ls"}


def test_lone_surrogates_and_broken_bytes_cost_no_record() -> None:
    escaped = json.dumps(user("a", None)).replace('"a", "timestamp": 1', '"\\ud83d", "timestamp": 1').encode()
    raw = json.dumps(user("b", "a")).encode().replace(b'"b", "timestamp": 1', b'"\xff", "timestamp": 1')
    assert texts(read_session_file(file(HEADER, escaped, raw))) == ["\ud83d", "\ufffd"]


def test_separators_inside_of_a_text_do_not_end_a_line() -> None:
    record = json.dumps(user("a", None, content="x\u2028y\x85z"), ensure_ascii=False).encode()
    assert texts(read_session_file(file(HEADER, record, end=b"\r\n"))) == ["x\u2028y\x85z"]


@pytest.mark.parametrize("line", [
    b"42", b"[]", b'"text"', b"null", b"{}", b'{"a": 1}', b"\x00" * 40, b"npm WARN", b"[" * 100_000, b'{"a":' * 100_000
])
def test_a_line_that_is_no_record_is_skipped(line: bytes) -> None:
    session = read_session_file(file(HEADER, user("a", None), line, user("b", "a")))
    assert (ids(session), session.skipped, session.cut) == (["a", "b"], 1, False)


def test_entries_that_name_each_other_as_parents_end() -> None:
    assert texts(read_session_file(file(HEADER, user("a", "b"), user("b", "a")))) == ["a", "b"]


@given(st.binary(max_size=300))
def test_any_bytes_make_a_session(data: bytes) -> None:
    session = read_session_file(data)
    assert session.leaf_id == (session.entries[-1].id if session.entries else None)


@given(st.data())
@settings(deadline=None)
def test_a_file_cut_or_hit_anywhere_is_still_read(data: st.DataObject) -> None:
    at, length = data.draw(st.integers(0, len(ALL_TYPES))), data.draw(st.integers(0, 400))
    junk = data.draw(st.binary(max_size=20))
    read = set(ids(read_session_file(ALL_TYPES[:at] + junk + ALL_TYPES[at + length:])))
    before = {entry.id for entry in read_session_file(ALL_TYPES[:at].rpartition(b"\n")[0]).entries}
    after = {entry.id for entry in read_session_file(ALL_TYPES[at + length:].partition(b"\n")[2]).entries}
    assert read >= before | after
