"""A tool call as its row and what hangs below it. Built-in tools have bodies of their own; the rest show what they say.

Details of the built-in tools' results are those observed on pi 0.74 to 1.6.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property

from rich.style import Style

from pitui.render.body import SPARE, UNFOLDED, Body, filled, pretty_json
from pitui.render.diff import Diff, asked_diff, diff_of_edit, without_returns
from pitui.render.diffview import diff_lines
from pitui.render.highlight import language_of
from pitui.render.lines import Line, View
from pitui.render.rows import FOLDED_PICTURE, NARROW, TINY, header, indented
from pitui.render.subagents import read_tasks, task_lines
from pitui.render.text import Span, count
from pitui.render.titles import (
    TITLE,
    compact_json,
    elapsed,
    extent,
    first_line_number,
    glyph,
    line_count,
    one_line,
    path_argument,
    split_exit,
    title_spans,
    without_footer,
)
from pitui.rpc.messages import AnyBlock, ImageBlock, TextBlock
from pitui.session.state import ToolEntry, ToolState

NAME = 8
"""Cells the names of tools take at least, so that arguments stand below one another."""
TIME = 8
"""Cells of the column of times."""
DEEPEST = 8
"""Levels of calls inside calls that are drawn."""

PREVIEW = {"read": 0, "ls": 0, "find": 0, "grep": 4, "bash": 5, "write": 5, "edit": 12}
GLANCE = 3
"""Lines shown of a result that otherwise has no preview."""
PREVIEW_OTHERS = 4
PREVIEW_RUNNING = 8
PREVIEW_ERROR = 6
"""Source lines shown below a row while it is folded."""
WRITTEN = 40
"""Source lines shown of arguments that are still being written, unfolded."""
MENTIONED = 200
"""Characters of arguments from which their number is worth a word."""
TITLED = frozenset({"read", "write", "edit", "grep", "find", "ls"})
"""Tools of which the row's title is all that was asked for."""
NOUNS = {"grep": ("match", "matches"), "find": ("file", "files"), "ls": ("entry", "entries")}

NOTHING = {"grep": "no matches", "find": "no files", "ls": "empty", "read": "empty"}

MATCH = re.compile(r"\S.{0,400}?(?::[0-9]+:|-[0-9]+-) ?")
SCRIPT = re.compile(r"Script completed\nWall time [^\n]{0,40}\nOutput:\n?")
"""What codemode writes before the script's own output."""


def result_text(content: tuple[AnyBlock, ...]) -> str:
    """The texts of a result, one after another."""
    texts = [block.text for block in content if isinstance(block, TextBlock) and block.text]
    return texts[0] if len(texts) == 1 else "\n".join(text.removesuffix("\n") for text in texts)


class Call:
    """A call being drawn, and what its result says, read once."""

    def __init__(self, entry: ToolEntry, view: View) -> None:
        self.entry = entry
        self.view = view
        self.palette = view.palette
        self.arguments = entry.arguments
        self.open = view.unfolded(entry.key, view.tools_open)
        self.failed = entry.state is ToolState.FAILED
        self.writing = entry.state is ToolState.WRITING

    @cached_property
    def text(self) -> str:
        return result_text(self.entry.content)

    @cached_property
    def shell(self) -> tuple[str, str]:
        """What a shell command wrote, without the agent's closing remarks, and these in short."""
        ended = self.entry.state in (ToolState.FAILED, ToolState.STOPPED)
        text, remark = split_exit(self.text) if ended else (self.text, "")
        return (without_footer(text) if self.full_output else text), remark

    @cached_property
    def full_output(self) -> str:
        """The file the agent kept the whole output in; empty if there is none."""
        return _string(_member(self.entry.details, "fullOutputPath"))

    @cached_property
    def total_lines(self) -> int:
        """How many lines there were before the agent cut them; 0 if it did not say."""
        total = _member(_member(self.entry.details, "truncation"), "totalLines")
        return total if isinstance(total, int) and 0 < total < 10**12 else 0

    @cached_property
    def diff(self) -> tuple[Diff, bool]:
        """What an edit changes, and whether its file ends lines with CR LF."""
        if self.writing:
            return asked_diff(self.arguments), False
        return without_returns(diff_of_edit(self.arguments, self.entry.details))

    def match(self, line: str) -> list[Span]:
        """A line of grep: where, muted, then what."""
        found = MATCH.match(line)
        at = found.end() if found else 0
        return [(line[:at], self.palette.muted), (line[at:], self.palette.text)]

    def path(self, line: str) -> list[Span]:
        """A line of find or ls: the folder muted."""
        at = line.rstrip("/").rfind("/") + 1
        return [(line[:at], self.palette.muted), (line[at:], self.palette.text)]

    @property
    def language(self) -> str:
        return language_of(path_argument(self.arguments))

    @property
    def pictures(self) -> list[ImageBlock]:
        return [block for block in self.entry.content if isinstance(block, ImageBlock)]


def _member(value: object, name: str) -> object:
    return value.get(name) if isinstance(value, dict) else None


