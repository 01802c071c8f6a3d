"""Pictures by kitty's graphics protocol, placed by Unicode placeholders: cells that only the terminal knows from text.

A placeholder is U+10EEEE with two marks that say its row and column in the picture, and the picture's id as its colour.
So pictures scroll, and rows are compared and cut, like all others. The pictures of iTerm2 and of sixel lie over the
cells instead: neither scrolls with rows that are drawn one by one, so terminals that have only those get half blocks.

Protocol: https://sw.kovidgoyal.net/kitty/graphics-protocol/#unicode-placeholders
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import blake2b
from io import BytesIO

from rich.color import Color
from rich.style import Style

from pitui.render.halfblocks import fitted
from pitui.render.images import Size
from pitui.render.wrap import Span

PLACEHOLDER = "\U0010eeee"

_RANGES = (
    "305 30d-30e 310 312 33d-33f 346 34a-34c 350-352 357 35b 363-36f 483-487 592-595 597-599 59c-5a1 5a8-5a9 5ab-5ac "
    "5af 5c4 610-617 657-65b 65d-65e 6d6-6dc 6df-6e2 6e4 6e7-6e8 6eb-6ec 730 732-733 735-736 73a 73d 73f-741 743 745 "
    "747 749-74a 7eb-7f1 7f3 816-819 81b-823 825-827 829-82d 951 953-954 f82-f83 f86-f87 135d-135f 17dd 193a 1a17 "
    "1a75-1a7c 1b6b 1b6d-1b73 1cd0-1cd2 1cda-1cdb 1ce0 1dc0-1dc1 1dc3-1dc9 1dcb-1dcc 1dd1-1de6 1dfe 20d0-20d1 "
    "20d4-20d7 20db-20dc 20e1 20e7 20e9 20f0 2cef-2cf1 2de0-2dff a66f a67c-a67d a6f0-a6f1 a8e0-a8f1 aab0 aab2-aab3 "
    "aab7-aab8 aabe-aabf aac1 fe20-fe26 10a0f 10a38 1d185-1d189 1d1aa-1d1ad 1d242-1d244"
)
MARKS = "".join(
    chr(code)
    for first, _, last in (part.partition("-") for part in _RANGES.split())
    for code in range(int(first, 16), int(last or first, 16) + 1)
)
"""The mark of each row and column, from 0: the terminals' own table, not all marks there are."""

RUN = 16
"""Cells in a run: in longer ones rich may cut between a placeholder and its marks, for it divides by their number."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture in cells, by what it takes to send it. `box`: the pixels it may have at most, `size`: those it has.

    `id` says which picture it is, of which size, in 24 bits and never 0, so that a colour can hold it.
    """

    id: int
    columns: int
    rows: int
    size: Size
    box: Size = field(repr=False)
    data: str = field(repr=False)

    @property
    def png(self) -> bytes:
        """What is sent. Not kept for long: most pictures are sent once."""
        made = _scaled(self.data, *self.box)
        return b"" if made is None else made[1]

    def cells(self) -> Sequence[Sequence[Span]]:
        """The rows that show it, once it is sent. Each cell says where it is: rows may be drawn from their middle."""
        style = Style(color=Color.from_rgb(self.id >> 16, self.id >> 8 & 255, self.id & 255))
        rows = []
        for row in range(self.rows):
            cells = [PLACEHOLDER + MARKS[row] + MARKS[column] for column in range(self.columns)]
            rows.append([("".join(cells[at : at + RUN]), style) for at in range(0, self.columns, RUN)])
        return rows


@lru_cache(maxsize=64)
def placed(data: str, width: int, height: int, cell: Size) -> Picture | None:
    """A picture in `width` × `height` cells at most, never larger than it is; None when it is not to be drawn.

    Args:
        data: the picture, as for `half_blocks`.
        cell: the pixels of a cell.
    """
    box = min(width, len(MARKS)) * cell[0], min(height, len(MARKS)) * cell[1]
    made = _scaled(data, *box)
    if made is None:
        return None
    size = made[0]
    name = blake2b(f"{box} {data}".encode(), digest_size=3).digest()
    return Picture(
        int.from_bytes(name, "big") or 1, -(-size[0] // cell[0]), -(-size[1] // cell[1]), size, box, data
    )


@lru_cache(maxsize=8)
def _scaled(data: str, width: int, height: int) -> tuple[Size, bytes] | None:
    """The picture made to fit: its size, and itself as PNG."""
    image = fitted(data, width, height)
    if image is None:
        return None
    out = BytesIO()
    image.save(out, "PNG", compress_level=1)
    return image.size, out.getvalue()
