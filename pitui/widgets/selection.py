"""Selecting text over drawn rows: coordinates that last, words and paragraphs, and what a copy gives."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from rich.segment import Segment
from rich.style import Style
from textual.geometry import Offset
from textual.selection import Selection
from textual.strip import Strip

from pitui.render.cells import clusters, is_plain, width_of
from pitui.render.entries import plain_text
from pitui.render.lines import Line
from pitui.render.text import sanitize
from pitui.widgets.document import Document
from pitui.widgets.viewport import Place

STRIDE = 1 << 24
"""A selection's y is item * STRIDE + row within it, so that it stays on its text when heights above change."""

_WORD = re.compile(r"\w+(?:[-.'’/]\w+)*|[^\w\s]+|\s+")


def row_of(place: Place) -> int:
    return place.item * STRIDE + place.line


def place_of(row: int) -> Place:
    return Place(row // STRIDE, row % STRIDE)


def text_span(line: Line) -> tuple[int, int]:
    """The cells of a line that are text: past its gutter, before what trails."""
    return line.gutter, max(line.gutter, width_of(line.text) - line.trailing)


def snap(text: str, start: int, end: int) -> tuple[int, int]:
    """Widen the cells `start` to `end` so that no character is cut."""
    if is_plain(text):
        return start, end
    at = 0
    low, high = start, end
    for _, _, cells in clusters(text):
        if at < start < at + cells:
            low = at
        if at < end < at + cells:
            high = at + cells
        at += cells
    return low, high


def cut(text: str, start: int, end: int) -> str:
    """The characters at cells `start` (inclusive) to `end` (exclusive), those half inside included."""
    if is_plain(text):
        return text[start:end]
    at, first, last = 0, len(text), 0
    for begin, stop, cells in clusters(text):
        if at + max(cells, 1) > start and at < end:
            first, last = min(first, begin), stop
        at += cells
    return text[first:last]


def span_in(selection: Selection, row: int, line: Line) -> tuple[int, int] | None:
    """The cells of a line to show as selected, or None: never its gutter or what trails, never half a character."""
    span = selection.get_span(row)
    if span is None or line.decoration:
        return None
    low, high = text_span(line)
    start = max(low, span[0])
    end = high if span[1] < 0 else min(high, span[1])
    return snap(line.text, start, end) if start < end else None


def copied(line: Line, start: int, end: int | None) -> str | None:
    """What a copy of the cells `start` to `end` (None: to the end) of a line gives; None if it gives no row at all."""
    if line.decoration:
        return None
    low, high = text_span(line)
    stop = high if end is None else min(end, high)
    if start <= low and stop >= high:
        if line.source is not None:
            return line.source or None
        return cut(line.text, low, high)
    return cut(line.text, max(start, low), stop) if start < stop else ""


def join_rows(rows: Iterable[tuple[Line, int, int | None]]) -> str:
    """The source text of consecutive rows, each with the cells taken of it: wraps undone, frames left out."""
    parts: list[str] = []
    for line, start, end in rows:
        text = copied(line, start, end)
        if text is None:
            continue
        if parts:
            parts.append("\n" if line.joins is None else line.joins)
        parts.append(text)
    return "".join(parts)


def word_at(line: Line, cell: int) -> tuple[int, int]:
    """The cells of the word at `cell`."""
    text = line.text
    low, high = text_span(line)
    for match in _WORD.finditer(cut(text, low, high)):
        start = low + width_of(match.string[: match.start()])
        end = start + width_of(match.group())
        if start <= cell < end:
            return start, end
    return cell, cell


def paragraph_at(lines: Sequence[Line], number: int) -> tuple[int, int]:
    """The first and last row of the source line that row `number` is part of."""
    first = last = number
    while first > 0 and lines[first].joins is not None:
        first -= 1
    while last + 1 < len(lines) and lines[last + 1].joins is not None:
        last += 1
    return first, last


def selection_of(first: Place, start: int, last: Place, end: int) -> Selection:
    return Selection(Offset(start, row_of(first)), Offset(end, row_of(last)))


def hit_strip(strip: Strip, row: int) -> Strip:
    """The same cells, each knowing its column and row, so that Textual's selection counts cells.

    Textual counts characters within a segment; one segment to each wide character makes the two the same, and a click
    on its right half stays inside it.
    """
    segments: list[Segment] = []
    cell = 0
    for text, style, _ in strip:
        pieces = [text] if is_plain(text) else [text[start:end] for start, end, _ in clusters(text)]
        for piece in pieces:
            offset = Style.from_meta({"offset": (cell, row)})
            segments.append(Segment(piece, style + offset if style else offset))
            cell += width_of(piece)
    return Strip(segments, strip.cell_length)


def selected_text(document: Document, selection: Selection) -> str:
    """The source text of a selection. Entries wholly inside it that are not drawn give their plain text instead."""
    last_index = len(document) - 1
    first = place_of(selection.start.y) if selection.start else Place(0, 0)
    last = place_of(selection.end.y) if selection.end else Place(last_index, STRIDE)
    start = selection.start.x if selection.start else 0
    end = selection.end.x if selection.end else None
    texts = []
    for index in range(first.item, min(last.item, last_index) + 1):
        block = document.drawn(index)
        if block is None and first.item < index < last.item:
            texts.append(sanitize(plain_text(document.entries[index])))
            continue
        rows = (block or document.block(index)).rows()
        low = first.line if index == first.item else 0
        high = min(last.line, len(rows) - 1) if index == last.item else len(rows) - 1
        texts.append(
            join_rows(
                (rows[at], start if (index, at) == first else 0, end if (index, at) == last else None)
                for at in range(low, high + 1)
            )
        )
    return "\n\n".join(text for text in texts if text)
