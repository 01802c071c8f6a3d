"""Terminals of all kinds and sizes, and places that are no terminal."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.terminal.conftest import READY, Open
from tests.terminal.terminal import PITUI

TRACES = Path(__file__).parents[1] / "traces"


@pytest.mark.parametrize("size", [(1, 1), (8, 3), (20, 5), (500, 2)])
def test_any_size_can_be_opened_and_left(open_terminal: Open, size: tuple[int, int]) -> None:
    terminal = open_terminal(columns=size[0], rows=size[1], ready="")
    terminal.wait_until(lambda: terminal.is_on(1049))
    terminal.settle(1.0)
    terminal.send("\x04")
    assert (terminal.status(), terminal.damage()) == (0, [])


def test_sizes_that_change_fast_while_an_answer_is_written_leave_one_clean_picture(open_terminal: Open) -> None:
    terminal = open_terminal()
    terminal.send("/demo long\r")
    terminal.wait_for("Part 1 of")
    for columns, rows in [(1, 1), (8, 3), (120, 40), (20, 5), (3, 60), (200, 2), (61, 19)] * 4:
        terminal.resize(columns, rows)
        terminal.pump(0.03)
    terminal.resize(80, 24)
    terminal.wait_until(lambda: READY in terminal.text and "long answer" in terminal.text)
    terminal.settle()
    assert terminal.text.count(READY) == 1


def test_a_question_survives_tiny_sizes(open_terminal: Open) -> None:
    terminal = open_terminal()
    terminal.send("/demo dialogs\r")
    terminal.wait_for("enter answers")
    for columns, rows in [(1, 1), (8, 3), (20, 5), (4, 2)]:
        terminal.resize(columns, rows)
        terminal.pump(0.3)
    terminal.resize(80, 24)
    terminal.wait_for("which colour")


# -- colours


def colours(raw: bytes) -> set[bytes]:
    return set(re.findall(rb"[34]8;2;(\d+;\d+;\d+)", raw))


def test_no_color_means_no_colour(open_terminal: Open) -> None:
    terminal = open_terminal(NO_COLOR="1", COLORTERM="truecolor")
    terminal.settle()
    assert all(len(set(colour.split(b";"))) == 1 for colour in colours(bytes(terminal.raw)))


@pytest.mark.parametrize("term", ["xterm", "xterm-16color", "linux", "vt100", "screen", "tmux-256color", ""])
def test_any_kind_of_terminal_will_do(open_terminal: Open, term: str) -> None:
    terminal = open_terminal(TERM=term)
    terminal.send("\x04")
    assert terminal.status() == 0


@pytest.mark.parametrize(("reply", "ground", "environ"), [
    ("ffff/ffff/ffff", "light", "15;0"), ("0000/0000/0000", "dark", "0;15"),
])
def test_the_theme_follows_the_background_the_terminal_tells(
    open_terminal: Open, reply: str, ground: str, environ: str
) -> None:
    terminal = open_terminal(ready="", COLORTERM="truecolor", COLORFGBG=environ)
    terminal.wait_until(lambda: b"\x1b]11;?" in terminal.raw)
    terminal.send(f"\x1b]11;rgb:{reply}\x1b\\")
    terminal.wait_for(READY)
    terminal.wait_until(lambda: b"48;2;" + GROUND[ground] in terminal.raw[-4000:])


GROUND = {"dark": b"17;20;26", "light": b"251;250;247"}


def test_a_light_ground_is_read_from_the_environment_when_the_terminal_says_nothing(open_terminal: Open) -> None:
    terminal = open_terminal(COLORTERM="truecolor", COLORFGBG="0;15")
    assert b"48;2;" + GROUND["light"] in terminal.raw


# -- no terminal


def test_without_a_terminal_pitui_says_so_and_ends(place: Path) -> None:
    done = subprocess.run(PITUI, stdin=subprocess.DEVNULL, capture_output=True, text=True, cwd=place, check=False,
                          env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}, start_new_session=True)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith("pitui: standard")


def test_a_terminal_that_cannot_place_text_is_refused(open_terminal: Open) -> None:
    terminal = open_terminal(TERM="dumb", ready="TERM=dumb")
    assert (terminal.status(), b"\x1b" in terminal.raw) == (2, False)


def test_a_recording_is_read_from_a_pipe_while_keys_come_from_the_terminal(open_terminal: Open) -> None:
    recording = sorted(TRACES.glob("1.6.0/*.jsonl"))[0]
    command = f"cat {shlex.quote(str(recording))} | {sys.executable} -m pitui --replay - --speed 0"
    terminal = open_terminal("bash", "-c", command)
    terminal.send("\x04")
    assert (terminal.status(), terminal.damage()) == (0, [])


# -- quiet


def test_nothing_happens_while_nothing_happens(open_terminal: Open) -> None:
    terminal = open_terminal()
    terminal.settle(1.5)
    pid, size = terminal.pid, len(terminal.raw)
    before = wakeups(pid)
    terminal.run_for(3.0)
    assert (len(terminal.raw) - size, wakeups(pid) - before) == (0, 0)


def wakeups(pid: int) -> int:
    """How often the threads of a process were put on a processor after waiting."""
    return sum(
        int(re.findall(r"^voluntary_ctxt_switches:\s*(\d+)", status.read_text(), re.MULTILINE)[0])
        for status in Path(f"/proc/{pid}/task").glob("*/status")
    )


def test_a_frame_of_the_spinner_writes_only_what_it_changes(open_terminal: Open) -> None:
    terminal = open_terminal()
    terminal.send("!sleep 30\r")
    terminal.wait_for("sleep 30")
    terminal.run_for(1.0)
    before = len(terminal.raw)
    terminal.run_for(2.0)
    # 20 beats in 2 seconds; a frame of the whole screen is some 4000 bytes.
    assert len(terminal.raw) - before < 20 * 800


def test_what_the_agent_says_on_its_stderr_is_not_on_the_screen(open_terminal: Open, place: Path) -> None:
    agent = place / "noisy.py"
    agent.write_text(
        "import subprocess, sys\nsys.stderr.write('NOISE' * 2000 + '\\x1b[2J')\nsys.stderr.flush()\n"
        "sys.exit(subprocess.call([sys.executable, '-m', 'pitui.demo', '--mode', 'rpc']))\n"
    )
    terminal = open_terminal(sys.executable, "-m", "pitui", "--agent", shlex.join((sys.executable, str(agent))))
    assert b"NOISE" not in terminal.raw
