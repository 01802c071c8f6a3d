"""Blocks of markdown laid out as lines."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import NamedTuple

from markdown_it.token import Token
from rich.style import Style

from pitui.render.cells import spans_width, width_of
from pitui.render.highlight import highlight
from pitui.render.inline import inline_spans
from pitui.render.lines import Line, Palette
from pitui.render.parser import closing_index
from pitui.render.tables import Table, TableLayout, column_widths
from pitui.render.wrap import Span, line_of, wrap_spans

Spans = Sequence[Span]
CODE_INDENT = 1
"""Cells of ground left of code."""


class Place(NamedTuple):
    """Where a block stands: the prefix of its first row and of all others, its base style, whether blank rows set it
    apart from its neighbours.
    """

    first: Spans
    rest: Spans
    base: Style
    loose: bool


class BlockLayout:
    """Appends the lines of parsed blocks to `lines`.

    Args:
        width: cells a row may fill; code and tables use it all.
        prose_width: cells prose wraps at when `width` is more.
        base: the style of plain text.
        skip, until: blocks that begin before or from these source lines on are passed over in silence.
        apart: a blank row goes before the first block.
        leaf: the token of a block that is left out; `place` tells where it would be.
    """

    def __init__(
        self, width: int, prose_width: int, palette: Palette, base: Style, lines: list[Line],
        skip: int = 0, until: int = sys.maxsize, *, apart: bool = False, leaf: Token | None = None,
    ) -> None:  # fmt: skip
        self.width, self.prose_width = max(1, width), max(1, min(width, prose_width))
        self.palette, self.base, self.lines = palette, base, lines
        self.skip, self.until, self.apart = skip, until, apart
        self.leaf, self.place = leaf, Place((), (), base, True)
        self.muted = base + palette.muted
        self.code_base = base + palette.panel
        self._leaves: dict[str, Callable[[Token, Spans, Spans, Style], None]] = {
            "fence": self._code, "code_block": self._code, "math_block": self._verbatim, "html_block": self._verbatim,
            "too_deep": self._verbatim, "reference": self._reference, "hr": self._rule,
        }  # fmt: skip

    def add(
        self, tokens: Sequence[Token], start: int, end: int, first: Spans = (), rest: Spans = (),
        base: Style | None = None, *, loose: bool = True, begun: bool = False,
    ) -> None:  # fmt: skip
        """Lay out the blocks of `tokens[start:end]`.

        Args:
            first: prefix of the first row (a list marker); `rest`: of all others.
            loose: a blank row goes between blocks. `begun`: one goes before the first block too.
        """
        base = self.base if base is None else base
        index = start
        while index < end:
            token = tokens[index]
            after = closing_index(tokens, index) + 1
            skipped = self._skips(token)
            if not skipped and (self.apart or (begun and (loose or token.type == "table_open"))):
                self.blank(first)
            self.apart = self.apart and skipped
            before = len(self.lines)
            if token is self.leaf:
                self.place = Place(first, rest, base, loose)
            else:
                self._block(tokens, index, after, first, rest, base)
            if len(self.lines) > before or skipped:
                first, begun = rest, True
            index = after
        if start == end and spans_width(first):
            self.lines.append(line_of([], self.width, self._fit(first)))

    def _skips(self, token: Token) -> bool:
        return token.map is not None and not self.skip <= token.map[0] < self.until

    def blank(self, prefix: Spans = ()) -> None:
        """An empty row."""
        self.lines.append(line_of([], self.width, self._fit(prefix)))

    def _block(
        self, tokens: Sequence[Token], index: int, after: int, first: Spans, rest: Spans, base: Style
    ) -> None:
        token = tokens[index]
        kind = token.type
        if kind in {"bullet_list_open", "ordered_list_open"}:
            self._list(tokens, index, after, first, rest, base)
        elif kind == "blockquote_open":
            bar = ("| " if self.palette.ascii_only else "▌ ", self.muted)
            rest = [*rest, bar]
            self.add(tokens, index + 1, after - 1, self._head([*first, bar], rest), rest, base + self.palette.muted)
        elif self._skips(token):
            return
        elif kind == "paragraph_open":
            self._prose(inline_spans(tokens[index + 1], self.palette, base), first, rest)
        elif kind == "heading_open":
            self._heading(tokens[index + 1], int(token.tag[1:]), first, rest, base)
        elif kind == "table_open":
            self._table(tokens[index + 1 : after], first, rest, base)
        elif kind in self._leaves:
            self._leaves[kind](token, first, rest, base)
        elif token.content:
            self._verbatim(token, first, rest, base)

    def _prose(self, spans: list[Span], first: Spans, rest: Spans) -> None:
        self.lines += wrap_spans(spans, self.prose_width, first, rest)

    def _heading(self, token: Token, level: int, first: Spans, rest: Spans, base: Style) -> None:
        extra = Style(bold=True, underline=level == 1) if level < 3 else Style(bold=level == 3, italic=level > 3)
        self._prose(inline_spans(token, self.palette, base + self.palette.heading + extra), first, rest)

    def _list(
        self, tokens: Sequence[Token], index: int, after: int, first: Spans, rest: Spans, base: Style
    ) -> None:
        loose = is_loose(tokens, index, after)
        start, begun = "", False
        at, count = index + 1, 0
        while at < after - 1:
            item_end = closing_index(tokens, at)
            if tokens[index].type == "ordered_list_open":
                start = start or tokens[at].info
                label = _number(start, tokens[at].info, count) + tokens[at].markup + " "
            else:
                label = "- " if self.palette.ascii_only else "• "
            before, skipped = len(self.lines), self._skips(tokens[at])
            if not skipped and (self.apart or (begun and loose)):
                self.blank(first)
            self.apart = self.apart and skipped
            self._item(tokens, at, item_end, label, first, rest, base, loose=loose)
            if len(self.lines) > before or skipped:
                begun, first = True, rest
            at, count = item_end + 1, count + 1

    def _item(
        self, tokens: Sequence[Token], at: int, end: int, label: str, first: Spans, rest: Spans, base: Style,
        *, loose: bool,
    ) -> None:  # fmt: skip
        wide = width_of(label)
        blank = (" " * wide, base)
        marker = self.muted if label.strip("•- ") else base + self.palette.muted
        if self._skips(tokens[at]):
            if at + 1 == end:
                return
            self.add(tokens, at + 1, end, [*rest, blank], [*rest, blank], base, loose=loose)
            return
        rest = [*rest, blank]
        self.add(tokens, at + 1, end, self._head([*first, (label, marker)], rest), rest, base, loose=loose)

    def _head(self, head: list[Span], rest: Spans) -> Spans:
        """The prefix of a first row. So narrow that a number in it would be cut, it gets a row of its own."""
        room = self.prose_width - max(1, self.prose_width // 2)
        if spans_width(head) <= room or not any(letter.isalnum() for text, _ in head for letter in text):
            return head
        self._prose([(f"{text.strip()} ", style) for text, style in head if text.strip()], (), rest)
        return rest

    def _rule(self, _token: Token, first: Spans, _rest: Spans, _base: Style) -> None:
        prefix = self._fit(first)
        dash = "-" if self.palette.ascii_only else "─"
        line = line_of([(dash * (self.prose_width - spans_width(prefix)), self.muted)], self.width, prefix)
        line.decoration = True
        self.lines.append(line)

    def _verbatim(self, token: Token, first: Spans, rest: Spans, base: Style) -> None:
        spans = [(token.content.strip("\n"), base)]
        self.lines += wrap_spans(spans, self.prose_width, first, rest)

    def _reference(self, token: Token, first: Spans, rest: Spans, base: Style) -> None:
        self.lines += wrap_spans([(token.content, base + self.palette.muted)], self.prose_width, first, rest)

    def _code(self, token: Token, first: Spans, rest: Spans, base: Style) -> None:
        info = token.info.strip()
        if info:
            self.lines += self.code_label(info, first, rest)
            first = rest
        code = token.content.removesuffix("\n")
        self.lines += self.code_rows(highlight(code, language(info), self.palette, self.code_base), first, rest)

    def code_label(self, info: str, first: Spans, rest: Spans) -> list[Line]:
        """The rows that name a fence's language."""
        pad = (" " * CODE_INDENT, self.code_base)
        spans = [(info, self.code_base + self.palette.muted)]
        rows = wrap_spans(spans, self.width, [*first, pad], [*rest, pad], ground=self.code_base)
        for row in rows:
            row.decoration = True
        return rows

    def code_rows(self, code: Sequence[list[Span]], first: Spans, rest: Spans) -> list[Line]:
        """The rows of code lines on their ground."""
        pad = (" " * CODE_INDENT, self.code_base)
        rows: list[Line] = []
        head, other = [*first, pad], [*rest, pad]
        for spans in code:
            tabs = any("\t" in text for text, _style in spans)
            lines = wrap_spans(spans, self.width, other if rows else head, other, ground=self.code_base)
            if tabs and len(lines) == 1:
                lines[0].source = "".join([text for text, _style in spans])
            rows += lines
        return rows

    def _table(self, tokens: Sequence[Token], first: Spans, rest: Spans, base: Style) -> None:
        table = read_table(tokens, self.palette, base)
        prefix = self.table_prefix(first, rest)
        room = max(1, self.width - spans_width(prefix))
        layout = TableLayout(table, column_widths(table, room), room, prefix, self.palette, base)
        self.lines += layout.header()
        for number, row in enumerate(table.rows):
            self.lines += layout.row(row, first=number == 0)

    def table_prefix(self, first: Spans, rest: Spans) -> Spans:
        """The prefix of all rows of a table; a marker before it gets a row of its own."""
        if spans_width(first) and "".join([text for text, _style in first]).strip(" ▌|"):
            self.blank(first)
        return self._fit(rest)

    def _fit(self, prefix: Spans) -> list[Span]:
        """As much of the prefix as rows of this width show."""
        if not prefix:
            return []
        row = wrap_spans([], self.width, prefix)[0]
        return [(segment.text, segment.style or self.base) for segment in row.segments]


