"""The keys and commands as they are in force, as markdown: for the help screen and the README."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pitui.commands import COMMANDS, Group
from pitui.keys.keytable import PI_ACTIONS, PITUI_ACTIONS, Place
from pitui.session.state import SlashCommand

_PLACES = {
    Place.EDITOR: "Writing",
    Place.LIST: "Lists",
    Place.SEARCH: "Searching",
    Place.RESUME: "The list of sessions",
    Place.TREE: "The tree",
}
IN_DIALOGS = "Questions of extensions: ↑↓ and enter choose, letters filter, digits pick, y and n answer, esc cancels."


def help_text(keys: Mapping[str, tuple[str, ...]], agents: Iterable[SlashCommand] = ()) -> str:
    """Everything there is to press or type; `keys` maps key ids to keys as people write them."""
    parts = [_commands(group, keys) for group in Group]
    parts += [_keys(place, title, keys) for place, title in _PLACES.items()]
    if known := list(agents):
        rows = [f"| `/{item.name}` | {item.description} | {item.source} |" for item in known]
        parts.append("## Of the agent\n\n| Command | What it does | From |\n| --- | --- | --- |\n" + "\n".join(rows))
    return "\n\n".join([*parts, IN_DIALOGS])


def _commands(group: Group, keys: Mapping[str, tuple[str, ...]]) -> str:
    rows = [
        f"| {_code(keys.get(command.key_id) or _split(command.keys))} | "
        f"{_code((f'/{command.slash} {command.argument}'.strip(),) if command.slash else ())} | {command.title} |"
        for command in COMMANDS
        if command.group is group
    ]
    return f"## {group.value}\n\n| Keys | Command | What it does |\n| --- | --- | --- |\n" + "\n".join(rows)


def _keys(place: Place, title: str, keys: Mapping[str, tuple[str, ...]]) -> str:
    rows = [
        f"| {_code(keys.get(action.id, action.keys))} | {action.description} |"
        for action in (*PI_ACTIONS, *PITUI_ACTIONS)
        if action.place is place
    ]
    return f"## {title}\n\n| Keys | What it does |\n| --- | --- |\n" + "\n".join(rows)


def _split(keys: str) -> tuple[str, ...]:
    return tuple(key for key in keys.split(",") if key)


def _code(words: Iterable[str]) -> str:
    return " ".join(f"`{word}`" for word in words)
