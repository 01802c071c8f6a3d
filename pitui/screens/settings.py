"""Settings, one row each: pitui's own, and those of the agent's that can be changed while it runs."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Literal, get_args, get_origin

from pydantic.fields import FieldInfo

from pitui.render.bars import one_line
from pitui.render.lines import Palette
from pitui.screens.picker import PickerScreen
from pitui.store.settings import Settings

AGENTS = (
    ("toggle_auto_compaction", "pi: compact by itself"),
    ("toggle_auto_retry", "pi: retry by itself"),
    ("steering_mode", "pi: steering messages"),
    ("follow_up_mode", "pi: follow-ups"),
)
"""Commands of the table that change the agent's own settings (it writes them to its settings.json)."""


def values_of(name: str, field: FieldInfo, themes: Sequence[str]) -> tuple[object, ...]:
    """What a setting can be, for those that are chosen from a few values; none for free text and numbers."""
    if name == "theme":
        return ("auto", *themes)
    annotation = field.annotation
    if annotation is bool:
        return (False, True)
    if get_origin(annotation) is Literal:
        return get_args(annotation)
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return tuple(annotation)
    return ()


def rows(settings: Settings) -> list[str]:
    """A row a setting: what it is, and its value."""
    shown = [
        f"{field.description}: {one_line(word(getattr(settings, name)))}"
        for name, field in Settings.model_fields.items()
    ]
    return [*shown, *(title for _, title in AGENTS)]


def word(value: object) -> str:
    """A value as a person says it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value.value if isinstance(value, Enum) else value)


class SettingsScreen(PickerScreen):
    """Dismisses with the row to change; `fields` and `AGENTS`, in this order, are the rows."""

    def __init__(self, settings: Settings, palette: Palette, current: int = 0) -> None:
        super().__init__("Settings", rows(settings), palette, current)


def next_value(settings: Settings, name: str, themes: Sequence[str]) -> object | None:
    """The value after the present one, going round; None for a setting that is written by hand."""
    choices = values_of(name, Settings.model_fields[name], themes)
    if not choices:
        return None
    value = choices[(choices.index(getattr(settings, name)) + 1) % len(choices)]
    return value.value if isinstance(value, Enum) else value


