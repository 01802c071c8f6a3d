"""Entries to show, and what a whole drawing of them looks like."""

from __future__ import annotations

from dataclasses import dataclass

from pitui.render.entries import gap, render_entry, sent_lines
from pitui.render.lines import Line, View
from pitui.render.live import LiveView
from pitui.render.palette import default_palette
from pitui.rpc.messages import TextBlock, ThinkingBlock
from pitui.session.state import (
    AssistantEntry,
    BlockKind,
    Entry,
    LiveBlock,
    LiveMessage,
    SentPrompt,
    ToolEntry,
    ToolState,
    UserEntry,
)

PALETTE = default_palette(True)
BLANK = Line([], decoration=True)
VIEW = View(width=40, palette=PALETTE)


def prompt(number: int, text: str = "") -> UserEntry:
    return UserEntry(f"user:{number}", text or f"prompt {number}")


def answer(number: int, text: str = "", thinking: str | None = None) -> AssistantEntry:
    said = TextBlock(text=text or f"Answer {number}.")
    blocks = (ThinkingBlock(thinking=thinking, redacted=False), said) if thinking is not None else (said,)
    return AssistantEntry(f"answer:{number}", blocks)


def tool(number: int, lines: int = 3, state: ToolState = ToolState.DONE) -> ToolEntry:
    output = "\n".join(f"output {number}.{line}" for line in range(lines))
    return ToolEntry(
        f"tool:{number}", str(number), "bash", {"command": f"run {number}"}, state=state,
        content=(TextBlock(text=output),),
    )


def talk(count: int) -> tuple[Entry, ...]:
    """`count` entries: prompts, answers of a few paragraphs, and tools."""
    entries: list[Entry] = []
    for number in range(count):
        match number % 3:
            case 0:
                entries.append(prompt(number))
            case 1:
                words = " ".join(f"word{number}.{word}" for word in range(5 + number % 20))
                entries.append(answer(number, f"{words}\n\nSecond paragraph of {number}."))
            case _:
                entries.append(tool(number))
    return tuple(entries)


def live(text: str, key: str = "live") -> LiveMessage:
    """A message being streamed that has said `text` so far."""
    return LiveMessage(key, (LiveBlock(BlockKind.TEXT, [text], 1),))


def thinking_live(text: str) -> LiveMessage:
    return LiveMessage("live", (LiveBlock(BlockKind.THINKING, [text], 1),))


def sent(text: str) -> tuple[SentPrompt, ...]:
    return (SentPrompt("token", text),)


@dataclass(frozen=True, slots=True)
class Shown:
    """What a transcript was given."""

    entries: tuple[Entry, ...] = ()
    live: LiveMessage | None = None
    sent: tuple[SentPrompt, ...] = ()

    def items(self, view: View) -> list[list[Line]]:
        """Every item's rows, drawn with no regard to cost."""
        items: list[list[Line]] = []
        above: Entry | None = None
        for entry in self.entries:
            lines = render_entry(entry, view)
            items.append([BLANK] * gap(above, entry) + lines if lines else [])
            above = entry if lines else above
        if self.live is not None:
            drawing = LiveView()
            drawing.show(self.live, view)
            items.append([BLANK] * any(items) + drawing.lines if drawing.lines else [])
        if self.sent:
            drawn = [[BLANK, *sent_lines(prompt, view)] for prompt in self.sent]
            lines = [line for prompt in drawn for line in prompt]
            items.append(lines if any(items) else lines[1:])
        return items

    def texts(self, view: View) -> list[str]:
        return [line.text.rstrip() for item in self.items(view) for line in item]
