"""A diff on the screen: numbers, signs, grounds, one column or two."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.style import Style

from pitui.render.diff import Diff, Row, compare, parse_patch
from pitui.render.diffview import diff_lines, on
from pitui.render.lines import Line, Palette
from pitui.render.palette import contrast, default_palette
from tests.render.kinds import check_lines, copied, look, shown

CHANGE = Diff((
    Row(" ", "def add(a, b):", 41, 41),
    Row("-", "    return a - b", 42, None),
    Row("+", "    return a + b", None, 42),
    Row("@", "def far():", 90, 90),
    Row("+", "    pass", None, 91),
))


def drawn(diff: Diff, width: int = 60, language: str = "", **options: Any) -> list[Line]:  # noqa: ANN401  # any field
    return diff_lines(diff, language, look(width, **options), [("│ ", look().palette.muted)])


def grounds(line: Line) -> dict[str, str]:
    """The text on each ground of a line."""
    found: dict[str, str] = {}
    for segment in line.segments:
        below = segment.style.bgcolor if segment.style else None
        name = below.name if below else ""
        found[name] = found.get(name, "") + segment.text
    return found


def named(style: Style) -> str:
    return style.bgcolor.name if style.bgcolor else ""


def test_one_column_has_numbers_signs_and_gaps() -> None:
    assert shown(drawn(CHANGE)) == (
        "│ 41   def add(a, b):\n│ 42 -     return a - b\n│ 42 +     return a + b\n│ … def far():\n│ 91 +     pass"
    )


def test_a_copy_has_the_code_with_its_indentation_and_nothing_else() -> None:
    assert copied(drawn(CHANGE, language="python")) == (
        "def add(a, b):\n    return a - b\n    return a + b\n    pass"
    )


def test_changed_lines_have_a_ground_to_the_right_edge_and_changed_words_a_stronger_one() -> None:
    palette = look().palette
    line = drawn(CHANGE, language="python")[2]
    assert len(line.text) == 60
    assert grounds(line)[named(palette.diff_add_word)] == "+"
    assert "return a " in grounds(line)[named(palette.diff_add)]


def test_a_change_of_white_space_alone_can_be_seen() -> None:
    palette = look().palette
    removed, added = drawn(compare("  x", "    x"))
    assert grounds(removed)[named(palette.diff_remove_word)] == "  "
    assert grounds(added)[named(palette.diff_add_word)] == "    "


def test_long_lines_wrap_below_their_own_text() -> None:
    rows = drawn(Diff((Row("+", "word " * 20 + "end", None, 7),)), 40)
    assert len(rows) == 3
    assert {line.text[:6] for line in rows[1:]} == {"│     "}
    assert copied(rows) == "word " * 20 + "end"


def test_returns_that_only_some_lines_have_are_shown() -> None:
    diff = parse_patch("@@ -1 +1 @@\n-a\r\n+a\n")
    assert shown(drawn(diff)) == "│ 1 - a␍\n│ 1 + a"


def test_tabs_are_spaces_on_the_screen() -> None:
    assert shown(drawn(Diff((Row("+", "\tx\ty"),)))) == "│ +     x   y"


def test_unknown_numbers_take_no_column() -> None:
    assert shown(drawn(compare("a", "b"))) == "│ - a\n│ + b"


def test_wide_screens_show_old_and_new_side_by_side() -> None:
    rows = drawn(CHANGE, 142)
    assert [line.text.rstrip() for line in rows] == [
        "│ 41   def add(a, b):".ljust(70) + " │ 41   def add(a, b):",
        "│ 42 -     return a - b".ljust(70) + " │ 42 +     return a + b",
        "│ … def far():",
        "│".ljust(70) + " │ 91 +     pass",
    ]
    assert drawn(CHANGE, 142, side_by_side=False)[2].text.startswith("│ 42 +     return a + b")
    assert len(drawn(CHANGE, 139)) == 5


@pytest.mark.parametrize("palette", [default_palette(True), default_palette(False)])
def test_code_on_the_ground_of_a_change_can_be_read(palette: Palette) -> None:
    inks = [palette.text, palette.muted, palette.success, palette.error, *palette.syntax.values()]
    for ground in (palette.diff_add, palette.diff_add_word, palette.diff_remove, palette.diff_remove_word):
        for ink in inks:
            style = on(ink, ground)
            assert style.bgcolor == ground.bgcolor
            if ink.color is not None and style.color is not None and style.bgcolor is not None:
                assert contrast(style.color.name, style.bgcolor.name) >= 4.5


ROWS = st.lists(
    st.builds(Row, st.sampled_from("+- @"), st.text(max_size=30).map(lambda text: text.replace("\n", "")),
              st.one_of(st.none(), st.integers(0, 10**9)), st.one_of(st.none(), st.integers(0, 10**9))),
    max_size=8,
).map(lambda rows: Diff(tuple(rows)))


@settings(deadline=None)
@given(ROWS, st.sampled_from([1, 7, 20, 60, 140, 200]), st.sampled_from(["", "python", "json"]))
def test_any_diff_fits_at_any_width(diff: Diff, width: int, language: str) -> None:
    view = look(width)
    check_lines(diff_lines(diff, language, view, [("│ ", view.palette.muted)] if width > 7 else []), width)
