"""Styled runs laid out as rows of cells.

A row remembers what stood where it was cut, so a copy gives the source back. Cuts fall at spaces, between wide
characters, or, where nothing else helps, between any two characters as a reader sees them; never inside one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.segment import Segment
from rich.style import Style

from pitui.render.cells import clusters, expand_tabs, is_plain, width_of
from pitui.render.lines import Line, Target, TargetKind

Span = tuple[str, Style]
"""A run of text in one style."""

TOO_WIDE = "▯"
"""Stands for a character wider than the whole row."""

_NOT_FIRST = frozenset("、。，．！？：；」』）】》〉…ー々!?,.;:)]}")
_NOT_LAST = frozenset("「『（【《〈([{")


def wrap_spans(
    spans: Sequence[Span],
    width: int,
    first: Sequence[Span] = (),
    rest: Sequence[Span] | None = None,
    *,
    joins: str | None = None,
    ground: Style | None = None,
) -> list[Line]:
    """Lay out sanitized runs in rows of at most `width` cells (1 or more); at least one row.

    Args:
        spans: the text; a newline starts a new row, tabs become spaces.
        width: cells of a whole row, prefix included.
        first: prefix of the first row (a bullet, a bar); prefixes are gutter and give way when half the row is theirs.
        rest: prefix of the other rows; by default blanks as wide as `first`.
        joins: what joins the first row to the row before it (see `Line.joins`).
        ground: when given, rows are filled with it up to `width`.

    A run whose style has a link gives the row a `LINK` target over its cells.
    """
    width = max(1, width)
    head = _fitted(first, width)
    other = _fitted(_blank(first) if rest is None else rest, width)
    text = "".join([span[0] for span in spans])
    if "\t" in text:
        spans = _without_tabs(spans)
        text = "".join([span[0] for span in spans])
    gutters = _prefix_width(head), _prefix_width(other)
    room = max(1, width - max(gutters))
    lines: list[Line] = []
    runs = _Runs(spans)
    for start, end, between, dropped in _rows(text, room):
        prefix, gutter = (other, gutters[1]) if lines else (head, gutters[0])
        line = Line([*prefix], gutter, between if lines else joins)
        used = gutter + runs.take(start, end, gutter, line)
        if used > width:
            used = _replace_wide(line, len(prefix), text[start:end], gutter)
        if dropped:
            line.source = text[start:end] + dropped
        if ground is not None and used < width:
            line.segments.append(Segment(" " * (width - used), ground))
            line.trailing = width - used
        lines.append(line)
    return lines


def line_of(
    spans: Sequence[Span], width: int, first: Sequence[Span] = (), *, ground: Style | None = None, trailing: int = 0
) -> Line:
    """One row of runs that fit already (clip them before); `trailing` cells at its right are no text."""
    segments = [Segment(text, style) for text, style in (*first, *spans) if text]
    gutter = sum([width_of(text) for text, _style in first])
    line = Line(segments, gutter, trailing=trailing)
    column = gutter
    targets = []
    for text, style in spans:
        end = column + width_of(text)
        if style.link:
            targets.append(Target(TargetKind.LINK, style.link, column, end))
        column = end
    line.targets = tuple(targets)
    if ground is not None and column < width:
        line.segments.append(Segment(" " * (width - column), ground))
        line.trailing += width - column
    return line


class _Runs:
    """Runs consumed from the left, row by row."""

    def __init__(self, spans: Sequence[Span]) -> None:
        self.spans = spans
        self.index = 0
        self.offset = 0

    def take(self, start: int, end: int, column: int, line: Line) -> int:
        """Append the characters `start` to `end` to the line, whose next cell is `column`; return their cells."""
        spans, count = self.spans, len(self.spans)
        while self.index < count and self.offset + len(spans[self.index][0]) <= start:
            self.offset += len(spans[self.index][0])
            self.index += 1
        index, offset, begun, append = self.index, self.offset, column, line.segments.append
        while index < count and offset < end:
            text, style = spans[index]
            index += 1
            after = offset + len(text)
            if start > offset or after > end:
                text = text[max(0, start - offset) : end - offset]
            offset = after
            if not text:
                continue
            append(Segment(text, style))
            wide = width_of(text)
            if style.link:
                line.targets += (Target(TargetKind.LINK, style.link, column, column + wide),)
            column += wide
        return column - begun


def _rows(text: str, room: int) -> Iterator[tuple[int, int, str | None, str]]:
    """Yield start, end and join of each row, and the spaces that found no room at the end of its line."""
    position = 0
    for source in text.split("\n"):
        if len(source) <= room and is_plain(source):
            yield position, position + len(source), None, ""
        else:
            cuts = list((_plain_cuts if is_plain(source) else _cluster_cuts)(source, room))
            last = 0
            for start, end in cuts[:-1]:
                yield position + start, position + end, source[last:start] if start else None, ""
                last = end
            start, end = cuts[-1]
            yield position + start, position + end, source[last:start] if start else None, source[end:]
        position += len(source) + 1


def _plain_cuts(text: str, room: int) -> Iterator[tuple[int, int]]:
    position, length = 0, len(text)
    while length - position > room:
        limit = position + room
        cut = text.rfind(" ", position + 1, limit + 1)
        if cut < 0 or not text[position:cut].strip(" "):
            yield position, limit
            position = limit
            continue
        end, after = cut, cut + 1
        while text[end - 1] == " ":
            end -= 1
        while after < length and text[after] == " ":
            after += 1
        yield position, end
        position = after
        if after == length:
            return
    yield position, length


def _cluster_cuts(text: str, room: int) -> Iterator[tuple[int, int]]:
    begin, used = 0, 0
    stop = resume = -1  # the last place where a row may end, and where the next one then begins
    past = 0  # cells up to `resume`
    blank = True  # nothing but spaces in the row so far
    previous = ""
    wide_before = False
    for start, end, wide in clusters(text):
        character = text[start]
        if character == " ":
            if not blank and (stop < 0 or resume != start):
                stop = start
            used += wide
            if stop >= 0 and not blank:
                resume, past = end, used
            previous, wide_before = character, False
            continue
        is_wide = wide > 1
        between_wide = (is_wide or wide_before) and previous not in {"", " "} and start > begin
        if between_wide and character not in _NOT_FIRST and previous not in _NOT_LAST:
            stop, resume, past = start, start, used
        while used + wide > room and start > begin:
            if stop > begin:
                yield begin, stop
                begin, used = resume, used - past
            else:
                yield begin, start
                begin, used = start, 0
            stop = resume = -1
        used += wide
        blank, previous, wide_before = False, character, is_wide
    if used > room and stop > begin and resume == len(text):
        yield begin, stop
        return
    yield begin, len(text)


def _fitted(prefix: Sequence[Span], width: int) -> list[Segment]:
    """As much of the prefix's end as leaves half the row to the text."""
    segments = [Segment(text, style) for text, style in prefix if text]
    excess = _prefix_width(segments) - (width - max(1, width // 2))
    while excess > 0 and segments:
        text, style, _control = segments.pop(0)
        kept = ""
        if (wide := width_of(text)) > excess:
            drop = next(end for _start, end, _wide in clusters(text) if width_of(text[:end]) >= excess)
            kept = text[drop:]
        excess -= wide - width_of(kept)
        if kept:
            segments.insert(0, Segment(kept, style))
    return segments


def _prefix_width(segments: Sequence[Segment]) -> int:
    return sum([width_of(segment.text) for segment in segments]) if segments else 0


def _blank(prefix: Sequence[Span]) -> list[Span]:
    return [(" " * width_of(text), style) for text, style in prefix]


def _without_tabs(spans: Sequence[Span]) -> list[Span]:
    expanded, column = [], 0
    for text, style in spans:
        text = expand_tabs(text, start=column)
        newline = text.rfind("\n")
        column = width_of(text[newline + 1 :]) + (column if newline < 0 else 0)
        expanded.append((text, style))
    return expanded


def _replace_wide(line: Line, prefix: int, source: str, gutter: int) -> int:
    """The row's one character is wider than the row: show a stand-in, remember the character."""
    style = line.segments[prefix].style
    line.segments[prefix:] = [Segment(TOO_WIDE, style)]
    line.source = source
    return gutter + 1
