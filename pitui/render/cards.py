"""Entries that are no talk: shell commands of the person, summaries, notices, extensions' messages, unknown things."""

from __future__ import annotations

from rich.style import Style

from pitui.render.body import SPARE, Body, filled
from pitui.render.lines import Line, Target, TargetKind, View
from pitui.render.markdown import render_markdown
from pitui.render.rows import gutter, header, indented, more, rail, rule, words
from pitui.render.text import Span, count, sanitize, spans_width, tokens
from pitui.render.titles import (
    TITLE,
    compact_json,
    dot,
    elapsed,
    ellipsis,
    extent,
    line_count,
    one_line,
    spinner,
    without_footer,
)
from pitui.rpc.messages import AnyBlock, ImageBlock, TextBlock, ThinkingBlock
from pitui.session.state import (
    BashEntry,
    CustomEntry,
    Level,
    Notice,
    NoticeEntry,
    SummaryEntry,
    SummaryKind,
    UnknownEntry,
)

PREVIEW = 6
PREVIEW_RUNNING = 10
"""Lines of a shell command's output shown while it is folded."""
NOTICES = 3
"""Notices of a flood that are shown while it is folded."""
CUSTOM_LINES = 12
"""Rows of an extension's message shown while it is folded."""
MOST_TOKENS = 10**15


def tokens_of(number: int) -> str:
    """Tokens in words, whatever number the agent claims."""
    return tokens(max(0, min(number, MOST_TOKENS)))


def render_bash(entry: BashEntry, view: View) -> list[Line]:
    """A command the person ran, and its output."""
    palette = view.palette
    open_ = view.unfolded(entry.key, view.tools_open)
    command, _, others = entry.command.strip("\n").partition("\n")
    left: list[Span] = [("$ ", palette.user), (one_line(command), palette.text)]
    if others and not open_:
        left.append((f" {ellipsis(palette)} +{count(line_count(others), 'line')}", palette.muted))
    lines = [header(view, _bash_mark(entry, view), left, _bash_facts(entry, view), entry.key)]
    if entry.excluded:
        lines += words("not in the agent's context", palette.muted, view, rail(view))
    clipped = one_line(command) not in lines[0].text or len(command) >= TITLE
    output = without_footer(entry.output) if entry.full_output_path else entry.output

    def fill(body: Body) -> None:
        if open_ and (others or clipped):
            body.code(entry.command.strip("\n") if clipped else others, "bash")
        body.output(output, palette.text, tail=True)
        if entry.full_output_path:
            body.full_output(entry.full_output_path)
        elif entry.truncated:
            body.note("the beginning was cut off by the agent", palette.muted)

    limit = None if open_ else PREVIEW_RUNNING if entry.running else PREVIEW
    return lines + filled(view, entry.key, limit, fill).finish()


def _bash_mark(entry: BashEntry, view: View) -> Span:
    palette = view.palette
    if entry.running:
        return spinner(view), palette.accent
    if entry.cancelled:
        return ("-" if palette.ascii_only else "⊘"), palette.warning
    if entry.exit_code not in (0, None):
        return ("x" if palette.ascii_only else "✗"), palette.error
    return ("*" if palette.ascii_only else "●"), palette.success


def _bash_facts(entry: BashEntry, view: View) -> list[Span]:
    palette = view.palette
    if entry.running:
        return [(elapsed(None, entry.started, True, view), palette.accent)]
    if entry.cancelled:
        return [("stopped", palette.warning)]
    if entry.exit_code not in (0, None):
        return [(f"exit {entry.exit_code}"[:16], palette.error)]
    return [(extent(entry.output.strip("\n")) or "no output", palette.muted)]


def render_custom(entry: CustomEntry, view: View) -> list[Line]:
    """A message of an extension: its type as a label, then what it says."""
    palette = view.palette
    label = one_line(entry.custom_type)[:60] or "extension"
    mark = ("+" if palette.ascii_only else "◆", palette.accent)
    lines = [header(view, mark, [(label, palette.accent)], [], entry.key)]
    content = blocks_lines(entry.blocks, view, rail(view), entry.key)
    if view.unfolded(entry.key, view.tools_open):
        body = Body(view, entry.key, None)
        if entry.details is not None:
            body.lines += content
            body.space()
            body.values(entry.details if isinstance(entry.details, dict) else {"details": entry.details})
        return lines + (body.lines or content)
    if len(content) > CUSTOM_LINES + SPARE:
        shown = CUSTOM_LINES
        while shown > 1 and not content[shown - 1].text.strip(" │|"):
            shown -= 1
        hidden = len(content) - shown
        content[shown:] = [more(view, count(hidden, "more line"), entry.key, rail(view))]
    return lines + content


