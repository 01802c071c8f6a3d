"""Everything that can be asked of the agent, each command with the type of its answer.

    state = await client.request(GetState())      # an AgentState

A command is a frozen value; fields that are None stay out of its record. The answers to dialogs are here, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from functools import cache
from types import NoneType
from typing import Any, ClassVar, Generic, Literal, TypeVar, get_args

from pydantic import TypeAdapter
from pydantic.alias_generators import to_camel

from pitui.rpc.events import CompactionResult
from pitui.rpc.messages import ImageBlock, Model
from pitui.rpc.results import (
    Acceptance,
    AgentState,
    AvailableModels,
    BashResult,
    ClearedQueue,
    Commands,
    CycledLevel,
    CycledModel,
    Entries,
    ExportedHtml,
    Forked,
    ForkMessages,
    LastAssistantText,
    Messages,
    Replaced,
    SessionStats,
    ThinkingLevels,
    Tree,
)
from pitui.rpc.wire import JsonObject, Wire

R_co = TypeVar("R_co", covariant=True)
StreamingBehavior = Literal["steer", "followUp"]
QueueMode = Literal["all", "one-at-a-time"]

STEP = 200
"""Members of a long list that are made values at a time: about 8 ms."""


@dataclass(frozen=True, slots=True)
class PiCommand(Generic[R_co]):
    """A command whose answer is an `R_co`. `type` is its name on the wire.

    `long_list`: the member of the answer that may have thousands of members itself.
    """

    type: ClassVar[str]
    long_list: ClassVar[str] = ""

    def record(self, request_id: str) -> JsonObject:
        """The record that asks for it."""
        return {"type": self.type, "id": request_id, **_members(self)}

    def in_steps(self, data: object) -> Iterator[object]:
        """`data` again and again, each time with more of its `long_list` made values; `read` does the rest."""
        items = data.get(self.long_list) if isinstance(data, dict) else None
        if not isinstance(data, dict) or not isinstance(items, list):
            return
        done: list[object] = []
        for start in range(0, len(items), STEP):
            done += getattr(self.read({self.long_list: items[start : start + STEP]}), self.long_list)
            yield {**data, self.long_list: done}

    def read(self, data: object) -> R_co:
        """The answer's `data` as a value. Raises pydantic's ValidationError when it is nothing of the kind."""
        (base,) = type(self).__orig_bases__  # type: ignore[attr-defined]  # set on classes with a generic base
        (expected,) = get_args(base)
        if expected is NoneType:
            data = None
        elif data is None and isinstance(expected, type):
            data = {}  # Older agents answer a prompt without any data.
        result: R_co = _adapter(expected).validate_python(data)
        return result


_adapter = cache(TypeAdapter[Any])


def _members(value: object) -> JsonObject:
    """The fields of a command or an answer by their names on the wire."""
    members: JsonObject = {}
    for item in fields(value):  # type: ignore[arg-type]  # only dataclasses are given
        member = getattr(value, item.name)
        if isinstance(member, tuple):
            member = [part.model_dump(by_alias=True) if isinstance(part, Wire) else part for part in member] or None
        if member is not None:
            members[to_camel(item.name)] = member
    return members


@dataclass(frozen=True, slots=True)
class Prompt(PiCommand[Acceptance]):
    """Send a message. While a run is open it needs a `streaming_behavior`. Answered only once it is accepted, which may
    take long: an extension's command answers when it has done its work, dialogs included."""

    type: ClassVar[str] = "prompt"
    message: str
    images: tuple[ImageBlock, ...] = ()
    streaming_behavior: StreamingBehavior | None = None


@dataclass(frozen=True, slots=True)
class Steer(PiCommand[Acceptance]):
    """Deliver a message after the present turn's tools. While idle it is only queued."""

    type: ClassVar[str] = "steer"
    message: str
    images: tuple[ImageBlock, ...] = ()


@dataclass(frozen=True, slots=True)
class FollowUp(PiCommand[Acceptance]):
    """Deliver a message when the run would end. While idle it is only queued."""

    type: ClassVar[str] = "follow_up"
    message: str
    images: tuple[ImageBlock, ...] = ()


@dataclass(frozen=True, slots=True)
class Abort(PiCommand[None]):
    """Stop the run. Answered when the session is idle, and not while a dialog is open: cancel dialogs first."""

    type: ClassVar[str] = "abort"


@dataclass(frozen=True, slots=True)
class ClearQueue(PiCommand[ClearedQueue]):
    """Take back what is queued (since 0.84.4)."""

    type: ClassVar[str] = "clear_queue"


@dataclass(frozen=True, slots=True)
class NewSession(PiCommand[Replaced]):
    type: ClassVar[str] = "new_session"
    parent_session: str | None = None


@dataclass(frozen=True, slots=True)
class SwitchSession(PiCommand[Replaced]):
    """A path that does not exist becomes an empty session there."""

    type: ClassVar[str] = "switch_session"
    session_path: str


@dataclass(frozen=True, slots=True)
class Fork(PiCommand[Forked]):
    """A new session that ends before the prompt `entry_id`."""

    type: ClassVar[str] = "fork"
    entry_id: str


@dataclass(frozen=True, slots=True)
class Clone(PiCommand[Replaced]):
    type: ClassVar[str] = "clone"


@dataclass(frozen=True, slots=True)
class GetState(PiCommand[AgentState]):
    type: ClassVar[str] = "get_state"


