"""Runs have the order of events that the real agent's have."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.demo.driving import Demo, Record, is_delta, label, labels, messages, part, parts, text_of

TRACES = Path(__file__).parent.parent / "traces" / "1.6.0"


def traced(name: str) -> list[Record]:
    lines = [json.loads(line) for line in (TRACES / f"{name}.jsonl").read_text().splitlines()]
    return [line["record"] for line in lines if line["dir"] == "out"]


def first_run(records: list[Record]) -> list[Record]:
    start = next(i for i, record in enumerate(records) if label(record) == "response prompt")
    end = next(i for i, record in enumerate(records) if record["type"] == "agent_settled")
    return records[start:end + 1]


def test_a_first_answer_comes_in_the_real_agents_order(demo: Demo) -> None:
    assert labels(demo.play("hello")) == labels(first_run(traced("simple_prompt")))


def test_parallel_tools_start_together_and_report_in_the_order_of_their_calls(demo: Demo) -> None:
    records = demo.play("demo parallel")
    ours = [label for label in labels(records) if label != "tool_execution_update"]
    real = [label for label in labels(first_run(traced("parallel_tools"))) if label != "tool_execution_update"]
    assert ours == real


def test_parallel_tools_end_in_another_order_than_they_were_called(calm: Demo) -> None:
    records = calm.play("demo parallel")
    called = [record["toolCallId"] for record in records if record["type"] == "tool_execution_start"]
    ended = [record["toolCallId"] for record in records if record["type"] == "tool_execution_end"]
    assert ended == called[::-1]
    assert [message["toolCallId"] for message in messages(records, "toolResult")] == called


def test_the_arguments_of_parallel_calls_interleave(demo: Demo) -> None:
    events = [part(r, "assistantMessageEvent") for r in demo.play("demo parallel") if is_delta(r)]
    calls = [event["contentIndex"] for event in events if event["type"] == "toolcall_delta"]
    assert calls != sorted(calls, key=str)


def test_a_retried_failure_comes_in_the_real_agents_order(demo: Demo) -> None:
    assert labels(demo.play("demo overload")) == labels(first_run(traced("retry_fail")))


def test_a_retry_that_works_is_told_before_its_turn_ends(demo: Demo) -> None:
    order = labels(demo.play("demo retry"))
    end = order.index("auto_retry_end")
    assert order[end - 1:end + 2] == ["message_end assistant", "auto_retry_end", "turn_end"]


def test_failed_attempts_are_left_out_of_the_context_but_kept_as_entries(demo: Demo) -> None:
    demo.play("demo retry")
    roles = [message["role"] for message in parts(demo.data("get_messages"), "messages")]
    kinds = [entry["type"] for entry in parts(demo.data("get_entries"), "entries")]
    assert roles == ["system", "user", "assistant"]
    assert kinds.count("context_edit") == 2
    assert kinds.count("message") == 5


@pytest.mark.parametrize("model", ["demo-thinker", "demo-plain", "demo-small"])
@pytest.mark.parametrize("scene", ["tools", "parallel", "thinking", "markdown", "nested", "hostile"])
def test_the_deltas_of_an_answer_add_up_to_the_whole_message(demo: Demo, model: str, scene: str) -> None:
    demo.data("set_model", provider="demo", modelId=model)
    built: list[dict[int, str]] = []
    whole: list[dict[int, str]] = []
    for record in demo.play(f"demo {scene}"):
        if label(record) == "message_start assistant":
            built.append({})
        elif is_delta(record):
            event = part(record, "assistantMessageEvent")
            index = event["contentIndex"]
            assert isinstance(index, int)
            built[-1][index] = built[-1].get(index, "") + str(event["delta"])
        elif label(record) == "message_end assistant":
            whole.append({i: _content(block) for i, block in enumerate(parts(part(record, "message"), "content"))})
    assert [_with_parsed_arguments(blocks) for blocks in built] == [_with_parsed_arguments(b) for b in whole]


def _content(block: Record) -> str:
    if block["type"] == "toolCall":
        return json.dumps(block["arguments"])
    return str(block[str(block["type"])])


def _with_parsed_arguments(blocks: dict[int, str]) -> dict[int, object]:
    return {i: json.loads(text) if text.startswith("{") else text for i, text in blocks.items()}


def test_thinking_is_left_out_when_it_is_off(demo: Demo) -> None:
    demo.request("set_thinking_level", level="off")
    records = demo.play("demo thinking")
    kinds = {str(part(r, "assistantMessageEvent")["type"]) for r in records if r["type"] == "message_update"}
    assert kinds == {"text_start", "text_delta", "text_end"}


def test_a_prompt_without_a_scene_says_that_this_is_the_demo(demo: Demo) -> None:
    answer = messages(demo.play("What is seven times six?"), "assistant")[-1]
    assert "demo agent" in text_of(answer)
    assert "What is seven times six?" in text_of(answer)
