"""Copying says what became of it."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest

from pitui.terminal.clipboard import OSC52_LIMIT, copy


@pytest.fixture
def sent() -> list[str]:
    return []


def program(folder: Path, name: str, script: str) -> None:
    file = folder / name
    file.write_text(f"#!/bin/sh\n{script}\n")
    file.chmod(0o755)


def test_a_program_that_took_it_is_believed(tmp_path: Path, sent: list[str]) -> None:
    program(tmp_path, "xclip", f'/bin/cat > "{tmp_path}/copied"')
    assert copy("größe", {"DISPLAY": ":0", "PATH": str(tmp_path)}, sent.append) == "Copied to the clipboard"
    assert ((tmp_path / "copied").read_text("utf-8"), sent) == ("größe", [])


def test_a_program_that_failed_is_named_and_the_terminal_asked(tmp_path: Path, sent: list[str]) -> None:
    program(tmp_path, "xclip", "/bin/cat > /dev/null; echo cannot open display >&2; exit 1")
    said = copy("text", {"DISPLAY": ":9", "PATH": str(tmp_path)}, sent.append)
    assert said == "Sent to the terminal's clipboard, which may ignore it (xclip failed)"
    assert sent == ["\x1b]52;c;dGV4dA==\x07"]


def test_the_next_program_is_tried_when_one_fails(tmp_path: Path, sent: list[str]) -> None:
    program(tmp_path, "wl-copy", "exit 1")
    program(tmp_path, "xsel", f'/bin/cat > "{tmp_path}/copied"')
    environ = {"WAYLAND_DISPLAY": "w", "DISPLAY": ":0", "PATH": str(tmp_path)}
    assert copy("text", environ, sent.append) == "Copied to the clipboard"


def test_without_any_program_the_terminal_is_asked(tmp_path: Path, sent: list[str]) -> None:
    said = copy("text", {"DISPLAY": ":0", "PATH": str(tmp_path)}, sent.append)
    assert said == "Sent to the terminal's clipboard, which may ignore it (no clipboard program is installed)"


def test_over_ssh_no_program_of_that_machine_is_asked(tmp_path: Path, sent: list[str]) -> None:
    program(tmp_path, "xclip", f'/bin/cat > "{tmp_path}/copied"')
    said = copy("text", {"DISPLAY": ":0", "SSH_CONNECTION": "1 2 3 4", "PATH": str(tmp_path)}, sent.append)
    assert ((tmp_path / "copied").exists(), len(sent), "over ssh" in said) == (False, 1, True)


def test_inside_tmux_the_sequence_is_wrapped(tmp_path: Path, sent: list[str]) -> None:
    copy("x", {"TMUX": "/tmp/tmux,1,0", "PATH": str(tmp_path)}, sent.append)
    assert sent == [f"\x1bPtmux;\x1b\x1b]52;c;{base64.b64encode(b'x').decode()}\x07\x1b\\"]


def test_what_is_too_long_for_a_terminal_is_not_sent(tmp_path: Path, sent: list[str]) -> None:
    said = copy("x" * (OSC52_LIMIT + 1), {"PATH": str(tmp_path)}, sent.append)
    assert (said.startswith("Not copied:"), sent) == (True, [])
