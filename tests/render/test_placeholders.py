"""Pictures by placeholders: cells like any others, an id that fits a colour, and half blocks where they cannot be."""

from __future__ import annotations

import unicodedata
from base64 import b64encode
from dataclasses import replace
from io import BytesIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from rich.cells import cell_len
from rich.segment import Segment
from textual.strip import Strip

from pitui.render.cells import clusters
from pitui.render.entries import plain_text, render_entry
from pitui.render.halfblocks import MOST_PIXELS
from pitui.render.lines import Line
from pitui.render.placeholders import MARKS, PLACEHOLDER, Picture, placed
from pitui.rpc.messages import ImageBlock
from pitui.session.state import ToolEntry, ToolState, UserEntry
from pitui.widgets.selection import join_rows
from tests.render.kinds import PLAIN, check_lines, copied, look, shown
from tests.render.test_halfblocks import encoded

CELL = (10, 20)
RED = encoded(Image.new("RGB", (15, 30), (200, 0, 0)))


def shot(data: str) -> ToolEntry:
    block = ImageBlock(data=data, mime_type="image/png")
    return ToolEntry("k", "c", "screenshot", state=ToolState.DONE, content=(block,))


def test_each_cell_says_its_row_its_column_and_by_its_colour_the_picture() -> None:
    picture = placed(RED, 40, 20, CELL)
    assert picture is not None
    assert (picture.columns, picture.rows, picture.size) == (2, 2, (15, 30))
    colour = f"#{picture.id:06x}"
    assert [[(text, str(style)) for text, style in row] for row in picture.cells()] == [
        [("\U0010eeee\u0305\u0305\U0010eeee\u0305\u030d", colour)],
        [("\U0010eeee\u030d\u0305\U0010eeee\u030d\u030d", colour)],
    ]


def test_the_marks_are_those_of_the_protocol() -> None:
    assert (len(MARKS), len(set(MARKS)), sorted(MARKS)) == (297, 297, [*MARKS])
    assert {(unicodedata.category(mark), unicodedata.combining(mark)) for mark in MARKS} == {("Mn", 230)}
    assert not any(map(unicodedata.decomposition, MARKS))
    assert [f"{ord(MARKS[at]):x}" for at in (0, 1, 30, 99, 254, 255, 296)] == [
        "305", "30d", "483", "74a", "a8e4", "a8e5", "1d244",
    ]


def test_a_placeholder_is_one_cell_whatever_its_marks() -> None:
    cells = [PLACEHOLDER + one + other for one, other in zip(MARKS, reversed(MARKS), strict=True)]
    assert {cell_len(cell) for cell in cells} == {1}
    text = "".join(cells)
    assert [text[start:end] for start, end, _ in clusters(text)] == cells


@pytest.mark.parametrize("columns", [1, 7, 16, 43, 150, 297])
def test_a_row_can_be_cut_at_every_cell(columns: int) -> None:
    row = Picture(1, columns, 1, (1, 1), (1, 1), "").cells()[0]
    text = "".join(part for part, _ in row)
    strip = Strip([Segment(part, style) for part, style in row], columns)
    for cell in range(columns + 1):
        assert (strip.crop(0, cell).text, strip.crop(cell).text) == (text[: cell * 3], text[cell * 3 :])


def test_a_picture_is_sent_no_larger_than_its_cells_and_never_made_larger() -> None:
    big = placed(encoded(Image.new("RGB", (3000, 1000))), 30, 20, CELL)
    small = placed(encoded(Image.new("RGB", (4, 7))), 60, 30, CELL)
    wide = placed(encoded(Image.new("RGB", (4000, 10))), 400, 30, CELL)
    assert big is not None
    assert small is not None
    assert wide is not None
    assert [(it.columns, it.rows, it.size) for it in (big, small, wide)] == [
        (30, 5, (300, 100)), (1, 1, (4, 7)), (297, 1, (2970, 7)),
    ]
    with Image.open(BytesIO(big.png)) as sent:
        assert (sent.format, sent.size, sent.mode) == ("PNG", (300, 100), "RGBA")


