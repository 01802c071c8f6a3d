"""Stopping: answered only when the agent is idle, and never past an open question."""

from __future__ import annotations

from pathlib import Path

from tests.demo.driving import Demo, is_dialog, is_text, label, labels, messages, part, parts, text_of


def test_an_abort_keeps_what_was_written_and_is_answered_when_idle(calm: Demo) -> None:
    calm.send("prompt", message="demo long")
    calm.until(is_text)
    calm.send("abort")
    records = calm.until(lambda record: label(record) == "response abort")
    assert labels(records) == ["message_end assistant", "turn_end", "agent_end", "agent_settled", "response abort"]
    message = messages(records, "assistant")[0]
    assert (message["stopReason"], message["errorMessage"]) == ("aborted", "Request was aborted")
    assert text_of(message)
    assert records[-2]["aborted"] is True
    assert calm.data("get_state")["isStreaming"] is False


def test_an_abort_with_nothing_to_stop_is_answered_at_once(demo: Demo) -> None:
    assert labels(demo.until_response("abort")) == ["response abort"]


def test_an_aborted_command_says_so_and_the_run_ends_with_an_empty_answer(calm: Demo) -> None:
    calm.send("prompt", message="demo output")
    calm.until(lambda r: r["type"] == "tool_execution_update" and parts(part(r, "partialResult"), "content") != [])
    calm.send("abort")
    records = [r for r in calm.until(lambda record: label(record) == "response abort")
               if r["type"] != "tool_execution_update"]
    assert labels(records) == [
        "tool_execution_end", "message_start toolResult", "message_end toolResult", "turn_end", "turn_start",
        "message_start assistant", "message_end assistant", "turn_end", "agent_end", "agent_settled", "response abort",
    ]
    assert text_of(messages(records, "toolResult")[0]).endswith("Command aborted")
    assert (records[0]["isError"], messages(records, "assistant")[0]["content"]) == (True, [])


def test_a_call_cut_in_its_arguments_has_none_and_says_what_arrived(calm: Demo) -> None:
    calm.send("prompt", message="demo nested")
    calm.until(lambda r: r["type"] == "message_update"
               and str(part(r, "assistantMessageEvent").get("delta", "")).strip(' {"') == "code")
    calm.send("abort")
    call = parts(messages(calm.until_type("agent_settled"), "assistant")[0], "content")[-1]
    assert call["arguments"] == {}
    assert '{"code' in str(call["argumentsError"])


def test_an_abort_waits_for_the_open_question(calm: Demo) -> None:
    calm.send("prompt", message="demo gate")
    dialog = calm.until(is_dialog)[-1]
    calm.send("abort")
    state = calm.data("get_state")
    assert state["isStreaming"] is True
    assert "response abort" not in labels(calm.records)
    calm.answer(dialog, confirmed=True)
    records = calm.until(lambda record: label(record) == "response abort")
    assert text_of(messages(records, "toolResult")[0]) == "Operation aborted"
    assert labels(records)[-2:] == ["agent_settled", "response abort"]


def test_a_cancelled_question_counts_as_no(calm: Demo) -> None:
    calm.send("prompt", message="demo gate")
    calm.answer(calm.until(is_dialog)[-1], cancelled=True)
    result = messages(calm.until_type("agent_settled"), "toolResult")[0]
    assert text_of(result) == "Blocked by user"
    assert "durationMs" not in result


def test_a_question_with_a_limit_goes_by_unanswered_without_a_word(tmp_path: Path) -> None:
    with Demo(tmp_path, speed="200") as demo:
        demo.answer_dialogs = False
        demo.send("prompt", message="demo dialogs")
        for _ in range(4):
            demo.answer(demo.until(is_dialog)[-1])
        rest = demo.until_type("agent_settled")
    limits = [record["timeout"] for record in rest if is_dialog(record)]
    assert limits == [60, 60, 60]
    answers = text_of(messages(rest, "toolResult")[0]).split("\n")
    assert answers[-3:] == ["select with a timeout: no answer", "confirm with a timeout: False",
                            "input with a timeout: no answer"]