def _string(value: object) -> str:
    return value if isinstance(value, str) else ""


def render_tool(entry: ToolEntry, view: View, depth: int = 0) -> list[Line]:
    """The row of a call, what hangs below it, and the calls made inside it."""
    call = Call(entry, view)
    limit = _limit(call)
    body = filled(view, entry.key, limit, lambda body: _fill(call, body), SPARE if limit else GLANCE)
    children = _children(entry, view, depth) if depth < DEEPEST else []
    return [_row(call), *children, *body.finish()]


def _limit(call: Call) -> int | None:
    """How many source lines are shown. Even unfolded, arguments still being written show only their end."""
    if call.open:
        return WRITTEN if call.writing else None
    if call.failed or call.entry.arguments_error:
        return PREVIEW_ERROR
    if call.writing or call.entry.state is ToolState.RUNNING:
        return PREVIEW_RUNNING
    return PREVIEW.get(call.entry.name, PREVIEW_OTHERS)


def _children(entry: ToolEntry, view: View, depth: int) -> list[Line]:
    indent = 2 if view.width >= NARROW else 1 if view.width >= TINY else 0
    prefix = [(" " * indent, Style.null())]
    inner = replace(view, width=view.width - indent)
    return [indented(line, prefix) for child in entry.children for line in render_tool(child, inner, depth + 1)]


def _row(call: Call) -> Line:
    name = one_line(call.entry.name)[:40] or "tool"
    name = f"{name:<{NAME}}" if call.view.width >= NARROW * 2 and len(name) < NAME else f"{name} "
    left = [(name, call.palette.tool), *title_spans(call.entry, call.view)]
    return header(call.view, glyph(call.entry, call.view), left, _facts(call), call.entry.key)


def _facts(call: Call) -> list[Span]:
    """Size of the outcome, then the time; each in its own column."""
    running = call.entry.state is ToolState.RUNNING
    time = elapsed(call.entry.duration_ms, call.entry.started, running, call.view)
    said = _said(call)
    if not said and not time:
        return []
    return [*said, (f"{time:>{TIME}}", call.palette.accent if running else call.palette.muted)]


def _said(call: Call) -> list[Span]:
    palette = call.palette
    match call.entry.state:
        case ToolState.WAITING:
            return [("waiting", palette.muted)]
        case ToolState.STOPPED:
            return [("stopped", palette.warning)]
        case ToolState.FAILED:
            remark = call.shell[1] if call.entry.name == "bash" else ""
            return [(remark or "failed", palette.error)]
        case ToolState.WRITING:
            size = sum(len(value) for value in call.arguments.values() if isinstance(value, str))
            return [(count(size, "character"), palette.muted)] if size > MENTIONED else []
        case ToolState.RUNNING | ToolState.DONE:
            return _size(call)


def _size(call: Call) -> list[Span]:
    name, palette = call.entry.name, call.palette
    if name == "edit":
        return _changes(call)
    if name == "write":
        content = call.arguments.get("content")
        return [(count(line_count(content), "line"), palette.muted)] if isinstance(content, str) else []
    if call.pictures:
        return [(count(len(call.pictures), "image"), palette.muted)]
    lines = call.total_lines or (line_count(call.text.strip("\n")) if name in NOUNS else 0)
    said = count(lines, *NOUNS.get(name, ("line",))) if lines else extent(_seen(call).strip("\n"))
    if not said and call.entry.state is ToolState.DONE:
        said = NOTHING.get(name, "no output")
    return [(said, palette.muted)] if said else []


def _seen(call: Call) -> str:
    """The text of a result as it is shown."""
    name = call.entry.name
    if name == "bash":
        return call.shell[0]
    if BODIES.get(name, _codemode) is not _codemode:
        return call.text
    text = SCRIPT.sub("", call.text, count=1) if name == "codemode" else call.text
    return pretty_json(text) or text


def _changes(call: Call) -> list[Span]:
    diff, palette = call.diff[0], call.palette
    added, removed = diff.added, diff.removed
    spans = [("white space  ", palette.muted)] if diff.blank_only else []
    spans += [(f"+{added}", palette.success)] if added else []
    spans += [(" ", palette.muted)] if added and removed else []
    return spans + ([(f"-{removed}", palette.error)] if removed else [])


def _fill(call: Call, body: Body) -> None:
    if call.entry.arguments_error:
        body.message(f"arguments could not be read: {call.entry.arguments_error}", call.palette.error)
    if call.open and call.entry.name in TITLED and not _title_fits(call):
        body.message("".join([text for text, _style in title_spans(call.entry, call.view)]), call.palette.text)
    BODIES.get(call.entry.name, _other)(call, body)
    if call.full_output:
        body.full_output(call.full_output)


def _title_fits(call: Call) -> bool:
    """Whether the row of a call has room for all that it is about."""
    title = "".join([text for text, _style in title_spans(call.entry, call.view)])
    return len(title) < TITLE and title in _row(call).text


