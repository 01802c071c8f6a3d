"""Messages as the real agent writes them, and what they cost."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from pitui.demo.models import PROVIDER, Model
from pitui.demo.records import Record, list_field, now_ms, objects, text_field

SYSTEM_TOKENS = 900
IMAGE_TOKENS = 1_200


def text_block(text: str) -> Record:
    return {"type": "text", "text": text}


def user_message(text: str, images: list[Record] | None = None) -> Record:
    """A user's message; `images` are image blocks, which follow the text."""
    return {"role": "user", "content": [text_block(text), *(images or [])], "timestamp": now_ms()}


def custom_message(custom_type: str, content: str, details: object = None) -> Record:
    """A message an extension shows in the transcript."""
    message: Record = {"role": "custom", "customType": custom_type, "content": content, "display": True}
    if details is not None:
        message["details"] = details
    return message | {"timestamp": now_ms()}


def system_message(cwd: str) -> Record:
    """The system prompt; one opens every conversation."""
    tools = ("read", "bash", "edit", "write")
    return {
        "role": "system", "content": "",
        "sections": {
            "preamble": "You are the demo agent of pitui. Nothing here comes from a language model.",
            "tools": "\n".join(f"- {name}: scripted" for name in tools),
            "rules": "Follow the script.",
            "docs": "None.",
            "cwd": f"<cwd>\n{cwd}\n</cwd>",
        },
        "timestamp": now_ms(),
        "toolsAdded": [{"name": name, "description": f"The demo's {name}.", "parameters": {}} for name in tools],
    }


@dataclass
class Usage:
    """Tokens of one model call; `final` adds what a provider only says at the end."""

    model: Model
    input: int = 0
    output: int = 0
    cache_read: int = 0
    reasoning: int = 0
    final: bool = False

    @property
    def total(self) -> int:
        return self.input + self.output + self.cache_read

    @property
    def cost(self) -> float:
        model = self.model
        spent = self.input * model.input_price + self.output * model.output_price
        return (spent + self.cache_read * model.input_price / 10) / 1_000_000

    def record(self) -> Record:
        million = 1_000_000
        cost: Record = {
            "input": self.input * self.model.input_price / million,
            "output": self.output * self.model.output_price / million,
            "cacheRead": self.cache_read * self.model.input_price / 10 / million,
            "cacheWrite": 0,
            "total": self.cost,
        }
        usage: Record = {
            "input": self.input, "output": self.output, "cacheRead": self.cache_read, "cacheWrite": 0,
            "totalTokens": self.total, "cost": cost,
        }
        if self.final:
            usage["reasoning"] = self.reasoning
            cost["totalFromProvider"] = False
        return usage


@dataclass
class Answer:
    """An assistant message while it is written."""

    model: Model
    thinking_level: str
    usage: Usage
    content: list[Record] = field(default_factory=list)
    started: int = field(default_factory=now_ms)
    response_id: str | None = None

    def pending(self) -> Record:
        return self._message("pending")

    def finished(self, stop_reason: str, error: str | None = None) -> Record:
        """The whole message, with `stop_reason` stop, toolUse, length, aborted or error."""
        self.usage.final = True
        message = self._message(stop_reason)
        if self.response_id:
            message["responseId"] = self.response_id
        if error is not None:
            message["errorMessage"] = error
        else:
            message["rawStopReason"] = "tool_calls" if stop_reason == "toolUse" else stop_reason
        return message | {"durationMs": now_ms() - self.started, "thinkingLevel": self.thinking_level}

    def _message(self, stop_reason: str) -> Record:
        return {
            "role": "assistant", "content": [dict(block) for block in self.content], "api": self.model.api,
            "provider": PROVIDER, "model": self.model.id, "usage": self.usage.record(), "stopReason": stop_reason,
            "timestamp": self.started,
        }


def message_text(message: Record) -> str:
    """The text blocks of a message in one string."""
    content = message.get("content")
    if isinstance(content, str):
        return content
    blocks = objects(list_field(message, "content"))
    return "".join(text_field(block, "text") or "" for block in blocks if block.get("type") == "text")


def estimate_tokens(message: Record) -> int:
    """Tokens of a message, at four characters each."""
    if message.get("role") == "system":
        return SYSTEM_TOKENS
    content = message.get("content") or message.get("summary") or message.get("output") or ""
    if isinstance(content, str):
        return len(content) // 4
    return sum(_block_tokens(block) for block in objects(list_field(message, "content")))


def _block_tokens(block: Record) -> int:
    if block.get("type") == "image":
        return IMAGE_TOKENS
    if block.get("type") == "toolCall":
        return len(json.dumps(block.get("arguments"))) // 4
    return len(str(block.get("text") or block.get("thinking") or "")) // 4
