"""Messages sent while the agent works."""

from __future__ import annotations

from tests.demo.driving import Demo, Record, is_dialog, is_text, label, labels, messages, part, text_of

BUSY = "Agent is already processing. Specify streamingBehavior ('steer' or 'followUp') to queue the message."


def open_gate(demo: Demo) -> Record:
    """Bring the agent to a question inside a tool, where it stays until answered."""
    demo.answer_dialogs = False
    demo.send("prompt", message="demo gate")
    return demo.until(is_dialog)[-1]


def told(records: list[Record]) -> list[str]:
    """Queue changes and user messages, in their order."""
    found: list[str] = []
    for record in records:
        if record["type"] == "queue_update":
            found.append(f"queue {record['steering']} {record['followUp']}")
        elif label(record) == "message_start user":
            found.append(text_of(part(record, "message")))
        elif record["type"] in ("turn_start", "turn_end"):
            found.append(str(record["type"]))
    return found


def test_a_prompt_while_busy_needs_to_say_how_it_waits(demo: Demo) -> None:
    open_gate(demo)
    assert demo.error("prompt", message="more") == BUSY
    assert demo.data("prompt", message="more", streamingBehavior="steer") == {"disposition": "queued"}
    assert demo.data("prompt", message="later", streamingBehavior="followUp") == {"disposition": "queued"}
    assert demo.data("prompt", message="odd", streamingBehavior="bogus") == {"disposition": "queued"}
    assert demo.data("clear_queue") == {"steering": ["more", "odd"], "followUp": ["later"]}


def test_the_queue_is_told_before_the_answer_of_the_command_that_changed_it(demo: Demo) -> None:
    open_gate(demo)
    records = demo.until_response("steer", message="left") + demo.until_response("follow_up", message="then")
    assert labels(records) == ["queue_update", "response steer", "queue_update", "response follow_up"]
    assert records[2] == {"type": "queue_update", "steering": ["left"], "followUp": ["then"]}
    assert demo.data("get_state")["pendingMessageCount"] == 2


def test_steering_goes_in_after_the_step_and_follow_ups_at_the_end_one_at_a_time(demo: Demo) -> None:
    dialog = open_gate(demo)
    for kind, text in (("steer", "s1"), ("steer", "s2"), ("follow_up", "f1"), ("follow_up", "f2")):
        demo.data(kind, message=text)
    demo.answer(dialog)
    assert told(demo.until_type("agent_settled")) == [
        "turn_end", "turn_start", "queue ['s2'] ['f1', 'f2']", "s1",
        "turn_end", "turn_start", "queue [] ['f1', 'f2']", "s2",
        "turn_end", "turn_start", "queue [] ['f2']", "f1",
        "turn_end", "turn_start", "queue [] []", "f2", "turn_end",
    ]


def test_in_mode_all_everything_waiting_goes_in_at_once(demo: Demo) -> None:
    demo.request("set_steering_mode", mode="all")
    demo.request("set_follow_up_mode", mode="all")
    dialog = open_gate(demo)
    for kind, text in (("steer", "s1"), ("steer", "s2"), ("follow_up", "f1"), ("follow_up", "f2")):
        demo.data(kind, message=text)
    demo.answer(dialog)
    assert told(demo.until_type("agent_settled")) == [
        "turn_end", "turn_start", "queue ['s2'] ['f1', 'f2']", "s1", "queue [] ['f1', 'f2']", "s2",
        "turn_end", "turn_start", "queue [] ['f2']", "f1", "queue [] []", "f2", "turn_end",
    ]


def test_what_is_queued_while_idle_goes_with_the_next_prompt(demo: Demo) -> None:
    demo.data("steer", message="s")
    demo.data("follow_up", message="f")
    assert demo.data("get_state")["isStreaming"] is False
    assert told(demo.play("hello")) == [
        "turn_start", "hello", "queue [] ['f']", "s", "turn_end", "turn_start", "queue [] []", "f", "turn_end",
    ]


def test_an_abort_leaves_the_queue_for_the_next_prompt(calm: Demo) -> None:
    calm.send("prompt", message="demo long")
    calm.until(is_text)
    calm.data("steer", message="kept")
    calm.request("abort")
    assert calm.data("get_state")["pendingMessageCount"] == 1
    assert told(calm.play("next"))[:4] == ["turn_start", "next", "queue [] []", "kept"]


def test_steering_is_heard_and_the_script_goes_on(demo: Demo) -> None:
    dialog = open_gate(demo)
    demo.data("steer", message="mind the gap")
    demo.answer(dialog)
    last = text_of(messages(demo.until_type("agent_settled"), "assistant")[-1])
    assert "mind the gap" in last
    assert "Pushed" in last


def test_the_demo_command_cannot_be_steered(demo: Demo) -> None:
    assert "cannot be queued" in demo.error("steer", message="/demo tour")