def blocks_lines(blocks: tuple[AnyBlock, ...], view: View, prefix: list[Span], key: str) -> list[Line]:
    """Content of a message that is no assistant's, in its order: markdown, pictures, values."""
    lines: list[Line] = []
    body = Body(view, key, None)
    body.prefix = prefix
    room = max(1, view.width - spans_width(prefix))
    for block in blocks:
        start = len(body.lines)
        match block:
            case TextBlock():
                drawn = render_markdown(block.text, room, view.palette, prose_width=view.prose_width)
                lines += [indented(line, prefix) for line in drawn] if block.text.strip() else []
            case ThinkingBlock():
                lines += words(block.thinking, view.palette.thinking, view, prefix, prefix)
            case ImageBlock():
                body.picture(block)
            case _:
                body.values(block.model_dump())
        lines += body.lines[start:]
    return lines


def render_summary(entry: SummaryEntry, view: View) -> list[Line]:
    """A divider where the model's memory begins anew, or a card for a branch that was left; the summary unfolds."""
    palette = view.palette
    open_ = view.unfolded(entry.key, view.tools_open)
    verb = "hides" if open_ else "shows"
    if entry.kind is SummaryKind.COMPACTION:
        arrow = " -> " if palette.ascii_only else " → "
        sizes = [tokens_of(number) for number in (entry.tokens_before, entry.tokens_after) if number is not None]
        label = " ".join(["compacted", arrow.join(sizes)]) if sizes else "compacted"
        hint = f"{dot(palette)}{view.fold_key} {verb} the summary"
        line = rule(view, [(label, palette.text), (hint, palette.muted)], palette.muted)
    else:
        said = "" if open_ else one_line(entry.summary)
        left = [("left a branch", palette.text), *([(f"{dot(palette)}{said}", palette.muted)] if said else [])]
        line = header(view, ("\\" if palette.ascii_only else "↳", palette.muted), left, [], entry.key)
    line.targets = (Target(TargetKind.FOLD, entry.key),)
    if not open_:
        return [line] if entry.kind is SummaryKind.BRANCH else [line, *_glimpse(entry, view)]
    prefix = gutter(view.width) if entry.kind is SummaryKind.COMPACTION else rail(view)
    return [line, *blocks_lines((TextBlock(text=entry.summary),), view, prefix, entry.key)]


def _glimpse(entry: SummaryEntry, view: View) -> list[Line]:
    """The first line of a summary, and the first below it if that is only a heading."""
    said = [line for line in entry.summary[:2000].split("\n") if line.strip(" #*-")][:2]
    shown = said[:1] if said and not said[0].lstrip().startswith("#") else said
    text = dot(view.palette).join(one_line(line).strip("#*- ") for line in shown)
    if not text:
        return []
    line = header(view, (" ", view.palette.muted), [(text, view.palette.muted)], [], entry.key)
    line.decoration = True
    return [line]


_MARKS = {Level.INFO: ("i", "·"), Level.WARNING: ("!", "▲"), Level.ERROR: ("x", "✗")}


def _style(level: Level, view: View) -> Style:
    palette = view.palette
    return {Level.INFO: palette.muted, Level.WARNING: palette.warning, Level.ERROR: palette.error}[level]


def notices_fold(entry: NoticeEntry) -> bool:
    """Whether there is more in the notices than a glance should meet."""
    return len(entry.notices) > NOTICES + 1 or any(notice.text.count("\n") > PREVIEW for notice in entry.notices)


def render_notices(entry: NoticeEntry, view: View) -> list[Line]:
    """Notices; of many the last few, of long ones the beginning."""
    folds = notices_fold(entry)
    open_ = view.unfolded(entry.key, view.tools_open or not folds)
    shown = entry.notices if open_ else entry.notices[-NOTICES:]
    hidden = len(entry.notices) - len(shown)
    lines: list[Line] = []
    if hidden:
        lines.append(more(view, count(hidden + entry.dropped, "earlier notice"), entry.key, gutter(view.width)))
    elif entry.dropped:
        lost = f"{count(entry.dropped, 'older notice')} not kept"
        lines += words(lost, view.palette.muted, view, gutter(view.width))
    for notice in shown:
        rows = _notice(notice, view)
        if not open_ and len(rows) > PREVIEW:
            rows[PREVIEW - 1 :] = [more(view, "more", entry.key, gutter(view.width))]
        lines += rows
    if folds and lines:
        lines[0].targets = (Target(TargetKind.FOLD, entry.key),)
    return lines


def _notice(notice: Notice, view: View) -> list[Line]:
    style = _style(notice.level, view)
    mark = _MARKS[notice.level][0 if view.palette.ascii_only else 1]
    source = f"{one_line(notice.source)[:40]}: " if notice.source.strip() else ""
    return words(source + sanitize(notice.text).strip("\n"), style, view, gutter(view.width, mark, style))


def render_unknown(entry: UnknownEntry, view: View) -> list[Line]:
    """Something without a picture: what it is called, and its values when unfolded."""
    palette = view.palette
    open_ = view.unfolded(entry.key, view.tools_open)
    left = [(one_line(entry.label)[:80] or "unknown", palette.muted)]
    if not open_ and entry.data:
        left.append((f"  {one_line(compact_json(dict(list(entry.data.items())[:8])))}", palette.muted))
    lines = [header(view, ("?", palette.muted), left, [], entry.key)]
    body = Body(view, entry.key, None if open_ else 0)
    body.values(entry.data)
    return lines + body.lines
