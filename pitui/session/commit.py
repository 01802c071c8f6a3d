"""How messages and stored entries become entries of the transcript: the one way, live and resumed."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import assert_never

from pitui.rpc.messages import (
    AnyBlock,
    AnyMessage,
    AssistantMessage,
    BashExecutionMessage,
    BranchSummaryMessage,
    CompactionSummaryMessage,
    CustomMessage,
    ImageBlock,
    SystemMessage,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    ToolResultMessage,
    UnknownMessage,
    UserMessage,
)
from pitui.rpc.stored import (
    AnyStored,
    StoredBranchSummary,
    StoredCompaction,
    StoredContextEdit,
    StoredCustom,
    StoredCustomMessage,
    StoredLabel,
    StoredMessage,
    StoredModelChange,
    StoredSessionInfo,
    StoredThinkingLevel,
    StoredUnknown,
    StoredUsage,
)
from pitui.session import tools
from pitui.session.book import Book, digest, stamp
from pitui.session.state import (
    AssistantEntry,
    BashEntry,
    CustomEntry,
    Entry,
    MessageMeta,
    NoticeEntry,
    SummaryEntry,
    SummaryKind,
    ToolEntry,
    ToolState,
    UnknownEntry,
    UserEntry,
)


def commit(book: Book, message: AnyMessage, stored_id: str | None = None) -> None:
    """Add a complete message. The system prompt and what an extension hides never become entries."""
    match message:
        case UserMessage():
            book.begin_message()
            book.add(user_entry(message, stored_id))
        case AssistantMessage():
            commit_assistant(book, message, stored_id)
        case ToolResultMessage():
            tools.answered(book, message)
        case CustomMessage():
            if message.display:
                book.add(_custom(message.custom_type, message.content, message.details))
        case BashExecutionMessage():
            book.add(_bash(message))
        case CompactionSummaryMessage():
            book.add(compaction_entry(message.summary, message.tokens_before))
        case BranchSummaryMessage():
            book.add(_branch(message.summary))
        case UnknownMessage():
            data = message.model_extra or {}
            if data.get("display") is not False:
                book.add(UnknownEntry(f"unknown:{message.role}:{digest(_json(data))}", message.role, data))
        case SystemMessage():
            pass
        case _:
            assert_never(message)


def commit_stored(book: Book, stored: AnyStored) -> None:
    """Add an entry of the session's tree, if it is one to be seen."""
    match stored:
        case StoredMessage():
            commit(book, stored.message, stored.id)
        case StoredCompaction():
            book.add(compaction_entry(stored.summary, stored.tokens_before))
        case StoredBranchSummary():
            book.add(_branch(stored.summary))
        case StoredCustomMessage():
            if stored.display:
                book.add(_custom(stored.custom_type, stored.content, stored.details))
        case StoredUnknown():
            book.add(UnknownEntry(f"unknown:{stored.id}", stored.type, stored.model_extra or {}))
        case (StoredModelChange() | StoredThinkingLevel() | StoredSessionInfo() | StoredCustom() | StoredLabel()
              | StoredContextEdit() | StoredUsage()):
            pass
        case _:
            assert_never(stored)


def user_entry(message: UserMessage, stored_id: str | None = None) -> UserEntry:
    """What the person (or an extension in their name) said."""
    text = text_of(message.content)
    images = tuple(block for block in message.content if isinstance(block, ImageBlock))
    return UserEntry(f"user:{stamp(message.timestamp, text)}", text, images, message.timestamp, stored_id)


def assistant_key(timestamp: float | None) -> str:
    """The start of the keys of an assistant message's entries."""
    return f"assistant:{stamp(timestamp, '')}"


def commit_assistant(book: Book, message: AssistantMessage, stored_id: str | None = None, key: str = "") -> None:
    """Add an assistant message: stretches of text and thinking, and a card for each call, in the order written."""
    mark_retried(book)
    book.begin_message()
    key = key or assistant_key(message.timestamp)
    meta = _meta(message)
    pieces = _pieces(message, key, meta, stored_id)
    stretches = [piece for piece in pieces if isinstance(piece, AssistantEntry)]
    for piece in pieces:
        last = stretches and piece is stretches[-1]
        book.add(replace(stretches[-1], meta=meta) if last else piece)
    if not stretches and _says_something(book, meta, pieces):
        book.add(AssistantEntry(f"{key}:{len(message.content)}", (), meta, False, stored_id))


