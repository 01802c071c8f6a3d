"""Everything the agent says unasked: session events and extension-UI requests. Class names are pi's wire names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from pitui.rpc.messages import Content, MaybeUsage, Message, ToolCallBlock, Usage
from pitui.rpc.stored import SessionHeader, StoredEntry
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
    Texts,
    Wire,
)


class AgentStart(Wire):
    type: Literal["agent_start"] = "agent_start"


class AgentEnd(Wire):
    """One low-level run is over; more may follow until `AgentSettled`. `messages` is not kept: it was streamed."""

    type: Literal["agent_end"] = "agent_end"
    will_retry: Flag


class AgentSettled(Wire):
    type: Literal["agent_settled"] = "agent_settled"
    aborted: Flag


class TurnStart(Wire):
    type: Literal["turn_start"] = "turn_start"


class TurnEnd(Wire):
    """`message` and `toolResults` repeat what was streamed and are not kept."""

    type: Literal["turn_end"] = "turn_end"


class MessageStart(Wire):
    type: Literal["message_start"] = "message_start"
    message: Message


class MessageEnd(Wire):
    """The authoritative message."""

    type: Literal["message_end"] = "message_end"
    message: Message


class StreamStart(Wire):
    type: Literal["start"] = "start"


class TextStart(Wire):
    type: Literal["text_start"] = "text_start"
    content_index: Integer


class TextDelta(Wire):
    type: Literal["text_delta"] = "text_delta"
    content_index: Integer
    delta: Text


class TextEnd(Wire):
    type: Literal["text_end"] = "text_end"
    content_index: Integer
    content: MaybeText


class ThinkingStart(Wire):
    type: Literal["thinking_start"] = "thinking_start"
    content_index: Integer


class ThinkingDelta(Wire):
    type: Literal["thinking_delta"] = "thinking_delta"
    content_index: Integer
    delta: Text


class ThinkingEnd(Wire):
    type: Literal["thinking_end"] = "thinking_end"
    content_index: Integer
    content: MaybeText


class ToolcallStart(Wire):
    """`id` and `tool_name` are there from 0.84.3 on; `partial` (up to 0.83) is read for them alone."""

    type: Literal["toolcall_start"] = "toolcall_start"
    content_index: Integer
    id: MaybeText
    tool_name: MaybeText
    partial: Annotated[JsonObject | None, Lenient(None)]


class ToolcallDelta(Wire):
    type: Literal["toolcall_delta"] = "toolcall_delta"
    content_index: Integer
    delta: Text


class ToolcallEnd(Wire):
    type: Literal["toolcall_end"] = "toolcall_end"
    content_index: Integer
    tool_call: Annotated[ToolCallBlock | None, Lenient(None)]


class StreamDone(Wire):
    type: Literal["done"] = "done"
    reason: Text


class StreamError(Wire):
    type: Literal["error"] = "error"
    reason: Text


class UnknownDelta(Wire):
    """A streaming step of a kind this version does not know: ignored, since `message_end` is authoritative."""

    type: Text


Delta = Annotated[
    Annotated[
        StreamStart | TextStart | TextDelta | TextEnd | ThinkingStart | ThinkingDelta | ThinkingEnd
        | ToolcallStart | ToolcallDelta | ToolcallEnd | StreamDone | StreamError,
        Field(discriminator="type"),
    ]
    | UnknownDelta,
    Field(union_mode="left_to_right"),
]


class MessageUpdate(Wire):
    """One streaming step. The cumulative `message` of agents up to 0.83 is ignored: it runs ahead of the deltas."""

    type: Literal["message_update"] = "message_update"
    assistant_message_event: Delta
    usage: Annotated[Usage | None, Lenient(None)]


class ToolResult(Wire):
    """What a tool gave, whole or so far."""

    content: Content
    details: Annotated[object, Lenient(None)]
    is_error: Flag


MaybeResult = Annotated[ToolResult | None, Lenient(None)]


class ToolExecutionStart(Wire):
    type: Literal["tool_execution_start"] = "tool_execution_start"
    tool_call_id: Text
    tool_name: Text
    args: Object
    parent_tool_call_id: MaybeText


class ToolExecutionUpdate(Wire):
    """`partial_result` replaces the last one."""

    type: Literal["tool_execution_update"] = "tool_execution_update"
    tool_call_id: Text
    tool_name: Text
    args: Object
    partial_result: MaybeResult
    parent_tool_call_id: MaybeText


class ToolExecutionEnd(Wire):
    type: Literal["tool_execution_end"] = "tool_execution_end"
    tool_call_id: Text
    tool_name: Text
    result: MaybeResult
    is_error: Flag
    duration_ms: MaybeNumber
    parent_tool_call_id: MaybeText


class QueueUpdate(Wire):
    """The whole queue, as texts."""

    type: Literal["queue_update"] = "queue_update"
    steering: Texts
    follow_up: Texts


class CompactionResult(Wire):
    summary: Text
    first_kept_entry_id: MaybeText
    tokens_before: MaybeInteger
    estimated_tokens_after: MaybeInteger
    usage: MaybeUsage


class CompactionStart(Wire):
    type: Literal["compaction_start", "auto_compaction_start"] = "compaction_start"
    reason: Text


class CompactionEnd(Wire):
    type: Literal["compaction_end", "auto_compaction_end"] = "compaction_end"
    reason: Text
    result: Annotated[CompactionResult | None, Lenient(None)]
    aborted: Flag
    will_retry: Flag
    error_message: MaybeText


class AutoRetryStart(Wire):
    """The next attempt starts `delay_ms` milliseconds after this event."""

    type: Literal["auto_retry_start"] = "auto_retry_start"
    attempt: Integer
    max_attempts: Integer
    delay_ms: Number
    error_message: Text


class AutoRetryEnd(Wire):
    type: Literal["auto_retry_end"] = "auto_retry_end"
    success: Flag
    attempt: Integer
    final_error: MaybeText


class SummarizationRetryScheduled(Wire):
    type: Literal["summarization_retry_scheduled"] = "summarization_retry_scheduled"
    attempt: Integer
    max_attempts: Integer
    delay_ms: Number
    error_message: Text


class SummarizationRetryAttemptStart(Wire):
    type: Literal["summarization_retry_attempt_start"] = "summarization_retry_attempt_start"
    source: Text
    reason: MaybeText


class SummarizationRetryFinished(Wire):
    type: Literal["summarization_retry_finished"] = "summarization_retry_finished"


class BashExecutionUpdate(Wire):
    """A further piece of a direct `bash` command's output; `id` is the command's."""

    type: Literal["bash_execution_update"] = "bash_execution_update"
    id: Annotated[str | int | None, Lenient(None)]
    delta: Text


class ThinkingLevelChanged(Wire):
    type: Literal["thinking_level_changed"] = "thinking_level_changed"
    level: Text


class SessionInfoChanged(Wire):
    type: Literal["session_info_changed"] = "session_info_changed"
    name: MaybeText


class EntryAppended(Wire):
    type: Literal["entry_appended"] = "entry_appended"
    entry: StoredEntry


class ExtensionError(Wire):
    type: Literal["extension_error"] = "extension_error"
    extension_path: Text
    event: Text
    error: Text


class UiSelect(Wire):
    """`timeout` in milliseconds, counted by the client: the agent says nothing when it gives up."""

    method: Literal["select"] = "select"
    id: str
    title: Text
    options: Texts
    timeout: MaybeNumber


class UiConfirm(Wire):
    method: Literal["confirm"] = "confirm"
    id: str
    title: Text
    message: Text
    timeout: MaybeNumber


class UiInput(Wire):
    method: Literal["input"] = "input"
    id: str
    title: Text
    placeholder: Text
    timeout: MaybeNumber


class UiEditor(Wire):
    method: Literal["editor"] = "editor"
    id: str
    title: Text
    prefill: Text
    timeout: MaybeNumber


class UiNotify(Wire):
    method: Literal["notify"] = "notify"
    message: Text
    notify_type: MaybeText


class UiSetStatus(Wire):
    """An absent `status_text` clears the key."""

    method: Literal["setStatus"] = "setStatus"
    status_key: Text
    status_text: MaybeText


class UiSetWidget(Wire):
    """Absent `widget_lines` clears the key. Placement is `aboveEditor` or `belowEditor`."""

    method: Literal["setWidget"] = "setWidget"
    widget_key: Text
    widget_lines: Annotated[tuple[str, ...] | None, Lenient(None)]
    widget_placement: MaybeText


class UiSetTitle(Wire):
    method: Literal["setTitle"] = "setTitle"
    title: Text


class UiSetEditorText(Wire):
    method: Literal["set_editor_text"] = "set_editor_text"
    text: Text


class UiUnknown(Wire):
    """A UI method this version does not know. With an id it may be a dialog, so it is answered as cancelled."""

    method: Text
    id: MaybeText
    title: MaybeText
    options: Annotated[object, Lenient(None)]


DialogRequest = UiSelect | UiConfirm | UiInput | UiEditor
UiRequest = Annotated[
    Annotated[
        UiSelect | UiConfirm | UiInput | UiEditor | UiNotify | UiSetStatus | UiSetWidget | UiSetTitle | UiSetEditorText,
        Field(discriminator="method"),
    ]
    | UiUnknown,
    Field(union_mode="left_to_right"),
]
AnyUiRequest = (
    UiSelect | UiConfirm | UiInput | UiEditor | UiNotify | UiSetStatus | UiSetWidget | UiSetTitle | UiSetEditorText
    | UiUnknown
)


class Response(Wire):
    """An answer to a command. `id` is what the command carried, if anything; `error` is set when `success` is not."""

    type: Literal["response"] = "response"
    id: Annotated[str | int | float | None, Lenient(None)]
    command: MaybeText
    success: Flag
    data: Annotated[object, Lenient(None)]
    error: MaybeText


AgentEvent = Annotated[
    AgentStart | AgentEnd | AgentSettled | TurnStart | TurnEnd | MessageStart | MessageUpdate | MessageEnd
    | ToolExecutionStart | ToolExecutionUpdate | ToolExecutionEnd | QueueUpdate | CompactionStart | CompactionEnd
    | AutoRetryStart | AutoRetryEnd | SummarizationRetryScheduled | SummarizationRetryAttemptStart
    | SummarizationRetryFinished | BashExecutionUpdate | ThinkingLevelChanged | SessionInfoChanged | EntryAppended
    | ExtensionError | Response | SessionHeader,
    Field(discriminator="type"),
]


@dataclass(frozen=True, slots=True)
class Unknown:
    """A record that could not be used, with the reason in plain words. `record` is what was there, cut to 2,000 bytes.

    `kind` is the record's own `type` when it had one; such a record is merely new, not broken.
    """

    record: bytes
    reason: str
    kind: str | None = None


@dataclass(frozen=True, slots=True)
class LateResponse:
    """A response that nobody waits for any more, or that had no id to go by."""

    response: Response


@dataclass(frozen=True, slots=True)
class CommandSent:
    """A command, or an answer to a dialog, that the client of a recording sent. Only a replay yields it."""

    record: JsonObject


Event = (
    AgentStart | AgentEnd | AgentSettled | TurnStart | TurnEnd | MessageStart | MessageUpdate | MessageEnd
    | ToolExecutionStart | ToolExecutionUpdate | ToolExecutionEnd | QueueUpdate | CompactionStart | CompactionEnd
    | AutoRetryStart | AutoRetryEnd | SummarizationRetryScheduled | SummarizationRetryAttemptStart
    | SummarizationRetryFinished | BashExecutionUpdate | ThinkingLevelChanged | SessionInfoChanged | EntryAppended
    | ExtensionError | SessionHeader | AnyUiRequest | LateResponse | CommandSent | Unknown
)
"""What `PiClient.events()` yields."""

