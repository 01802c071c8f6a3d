"""Cards of tool calls: one a call, matched by id alone, from the first word of its arguments to its result."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from pitui.rpc.events import ToolExecutionEnd, ToolExecutionStart, ToolExecutionUpdate, ToolResult
from pitui.rpc.messages import AnyBlock, TextBlock, ToolCallBlock, ToolResultMessage
from pitui.rpc.wire import JsonObject
from pitui.session.book import Book
from pitui.session.state import Entry, ToolEntry, ToolState

OPEN = frozenset({ToolState.WRITING, ToolState.WAITING, ToolState.RUNNING})

ABORT_TEXT = re.compile(r"(?:\w+ ){0,3}aborted\.?", re.IGNORECASE)
"""What the agent writes when it was told to stop: `Command aborted`, `Operation aborted`, `Request was aborted.`"""


def called(block: ToolCallBlock, key: str, state: ToolState) -> ToolEntry:
    """The card of a call the model has written out."""
    return ToolEntry(
        f"tool:{block.id}" if block.id else key, block.id, block.name, block.arguments, block.arguments_error, state
    )


def started(book: Book, event: ToolExecutionStart, now: float) -> None:
    """The call runs. The arguments stay those the model wrote, which are the ones that are stored."""
    fresh = ToolEntry(f"tool:{event.tool_call_id}", event.tool_call_id, event.tool_name, event.args)
    _change(book, fresh, event.parent_tool_call_id, lambda tool: replace(tool, state=ToolState.RUNNING, started=now))


def updated(book: Book, event: ToolExecutionUpdate) -> None:
    """The result so far, which replaces the last one."""
    fresh = ToolEntry(f"tool:{event.tool_call_id}", event.tool_call_id, event.tool_name, event.args, None,
                      ToolState.RUNNING)
    content, details, _ = _parts(event.partial_result)
    _change(book, fresh, event.parent_tool_call_id, lambda tool: replace(tool, content=content, details=details))


def ended(book: Book, event: ToolExecutionEnd) -> None:
    """The whole result; the result's message, which follows, has the last word."""
    fresh = ToolEntry(f"tool:{event.tool_call_id}", event.tool_call_id, event.tool_name)
    content, details, is_error = _parts(event.result)
    state = outcome(event.is_error or is_error, content)
    _change(book, fresh, event.parent_tool_call_id, lambda tool: replace(
        tool, state=state, content=content, details=details, duration_ms=event.duration_ms, started=None
    ))


def answered(book: Book, message: ToolResultMessage) -> None:
    """The stored result of a call; one whose call is missing gets a card of its own."""
    fresh = ToolEntry(f"tool:{message.tool_call_id}", message.tool_call_id, message.tool_name)
    _change(book, fresh, None, lambda tool: replace(
        tool, state=outcome(message.is_error, message.content), content=message.content, details=message.details,
        duration_ms=message.duration_ms, started=None,
        children=tuple(map(_nested, message.nested_calls)) or tool.children,
    ))


def outcome(is_error: bool, content: tuple[AnyBlock, ...]) -> ToolState:
    """How a call with a result ended. A call that was told to stop did not fail."""
    if not is_error:
        return ToolState.DONE
    texts = [block.text for block in content if isinstance(block, TextBlock)]
    last_line = texts[-1].rstrip().rpartition("\n")[2] if texts else ""
    return ToolState.STOPPED if ABORT_TEXT.fullmatch(last_line.strip()) else ToolState.FAILED


def stop(book: Book, upto: int | None = None) -> None:
    """Show every call that has no result as stopped; only those before index `upto` if given."""
    for index, entry in enumerate(book.entries[:upto]):
        if isinstance(entry, ToolEntry):
            book.put(index, _stopped(entry))


def running(entries: tuple[Entry, ...]) -> ToolEntry | None:
    """The newest call that runs."""
    for entry in reversed(entries):
        if isinstance(entry, ToolEntry) and entry.state is ToolState.RUNNING:
            return entry
    return None


def _parts(result: ToolResult | None) -> tuple[tuple[AnyBlock, ...], object, bool]:
    return ((), None, False) if result is None else (result.content, result.details, result.is_error)


def _stopped(tool: ToolEntry) -> ToolEntry:
    children = tuple(_stopped(child) for child in tool.children)
    if any(new is not old for new, old in zip(children, tool.children, strict=True)):
        tool = replace(tool, children=children)
    return replace(tool, state=ToolState.STOPPED, started=None) if tool.state in OPEN else tool


def _change(book: Book, fresh: ToolEntry, parent_id: str | None, change: Callable[[ToolEntry], ToolEntry]) -> None:
    """Change the card of a call, which is `fresh` when there is none yet."""
    index = _home(book, parent_id) if parent_id else book.find_call(fresh.call_id)
    if index is None:
        book.add(change(fresh))
        return
    tool = book.entries[index]
    if not isinstance(tool, ToolEntry):
        return
    book.put(index, change(tool) if not parent_id else _change_child(tool, fresh, change))


def _change_child(tool: ToolEntry, fresh: ToolEntry, change: Callable[[ToolEntry], ToolEntry]) -> ToolEntry:
    if all(child.call_id != fresh.call_id for child in tool.children):
        return replace(tool, children=(*tool.children, change(fresh)))
    return replace(tool, children=tuple(
        change(child) if child.call_id == fresh.call_id else child for child in tool.children
    ))


def _home(book: Book, parent_id: str) -> int | None:
    """The card a nested call belongs in: its parent's, or the one that has its parent among its children."""
    index = book.find_call(parent_id)
    if index is not None:
        return index
    for index in reversed(range(len(book.entries))):
        entry = book.entries[index]
        if isinstance(entry, ToolEntry) and any(child.call_id == parent_id for child in entry.children):
            return index
    return None


def _nested(call: JsonObject) -> ToolEntry:
    """A nested call as its parent's result keeps it: without its output."""
    call_id, name, arguments = call.get("id"), call.get("name"), call.get("arguments")
    duration, status = call.get("durationMs"), call.get("status")
    call_id = call_id if isinstance(call_id, str) else ""
    return ToolEntry(
        key=f"tool:{call_id}", call_id=call_id, name=name if isinstance(name, str) else "",
        arguments=arguments if isinstance(arguments, dict) else {},
        state=_STATUS.get(status, ToolState.STOPPED) if isinstance(status, str) else ToolState.STOPPED,
        duration_ms=float(duration) if isinstance(duration, (int, float)) else None,
    )


_STATUS = {"ok": ToolState.DONE, "error": ToolState.FAILED, "failed": ToolState.FAILED}
