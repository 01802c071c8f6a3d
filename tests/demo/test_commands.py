"""Every command is answered, and changes what the real agent's does."""

from __future__ import annotations

from pathlib import Path

import pytest

from pitui.demo.commands import COMMANDS
from tests.demo.driving import Demo, Record, label, labels, part, parts

ALL = {
    "prompt", "steer", "follow_up", "abort", "clear_queue", "new_session", "get_state", "get_messages", "set_model",
    "cycle_model", "get_available_models", "set_thinking_level", "cycle_thinking_level",
    "get_available_thinking_levels", "set_steering_mode", "set_follow_up_mode", "compact", "set_auto_compaction",
    "set_auto_retry", "abort_retry", "bash", "abort_bash", "get_session_stats", "export_html", "switch_session", "fork",
    "clone", "get_fork_messages", "get_entries", "get_tree", "get_last_assistant_text", "set_session_name",
    "get_commands",
}


def test_the_demo_knows_the_protocols_33_commands() -> None:
    assert set(COMMANDS) == ALL
    assert len(ALL) == 33


@pytest.mark.parametrize("command", sorted(ALL))
def test_a_command_is_answered_with_its_id_even_without_its_fields(demo: Demo, command: str) -> None:
    response = demo.request(command)
    assert response["command"] == command
    assert isinstance(response["success"], bool)


def test_a_fresh_agent_is_idle_and_labelled_as_the_demo(demo: Demo) -> None:
    state = demo.data("get_state")
    model = part(state, "model")
    assert (model["provider"], model["name"], state["sessionName"]) == ("demo", "Demo Thinker", "demo")
    assert (state["isStreaming"], state["isCompacting"], state["messageCount"]) == (False, False, 0)
    assert "sessionFile" not in state


def test_the_three_models_differ_in_thinking_images_and_size(demo: Demo) -> None:
    models = parts(demo.data("get_available_models"), "models")
    assert all(str(model["name"]).startswith("Demo") for model in models)
    assert [(m["reasoning"], "image" in str(m["input"]), m["contextWindow"]) for m in models] == [
        (True, True, 200_000), (False, False, 128_000), (False, False, 8_000),
    ]


def test_a_model_without_thinking_turns_it_off_and_a_model_with_it_brings_it_back(demo: Demo) -> None:
    demo.send("set_model", provider="demo", modelId="demo-plain")
    assert [demo.next()["level"], label(demo.next())] == ["off", "response set_model"]
    assert demo.data("get_available_thinking_levels") == {"levels": ["off"]}
    assert demo.request("cycle_thinking_level")["data"] is None
    demo.send("set_model", provider="demo", modelId="demo-thinker")
    assert [demo.next()["level"], label(demo.next())] == ["medium", "response set_model"]


def test_cycling_goes_round_the_models(demo: Demo) -> None:
    names = [part(demo.data("cycle_model"), "model")["id"] for _ in range(3)]
    assert names == ["demo-plain", "demo-small", "demo-thinker"]


def test_an_unknown_model_is_refused_by_name(demo: Demo) -> None:
    assert demo.error("set_model", provider="demo", modelId="nope") == "Model not found: demo/nope"


def test_cycling_goes_round_the_thinking_levels(demo: Demo) -> None:
    levels = [demo.data("cycle_thinking_level")["level"] for _ in range(5)]
    assert levels == ["high", "off", "minimal", "low", "medium"]


@pytest.mark.parametrize(("asked", "used"), [("max", "high"), ("bogus", "off"), ("low", "low")])
def test_thinking_levels_are_clamped(demo: Demo, asked: str, used: str) -> None:
    demo.request("set_thinking_level", level=asked)
    assert demo.data("get_state")["thinkingLevel"] == used


def test_a_name_is_trimmed_and_announced_before_the_answer(demo: Demo) -> None:
    demo.send("set_session_name", name="  my work  ")
    assert demo.next() == {"type": "session_info_changed", "name": "my work"}
    assert demo.next()["success"] is True
    assert demo.data("get_state")["sessionName"] == "my work"
    assert demo.error("set_session_name", name="  ") == "Session name cannot be empty"


def test_settings_are_seen_in_the_state(demo: Demo) -> None:
    demo.request("set_steering_mode", mode="all")
    demo.request("set_follow_up_mode", mode="all")
    demo.request("set_auto_compaction", enabled=False)
    state = demo.data("get_state")
    assert (state["steeringMode"], state["followUpMode"], state["autoCompactionEnabled"]) == ("all", "all", False)


def test_entries_can_be_asked_for_since_one_of_them(demo: Demo) -> None:
    demo.play("hello")
    everything = demo.data("get_entries")
    entries = parts(everything, "entries")
    assert [entry["parentId"] for entry in entries[1:]] == [entry["id"] for entry in entries[:-1]]
    assert everything["leafId"] == entries[-1]["id"]
    assert demo.data("get_entries", since=entries[2]["id"])["entries"] == entries[3:]
    assert demo.error("get_entries", since="ffffffff") == "Entry not found: ffffffff"


