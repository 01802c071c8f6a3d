"""Light colours for what is being written: markers, code, headings, mentions. One line at a time, as it is drawn."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from rich.style import Style
from rich.text import Text

from pitui.widgets.paste import MARKER

_FENCE = re.compile(r"\s{0,3}(```|~~~)")
_HEADING = re.compile(r"#{1,6}\s.*")
_INLINE = (
    ("editor--code", re.compile(r"`[^`]+`")),
    ("editor--strong", re.compile(r"\*\*[^*\s](?:[^*]*[^*\s])?\*\*")),
    ("editor--mention", re.compile(r"(?<!\S)@(?:\"[^\"]+\"|[^\s\"]+)")),
)
_COMMAND = re.compile(r"/[^\s/]+(?=\s|$)|!{1,2}(?=\S)")
_MOST_LINES = 2_000


def style_line(
    text: Text, line: str, index: int, lines: Sequence[str], style_of: Callable[[str], Style]
) -> None:
    """Colour `text`, the drawn form of `line`, the `index`-th of `lines`. `style_of` gives a component's style."""
    if len(lines) <= _MOST_LINES and _fenced(lines, index):
        text.stylize(style_of("editor--code"))
    elif _HEADING.match(line):
        text.stylize(style_of("editor--heading"))
    else:
        for name, pattern in _INLINE:
            for match in pattern.finditer(line):
                text.stylize(style_of(name), match.start(), match.end())
        if index == 0 and (command := _COMMAND.match(line)):
            text.stylize(style_of("editor--command"), 0, command.end())
    for match in MARKER.finditer(line):
        text.stylize(style_of("editor--marker"), match.start(), match.end())


def _fenced(lines: Sequence[str], index: int) -> bool:
    """Whether the line stands in a fenced block, fences included."""
    opened = ""
    for number in range(index + 1):
        fence = _FENCE.match(lines[number])
        if not fence:
            continue
        if not opened:
            opened = fence[1]
        elif fence[1] == opened:
            if number == index:
                return True
            opened = ""
    return bool(opened)
