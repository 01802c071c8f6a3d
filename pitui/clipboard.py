"""Copying to the clipboard, and saying truthfully what became of it."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping

import pyperclip

OSC52_LIMIT = 74_994
"""Bytes of text many terminals take at most in one OSC 52 sequence (100,000 bytes of base64)."""


def copy(text: str, environ: Mapping[str, str], write: Callable[[str], None]) -> str:
    """Copy `text` and say what was done. Over ssh, and where no clipboard program works, the terminal is asked by OSC 52,
    which never tells whether it did.
    """
    text = text.encode("utf-8", "replace").decode("utf-8")
    if not (environ.get("SSH_CONNECTION") or environ.get("SSH_TTY")):
        try:
            pyperclip.copy(text)
        except (pyperclip.PyperclipException, OSError):
            pass  # No clipboard program here: the terminal is asked instead, and the answer below says so.
        else:
            return "Copied to the clipboard"
    if len(text.encode("utf-8")) > OSC52_LIMIT:
        return "Not copied: no clipboard program works here, and this is too long for the terminal"
    write(osc52(text, bool(environ.get("TMUX"))))
    return "Sent to the terminal's clipboard (OSC 52; not every terminal takes it)"


def osc52(text: str, tmux: bool) -> str:
    """The sequence that asks a terminal to copy; inside tmux it is passed through to the terminal outside."""
    sequence = f"\x1b]52;c;{base64.b64encode(text.encode('utf-8')).decode('ascii')}\x07"
    return "\x1bPtmux;" + sequence.replace("\x1b", "\x1b\x1b") + "\x1b\\" if tmux else sequence
