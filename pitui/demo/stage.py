"""What a running scene and its tools can reach."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from pitui.demo.messages import text_block
from pitui.demo.pace import Pace
from pitui.demo.records import Record, now_ms
from pitui.demo.script import Output
from pitui.demo.ui import Ui


@dataclass
class Stage:
    """The scene's view of the agent. `text` is the prompt that called it; `compact_after` asks for a compaction."""

    text: str
    ui: Ui
    pace: Pace
    has_images: bool = False
    compact_after: bool = False
    attempt: int = 0
    noted: dict[str, str] = field(default_factory=dict)


@dataclass
class ToolStage:
    """One running tool call; `parent` is the id of the call that made this one."""

    call_id: str
    name: str
    arguments: Record
    emit: Callable[[Record], None]
    pace: Pace
    ui: Ui
    parent: str | None = None
    shown: str = ""
    started: int = field(default_factory=now_ms)

    async def sleep(self, seconds: float) -> None:
        await self.pace.sleep(seconds)

    def start(self) -> None:
        self._event("tool_execution_start", args=self.arguments)

    def update(self, text: str | None = None, details: Record | None = None) -> None:
        """Show the output so far; every update replaces the one before. None shows that it has begun."""
        partial: Record = {"content": [] if text is None else [text_block(text)]}
        if text is not None:
            self.shown = text
            partial["details"] = details or {}
        elif details is not None:
            partial["details"] = details
        self._event("tool_execution_update", args=self.arguments, partialResult=partial)

    def end(self, output: Output) -> int | None:
        """Report the end; how long it took in milliseconds, or None when it never ran."""
        result: Record = {"content": output.content}
        if output.details is not None:
            result["details"] = output.details
        if output.structured is not None:
            result["structuredContent"] = output.structured
            if output.is_error:
                result["isError"] = True
        duration = now_ms() - self.started if output.timed else None
        timing: Record = {} if duration is None else {"durationMs": duration}
        self._event("tool_execution_end", result=result, isError=output.is_error, **timing)
        return duration

    def child(self, number: int, name: str, arguments: Record) -> ToolStage:
        """A call made by this one."""
        return ToolStage(f"{self.call_id}/{number}", name, arguments, self.emit, self.pace, self.ui, self.call_id)

    def _event(self, kind: str, **fields: object) -> None:
        event: Record = {"type": kind, "toolCallId": self.call_id, "toolName": self.name, **fields}
        self.emit(event if self.parent is None else event | {"parentToolCallId": self.parent})
