"""Settings: pitui's own, and those of the agent's that concern a front-end. Both are plain JSON files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal

import platformdirs
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails

from pitui.render.lines import ThinkingView
from pitui.rpc.wire import Flag, JsonObject, Lenient, MaybeText, Object, Texts, Wire
from pitui.store.jsonfile import FileTrouble, read_object, update_object

When = Literal["never", "unfocused", "always"]
KeyPath = tuple[str, ...]
"""Where a setting is: a key, or the keys of nested objects. Keys may hold dots (`gpt-4.1`), so they are apart."""


def _as_it_was(value: object) -> object:
    """Whether pictures are drawn was yes or no once."""
    return {False: "off", True: "auto"}[value] if isinstance(value, bool) else value


class Settings(BaseModel):
    """pitui's own settings. Every field has a default; the file holds only what somebody changed."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    agent: str = Field("pi", description="The command that starts the agent; `--mode rpc` is added")
    theme: str = Field("auto", description="A theme's name, or auto: by the terminal's background")
    thinking: ThinkingView = Field(ThinkingView.FIRST_LINE, description="How much of the model's thinking is shown")
    tools_open: bool = Field(False, description="Show tool output unfolded")
    show_meta: bool = Field(False, description="Model, tokens, cost and time under each answer")
    side_by_side: bool = Field(True, description="Old and new next to each other in diffs, where the width allows")
    prose_width: int = Field(100, ge=40, le=400, description="Widest column of prose, in cells")
    copy_on_select: bool = Field(True, description="Copy what the mouse selects")
    show_images: Annotated[Literal["off", "auto", "blocks"], BeforeValidator(_as_it_was)] = Field(
        "off", description="Draw pictures among the messages (blocks: in half blocks only)"
    )
    bell: When = Field("never", description="Ring when the agent is done or asks")
    notify: When = Field("unfocused", description="Desktop notification when the agent is done or asks")
    ascii_only: bool = Field(False, description="No glyphs outside ASCII")
    reduced_motion: bool = Field(False, description="Nothing moves, not even the spinner")
    row_compare: bool = Field(True, description="Send the terminal only rows that changed")
    mouse: bool = Field(True, description="Let pitui have the mouse; off leaves it to the terminal")


def settings_path() -> Path:
    """Where pitui's own settings are kept."""
    return platformdirs.user_config_path("pitui") / "settings.json"


def load_settings(path: Path | None = None) -> tuple[Settings, tuple[str, ...]]:
    """pitui's settings, and what is wrong with the file in words. A bad value costs only itself. Never raises."""
    path = path or settings_path()
    try:
        data = read_object(path)
    except FileTrouble as error:
        return Settings(), (str(error),)
    try:
        return Settings.model_validate(data), ()
    except ValidationError as error:
        wrong = error.errors()
    bad = {str(detail["loc"][0]) for detail in wrong}
    good = {key: value for key, value in data.items() if key not in bad}
    return Settings.model_validate(good), tuple(_in_words(detail, path) for detail in wrong)


def _in_words(detail: ErrorDetails, path: Path) -> str:
    return f"{path.name}: {'.'.join(map(str, detail['loc']))}: {detail['msg']}; the default is used"


def save_settings(changes: Mapping[str, object], path: Path | None = None) -> Settings:
    """Write `changes` (field to JSON value) into pitui's settings and give the result; all else in the file stays.

    Raises ValueError for a field or value there is none of, FileTrouble when the file cannot be changed.
    """
    path = path or settings_path()
    if strange := changes.keys() - Settings.model_fields.keys():
        raise ValueError(f"no such setting: {', '.join(sorted(strange))}")
    checked = Settings.model_validate(dict(changes)).model_dump(mode="json", include=set(changes))
    update_object(path, lambda data: data | checked)
    return load_settings(path)[0]


def _known(*values: str) -> Lenient:
    """Any other value is the first."""
    return Lenient(values[0])


class CompactionSettings(Wire):
    enabled: Annotated[bool, Lenient(True)]
    reserve_tokens: Annotated[int, Lenient(16_384)]


