"""A conversation as a file for elsewhere: Markdown to read, or a session file of the active branch alone."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from pitui.catalog.records import object_of, parse_lines, text_of
from pitui.render.entries import plain_text
from pitui.render.text import sanitize
from pitui.rpc.messages import AnyBlock, ImageBlock, TextBlock, ThinkingBlock
from pitui.rpc.wire import JsonObject
from pitui.session.state import (
    AssistantEntry,
    BashEntry,
    CustomEntry,
    Entry,
    NoticeEntry,
    SummaryEntry,
    SummaryKind,
    ToolEntry,
    UnknownEntry,
    UserEntry,
)
from pitui.store.jsonfile import write_text

FORMAT = 3
"""The version of session files written (docs/session-format.md, 1.6.0)."""


def branch_of(records: Sequence[JsonObject], leaf_id: str | None = None) -> list[JsonObject]:
    """The entries from the root (or from below what is missing) to `leaf_id`, by default the last of the file.

    Version 1 entries get ids and parents, version 2 messages of extensions their present name.
    """
    entries = [_modern(record) for record in records if record.get("type") != "session"]
    if not any("id" in entry for entry in entries):
        return list(_linear(entries))
    by_id = {text_of(entry, "id"): entry for entry in entries}
    at = leaf_id if leaf_id is not None else text_of(entries[-1], "id")
    branch: list[JsonObject] = []
    while (found := by_id.pop(at, None)) is not None:
        branch.append(found)
        at = text_of(found, "parentId")
    return branch[::-1]


def _modern(entry: JsonObject) -> JsonObject:
    message = object_of(entry, "message")
    return {**entry, "message": {**message, "role": "custom"}} if message.get("role") == "hookMessage" else entry


def _linear(entries: Sequence[JsonObject]) -> Iterator[JsonObject]:
    """Version 1: each follows the last; its compactions count from the header, which is 0."""
    for number, entry in enumerate(entries, 1):
        linked = {**entry, "id": f"{number:08x}", "parentId": f"{number - 1:08x}" if number > 1 else None}
        kept = linked.pop("firstKeptEntryIndex", None)
        if isinstance(kept, int):
            linked["firstKeptEntryId"] = f"{max(1, kept):08x}"
        yield linked


def branch_jsonl(header: JsonObject, branch: Iterable[JsonObject], now: float) -> str:
    """A session file of one branch, each entry the child of the one before it. `now` in seconds since 1970."""
    stamp = datetime.fromtimestamp(now, UTC).isoformat(timespec="milliseconds").removesuffix("+00:00") + "Z"
    first = {"type": "session", "version": FORMAT, "id": text_of(header, "id"), "timestamp": stamp,
             "cwd": text_of(header, "cwd")}
    lines = [json.dumps(first)]
    parent: object = None
    for entry in branch:
        lines.append(json.dumps({**entry, "parentId": parent}))
        parent = entry.get("id")
    return "\n".join(lines) + "\n"


def export_jsonl(source: Path, target: Path, now: float, leaf_id: str | None = None) -> None:
    """Write the branch of the session file `source` that ends in `leaf_id` to `target`. Raises OSError, FileTrouble."""
    records = list(parse_lines(source.read_bytes().split(b"\n")))
    header = next((record for record in records if record.get("type") == "session"), {})
    write_text(target, branch_jsonl(header, branch_of(records, leaf_id), now))


def export_markdown(entries: Iterable[Entry], target: Path, title: str) -> None:
    """Write the conversation as Markdown to `target`. Raises FileTrouble."""
    write_text(target, markdown(entries, title))


def markdown(entries: Iterable[Entry], title: str) -> str:
    """The conversation as Markdown: words as they were written, tools and thinking folded away below them."""
    parts = [f"# {' '.join(sanitize(title).split()) or 'Session'}"]
    speaker = ""
    for entry in entries:
        heading, body = _section(entry)
        if not body:
            continue
        if heading and heading != speaker:
            parts.append(f"## {heading}")
        speaker = heading or speaker
        parts.append(body)
    return "\n\n".join(parts) + "\n"


def _section(entry: Entry) -> tuple[str, str]:
    """Under which heading an entry stands, and its text; an empty heading stays under the last."""
    match entry:
        case UserEntry():
            return "User", _joined([entry.text, *map(_block, entry.images)])
        case AssistantEntry():
            error = entry.meta.error_message if entry.meta else None
            return "Assistant", _joined([*map(_block, entry.blocks), f"> {_flat(error)}" if error else ""])
        case ToolEntry():
            return "Assistant", _tool(entry)
        case BashEntry():
            return "Shell", fenced(f"$ {entry.command}\n{entry.output}".rstrip(), "console")
        case SummaryEntry():
            words = "Compaction" if entry.kind is SummaryKind.COMPACTION else "Branch summary"
            return words, sanitize(entry.summary)
        case CustomEntry():
            return _flat(entry.custom_type) or "Extension", _joined(map(_block, entry.blocks))
        case NoticeEntry():
            return "", ""
        case UnknownEntry():
            return _flat(entry.label), fenced(plain_text(entry))


def _joined(parts: Iterable[str]) -> str:
    return "\n\n".join(part.strip("\n") for part in parts if part.strip())


def _flat(text: str) -> str:
    return " ".join(sanitize(text).split())


def _block(block: AnyBlock) -> str:
    match block:
        case TextBlock():
            return sanitize(block.text)
        case ThinkingBlock():
            return details("Thinking", sanitize(block.thinking)) if block.thinking.strip() else ""
        case ImageBlock():
            return f"*[image, {_flat(block.mime_type)}]*"
        case _:
            return f"*[{_flat(block.type)}]*"


def _tool(entry: ToolEntry) -> str:
    given = "" if not entry.arguments else fenced(json.dumps(entry.arguments, indent=2, ensure_ascii=False), "json")
    result = fenced("\n".join(_result(block) for block in entry.content)) if entry.content else ""
    return details(f"{_flat(entry.name) or 'tool'} ({entry.state.value})", _joined([given, result]))


def _result(block: AnyBlock) -> str:
    return sanitize(block.text) if isinstance(block, TextBlock) else _block(block)


def details(summary: str, body: str) -> str:
    """Something folded away, as Markdown readers understand it."""
    safe = summary.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return f"<details>\n<summary>{safe}</summary>\n\n{body}\n\n</details>"


def fenced(text: str, language: str = "") -> str:
    """`text` as a code block that nothing in it can close."""
    text = sanitize(text)
    longest = max((len(run) for run in re.findall("`{3,}", text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"


__all__ = ["branch_jsonl", "branch_of", "export_jsonl", "export_markdown", "markdown"]
