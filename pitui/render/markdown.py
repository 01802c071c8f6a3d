"""Markdown as lines: the whole of a text at once."""

from __future__ import annotations

import re

from rich.style import Style

from pitui.render.blocks import BlockLayout
from pitui.render.lines import Line, Palette
from pitui.render.parser import parser
from pitui.render.text import sanitize


def render_markdown(
    source: str, width: int, palette: Palette, base: Style | None = None, prose_width: int = 100
) -> list[Line]:
    """The lines of a markdown text; foreign text is welcome, and no word of it is left out.

    Args:
        source: any string; it is sanitized here.
        width: cells of a row, 1 or more; code and tables use it all.
        base: the style of plain text, `palette.text` by default.
        prose_width: cells prose wraps at when `width` is more.
    """
    lines: list[Line] = []
    tokens = parser().parse(sanitize(source))
    BlockLayout(width, prose_width, palette, palette.text if base is None else base, lines).add(tokens, 0, len(tokens))
    return lines


_CODE_FENCE = re.compile("^ {0,3}(?:```|~~~)", re.MULTILINE)


def estimate_lines(source: str, width: int, prose_width: int) -> int:
    """About how many rows `render_markdown` will make, without parsing; cheap enough for a long history."""
    wrap = max(1, min(width, prose_width))
    rows = sum([1 + len(line) // wrap for line in source.split("\n")])
    return max(1, rows - len(_CODE_FENCE.findall(source)) // 2)
