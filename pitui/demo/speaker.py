"""Writes one turn to the wire the way a provider streams it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import partial
from itertools import zip_longest

from pitui.demo.messages import Answer, text_block
from pitui.demo.pace import Aborted, Pace
from pitui.demo.records import Record
from pitui.demo.script import Call, Say, Think, Turn

CHUNK_SECONDS = 0.022


def chunks(text: str) -> list[str]:
    """The text in pieces of about a token, never cutting a surrogate pair or losing a character."""
    return re.findall(r"\s?\w{1,6}|\s?[^\w\s]{1,3}|\s+", text)


class Speaker:
    """Streams a turn into `answer`. The message's start and end are the caller's."""

    def __init__(self, answer: Answer, emit: Callable[[Record], None], pace: Pace) -> None:
        self._answer = answer
        self._emit = emit
        self._pace = pace
        self._late_ends = answer.model.api == "openai-completions"
        self._ends: list[Callable[[], None]] = []
        self._arguments: dict[int, str] = {}

    async def speak(self, turn: Turn, call_ids: list[str]) -> None:
        """Stream every part. Raises Aborted; what was written until then is in the answer."""
        calls = list(zip(turn.calls, call_ids, strict=True))
        try:
            for part in turn.parts:
                if isinstance(part, (Think, Say)):
                    await self._write(part)
                elif not self._late_ends:
                    await self._call_all([next(pair for pair in calls if pair[0] is part)])
            if self._late_ends and calls:
                await self._call_all(calls)
        except Aborted:
            self._break_off()
            raise
        if not turn.failure:
            self._end_all()

    async def _write(self, part: Think | Say) -> None:
        thinking = isinstance(part, Think)
        if thinking and self._answer.thinking_level == "off":
            return
        kind = "thinking" if thinking else "text"
        block: Record = {"type": "thinking", "thinking": ""} if thinking else text_block("")
        if thinking:
            block["thinkingSignature"] = "reasoning_content"
        index = self._open(block)
        self._update(f"{kind}_start", index)
        written: list[str] = []
        for piece in chunks(part.text):
            await self._pace.sleep(CHUNK_SECONDS * part.pace)
            written.append(piece)
            block[kind] = "".join(written)
            self._count(piece, thinking)
            self._update(f"{kind}_delta", index, delta=piece)
        self._ended(lambda: self._update(f"{kind}_end", index, content=block[kind]))

    async def _call_all(self, calls: list[tuple[Call, str]]) -> None:
        """Stream calls side by side, a piece of each in turn."""
        streams = [self._start_call(call, identity) for call, identity in calls]
        for pieces in zip_longest(*[pieces for _, pieces in streams]):
            for (index, _), (call, _), piece in zip(streams, calls, pieces, strict=True):
                if piece is None:
                    continue
                await self._pace.sleep(CHUNK_SECONDS * call.pace)
                self._arguments[index] += piece
                self._count(piece)
                self._update("toolcall_delta", index, delta=piece)
        for (index, _), (call, _) in zip(streams, calls, strict=True):
            self._arguments.pop(index)
            self._answer.content[index]["arguments"] = call.arguments
            self._ended(partial(self._end_call, index))

    def _end_call(self, index: int) -> None:
        self._update("toolcall_end", index, toolCall=dict(self._answer.content[index]))

    def _start_call(self, call: Call, identity: str) -> tuple[int, list[str]]:
        index = self._open({"type": "toolCall", "id": identity, "name": call.name, "arguments": {}})
        self._arguments[index] = ""
        self._update("toolcall_start", index, id=identity, toolName=call.name)
        self._update("toolcall_delta", index, delta="")
        return index, chunks(json.dumps(call.arguments, ensure_ascii=False))

    def _open(self, block: Record) -> int:
        self._answer.content.append(block)
        return len(self._answer.content) - 1

    def _count(self, piece: str, thinking: bool = False) -> None:
        tokens = max(1, len(piece) // 4)
        self._answer.usage.output += tokens
        self._answer.usage.reasoning += tokens if thinking else 0

    def _ended(self, end: Callable[[], None]) -> None:
        if self._late_ends:
            self._ends.append(end)
        else:
            end()

    def _end_all(self) -> None:
        self._answer.usage.final = True
        for end in self._ends:
            end()
        self._ends.clear()

    def _break_off(self) -> None:
        for index, text in self._arguments.items():
            block = self._answer.content[index]
            block["argumentsError"] = f"Unterminated JSON at position {len(text)}\n\nReceived arguments:\n{text}"

    def _update(self, kind: str, index: int, **fields: object) -> None:
        event: Record = {"type": kind, "contentIndex": index, **fields}
        self._emit({"type": "message_update", "usage": self._answer.usage.record(), "assistantMessageEvent": event})
