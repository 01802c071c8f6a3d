"""Every entry of the conversation as lines. Total: whatever an entry holds, something readable comes out."""

from __future__ import annotations

import json
import re
from typing import assert_never

from pitui.render.body import SPARE, UNFOLDED
from pitui.render.cards import (
    PREVIEW,
    blocks_lines,
    notices_fold,
    render_bash,
    render_custom,
    render_notices,
    render_summary,
    render_unknown,
    tokens_of,
)
from pitui.render.lines import Line, Target, TargetKind, ThinkingView, View
from pitui.render.markdown import estimate_lines, render_markdown
from pitui.render.rows import FOLDED_PICTURE, grounded, gutter, header, indented, picture_lines, rail, words
from pitui.render.text import Span, count, money, sanitize, seconds, spans_width, wrap_spans
from pitui.render.titles import compact_json, dot, line_count, one_line
from pitui.render.tools import estimate_tool, render_tool, tool_text
from pitui.rpc.messages import AnyBlock, ImageBlock, TextBlock, ThinkingBlock, ToolCallBlock
from pitui.session.state import (
    AssistantEntry,
    BashEntry,
    CustomEntry,
    Entry,
    MessageMeta,
    NoticeEntry,
    SentPrompt,
    SummaryEntry,
    SummaryKind,
    ToolEntry,
    UnknownEntry,
    UserEntry,
)

ERROR_LINES = 3
"""Lines of a provider's error shown while it is folded."""
LONG_ERROR = 300
"""Characters of an error that is folded even if it is one line."""
_SKILL = re.compile(r'\s*<skill name="([^"\n]*)"[^\n>]*>\n?(.*?)\n?</skill>\s*(.*)', re.DOTALL)


def render_entry(entry: Entry, view: View) -> list[Line]:
    """The lines of an entry; none when there is nothing to see. No blank line at either end."""
    if entry.key in view.sources:
        return _source(entry, view)
    match entry:
        case UserEntry():
            return _user(entry, view)
        case AssistantEntry():
            return _assistant(entry, view)
        case ToolEntry():
            return render_tool(entry, view)
        case BashEntry():
            return render_bash(entry, view)
        case CustomEntry():
            return render_custom(entry, view)
        case SummaryEntry():
            return render_summary(entry, view)
        case NoticeEntry():
            return render_notices(entry, view)
        case UnknownEntry():
            return render_unknown(entry, view)
        case _:
            assert_never(entry)


def gap(before: Entry | None, after: Entry) -> int:
    """Blank lines between two entries that both have lines."""
    if before is None:
        return 0
    if isinstance(before, AssistantEntry) and isinstance(after, AssistantEntry) and before.retried and after.retried:
        return 0
    return 0 if isinstance(before, ToolEntry) and isinstance(after, ToolEntry) else 1


def _source(entry: Entry, view: View) -> list[Line]:
    text = sanitize(plain_text(entry)).strip("\n")
    return wrap_spans([(text, view.palette.text)], view.width, gutter(view.width)) if text else []


def _user(entry: UserEntry, view: View) -> list[Line]:
    skill = _SKILL.fullmatch(entry.text)
    if skill is None:
        return _said(entry.text, entry.images, view, entry.key)
    name, instructions, rest = skill.groups()
    open_ = view.unfolded(entry.key, view.tools_open)
    palette = view.palette
    left = [("skill ", palette.muted), (one_line(name), palette.user)]
    facts = [(count(line_count(instructions), "line"), palette.muted)]
    lines = [grounded(header(view, (_bar(view), palette.user), left, facts, entry.key), view)]
    if open_:
        lines += blocks_lines((TextBlock(text=instructions),), view, rail(view), entry.key)
    return lines + (_said(rest, entry.images, view, entry.key) if rest.strip() or entry.images else [])


def _bar(view: View) -> str:
    return ">" if view.palette.ascii_only else "▌"


