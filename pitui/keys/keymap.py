"""Keys: the agent's notation to Textual's, people's key files, and the map an app hands to `App.set_keymap`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from textual.binding import Binding
from textual.keys import _character_to_key

from pitui.keys.keytable import OLD_IDS, PI_ACTIONS, PITUI_ACTIONS, KeyAction, Place

UNBOUND = "unbound"
"""A key no terminal sends: Textual takes an empty key string for "leave the default"."""

_MODIFIERS = ("alt", "ctrl", "shift", "super")
_NAMES = {
    "esc": "escape", "return": "enter", "pageup": "pageup", "pagedown": "pagedown",
    **{name: name for name in (
        "escape", "enter", "tab", "space", "backspace", "delete", "insert", "clear", "home", "end",
        "up", "down", "left", "right", *(f"f{number}" for number in range(1, 13)),
    )},
}
_SYMBOLS = "`-=[]\\;',./!@#$%^&*()_+|~{}:<>?"

# Without the kitty protocol a terminal sends the same byte for both keys, and Textual knows it by the second name.
_SAME_BYTE = {
    "ctrl+minus": "ctrl+underscore", "ctrl+slash": "ctrl+underscore", "ctrl+space": "ctrl+@",
    "ctrl+alt+minus": "ctrl+alt+underscore",
}


class BadKey(ValueError):
    """A key that can't be read; the message says why."""


def translate(key: str) -> tuple[str, ...]:
    """Textual's names for one of the agent's keys; several where terminals differ.

    Modifiers may come in any order and case. Raises BadKey.
    """
    key = key.strip()
    parts = [*key[:-1].split("+")[:-1], "+"] if key == "+" or key.endswith("++") else key.split("+")
    *modifiers, name = parts
    modifiers = [modifier.strip().lower() for modifier in modifiers]
    if unknown := [modifier for modifier in modifiers if modifier not in _MODIFIERS]:
        raise BadKey(f"“{key}”: unknown modifier “{unknown[0]}”")
    if len(set(modifiers)) < len(modifiers):
        raise BadKey(f"“{key}”: a modifier stands twice")
    base = _base(name.strip(), key)
    full = "+".join([*sorted(modifiers), base])
    if modifiers == ["shift"] and len(base) == 1 and base.isalpha():
        return base.upper(), full
    return (full, _SAME_BYTE[full]) if full in _SAME_BYTE else (full,)


def _base(name: str, key: str) -> str:
    if name.lower() in _NAMES:
        return _NAMES[name.lower()]
    if len(name) == 1 and name.isascii() and name.isalnum():
        return name.lower()
    if len(name) == 1 and name in _SYMBOLS:
        return _character_to_key(name)
    raise BadKey(f"“{key}”: unknown key “{name}”")


def default_keys(action: KeyAction, platform: str = "") -> tuple[str, ...]:
    """The keys of `action` in the agent's notation. `platform`: `windows`, `wsl` or anything else."""
    if platform == "wsl" and action.wsl is not None:
        return action.wsl
    if platform in {"windows", "wsl"} and action.windows is not None:
        return action.windows
    return action.keys


def platform_of(system: str, environ: Mapping[str, str]) -> str:
    """`windows`, `wsl` or `""`, from `sys.platform` and the environment."""
    if system == "win32":
        return "windows"
    wsl = system == "linux" and (environ.get("WSL_DISTRO_NAME") or environ.get("WSL_INTEROP"))
    return "wsl" if wsl else ""


@dataclass(frozen=True, slots=True)
class KeyFile:
    """What a key file says: id to keys, an empty tuple unbinds. `problems`: what could not be used, in plain words."""

    keys: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    problems: tuple[str, ...] = ()


def parse_keys(text: str, name: str = "keybindings.json") -> KeyFile:
    """Read a key file: a JSON object of id to a key or a list of keys. Never raises; old ids are taken for new ones."""
    try:
        raw = json.loads(text.removeprefix("\ufeff"))
    except ValueError as error:
        return KeyFile(problems=(f"{name} is no JSON: {error}",))
    if not isinstance(raw, dict):
        return KeyFile(problems=(f"{name}: an object of ids is expected",))
    keys: dict[str, tuple[str, ...]] = {}
    problems: list[str] = []
    for id, value in raw.items():
        new = str(OLD_IDS.get(id, id))
        if id == "$schema" or (new != id and new in raw):
            continue
        read = _keys_of(value)
        if read is None:
            problems.append(f"{name}: “{id}” must be a key or a list of keys")
            continue
        good = tuple(key for key in read if not _complain(problems, name, new, key))
        if good or not read:
            keys[new] = good
    return KeyFile(keys, tuple(problems))