def _bash(call: Call, body: Body) -> None:
    command = _string(call.arguments.get("command")).strip()
    if ("\n" in command and call.writing) or (call.open and ("\n" in command or not _title_fits(call))):
        body.code(command, "bash", tail=call.writing)
    body.output(call.shell[0], call.palette.text, tail=True)
    _pictures(call, body)


def _pictures(call: Call, body: Body) -> None:
    for block in call.pictures:
        body.picture(block)


def _read(call: Call, body: Body) -> None:
    if call.failed:
        body.message(call.text, call.palette.error)
        return
    start = first_line_number(call.arguments)
    for block in call.entry.content:
        if isinstance(block, ImageBlock):
            body.picture(block)
        elif isinstance(block, TextBlock) and not call.pictures:
            body.code(block.text, call.language, start)
            start += line_count(block.text)
        elif isinstance(block, TextBlock) and not block.text.startswith("Read image file"):
            body.output(block.text)


def _write(call: Call, body: Body) -> None:
    _remarks(call, body)
    content = call.arguments.get("content")
    if isinstance(content, str) and (call.open or not call.failed):
        body.code(content, call.language, 1, tail=call.writing)


def _edit(call: Call, body: Body) -> None:
    _remarks(call, body)
    if call.failed and not call.open:
        return
    diff, returns = call.diff
    if returns and call.open:
        body.note("lines end with CR LF", call.palette.muted)
    body.diff(diff, lambda part: diff_lines(part, call.language, call.view, body.prefix), tail=call.writing)


def _remarks(call: Call, body: Body) -> None:
    """What a tool whose outcome is drawn says besides: its error, or anything unusual."""
    if call.failed:
        body.message(call.text, call.palette.error)
    elif call.open and not call.text.startswith("Successfully "):
        body.output(call.text)
    _pictures(call, body)


def _listing(call: Call, body: Body) -> None:
    if call.failed:
        body.message(call.text, call.palette.error)
    else:
        body.output(call.text, call.palette.text, paint=call.match if call.entry.name == "grep" else call.path)
    _pictures(call, body)


def _codemode(call: Call, body: Body) -> None:
    code = call.arguments.get("code")
    if isinstance(code, str) and (call.open or call.writing):
        body.code(code, "javascript", tail=call.writing)
        if call.text:
            body.space()
    _result(call, body, SCRIPT)


def _other(call: Call, body: Body) -> None:
    if call.arguments and (call.open or call.writing):
        body.values(call.arguments)
        if call.entry.content or call.entry.details:
            body.space()
    tasks = read_tasks(call.entry.details)
    if tasks:
        body.lines += task_lines(tasks, call.view, body.prefix)
    if call.open or not tasks:
        if tasks and call.text:
            body.space()
        _result(call, body)


def _result(call: Call, body: Body, preamble: re.Pattern[str] | None = None) -> None:
    """The blocks of a result in their order, without what every result of this tool begins with."""
    for block in call.entry.content:
        if isinstance(block, ImageBlock):
            body.picture(block)
        elif isinstance(block, TextBlock) and call.failed:
            body.message(block.text, call.palette.error)
        elif isinstance(block, TextBlock):
            body.text(preamble.sub("", block.text, count=1) if preamble else block.text)
        else:
            body.values(block.model_dump())


BODIES: Mapping[str, Callable[[Call, Body], None]] = {
    "bash": _bash, "read": _read, "write": _write, "edit": _edit, "grep": _listing, "find": _listing, "ls": _listing,
    "codemode": _codemode,
}


def estimate_tool(entry: ToolEntry, view: View) -> int:
    """About how many lines a call has, without reading its result closer than counting its line breaks."""
    call = Call(entry, view)
    source = call.text
    if entry.name == "write":
        source = _string(call.arguments.get("content"))
    elif entry.name == "edit" and not call.failed:
        source = _string(_member(entry.details, "patch")) or _string(_member(entry.details, "diff"))
    lines, limit = line_count(source), _limit(call)
    if limit is None:
        below = lines if view.whole else min(lines, UNFOLDED + 1)
    else:
        below = lines if lines <= limit + (SPARE if limit else GLANCE) else limit + (limit > 0)
    below += len(call.pictures) * (1 + FOLDED_PICTURE[1] * view.show_images)
    return 1 + below + bool(call.full_output) + sum(estimate_tool(child, view) for child in entry.children)


def tool_text(entry: ToolEntry) -> str:
    """A call as a person would copy it: what was asked for, then what came back."""
    parts = [_asked(entry)]
    if entry.arguments_error:
        parts.append(entry.arguments_error)
    parts.append(result_text(entry.content))
    parts += [tool_text(child) for child in entry.children]
    return "\n".join(part for part in parts if part)


def _asked(entry: ToolEntry) -> str:
    command = entry.arguments.get("command")
    if entry.name == "bash" and isinstance(command, str):
        return f"$ {command}"
    lines = [entry.name]
    for name, value in entry.arguments.items():
        lines.append(f"{name}: {value if isinstance(value, str) else compact_json(value)}")
    return "\n".join(lines)