def test_the_id_is_that_of_the_picture_and_its_size() -> None:
    other = encoded(Image.new("RGB", (15, 30), (201, 0, 0)))
    made = [placed(RED, 40, 20, CELL), placed(other, 40, 20, CELL), placed(RED, 1, 20, CELL), placed(RED, 40, 20, CELL)]
    ids = [picture.id for picture in made if picture is not None]
    assert ids[0] == ids[3]
    assert len(set(ids)) == 3
    assert all(0 < number < 1 << 24 for number in ids)


def test_what_is_too_large_or_no_picture_is_not_drawn() -> None:
    large = encoded(Image.new("1", (MOST_PIXELS // 1000 + 1, 1000)))
    assert [placed(data, 60, 30, CELL) for data in (large, "", "no base64", b64encode(b"text").decode())] == [None] * 4


@settings(deadline=None, max_examples=100)
@given(
    st.sampled_from(["PNG", "JPEG", "GIF", "WEBP"]), st.integers(0, 400), st.binary(max_size=12), st.integers(0, 500),
)
def test_a_damaged_picture_is_drawn_or_not_but_never_an_error(form: str, at: int, piece: bytes, end: int) -> None:
    data = BytesIO()
    Image.radial_gradient("L").resize((40, 30)).convert("P").convert("RGB").save(data, form)
    whole = data.getvalue()
    broken = (whole[:at] + piece + whole[at + len(piece) :])[: len(whole) - end]
    picture = placed(b64encode(broken).decode("ascii"), 30, 20, CELL)
    if picture is not None:
        assert picture.columns <= 30
        assert picture.png.startswith(b"\x89PNG")


def test_a_view_with_a_cell_has_placeholders_and_says_what_the_terminal_must_hold() -> None:
    for entry in (shot(RED), UserEntry("k", "see", (ImageBlock(data=RED, mime_type="image/png"),))):
        told = render_entry(entry, look(cell=CELL))
        for options in ({"show_images": True}, {"whole": True}):
            drawn = render_entry(entry, look(cell=CELL, **options))
            check_lines(drawn, 80)
            assert len(drawn) == len(told) + 2
            assert ["\U0010eeee" in line.text for line in drawn] == [line.picture is not None for line in drawn]
            assert {line.picture.columns for line in drawn if line.picture is not None} == {2}
        plain = render_entry(entry, look(cell=CELL, show_images=True, palette=PLAIN))
        assert (len(plain), [line.picture for line in plain]) == (len(told), [None] * len(told))


def test_without_a_cell_half_blocks_are_drawn_and_nothing_is_to_be_held() -> None:
    lines = render_entry(shot(RED), look(show_images=True))
    assert "▀" in shown(lines)
    assert [line.picture for line in lines] == [None] * len(lines)


def test_a_copy_over_a_picture_gives_words_only() -> None:
    for entry in (shot(RED), UserEntry("k", "see", (ImageBlock(data=RED, mime_type="image/png"),))):
        told, drawn = (render_entry(entry, look(cell=CELL, show_images=wanted)) for wanted in (False, True))
        assert copied(drawn) == copied(told)
        assert join_rows(whole(drawn)) == join_rows(whole(told))
        assert PLACEHOLDER not in plain_text(entry)


def whole(lines: list[Line]) -> list[tuple[Line, int, int | None]]:
    return [(line, 0, None) for line in lines]


def test_pictures_of_tools_inside_tools_are_held_too() -> None:
    inner = replace(shot(RED), key="i", call_id="i")
    outer = ToolEntry("k", "c", "codemode", state=ToolState.DONE, children=(inner,))
    lines = render_entry(outer, look(cell=CELL, show_images=True, tools_open=True, open=frozenset({"k", "i"})))
    assert [line.picture is not None for line in lines if PLACEHOLDER in line.text] == [True, True]
