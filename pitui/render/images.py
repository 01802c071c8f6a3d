"""What is known of a picture from its first bytes: a line says it, the data itself is never text."""

from __future__ import annotations

import binascii
from base64 import b64decode

HEAD = 88_000
"""Characters of base64 looked at: JPEG keeps its size behind profiles and thumbnails."""

Size = tuple[int, int]


def image_size(head: bytes) -> Size | None:
    """Width and height in pixels of PNG, GIF, WebP or JPEG data, from its first bytes; None if it is none of these.

    Formats: RFC 2083 (PNG), GIF89a, the WebP container specification, ITU-T T.81 (JPEG).
    """
    if head.startswith(b"\x89PNG\r\n\x1a\n") and head[12:16] == b"IHDR" and len(head) >= 24:
        return _big(head[16:20]), _big(head[20:24])
    if head[:6] in (b"GIF87a", b"GIF89a") and len(head) >= 10:
        return _little(head[6:8]), _little(head[8:10])
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return _webp_size(head)
    if head.startswith(b"\xff\xd8"):
        return _jpeg_size(head)
    return None


def _big(data: bytes) -> int:
    return int.from_bytes(data, "big")


def _little(data: bytes) -> int:
    return int.from_bytes(data, "little")


def _webp_size(head: bytes) -> Size | None:
    form = head[12:16]
    if form == b"VP8X" and len(head) >= 30:
        return _little(head[24:27]) + 1, _little(head[27:30]) + 1
    if form == b"VP8L" and len(head) >= 25 and head[20] == 0x2F:
        bits = _little(head[21:25])
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if form == b"VP8 " and len(head) >= 30 and head[23:26] == b"\x9d\x01\x2a":
        return _little(head[26:28]) & 0x3FFF, _little(head[28:30]) & 0x3FFF
    return None


def _jpeg_size(head: bytes) -> Size | None:
    at = 2
    while at + 9 <= len(head) and head[at] == 0xFF:
        marker = head[at + 1]
        if marker == 0xFF:
            at += 1
        elif 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            return _big(head[at + 7 : at + 9]), _big(head[at + 5 : at + 7])
        else:
            at += 2 + _big(head[at + 2 : at + 4])
    return None


def picture(data: str) -> tuple[Size | None, int] | None:
    """Pixel size (if the format is known) and size in bytes of base64 `data`; None when it is not base64 at all."""
    head = data[:HEAD]
    try:
        start = b64decode(head[: len(head) // 4 * 4], validate=True)
    except (binascii.Error, ValueError):
        return None
    if not start:
        return None
    return image_size(start), len(data) * 3 // 4 - data.count("=", -2)
