"""A diff as rows of cells: one column, or old and new side by side where there is room."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise, zip_longest

from rich.segment import Segment
from rich.style import Style

from pitui.render.body import HIGHLIGHTED, coloured
from pitui.render.diff import Diff, Row, Span, changed_words, pairs
from pitui.render.lines import Line, Palette, View
from pitui.render.palette import readable
from pitui.render.text import Span as Run
from pitui.render.text import expand_tabs, line_of, sanitize, spans_width, wrap_spans
from pitui.render.titles import ellipsis

SIDE_BY_SIDE_FROM = 140
"""Cells of a view from which two columns are readable."""
NUMBERS_FROM = 40
LONGEST = 20_000
"""Characters of one line that are shown."""


@dataclass(frozen=True, slots=True)
class _Cell:
    """One line of one file, ready to be laid out."""

    row: Row
    runs: Sequence[Run]


def diff_lines(diff: Diff, language: str, view: View, prefix: Sequence[Run]) -> list[Line]:
    """Rows behind `prefix`."""
    rows = diff.rows
    cells = _cells(rows, language, view)
    number = max((row.new or row.old or 0 for row in rows), default=0)
    digits = len(str(number)) if number and view.width >= NUMBERS_FROM else 0
    if view.side_by_side and view.width >= SIDE_BY_SIDE_FROM and any(row.sign in "+-" for row in rows):
        return _two_columns(cells, digits, view, prefix)
    return [line for cell in cells for line in _one_column(cell, digits, view, prefix)]


def _cells(rows: Sequence[Row], language: str, view: View) -> list[_Cell]:
    """Lines with the colours of their language, each coloured as part of its own file, and changed words marked."""
    texts = [_shown(row) for row in rows]
    runs: list[Sequence[Run]] = [[(text, view.palette.text)] for text in texts]
    if language and sum(map(len, texts)) <= HIGHLIGHTED:
        for signs in (" -", " +"):
            indexes = [index for index, row in enumerate(rows) if row.sign in signs]
            lines = coloured("\n".join(texts[index] for index in indexes), language, view)
            for index, line in zip(indexes, lines, strict=False):
                runs[index] = line
    marks = _marks(rows, texts)
    return [
        _Cell(row, _grounded(runs[index], marks.get(index, []), row.sign, view.palette))
        for index, row in enumerate(rows)
    ]


def _shown(row: Row) -> str:
    """The text of a row; a return at its end, which only some lines have, as a sign for it."""
    text = row.text[:LONGEST]
    if text.endswith("\r"):
        text = text[:-1] + "␍"
    return expand_tabs(sanitize(text).replace("\n", " "))


def _marks(rows: Sequence[Row], texts: Sequence[str]) -> dict[int, list[Span]]:
    marks: dict[int, list[Span]] = {}
    for old, new in pairs(rows):
        if old is not None and new is not None and old != new:
            marks[old], marks[new] = changed_words(texts[old], texts[new])
    return marks


def _ground(sign: str, palette: Palette) -> tuple[Style | None, Style]:
    """The ground of a changed line and that of its changed words."""
    if sign == "+":
        return palette.diff_add, palette.diff_add_word
    if sign == "-":
        return palette.diff_remove, palette.diff_remove_word
    return None, Style.null()


@lru_cache(maxsize=1024)
def on(ink: Style, ground: Style) -> Style:
    """The ink on the ground, in the nearest shade that can be read there."""
    colour, below = ink.color, ground.bgcolor
    if colour is None or below is None or colour.triplet is None or below.triplet is None:
        return ink + ground
    return ink + Style(color=readable(colour.triplet.hex, (below.triplet.hex,)), bgcolor=below)


def _grounded(runs: Sequence[Run], marks: Sequence[Span], sign: str, palette: Palette) -> list[Run]:
    """Runs on the ground of their sign, cut where a changed word begins or ends."""
    ground, word = _ground(sign, palette)
    if ground is None:
        return list(runs)
    cut: list[Run] = []
    offset = 0
    for text, style in runs:
        edges = {0, len(text)} | {edge - offset for span in marks for edge in span if 0 < edge - offset < len(text)}
        ordered = sorted(edges)
        for start, end in pairwise(ordered):
            changed = any(first <= offset + start < last for first, last in marks)
            cut.append((text[start:end], on(style, word if changed else ground)))
        offset += len(text)
    return cut


def _sign_style(sign: str, palette: Palette) -> Style:
    ground, _ = _ground(sign, palette)
    colour = {"+": palette.success, "-": palette.error}.get(sign, palette.muted)
    return colour if ground is None else on(colour, ground)


def _margin(number: int | None, sign: str, digits: int, palette: Palette) -> tuple[list[Run], list[Run]]:
    """Line number and sign for the first row of a line, and what stands below them when it wraps."""
    ground, _ = _ground(sign, palette)
    style = palette.muted if ground is None else on(palette.muted, ground)
    digit = f"{'' if number is None else number:>{digits}} " if digits else ""
    mark = _sign_style(sign, palette)
    return [(digit, style), (f"{sign} ", mark)], [(" " * len(digit), style), ("  ", mark)]


def _gap(row: Row, view: View, prefix: Sequence[Run]) -> Line:
    words = f"{ellipsis(view.palette)} {sanitize(row.text)[:LONGEST]}".replace("\n", " ").rstrip()
    line = wrap_spans([(words, view.palette.muted)], view.width, prefix)[0]
    line.decoration = True
    return line


def _one_column(cell: _Cell, digits: int, view: View, prefix: Sequence[Run]) -> list[Line]:
    row = cell.row
    if row.sign == "@":
        return [_gap(row, view, prefix)]
    ground, _ = _ground(row.sign, view.palette)
    number = row.old if row.sign == "-" else row.new
    first, rest = _margin(number, row.sign, digits, view.palette)
    return wrap_spans(cell.runs, view.width, [*prefix, *first], [*prefix, *rest], ground=ground)


def _two_columns(cells: Sequence[_Cell], digits: int, view: View, prefix: Sequence[Run]) -> list[Line]:
    lines: list[Line] = []
    room = view.width - spans_width(prefix) - 3
    widths = room // 2, room - room // 2
    divider = (" | " if view.palette.ascii_only else " │ ", view.palette.muted)
    for old, new in pairs([cell.row for cell in cells]):
        if old is not None and old == new and cells[old].row.sign == "@":
            lines.append(_gap(cells[old].row, view, prefix))
            continue
        left = _half(None if old is None else cells[old], "-", widths[0], digits, view)
        right = _half(None if new is None else cells[new], "+", widths[1], digits, view)
        for a, b in zip_longest(left, right):
            halves = _filled(a, widths[0]), _filled(b, widths[1])
            line = line_of([], view.width, prefix)
            line.segments += [*halves[0], Segment(*divider), *halves[1]]
            line.gutter += a.gutter if a else 0
            line.trailing = b.trailing if b else widths[1]
            lines.append(line)
    return lines


def _half(cell: _Cell | None, side: str, width: int, digits: int, view: View) -> list[Line]:
    if cell is None:
        return []
    row = cell.row
    ground, _ = _ground(row.sign, view.palette)
    number = row.old if side == "-" else row.new
    first, rest = _margin(number, row.sign, digits, view.palette)
    return wrap_spans(cell.runs, width, first, rest, ground=ground)


def _filled(line: Line | None, width: int) -> list[Segment]:
    if line is None:
        return [Segment(" " * width, Style.null())]
    used = sum(segment.cell_length for segment in line.segments)
    return [*line.segments, Segment(" " * (width - used), Style.null())] if used < width else line.segments
