"""What is known of one conversation. Every value is frozen, and a change is a new object: identity tells it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from pitui.rpc.events import DialogRequest
from pitui.rpc.messages import AnyBlock, ImageBlock, Model, Usage
from pitui.rpc.protocol import join_text
from pitui.rpc.wire import JsonObject


class RunState(Enum):
    """What the agent is doing; one value, never a set of booleans."""

    STARTING = "starting"
    IDLE = "idle"
    STREAMING = "streaming"
    TOOL = "tool"
    COMPACTING = "compacting"
    RETRYING = "retrying"
    ABORTING = "aborting"
    EXITED = "exited"

    @property
    def busy(self) -> bool:
        """A run is open: a prompt sent now would have to steer or queue."""
        return self in _BUSY


_BUSY = frozenset({RunState.STREAMING, RunState.TOOL, RunState.COMPACTING, RunState.RETRYING, RunState.ABORTING})


@dataclass(frozen=True, slots=True)
class Retry:
    """A pause before another attempt. `due` in the event clock's seconds."""

    attempt: int
    max_attempts: int
    due: float
    reason: str


@dataclass(frozen=True, slots=True)
class Exit:
    """How the agent process ended: its exit code (negative: signal number) and the last of its stderr."""

    code: int | None
    stderr: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Run:
    """The present activity. `since`: when this run (not this step) began, in the event clock's seconds.

    `open`: agent_start was seen and agent_settled was not. `active`: the same up to agent_end, when the run may still
    go on by itself. `detail` names the tool or the compaction's reason.
    """

    state: RunState = RunState.STARTING
    since: float = 0.0
    detail: str = ""
    open: bool = False
    retry: Retry | None = None
    exit: Exit | None = None
    active: bool = False


class BlockKind(Enum):
    TEXT = "text"
    THINKING = "thinking"
    TOOL_CALL = "toolCall"


@dataclass(frozen=True, slots=True, eq=False)
class LiveBlock:
    """A block being streamed. `parts` is one append-only list shared by successive values; `count` is this value's
    share of it, so a delta costs one append and any earlier value stays what it was.

    `call_id` and `name` are a tool call's, empty until known. `done`: the agent said the block is complete.
    `index` is its contentIndex.
    """

    kind: BlockKind
    parts: list[str] = field(default_factory=list)
    count: int = 0
    done: bool = False
    call_id: str = ""
    name: str = ""
    index: int = 0

    @property
    def text(self) -> str:
        """All of the text so far; costs its length."""
        return join_text(self.parts[: self.count])

    def since(self, count: int) -> str:
        """The text added after the first `count` parts."""
        return join_text(self.parts[count : self.count])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LiveBlock) and (
            (self.kind, self.done, self.call_id, self.name, self.text)
            == (other.kind, other.done, other.call_id, other.name, other.text)
        )

    __hash__ = None  # type: ignore[assignment]  # equality is by text, which grows


@dataclass(frozen=True, slots=True)
class LiveMessage:
    """The assistant message being streamed, by contentIndex. `key` is that of the entries it will become."""

    key: str
    blocks: tuple[LiveBlock, ...] = ()
    usage: Usage | None = None


@dataclass(frozen=True, slots=True)
class UserEntry:
    """`stored_id` is the id of the entry in the session's tree once known: what a fork starts from."""

    key: str
    text: str
    images: tuple[ImageBlock, ...] = ()
    timestamp: float | None = None
    stored_id: str | None = None


@dataclass(frozen=True, slots=True)
class MessageMeta:
    """What an assistant message says about itself. Only what is stored with it, so live and resumed look alike."""

    provider: str = ""
    model: str = ""
    response_model: str | None = None
    thinking_level: str | None = None
    usage: Usage | None = None
    stop_reason: str = ""
    error_message: str | None = None
    duration_ms: float | None = None
    timestamp: float | None = None


@dataclass(frozen=True, slots=True)
class AssistantEntry:
    """A stretch of an assistant message between tool calls. The last stretch carries `meta`; so does one that is empty
    but for an error. `retried`: the attempt failed and another one followed.
    """

    key: str
    blocks: tuple[AnyBlock, ...] = ()
    meta: MessageMeta | None = None
    retried: bool = False
    stored_id: str | None = None


class ToolState(Enum):
    """`WRITING`: arguments still stream. `WAITING`: complete, not started. `STOPPED`: its run ended with no result."""

    WRITING = "writing"
    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True)
class ToolEntry:
    """One call and what became of it; `call_id` is its identity. `content` is the result so far, or the whole result.

    `started` in the event clock's seconds while it runs; `duration_ms` from the agent (1.6.0 and later) or None.
    `children`: calls made from inside this one (codemode). `details` is the tool's own data.
    """

    key: str
    call_id: str
    name: str
    arguments: JsonObject = field(default_factory=dict)
    arguments_error: str | None = None
    state: ToolState = ToolState.WAITING
    content: tuple[AnyBlock, ...] = ()
    details: object = None
    started: float | None = None
    duration_ms: float | None = None
    children: tuple[ToolEntry, ...] = ()


@dataclass(frozen=True, slots=True)
class BashEntry:
    """A direct shell command (`!cmd`). `command_id` ties it to its updates while it runs."""

    key: str
    command: str
    output: str = ""
    exit_code: int | None = None
    running: bool = False
    cancelled: bool = False
    truncated: bool = False
    full_output_path: str | None = None
    excluded: bool = False
    command_id: str | None = None
    started: float | None = None


@dataclass(frozen=True, slots=True)
class CustomEntry:
    """A message of an extension."""

    key: str
    custom_type: str
    blocks: tuple[AnyBlock, ...] = ()
    details: object = None


