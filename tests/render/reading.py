"""How tests read lines: as the screen shows them, and as a copy gives them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rich.cells import cell_len

from pitui.render.cells import clusters
from pitui.render.lines import Line

WORD = re.compile("[A-Za-z0-9]+")


def split_gutter(line: Line) -> tuple[str, str]:
    """The row's gutter and its text, without what is no text at its right."""
    text, used, start = line.text, 0, 0
    for begin, end, wide in clusters(text):
        if used >= line.gutter:
            break
        used, start = used + wide, end
        del begin
    return text[:start], text[start : len(text) - line.trailing]


def shown(lines: Sequence[Line]) -> list[str]:
    """The rows as they stand on the screen, without blanks at their right."""
    return [line.text.rstrip() for line in lines]


def copied(lines: Sequence[Line]) -> str:
    """What a copy of all rows gives."""
    pieces: list[str] = []
    for line in lines:
        if line.decoration:
            continue
        body = split_gutter(line)[1] if line.source is None else line.source
        pieces += ["\n" if pieces else "", body] if line.joins is None else [line.joins, body]
    return "".join(pieces)


def read(lines: Sequence[Line]) -> str:
    """All a reader can make out: gutters, text joined over wraps, addresses behind links."""
    pieces: list[str] = []
    for line in lines:
        gutter, body = split_gutter(line)
        body = line.source if line.source is not None and "▯" in body else body
        pieces.append(f"\n{gutter}{body}" if line.joins is None else line.joins + body)
    return "".join(pieces) + "\n" + " ".join([target.value for line in lines for target in line.targets])


def missing_words(source: str, lines: Sequence[Line]) -> list[str]:
    """The words of the source that a reader does not find."""
    text = read(lines)
    return [word for word in WORD.findall(source) if word not in text]


def widest(lines: Sequence[Line]) -> int:
    """The cells of the longest row, added up by segments as Textual does."""
    return max([sum([cell_len(segment.text) for segment in line.segments]) for line in lines], default=0)
