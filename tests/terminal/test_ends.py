"""However pitui ends, the terminal is as it was, the exit status is right, and nobody is left."""

from __future__ import annotations

import re
import shlex
import signal
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from tests.rpc.conftest import agent_argv
from tests.terminal.conftest import READY, Open
from tests.terminal.terminal import PITUI, Terminal

SOON = 3.5
"""Seconds in which pitui must be gone, on a machine that has other things to do."""

LATER = 6.0
"""Seconds in which the guard has seen to it that nobody is left."""

STUBBORN = (
    sys.executable, "-m", "pitui", "--agent",
    shlex.join(agent_argv({"start": [{"$ignore": "SIGTERM"}, {"$brood": True}], "end": [{"$deaf": True}]})),
)
"""An agent that neither the end of its input nor SIGTERM ends, with three children."""


def in_the_middle(terminal: Terminal, of: str) -> None:
    """An answer is being written, or a tool of the agent's runs."""
    if of == "an answer":
        terminal.send("/demo long\r")
        terminal.wait_for("Part 1 of")
    elif of == "a tool":
        terminal.send("!sleep 321\r")
        terminal.wait_until(lambda: any(b"321" in command for command in commands(terminal)))


def memory_maps(terminal: Terminal) -> list[str]:
    """What each process has loaded: a library that is only imported after the entry point tells that it was reached."""
    found = []
    for pid in terminal.processes():
        with suppress(OSError):
            found.append(Path(f"/proc/{pid}/maps").read_text("utf-8"))
    return found


def commands(terminal: Terminal) -> list[bytes]:
    found = []
    for pid in terminal.processes():
        try:
            found.append(Path("/proc", str(pid), "cmdline").read_bytes())
        except OSError:
            continue
    return found


def quit_by(terminal: Terminal, way: str) -> None:
    if way == "ctrl+c twice":
        terminal.send("\x03")
        terminal.wait_for("again quits")
        terminal.send("\x03")
    else:
        terminal.send({"ctrl+d": "\x04", "/quit": "/quit\r"}[way])


@pytest.mark.parametrize("of", ["nothing", "an answer", "a tool"])
@pytest.mark.parametrize("way", ["ctrl+c twice", "ctrl+d", "/quit"])
def test_quitting_gives_everything_back(open_terminal: Open, way: str, of: str) -> None:
    terminal = open_terminal()
    in_the_middle(terminal, of)
    quit_by(terminal, way)
    assert (terminal.status(SOON), terminal.damage()) == (0, [])
    terminal.wait_for_nobody(SOON)


@pytest.mark.parametrize("of", ["nothing", "an answer", "a tool"])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_gives_everything_back(open_terminal: Open, number: signal.Signals, of: str) -> None:
    terminal = open_terminal()
    in_the_middle(terminal, of)
    terminal.kill(number)
    assert (terminal.status(SOON), terminal.damage()) == (128 + number, [])
    terminal.wait_for_nobody(SOON)


@pytest.mark.parametrize("of", ["nothing", "an answer", "a tool"])
def test_a_closed_window_ends_all(open_terminal: Open, of: str) -> None:
    terminal = open_terminal()
    in_the_middle(terminal, of)
    terminal.hang_up()
    assert terminal.status(SOON) == 128 + signal.SIGHUP
    terminal.wait_for_nobody(SOON)


def test_a_terminal_that_hangs_up_without_a_signal_ends_all(open_terminal: Open) -> None:
    """As in a session that it does not control."""
    terminal = open_terminal("bash", "-c", f"trap '' HUP; setsid --wait {shlex.join(PITUI)}")
    terminal.hang_up()
    assert terminal.status(SOON) == 128 + signal.SIGHUP
    terminal.wait_for_nobody(SOON)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_an_agent_that_will_not_end_is_ended(open_terminal: Open, number: signal.Signals) -> None:
    terminal = open_terminal(*STUBBORN, ready="f1 help")
    terminal.wait_until(lambda: len(terminal.processes()) >= 6)
    terminal.kill(number)
    assert (terminal.status(SOON), terminal.damage()) == (128 + number, [])
    terminal.wait_for_nobody(SOON)