class SummaryKind(Enum):
    COMPACTION = "compaction"
    BRANCH = "branch"


@dataclass(frozen=True, slots=True)
class SummaryEntry:
    """A compaction (the model no longer sees what stands above) or the summary of an abandoned branch."""

    key: str
    kind: SummaryKind
    summary: str
    tokens_before: int | None = None
    tokens_after: int | None = None


class Level(Enum):
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Notice:
    """A line for the person that is no part of the conversation. `source`: who says it, such as an extension."""

    level: Level
    text: str
    source: str = ""


@dataclass(frozen=True, slots=True)
class NoticeEntry:
    """Notices that came one after another; one entry, so that a flood of them stays small. Never stored.

    `dropped`: how many older ones were let go.
    """

    key: str
    notices: tuple[Notice, ...]
    dropped: int = 0


@dataclass(frozen=True, slots=True)
class UnknownEntry:
    """Something the agent keeps that this version has no picture for."""

    key: str
    label: str
    data: JsonObject = field(default_factory=dict)


Entry = (
    UserEntry | AssistantEntry | ToolEntry | BashEntry | CustomEntry | SummaryEntry | NoticeEntry | UnknownEntry
)


class QueueKind(Enum):
    """When a waiting prompt goes: after this step, when the agent is done, or once it can be sent at all (ours)."""

    STEER = "steer"
    FOLLOW_UP = "followUp"
    HELD = "held"


class Waits(Enum):
    """What a held text is: a prompt, a shell command of the person's own, or our `/compact`."""

    PROMPT = "prompt"
    SHELL = "shell"
    COMPACT = "compact"


@dataclass(frozen=True, slots=True)
class QueuedPrompt:
    """A text that waits, as it was typed. `then`: as what a held prompt goes when a run is open by then."""

    text: str
    kind: QueueKind
    images: tuple[ImageBlock, ...] = ()
    what: Waits = Waits.PROMPT
    then: QueueKind = QueueKind.STEER


@dataclass(frozen=True, slots=True)
class SentPrompt:
    """A prompt that was written to the agent and whose echo has not come yet. `token` is the sender's own mark.

    `accepted`: the agent took it; `started`: and said that a run begins, which agents before 0.99 never say.
    """

    token: str
    text: str
    kind: QueueKind | None = None
    images: tuple[ImageBlock, ...] = ()
    accepted: bool = False
    started: bool = False


@dataclass(frozen=True, slots=True)
class Dialog:
    """A question from an extension. `expires` in the event clock's seconds; the agent never says that it gave up."""

    id: str
    request: DialogRequest
    asked: float
    expires: float | None = None


@dataclass(frozen=True, slots=True)
class Panel:
    """An extension's widget: lines that may carry SGR colours."""

    key: str
    lines: tuple[str, ...]
    below: bool = False


@dataclass(frozen=True, slots=True)
class Context:
    """How full the model's window is. None means unknown, as right after a compaction."""

    tokens: int | None = None
    window: int | None = None
    percent: float | None = None
    estimated: bool = False


@dataclass(frozen=True, slots=True)
class Stats:
    """Totals of the session, from `get_session_stats`."""

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0
    cost: float = 0.0
    context: Context = Context()


@dataclass(frozen=True, slots=True)
class SlashCommand:
    """A command of the agent's: `source` is extension, prompt or skill; `path` the file it came from, if known."""

    name: str
    description: str = ""
    source: str = "extension"
    path: str | None = None
    scope: str = ""


@dataclass(frozen=True, slots=True)
class Identity:
    """Which session this is. `file` is None for one that is not kept."""

    id: str = ""
    file: str | None = None
    name: str | None = None


@dataclass(frozen=True, slots=True)
class Modes:
    """Settings the agent reports. Queue modes are `all` or `one-at-a-time`."""

    steering: str = "one-at-a-time"
    follow_up: str = "one-at-a-time"
    auto_compaction: bool = True
    auto_retry: bool = True


@dataclass(frozen=True, slots=True)
class Session:
    """The whole conversation. `entries` is append-mostly and apart from the hot `live` message, so a delta never
    touches it. `sequence` numbers what has no id of its own. `leaf_id` is the last stored entry known of.

    `settles`: the agent was seen to say agent_settled (0.80.4 and later). `unknown`: kinds of records a notice told of.
    `fresh`: what extensions set since a command was sent that may replace the session; None when there was none.
    `clearing`: while the agent is asked for its queue, all that it may give back; else None. `moving`: prompts that
    left the agent's queue and will be sent to it again.
    """

    entries: tuple[Entry, ...] = ()
    live: LiveMessage | None = None
    run: Run = Run()
    queue: tuple[QueuedPrompt, ...] = ()
    sent: tuple[SentPrompt, ...] = ()
    dialogs: tuple[Dialog, ...] = ()
    statuses: Mapping[str, str] = field(default_factory=dict)
    panels: tuple[Panel, ...] = ()
    identity: Identity = Identity()
    model: Model | None = None
    models: tuple[Model, ...] = ()
    thinking_level: str = ""
    thinking_levels: tuple[str, ...] = ()
    stats: Stats = Stats()
    modes: Modes = Modes()
    commands: tuple[SlashCommand, ...] = ()
    title: str = ""
    leaf_id: str | None = None
    sequence: int = 0
    settles: bool = False
    unknown: frozenset[str] = frozenset()
    fresh: frozenset[str] | None = None
    clearing: tuple[QueuedPrompt, ...] | None = None
    moving: tuple[QueuedPrompt, ...] = ()
