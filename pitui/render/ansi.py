"""Program output as a terminal would finally show it, and its colours as styled runs."""

from __future__ import annotations

import re
from functools import lru_cache

from rich.color import Color
from rich.style import Style

from pitui.render.cells import clusters

_STRING_BODY = "[^\\x07\\x1b\\n\\r\\x80-\\x9f]*"
_OTHER_SEQUENCE = (
    f"(?:\\x1b[\\]PX^_]|[\\x9d\\x90\\x98\\x9e\\x9f]){_STRING_BODY}(?:\\x07|\\x1b\\\\|\\x9c)"
    "|\\x1b[ -/]+[0-~]?|\\x1b[0-Z\\\\-~]?"
)
_CSI = "(?:\\x1b\\[|\\x9b(?=[0-?]))(?P<params>[0-?]*)[ -/]*(?P<final>[@-~]?)"
_TOKEN = re.compile(f"{_CSI}|(?P<other>{_OTHER_SEQUENCE})|(?P<move>[\\r\\x08])")
_OVERWRITES = re.compile("\\r(?!\\n)|\\x08|\\x1b\\[[0-9;]*[KG]|\\x9b[0-9;]*[KG]")
_SGR = re.compile("(?:\\x1b\\[|\\x9b(?=[0-9;:]*m))([0-9;:]*)m")
_CONTROL = re.compile("[\\x00-\\x1f\\x7f-\\x9f]")
_MAX_COLUMN = 100_000

_ATTRIBUTES = {
    1: Style(bold=True), 2: Style(dim=True), 3: Style(italic=True), 4: Style(underline=True), 7: Style(reverse=True),
    9: Style(strike=True), 21: Style(underline=True), 22: Style(bold=False, dim=False), 23: Style(italic=False),
    24: Style(underline=False), 27: Style(reverse=False), 29: Style(strike=False),
}  # fmt: skip


def terminal_text(text: str) -> str:
    """What a terminal would finally show of program output, line by line.

    A carriage return writes over the line (a progress bar shows its last state), a backspace steps back, erase-line
    and move-to-column are honoured; a last state too short to cover the one before it gets a row of its own, so no
    words are mixed up. Colours stay as SGR sequences for `ansi_spans`, everything else is left to `sanitize`. Moves
    between lines are not followed. Each row costs time linear in what was written to it.
    """
    if not _OVERWRITES.search(text):
        return text
    lines = text.replace("\r\n", "\n").split("\n")
    return "\n".join([_final_row(line) if _OVERWRITES.search(line) else line for line in lines])


def _final_row(line: str) -> str:
    states = line.rstrip("\r").rsplit("\r", 1)
    row = _Row()
    row.write(states[0])
    if len(states) == 1:
        return row.text
    last = _Row()
    last.write(states[1])
    if last.erased or len(last.cells) >= len(row.cells):
        return last.text
    return f"{row.text}\n{last.text}" if last.text.strip() else row.text


class _Row:
    """One row of a terminal: a character and its colours in each cell."""

    def __init__(self) -> None:
        self.cells: list[tuple[str, str]] = []
        self.erased = False
        self._column = 0
        self._colours = ""

    def write(self, line: str) -> None:
        position = 0
        for match in _TOKEN.finditer(line):
            self._put(line[position : match.start()])
            self._obey(match)
            position = match.end()
        self._put(line[position:])

    def _put(self, piece: str) -> None:
        piece = _CONTROL.sub("", piece)
        for start, end, wide in clusters(piece):
            shown = [(piece[start:end], self._colours), *[("", self._colours)] * (wide - 1)]
            self.cells[self._column : self._column + len(shown)] = shown
            self._column += len(shown)

    def _obey(self, match: re.Match[str]) -> None:
        params = match["params"] or ""
        if (move := match["move"]) is not None:
            self._column = 0 if move == "\r" else max(0, self._column - 1)
        elif match["final"] == "m":
            self._colours = "" if params in {"", "0"} else (self._colours + match[0])[-256:]
        elif match["final"] == "K":
            self.erased = True
            _erase(self.cells, self._column, params)
        elif match["final"] == "G":
            wanted = int(params) if params.isdecimal() and len(params) < 6 else 1
            self._column = min(max(wanted, 1) - 1, _MAX_COLUMN)
            self.cells.extend([(" ", "")] * (self._column - len(self.cells)))

    @property
    def text(self) -> str:
        pieces, current = [], ""
        for character, colours in self.cells:
            if colours != current:
                pieces.append("\x1b[0m" + colours)
                current = colours
            pieces.append(character)
        return "".join([*pieces, "\x1b[0m"] if current else pieces)


