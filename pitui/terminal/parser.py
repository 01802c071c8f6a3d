"""What a terminal sends, read better than Textual 8.2.8 does: pastes whole and at once, Alt keys, no replies as text.

Textual reads a paste character by character (a megabyte takes seconds) and types what it can't parse: an escape code
inside a paste becomes keys, Enter among them. Terminals without the kitty protocol send Escape and then the key for Alt
with it; Textual drops the Alt of control bytes, so that Alt+Enter would send a prompt, and it waits a tenth of a second
for more, so that of two quick Alt keys the first is typed.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterable
from dataclasses import dataclass
from typing import cast

from textual import constants, events
from textual._ansi_sequences import ANSI_SEQUENCES_KEYS
from textual._time import get_time
from textual._xterm_parser import BRACKETED_PASTE_END, BRACKETED_PASTE_START, XTermParser
from textual.keys import _character_to_key
from textual.message import Message

LATE = 1.0
"""Seconds the rest of a sequence that no key begins may take on a slow line. None is typed."""

_SPLIT = 0.3
"""Seconds after two characters that are Alt with a key, but most likely begin a sequence."""

_STRINGS = r"(?:\]\d|P[01>!|]|_G)[^\x07\x1b]{0,4096}"

_TOKEN = re.compile(
    r"[^\x1b]+"
    r"|\x1b?\x1b(?:\[M[\s\S]{3}|\[\[[A-E]|\[\d+\$|\[[0-?]*[ -/]*[@-~]|O\d?[A-Za-z])"
    rf"|\x1b{_STRINGS}(?:\x07|\x1b\\)"
    r"|\x1b[^\x1b]"
    r"|\x1b"
)
"""Plain text, or one escape sequence: of a key (with another Escape in front: Alt), of the terminal, or Alt itself."""

_UNFINISHED = re.compile(rf"\x1b(?:\x1b?(?:\[M[\s\S]{{0,2}}|\[\[|\[[0-?]*[ -/]*|O\d?)?|\]|P|_|{_STRINGS}\x1b?)\Z")
"""The beginning of a sequence at the end of a read."""

_BACKGROUND = re.compile(r"\x1b\]11;rgba?:([0-9a-fA-F]{1,4})/([0-9a-fA-F]{1,4})/([0-9a-fA-F]{1,4})")


class BackgroundTold(Message):
    """The terminal said how bright its background is: `light` from 0 to 1."""

    def __init__(self, light: float) -> None:
        super().__init__()
        self.light = light


class TerminalParser(XTermParser):
    """As Textual's parser, which sees only whole sequences, and no pastes."""

    def __init__(self, debug: bool = False) -> None:
        super().__init__(debug)
        self._paste: list[str] | None = None
        self._held = ""

    @property
    def patience(self) -> float | None:
        """Seconds until `tick` is due; None when it is not."""
        return None if self._timeout_time is None else max(0.0, self._timeout_time - get_time())

    def feed(self, data: str) -> Iterable[Message]:
        """The events of one read."""
        if not data:
            yield from super().feed(data)
        if self._paste is None:
            data, self._held = self._held + data, ""
        while data:
            if self._paste is not None:
                data, pasted = self._collect(self._paste, data)
                yield from pasted
                continue
            keys, start, data = data.partition(BRACKETED_PASTE_START)
            if not start and (unfinished := _UNFINISHED.search(keys)):
                keys, self._held = keys[: unfinished.start()], unfinished[0]
            for token in _TOKEN.findall(keys):
                yield from self._token(token)
            if start:
                self._paste = []
        self._timeout_time = get_time() + _wait(self._held) if self._held else None

    def tick(self) -> Iterable[Message]:
        """What was held back and has waited long enough: Escapes and Alt keys; the rest is no key."""
        if self._timeout_time is None or get_time() < self._timeout_time:
            return
        self._timeout_time = None
        held, self._held = self._held, ""
        if not held.strip("\x1b"):
            yield from (events.Key("escape", "\x1b") for _ in held)
        elif len(held) == 2:
            yield from super().feed(held)
            yield from self._given_up()

    def _token(self, token: str) -> list[Message]:
        if background := _BACKGROUND.match(token):
            return [BackgroundTold(_luminance(background.groups()))]
        if token.startswith("\x1b\x1b"):
            found = list(self._token(token[1:]))
            for event in found:
                if isinstance(event, events.Key) and not event.key.startswith("alt+"):
                    event.key = f"alt+{event.key}"
            return found
        if len(token) > 2 and token[1] in "]P_":
            return []
        if token == "\x1b":
            return [events.Key("escape", "\x1b")]
        found = list(super().feed(token))
        # It waits for more of a sequence that it doesn't know.
        rest = self._given_up()
        return found + rest if len(token) == 2 else found

    def _given_up(self) -> list[Message]:
        """What Textual's parser makes of what it has when no more comes."""
        if self._timeout_time is None:
            return []
        self._timeout_time = 0.0
        return list(super().tick())

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


def _wait(held: str) -> float:
    """Seconds the rest of this may take."""
    if not held.strip("\x1b"):
        return constants.ESCAPE_DELAY
    return LATE if len(held) > 2 else max(_SPLIT, constants.ESCAPE_DELAY)


def _luminance(parts: Iterable[str]) -> float:
    """How bright a colour of X11's hexadecimal parts is, from 0 to 1."""
    red, green, blue = (int(part, 16) / ((1 << 4 * len(part)) - 1) for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


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
    """Teach Textual the Alt keys. To be called before an app runs; again does nothing."""
    table = cast(dict[str, tuple[TableKey, ...]], ANSI_SEQUENCES_KEYS)
    for sequence, name in alt_sequences().items():
        table.setdefault(sequence, (TableKey(name),))