def test_the_tree_holds_the_entries_from_the_root_down(demo: Demo) -> None:
    demo.play("hello")
    nodes = parts(demo.data("get_tree"), "tree")
    found: list[object] = []
    while nodes:
        assert len(nodes) == 1
        found.append(nodes[0]["entry"])
        nodes = parts(nodes[0], "children")
    assert found == demo.data("get_entries")["entries"]


def test_statistics_count_messages_tools_and_money(demo: Demo) -> None:
    demo.play("demo tools")
    stats = demo.data("get_session_stats")
    assert (stats["userMessages"], stats["toolCalls"], stats["toolResults"]) == (1, 5, 5)
    assert stats["assistantMessages"] == 6
    assert isinstance(stats["cost"], float)
    assert stats["cost"] > 0
    assert part(stats, "contextUsage")["contextWindow"] == 200_000


def test_the_last_answers_text_is_absent_until_there_is_one(demo: Demo) -> None:
    assert demo.data("get_last_assistant_text") == {}
    demo.play("hello")
    assert "demo agent" in str(demo.data("get_last_assistant_text")["text"])


def test_the_demo_command_lists_the_scenes_as_a_notice_and_a_message(demo: Demo) -> None:
    records = demo.until_response("prompt", message="/demo")
    assert labels(records) == ["notify", "message_start custom", "message_end custom", "response prompt"]
    assert records[-1]["data"] == {"disposition": "handled"}
    assert "tour" in str(records[0]["message"])
    assert "`/demo tour`" in str(part(records[1], "message")["content"])


def test_the_demo_command_plays_a_scene_after_it_is_handled(demo: Demo) -> None:
    records = demo.play("/demo length")
    assert records[0]["data"] == {"disposition": "handled"}
    assert records[1]["type"] == "agent_start"
    assert parts(part(records[-3], "message"), "content")[0]["text"]


def test_commands_are_listed_with_their_sources(demo: Demo) -> None:
    commands = parts(demo.data("get_commands"), "commands")
    assert [(command["name"], command["source"]) for command in commands] == [
        ("demo", "extension"), ("demo-explain", "prompt"), ("skill:demo-notes", "skill"),
    ]


def test_a_template_is_spelled_out_in_the_echo(demo: Demo) -> None:
    records = demo.play("/demo-explain the queue")
    echo = next(part(r, "message") for r in records if label(r) == "message_end user")
    assert parts(echo, "content")[0]["text"] == "Explain in plain words: the queue."


def test_an_export_is_one_html_page_with_everything_escaped(tmp_path: Path) -> None:
    with Demo(tmp_path, "--session", "s.jsonl") as demo:
        assert demo.error("export_html").startswith("Nothing to export yet")
        demo.play("<script>alert(1)</script> & more")
        path = Path(str(demo.data("export_html", outputPath=str(tmp_path / "out.html"))["path"]))
    page = path.read_text(encoding="utf-8")
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; more" in page
    assert "<script" not in page


@pytest.mark.parametrize(("line", "response"), [
    (b"42", {"type": "response", "success": False, "error": "Unknown command: undefined"}),
    (b"null", {"type": "response", "success": False, "error": "Unknown command: undefined"}),
    (b'{"id":7}', {"id": 7, "type": "response", "success": False, "error": "Unknown command: undefined"}),
    (b'{"id":"x","type":"no_such"}',
     {"id": "x", "type": "response", "command": "no_such", "success": False, "error": "Unknown command: no_such"}),
    (b'{"id":null,"type":"abort_retry"}\r',
     {"id": None, "type": "response", "command": "abort_retry", "success": True}),
])
def test_odd_lines_are_answered_like_the_real_agent(demo: Demo, line: bytes, response: Record) -> None:
    demo.send_raw(line + b"\n")
    assert demo.next() == response


@pytest.mark.parametrize("line", [b"{not json", b"", b"   ", b"[" * 100_000])
def test_a_line_that_is_no_json_is_an_error_without_an_id(demo: Demo, line: bytes) -> None:
    demo.send_raw(line + b"\n")
    response = demo.next()
    assert str(response.pop("error")).startswith("Failed to parse command: ")
    assert response == {"type": "response", "command": "parse", "success": False}


def test_a_command_may_arrive_in_pieces_and_with_bad_bytes(demo: Demo) -> None:
    demo.send_raw(b'{"id":"split","type":"set_session_name","na')
    demo.send_raw(b'me":"a\xff\xe2\x80\xa8b"}\n')
    assert demo.next() == {"type": "session_info_changed", "name": "a\ufffd\u2028b"}


def test_every_record_is_ascii_json_on_a_line_of_its_own(demo: Demo) -> None:
    demo.play("demo hostile")
    assert all(line.isascii() and line.endswith(b"}\n") and line.count(b"\n") == 1 for line in demo.lines)
