"""Entries of every kind, sound or hostile, and what must hold of any line."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st
from rich.cells import cell_len

from pitui.render.lines import Line, ThinkingView, View
from pitui.render.palette import default_palette
from pitui.render.placeholders import PLACEHOLDER
from pitui.rpc.messages import AnyBlock, ImageBlock, TextBlock, ThinkingBlock, ToolCallBlock, UnknownBlock, Usage
from pitui.rpc.wire import JsonObject
from pitui.session.state import (
    AssistantEntry,
    BashEntry,
    CustomEntry,
    Entry,
    Level,
    MessageMeta,
    Notice,
    NoticeEntry,
    SummaryEntry,
    SummaryKind,
    ToolEntry,
    ToolState,
    UnknownEntry,
    UserEntry,
)

DARK = default_palette(True)
PLAIN = default_palette(False, ascii_only=True)
PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgAAACAAAB4iG8MwAAAABJRU5ErkJggg=="
CONTROLS = (
    "start \x1b[?1049h\x1b[2J\x1b[31mred\x1b[0m \x1b]52;c;aGVsbG8=\x07 \x1b]0;owned\x07 \x1b]8;;http://x.test\x1b\\link"
    "\x1b]8;;\x1b\\ \x9b2J \x9dtitle\x9c q \x1bc \x1b[6n bell\x07 back\bspace nul\0 \u202eevil\u2066 10%\r99% "
    "\u2028 \x85 \ud800 \U0010eeee\u0305\u0305 &#x10eeee; <http://x.test/%F4%8E%BB%AE> \x1b]unterminated end"
)
MARKUP = "[red]x[/red] [/] [@click=app.quit]press[/] [link=file:///etc]y[/link]"
FORBIDDEN = frozenset("\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\U0010eeee")


def look(width: int = 80, **options: Any) -> View:  # noqa: ANN401  # any field of a view by its name
    """A view as most tests want it."""
    return View(**{"width": width, "palette": DARK, "cwd": "/w/reader", "home": "/home/u", **options})


def thought(text: str = "", redacted: bool = False) -> ThinkingBlock:
    """A thinking block as the agent sends it."""
    return ThinkingBlock(thinking=text, redacted=redacted)


def shown(lines: Sequence[Line]) -> str:
    """The rows as a person sees them, without blanks at their right."""
    return "\n".join(line.text.rstrip() for line in lines)


def copied(lines: Sequence[Line]) -> str:
    """What a copy of the lines gives, by the terms of `Line`."""
    pieces: list[str] = []
    for line in lines:
        if line.decoration:
            continue
        text = _between(line) if line.source is None else line.source
        pieces.append(("\n" if line.joins is None else line.joins) + text)
    return "".join(pieces).removeprefix("\n")


def _between(line: Line) -> str:
    kept, column, end = "", 0, cell_len(line.text) - line.trailing
    for character in line.text:
        if line.gutter <= column < end:
            kept += character
        column += cell_len(character)
    return kept


def check_lines(lines: Sequence[Line], width: int) -> None:
    """No row is wider than the view, holds a control character, or marks cells that are not there."""
    for line in lines:
        cells = cell_len(line.text)
        assert cells <= width
        assert line.gutter >= 0 <= line.trailing
        assert line.gutter + line.trailing <= cells
        assert all(target.start >= 0 and (target.end is None or target.end <= cells) for target in line.targets)
        forbidden = FORBIDDEN - {PLACEHOLDER} if line.picture is not None else FORBIDDEN
        assert not [c for c in line.text if unicodedata.category(c) in ("Cc", "Cs") or c in forbidden]
        assert all(segment.control is None for segment in line.segments)


PIECES = (
    CONTROLS, MARKUP, "\n", "\r\n", "\t", "漢字かな", "👩‍👩‍👧 🇯🇵 ❄️", "e\u0301\u0301", "\x1b[3", "1m", "```py\n",
    "x" * 90, "| a | b |\n|---|---|\n", "# h", "- [ ] x",
    '<skill name="n" location="l">\nbody\n</skill>\n', '{"a": [1]}',
    "@@ -1,2 +1,3 @@\n-a\n+b\n c\n", "+  1 a\n-  2 b", "Command exited with code 3", " ",
)


@st.composite
def texts(draw: st.DrawFn) -> str:
    """Any text, or pieces that mean something to a terminal, to markdown or to the agent."""
    if draw(st.booleans()):
        return draw(st.text(max_size=30))
    return "".join(draw(st.lists(st.sampled_from(PIECES), max_size=6)))


TEXT = texts()
KEY = st.sampled_from(["k", "tool:a", "assistant:1:0"])
NUMBER = st.one_of(st.none(), st.floats(), st.floats(0, 1e7))
COUNT = st.one_of(st.none(), st.integers(), st.integers(0, 10**6))
JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), TEXT),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(TEXT, inner, max_size=3)), max_leaves=6,
)
IMAGES = st.builds(ImageBlock, data=st.one_of(TEXT, st.just(PNG), st.just("QUJDQUJD")), mime_type=TEXT)
OBJECT = st.dictionaries(TEXT, JSON, max_size=3)
BLOCKS = st.lists(st.one_of(
    st.builds(TextBlock, text=TEXT), st.builds(ThinkingBlock, thinking=TEXT, redacted=st.booleans()), IMAGES,
    st.builds(ToolCallBlock, id=TEXT, name=TEXT, arguments=OBJECT, arguments_error=st.one_of(st.none(), TEXT)),
    st.builds(lambda data: UnknownBlock.model_validate({"type": "deferredThing", "x": data}), JSON),
), max_size=3).map(tuple)
ARGUMENTS = st.builds(
    lambda base, known: {**base, **known}, OBJECT,
    st.fixed_dictionaries({}, optional={
        "path": TEXT, "command": TEXT, "content": TEXT, "oldText": TEXT, "newText": TEXT, "pattern": TEXT, "code": TEXT,
        "offset": COUNT, "limit": COUNT, "edits": st.lists(st.dictionaries(
            st.sampled_from(["oldText", "newText"]), TEXT, max_size=2), max_size=2),
    }),
)
DETAILS = st.one_of(JSON, st.fixed_dictionaries({}, optional={
    "patch": TEXT, "diff": TEXT, "fullOutputPath": TEXT, "truncation": st.fixed_dictionaries({"totalLines": COUNT}),
    "results": st.lists(st.fixed_dictionaries({"agent": TEXT}, optional={
        "task": JSON, "messages": JSON, "usage": OBJECT, "exitCode": JSON, "errorMessage": JSON,
    }), max_size=2),
    "messages": st.lists(st.fixed_dictionaries({"role": st.just("assistant"), "content": JSON}), max_size=2),
}))
NAMES = st.one_of(TEXT, st.sampled_from(["bash", "read", "write", "edit", "grep", "find", "ls", "codemode"]))
TOOLS: st.SearchStrategy[ToolEntry] = st.recursive(
    st.builds(
        ToolEntry, KEY, TEXT, NAMES, ARGUMENTS, st.one_of(st.none(), TEXT), st.sampled_from(ToolState), BLOCKS, DETAILS,
        NUMBER, NUMBER,
    ),
    lambda inner: st.builds(
        ToolEntry, KEY, TEXT, NAMES, ARGUMENTS, st.none(), st.sampled_from(ToolState), BLOCKS, DETAILS, NUMBER, NUMBER,
        st.lists(inner, max_size=2).map(tuple),
    ),
    max_leaves=3,
)
USAGE = st.builds(
    lambda numbers, cost: Usage.model_validate({**numbers, "cost": {"total": cost}}),
    st.dictionaries(st.sampled_from(["input", "output", "cacheRead"]), st.integers()), st.floats(),
)
META = st.builds(
    MessageMeta, TEXT, TEXT, st.one_of(st.none(), TEXT), st.one_of(st.none(), TEXT), st.one_of(st.none(), USAGE),
    st.one_of(TEXT, st.sampled_from(["stop", "length", "toolUse", "error", "aborted", "deferred"])),
    st.one_of(st.none(), TEXT, TEXT.map(lambda text: json.dumps({"error": {"message": text}}))), NUMBER, NUMBER,
)
ENTRIES: st.SearchStrategy[Entry] = st.one_of(
    st.builds(UserEntry, KEY, TEXT, st.lists(IMAGES, max_size=2).map(tuple)),
    st.builds(AssistantEntry, KEY, BLOCKS, st.one_of(st.none(), META), st.booleans()),
    TOOLS,
    st.builds(
        BashEntry, KEY, TEXT, TEXT, COUNT, st.booleans(), st.booleans(), st.booleans(), st.one_of(st.none(), TEXT),
        st.booleans(), st.none(), NUMBER,
    ),
    st.builds(CustomEntry, KEY, TEXT, BLOCKS, DETAILS),
    st.builds(SummaryEntry, KEY, st.sampled_from(SummaryKind), TEXT, COUNT, COUNT),
    st.builds(NoticeEntry, KEY, st.lists(st.builds(Notice, st.sampled_from(Level), TEXT, TEXT), max_size=7).map(tuple),
              st.integers(0, 9)),
    st.builds(UnknownEntry, KEY, TEXT, OBJECT),
)
VIEWS = st.builds(
    View, st.integers(1, 200), st.sampled_from([DARK, PLAIN]), st.booleans(), st.sampled_from(ThinkingView),
    st.frozensets(KEY, max_size=1), st.frozensets(KEY, max_size=1), st.frozensets(KEY, max_size=1), st.integers(1, 120),
    st.booleans(), st.booleans(), st.floats(0, 1e6), st.integers(0, 99), TEXT, TEXT,
)


def hostile(text: str) -> dict[str, Entry]:
    """One entry of every kind with the same text in every field a stranger fills."""
    data: JsonObject = {text: {text: [text]}, "path": text, "command": text}
    blocks: tuple[AnyBlock, ...] = (TextBlock(text=text), ImageBlock(data=text, mime_type=text))
    call = ToolCallBlock(id=text, name=text, arguments=data, arguments_error=text)
    meta = MessageMeta(text, text, text, text, None, text, text)
    arguments = {**data, "content": text, "pattern": text, "code": text, "oldText": text, "newText": text * 2}
    details = {"fullOutputPath": text, "results": [{"agent": text, "task": text}]}
    return {
        "user": UserEntry("k", text, (ImageBlock(data=text, mime_type=text),)),
        "assistant": AssistantEntry("k", (*blocks, thought(text), call), meta),
        "retried": AssistantEntry("k", blocks, meta, True),
        "custom": CustomEntry("k", text, blocks, data),
        "bash entry": BashEntry("k", text, text, 1, full_output_path=text),
        "compaction": SummaryEntry("k", SummaryKind.COMPACTION, text),
        "branch": SummaryEntry("k", SummaryKind.BRANCH, text),
        "notice": NoticeEntry("k", (Notice(Level.ERROR, text, text),)),
        "unknown": UnknownEntry("k", text, data),
        **{
            name: ToolEntry("k", text, name, arguments, text, ToolState.DONE, blocks, details)
            for name in ("bash", "read", "write", "edit", "grep", "ls", "codemode", text)
        },
    }
