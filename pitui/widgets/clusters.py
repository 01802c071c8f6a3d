"""Characters as people see them: a cursor never stands inside one."""

from __future__ import annotations

from rich.cells import split_graphemes

_WINDOW = 64


def cluster_around(line: str, column: int) -> tuple[int, int]:
    """The columns where the character that `column` is inside of starts and ends; `column` twice at a boundary."""
    if not 0 < column < len(line) or (line[column - 1].isascii() and line[column].isascii()):
        return column, column
    offset = max(0, column - _WINDOW)
    spans, _ = split_graphemes(line[offset : column + _WINDOW])
    for start, end, _width in spans:
        if start < column - offset < end:
            return start + offset, end + offset
    return column, column
