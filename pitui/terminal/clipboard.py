"""Copying to the clipboard, and saying truthfully what became of it.

Not with pyperclip: it takes a program that failed for one that copied, and lets it write its errors on our screen.
"""

from __future__ import annotations

import base64
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping

OSC52_LIMIT = 74_994
"""Bytes of text many terminals take at most in one OSC 52 sequence (100,000 bytes of base64)."""

PATIENCE = 1.5
"""Seconds a clipboard program has."""

PROGRAMS = (
    ("", ("pbcopy",)),
    ("WAYLAND_DISPLAY", ("wl-copy",)),
    ("DISPLAY", ("xclip", "-selection", "clipboard")),
    ("DISPLAY", ("xsel", "--clipboard", "--input")),
    ("", ("termux-clipboard-set",)),
    ("WSL_DISTRO_NAME", ("clip.exe",)),
)
"""What copies its input, and the variable without which it has nothing to copy to."""


def copy(text: str, environ: Mapping[str, str], write: Callable[[str], None]) -> str:
    """Copy `text` and say what was done. Over ssh, and where no clipboard program works, the terminal is asked by
    OSC 52, which never tells whether it did.
    """
    data = text.encode("utf-8", "replace")
    remote = bool(environ.get("SSH_CONNECTION") or environ.get("SSH_TTY"))
    if not remote and any(_run(command, data, environ) for command in _installed(environ)):
        return "Copied to the clipboard"
    if len(data) > OSC52_LIMIT:
        return f"Not copied: {_why(remote, environ)}, and this is too long for the terminal's own clipboard"
    write(osc52(data, bool(environ.get("TMUX"))))
    return f"Sent to the terminal's clipboard, which may ignore it ({_why(remote, environ)})"


def _why(remote: bool, environ: Mapping[str, str]) -> str:
    if remote:
        return "over ssh no program here reaches your clipboard"
    failed = [command[0] for command in _installed(environ)]
    return f"{failed[0]} failed" if failed else "no clipboard program is installed"


def _installed(environ: Mapping[str, str]) -> Iterator[tuple[str, ...]]:
    for variable, command in PROGRAMS:
        if (not variable or environ.get(variable)) and shutil.which(command[0], path=environ.get("PATH")):
            yield command


def _run(command: tuple[str, ...], data: bytes, environ: Mapping[str, str]) -> bool:
    """Whether the program took it. It stays behind to serve the clipboard, so it gets nothing of our terminal."""
    program = shutil.which(command[0], path=environ.get("PATH"))
    try:
        done = subprocess.run(
            [program or command[0], *command[1:]], input=data, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env=dict(environ), timeout=PATIENCE, start_new_session=True, check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def osc52(data: bytes, tmux: bool) -> str:
    """The sequence that asks a terminal to copy; inside tmux it is passed through to the terminal outside."""
    sequence = f"\x1b]52;c;{base64.b64encode(data).decode('ascii')}\x07"
    return "\x1bPtmux;" + sequence.replace("\x1b", "\x1b\x1b") + "\x1b\\" if tmux else sequence
