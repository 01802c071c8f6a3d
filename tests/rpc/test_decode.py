"""Every record becomes a value: a known event, a response, or something kept as unknown."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitui.rpc.events import (
    AgentEnd,
    AgentSettled,
    CompactionStart,
    MessageEnd,
    MessageStart,
    MessageUpdate,
    Response,
    TextDelta,
    UiConfirm,
    UiUnknown,
    Unknown,
)
from pitui.rpc.framing import LineDecoder
from pitui.rpc.messages import SystemMessage
from pitui.rpc.protocol import decode, encode
from tests.rpc.conftest import TRACES, trace_files


def said(trace: Path) -> list[bytes]:
    """What the agent wrote in a recording, a record each."""
    lines = [json.loads(line) for line in trace.read_bytes().splitlines()]
    return [encode(line["record"]).rstrip() for line in lines if line["dir"] == "out" and "_raw" not in line["record"]]


@pytest.mark.parametrize("trace", trace_files(), ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_every_record_of_every_version_is_known(trace: Path) -> None:
    assert [value for value in map(decode, said(trace)) if isinstance(value, (Unknown, UiUnknown))] == []


@pytest.mark.parametrize("stdout", sorted(TRACES.glob("*/*.stdout")), ids=lambda path: path.parent.name)
def test_raw_output_with_unicode_separators_says_what_its_recording_says(stdout: Path) -> None:
    decoder = LineDecoder()
    raw = [decode(record) for record in decoder.feed(stdout.read_bytes()) if isinstance(record, bytes)]
    recorded = [decode(record) for record in said(stdout.with_suffix(".jsonl"))]
    # But for the system prompt, of which the two keep different parts.
    assert [value for value in raw if is_streamed(value)] == [value for value in recorded if is_streamed(value)]


def is_streamed(value: object) -> bool:
    if isinstance(value, (MessageStart, MessageEnd)):
        return not isinstance(value.message, SystemMessage)
    return not isinstance(value, Response)


def delta(record: bytes) -> str:
    value = decode(record)
    assert isinstance(value, MessageUpdate)
    assert isinstance(value.assistant_message_event, TextDelta)
    return value.assistant_message_event.delta


UPDATE = b'{"type":"message_update","assistantMessageEvent":{"type":"text_delta","contentIndex":0,"delta":"%b"}}'


def test_raw_unicode_separators_stay_in_the_text() -> None:
    assert delta(UPDATE % "a\u2028b\u2029c\x85d".encode()) == "a\u2028b\u2029c\x85d"


def test_half_a_surrogate_pair_is_kept() -> None:
    assert delta(UPDATE % rb"x\ud83d") == "x\ud83d"


def test_bytes_that_are_no_utf8_become_replacement_characters() -> None:
    assert delta(UPDATE % b"x\xff") == "x\ufffd"


def test_a_record_behind_an_escape_sequence_is_found() -> None:
    assert decode(b'\x1b]777;notify;app;done\x07{"type":"agent_settled"}') == AgentSettled(aborted=False)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"added 12 packages in 3s", "not JSON"),
        (b"42", "not a JSON object"),
        (b"[1]", "not a JSON object"),
        (b"null", "not a JSON object"),
        (b"{}", "a record without a type"),
        (b'{"type":7}', "a record without a type"),
        (b'{"type":"agent_sta', "not JSON"),
    ],
)
def test_what_is_no_record_is_kept_with_the_reason(line: bytes, reason: str) -> None:
    assert decode(line) == Unknown(line, reason)


def test_a_record_of_a_new_type_is_kept_with_its_type() -> None:
    record = b'{"type":"agent_dreamt","of":"sheep"}'
    assert decode(record) == Unknown(record, "unknown record type 'agent_dreamt'", "agent_dreamt")


def test_compaction_is_known_by_its_old_name() -> None:
    value = decode(b'{"type":"auto_compaction_start","reason":"threshold"}')
    assert isinstance(value, CompactionStart)
    assert value.reason == "threshold"


def test_an_unknown_way_to_ask_the_person_is_kept() -> None:
    value = decode(b'{"type":"extension_ui_request","id":"d1","method":"pickColour","title":"Which?"}')
    assert value == UiUnknown(method="pickColour", id="d1", title="Which?", options=None)


def test_a_dialog_is_known_by_its_method() -> None:
    value = decode(b'{"type":"extension_ui_request","id":"d1","method":"confirm","title":"Sure?","message":"m"}')
    assert value == UiConfirm(id="d1", title="Sure?", message="m", timeout=None)


def nested(levels: int) -> bytes:
    return b'{"entry":{"text":"}]\\"{["},"children":[' * levels + b"]}" * levels


def test_an_answer_nested_too_deeply_is_a_failed_answer() -> None:
    record = b'{"id":"p1","type":"response","command":"get_tree","success":true,"data":{"tree":[%b]}}' % nested(3_000)
    assert decode(record) == Response(
        id="p1", command="get_tree", success=False, data=None, error="nested too deeply to read"
    )


def test_an_event_with_something_nested_too_deeply_is_still_that_event() -> None:
    assert decode(b'{"messages":[%b],"type":"agent_end","willRetry":true}' % nested(3_000)) == AgentEnd(will_retry=True)


def test_an_unclosed_record_nested_too_deeply_is_refused() -> None:
    record = b'{"type":"agent_end","messages":' + b"[" * 5_000
    assert decode(record) == Unknown(record[:2_000], "not JSON")


@given(st.binary())
def test_no_bytes_at_all_make_decoding_raise(record: bytes) -> None:
    assert decode(record) is not None


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(st.sampled_from(["message_start", "message_end", "tool_execution_end", "entry_appended", "queue_update"]), JSON)
def test_a_field_of_any_form_never_makes_decoding_raise(kind: str, value: object) -> None:
    record = {"type": kind, "message": value, "result": value, "entry": value, "steering": value}
    assert decode(encode(record)) is not None


@given(st.dictionaries(st.text(max_size=5), JSON, max_size=3))
def test_what_is_written_is_one_line_of_ascii_and_reads_back_the_same(record: dict[str, object]) -> None:
    line = encode(record)
    assert line.isascii()
    assert line.index(b"\n") == len(line) - 1
    assert json.loads(line) == record
