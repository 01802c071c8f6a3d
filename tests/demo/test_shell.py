"""The user's shell commands are really run."""

from __future__ import annotations

import os
import select
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.demo.driving import DEADLINE, Demo, Record, is_text, label, labels, part, parts


def delta_of(records: list[Record]) -> str:
    return "".join(str(record["delta"]) for record in records if record["type"] == "bash_execution_update")


class Family:
    """A shell command and a child of its own. Both hold a pipe open, so that its end tells that both are gone."""

    def __init__(self, demo: Demo, folder: Path) -> None:
        os.mkfifo(folder / "alive")
        self._pipe = os.open(folder / "alive", os.O_RDONLY | os.O_NONBLOCK)
        demo.send("bash", command="exec 9>alive; sleep 300 & echo started; wait")
        demo.until_type("bash_execution_update")

    def is_gone(self, within: float) -> bool:
        """Whether both have ended; waits up to `within` seconds."""
        return bool(select.select([self._pipe], [], [], within)[0])

    def close(self) -> None:
        os.close(self._pipe)


@pytest.fixture
def family(demo: Demo, tmp_path: Path) -> Iterator[Family]:
    started = Family(demo, tmp_path)
    yield started
    started.close()


@pytest.mark.parametrize(("command", "output", "code"), [
    ("echo one; echo two >&2", "one\ntwo\n", 0),
    ("exit 4", "", 4),
    ("printf '\\033[31mred\\033[0m\\r\\n\\ttab\\a'", "red\n\ttab", 0),
    ("printf 'caf\\303\\251'", "café", 0),
    ("", "", 0),
])
def test_output_is_streamed_without_control_codes_and_given_again_at_the_end(
    demo: Demo, command: str, output: str, code: int,
) -> None:
    records = demo.until_response("bash", command=command)
    assert records[-1]["data"] == {"output": output, "exitCode": code, "cancelled": False, "truncated": False}
    assert delta_of(records) == output
    assert all(record["id"] == records[-1]["id"] for record in records)


def test_output_comes_while_the_command_still_runs(demo: Demo) -> None:
    demo.send("bash", command="echo begin; sleep 300")
    assert demo.next()["delta"] == "begin\n"
    demo.send("abort_bash")
    assert [label(demo.next()), demo.next()["data"]] == [
        "response abort_bash", {"output": "begin\n", "cancelled": True, "truncated": False},
    ]


def test_abort_bash_ends_the_command_with_its_children(demo: Demo, family: Family) -> None:
    demo.send("abort_bash")
    demo.until(lambda record: label(record) == "response bash")
    assert family.is_gone(within=DEADLINE)


def test_abort_bash_right_behind_a_command_stops_it_too(demo: Demo) -> None:
    demo.send_raw(b'{"id":"a","type":"bash","command":"sleep 300"}\n{"type":"abort_bash"}\n')
    answer = demo.until(lambda record: label(record) == "response bash")[-1]
    assert part(answer, "data")["cancelled"] is True


def test_abort_leaves_the_shell_alone(demo: Demo, family: Family) -> None:
    demo.request("abort")
    assert not family.is_gone(within=0)


def test_long_output_keeps_its_end_and_the_whole_in_a_file(demo: Demo) -> None:
    records = demo.until_response("bash", command="seq 1 4000")
    data = part(records[-1], "data")
    assert str(data["output"]).split("\n")[:1] == ["2001"]
    assert str(data["output"]).endswith("\n3999\n4000\n")
    whole = "".join(f"{n}\n" for n in range(1, 4001))
    assert (data["truncated"], Path(str(data["fullOutputPath"])).read_text(encoding="utf-8")) == (True, whole)
    assert delta_of(records) == whole


def test_one_endless_line_is_cut_to_its_last_50_kilobytes(demo: Demo) -> None:
    data = demo.data("bash", command="head -c 200000 /dev/zero | tr '\\0' x")
    assert data["output"] == "x" * 51_200
    assert Path(str(data["fullOutputPath"])).stat().st_size == 200_000


def test_a_result_becomes_a_message_and_says_if_it_stays_out_of_the_context(demo: Demo) -> None:
    demo.data("bash", command="echo a")
    demo.data("bash", command="echo b", excludeFromContext=True)
    stored = parts(demo.data("get_messages"), "messages")
    assert [(m["role"], m["output"], m.get("excludeFromContext")) for m in stored] == [
        ("bashExecution", "a\n", None), ("bashExecution", "b\n", True),
    ]


def test_a_result_during_a_run_is_stored_when_the_run_ends(calm: Demo) -> None:
    calm.send("prompt", message="demo thinking")
    calm.until(is_text)
    calm.data("bash", command="echo between")
    assert [m["role"] for m in parts(calm.data("get_messages"), "messages")] == ["system", "user"]
    calm.until_type("agent_settled")
    assert [m["role"] for m in parts(calm.data("get_messages"), "messages")][-2:] == ["assistant", "bashExecution"]


def test_commands_without_an_id_are_answered_without_one(demo: Demo) -> None:
    demo.send_raw(b'{"type":"bash","command":"echo x"}\n')
    assert [demo.next(), label(demo.next())] == [{"type": "bash_execution_update", "delta": "x\n"}, "response bash"]
    assert "id" not in demo.records[-1]


def test_two_commands_run_at_the_same_time(demo: Demo, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    first = demo.send("bash", command="cat pipe")
    second = demo.send("bash", command="echo through > pipe")
    answers = {str(record["id"]): record for record in demo.until(
        lambda r: r["type"] == "response" and {first, second} <= {str(d.get("id")) for d in demo.records
                                                                  if d["type"] == "response"})
        if record["type"] == "response"}
    assert part(answers[first], "data")["output"] == "through\n"


@pytest.mark.parametrize("end", ["close", "terminate"])
def test_no_process_outlives_the_agent(demo: Demo, family: Family, end: str) -> None:
    if end == "close":
        assert demo.close() == 0
    else:
        demo.process.terminate()
        assert demo.process.wait(DEADLINE) == 143
    assert family.is_gone(within=DEADLINE)


def test_the_agent_answers_while_a_command_runs(demo: Demo) -> None:
    demo.send("bash", command="sleep 300")
    assert labels(demo.until_response("get_state")) == ["response get_state"]
