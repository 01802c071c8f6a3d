"""Tables fitted to the screen: columns share the width, cells wrap, and what is too narrow becomes key/value rows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from rich.segment import Segment
from rich.style import Style

from pitui.render.cells import spans_width, width_of
from pitui.render.lines import Line, Palette, Target
from pitui.render.wrap import Span, line_of, wrap_spans

GAP = 2
"""Cells between two columns."""

NARROWEST = 8
"""Cells a column that must wrap gets at least; with less, the table is shown as key/value rows."""

_ASCII_WORD = re.compile("[!-~]+")

Row = list[list[Span]]
"""The cells of a row as styled runs."""


@dataclass(slots=True)
class Table:
    """Cells as styled runs; `alignments` holds `left`, `right`, `center` or nothing for each column."""

    header: Row
    alignments: list[str]
    rows: list[Row] = field(default_factory=list)


def column_widths(table: Table, room: int) -> list[int] | None:
    """Cells for each column so that the table fits into `room`; None when it has to be shown as key/value rows.

    Columns that need less than an even share keep what they need, the others share the rest; no word is broken.
    """
    columns = max([len(table.header), *map(len, table.rows)])
    free = room - GAP * (columns - 1)
    if columns > free:
        return None
    natural, least = [1] * columns, [1] * columns
    for row in (table.header, *table.rows):
        for index, cell in enumerate(row):
            wide, word = _cell_widths(cell)
            natural[index], least[index] = max(natural[index], wide), max(least[index], word)
    if sum(natural) <= free:
        return natural
    return _shared(natural, least, free)


def _shared(natural: list[int], least: list[int], free: int) -> list[int] | None:
    widths = list(natural)
    waiting = [*range(len(natural))]
    while waiting:
        share = free // len(waiting)
        settled = [index for index in waiting if least[index] > share] or [i for i in waiting if natural[i] <= share]
        for index in settled or waiting:
            widths[index] = min(natural[index], max(least[index], share))
            free -= widths[index]
            if widths[index] < min(NARROWEST, natural[index]) or free < 0:
                return None
        waiting = [index for index in waiting if index not in settled] if settled else []
    return widths


def _cell_widths(cell: Sequence[Span]) -> tuple[int, int]:
    """The cells a table cell takes unwrapped, and those of its longest word."""
    text = "".join([text for text, _style in cell])
    whole = width_of(text) if "\n" not in text else max(map(width_of, text.split("\n")))
    if text.isascii():
        return whole, max(map(len, text.split()), default=0)
    return whole, max(map(len, _ASCII_WORD.findall(text)), default=2)


class TableLayout:
    """Draws rows of one table at one width, one after the other.

    Args:
        widths: of the columns, or None for key/value rows.
        room: cells for the table, prefix excluded.
        prefix: what stands before each row (bars, blanks); it is gutter.
    """

    def __init__(
        self, table: Table, widths: list[int] | None, room: int, prefix: Sequence[Span], palette: Palette, base: Style
    ) -> None:
        self.table, self.widths, self.room = table, widths, room
        self.prefix, self.palette, self.base = prefix, palette, base
        self.gutter = spans_width(prefix)

    def header(self) -> Iterator[Line]:
        """The header with its rule."""
        if self.widths is None:
            if not self.table.rows:
                yield from self._pairs([[]] * len(self.table.header))
            return
        lines = list(self._grid_row(self.table.header))
        marks = {"left": ":---", "right": "---:", "center": ":---:"}
        lines[0].source = f"{lines[0].source}\n|{'|'.join([marks.get(side, '---') for side in self.table.alignments])}|"
        yield from lines
        dash = "-" if self.palette.ascii_only else "─"
        rule = (" " * GAP).join([dash * width for width in self.widths])
        line = line_of([(rule, self.base + self.palette.muted)], self.room + self.gutter, self.prefix)
        line.decoration = True
        yield line

    def row(self, row: Row, *, first: bool = False) -> Iterator[Line]:
        """One row of the body; `first`: it follows the header."""
        if self.widths is not None:
            yield from self._grid_row(row) if self._fits(row, self.widths) else self._unfitted_row(row)
            return
        if not first:
            yield line_of([], self.room + self.gutter, self.prefix)
        yield from self._pairs(row)

    def _pairs(self, row: Row) -> Iterator[Line]:
        width = self.room + self.gutter
        for index in range(max(len(row), len(self.table.header))):
            key = self.table.header[index] if index < len(self.table.header) else []
            value = row[index] if index < len(row) else []
            between = [(": ", self.base + self.palette.muted)] if key and value else []
            if key or value:
                yield from wrap_spans([*key, *between, *value], width, self.prefix, self.prefix)

    def _grid_row(self, row: Row) -> Iterator[Line]:
        widths = self.widths or []
        cells = [wrap_spans(cell, width) for cell, width in zip(row, widths, strict=False)]
        source = "| " + " | ".join([_plain(cell) for cell in row]) + " |"
        for index in range(max(map(len, cells), default=1)):
            segments = [Segment(text, style) for text, style in self.prefix]
            line = Line(segments, self.gutter, source="" if index else source, joins="" if index else None)
            column, blank = self.gutter, 0
            for number, cell in enumerate(cells):
                if index < len(cell):
                    used = cell[index]
                    wide = width_of(used.text)
                    blank += self._indent(number, widths[number] - wide)
                    column += blank
                    if blank:
                        segments.append(Segment(" " * blank, self.base))
                    segments += used.segments
                    line.targets += tuple([_moved(target, column) for target in used.targets])
                    column += wide
                    blank = widths[number] - wide - self._indent(number, widths[number] - wide) + GAP
                else:
                    blank += widths[number] + GAP
            yield line

    def _unfitted_row(self, row: Row) -> Iterator[Line]:
        """A row that the columns were not made for: cells one behind the other."""
        mark = (" | ", self.base + self.palette.muted)
        spans = [span for number, cell in enumerate(row) for span in ([mark, *cell] if number else cell)]
        yield from wrap_spans(spans, self.room + self.gutter, self.prefix, self.prefix)

    def _fits(self, row: Row, widths: Sequence[int]) -> bool:
        return len(row) <= len(widths) and all(
            _cell_widths(cell)[1] <= wide for cell, wide in zip(row, widths, strict=False)
        )

    def _indent(self, column: int, spare: int) -> int:
        side = self.table.alignments[column] if column < len(self.table.alignments) else ""
        return spare if side == "right" else spare // 2 if side == "center" else 0


def _plain(cell: Sequence[Span]) -> str:
    return "".join([text for text, _style in cell]).replace("|", "\\|").replace("\n", " ")


def _moved(target: Target, cells: int) -> Target:
    return replace(target, start=target.start + cells, end=None if target.end is None else target.end + cells)