def test_answers_are_given_back_in_the_scenes_report(demo: Demo) -> None:
    report = text_of(messages(demo.play("demo dialogs"), "assistant")[-1])
    assert report.count("'an answer'") == 5
    assert report.count("True") == 2


def test_a_late_or_wrong_answer_is_ignored(demo: Demo) -> None:
    demo.send_raw(b'{"type":"extension_ui_response","id":"nobody","value":"x"}\n{"type":"extension_ui_response"}\n')
    assert labels(demo.until_response("get_state")) == ["response get_state"]


def test_giving_up_a_retry_ends_the_run(calm: Demo) -> None:
    calm.send("prompt", message="demo retry")
    calm.until_type("entry_appended")
    calm.send("abort_retry")
    assert [calm.next(), label(calm.next()), calm.next()] == [
        {"type": "auto_retry_end", "success": False, "attempt": 1, "finalError": "Retry cancelled"},
        "response abort_retry",
        {"type": "agent_settled", "aborted": False},
    ]


def test_an_abort_in_the_wait_for_a_retry_ends_the_run_as_aborted(calm: Demo) -> None:
    calm.send("prompt", message="demo retry")
    calm.until_type("entry_appended")
    calm.send("abort")
    records = calm.until(lambda record: label(record) == "response abort")
    assert labels(records) == ["auto_retry_end", "agent_settled", "response abort"]
    assert records[1]["aborted"] is True


def test_without_auto_retry_an_overload_is_final(demo: Demo) -> None:
    demo.request("set_auto_retry", enabled=False)
    order = labels(demo.play("demo retry"))
    assert order[-2:] == ["agent_end", "agent_settled"]
    assert "auto_retry_start" not in order


def test_a_compaction_can_be_stopped_and_refuses_prompts_meanwhile(calm: Demo) -> None:
    calm.play("one")
    calm.play("two")
    calm.send("compact")
    calm.until_type("compaction_start")
    assert calm.data("get_state")["isCompacting"] is True
    assert calm.error("prompt", message="now").startswith("Cannot submit a prompt while compaction is in progress.")
    calm.send("abort")
    records = calm.until(lambda record: label(record) == "response abort")
    assert records[0] == {"type": "compaction_end", "reason": "manual", "aborted": True, "willRetry": False}
    assert (label(records[1]), records[1]["error"]) == ("response compact", "Compaction cancelled")


def test_a_compaction_puts_a_summary_before_what_was_kept(demo: Demo) -> None:
    assert demo.error("compact") == "Nothing to compact (session too small)"
    demo.play("first question")
    demo.play("second question")
    result = demo.data("compact", customInstructions="Mind the tests")
    assert "Mind the tests" in str(result["summary"])
    assert demo.error("compact") == "Already compacted"
    context = parts(demo.data("get_messages"), "messages")
    assert [message["role"] for message in context] == ["system", "compactionSummary", "user", "assistant"]
    assert part(demo.data("get_session_stats"), "contextUsage")["tokens"] is None


def test_the_small_model_compacts_by_itself_when_it_is_full(demo: Demo) -> None:
    demo.data("set_model", provider="demo", modelId="demo-small")
    runs = [demo.play("demo markdown") for _ in range(14)]
    reasons = [record["reason"] for run in runs for record in run if record["type"] == "compaction_start"]
    assert set(reasons) == {"threshold"}


def test_compacting_stops_a_run_first(calm: Demo) -> None:
    calm.play("one")
    calm.send("prompt", message="demo long")
    calm.until(is_text)
    calm.send("compact")
    order = labels(calm.until(lambda record: label(record) == "response compact"))
    assert order[-4:] == ["agent_settled", "compaction_start", "compaction_end", "response compact"]