def _said(text: str, images: tuple[ImageBlock, ...], view: View, key: str | None, muted: bool = False) -> list[Line]:
    palette = view.palette
    ground = palette.panel
    style = (palette.muted if muted else palette.text) + ground
    mark = palette.muted if muted else palette.user
    bar = [(cell, style + ground) for cell, style in gutter(view.width, _bar(view), mark)]
    source = sanitize(text).strip("\n")
    width = min(view.width, view.prose_width + spans_width(bar))
    lines = [grounded(line, view) for line in wrap_spans([(source, style)], width, bar, bar)] if source.strip() else []
    for image in images:
        lines += picture_lines(image, view, bar, key, folded=not view.whole, ground=ground)
    return lines


def sent_lines(sent: SentPrompt, view: View) -> list[Line]:
    """A prompt on its way: as it will look, but muted."""
    return _said(sent.text, sent.images, view, None, muted=True)


def _assistant(entry: AssistantEntry, view: View) -> list[Line]:
    meta = entry.meta
    if entry.retried:
        return _retried(entry, view)
    lines: list[Line] = []
    for index, block in enumerate(entry.blocks):
        drawn = _block(block, f"{entry.key}/{index}", view)
        if lines and drawn:
            lines.append(Line([], decoration=True))
        lines += drawn
    if meta is None:
        return lines
    error = _error(meta, entry.key, view)
    if lines and error:
        lines.append(Line([], decoration=True))
    return [*lines, *error, *_badge(meta, view), *(_meta(meta, view) if view.show_meta else [])]


def _block(block: AnyBlock, key: str, view: View) -> list[Line]:
    match block:
        case TextBlock():
            return markdown_lines(block.text, view) if block.text.strip() else []
        case ThinkingBlock():
            return thinking_lines(block.thinking, block.redacted, key, view)
        case _:
            return blocks_lines((block,), view, gutter(view.width), key)


def markdown_lines(text: str, view: View) -> list[Line]:
    """Markdown at the column of all text."""
    prefix = gutter(view.width)
    room = max(1, view.width - spans_width(prefix))
    drawn = render_markdown(text, room, view.palette, prose_width=view.prose_width)
    return [indented(line, prefix) for line in drawn]


def thinking_head(first: str, key: str, view: View, open_: bool, verb: str = "Thought") -> Line:
    """The row that stands for a thinking block."""
    style = view.palette.thinking
    spans: list[Span] = [(verb, style)]
    if first and not open_:
        spans.append((f"{dot(view.palette)}{first}", style))
    return header(view, ("~" if view.palette.ascii_only else "∴", style), spans, [], key)


def thinking_open(key: str, view: View) -> bool | None:
    """Whether a thinking block is shown in full (True), by its first line (False), or not at all (None)."""
    if view.unfolded(key, view.thinking is ThinkingView.FULL):
        return True
    return None if view.thinking is ThinkingView.HIDDEN else False


def thinking_lines(text: str, redacted: bool, key: str, view: View) -> list[Line]:
    """A thinking block as the view wants it."""
    open_ = thinking_open(key, view)
    if open_ is None or not (text.strip() or redacted):
        return []
    if not text.strip():
        return [thinking_head("redacted by the provider", key, view, False)]
    head = thinking_head(first_words(text), key, view, open_)
    if not open_:
        return [head]
    return [head, *words(text.strip("\n"), view.palette.thinking, view, gutter(view.width))]


def first_words(text: str) -> str:
    """The first line of a thought, without the marks some models make headings with."""
    return one_line(text.lstrip()[:1000].split("\n", 1)[0].strip().strip("*#").strip())


def _retried(entry: AssistantEntry, view: View) -> list[Line]:
    """One row for a part of an attempt that failed and was followed by another; all of it when unfolded."""
    palette, between = view.palette, dot(view.palette)
    spans = [("attempt failed, retried" if entry.meta else "discarded", palette.muted)]
    said = error_summary(entry.meta.error_message or "") if entry.meta else _block_text(next(iter(entry.blocks), None))
    spans += [(between + one_line(said), palette.muted)] if said.strip() else []
    lines = [header(view, ("x" if palette.ascii_only else "✗", palette.muted), spans, [], entry.key)]
    if view.unfolded(entry.key, view.tools_open):
        lines += words(plain_text(entry), palette.muted, view, rail(view), rail(view))
    return lines