def mark_retried(book: Book) -> None:
    """Another attempt of the model follows: if the last one failed, it is an attempt that was retried."""
    index, compacted = _last_spoken(book)
    failed = book.entries[index] if index >= 0 else None
    if not isinstance(failed, AssistantEntry) or failed.meta is None or failed.retried:
        return
    if failed.meta.stop_reason != "error" and not (compacted and failed.meta.stop_reason == "length"):
        return
    book.put(index, replace(failed, retried=True))
    message = failed.key.rpartition(":")[0] + ":"
    for at in reversed(range(index)):
        entry = book.entries[at]
        if isinstance(entry, AssistantEntry) and entry.meta is None and entry.key.startswith(message):
            book.put(at, replace(entry, retried=True))
        elif not isinstance(entry, ToolEntry):
            return


def compaction_entry(summary: str, tokens_before: int | None) -> SummaryEntry:
    """A compaction. Its estimate of what is left is not stored, so it is no part of the picture."""
    return SummaryEntry(f"compaction:{digest(summary)}", SummaryKind.COMPACTION, summary, tokens_before)


def bash_key(command: str) -> str:
    """The key of a direct shell command, before it is made unique."""
    return f"bash:{digest(command)}"


def text_of(content: tuple[AnyBlock, ...]) -> str:
    """The text blocks of a content, one below the other."""
    return "\n".join(block.text for block in content if isinstance(block, TextBlock))


def is_abort(message: AssistantMessage) -> bool:
    """The person stopped it. 0.84.1 to 1.0.3 write that as an error with one of the agent's abort texts."""
    return message.stop_reason == "aborted" or (
        message.stop_reason == "error" and tools.ABORT_TEXT.fullmatch(message.error_message or "") is not None
    )


def _pieces(message: AssistantMessage, key: str, meta: MessageMeta, stored_id: str | None) -> list[Entry]:
    """Calls of a message that was cut off never ran."""
    state = ToolState.STOPPED if meta.stop_reason in ("aborted", "error") else ToolState.WAITING
    pieces: list[Entry] = []
    stretch: list[AnyBlock] = []
    for index, block in enumerate(message.content):
        if isinstance(block, ToolCallBlock):
            stretch = []
            pieces.append(tools.called(block, f"{key}:{index}", state))
        elif _is_blank(block):
            continue
        elif stretch:
            stretch.append(block)
            pieces[-1] = AssistantEntry(pieces[-1].key, tuple(stretch), stored_id=stored_id)
        else:
            stretch = [block]
            pieces.append(AssistantEntry(f"{key}:{index}", (block,), stored_id=stored_id))
    return pieces


def _is_blank(block: AnyBlock) -> bool:
    if isinstance(block, TextBlock):
        return not block.text.strip()
    return isinstance(block, ThinkingBlock) and not block.redacted and not block.thinking.strip()


def _says_something(book: Book, meta: MessageMeta, pieces: list[Entry]) -> bool:
    """Whether a message without text gets an entry: for its error, or as the one mark that the run was stopped."""
    if meta.stop_reason == "aborted":
        return not pieces and not _stop_is_shown(book)
    return meta.stop_reason in ("error", "length") or bool(meta.error_message)


def _stop_is_shown(book: Book) -> bool:
    """A card right above already says that the run was stopped."""
    for entry in reversed(book.entries):
        if isinstance(entry, ToolEntry) and entry.state is ToolState.STOPPED:
            return True
        if not isinstance(entry, (ToolEntry, NoticeEntry, BashEntry)):
            return False
    return False


def _last_spoken(book: Book) -> tuple[int, bool]:
    """Index of the last entry of the conversation proper (-1: none), and whether a compaction came after it."""
    compacted = False
    for index in reversed(range(len(book.entries))):
        entry = book.entries[index]
        if isinstance(entry, SummaryEntry) and entry.kind is SummaryKind.COMPACTION:
            compacted = True
        elif not isinstance(entry, (NoticeEntry, BashEntry)) and not (
            isinstance(entry, ToolEntry) and entry.state is ToolState.STOPPED
        ):
            return index, compacted
    return -1, compacted


def _meta(message: AssistantMessage) -> MessageMeta:
    return MessageMeta(
        message.provider, message.model, message.response_model, message.thinking_level, message.usage,
        "aborted" if is_abort(message) else message.stop_reason, message.error_message, message.duration_ms,
        message.timestamp,
    )


def _custom(custom_type: str, content: tuple[AnyBlock, ...], details: object) -> CustomEntry:
    return CustomEntry(f"custom:{custom_type}:{digest(text_of(content))}", custom_type, content, details)


def _bash(message: BashExecutionMessage) -> BashEntry:
    return BashEntry(
        bash_key(message.command), message.command, message.output, message.exit_code, False, message.cancelled,
        message.truncated, message.full_output_path, message.exclude_from_context,
    )


def _branch(summary: str) -> SummaryEntry:
    return SummaryEntry(f"branch:{digest(summary)}", SummaryKind.BRANCH, summary)


def _json(data: object) -> str:
    return json.dumps(data, sort_keys=True, default=str)
