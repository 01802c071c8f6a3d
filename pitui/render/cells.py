"""Terminal cells: how wide text is and where it may be cut, never inside a character as a reader sees it.

Widths are those of rich, which Textual lays rows out by, so rows never shift against what is drawn.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache

from rich.cells import cell_len, get_character_cell_size
from rich.style import Style

_PLAIN = re.compile(
    "[\\x20-\\x7e\\xa0-\\xac\\xae-\\u02ff\\u0370-\\u0377\\u0384-\\u0482\\u2010-\\u2027\\u2030-\\u205e\\u20a0-\\u20bf"
    "\\u2190-\\u2199\\u2200-\\u22ff\\u2500-\\u25fc]*"
)
_REGIONAL = "\U0001f1e6", "\U0001f1ff"
_JOINER = "\u200d"


def is_plain(text: str) -> bool:
    """Whether every character of `text` is one cell wide and stands alone, so that cells and indices are the same."""
    return text.isascii() or _PLAIN.fullmatch(text) is not None


def width_of(text: str) -> int:
    """The cells `text` takes; line breaks and tabs count nothing."""
    return len(text) if text.isascii() and text.isprintable() else cell_len(text)


@lru_cache(maxsize=4096)
def _extends(character: str) -> bool:
    """Whether the character belongs to the glyph before it."""
    return (
        get_character_cell_size(character) == 0
        or unicodedata.category(character) in {"Mn", "Me", "Mc"}
        or character in "\u0e33\u0eb3"
    )


def clusters(text: str) -> Iterator[tuple[int, int, int]]:
    """Yield (start, end, cells) for each character as a reader sees it: marks, emoji sequences and flags are whole."""
    index, length = 0, len(text)
    while index < length:
        start = index
        index = _cluster_end(text, start, length)
        if index - start == 1 and text[start] < "\u0300":
            yield start, index, get_character_cell_size(text[start])
        else:
            yield start, index, cell_len(text[start:index])


def _cluster_end(text: str, start: int, length: int) -> int:
    first, index = text[start], start + 1
    if _REGIONAL[0] <= first <= _REGIONAL[1] and index < length and _REGIONAL[0] <= text[index] <= _REGIONAL[1]:
        index += 1
    while index < length:
        character = text[index]
        if character < "\u0300" or not _extends(character):
            return index
        index += 2 if character == _JOINER and index + 1 < length and text[index + 1] > "\u0300" else 1
    return length


def _prefix_end(text: str, cells: int) -> tuple[int, int]:
    """The index up to which `text` fits into `cells`, and the cells it takes up to there."""
    used = 0
    for start, _end, wide in clusters(text):
        if used + wide > cells:
            return start, used
        used += wide
    return len(text), used


def clip(text: str, cells: int, ellipsis: str = "…") -> str:
    """`text`, or as much of its beginning as fits into `cells` with an ellipsis behind it."""
    if len(text) * 2 <= cells or (len(text) <= cells * 64 and width_of(text) <= cells):
        return text
    mark = ellipsis if width_of(ellipsis) <= cells else ""
    room = max(0, cells - width_of(mark))
    head = text[: room * 64 + 64]
    end = min(room, len(head)) if is_plain(head) else _prefix_end(head, room)[0]
    return head[:end] + mark


def clip_left(text: str, cells: int, ellipsis: str = "…") -> str:
    """`text`, or as much of its end as fits into `cells` with an ellipsis before it."""
    if len(text) * 2 <= cells or width_of(text) <= cells:
        return text
    mark = ellipsis if width_of(ellipsis) <= cells else ""
    room = max(0, cells - width_of(mark))
    if is_plain(text):
        return mark + text[len(text) - room :]
    used, begin = 0, len(text)
    for start, _end, wide in reversed(list(clusters(text))):
        if used + wide > room:
            break
        used, begin = used + wide, start
    return mark + text[begin:]


def spans_width(spans: Sequence[tuple[str, Style]]) -> int:
    """The cells the styled runs take together."""
    return sum([width_of(text) for text, _style in spans])


def clip_spans(spans: Sequence[tuple[str, Style]], cells: int, ellipsis: str = "…") -> list[tuple[str, Style]]:
    """The styled runs, or as much of their beginning as fits into `cells` with an ellipsis behind it."""
    if spans_width(spans) <= cells:
        return list(spans)
    mark = ellipsis if width_of(ellipsis) <= cells else ""
    room, kept, style = max(0, cells - width_of(mark)), [], Style.null()
    for text, style in spans:
        wide = width_of(text)
        if wide > room:
            kept.append((clip(text, room, ""), style))
            break
        kept.append((text, style))
        room -= wide
    return [*kept, (mark, style)] if mark else kept


def expand_tabs(text: str, size: int = 4, start: int = 0) -> str:
    """`text` with its tabs as spaces up to the next multiple of `size` cells; its first line begins at cell `start`."""
    if "\t" not in text:
        return text
    pieces, column = [], start
    for line in text.split("\n"):
        first, *others = line.split("\t")
        column += width_of(first)
        pieces.append(first)
        for part in others:
            gap = size - column % size
            pieces.append(" " * gap + part)
            column += gap + width_of(part)
        pieces.append("\n")
        column = 0
    return "".join(pieces[:-1])
