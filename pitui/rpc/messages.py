"""Messages and their content blocks, as every version of the agent from 0.74 to 1.6 writes them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator, ConfigDict, Field

from pitui.rpc.wire import (
    Flag,
    Integer,
    JsonObject,
    Lenient,
    MaybeInteger,
    MaybeNumber,
    MaybeText,
    Number,
    Object,
    Text,
    Wire,
)


class TextBlock(Wire):
    type: Literal["text"] = "text"
    text: Text


class ThinkingBlock(Wire):
    type: Literal["thinking"] = "thinking"
    thinking: Text
    redacted: Flag


class ToolCallBlock(Wire):
    """One call of a tool. `arguments_error` is set when the model's JSON was broken; `arguments` is then empty."""

    type: Literal["toolCall"] = "toolCall"
    id: Text
    name: Text
    arguments: Object
    arguments_error: MaybeText


class ImageBlock(Wire):
    type: Literal["image"] = "image"
    data: Text
    mime_type: Text


class UnknownBlock(Wire):
    """A block of a kind this version does not know; every field is kept in `model_extra`."""

    model_config = ConfigDict(extra="allow")
    type: Text


Block = Annotated[
    Annotated[TextBlock | ThinkingBlock | ToolCallBlock | ImageBlock, Field(discriminator="type")] | UnknownBlock,
    Field(union_mode="left_to_right"),
]
AnyBlock = TextBlock | ThinkingBlock | ToolCallBlock | ImageBlock | UnknownBlock


def as_blocks(value: object) -> object:
    """Content as blocks: older agents and session files write a plain string, or nothing at all."""
    if isinstance(value, str):
        return ({"type": "text", "text": value},) if value else ()
    if isinstance(value, (list, tuple)):
        return tuple(
            {"type": "text", "text": item} if isinstance(item, str) else item
            for item in value if isinstance(item, (str, dict, Wire))
        )
    return ()


def as_calls(value: object) -> object:
    """Nested calls as a list: the agent wraps it as `{calls: [...], complete}`."""
    return value.get("calls") if isinstance(value, dict) else value


Content = Annotated[tuple[Block, ...], BeforeValidator(as_blocks), Lenient(()), Field(validate_default=False)]


class Cost(Wire):
    input: Number
    output: Number
    cache_read: Number
    cache_write: Number
    total: Number


class Usage(Wire):
    """Tokens and dollars of one model call."""

    input: Integer
    output: Integer
    cache_read: Integer
    cache_write: Integer
    total_tokens: Integer
    cost: Annotated[Cost | None, Lenient(None)]


MaybeUsage = Annotated[Usage | None, Lenient(None)]


class UserMessage(Wire):
    role: Literal["user"] = "user"
    content: Content
    timestamp: MaybeNumber


class AssistantMessage(Wire):
    """`stop_reason` is one of pending, stop, length, toolUse, error, aborted, deferred, or something newer."""

    role: Literal["assistant"] = "assistant"
    content: Content
    api: Text
    provider: Text
    model: Text
    response_model: MaybeText
    usage: MaybeUsage
    stop_reason: Text
    error_message: MaybeText
    thinking_level: MaybeText
    duration_ms: MaybeNumber
    timestamp: MaybeNumber


class ToolResultMessage(Wire):
    role: Literal["toolResult"] = "toolResult"
    tool_call_id: Text
    tool_name: Text
    content: Content
    details: Annotated[object, Lenient(None)]
    is_error: Flag
    duration_ms: MaybeNumber
    nested_calls: Annotated[tuple[JsonObject, ...], BeforeValidator(as_calls), Lenient(())]
    usage: MaybeUsage
    timestamp: MaybeNumber


class SystemMessage(Wire):
    """The system prompt, or a patch of it. Never part of the conversation shown."""

    role: Literal["system"] = "system"
    content: Content
    sections: Object
    timestamp: MaybeNumber


class CustomMessage(Wire):
    """A message an extension wrote; `display` false keeps it out of the transcript."""

    role: Literal["custom"] = "custom"
    custom_type: Text
    content: Content
    display: Annotated[bool, Lenient(True)]
    details: Annotated[object, Lenient(None)]
    timestamp: MaybeNumber


class BashExecutionMessage(Wire):
    role: Literal["bashExecution"] = "bashExecution"
    command: Text
    output: Text
    exit_code: MaybeInteger
    cancelled: Flag
    truncated: Flag
    full_output_path: MaybeText
    exclude_from_context: Flag
    timestamp: MaybeNumber


class CompactionSummaryMessage(Wire):
    role: Literal["compactionSummary"] = "compactionSummary"
    summary: Text
    tokens_before: MaybeInteger
    timestamp: MaybeNumber


class BranchSummaryMessage(Wire):
    role: Literal["branchSummary"] = "branchSummary"
    summary: Text
    from_id: MaybeText
    timestamp: MaybeNumber


class UnknownMessage(Wire):
    """A message with a role this version does not know; every field is kept in `model_extra`."""

    model_config = ConfigDict(extra="allow")
    role: Text


Message = Annotated[
    Annotated[
        UserMessage | AssistantMessage | ToolResultMessage | SystemMessage | CustomMessage | BashExecutionMessage
        | CompactionSummaryMessage | BranchSummaryMessage,
        Field(discriminator="role"),
    ]
    | UnknownMessage,
    Field(union_mode="left_to_right"),
]
AnyMessage = (
    UserMessage | AssistantMessage | ToolResultMessage | SystemMessage | CustomMessage | BashExecutionMessage
    | CompactionSummaryMessage | BranchSummaryMessage | UnknownMessage
)


class ModelCost(Wire):
    """Dollars for a million tokens."""

    input: Number
    output: Number
    cache_read: Number
    cache_write: Number


class Model(Wire):
    """A model the agent can use. With none configured, provider and id are both `unknown` and the window is 0."""

    id: Text
    name: Text
    api: Text
    provider: Text
    base_url: Text
    reasoning: Flag
    input: Annotated[tuple[str, ...], Lenient(())]
    cost: Annotated[ModelCost | None, Lenient(None)]
    context_window: Integer
    max_tokens: Integer

    @property
    def is_placeholder(self) -> bool:
        return self.provider == "unknown" and self.id == "unknown"


MaybeModel = Annotated[Model | None, Lenient(None)]
