"""Entries of the session tree, as `get_entries` gives them and session files hold them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from pitui.rpc.messages import Content, MaybeUsage, Message
from pitui.rpc.wire import Flag, Lenient, MaybeInteger, MaybeText, Text, Wire


class Stored(Wire):
    """What every entry has. `parent_id` is None at a root; `timestamp` is ISO 8601."""

    id: Text
    parent_id: MaybeText
    timestamp: Text


class StoredMessage(Stored):
    type: Literal["message"] = "message"
    message: Message


class StoredModelChange(Stored):
    type: Literal["model_change"] = "model_change"
    provider: Text
    model_id: Text


class StoredThinkingLevel(Stored):
    type: Literal["thinking_level_change"] = "thinking_level_change"
    thinking_level: Text


class StoredSessionInfo(Stored):
    type: Literal["session_info"] = "session_info"
    name: MaybeText


class StoredCompaction(Stored):
    """`first_kept_entry_id`: the oldest entry the model still sees. Version 1 files say `first_kept_entry_index`."""

    type: Literal["compaction"] = "compaction"
    summary: Text
    first_kept_entry_id: MaybeText
    first_kept_entry_index: MaybeInteger
    tokens_before: MaybeInteger
    estimated_tokens_after: MaybeInteger
    usage: MaybeUsage


class StoredBranchSummary(Stored):
    type: Literal["branch_summary"] = "branch_summary"
    from_id: MaybeText
    summary: Text
    usage: MaybeUsage


class StoredCustom(Stored):
    type: Literal["custom"] = "custom"
    custom_type: Text
    data: Annotated[object, Lenient(None)]


class StoredCustomMessage(Stored):
    type: Literal["custom_message"] = "custom_message"
    custom_type: Text
    content: Content
    display: Annotated[bool, Lenient(True)]
    details: Annotated[object, Lenient(None)]


class StoredLabel(Stored):
    """A bookmark on `target_id`; an absent `label` removes it."""

    type: Literal["label"] = "label"
    target_id: Text
    label: MaybeText


class StoredContextEdit(Stored):
    """What the model sees instead of `target_id`; null drops it (a failed attempt that was retried, say)."""

    type: Literal["context_edit"] = "context_edit"
    target_id: Text
    replacement: Annotated[object, Lenient(None)]


class StoredUsage(Stored):
    """Spend outside the conversation, such as cache warming."""

    type: Literal["usage"] = "usage"
    kind: Text
    provider: Text
    model: Text
    usage: MaybeUsage


class StoredUnknown(Stored):
    """An entry of a type this version does not know; every field is kept in `model_extra`."""

    model_config = ConfigDict(extra="allow")
    type: Text


StoredEntry = Annotated[
    Annotated[
        StoredMessage | StoredModelChange | StoredThinkingLevel | StoredSessionInfo | StoredCompaction
        | StoredBranchSummary | StoredCustom | StoredCustomMessage | StoredLabel | StoredContextEdit | StoredUsage,
        Field(discriminator="type"),
    ]
    | StoredUnknown,
    Field(union_mode="left_to_right"),
]
AnyStored = (
    StoredMessage | StoredModelChange | StoredThinkingLevel | StoredSessionInfo | StoredCompaction
    | StoredBranchSummary | StoredCustom | StoredCustomMessage | StoredLabel | StoredContextEdit | StoredUsage
    | StoredUnknown
)


class SessionHeader(Wire):
    """The first line of a session file and of a `--mode json` stream. `version` may be a string in old files."""

    type: Literal["session"] = "session"
    version: Annotated[int, Lenient(1)]
    id: Text
    timestamp: Text
    cwd: Text
    parent_session: MaybeText
    branched_from: MaybeText
    provider: MaybeText
    model_id: MaybeText
    thinking_level: MaybeText
    is_fork: Flag
