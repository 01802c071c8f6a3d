"""The assistant message being streamed. A delta costs one list append, however long the text is."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import assert_never

from pitui.rpc.events import (
    MessageUpdate,
    StreamDone,
    StreamError,
    StreamStart,
    TextDelta,
    TextEnd,
    TextStart,
    ThinkingDelta,
    ThinkingEnd,
    ThinkingStart,
    ToolcallDelta,
    ToolcallEnd,
    ToolcallStart,
    UnknownDelta,
)
from pitui.rpc.messages import AnyBlock, AssistantMessage, TextBlock, ThinkingBlock, ToolCallBlock
from pitui.rpc.wire import JsonObject
from pitui.session.state import BlockKind, LiveBlock, LiveMessage


def update(live: LiveMessage, event: MessageUpdate) -> LiveMessage:
    """One streaming step; the same value when nothing changed."""
    step = event.assistant_message_event
    match step:
        case TextDelta():
            live = _append(live, step.content_index, BlockKind.TEXT, step.delta)
        case ThinkingDelta():
            live = _append(live, step.content_index, BlockKind.THINKING, step.delta)
        case ToolcallDelta():
            live = _append(live, step.content_index, BlockKind.TOOL_CALL, step.delta)
        case TextStart():
            live = _put(live, LiveBlock(BlockKind.TEXT, index=step.content_index))
        case ThinkingStart():
            live = _put(live, LiveBlock(BlockKind.THINKING, index=step.content_index))
        case ToolcallStart():
            live = _put(live, _call(step))
        case TextEnd():
            live = _finish(live, step.content_index, BlockKind.TEXT, step.content)
        case ThinkingEnd():
            live = _finish(live, step.content_index, BlockKind.THINKING, step.content)
        case ToolcallEnd():
            live = _finish_call(live, step)
        case StreamStart() | StreamDone() | StreamError() | UnknownDelta():
            pass
        case _:
            assert_never(step)
    return live if event.usage is None else replace(live, usage=event.usage)


def interrupted(live: LiveMessage) -> AssistantMessage:
    """What there is of an answer whose end never came, as a message that was stopped."""
    content = tuple(_block(block) for block in live.blocks)
    return AssistantMessage.model_validate({"content": content, "usage": live.usage, "stopReason": "aborted"})


def parse_arguments(text: str) -> JsonObject | None:
    """A call's arguments, or None while they are no complete JSON object."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _find(live: LiveMessage, index: int) -> LiveBlock | None:
    return next((block for block in reversed(live.blocks) if block.index == index), None)


def _put(live: LiveMessage, block: LiveBlock) -> LiveMessage:
    """Set the block at its index, keeping the order of the indexes."""
    blocks = live.blocks
    if not blocks or blocks[-1].index < block.index:
        return LiveMessage(live.key, (*blocks, block), live.usage)
    if blocks[-1].index == block.index:
        return LiveMessage(live.key, (*blocks[:-1], block), live.usage)
    others = [other for other in blocks if other.index != block.index]
    return LiveMessage(live.key, tuple(sorted([*others, block], key=lambda each: each.index)), live.usage)


def _append(live: LiveMessage, index: int, kind: BlockKind, delta: str) -> LiveMessage:
    block = _find(live, index) or LiveBlock(kind, index=index)
    if not delta and block.count:
        return live
    parts = block.parts if block.count == len(block.parts) else block.parts[: block.count]
    if delta:
        parts.append(delta)
    return _put(live, LiveBlock(block.kind, parts, len(parts), block.done, block.call_id, block.name, index))


def _finish(live: LiveMessage, index: int, kind: BlockKind, content: str | None) -> LiveMessage:
    """The agent's own text of a block; the streamed pieces stay when they say the same, for views that follow them."""
    block = _find(live, index) or LiveBlock(kind, index=index)
    if content is not None and content != block.text:
        block = replace(block, parts=[content], count=1)
    return _put(live, replace(block, done=True))


def _call(step: ToolcallStart) -> LiveBlock:
    """Id and name come with the event from 0.84.3 on, and in `partial` up to 0.83; in between only at the end."""
    call_id, name = step.id, step.tool_name
    content = (step.partial or {}).get("content")
    if isinstance(content, list) and 0 <= step.content_index < len(content):
        block = content[step.content_index]
        if isinstance(block, dict):
            call_id, name = call_id or _text(block.get("id")), name or _text(block.get("name"))
    return LiveBlock(BlockKind.TOOL_CALL, call_id=call_id or "", name=name or "", index=step.content_index)


def _finish_call(live: LiveMessage, step: ToolcallEnd) -> LiveMessage:
    block = _find(live, step.content_index) or LiveBlock(BlockKind.TOOL_CALL, index=step.content_index)
    call = step.tool_call
    if call is not None:
        block = replace(block, call_id=call.id or block.call_id, name=call.name or block.name)
        if call.arguments_error is None and parse_arguments(block.text) != call.arguments:
            block = replace(block, parts=[json.dumps(call.arguments, ensure_ascii=False)], count=1)
    return _put(live, replace(block, done=True))


def _block(block: LiveBlock) -> AnyBlock:
    match block.kind:
        case BlockKind.TEXT:
            return TextBlock(text=block.text)
        case BlockKind.THINKING:
            return ThinkingBlock(thinking=block.text, redacted=False)
        case BlockKind.TOOL_CALL:
            arguments = parse_arguments(block.text)
            error = None if arguments is not None else "The arguments were cut off."
            return ToolCallBlock(id=block.call_id, name=block.name, arguments=arguments or {}, arguments_error=error)
        case _:
            assert_never(block.kind)


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None
