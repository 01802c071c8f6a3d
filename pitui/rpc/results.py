"""The answers to commands, as versions 0.74 to 1.6 give them. A field an agent leaves out has its default."""

from __future__ import annotations

from typing import Annotated, TypeVar

from pydantic import BeforeValidator, model_validator

from pitui.rpc.messages import MaybeModel, Message, Model
from pitui.rpc.stored import StoredEntry
from pitui.rpc.wire import (
    Flag,
    Integer,
    JsonObject,
    Lenient,
    MaybeInteger,
    MaybeNumber,
    MaybeText,
    Number,
    Text,
    Texts,
    Wire,
)


def _objects(value: object) -> object:
    """Only the members that are objects: one odd member must not cost all the others."""
    return [item for item in value if isinstance(item, (dict, Wire))] if isinstance(value, (list, tuple)) else value


T = TypeVar("T")
Items = Annotated[tuple[T, ...], BeforeValidator(_objects), Lenient(())]


class Acceptance(Wire):
    """`disposition`: `started`, `queued` or `handled`; None from agents before 0.99, which do not say."""

    disposition: MaybeText


class ClearedQueue(Wire):
    """What was queued and is not any more."""

    steering: Texts
    follow_up: Texts


class Replaced(Wire):
    """Of a command that opens another session; `cancelled` when an extension forbade it."""

    cancelled: Flag


class Forked(Wire):
    """`text` is the prompt forked from; None when cancelled."""

    text: MaybeText
    cancelled: Flag


class AgentState(Wire):
    """`session_file` is None for a session kept in memory. `model` is a placeholder when none can be used."""

    model: MaybeModel
    thinking_level: Text
    is_streaming: Flag
    is_compacting: Flag
    steering_mode: Text
    follow_up_mode: Text
    session_file: MaybeText
    session_id: Text
    session_name: MaybeText
    auto_compaction_enabled: Flag
    message_count: Integer
    pending_message_count: Integer


class Messages(Wire):
    """What the model sees; not the whole session."""

    messages: Items[Message]


class Entries(Wire):
    """Entries in file order, other branches included; the active branch is the way from `leaf_id` to its root."""

    entries: Items[StoredEntry]
    leaf_id: MaybeText


class Tree(Wire):
    """The session as nested nodes, exactly as they came: a node is `{entry, children, label?, labelTimestamp?}`.

    One level deeper for each entry, so a long session cannot be read this way; `GetEntries` is flat.
    """

    tree: Items[JsonObject]
    leaf_id: MaybeText


class ForkMessage(Wire):
    entry_id: Text
    text: Text


class ForkMessages(Wire):
    """The prompts a fork can start from."""

    messages: Items[ForkMessage]


class LastAssistantText(Wire):
    """`text` is None when there is none."""

    text: MaybeText


class Tokens(Wire):
    input: Integer
    output: Integer
    cache_read: Integer
    cache_write: Integer
    total: Integer


class ContextUsage(Wire):
    """`tokens` and `percent` are None right after a compaction, until the model has answered again."""

    tokens: MaybeInteger
    context_window: Integer
    percent: MaybeNumber


class SessionStats(Wire):
    """`cost` in dollars, of the whole session."""

    session_file: MaybeText
    session_id: Text
    user_messages: Integer
    assistant_messages: Integer
    tool_calls: Integer
    tool_results: Integer
    total_messages: Integer
    tokens: Annotated[Tokens | None, Lenient(None)]
    cost: Number
    context_usage: Annotated[ContextUsage | None, Lenient(None)]


class ExportedHtml(Wire):
    """`path` may be relative to the agent's folder."""

    path: Text


class CycledModel(Wire):
    model: MaybeModel
    thinking_level: Text
    is_scoped: Flag


class AvailableModels(Wire):
    models: Items[Model]


class CycledLevel(Wire):
    level: Text


class ThinkingLevels(Wire):
    """`("off",)` for a model that cannot reason."""

    levels: Texts


class BashResult(Wire):
    """`exit_code` is None when cancelled. `output` may be cut; `full_output_path` then names the whole."""

    output: Text
    exit_code: MaybeInteger
    cancelled: Flag
    truncated: Flag
    full_output_path: MaybeText


class CommandInfo(Wire):
    """A slash command: `source` is `extension`, `prompt` or `skill`.

    `path`, `scope` (`user`, `project`, `temporary` and the like) and `origin` say where it comes from; agents give
    them in `sourceInfo`, or as plain `path` and `location` in the form the protocol document describes.
    """

    name: Text
    description: MaybeText
    source: Text
    path: MaybeText
    scope: MaybeText
    origin: MaybeText

    @model_validator(mode="before")
    @classmethod
    def _flatten(cls, value: object) -> object:
        if not isinstance(value, dict):
            return value
        info = value.get("sourceInfo")
        known = {"scope": value.get("location"), **(info if isinstance(info, dict) else {})}
        return {**value, **{key: known[key] for key in ("path", "scope", "origin") if known.get(key) is not None}}


class Commands(Wire):
    commands: Items[CommandInfo]