def error_summary(message: str) -> str:
    """The words of a provider's error: the message inside the JSON many of them are wrapped in, or its first line."""
    found = re.search(r'"message"\s*:\s*"((?:[^"\\]|\\.){1,400})"', message[:4000])
    if found is None:
        return message.strip()[:400].split("\n", 1)[0]
    said = _unescaped(found[1])
    lead = message[: found.start()].split("{", 1)[0].strip(" :\n")
    return f"{lead}: {said}" if lead and len(lead) < 80 else said


def _unescaped(text: str) -> str:
    """What stands inside the quotes of a JSON string."""
    try:
        return str(json.loads(f'"{text}"'))
    except ValueError:
        return text


def _error(meta: MessageMeta, key: str, view: View) -> list[Line]:
    if meta.stop_reason == "aborted" or not (meta.error_message or meta.stop_reason == "error"):
        return []
    palette = view.palette
    message = (meta.error_message or "").strip() or "the provider gave no reason"
    bar = gutter(view.width, "!" if palette.ascii_only else "▌", palette.error)
    folds = _error_folds(message)
    open_ = not folds or view.unfolded(key, view.tools_open)
    lines = wrap_spans([(sanitize(message if open_ else error_summary(message)), palette.error)], view.width, bar, bar)
    if not open_:
        del lines[ERROR_LINES:]
    between = dot(palette)
    hint = f"send again to retry{between}{view.model_key} picks another model"
    hint += f"{between}{view.fold_key} shows {'less' if open_ else 'all of it'}" if folds else ""
    hints = wrap_spans([(hint, palette.muted)], view.width, bar, bar)
    for line in hints:
        line.decoration = True
    lines += hints
    for line in lines if folds else ():
        line.targets = (*line.targets, Target(TargetKind.FOLD, key))
    return lines


def _error_folds(message: str) -> bool:
    """Whether the provider said more than fits in a few rows."""
    message = message.strip()
    return len(message) > LONG_ERROR or message != error_summary(message)


_USUAL = frozenset({"", "stop", "toolUse", "error", "pending"})
_BADGES = {
    "aborted": "stopped", "length": "cut off: the answer reached the model's limit of output tokens",
    "deferred": "deferred by the provider",
}


def _badge(meta: MessageMeta, view: View) -> list[Line]:
    """How the message ended, when that is not the usual way."""
    if meta.stop_reason in _USUAL:
        return []
    palette = view.palette
    text = _BADGES.get(meta.stop_reason, f"ended: {one_line(meta.stop_reason)[:60]}")
    mark = "-" if palette.ascii_only else "⊘"
    return words(text, palette.warning, view, gutter(view.width, mark, palette.warning))


def _meta(meta: MessageMeta, view: View) -> list[Line]:
    parts = [one_line(meta.response_model or meta.model)[:60]]
    parts.append(f"thinking {one_line(meta.thinking_level)[:20]}" if meta.thinking_level else "")
    if meta.usage:
        up, down = ("in ", "out ") if view.palette.ascii_only else ("↑", "↓")
        parts.append(f"{up}{tokens_of(meta.usage.input + meta.usage.cache_read + meta.usage.cache_write)}")
        parts.append(f"{down}{tokens_of(meta.usage.output)}")
        parts.append(money(meta.usage.cost.total) if meta.usage.cost and meta.usage.cost.total else "")
    parts.append(seconds(meta.duration_ms / 1000) if meta.duration_ms is not None else "")
    text = dot(view.palette).join(part for part in parts if part)
    return [header(view, (" ", view.palette.muted), [(text, view.palette.muted)], [])] if text else []


