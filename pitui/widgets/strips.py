"""Lines of the renderers as Textual strips: padded to the width, with selection, matches and the cursor drawn over."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.filter import LineFilter
from textual.strip import Strip

from pitui.render.cells import width_of
from pitui.render.lines import Line, Palette

KEPT = 500
"""Strips kept: some screens' worth."""


class Strips:
    """Strips by line, made once each, for a width in cells, a ground, and the app's filters.

    A strip is cached by its line's identity, so the same line gives the same strip: that is how a screen row is known
    to be unchanged.
    """

    def __init__(self, width: int, base: Style, filters: Sequence[LineFilter], background: Color) -> None:
        self.width = width
        self.base = base
        self.filters = filters
        self.background = background
        self.blank = self._strip([Segment(" " * width, base)] if width else [])
        self._made: dict[int, tuple[Line, Strip]] = {}

    def strip(self, line: Line) -> Strip:
        if not line.segments:
            return self.blank
        made = self._made.get(id(line))
        if made is not None:
            return made[1]
        if len(self._made) >= KEPT:
            self._made.clear()
        segments = list(Segment.apply_style(line.segments, self.base))
        room = self.width - sum([width_of(text) for text, _, _ in segments])
        if room > 0:
            segments.append(Segment(" " * room, self.base))
        elif room < 0:
            segments = Segment.adjust_line_length(segments, self.width)
        strip = self._strip(segments)
        self._made[id(line)] = (line, strip)
        return strip

    def filtered(self, strip: Strip) -> Strip:
        """A strip that something was laid over, as the filters want it."""
        for line_filter in self.filters:
            strip = strip.apply_filter(line_filter, self.background)
        return strip

    def _strip(self, segments: list[Segment]) -> Strip:
        for line_filter in self.filters:
            segments = line_filter.apply(segments, self.background)
        return Strip(segments, self.width)


def over(strip: Strip, spans: Iterable[tuple[int, int]], style: Style) -> Strip:
    """`strip` with `style` laid over the cells of each span (end exclusive; in order, none overlapping)."""
    parts: list[Strip] = []
    at = 0
    for start, end in spans:
        end = min(end, strip.cell_length)
        if start >= end:
            continue
        parts += [strip.crop(at, start), _styled(strip.crop(start, end), style)]
        at = end
    return Strip.join([*parts, strip.crop(at)]) if parts else strip


def with_cursor(strip: Strip, palette: Palette) -> Strip:
    """`strip` with the block cursor's bar in its first cell."""
    if strip.cell_length < 2:
        return strip
    first = next(iter(strip), None)
    ground = first.style if first is not None and first.style is not None else Style.null()
    bar = Segment("|" if palette.ascii_only else "▎", ground + palette.cursor)
    return Strip.join([Strip([bar], 1), strip.crop(1)])


def _styled(strip: Strip, style: Style) -> Strip:
    return Strip(Segment.apply_style(strip, post_style=style), strip.cell_length)
