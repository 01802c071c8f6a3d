"""The open end of a markdown text that is still being written, in one of a few states.

Each part takes what is certain from the beginning of the text, appending lines that stay, and drafts lines for the
rest. Parts never cost more than what is new, within a constant factor.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from markdown_it.token import Token
from rich.style import Style

from pitui.render.blocks import BlockLayout, Place, language
from pitui.render.cells import spans_width
from pitui.render.containers import Containers
from pitui.render.flow import Flow
from pitui.render.highlight import LineHighlighter
from pitui.render.inline import inline_spans, text_spans
from pitui.render.lines import Line, Palette
from pitui.render.parser import MARKS, parser, split_row
from pitui.render.tables import Row, Table, TableLayout, column_widths
from pitui.render.wrap import Span

LONG_PARAGRAPH = 600
"""Characters from which on an open paragraph is laid out piece by piece."""

LONG_LINE = 4_000
"""Characters from which on an unfinished line is laid out piece by piece."""

_INTERRUPTS = "#{1,6}[ \\t\\n]|>|```|~~~|[-+*][ \\t]|\\d{1,9}[.)][ \\t]|</?[a-zA-Z]|<[!?]|(?:[-*_][ \\t]*){3,}\\n"
_PARAGRAPH_END = re.compile(f"\\n(?=[ \\t]*\\n| {{0,3}}(?:{_INTERRUPTS}))")
_NO_ROW = re.compile(f"[ \\t]*\\n| {{0,3}}(?:{_INTERRUPTS})|    ")


@dataclass(slots=True)
class Scene:
    """What parts draw with; `references` are the link definitions so far."""

    width: int
    prose_width: int
    palette: Palette
    base: Style
    references: dict[str, dict[str, str]] = field(default_factory=dict)

    def layout(
        self, lines: list[Line], skip: int = 0, until: int = sys.maxsize, *, apart: bool = False,
        leaf: Token | None = None,
    ) -> BlockLayout:  # fmt: skip
        """A layout that appends to `lines`."""
        return BlockLayout(
            self.width, self.prose_width, self.palette, self.base, lines, skip, until, apart=apart, leaf=leaf
        )

    def parse(self, text: str) -> list[Token]:
        """Block and inline tokens of `text`; what it defines is not kept."""
        return parser().parse(text, {"references": dict(self.references)})

    def inline(self, text: str) -> list[Span]:
        """The runs of a paragraph's text."""
        if not MARKS.search(text):
            return text_spans(text, self.palette, self.base)
        tokens = parser().parseInline(text, {"references": self.references})
        return inline_spans(tokens[0], self.palette, self.base)


@dataclass(slots=True)
class Taken:
    """What a part did: `text` is left over, `part` is next (None: the same). Lines from `changed` on are new."""

    text: str
    part: Part | None = None
    changed: int | None = None


class Part(Protocol):
    """One state of the open end."""

    def take(self, text: str, lines: list[Line]) -> Taken:
        """Append lines for what is certain in `text`."""

    def draft(self, text: str, lines: list[Line]) -> None:
        """Append lines for `text`, what is left, as it looks if nothing follows."""


class FencePart:
    """Inside a fence: a line at a time, the highlighter's state carried on.

    Args:
        mark: the fence (three or more backticks or tildes). `indent`: columns it is indented by.
        place, around: where it stands, and in what.
    """

    def __init__(
        self, scene: Scene, mark: str, info: str, indent: int, place: Place, around: Containers, after: Part
    ) -> None:
        self._scene, self._indent, self._after = scene, indent, after
        self._first, self._rest, self._around = place.first, place.rest, around
        self._layout = scene.layout([])
        self._info = info
        self._highlighter = LineHighlighter(language(info), scene.palette, self._layout.code_base)
        self._close = re.compile(f" {{0,3}}{re.escape(mark)}{re.escape(mark[0])}*[ \\t]*")
        self._partial_close = re.compile(f" {{0,3}}{re.escape(mark[0])}*[ \\t]*")
        self._long: Flow | None = None

    def take(self, text: str, lines: list[Line]) -> Taken:
        if self._info:
            lines += self._layout.code_label(self._info, self._first, self._rest)
            self._info, self._first = "", self._rest
        position = 0
        while (end := text.find("\n", position)) >= 0:
            line = text[position:end]
            if self._long is not None:
                self._long.draft([(line, self._layout.code_base)], lines)
                self._long = None
            elif (inner := self._around.strip(line)) is None or self._close.fullmatch(inner):
                lines += self._marker()
                return Taken(text[position if inner is None else end + 1 :], self._after)
            else:
                lines += self._rows(inner, final=True)
                self._first = self._rest
            position = end + 1
        rest = text[position:]
        if self._long is not None:
            self._long.feed([(rest, self._layout.code_base)], lines)
            rest = ""
        elif len(rest) > LONG_LINE:
            lines += self._marker()
            self._first = self._rest
            if (inner := self._around.strip(rest)) is None:
                return Taken(rest, self._after)
            self._long = Flow(self._scene.width, [*self._rest, (" ", self._layout.code_base)], self._layout.code_base)
            self._long.feed([(inner, self._layout.code_base)], lines)
            rest = ""
        return Taken(rest)

    def draft(self, text: str, lines: list[Line]) -> None:
        if self._long is not None:
            self._long.draft([(text, self._layout.code_base)], lines)
        elif (inner := self._around.strip(text)) and not self._partial_close.fullmatch(inner):
            lines += self._rows(inner, final=False)
        else:
            lines += self._marker()
            if inner is None:
                self._after.draft(text, lines)

    def _marker(self) -> list[Line]:
        """A row for the marker of an item that begins with the fence, unless a row has it."""
        return [] if self._first is self._rest else self._layout.code_rows([[]], self._first, self._rest)

    def _rows(self, line: str, *, final: bool) -> list[Line]:
        own = len(line) - len(line.lstrip(" "))
        spans = self._highlighter.line(line[min(own, self._indent) :], final=final)
        return self._layout.code_rows([spans], self._first, self._rest)


