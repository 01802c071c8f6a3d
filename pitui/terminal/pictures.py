"""Pictures the terminal holds for us: which terminals can, and each sent once before the first row that shows it."""

from __future__ import annotations

import fcntl
import struct
import termios
from base64 import b64encode
from collections.abc import Callable, Iterable, Mapping

from pitui.render.images import Size
from pitui.render.placeholders import Picture

MOST_PICTURES = 64
MOST_BYTES = 50_000_000
"""What the terminal holds at most, as pixels, apart from what is on the screen."""
CHUNK = 4_096
"""Characters of data in a sequence, as the protocol has it."""
END = "\x1b\\"
"""Ends a sequence, also one that was cut short."""
CELL = 10, 20
"""Pixels of a cell in terminals that do not say."""

_CAPABLE = frozenset({"xterm-kitty", "xterm-ghostty"})
_BETWEEN = ("TMUX", "STY", "ZELLIJ")
"""Set by programs between us and the terminal, which keep a screen of their own and know nothing of placeholders."""


def draws_pictures(environ: Mapping[str, str]) -> bool:
    """Whether the terminal is one that knows Unicode placeholders: kitty or Ghostty, and nothing between.

    Told by the environment alone; a question might be answered into the person's typing.
    """
    term, program = environ.get("TERM", ""), environ.get("TERM_PROGRAM", "")
    if "NO_COLOR" in environ or any(environ.get(name) for name in _BETWEEN) or not term.startswith("xterm"):
        return False
    # Other terminals that were started from kitty have its window's id, too, but say who they are.
    return term in _CAPABLE or program == "ghostty" or (not program and bool(environ.get("KITTY_WINDOW_ID")))


def cell_size(fd: int) -> Size:
    """The pixels of a cell of the terminal at `fd`."""
    try:
        told = fcntl.ioctl(fd, termios.TIOCGWINSZ, bytes(8))
    except OSError:
        return CELL
    rows, columns, width, height = struct.unpack("HHHH", told)
    return (width // columns, height // rows) if 0 < columns <= width and 0 < rows <= height else CELL


class Pictures:
    """The pictures in the terminal, by `write`."""

    def __init__(self, write: Callable[[str], object]) -> None:
        self._write = write
        self._held: dict[Picture, None] = {}  # Those needed last come last.

    def show(self, needed: Iterable[Picture]) -> None:
        """Send what the terminal does not hold yet of all that is on the screen, and let go of what is too much."""
        needed = dict.fromkeys(needed)
        for picture in needed:
            known = picture in self._held
            self._held.pop(picture, None)
            self._held[picture] = None
            if not known:
                self._write(sending(picture))
        weight = sum(map(_weight, self._held))
        for picture in [*self._held][: len(self._held) - len(needed)]:
            if len(self._held) <= MOST_PICTURES and weight <= MOST_BYTES:
                break
            del self._held[picture]
            weight -= _weight(picture)
            self._write(deleting(picture))

    def let_go(self) -> str:
        """What makes the terminal forget them all. They are sent again when they are needed again."""
        held, self._held = self._held, {}
        return "".join([END, *map(deleting, held)]) if held else ""


def _weight(picture: Picture) -> int:
    return picture.size[0] * picture.size[1] * 4


def sending(picture: Picture) -> str:
    """Gives the terminal a picture, to be shown wherever its placeholders are; it answers nothing (`q=2`)."""
    data = b64encode(picture.png).decode("ascii")
    parts = [data[start : start + CHUNK] for start in range(0, len(data), CHUNK)]
    first = f"a=T,U=1,f=100,i={picture.id},c={picture.columns},r={picture.rows},"
    return "".join(
        f"\x1b_G{'' if number else first}q=2,m={int(number + 1 < len(parts))};{part}{END}"
        for number, part in enumerate(parts)
    )


def deleting(picture: Picture) -> str:
    """Makes the terminal forget a picture and where it was."""
    return f"\x1b_Ga=d,d=I,i={picture.id},q=2{END}"
