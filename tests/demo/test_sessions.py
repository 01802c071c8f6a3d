"""Sessions: kept in a file when one is named, and left for others."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.demo.driving import Demo, Record, is_dialog, is_text, label, labels, parts


def lines_of(path: Path) -> list[Record]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def user_texts(demo: Demo) -> list[object]:
    return [point["text"] for point in parts(demo.data("get_fork_messages"), "messages")]


def test_a_session_file_brings_everything_back(tmp_path: Path) -> None:
    with Demo(tmp_path, "--session", "deep/s.jsonl", "--name", "kept") as demo:
        demo.data("set_model", provider="demo", modelId="demo-plain")
        demo.play("demo tools")
        demo.data("bash", command="echo shell")
        demo.play("demo compact")
        before = [demo.data(kind) for kind in ("get_state", "get_entries", "get_messages", "get_session_stats")]
        assert demo.close() == 0
    with Demo(tmp_path, "--session", "deep/s.jsonl") as demo:
        after = [demo.data(kind) for kind in ("get_state", "get_entries", "get_messages", "get_session_stats")]
    assert after == before
    assert after[0]["sessionName"] == "kept"


def test_a_session_file_has_a_header_and_is_there_at_once(tmp_path: Path) -> None:
    with Demo(tmp_path, "--session", "s.jsonl") as demo:
        state = demo.data("get_state")
    assert state["sessionFile"] == str(tmp_path / "s.jsonl")
    header, *entries = lines_of(tmp_path / "s.jsonl")
    assert (header["type"], header["version"], header["id"]) == ("session", 3, state["sessionId"])
    assert header["cwd"] == str(tmp_path)
    assert [entry["type"] for entry in entries] == ["model_change", "thinking_level_change", "session_info"]


def test_without_a_path_nothing_is_written(tmp_path: Path) -> None:
    with Demo(tmp_path, "--no-session", "--session-dir", "sessions") as demo:
        demo.play("hello")
        assert demo.close() == 0
    assert list(tmp_path.iterdir()) == []


def test_continue_takes_the_newest_session_of_the_folder(tmp_path: Path) -> None:
    identities = []
    for arguments in ([], [], ["--continue"]):
        with Demo(tmp_path, "--session-dir", "sessions", *arguments) as demo:
            identities.append(demo.data("get_state")["sessionId"])
            demo.play("hello")
            assert demo.close() == 0
    assert identities[1] == identities[2] != identities[0]


def test_a_session_is_found_by_the_start_of_its_id(tmp_path: Path) -> None:
    with Demo(tmp_path, "--session-dir", "sessions") as demo:
        identity = str(demo.data("get_state")["sessionId"])
    with Demo(tmp_path, "--session-dir", "sessions", "--session", identity[:30]) as demo:
        assert demo.data("get_state")["sessionId"] == identity


def test_broken_lines_of_a_file_are_passed_over(tmp_path: Path) -> None:
    with Demo(tmp_path, "--session", "s.jsonl") as demo:
        demo.play("hello")
        assert demo.close() == 0
    path = tmp_path / "s.jsonl"
    path.write_bytes(path.read_bytes() + b'{"type":"mess\n[1]\n\xff\xfe\n')
    with Demo(tmp_path, "--session", "s.jsonl") as demo:
        assert user_texts(demo) == ["hello"]


def test_a_session_of_the_real_agent_can_be_opened(tmp_path: Path) -> None:
    source = Path(__file__).parent.parent / "traces" / "1.6.0" / "session.jsonl"
    records = [json.loads(line)["record"] for line in source.read_text(encoding="utf-8").splitlines()]
    entries = next(r["data"]["entries"] for r in records if r.get("command") == "get_entries" and r["success"])
    header = {"type": "session", "version": 3, "id": "real", "timestamp": "2026-11-30T17:48:58.118Z", "cwd": "/"}
    (tmp_path / "s.jsonl").write_text("".join(json.dumps(record) + "\n" for record in [header, *entries]))
    with Demo(tmp_path, "--session", "s.jsonl") as demo:
        assert parts(demo.data("get_entries"), "entries")[:len(entries)] == entries
        assert user_texts(demo) == ["Question 0", "Question 1", "Question 2"]


@pytest.mark.parametrize("arguments", [(), ("--session-dir", "sessions")])
def test_a_fork_goes_back_before_the_message_and_gives_its_text(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    with Demo(tmp_path, *arguments) as demo:
        for text in ("one", "two", "three"):
            demo.play(text)
        old = demo.data("get_state")
        points = parts(demo.data("get_fork_messages"), "messages")
        assert demo.data("fork", entryId=points[1]["entryId"]) == {"text": "two", "cancelled": False}
        new = demo.data("get_state")
        assert user_texts(demo) == ["one"]
        assert (new["sessionId"] != old["sessionId"], new["sessionName"]) == (True, "demo")
        assert demo.error("fork", entryId="ffffffff") == "Invalid entry ID for forking"


def test_a_clone_holds_the_same_entries_and_names_its_parent(tmp_path: Path) -> None:
    with Demo(tmp_path, "--session-dir", "sessions") as demo:
        assert demo.error("clone").startswith("This session has not been saved yet.")
        demo.play("hello")
        old, entries = demo.data("get_state"), demo.data("get_entries")
        assert demo.data("clone") == {"cancelled": False}
        assert demo.data("get_entries") == entries
        header = lines_of(Path(str(demo.data("get_state")["sessionFile"])))[0]
    assert header["parentSession"] == old["sessionFile"]


def test_a_new_session_is_empty_and_keeps_the_model(tmp_path: Path) -> None:
    with Demo(tmp_path, "--session-dir", "sessions") as demo:
        demo.data("set_model", provider="demo", modelId="demo-plain")
        demo.play("hello")
        old = demo.data("get_state")
        assert demo.data("new_session", parentSession=old["sessionFile"]) == {"cancelled": False}
        new = demo.data("get_state")
    assert (new["messageCount"], new["model"]) == (0, old["model"])
    assert lines_of(Path(str(new["sessionFile"])))[0]["parentSession"] == old["sessionFile"]
    assert Path(str(new["sessionFile"])).parent == tmp_path / "sessions"


def test_switching_goes_to_a_file_or_starts_one_where_there_is_none(tmp_path: Path) -> None:
    with Demo(tmp_path, "--session", "a.jsonl") as demo:
        demo.play("in a")
        assert demo.data("switch_session", sessionPath=str(tmp_path / "b.jsonl")) == {"cancelled": False}
        assert (user_texts(demo), demo.data("get_state")["sessionFile"]) == ([], str(tmp_path / "b.jsonl"))
        demo.data("switch_session", sessionPath=str(tmp_path / "a.jsonl"))
        assert user_texts(demo) == ["in a"]


def test_switching_to_a_file_that_cannot_be_read_is_refused_and_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "folder.jsonl").mkdir()
    with Demo(tmp_path, "--session", "a.jsonl") as demo:
        before = demo.data("get_state")
        assert "folder.jsonl" in demo.error("switch_session", sessionPath=str(tmp_path / "folder.jsonl"))
        assert demo.data("get_state") == before


def test_a_new_session_closes_the_run_first_and_drops_the_queue(calm: Demo) -> None:
    calm.send("prompt", message="demo long")
    calm.until(is_text)
    calm.data("follow_up", message="dropped")
    records = calm.until_response("new_session")
    assert labels(records)[-5:] == [
        "message_end assistant", "turn_end", "agent_end", "agent_settled", "response new_session",
    ]
    assert "queue_update" not in labels(records)
    assert calm.data("get_state")["pendingMessageCount"] == 0


def test_a_new_session_takes_open_questions_away(calm: Demo) -> None:
    calm.send("prompt", message="demo gate")
    calm.until(is_dialog)
    assert label(calm.until_response("new_session")[-1]) == "response new_session"


@pytest.mark.parametrize("end", ["close", "terminate"])
def test_an_answer_cut_off_by_the_end_is_kept_as_aborted(tmp_path: Path, end: str) -> None:
    with Demo(tmp_path, "--session", "s.jsonl", speed="3") as demo:
        demo.send("prompt", message="demo long")
        demo.until(is_text)
        if end == "close":
            demo.close()
        else:
            demo.process.terminate()
            demo.process.wait()
        assert [record for record in demo.rest() if record["type"] != "message_update"] == []
    message = lines_of(tmp_path / "s.jsonl")[-1]["message"]
    assert isinstance(message, dict)
    assert (message["role"], message["stopReason"]) == ("assistant", "aborted")
    assert message["content"]