def _keys_of(value: object) -> list[str] | None:
    if isinstance(value, str):
        return [value]
    if isinstance(value, list) and all(isinstance(key, str) for key in value):
        return value
    return None


def _complain(problems: list[str], name: str, id: str, key: str) -> bool:
    try:
        translate(key)
    except BadKey as error:
        problems.append(f"{name}: “{id}”: {error}")
        return True
    return False


def read_keys(path: Path) -> KeyFile:
    """The key file at `path`; a missing one says nothing, an unreadable one is a problem."""
    try:
        return parse_keys(path.read_text("utf-8"), path.name)
    except FileNotFoundError:
        return KeyFile()
    except (OSError, UnicodeError) as error:
        return KeyFile(problems=(f"{path.name} can't be read: {error}",))


@dataclass(frozen=True, slots=True)
class Keymap:
    """The keys in force. `keys`: action id to keys in the agent's notation, for help and hints.

    `textual`: for `App.set_keymap`; every id of the table is in it, so no default of a binding is left standing.
    `problems`: unreadable entries, unknown ids and conflicts, in plain words.
    """

    keys: Mapping[str, tuple[str, ...]]
    textual: Mapping[str, str]
    problems: tuple[str, ...] = ()

    def hint(self, id: str) -> str:
        """The first key of `id`, or nothing."""
        return next(iter(self.keys.get(id, ())), "")


def resolve(
    files: Sequence[KeyFile] = (),
    *,
    platform: str = "",
    actions: Iterable[KeyAction] = (*PI_ACTIONS, *PITUI_ACTIONS),
) -> Keymap:
    """The defaults, replaced per id by what `files` say, a later file over an earlier one."""
    table = {action.id: action for action in actions}
    chosen: dict[str, tuple[str, ...]] = {}
    problems = [problem for file in files for problem in file.problems]
    for file in files:
        for id, wanted in file.keys.items():
            if id in table:
                chosen[id] = wanted
            else:
                problems.append(f"unknown key id “{id}”")
    keys = {id: chosen.get(id, default_keys(action, platform)) for id, action in table.items()}
    problems += _conflicts(table, keys, chosen)
    return Keymap(keys, _textual(table, keys), tuple(problems))


def _textual(table: Mapping[str, KeyAction], keys: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    """Textual asks the focused editor before the screen, while the agent gives the transcript's and the app's keys
    precedence over the editor's: those are taken from the editor here. History keys go before all of them.
    """
    names = {id: [name for key in keys[id] for name in translate(key)] for id in table}
    over = {
        name for id, action in table.items() if action.place in {Place.TRANSCRIPT, Place.APP} and id not in _SHARED
        for name in names[id]
    }
    for id, action in table.items():
        if action.place is Place.EDITOR and id not in _FIRST:
            names[id] = [name for name in names[id] if name not in over]
    return {id: ",".join(dict.fromkeys(found)) or UNBOUND for id, found in names.items()}


_FIRST = frozenset({"tui.editor.historyPrevious", "tui.editor.historyNext"})
_SHARED = frozenset({"app.clear", "app.exit"})
"""These act only when the editor has no use for the key (nothing selected, no text)."""

_MAIN = frozenset({Place.EDITOR, Place.TRANSCRIPT, Place.APP})


def _conflicts(
    table: Mapping[str, KeyAction], keys: Mapping[str, tuple[str, ...]], chosen: Mapping[str, tuple[str, ...]]
) -> list[str]:
    """Keys two actions of one place want, where a person's file has a part in it. Defaults share keys on purpose."""
    holders: dict[tuple[Place, str], list[str]] = {}
    for id, action in table.items():
        place = Place.APP if action.place in _MAIN else action.place
        for name in dict.fromkeys(name for key in keys[id] for name in translate(key)):
            holders.setdefault((place, name), []).append(id)
    return [
        f"{key} is bound to {' and '.join(ids)}"
        for (_, key), ids in holders.items()
        if len(ids) > 1 and any(id in chosen for id in ids) and not _SHARED & set(ids)
    ]


def bind(id: str, action: str = "") -> Binding:
    """A hidden Textual binding for a table row, with its default keys, to be remapped by its id."""
    row = _BY_ID[id]
    names = [name for key in row.keys for name in translate(key)]
    return Binding(",".join(names) or UNBOUND, action or row.action, row.description, show=False, id=id)


_BY_ID = {action.id: action for action in (*PI_ACTIONS, *PITUI_ACTIONS)}
