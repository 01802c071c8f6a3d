"""Telling keys from what only looks like keys: terminal replies, late pieces of escape sequences, tails of pastes.

Textual hands on what it can't parse as single key presses. A reply such as DA1 comes as `[?61;6c`, an arrow key cut in
two by a slow line as Escape and then `[A`, the bytes behind an end marker inside a paste as typed text. They all arrive
far faster than anybody types.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_BURST = 0.02
"""Seconds between two characters of one read, at most."""

_TAIL = 0.004
"""Seconds between a paste and the first key that belongs to it, at most."""

_LATE = 1.0
"""Seconds after an Escape in which the rest of its sequence may come."""

_REPLY = re.compile(
    r"\^?\[[?>=][\d;]*(?:\$y|[cuynRSt])$"  # device attributes, modes, keyboard flags
    r"|\^?\](?:4;\d+|1\d|52;\w*);[^\\]*\\$"  # colours and clipboard, ended by ST
    r"|\^?P[01>!][^\\]*\\$"  # capabilities
)
_COLOUR = re.compile(r"\^?\](?:4;\d+|1\d|52;\w*);[^\\]*$")
_REST = re.compile(r"^(?:\[[\d;]*[A-HPQRSZ~uIO]|O[A-HP-S])$")
_ESCAPE_CODE = re.compile(r"\^\[[\d;?]*[@-~]$")


@dataclass(frozen=True, slots=True)
class Verdict:
    """What to do with a key. `take_back`: how many characters already inserted were part of no text after all.

    `stop`: the key is no key. `text`: insert this for it.
    """

    take_back: int = 0
    stop: bool = False
    text: str = ""


PASS = Verdict()
_DROP = Verdict(stop=True)


@dataclass(slots=True)
class LateBytes:
    """Watches the keys of one editor, in order. All times in seconds of one clock."""

    _burst: str = ""
    _last: float = 0.0
    _escape: float = -_LATE
    _tail: bool = False

    def pasted(self, time: float) -> None:
        """A paste came in."""
        self._burst, self._last, self._tail = "", time, True

    def feed(self, key: str, character: str | None, time: float) -> Verdict:
        """Judge one key. `character` is what it would type, None for keys that type nothing."""
        gap, self._last = time - self._last, time
        self._tail = self._tail and 0 <= gap < _TAIL
        if not 0 <= gap <= _BURST:
            self._burst = ""
        if character is None or not character.isprintable():
            return self._control(key, time)
        self._burst = (self._burst + character)[-200:]
        if match := self._match(time):
            self._burst = ""
            return Verdict(take_back=len(match[0]) - 1, stop=True)
        return Verdict(stop=True, text=character) if self._tail else PASS

    def _match(self, time: float) -> re.Match[str] | None:
        if match := _REPLY.search(self._burst):
            return match
        if time - self._escape < _LATE and (match := _REST.search(self._burst)):
            return match
        return _ESCAPE_CODE.search(self._burst) if self._tail else None

    def _control(self, key: str, time: float) -> Verdict:
        burst, self._burst = self._burst, ""
        if key == "ctrl+g" and (match := _COLOUR.search(burst)):
            return Verdict(take_back=len(match[0]), stop=True)
        if self._tail:
            text = {"enter": "\n", "ctrl+j": "\n", "tab": "\t"}.get(key, "")
            return Verdict(stop=True, text=text) if text else _DROP
        if key == "escape":
            self._escape = time
        return PASS
