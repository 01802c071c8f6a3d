"""Pictures in half blocks: they fit, show what there is, and nothing in a file does harm."""

from __future__ import annotations

from base64 import b64encode
from io import BytesIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from rich.cells import cell_len

from pitui.render.entries import render_entry
from pitui.render.halfblocks import MOST_PIXELS, half_blocks
from pitui.rpc.messages import ImageBlock
from pitui.session.state import ToolEntry, ToolState, UserEntry
from tests.render.kinds import PLAIN, check_lines, look, shown


def encoded(image: Image.Image, form: str = "PNG") -> str:
    data = BytesIO()
    image.save(data, form)
    return b64encode(data.getvalue()).decode("ascii")


def test_two_pixels_make_a_cell() -> None:
    image = Image.new("RGBA", (3, 2))
    image.putpixel((0, 0), (255, 0, 0, 255))
    image.putpixel((0, 1), (0, 0, 255, 255))
    image.putpixel((1, 1), (0, 255, 0, 255))
    (row,) = half_blocks(encoded(image), 40, 20)
    assert [(text, str(style)) for text, style in row] == [("▀", "#ff0000 on #0000ff"), ("▄", "#00ff00"), (" ", "none")]


@pytest.mark.parametrize("form", ["PNG", "JPEG", "GIF", "WEBP"])
def test_pictures_of_all_kinds_are_made_to_fit(form: str) -> None:
    rows = half_blocks(encoded(Image.new("RGB", (300, 100), (10, 20, 30)), form), 30, 20)
    assert [sum(cell_len(text) for text, _ in row) for row in rows] == [30] * 5


def test_a_small_picture_is_not_made_larger() -> None:
    assert len(half_blocks(encoded(Image.new("RGB", (4, 7))), 60, 30)) == 4


def test_what_is_too_large_to_decode_at_once_is_not_drawn() -> None:
    image = Image.new("1", (MOST_PIXELS // 1000 + 1, 1000))
    assert half_blocks(encoded(image), 60, 30) == ()


@settings(deadline=None, max_examples=300)
@given(
    st.sampled_from(["PNG", "JPEG", "GIF", "WEBP"]), st.integers(0, 400), st.binary(max_size=12), st.integers(0, 500),
)
def test_a_damaged_picture_is_drawn_or_not_but_never_an_error(form: str, at: int, piece: bytes, end: int) -> None:
    data = BytesIO()
    Image.radial_gradient("L").resize((40, 30)).convert("P").convert("RGB").save(data, form)
    whole = data.getvalue()
    broken = (whole[:at] + piece + whole[at + len(piece) :])[: len(whole) - end]
    for row in half_blocks(b64encode(broken).decode("ascii"), 30, 20):
        assert sum(cell_len(text) for text, _ in row) <= 30


def test_a_view_decides_whether_pictures_are_drawn() -> None:
    block = ImageBlock(data=encoded(Image.new("RGB", (20, 20), (200, 0, 0))), mime_type="image/png")
    call = ToolEntry("k", "c", "screenshot", state=ToolState.DONE, content=(block,))
    for entry in (call, UserEntry("k", "see", (block,))):
        told = len(render_entry(entry, look()))
        for options in ({"show_images": True}, {"whole": True}):
            drawn = render_entry(entry, look(**options))
            check_lines(drawn, 80)
            assert len(drawn) == told + 10
        assert len(render_entry(entry, look(show_images=True, palette=PLAIN))) == told
        assert "▣ image/png · 20×20" in shown(render_entry(entry, look(show_images=True)))