def _erase(cells: list[tuple[str, str]], column: int, mode: str) -> None:
    if mode in {"", "0"}:
        del cells[column:]
    elif mode == "1":
        cells[: column + 1] = [(" ", "")] * min(column + 1, len(cells))
    elif mode == "2":
        cells[:] = [(" ", "")] * column


def ansi_spans(text: str, base: Style) -> list[list[tuple[str, Style]]]:
    """Lines of styled runs: SGR colours and attributes over `base`, every other control dropped, text sanitized.

    Blinking and hidden text are shown as plain text. The list has one entry for each line; an empty line is empty.
    """
    from pitui.render.text import sanitize

    lines: list[list[tuple[str, Style]]] = [[]]
    style, position = Style.null(), 0

    def emit(piece: str) -> None:
        shown = base + style
        for number, part in enumerate(sanitize(piece).split("\n")):
            if number:
                lines.append([])
            if part:
                lines[-1].append((part, shown))

    for match in _SGR.finditer(text):
        if match.start() > position:
            emit(text[position : match.start()])
        style = _applied(style, match[1])
        position = match.end()
    emit(text[position:])
    return lines


@lru_cache(maxsize=1024)
def _applied(style: Style, params: str) -> Style:
    """The style after one SGR sequence, `params` as between `ESC [` and `m`."""
    codes = params.split(";")[:64]
    index = 0
    while index < len(codes):
        code = codes[index]
        index += 1
        if ":" in code:
            style = _colon_form(style, code.split(":"))
        elif (number := _number(code)) in {38, 48}:
            colour, used = _extended(codes[index:])
            style += _coloured(colour, number == 38)
            index += used
        else:
            style = _simple(style, number)
    return style


def _number(code: str) -> int:
    if not code:
        return 0
    return int(code) if code.isascii() and code.isdecimal() and len(code) < 6 else -1


def _simple(style: Style, code: int) -> Style:
    if code == 0:
        return Style.null()
    if code in _ATTRIBUTES:
        return style + _ATTRIBUTES[code]
    for first, foreground, offset in ((30, True, 0), (40, False, 0), (90, True, 8), (100, False, 8)):
        if first <= code < first + 8:
            return style + _coloured(Color.from_ansi(code - first + offset), foreground)
    if code in {39, 49}:
        return _without_colour(style, code == 39)
    return style


def _coloured(colour: Color | None, foreground: bool) -> Style:
    if colour is None:
        return Style.null()
    return Style.from_color(colour) if foreground else Style.from_color(None, colour)


def _without_colour(style: Style, foreground: bool) -> Style:
    bare = Style.from_color(None if foreground else style.color, style.bgcolor if foreground else None)
    return style.without_color + bare


def _extended(codes: list[str]) -> tuple[Color | None, int]:
    """The colour after a 38 or 48, and how many codes it took."""
    numbers = [_number(code) for code in codes[:4]]
    if len(numbers) >= 2 and numbers[0] == 5:
        return _indexed(numbers[1]), 2
    if len(numbers) == 4 and numbers[0] == 2:
        return _rgb(numbers[1:4]), 4
    return None, len(codes)


def _colon_form(style: Style, parts: list[str]) -> Style:
    """`4:3` (underline kinds), `38:5:n`, `38:2:r:g:b` and `38:2:space:r:g:b` (ISO 8613-6)."""
    numbers = [_number(part) for part in parts]
    if numbers[0] == 4:
        return style + Style(underline=numbers[1] != 0)
    if numbers[0] in {38, 48} and len(numbers) >= 3:
        rgb = numbers[3:6] if len(numbers) >= 6 else numbers[2:5]
        colour = _indexed(numbers[2]) if numbers[1] == 5 else _rgb(rgb) if numbers[1] == 2 and len(rgb) == 3 else None
        return style + _coloured(colour, numbers[0] == 38)
    return style


def _indexed(number: int) -> Color | None:
    return Color.from_ansi(number) if 0 <= number <= 255 else None


def _rgb(numbers: list[int]) -> Color | None:
    red, green, blue = numbers
    return Color.from_rgb(red, green, blue) if all(0 <= number <= 255 for number in numbers) else None
