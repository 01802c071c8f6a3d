"""What happens on this side of the pipe, as events: the one fold sees everything."""

from __future__ import annotations

from dataclasses import dataclass

from pitui.rpc.events import Event
from pitui.rpc.messages import AnyMessage, ImageBlock, Model
from pitui.rpc.stored import AnyStored
from pitui.session.state import Level, QueuedPrompt, QueueKind, SlashCommand, Stats, Waits


@dataclass(frozen=True, slots=True)
class AgentStarting:
    """A process was spawned (again)."""


@dataclass(frozen=True, slots=True)
class AgentReady:
    """The agent answered its first request."""


@dataclass(frozen=True, slots=True)
class AgentExited:
    """The process is gone. `code` negative: the signal's number; None: it could not be started."""

    code: int | None
    stderr: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PromptSent:
    """Written to the agent, not yet answered. `kind` None: a plain prompt. `waited`: what it was until now."""

    token: str
    text: str
    kind: QueueKind | None = None
    images: tuple[ImageBlock, ...] = ()
    waited: QueuedPrompt | None = None


@dataclass(frozen=True, slots=True)
class PromptAnswered:
    """`disposition`: started, queued, handled, or None when the agent is too old to say. `error`: it was refused."""

    token: str
    disposition: str | None = None
    error: str | None = None


@dataclass(frozen=True, slots=True)
class PromptHeld:
    """Something that cannot be done yet (a compaction runs, or the agent is not up)."""

    text: str
    images: tuple[ImageBlock, ...] = ()
    what: Waits = Waits.PROMPT
    then: QueueKind = QueueKind.STEER


@dataclass(frozen=True, slots=True)
class HeldReleased:
    """A held prompt (None: the first) is held no longer."""

    item: QueuedPrompt | None = None


@dataclass(frozen=True, slots=True)
class QueueClearing:
    """The agent is asked to give its queue back."""


@dataclass(frozen=True, slots=True)
class QueueArranged:
    """What is ours to send again, and what we hold, from now on. `cleared`: the agent has answered."""

    moving: tuple[QueuedPrompt, ...]
    held: tuple[QueuedPrompt, ...]
    cleared: bool = False


@dataclass(frozen=True, slots=True)
class QueueTaken:
    """The queue was cleared and its texts went back to the composer; `held` too."""


@dataclass(frozen=True, slots=True)
class AbortRequested:
    """The person asked for a stop."""


@dataclass(frozen=True, slots=True)
class DialogClosed:
    """Answered, cancelled or expired."""

    id: str


@dataclass(frozen=True, slots=True)
class BashStarted:
    command_id: str
    command: str
    excluded: bool = False


@dataclass(frozen=True, slots=True)
class BashFinished:
    """The answer of a direct shell command; `error` when it was refused."""

    command_id: str
    output: str = ""
    exit_code: int | None = None
    cancelled: bool = False
    truncated: bool = False
    full_output_path: str | None = None
    error: str | None = None


@dataclass(frozen=True, slots=True)
class StateLoaded:
    """The answer of `get_state`."""

    model: Model | None
    thinking_level: str
    streaming: bool
    compacting: bool
    steering_mode: str
    follow_up_mode: str
    session_file: str | None
    session_id: str
    session_name: str | None
    auto_compaction: bool


@dataclass(frozen=True, slots=True)
class HistoryLoaded:
    """All stored entries, in file order; the path from `leaf_id` to its root is what is shown.

    `cut`: entries above are missing from the file. Replaces every entry but what is live.
    """

    entries: tuple[AnyStored, ...]
    leaf_id: str | None
    cut: bool = False


@dataclass(frozen=True, slots=True)
class EntriesAppended:
    """Entries stored since the last known one (`get_entries` with `since`), and the new leaf.

    Tells the stored ids of what was streamed, and adds what the stream never showed.
    """

    entries: tuple[AnyStored, ...]
    leaf_id: str | None


@dataclass(frozen=True, slots=True)
class MessagesLoaded:
    """The fallback for agents without `get_entries`: the model's context only."""

    messages: tuple[AnyMessage, ...]


@dataclass(frozen=True, slots=True)
class StatsLoaded:
    stats: Stats


@dataclass(frozen=True, slots=True)
class ModelsLoaded:
    models: tuple[Model, ...]


@dataclass(frozen=True, slots=True)
class ModelChosen:
    """The agent confirmed another model."""

    model: Model
    thinking_level: str | None = None


@dataclass(frozen=True, slots=True)
class ThinkingLevelsLoaded:
    levels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CommandsLoaded:
    commands: tuple[SlashCommand, ...]


@dataclass(frozen=True, slots=True)
class ModesChanged:
    steering: str | None = None
    follow_up: str | None = None
    auto_compaction: bool | None = None
    auto_retry: bool | None = None


@dataclass(frozen=True, slots=True)
class SessionReplacing:
    """A command is sent that may replace the session. What extensions show from now on belongs to the new one: their
    `session_start` speaks before the agent answers.
    """


@dataclass(frozen=True, slots=True)
class Quiet:
    """Nothing came for 150 ms while `awaits_quiet(session)`, and `get_state` says idle: how a run of an agent before
    0.80.4 ends.
    """


@dataclass(frozen=True, slots=True)
class SessionReplaced:
    """The agent moved to another session: all that was shown of the old one is dropped."""


@dataclass(frozen=True, slots=True)
class Noticed:
    """Something to tell the person."""

    level: Level
    text: str
    source: str = ""


LocalEvent = (
    AgentStarting | AgentReady | AgentExited | PromptSent | PromptAnswered | PromptHeld | HeldReleased | QueueTaken
    | QueueClearing | QueueArranged
    | AbortRequested | DialogClosed | BashStarted | BashFinished | StateLoaded | HistoryLoaded | EntriesAppended
    | MessagesLoaded | StatsLoaded | ModelsLoaded | ModelChosen | ThinkingLevelsLoaded | CommandsLoaded | ModesChanged
    | SessionReplacing | SessionReplaced | Quiet | Noticed
)

AnyEvent = Event | LocalEvent
