"""The process: what it is started with and how it ends."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.demo.driving import DEADLINE, Demo, is_dialog, is_text, labels

HEAVY = ("textual", "rich", "pydantic", "anyio", "pygments")


def start(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "pitui.demo", *arguments], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True,
        text=True, timeout=DEADLINE, check=False,
    )


def test_nothing_is_said_before_the_client_speaks(tmp_path: Path) -> None:
    assert (start(tmp_path, "--mode", "rpc").stdout, start(tmp_path, "--mode", "rpc").returncode) == ("", 0)


def test_all_options_of_the_real_agent_are_accepted(tmp_path: Path) -> None:
    done = start(
        tmp_path, "--mode", "rpc", "--provider", "anthropic", "--model=demo/demo-plain:low", "--thinking", "high", "-e",
        "extension.ts", "--no-mcp", "-nc", "--tools", "read,bash", "--approve", "--offline", "--api-key", "none",
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_unknown_options_and_messages_are_passed_over_with_a_word(tmp_path: Path) -> None:
    done = start(tmp_path, "--mode", "rpc", "--plan", "hello")
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr.splitlines() == [
        "pitui demo agent: unknown option ignored: --plan",
        "pitui demo agent: messages on the command line are ignored in RPC mode",
    ]


def test_model_and_thinking_level_come_from_the_command_line(tmp_path: Path) -> None:
    with Demo(tmp_path, "--model", "demo/demo-thinker", "--thinking", "high") as demo:
        assert demo.data("get_state")["thinkingLevel"] == "high"
    with Demo(tmp_path, "--model", "plain") as demo:
        state = demo.data("get_state")
    assert (isinstance(state["model"], dict) and state["model"]["id"], state["thinkingLevel"]) == ("demo-plain", "off")


def test_the_version_is_that_of_the_protocol_it_speaks(tmp_path: Path) -> None:
    assert start(tmp_path, "--version").stdout == "1.6.0\n"


def test_a_session_that_cannot_be_opened_ends_the_start_with_a_reason(tmp_path: Path) -> None:
    done = start(tmp_path, "--mode", "rpc", "--session", "/dev/null/s.jsonl")
    assert done.returncode == 1
    assert done.stderr.startswith("pitui demo agent: ")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("module", HEAVY)
def test_it_starts_without_heavy_libraries(module: str) -> None:
    code = f"import sys, pitui.demo.__main__; sys.exit({module!r} in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], timeout=DEADLINE, check=False).returncode == 0


def test_the_end_of_stdin_ends_it_in_the_middle_of_an_answer(calm: Demo) -> None:
    calm.send("prompt", message="demo long")
    calm.until(is_text)
    assert calm.close() == 0


def test_the_end_of_stdin_ends_it_while_a_question_is_open(calm: Demo) -> None:
    calm.send("prompt", message="demo gate")
    calm.until(is_dialog)
    assert calm.close() == 0


def test_a_reader_that_is_gone_ends_it(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "pitui.demo"], cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert process.stdin
    assert process.stdout
    process.stdout.close()
    process.stdin.write(b'{"type":"get_state"}\n')
    process.stdin.flush()
    assert process.wait(DEADLINE) == 1
    process.stdin.close()


def test_it_answers_while_it_writes(calm: Demo) -> None:
    calm.send("prompt", message="demo long")
    calm.until(is_text)
    records = calm.until_response("get_state")
    assert set(labels(records)) == {"response get_state"}
