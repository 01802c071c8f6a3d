"""Keys that terminals without the kitty protocol send and Textual 8.2.8 takes for others.

Such terminals send Escape and then the key for Alt with it. Textual drops the Alt of control bytes, so that Alt+Enter
would send a prompt; and it waits a tenth of a second for more, so that of two quick Alt keys the first is typed.
"""

from __future__ import annotations

import string
from dataclasses import dataclass
from typing import cast

from textual._ansi_sequences import ANSI_SEQUENCES_KEYS
from textual.keys import _character_to_key


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


def learn_keys() -> None:
    """Add the sequences to Textual's table where it has none; again does nothing."""
    table = cast(dict[str, tuple[TableKey, ...]], ANSI_SEQUENCES_KEYS)
    for sequence, name in alt_sequences().items():
        table.setdefault(sequence, (TableKey(name),))