def fold_keys(entry: Entry) -> tuple[str, ...]:
    """The keys of all that can be folded in an entry."""
    match entry:
        case UserEntry():
            return (entry.key,) if _SKILL.fullmatch(entry.text) else ()
        case AssistantEntry():
            failed = entry.meta is not None and _error_folds(entry.meta.error_message or "")
            if entry.retried:
                return (entry.key,)
            thoughts = [f"{entry.key}/{i}" for i, block in enumerate(entry.blocks) if isinstance(block, ThinkingBlock)]
            return (*thoughts, entry.key) if failed else tuple(thoughts)
        case ToolEntry():
            return (entry.key, *(key for child in entry.children for key in fold_keys(child)))
        case NoticeEntry():
            return (entry.key,) if notices_fold(entry) else ()
        case BashEntry() | CustomEntry() | SummaryEntry() | UnknownEntry():
            return (entry.key,)
        case _:
            assert_never(entry)


def plain_text(entry: Entry) -> str:
    """The source of an entry as a person would copy or search it; what is folded is in it too."""
    match entry:
        case UserEntry():
            return entry.text
        case AssistantEntry():
            parts = [_block_text(block) for block in entry.blocks]
            parts.append((entry.meta.error_message or "") if entry.meta else "")
            return "\n\n".join(part for part in parts if part)
        case ToolEntry():
            return tool_text(entry)
        case BashEntry():
            return f"$ {entry.command}\n{entry.output}"
        case CustomEntry():
            return "\n".join(part for part in (entry.custom_type, *map(_block_text, entry.blocks)) if part)
        case SummaryEntry():
            return entry.summary
        case NoticeEntry():
            return "\n".join(f"{n.source}: {n.text}" if n.source else n.text for n in entry.notices)
        case UnknownEntry():
            return f"{entry.label}\n{compact_json(entry.data)}"
        case _:
            assert_never(entry)


def _block_text(block: AnyBlock | None) -> str:
    match block:
        case None:
            return ""
        case TextBlock():
            return block.text
        case ThinkingBlock():
            return block.thinking
        case ToolCallBlock():
            return f"{block.name} {compact_json(block.arguments)}"
        case ImageBlock():
            return f"[{block.mime_type or 'image'}]"
        case _:
            return compact_json(block.model_dump())


def estimate_height(entry: Entry, view: View) -> int:
    """About how many lines an entry has, without laying it out; 0 only when it has none."""
    if entry.key in view.sources:
        return _wrapped(plain_text(entry), view)
    match entry:
        case UserEntry():
            return (_wrapped(entry.text, view) if entry.text.strip() else 0) + _pictures_height(entry, view)
        case AssistantEntry():
            return _assistant_height(entry, view)
        case ToolEntry():
            return estimate_tool(entry, view)
        case BashEntry():
            lines = line_count(entry.output)
            most = UNFOLDED if view.unfolded(entry.key, view.tools_open) else PREVIEW
            return 1 + (lines if view.whole or lines <= most + SPARE else most + 1)
        case CustomEntry():
            return 1 + min(13, sum(_wrapped(_block_text(block), view) for block in entry.blocks))
        case NoticeEntry():
            return min(4, len(entry.notices) + (entry.dropped > 0))
        case SummaryEntry():
            return 1 + (entry.kind is SummaryKind.COMPACTION)
        case UnknownEntry():
            return 1
        case _:
            assert_never(entry)


def _pictures_height(entry: UserEntry, view: View) -> int:
    return len(entry.images) * (1 + FOLDED_PICTURE[1] * view.show_images)


def _wrapped(text: str, view: View) -> int:
    return 1 + text.count("\n") + len(text) // max(1, view.width)


def _assistant_height(entry: AssistantEntry, view: View) -> int:
    if entry.retried:
        return 1
    heights: list[int] = []
    for block in entry.blocks:
        if isinstance(block, ThinkingBlock):
            open_ = thinking_open(f"{entry.key}/{len(heights)}", view)
            heights.append(_wrapped(block.thinking, view) if open_ else 1 if open_ is False else 0)
        else:
            heights.append(estimate_lines(_block_text(block), max(1, view.width - 3), view.prose_width))
    shown = [height for height in heights if height]
    meta = entry.meta
    ending = 0
    if meta is not None:
        failed = bool(meta.error_message) or meta.stop_reason == "error"
        ending = 2 * failed + (meta.stop_reason not in _USUAL) + view.show_meta
    return sum(shown) + max(0, len(shown) - 1) + ending


