"""The assistant message being streamed. A delta costs one list append, however long the text is."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import groupby
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

Piece = TextDelta | ThinkingDelta | ToolcallDelta
Mark = (
    StreamStart | TextStart | TextEnd | ThinkingStart | ThinkingEnd | ToolcallStart | ToolcallEnd | StreamDone
    | StreamError | UnknownDelta
)


Blocks = tuple[LiveBlock, ...]

DISPLACED = -1_000_000
"""Where displaced blocks are numbered from."""


def update(live: LiveMessage, *events: MessageUpdate) -> LiveMessage:
    """The message after some streaming steps; the same value when nothing changed. Pieces of one block that come
    together make one new block.
    """
    blocks, usage = live.blocks, live.usage
    for target, stretch in groupby(events, _target):
        deltas: list[str] = []
        for event in stretch:
            step, usage = event.assistant_message_event, event.usage or usage
            if isinstance(step, Piece):
                deltas.append(step.delta)
            else:
                blocks = _step(blocks, step)
        if target is not None:
            blocks = _append(blocks, *target, deltas)
    return live if blocks is live.blocks and usage is live.usage else LiveMessage(live.key, blocks, usage)


def _target(event: MessageUpdate) -> tuple[int, BlockKind] | None:
    """The block a piece belongs to."""
    step = event.assistant_message_event
    if isinstance(step, TextDelta):
        return step.content_index, BlockKind.TEXT
    if isinstance(step, Piece):
        return step.content_index, BlockKind.THINKING if isinstance(step, ThinkingDelta) else BlockKind.TOOL_CALL
    return None


def _step(blocks: Blocks, step: Mark) -> Blocks:
    match step:
        case TextStart():
            return _put(blocks, LiveBlock(BlockKind.TEXT, index=step.content_index))
        case ThinkingStart():
            return _put(blocks, LiveBlock(BlockKind.THINKING, index=step.content_index))
        case ToolcallStart():
            return _put(_displaced(blocks, step.content_index), _call(step))
        case TextEnd():
            return _finish(blocks, step.content_index, BlockKind.TEXT, step.content)
        case ThinkingEnd():
            return _finish(blocks, step.content_index, BlockKind.THINKING, step.content)
        case ToolcallEnd():
            return _finish_call(blocks, step)
        case StreamStart() | StreamDone() | StreamError() | UnknownDelta():
            return blocks
        case _:
            assert_never(step)


def _displaced(blocks: Blocks, index: int) -> Blocks:
    """An index used again for something else: the text read so far stays, before all others."""
    block = _find(blocks, index)
    if block is None or block.kind is not BlockKind.TEXT or not block.text.strip():
        return blocks
    return _put(tuple(other for other in blocks if other is not block), replace(block, index=DISPLACED + index))


def complete(live: LiveMessage | None, message: AssistantMessage) -> AssistantMessage:
    """The agent's own message, and before it what was streamed under an index that was then used again, if it says
    nothing of it: words that somebody has read must not vanish.
    """
    said = "".join(block.text for block in message.content if isinstance(block, TextBlock))
    kept = tuple(
        TextBlock(text=block.text)
        for block in (live.blocks if live else ())
        if block.index < 0 and block.text.strip() not in said
    )
    return message.model_copy(update={"content": (*kept, *message.content)}) if kept else message


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


def _find(blocks: Blocks, index: int) -> LiveBlock | None:
    for block in reversed(blocks):
        if block.index == index:
            return block
    return None


def _put(blocks: Blocks, block: LiveBlock) -> Blocks:
    """Set the block at its index, keeping the order of the indexes."""
    if not blocks or blocks[-1].index < block.index:
        return (*blocks, block)
    if blocks[-1].index == block.index:
        return (*blocks[:-1], block)
    others = [other for other in blocks if other.index != block.index]
    return tuple(sorted([*others, block], key=lambda each: each.index))


def _append(blocks: Blocks, index: int, kind: BlockKind, deltas: list[str]) -> Blocks:
    block = _find(blocks, index)
    if block is None:
        block = LiveBlock(kind, index=index)
    elif not any(deltas):
        return blocks
    parts = block.parts if block.count == len(block.parts) else block.parts[: block.count]
    parts += filter(None, deltas)
    return _put(blocks, LiveBlock(block.kind, parts, len(parts), block.done, block.call_id, block.name, index))


def _finish(blocks: Blocks, index: int, kind: BlockKind, content: str | None) -> Blocks:
    """The agent's own text of a block; the streamed pieces stay when they say the same, for views that follow them."""
    block = _find(blocks, index) or LiveBlock(kind, index=index)
    if content is not None and content != block.text:
        block = replace(block, parts=[content], count=1)
    return _put(blocks, replace(block, done=True))


def _call(step: ToolcallStart) -> LiveBlock:
    """Id and name come with the event from 0.84.3 on, and in `partial` up to 0.83; in between only at the end."""
    call_id, name = step.id, step.tool_name
    content = (step.partial or {}).get("content")
    if isinstance(content, list) and 0 <= step.content_index < len(content):
        block = content[step.content_index]
        if isinstance(block, dict):
            call_id, name = call_id or _text(block.get("id")), name or _text(block.get("name"))
    return LiveBlock(BlockKind.TOOL_CALL, call_id=call_id or "", name=name or "", index=step.content_index)


def _finish_call(blocks: Blocks, step: ToolcallEnd) -> Blocks:
    block = _find(blocks, step.content_index) or LiveBlock(BlockKind.TOOL_CALL, index=step.content_index)
    call = step.tool_call
    if call is not None:
        block = replace(block, call_id=call.id or block.call_id, name=call.name or block.name)
        if call.arguments_error is None and parse_arguments(block.text) != call.arguments:
            block = replace(block, parts=[json.dumps(call.arguments, ensure_ascii=False)], count=1)
    return _put(blocks, replace(block, done=True))


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
