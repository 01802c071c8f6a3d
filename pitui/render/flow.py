"""Text that grows at its end, wrapped row by row: rows that are full never change again."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from rich.style import Style

from pitui.render.cells import expand_tabs, width_of
from pitui.render.lines import Line
from pitui.render.wrap import Span, wrap_spans


class Flow:
    """Wraps runs as they come; each call costs what is new, not what is there.

    Args:
        width: cells of a row. `prefix`: gutter of every row. `ground`: fills rows (see `wrap_spans`).
        joins: what joins the first row to the row before it.
    """

    def __init__(
        self, width: int, prefix: Sequence[Span] = (), ground: Style | None = None, joins: str | None = None
    ) -> None:
        self._width, self._prefix, self._ground = width, prefix, ground
        self._open: list[Span] = []
        self._joins = joins

    def feed(self, spans: Sequence[Span], lines: list[Line]) -> None:
        """Append the rows that `spans` fill; the last row stays open."""
        runs = [*self._open, *[(expand_tabs(text), style) for text, style in spans]]
        rows = self._rows(runs)
        if len(rows) > 1:
            lines += rows[:-1]
            runs = _after(runs, rows)
            self._joins = rows[-1].joins
        self._open = runs

    def draft(self, spans: Sequence[Span], lines: list[Line]) -> None:
        """Append the open row with `spans` behind it, as it looks if nothing follows."""
        lines += self._rows([*self._open, *spans])

    def _rows(self, runs: Sequence[Span]) -> list[Line]:
        return wrap_spans(runs, self._width, self._prefix, self._prefix, joins=self._joins, ground=self._ground)


def _after(runs: Sequence[Span], rows: Sequence[Line]) -> list[Span]:
    """The runs from where the last row begins."""
    offset = 0
    for row, following in pairwise(rows):
        offset += _length(row) + (1 if following.joins is None else len(following.joins))
    left = []
    for text, style in runs:
        if len(text) > offset:
            left.append((text[offset:], style))
        offset = max(0, offset - len(text))
    return left


def _length(row: Line) -> int:
    """Characters of the row without gutter and ground."""
    if row.source is not None:
        return len(row.source)
    skipped, characters = 0, 0
    for segment in row.segments:
        if skipped < row.gutter:
            skipped += width_of(segment.text)
        else:
            characters += len(segment.text)
    return characters - row.trailing
