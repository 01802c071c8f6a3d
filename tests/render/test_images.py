"""A picture is told by its size; its data is never shown."""

from __future__ import annotations

import zlib
from base64 import b64encode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitui.render.images import image_size, picture

PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + (640).to_bytes(4, "big") + (480).to_bytes(4, "big") + b"\x08\x02\0\0\0"
GIF = b"GIF89a" + (32).to_bytes(2, "little") + (16).to_bytes(2, "little")
EXTENDED = b"RIFF\0\0\0\0WEBPVP8X" + b"\0" * 8 + (99).to_bytes(3, "little") + (49).to_bytes(3, "little")
LOSSLESS = b"RIFF\0\0\0\0WEBPVP8L\0\0\0\0\x2f" + (9 | 19 << 14).to_bytes(4, "little")
LOSSY = b"RIFF\0\0\0\0WEBPVP8 \0\0\0\0\0\0\0\x9d\x01\x2a" + (70).to_bytes(2, "little") + (60).to_bytes(2, "little")
THUMBNAIL = b"\xff\xe1" + (5000).to_bytes(2, "big") + zlib.compress(b"")[:2] + b"\0" * 4996
JPEG = b"\xff\xd8" + THUMBNAIL + b"\xff\xff\xc2\0\x11\x08" + (300).to_bytes(2, "big") + (400).to_bytes(2, "big") + b"\3"


@pytest.mark.parametrize(
    ("data", "size"),
    [
        (PNG, (640, 480)), (GIF, (32, 16)), (EXTENDED, (100, 50)), (LOSSLESS, (10, 20)), (LOSSY, (70, 60)),
        (JPEG, (400, 300)), (b"ABCABC", None), (PNG[:20], None), (JPEG[:40], None), (b"", None),
    ],
)
def test_the_size_is_read_from_the_first_bytes(data: bytes, size: tuple[int, int] | None) -> None:
    assert image_size(data) == size


@pytest.mark.parametrize("length", [24, 25, 26, 90_000])
def test_bytes_are_counted_without_decoding_everything(length: int) -> None:
    data = PNG.ljust(length, b"\0")[:length]
    assert picture(b64encode(data).decode()) == ((640, 480), length)


@pytest.mark.parametrize("data", ["", "!!notbase64!!", "é", "====", "A"])
def test_what_is_not_base64_is_no_picture(data: str) -> None:
    assert picture(data) is None


@given(st.binary(max_size=200), st.sampled_from([b"\xff\xd8\xff", b"GIF89a", b"RIFF0000WEBPVP8 ", PNG[:16], b""]))
def test_any_bytes_are_measured_without_an_error(data: bytes, head: bytes) -> None:
    size = image_size(head + data)
    assert size is None or min(size) >= 0
