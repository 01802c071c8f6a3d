"""What the demo writes has the shapes of what the real agent wrote."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pitui.demo.scenes import SCENES
from pitui.rpc.events import UiUnknown, Unknown
from pitui.rpc.protocol import decode
from tests.demo.driving import Demo, is_text, label
from tests.demo.shapes import Record, Shape, shapes

TRACES = Path(__file__).parent.parent / "traces" / "1.6.0"

NOT_IN_THE_DEMO = {
    "event extension_error": "the demo's extension does not fail",
    "event summarization_retry_scheduled": "its summaries are written at the first try",
    "event summarization_retry_attempt_start": "the same",
    "event summarization_retry_finished": "the same",
    "entry branch_summary": "it has no navigation inside a file",
    "message branchSummary": "the same",
    "entry label": "it sets no bookmarks",
    "entry custom": "its extension keeps no data of its own",
    "response export_html error": "only for an empty session, which the tests of commands see",
}

DOCUMENTED_BUT_NOT_RECORDED = {
    "request input": {"timeout"},
}


def traced() -> list[Record]:
    lines = [json.loads(line) for file in sorted(TRACES.glob("*.jsonl"))
             for line in file.read_text(encoding="utf-8").splitlines()]
    return [line["record"] for line in lines if line["dir"] == "out" and "_raw" not in line["record"]]


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    """All that the demo writes in a long conversation that asks for everything."""
    folder = tmp_path_factory.mktemp("shapes")
    with Demo(folder, "--session-dir", "sessions") as demo:
        empty_session(demo)
        for scene in SCENES:
            demo.play(f"demo {scene.name}")
        demo.play("look", images=[{"type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png"}])
        everything(demo)
        assert demo.close() == 0
        written = demo.lines
    with Demo(folder, speed="3") as demo:
        interrupted(demo)
        return written + demo.lines


@pytest.fixture(scope="module")
def ours(lines: list[bytes]) -> list[Record]:
    return [json.loads(line) for line in lines]


def empty_session(demo: Demo) -> None:
    for kind in ("get_last_assistant_text", "compact", "clone", "get_state", "get_session_stats"):
        demo.request(kind)
    for line in (b"{\n", b"{}\n", b'{"id":1}\n', b'{"id":2,"type":"no_such_command"}\n', b'{"type":"bash"}\n'):
        demo.send_raw(line)
        demo.until(lambda record: record["type"] == "response")
    for kind in ("prompt", "steer", "follow_up", "set_model", "set_session_name", "switch_session", "fork"):
        demo.request(kind)
    demo.request("get_entries", since="nothing")


def everything(demo: Demo) -> None:
    for command in ("echo x", "exit 3", "seq 1 4000"):
        demo.request("bash", command=command)
    for kind in ("steer", "follow_up"):
        demo.request(kind, message="queued")
    for kind in ("clear_queue", "get_messages", "get_entries", "get_tree", "get_fork_messages", "get_session_stats",
                 "get_last_assistant_text", "get_commands", "get_available_models", "cycle_model", "cycle_model",
                 "cycle_model", "cycle_thinking_level", "get_available_thinking_levels", "abort", "abort_retry",
                 "abort_bash", "compact", "export_html"):
        demo.request(kind)
    demo.request("set_model", provider="demo", modelId="demo-thinker")
    demo.request("set_thinking_level", level="low")
    demo.request("set_session_name", name="name")
    for kind in ("set_steering_mode", "set_follow_up_mode"):
        demo.request(kind, mode="all")
    for kind in ("set_auto_retry", "set_auto_compaction"):
        demo.request(kind, enabled=True)
    demo.until_response("prompt", message="/demo")
    for kind in ("get_entries", "get_messages", "get_state", "clone", "new_session"):
        demo.request(kind)
    demo.request("switch_session", sessionPath="elsewhere.jsonl")
    demo.play("hello")
    point = demo.data("get_fork_messages")["messages"]
    assert isinstance(point, list)
    demo.request("fork", entryId=point[0]["entryId"])


def interrupted(demo: Demo) -> None:
    demo.send("prompt", message="demo long")
    demo.until(is_text)
    demo.request("prompt", message="refused")
    demo.send("abort")
    demo.until(lambda record: label(record) == "response abort")
    demo.send("bash", command="sleep 300")
    demo.send("abort_bash")
    demo.until(lambda record: label(record) == "response bash")
    demo.play("demo retry")
    demo.send("compact")
    demo.until_type("compaction_start")
    demo.request("abort")


@pytest.fixture(scope="module")
def real_shapes() -> dict[str, Shape]:
    return shapes(traced())


@pytest.fixture(scope="module")
def our_shapes(ours: list[Record]) -> dict[str, Shape]:
    return shapes(ours)


def test_every_kind_of_the_real_agent_is_there_but_for_some_with_a_reason(
    real_shapes: dict[str, Shape], our_shapes: dict[str, Shape],
) -> None:
    own_tools = ("result ",)
    missing = {kind for kind in real_shapes.keys() - our_shapes.keys() if not kind.startswith(own_tools)}
    assert missing == set(NOT_IN_THE_DEMO)


def test_no_object_lacks_a_field_that_the_real_agents_always_has(
    real_shapes: dict[str, Shape], our_shapes: dict[str, Shape],
) -> None:
    lacking = {kind: missing for kind in real_shapes.keys() & our_shapes.keys()
               if (missing := (real_shapes[kind].always or frozenset()) - (our_shapes[kind].always or frozenset()))}
    assert lacking == {}


def test_no_object_has_a_field_that_the_real_agents_never_has(
    real_shapes: dict[str, Shape], our_shapes: dict[str, Shape],
) -> None:
    odd = {kind: more for kind in real_shapes.keys() & our_shapes.keys()
           if (more := our_shapes[kind].ever - real_shapes[kind].ever)}
    assert odd == DOCUMENTED_BUT_NOT_RECORDED


def test_pitui_knows_every_record_of_the_demo(lines: list[bytes]) -> None:
    assert [line for line in lines if isinstance(decode(line), (Unknown, UiUnknown))] == []


@pytest.mark.parametrize("scene", [scene.name for scene in SCENES])
def test_a_scene_plays_to_its_end_and_leaves_the_agent_idle(demo: Demo, scene: str) -> None:
    records = demo.play(f"demo {scene}")
    assert records[-1] == {"type": "agent_settled", "aborted": False}
    assert demo.data("get_state")["isStreaming"] is False