def read_table(tokens: Sequence[Token], palette: Palette, base: Style) -> Table:
    """The table whose tokens, without the opening one, are `tokens`."""
    table, row, strong = Table([], []), [], base + Style(bold=True)
    in_header = False
    for token in tokens:
        if token.type == "th_open":
            in_header = True
            table.alignments.append(str(token.attrs.get("style", "")).removeprefix("text-align:"))
        elif token.type == "td_open":
            in_header = False
        elif token.type == "inline":
            row.append(inline_spans(token, palette, strong if in_header else base))
        elif token.type == "tr_close":
            if in_header and not table.header:
                table.header = row
            else:
                table.rows.append(row)
            row = []
    return table


def language(info: str) -> str:
    """The language in a fence's info string."""
    return info.split(maxsplit=1)[0].strip("{}.,") if info else ""


def _number(start: str, info: str, count: int) -> str:
    """An item's number as written; items that all repeat the first number are counted on."""
    return str(int(start) + count) if count and info == start else info


def is_loose(tokens: Sequence[Token], index: int, after: int) -> bool:
    """Whether the list at `index` sets its items apart."""
    level = tokens[index].level + 2
    paragraphs = [t for t in tokens[index:after] if t.level == level and t.type == "paragraph_open"]
    return any(not paragraph.hidden for paragraph in paragraphs)
