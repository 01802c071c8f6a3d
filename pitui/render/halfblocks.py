"""Pictures in half blocks: two pixels to a cell, in any terminal that has true colours."""

from __future__ import annotations

import binascii
import struct
import zlib
from base64 import b64decode
from collections.abc import Sequence
from functools import lru_cache
from io import BytesIO
from typing import TYPE_CHECKING

from rich.color import Color
from rich.style import Style

from pitui.render.images import picture
from pitui.render.wrap import Span

if TYPE_CHECKING:
    from PIL.Image import Image

MOST_PIXELS = 4_500_000
MOST_BYTES = 20_000_000
"""Pictures with more stay undrawn: decoding them would hold up the screen. Models take no larger ones either."""
OPAQUE = 128
"""Alpha from which on a pixel is drawn."""

_FORMATS = ("PNG", "JPEG", "GIF", "WEBP")
_DAMAGED = (OSError, ValueError, SyntaxError, EOFError, LookupError, TypeError, OverflowError, struct.error, zlib.error,
            binascii.Error)  # fmt: skip
"""What Pillow raises on files that are damaged or made to harm."""

Pixel = tuple[int, int, int, int]


@lru_cache(maxsize=64)
def half_blocks(data: str, width: int, height: int) -> Sequence[Sequence[Span]]:
    """Rows of runs that show a picture, never larger than it is; none when it is not to be drawn.

    Args:
        data: the picture, PNG, JPEG, GIF (its first frame) or WebP, in base64.
        width: cells, height: rows it takes at most, 1 or more.
    """
    image = fitted(data, width, height * 2)
    if image is None:
        return ()
    columns = image.width
    pixels: list[Pixel] = [*zip(*(image.getchannel(band).tobytes() for band in "RGBA"), strict=True)]
    rows = [pixels[start : start + columns] for start in range(0, len(pixels), columns)]
    if len(rows) % 2:
        rows.append([(0, 0, 0, 0)] * columns)
    return [_row(upper, lower) for upper, lower in zip(rows[::2], rows[1::2], strict=True)]


def fitted(data: str, width: int, height: int) -> Image | None:
    """The picture in at most so many pixels, never larger than it is, as RGBA; None when it is not to be drawn."""
    from PIL import Image

    known = picture(data)
    if known is None or known[0] is None or known[1] > MOST_BYTES or not 0 < known[0][0] * known[0][1] <= MOST_PIXELS:
        return None
    try:
        with Image.open(BytesIO(b64decode(data, validate=True)), formats=_FORMATS) as image:
            if image.width * image.height > MOST_PIXELS:
                return None
            image.draft("RGB", (width * 2, height * 2))
            return _scaled(image, width, height)
    except (*_DAMAGED, Image.DecompressionBombError):
        return None


def _scaled(image: Image, width: int, height: int) -> Image:
    from PIL.Image import Resampling

    scale = min(1.0, width / image.width, height / image.height)
    size = max(1, round(image.width * scale)), max(1, round(image.height * scale))
    return image.convert("RGBA").resize(size, Resampling.BOX, reducing_gap=2.0)


def _row(upper: Sequence[Pixel], lower: Sequence[Pixel]) -> list[Span]:
    spans: list[Span] = []
    for above, below in zip(upper, lower, strict=True):
        text, style = _cell(above if above[3] >= OPAQUE else None, below if below[3] >= OPAQUE else None)
        if spans and spans[-1][1] == style and spans[-1][0][0] == text:
            spans[-1] = (spans[-1][0] + text, style)
        else:
            spans.append((text, style))
    return spans


def _cell(above: Pixel | None, below: Pixel | None) -> Span:
    """A cell with one pixel above the other; where there is none the ground shows."""
    if above is None and below is None:
        return " ", Style.null()
    if above is None:
        return "▄", Style(color=_colour(below))
    return "▀", Style(color=_colour(above), bgcolor=_colour(below))


def _colour(pixel: Pixel | None) -> Color | None:
    return None if pixel is None else Color.from_rgb(*pixel[:3])