class RetrySettings(Wire):
    enabled: Annotated[bool, Lenient(True)]
    max_retries: Annotated[int, Lenient(3)]


class ImageSettings(Wire):
    auto_resize: Annotated[bool, Lenient(True)]
    block_images: Flag


class TerminalSettings(Wire):
    show_images: Annotated[bool, Lenient(True)]


class PiSettings(Wire):
    """What a front-end reads of the agent's `settings.json`, with the agent's own defaults (docs/settings.md, 1.6.0).

    `session_dir` counts even from a project nobody trusts: the agent looks for sessions before it asks.
    `default_project_trust` is never the project's.
    """

    default_provider: MaybeText
    default_model: MaybeText
    default_thinking_level: MaybeText
    model_thinking_levels: Object
    enabled_models: Texts
    session_dir: MaybeText
    default_project_trust: Annotated[Literal["ask", "always", "never"], _known("ask")]
    steering_mode: Annotated[Literal["one-at-a-time", "all"], _known("one-at-a-time")]
    follow_up_mode: Annotated[Literal["one-at-a-time", "all"], _known("one-at-a-time")]
    external_editor: MaybeText
    double_escape_action: Annotated[Literal["tree", "fork", "none"], _known("tree")]
    tree_filter_mode: Annotated[
        Literal["default", "no-tools", "user-only", "labeled-only", "all"], _known("default")
    ]
    hide_thinking_block: Flag
    theme: MaybeText
    quiet_startup: Annotated[bool | Literal["header"], Lenient(False)]
    fullscreen_copy_on_select: Annotated[bool, Lenient(True)]
    autocomplete_max_visible: Annotated[int, Lenient(5)]
    enable_skill_commands: Annotated[bool, Lenient(True)]
    session_share_destination: Annotated[Literal["auto", "gist", "radius"], _known("auto")]
    compaction: Annotated[CompactionSettings, Lenient(CompactionSettings())]
    retry: Annotated[RetrySettings, Lenient(RetrySettings())]
    images: Annotated[ImageSettings, Lenient(ImageSettings())]
    terminal: Annotated[TerminalSettings, Lenient(TerminalSettings())]


def load_pi_settings(agent_dir: Path, cwd: Path, *, trusted: bool) -> tuple[PiSettings, tuple[str, ...]]:
    """The agent's settings as it sees them in `cwd`, and what is wrong with the files. Never raises."""
    problems: list[str] = []
    own = _read(agent_dir / "settings.json", problems)
    project = _read(cwd / ".pi" / "settings.json", problems)
    if not trusted:
        project = {key: value for key, value in project.items() if key == "sessionDir"}
    project.pop("defaultProjectTrust", None)
    return PiSettings.model_validate(_merged(own, project)), tuple(problems)


def _read(path: Path, problems: list[str]) -> JsonObject:
    try:
        return read_object(path)
    except FileTrouble as error:
        problems.append(str(error))
        return {}


def _merged(base: JsonObject, over: JsonObject) -> JsonObject:
    """`over` on top of `base`, objects inside merged too."""
    merged = dict(base)
    for key, value in over.items():
        below = merged.get(key)
        merged[key] = _merged(below, value) if isinstance(below, dict) and isinstance(value, dict) else value
    return merged


def save_pi_settings(agent_dir: Path, changes: Mapping[KeyPath, object]) -> None:
    """Write `changes` into the agent's global settings under its own lock; a value of None removes the key.

    All else in the file stays. Raises FileTrouble when the file cannot be understood, is held, or cannot be written.
    """
    update_object(agent_dir / "settings.json", lambda data: _changed(data, changes))


def _changed(data: JsonObject, changes: Mapping[KeyPath, object]) -> JsonObject:
    for (*above, key), value in changes.items():
        place = data
        for step in above:
            inner = place.get(step)
            place[step] = place = inner if isinstance(inner, dict) else {}
        if value is None:
            place.pop(key, None)
        else:
            place[key] = value
    return data
