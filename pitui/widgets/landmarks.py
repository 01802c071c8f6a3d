"""Entries that a reader goes to: prompts, and what failed."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pitui.session.state import AssistantEntry, BashEntry, Entry, Level, NoticeEntry, ToolEntry, ToolState, UserEntry


def is_prompt(entry: Entry) -> bool:
    return isinstance(entry, UserEntry)


def is_failure(entry: Entry) -> bool:
    match entry:
        case ToolEntry():
            return entry.state is ToolState.FAILED
        case BashEntry():
            return entry.exit_code not in (None, 0)
        case AssistantEntry():
            return entry.meta is not None and bool(entry.meta.error_message)
        case NoticeEntry():
            return any(notice.level is Level.ERROR for notice in entry.notices)
        case _:
            return False


def nearest(
    entries: Sequence[Entry], start: int, direction: int, wanted: Callable[[Entry], bool]
) -> int | None:
    """The number of the first wanted entry from `start` (inclusive) on, downwards (1) or upwards (-1)."""
    end = len(entries) if direction > 0 else -1
    start = max(start, 0) if direction > 0 else min(start, len(entries) - 1)
    return next((at for at in range(start, end, direction) if wanted(entries[at])), None)
