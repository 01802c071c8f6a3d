"""Lines of the renderers as Textual strips: padded to the width, with selection, matches and the cursor drawn over."""

from __future__ import annotations

from collections.abc import Iterable

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from pitui.render.lines import Line, Palette

KEPT = 2_000
"""Strips kept; a screen's worth many times over."""


class Strips:
    """Strips by line, made once each. Bound to a width in cells and to the style of the ground.

    A strip is cached by its line's identity, so the same line gives the same strip: that is how a screen row is known
    to be unchanged.
    """

    def __init__(self, width: int, base: Style) -> None:
        self.width = width
        self.base = base
        self.blank = Strip([Segment(" " * width, base)] if width else [], width)
        self._made: dict[int, tuple[Line, Strip]] = {}

    def strip(self, line: Line) -> Strip:
        if not line.segments:
            return self.blank
        made = self._made.get(id(line))
        if made is not None:
            return made[1]
        if len(self._made) >= KEPT:
            self._made.clear()
        strip = Strip(Segment.apply_style(line.segments, self.base)).adjust_cell_length(self.width, self.base)
        self._made[id(line)] = (line, strip)
        return strip


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
