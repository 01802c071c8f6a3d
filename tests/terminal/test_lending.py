"""Others have the terminal for a while: the shell, or the person's editor. The agent goes on, and nothing is lost."""

from __future__ import annotations

import os
import shlex
import signal
import sys
from pathlib import Path

import pytest

from tests.terminal.conftest import READY, Open
from tests.terminal.terminal import PITUI, Terminal

PROMPT = "shell>"


@pytest.fixture
def shell(open_terminal: Open) -> Terminal:
    """An interactive shell in which pitui runs."""
    terminal = open_terminal("bash", "--norc", "--noediting", "-i", ready=PROMPT, PS1=f"{PROMPT} ")
    terminal.send(f"clear; {shlex.join(PITUI)}\r")
    terminal.wait_for(READY)
    return terminal


def asks_for(terminal: Terminal, text: str) -> None:
    """Until the shell has run a command that prints `text`."""
    terminal.send(f"printf '%s' {text[:3]}; echo {text[3:]}\r")
    terminal.wait_for(text)


def test_ctrl_z_gives_the_shell_its_terminal_and_fg_the_picture_back(shell: Terminal) -> None:
    shell.send("half a prompt")
    shell.wait_for("half a prompt")
    shell.settle()
    before = shell.text
    shell.send("\x1a")
    shell.wait_for("Stopped")
    shell.settle()
    assert shell.damage() == []
    asks_for(shell, "usable")
    shell.send("fg\r")
    shell.wait_until(lambda: shell.text == before, complaint="another picture")
    shell.send(" and the rest")
    shell.wait_for("half a prompt and the rest")


def test_the_agent_goes_on_while_pitui_is_stopped(shell: Terminal) -> None:
    shell.send("/demo long\r")
    shell.wait_for("Part 1 of")
    shell.send("\x1a")
    shell.wait_for("Stopped")
    shell.send("fg\r")
    shell.wait_for("long answer", 40)
    shell.wait_for(READY)


def test_stopping_and_going_on_again_and_again_stacks_nothing(shell: Terminal) -> None:
    for _ in range(3):
        shell.send("\x1a")
        shell.wait_for("Stopped")
        shell.send("fg\r")
        shell.wait_for(READY)
    assert (shell.keyboard_depth, shell.is_on(1049), shell.is_on(1003)) == (1, True, True)
    shell.send("\x04")
    shell.wait_for(PROMPT)
    shell.settle()
    assert shell.damage() == []


def test_in_the_background_pitui_stays_stopped(shell: Terminal) -> None:
    shell.send("\x1a")
    shell.wait_for("Stopped")
    shell.send("bg\r")
    shell.settle()
    asks_for(shell, "usable")
    shell.send("fg\r")
    shell.wait_for(READY)


def test_a_stop_from_outside_is_survived(shell: Terminal) -> None:
    """SIGSTOP cannot be caught: the shell writes over the picture, and fg brings it back all the same."""
    child = next(pid for pid in shell.processes() if b"pitui\0--demo" in command(pid))
    os.kill(child, signal.SIGSTOP)
    shell.wait_for("Stopped")
    shell.send("fg\r")
    shell.wait_until(lambda: READY in shell.text and "Stopped" not in shell.text)
    shell.send("typed")
    shell.wait_for("typed")
    shell.send("\x7f" * 5 + "\x04")
    shell.wait_for(PROMPT)
    shell.settle()
    assert shell.damage() == []


def command(pid: int) -> bytes:
    try:
        return Path("/proc", str(pid), "cmdline").read_bytes()
    except OSError:
        return b""


def test_without_a_shell_there_is_no_stopping(open_terminal: Open) -> None:
    terminal = open_terminal()
    terminal.send("\x1a")
    terminal.wait_for("no shell here")


# -- the editor


@pytest.fixture
def editor(tmp_path: Path) -> str:
    """An editor that says what it edits, waits for a line, and adds it at the end."""
    script = tmp_path / "editor.py"
    script.write_text(
        "import sys\nfrom pathlib import Path\nfile = Path(sys.argv[-1])\nprint('EDITING', repr(file.read_text()))\n"
        "line = input('line? ')\n"
        "if line == 'fail': sys.exit(3)\n"
        "if line == 'remove': file.unlink(); sys.exit(0)\n"
        "file.write_text(file.read_text() + line + '\\n')\n"
    )
    return shlex.join((sys.executable, str(script)))