@pytest.mark.parametrize("of", ["nothing", "an answer", "a tool"])
def test_nobody_survives_a_kill_of_pitui(open_terminal: Open, of: str) -> None:
    terminal = open_terminal()
    in_the_middle(terminal, of)
    terminal.kill(signal.SIGKILL)
    assert terminal.status(SOON) == 128 + signal.SIGKILL
    terminal.wait_for_nobody(LATER)


def test_nobody_of_a_stubborn_agent_survives_a_kill_of_pitui(open_terminal: Open) -> None:
    terminal = open_terminal(*STUBBORN, ready="f1 help")
    terminal.wait_until(lambda: len(terminal.processes()) >= 6)
    terminal.kill(signal.SIGKILL)
    terminal.status(SOON)
    terminal.wait_for_nobody(LATER)


def test_a_terminal_that_takes_nothing_keeps_nobody(open_terminal: Open) -> None:
    terminal = open_terminal()
    terminal.send("/demo output\r" * 3)
    # From here on nothing is read: the terminal's buffer fills up, and whoever writes to it waits.
    terminal.kill(signal.SIGTERM)
    while not terminal._ended():
        signal.sigtimedwait([], 0.05)
    assert terminal.status() == 128 + signal.SIGTERM
    terminal.wait_for_nobody(SOON)


def test_an_error_in_pitui_itself_gives_everything_back(open_terminal: Open) -> None:
    broken = (
        "import sys\nfrom pitui.screens.chat import ChatScreen\nfrom pitui.__main__ import main\n"
        "ChatScreen.action_hotkeys = lambda self: 1 / 0\nsys.exit(main())"
    )
    terminal = open_terminal(sys.executable, "-c", broken, "--demo")
    terminal.send("\x1bOP")
    assert (terminal.status(SOON), terminal.damage()) == (1, [])
    assert "ZeroDivisionError" in terminal.text
    terminal.wait_for_nobody(SOON)


def test_ctrl_c_while_pitui_is_loading_leaves_no_traceback(open_terminal: Open) -> None:
    terminal = open_terminal(ready="")
    terminal.wait_until(lambda: any("pydantic_core" in maps for maps in memory_maps(terminal)))
    terminal.send("\x03")
    terminal.status()
    assert (terminal.damage(), "Traceback" in terminal.text) == ([], False)


# -- what is left on the screen


def test_the_way_back_to_the_session_is_told(open_terminal: Open) -> None:
    terminal = open_terminal(*PITUI, "--session-dir", "kept")
    terminal.send("hello\r")
    terminal.wait_for("asks you questions")
    terminal.wait_for(READY)
    quit_by(terminal, "ctrl+d")
    terminal.status(SOON)
    told = re.search(rb"To go on: pitui --demo --session (\S+)", terminal.raw)
    assert told is not None
    assert Path(told[1].decode()).is_file()


def test_nothing_is_told_of_a_session_that_has_no_file(open_terminal: Open) -> None:
    terminal = open_terminal(*PITUI, "--no-session")
    quit_by(terminal, "ctrl+d")
    assert (terminal.status(SOON), b"To go on" in terminal.raw) == (0, False)


def test_what_the_mouse_sends_at_the_end_reaches_nobody(open_terminal: Open) -> None:
    """The shell that comes next reads what is left: nothing, though the mouse moved until it was let go."""
    shell = f"{shlex.join(PITUI)}; read -r -t 0.5 left; echo \"left:[$left]\""
    terminal = open_terminal("bash", "-c", shell)
    terminal.send("\x04" + "\x1b[<35;10;10M" * 200)
    moved = 0

    def end() -> bool:
        nonlocal moved
        if terminal.is_on(1003) and moved < 500:
            moved += 1
            terminal.send(f"\x1b[<35;{moved % 80};12M")
        return "left:[" in terminal.text

    terminal.wait_until(end)
    assert "left:[]" in terminal.text


# -- titles


def test_the_windows_title_is_the_folder_or_the_sessions_name_and_goes_at_the_end(open_terminal: Open) -> None:
    terminal = open_terminal()
    terminal.wait_until(lambda: terminal.screen.title == "pi · demo")
    assert "\x1b]2;pi · place\x07".encode() in terminal.raw
    quit_by(terminal, "ctrl+d")
    terminal.status(SOON)
    assert terminal.screen.title == ""
    assert terminal.raw.count(b"\x1b[22;2t") == terminal.raw.count(b"\x1b[23;2t") == 1