class ParagraphPart:
    """A long paragraph: pieces of it are laid out one behind the other."""

    def __init__(self, scene: Scene, after: Part) -> None:
        self._scene, self._after = scene, after
        self._flow = Flow(min(scene.width, scene.prose_width))

    def take(self, text: str, lines: list[Line]) -> Taken:
        if end := _PARAGRAPH_END.search(text):
            self._flow.draft(self._scene.inline(text[: end.start()]), lines)
            return Taken(text[end.end() :], self._after)
        while len(text) > LONG_PARAGRAPH:
            piece = text[: _safe_cut(text[: LONG_PARAGRAPH * 2])]
            spans = self._scene.inline(piece)
            if piece[-1] in " \n":
                spans.append((" ", self._scene.base))
            self._flow.feed(spans, lines)
            text = text[len(piece) :]
        return Taken(text)

    def draft(self, text: str, lines: list[Line]) -> None:
        self._flow.draft(self._scene.inline(text) if text else [], lines)


def _safe_cut(text: str) -> int:
    """Where to cut a paragraph: best behind a sentence with all its marks closed, at worst anywhere."""
    for pattern in (". ", "\n", " "):
        cut = len(text)
        for _attempt in range(8):
            cut = text.rfind(pattern, 1, cut)
            if cut < 0:
                break
            head = text[:cut]
            if head[-1] != "\\" and all(head.count(mark) % 2 == 0 for mark in "`*_~$") and _closed(head):
                return cut + len(pattern)
    return max(text.rfind(" ", 1), text.rfind("\n", 1)) + 1 or len(text)


def _closed(head: str) -> bool:
    return all(head.count(pair[0]) == head.count(pair[1]) for pair in ("[]", "()", "<>"))


class TablePart:
    """Inside a table: a row at a time; columns are fitted anew as often as the table doubles.

    Args:
        start: the index of its first line. `prefix`: what its rows begin with.
        around: what the table stands in.
    """

    def __init__(
        self, scene: Scene, table: Table, start: int, prefix: Sequence[Span], around: Containers, after: Part
    ) -> None:
        self._scene, self._table, self._start, self._after = scene, table, start, after
        self._prefix, self._around = prefix, around
        self._room = max(1, scene.width - spans_width(prefix))
        self._fitted = -1
        self._layout = self._new_layout()

    def take(self, text: str, lines: list[Line]) -> Taken:
        position, closed, drawn = 0, False, len(self._table.rows)
        while (end := text.find("\n", position)) >= 0:
            line = self._around.strip(text[position:end])
            if closed := line is None or _NO_ROW.match(line + "\n") is not None:
                break
            self._table.rows.append(self._row(line))
            position = end + 1
        changed = None
        rows = len(self._table.rows)
        if self._fitted < 0 or (rows > drawn and (rows < 16 or rows >= 2 * self._fitted)) or closed:
            changed = self._refit(lines)
            drawn = rows if changed is not None else drawn
        for number in range(drawn, rows):
            lines += self._layout.row(self._table.rows[number], first=number == 0)
        long = len(text) - position > LONG_LINE
        return Taken(text[position:], self._after if closed or long else None, changed)

    def draft(self, text: str, lines: list[Line]) -> None:
        line = self._around.strip(text)
        if line is None:
            self._after.draft(text, lines)
        elif line.strip():
            lines += self._layout.row(self._row(line), first=not self._table.rows)

    def _row(self, line: str) -> Row:
        return [self._scene.inline(cell) for cell in split_row(line)]

    def _new_layout(self) -> TableLayout:
        columns = max([len(self._table.header), *map(len, self._table.rows)])
        self._table.alignments += [""] * (columns - len(self._table.alignments))
        widths = column_widths(self._table, self._room)
        return TableLayout(self._table, widths, self._room, self._prefix, self._scene.palette, self._scene.base)

    def _refit(self, lines: list[Line]) -> int | None:
        """Draw the table anew when its columns changed; from which line on."""
        layout = self._new_layout()
        first_time = self._fitted < 0
        self._fitted = len(self._table.rows)
        if layout.widths == self._layout.widths and not first_time:
            return None
        self._layout = layout
        del lines[self._start :]
        lines += layout.header()
        for number, row in enumerate(self._table.rows):
            lines += layout.row(row, first=number == 0)
        return self._start


class PlainPart:
    """Behind a large block that was just laid out: plain text until it has doubled, then all is laid out anew.

    Args:
        text: the block's text so far. `start`: the index of its first line.
        limit: characters at which `again` takes over.
    """

    def __init__(self, scene: Scene, text: str, start: int, limit: int, again: Part) -> None:
        self._scene, self._start, self._again = scene, start, again
        self._pieces = [text]
        self._size = len(text)
        self._limit = limit
        joins = None if text[-1:].isspace() else ""
        self._flow = Flow(min(scene.width, scene.prose_width), joins=joins)
        self._begun = False

    def take(self, text: str, lines: list[Line]) -> Taken:
        self._pieces.append(text)
        self._size += len(text)
        if self._size >= self._limit:
            del lines[self._start :]
            return Taken("".join(self._pieces), self._again, self._start)
        if text:
            self._begun = True
            self._flow.feed([(text, self._scene.base)], lines)
        return Taken("")

    def draft(self, text: str, lines: list[Line]) -> None:
        if self._begun or text:
            self._flow.draft([(text, self._scene.base)], lines)
