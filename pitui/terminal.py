"""What a terminal sends, read better than Textual 8.2.8 does: pastes whole and at once, Alt keys, replies left out.

Textual reads a paste character by character (a megabyte takes seconds) and types what it can't parse: an escape code
inside a paste becomes keys, Enter among them. Terminals without the kitty protocol send Escape and then the key for Alt
with it; Textual drops the Alt of control bytes, so that Alt+Enter would send a prompt, and it waits a tenth of a second
for more, so that of two quick Alt keys the first is typed.
"""

from __future__ import annotations

import codecs
import re
import string
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import cast

from textual import events
from textual._ansi_sequences import ANSI_SEQUENCES_KEYS
from textual._xterm_parser import BRACKETED_PASTE_END, BRACKETED_PASTE_START, XTermParser
from textual.keys import _character_to_key
from textual.message import Message

# Answers to what nobody here asks: device attributes, keyboard flags; colours, clipboard, capabilities and the like.
_REPLIES = re.compile(r"\x1b\[(?:[>=][\d;]*[a-zA-Z]|\?[\d;]*[cunSR])|\x1b[\]PX^_][^\x07\x1b]{0,4096}(?:\x07|\x1b\\)")


class TerminalParser(XTermParser):
    """As Textual's parser, with pastes taken out before it sees them."""

    def __init__(self, debug: bool = False) -> None:
        super().__init__(debug)
        self._paste: list[str] | None = None
        self._begun = ""

    def feed(self, data: str) -> Iterable[Message]:
        """The events of one read."""
        if not data:
            yield from super().feed(data)
        while data:
            if self._paste is not None:
                data, pasted = self._collect(self._paste, data)
                yield from pasted
            elif self._begun and self._timeout_time is not None and self._completes(data):
                yield from self._swallow_start()
                data = data[len(BRACKETED_PASTE_START) - len(self._begun) :]
                self._begun, self._paste = "", []
            else:
                keys, start, data = data.partition(BRACKETED_PASTE_START)
                self._begun = _beginning(self._begun + keys if self._timeout_time is not None else keys)
                if keys := _REPLIES.sub("", keys):
                    yield from super().feed(keys)
                if start:
                    self._begun, self._paste = "", []

    def _completes(self, data: str) -> bool:
        return (self._begun + data).startswith(BRACKETED_PASTE_START)

    def _swallow_start(self) -> Iterable[Message]:
        """Textual's parser holds the first part of a start marker: let it see an empty paste, and drop that."""
        rest = BRACKETED_PASTE_START[len(self._begun) :] + BRACKETED_PASTE_END
        return [event for event in super().feed(rest) if not isinstance(event, events.Paste)]

    def _collect(self, parts: list[str], data: str) -> tuple[str, list[Message]]:
        """Add to the paste. The rest of `data` and, at the end marker, the paste as an event."""
        overlap = parts.pop() if parts else ""
        joined = overlap + data
        text, end, rest = joined.partition(BRACKETED_PASTE_END)
        if not end:
            keep = len(BRACKETED_PASTE_END) - 1
            parts += [joined[:-keep], joined[-keep:]]
            return "", []
        parts.append(text)
        self._paste = None
        return rest, [events.Paste("".join(parts).replace("\x00", ""))]


def _beginning(text: str) -> str:
    """The first part of a start marker that `text` ends in."""
    for length in range(len(BRACKETED_PASTE_START) - 1, 0, -1):
        if text.endswith(BRACKETED_PASTE_START[:length]):
            return BRACKETED_PASTE_START[:length]
    return ""


@dataclass(frozen=True, slots=True)
class TableKey:
    """A key as Textual's table of sequences holds it."""

    value: str


# Escape with one of these begins a longer sequence.
_INTRODUCERS = frozenset("[]OPX^_\\N")

_CONTROLS = {"\r": "enter", "\n": "ctrl+j", "\x1d": "ctrl+right_square_bracket"}


def alt_sequences() -> dict[str, str]:
    """What terminals send for Alt with a key, and Textual's name for that."""
    names = {control: f"alt+{name}" for control, name in _CONTROLS.items()}
    for character in set(string.ascii_letters + string.digits + string.punctuation) - _INTRODUCERS:
        base = character.lower() if character.isalpha() else _character_to_key(character)
        names[character] = f"alt+shift+{base}" if character.isupper() else f"alt+{base}"
    return {f"\x1b{key}": name for key, name in names.items()}


def prepare() -> None:
    """Have Textual's driver use all this, and read bytes that are no UTF-8 as U+FFFD instead of going deaf. To be
    called before an app runs; again does nothing.
    """
    table = cast(dict[str, tuple[TableKey, ...]], ANSI_SEQUENCES_KEYS)
    for sequence, name in alt_sequences().items():
        table.setdefault(sequence, (TableKey(name),))
    # Imported here: the module needs a Unix terminal (termios).
    from textual.drivers import linux_driver

    # The driver makes both by these names, and offers no other way in.
    vars(linux_driver).update(XTermParser=TerminalParser, getincrementaldecoder=_forgiving_decoder)


def _forgiving_decoder(encoding: str) -> partial[codecs.IncrementalDecoder]:
    return partial(codecs.getincrementaldecoder(encoding), errors="replace")
