"""What pitui writes, as the real agent reads it."""

from __future__ import annotations

import json
import subprocess
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest

from pitui.agent.trust import Verdict, decide, save_trust
from pitui.catalog.cards import read_session
from pitui.catalog.edit import import_session, rename_session
from pitui.catalog.folders import find_session, session_folders
from pitui.export import export_jsonl
from pitui.rpc.wire import JsonObject
from pitui.store.settings import load_pi_settings, save_pi_settings
from tests.catalog.files import answered, header, message, said, write
from tests.real.agents import Home, command, make_home

pytestmark = pytest.mark.real

EXTENSION = """
export default function (pi) {
  pi.registerCommand("of-the-project", { description: "x", handler: async () => {} });
}
"""
PATIENCE = 60.0


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return make_home(tmp_path / "home", 9)


def ask(home: Home, commands: Sequence[JsonObject], *more: str, version: str = "1.6.0") -> list[JsonObject]:
    """What the agent answers to each of `commands`, sent one after the other."""
    answers: list[JsonObject] = []
    with subprocess.Popen(
        command(version, more), cwd=home.project, env=home.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True, encoding="utf-8",
    ) as process:
        timer = threading.Timer(PATIENCE, process.kill)
        timer.start()
        assert process.stdin is not None
        assert process.stdout is not None
        for number, one in enumerate(commands):
            process.stdin.write(json.dumps({**one, "id": str(number)}) + "\n")
            process.stdin.flush()
            for line in process.stdout:
                record = json.loads(line)
                if record.get("id") == str(number):
                    answers.append(record.get("data") or {})
                    break
        process.stdin.close()
        process.stdout.read()
        timer.cancel()
    assert len(answers) == len(commands)
    return answers


def conversation(home: Home) -> Path:
    """A session of the project, where the agent would keep it."""
    settings, _ = load_pi_settings(home.agent_dir, home.project, trusted=False)
    folders = session_folders(home.project, home.environment, settings)
    return write(folders.here / "2026-01-01T00-00-00-000Z_the-session.jsonl", [
        header("the-session", str(home.project)), said("a1", None, "question"), answered("a2", "a1", "left"),
        message("a3", "a1", "assistant", [{"type": "text", "text": "right"}], stopReason="stop", api="x", provider="y",
                model="z", usage={"input": 1, "output": 1, "cacheRead": 0, "cacheWrite": 0, "totalTokens": 2, "cost": {
                    "input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0, "total": 0}}),
    ])


@pytest.mark.parametrize("version", ["1.6.0", "0.87.1"])
def test_a_name_we_append_is_the_agents_name_for_it(home: Home, version: str) -> None:
    path = conversation(home)
    rename_session(path, "Our name", 1767225600.0, home.root / "locks")
    state, stored = ask(
        home, [{"type": "get_state"}, {"type": "get_entries"}], "--session", str(path), version=version
    )
    assert (state["sessionName"], state["sessionId"]) == ("Our name", "the-session")
    last = json.loads(path.read_text().splitlines()[4])
    assert last in stored["entries"]  # type: ignore[operator]  # a list
    reading = read_session(path, 1, 1.0)
    assert reading is not None
    assert reading.card.name == "Our name"


def test_a_session_lies_where_the_agent_looks_for_it_by_the_beginning_of_its_id(home: Home) -> None:
    path = conversation(home)
    (state,) = ask(home, [{"type": "get_state"}], "--session", "the-s")
    settings, _ = load_pi_settings(home.agent_dir, home.project, trusted=False)
    found = find_session("the-s", session_folders(home.project, home.environment, settings))
    assert (state["sessionFile"], found.path, found.here) == (str(path), path, True)


def test_an_exported_branch_opens_as_the_same_conversation(home: Home) -> None:
    target = home.root / "branch.jsonl"
    export_jsonl(conversation(home), target, 1767225600.0)
    copy = import_session(target, home.root / "sessions", 1767225600.0)
    (got,) = ask(home, [{"type": "get_messages"}], "--session", str(copy))
    messages = got["messages"]
    assert isinstance(messages, list)
    assert [one["content"][0]["text"] for one in messages] == ["question", "right"]


def test_settings_we_write_and_settings_it_writes_both_stay(home: Home) -> None:
    save_pi_settings(home.agent_dir, {("defaultModel",): "mock-plain", ("compaction", "keepRecentTokens"): 7})
    state, _ = ask(home, [{"type": "get_state"}, {"type": "set_steering_mode", "mode": "all"}])
    model = state["model"]
    assert isinstance(model, dict)
    assert model["id"] == "mock-plain"
    settings, problems = load_pi_settings(home.agent_dir, home.project, trusted=False)
    assert (settings.default_model, settings.steering_mode, problems) == ("mock-plain", "all", ())
    assert json.loads((home.agent_dir / "settings.json").read_text())["compaction"] == {"keepRecentTokens": 7}


@pytest.mark.parametrize(
    ("answer", "verdict"), [(True, Verdict.APPROVE), (False, Verdict.DECLINE), (None, Verdict.ASK)]
)
def test_an_answer_we_save_is_the_agents_answer(home: Home, answer: bool | None, verdict: Verdict) -> None:
    (home.project / ".pi" / "extensions").mkdir(parents=True)
    (home.project / ".pi" / "extensions" / "one.js").write_text(EXTENSION)
    save_trust(home.agent_dir, [(home.project.parent, answer)])
    settings, _ = load_pi_settings(home.agent_dir, home.project, trusted=False)
    assert decide(home.project, home.agent_dir, settings, home.root).verdict is verdict
    (listed,) = ask(home, [{"type": "get_commands"}])
    commands = listed["commands"]
    assert isinstance(commands, list)
    assert ("of-the-project" in [one["name"] for one in commands]) is (verdict is Verdict.APPROVE)