def test_ctrl_g_edits_the_prompt_in_the_persons_editor(open_terminal: Open, editor: str) -> None:
    terminal = open_terminal(EDITOR=editor)
    terminal.send("first ")
    terminal.wait_for("first")
    terminal.send("\x07")
    terminal.wait_for("EDITING 'first ")
    assert (terminal.is_on(1049), terminal.is_on(1003), terminal.keyboard_depth, terminal.cooked) == (
        False, False, 0, True,
    )
    terminal.send("second\r")
    terminal.wait_for("first second")
    assert (terminal.is_on(1049), terminal.is_on(1003), terminal.keyboard_depth) == (True, True, 1)


def test_the_agent_goes_on_while_the_editor_is_open(open_terminal: Open, editor: str) -> None:
    terminal = open_terminal(EDITOR=editor)
    terminal.send("/demo long\r")
    terminal.wait_for("Part 1 of")
    terminal.send("\x07")
    terminal.wait_for("line?")
    terminal.send("later\r")
    terminal.wait_for("long answer", 40)
    terminal.wait_for("later")


@pytest.mark.parametrize(("answer", "words"), [("fail", "status 3: nothing changed"), ("remove", "left no text")])
def test_an_editor_that_fails_leaves_the_prompt_alone(
    open_terminal: Open, editor: str, answer: str, words: str
) -> None:
    terminal = open_terminal(EDITOR=editor)
    terminal.send("keep me")
    terminal.send("\x07")
    terminal.wait_for("line?")
    terminal.send(f"{answer}\r")
    terminal.wait_for(words)
    terminal.wait_for("keep me")


def test_ctrl_c_in_the_editor_is_the_editors(open_terminal: Open, editor: str) -> None:
    terminal = open_terminal(EDITOR=editor)
    terminal.send("keep me\x07")
    terminal.wait_for("line?")
    terminal.send("\x03")
    terminal.wait_for("nothing changed")
    terminal.wait_for("keep me")


def test_an_editor_that_is_not_there_is_named(open_terminal: Open) -> None:
    terminal = open_terminal(EDITOR="/no/such/editor")
    terminal.send("\x07")
    terminal.wait_for("/no/such/editor: No such file or directory")


def test_without_an_editor_it_is_said_how_to_name_one(open_terminal: Open) -> None:
    terminal = open_terminal()
    terminal.send("\x07")
    terminal.wait_for("Set VISUAL or EDITOR")


def test_the_agents_setting_comes_before_visual_and_visual_before_editor(open_terminal: Open, editor: str) -> None:
    settings = Path(os.environ["PI_CODING_AGENT_DIR"], "settings.json")
    settings.parent.mkdir(parents=True)
    terminal = open_terminal(VISUAL=f"{editor} visual", EDITOR="/no/such/editor")
    terminal.send("\x07")
    terminal.wait_for("line?")
    terminal.send("\r")
    terminal.wait_for(READY)
    settings.write_text('{"externalEditor": "/the/setting"}')
    terminal.send("\x07")
    terminal.wait_for("/the/setting: No such file")


def test_a_dialogs_text_is_edited_in_the_persons_editor(open_terminal: Open, editor: str) -> None:
    terminal = open_terminal(EDITOR=editor)
    terminal.send("/demo dialogs\r")
    for question in ("which colour", "go on?", "a word, please"):
        terminal.wait_for(question)
        terminal.wait_for("enter answers")
        terminal.send("\r")
    terminal.wait_for("change this text")
    terminal.wait_for("ctrl+g external editor")
    terminal.send("\x07")
    terminal.wait_for("EDITING 'First line")
    terminal.send("third\r")
    terminal.wait_until(lambda: terminal.is_on(1049) and "third" in terminal.text)
    terminal.send("\x13")
    terminal.wait_for("quick, pick one")


def test_a_kill_while_the_editor_is_open_gives_everything_back(open_terminal: Open, editor: str) -> None:
    terminal = open_terminal(EDITOR=editor)
    terminal.send("\x07")
    terminal.wait_for("line?")
    terminal.kill(signal.SIGTERM)
    assert (terminal.status(), terminal.damage()) == (128 + signal.SIGTERM, [])
    terminal.wait_for_nobody()