@dataclass(frozen=True, slots=True)
class GetMessages(PiCommand[Messages]):
    type: ClassVar[str] = "get_messages"
    long_list: ClassVar[str] = "messages"


@dataclass(frozen=True, slots=True)
class GetEntries(PiCommand[Entries]):
    """All entries, or those after the entry `since` (since 0.80.3); refused when there is no such entry."""

    type: ClassVar[str] = "get_entries"
    long_list: ClassVar[str] = "entries"
    since: str | None = None


@dataclass(frozen=True, slots=True)
class GetTree(PiCommand[Tree]):
    """Unreadable for long sessions: prefer `GetEntries`."""

    type: ClassVar[str] = "get_tree"


@dataclass(frozen=True, slots=True)
class GetForkMessages(PiCommand[ForkMessages]):
    type: ClassVar[str] = "get_fork_messages"


@dataclass(frozen=True, slots=True)
class GetLastAssistantText(PiCommand[LastAssistantText]):
    type: ClassVar[str] = "get_last_assistant_text"


@dataclass(frozen=True, slots=True)
class GetSessionStats(PiCommand[SessionStats]):
    type: ClassVar[str] = "get_session_stats"


@dataclass(frozen=True, slots=True)
class SetSessionName(PiCommand[None]):
    """Refused when empty."""

    type: ClassVar[str] = "set_session_name"
    name: str


@dataclass(frozen=True, slots=True)
class ExportHtml(PiCommand[ExportedHtml]):
    type: ClassVar[str] = "export_html"
    output_path: str | None = None


@dataclass(frozen=True, slots=True)
class SetModel(PiCommand[Model]):
    """Up to 0.84 this changes the user's settings, too."""

    type: ClassVar[str] = "set_model"
    provider: str
    model_id: str


@dataclass(frozen=True, slots=True)
class CycleModel(PiCommand[CycledModel | None]):
    """None: there is no other model."""

    type: ClassVar[str] = "cycle_model"


@dataclass(frozen=True, slots=True)
class GetAvailableModels(PiCommand[AvailableModels]):
    type: ClassVar[str] = "get_available_models"


@dataclass(frozen=True, slots=True)
class SetThinkingLevel(PiCommand[None]):
    """A level the model does not have is replaced by one it has."""

    type: ClassVar[str] = "set_thinking_level"
    level: str


@dataclass(frozen=True, slots=True)
class CycleThinkingLevel(PiCommand[CycledLevel | None]):
    """None: the model cannot reason."""

    type: ClassVar[str] = "cycle_thinking_level"


@dataclass(frozen=True, slots=True)
class GetAvailableThinkingLevels(PiCommand[ThinkingLevels]):
    """Since 0.81."""

    type: ClassVar[str] = "get_available_thinking_levels"


@dataclass(frozen=True, slots=True)
class SetSteeringMode(PiCommand[None]):
    """Changes the user's settings."""

    type: ClassVar[str] = "set_steering_mode"
    mode: QueueMode


@dataclass(frozen=True, slots=True)
class SetFollowUpMode(PiCommand[None]):
    """Changes the user's settings."""

    type: ClassVar[str] = "set_follow_up_mode"
    mode: QueueMode


@dataclass(frozen=True, slots=True)
class SetAutoCompaction(PiCommand[None]):
    """Changes the user's settings."""

    type: ClassVar[str] = "set_auto_compaction"
    enabled: bool


@dataclass(frozen=True, slots=True)
class SetAutoRetry(PiCommand[None]):
    """Changes the user's settings."""

    type: ClassVar[str] = "set_auto_retry"
    enabled: bool


@dataclass(frozen=True, slots=True)
class AbortRetry(PiCommand[None]):
    type: ClassVar[str] = "abort_retry"


@dataclass(frozen=True, slots=True)
class AbortBash(PiCommand[None]):
    """Stops all direct shell commands."""

    type: ClassVar[str] = "abort_bash"


@dataclass(frozen=True, slots=True)
class Compact(PiCommand[CompactionResult]):
    """May take minutes; stops a run that is open."""

    type: ClassVar[str] = "compact"
    custom_instructions: str | None = None


@dataclass(frozen=True, slots=True)
class Bash(PiCommand[BashResult]):
    """Run a shell command directly. Its output also streams as `BashExecutionUpdate` with the request's id."""

    type: ClassVar[str] = "bash"
    command: str
    exclude_from_context: bool | None = None


@dataclass(frozen=True, slots=True)
class GetCommands(PiCommand[Commands]):
    type: ClassVar[str] = "get_commands"


@dataclass(frozen=True, slots=True)
class AnswerValue:
    """The answer to a `UiSelect` (an option, as it was offered), `UiInput` or `UiEditor`; `id` is the request's."""

    id: str
    value: str


@dataclass(frozen=True, slots=True)
class AnswerConfirmed:
    """The answer to a `UiConfirm`."""

    id: str
    confirmed: bool


@dataclass(frozen=True, slots=True)
class AnswerCancelled:
    """The person, or whoever speaks for them, gives no answer to the dialog `id`."""

    id: str


UiAnswer = AnswerValue | AnswerConfirmed | AnswerCancelled


def answer_record(answer: UiAnswer) -> JsonObject:
    """The record that carries an answer; the agent does not reply to it."""
    cancelled: JsonObject = {"cancelled": True} if isinstance(answer, AnswerCancelled) else {}
    return {"type": "extension_ui_response", **_members(answer), **cancelled}
