"""Markdown as lines: nothing is lost, everything fits, a copy gives the source."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rich.style import Style

from pitui.render.lines import Line, Target, TargetKind
from pitui.render.markdown import estimate_lines, render_markdown
from pitui.render.palette import default_palette
from tests.render.reading import copied, missing_words, shown, widest

PALETTE = default_palette(dark=True)
PIECES = [
    "a", "b", "word", "**", "*", "_", "`", "``", "[", "]", "(", ")", "<", ">", "|", "-", "- ", "1. ", "2) ", "# ", "> ",
    "```", "~~~", "\n", "\n\n", "  ", "    ", "\t", "[x] ", "![", "](", "http://x.y/z", '"t"', "&", "\\", "$$", "\\[",
    "\\]", ":", "---", "|--|", "~~", "<tag>", "<!-- c -->", "List<String>", "[r]: ", "[^1]", "===", "+ ", "\r\n",
    "<div>", "12345678. ", "file.py", "|a|b|\n|-|-|\n|c|d|e|\n",
]  # fmt: skip
markdown = st.lists(st.sampled_from(PIECES), max_size=40).map("".join)


def render(source: str, width: int = 40) -> list[Line]:
    return render_markdown(source, width, PALETTE)


def style_at(line: Line, word: str) -> Style:
    return next(segment.style or Style() for segment in line.segments if word in segment.text)


@given(markdown, st.integers(1, 200))
@example("> " * 60 + "deep", 1)
@example("12345678. a\n\n   123. b", 2)
def test_no_word_is_missing_at_any_width(source: str, width: int) -> None:
    assert missing_words(source, render(source, width)) == []


@given(markdown, st.integers(1, 60))
def test_no_row_is_too_long(source: str, width: int) -> None:
    assert widest(render(source, width)) <= width


@given(st.text(max_size=80), st.integers(1, 40))
def test_any_text_is_drawn(source: str, width: int) -> None:
    assert all("\n" not in line.text for line in render(source, width))


@pytest.mark.parametrize("width", [1, 7, 80])
@pytest.mark.parametrize(
    "source",
    [
        ">" * 500 + " word", "\n".join(["  " * level + f"- w{level}" for level in range(200)]), "1. " * 300 + "end",
        "[" * 300 + "a" + "](u)" * 300, "> - " * 200 + "end", "![a" * 200 + "](u)" * 200, "*a **b " * 300,
    ],
)  # fmt: skip
def test_deep_nesting_loses_no_word(source: str, width: int) -> None:
    assert missing_words(source, render(source, width)) == []


class TestLook:
    def test_blocks_stand_apart(self) -> None:
        assert shown(render("# Title\ntext\n\n- a\n- b\n\n1. x\n2. y\n\n> q\n\n---")) == [
            "Title", "", "text", "", "• a", "• b", "", "1. x", "2. y", "", "▌ q", "", "─" * 40,
        ]  # fmt: skip

    def test_lists_nest_and_hang(self) -> None:
        source = "- one two three four five six seven eight\n  - [x] done\n  - [ ] open\n\n10. ten"
        assert shown(render(source, 24)) == [
            "• one two three four", "  five six seven eight", "  • [x] done", "  • [ ] open", "", "10. ten",
        ]  # fmt: skip

    def test_items_that_repeat_their_number_are_counted(self) -> None:
        assert shown(render("3. a\n3. b\n7. c")) == ["3. a", "4. b", "7. c"]

    def test_prose_wraps_earlier_than_code(self) -> None:
        lines = render_markdown("word " * 30 + "\n\n```\n" + "x" * 90 + "\n```", 120, PALETTE, prose_width=50)
        assert [len(line.text.rstrip()) for line in lines] == [49, 49, 49, 0, 91]

    def test_a_fence_is_named_and_has_a_ground(self) -> None:
        lines = render("```python title=x\n\tpass\n```", 20)
        assert [(line.text, line.decoration, line.trailing) for line in lines] == [
            (" python title=x     ", True, 5), ("     pass           ", False, 11),
        ]  # fmt: skip

    def test_code_is_coloured(self) -> None:
        lines = render("```py\ndef f(): pass\n```")
        assert style_at(lines[1], "def") == PALETTE.text + PALETTE.panel + PALETTE.syntax["Keyword"]

    def test_inline_marks_become_styles(self) -> None:
        line = render("**bold** *em* ~~gone~~ `code` plain")[0]
        assert [style_at(line, word) for word in ("bold", "em", "gone", "code", "plain")] == [
            PALETTE.text + Style(bold=True), PALETTE.text + Style(italic=True), PALETTE.text + Style(strike=True),
            PALETTE.text + PALETTE.code, PALETTE.text,
        ]  # fmt: skip

    def test_escapes_and_entities_are_those_of_commonmark(self) -> None:
        assert shown(render(r"\*not em\* a\_b &lt;tag&gt; \[x\]")) == ["*not em* a_b <tag> [x]"]

    def test_entities_cannot_smuggle_controls(self) -> None:
        assert shown(render("a&#x202e;b&#27;c&rlm;d")) == ["ab\ufffdcd"]

    def test_html_is_text(self) -> None:
        assert shown(render("List<String> <b>x</b>\n\n<div>\n <p>y</p>\n</div>\n\n<!-- note -->")) == [
            "List<String> <b>x</b>", "", "<div>", " <p>y</p>", "</div>", "", "<!-- note -->",
        ]  # fmt: skip

    def test_formulas_stay_as_written(self) -> None:
        source = "\\[\n x_1 = \\frac{a}{b} * c * d\n\\]\n\n$$ a_1 $$\n\nso \\(a_1*b*c\\) it is"
        assert [line.strip() for line in shown(render(source))] == [
            "\\[", "x_1 = \\frac{a}{b} * c * d", "\\]", "", "$$ a_1 $$", "", "so \\(a_1*b*c\\) it is",
        ]  # fmt: skip

    def test_hard_breaks_break_and_soft_ones_do_not(self) -> None:
        assert shown(render("a\nb  \nc\\\nd")) == ["a b", "c", "d"]

    def test_ascii_only_draws_with_ascii(self) -> None:
        lines = render_markdown("- a\n\n> q\n\n---\n\n|a|\n|-|\n|b|", 9, default_palette(True, ascii_only=True))
        assert all(line.text.isascii() for line in lines)


class TestLinks:
    def test_a_link_is_a_target_over_its_text(self) -> None:
        line = render("see [the page](https://a.test/x) now")[0]
        assert (line.text, line.targets) == ("see the page now", (Target(TargetKind.LINK, "https://a.test/x", 4, 12),))

    @pytest.mark.parametrize(
        ("source", "text", "targets"),
        [
            ("<https://a.test>", "https://a.test", ["https://a.test"]),
            ("at https://a.test/x_y_z).", "at https://a.test/x_y_z).", ["https://a.test/x_y_z"]),
            ("[mail](mailto:a@b.test)", "mail", ["mailto:a@b.test"]),
            ("[file](src/a.py)", "file (src/a.py)", []),
            ("[bad](javascript:alert)", "[bad](javascript:alert)", []),
            ("[bank.com](https://evil.test)", "bank.com (https://evil.test)", ["https://evil.test"]),
            ("[t](https://a.test 'Title')", 't "Title"', ["https://a.test"]),
            ("![alt](https://a.test/p.png)", "▨ alt", ["https://a.test/p.png"]),
            ("![alt](p.png)", "▨ alt (p.png)", []),
            ("[](https://a.test)", " (https://a.test)", []),
        ],
    )
    def test_only_what_may_be_followed_is_a_link(self, source: str, text: str, targets: list[str]) -> None:
        line = render(source, 60)[0]
        assert (line.text, [target.value for target in line.targets]) == (text, targets)

    def test_references_are_resolved_and_shown(self) -> None:
        lines = render("[x][r]\n\n[r]: https://a.test 'T'", 60)
        assert (shown(lines)[-1], lines[0].targets[0].value) == ("[r]: https://a.test 'T'", "https://a.test")

    def test_an_address_cannot_end_its_escape_sequence(self) -> None:
        line = render("[x](<https://a.test/&NewLine;&#7;y>)", 80)[0]
        assert [segment.style.link for segment in line.segments if segment.style and segment.style.link] == []


class TestTables:
    SOURCE = "| A | Long header |\n|:--|--:|\n| x | 1 |\n| a longer cell | 22 | more |"

    def test_columns_fit_and_align(self) -> None:
        assert shown(render(self.SOURCE)) == [
            "A              Long header", "─────────────  ───────────  ────", "x                        1",
            "a longer cell           22  more",
        ]  # fmt: skip

    def test_cells_wrap_where_the_screen_is_narrow(self) -> None:
        assert shown(render("|a|b|\n|-|-|\n|one two three|four five six|", 20)) == [
            "a          b", "─────────  ─────────", "one two    four five", "three      six",
        ]  # fmt: skip

    def test_key_and_value_rows_where_columns_do_not_fit(self) -> None:
        assert shown(render("|key|other|\n|-|-|\n|one two|three four five|\n|x|y|", 16)) == [
            "key: one two", "other: three", "four five", "", "key: x", "other: y",
        ]  # fmt: skip

    @given(st.lists(st.lists(st.sampled_from(["implementation", "a", "x_y.py", "long text of words"])), min_size=1))
    def test_no_word_in_a_cell_is_broken(self, rows: list[list[str]]) -> None:
        source = "|a|b|c|\n|-|-|-|\n" + "\n".join(["|" + "|".join(row) + "|" for row in rows])
        assert missing_words(source, render(source, 34)) == []

    def test_a_link_in_a_cell_is_where_it_is_drawn(self) -> None:
        line = render("|a|b|\n|-|-:|\n|xx|[y](https://a.test)|\n|x|long|")[2]
        assert line.targets == (Target(TargetKind.LINK, "https://a.test", 7, 8),)

    def test_a_copy_is_a_table_again(self) -> None:
        source = "|a|b|\n|-|-|\n|one two three|four five six|"
        expected = "| a | b |\n|---|---|\n| one two three | four five six |"
        assert copied(render(source, 20)) == expected


class TestCopy:
    def test_a_wrapped_paragraph_is_one_line(self) -> None:
        text = "Many words, with 漢字かな交じり文を表示する inside, and averylongwordwithoutspaces at its end."
        assert copied(render(text, 17)) == text

    def test_code_comes_back_exactly(self) -> None:
        code = "def f():\n    if x:\n\n        return 'a long line that is wrapped'  \n\tend"
        assert copied(render(f"```python\n{code}\n```", 20)) == code

    def test_bars_bullets_and_rules_stay_behind(self) -> None:
        assert copied(render("> one two\n> three\n\n- item\n\n---", 9)) == "one two three\n\nitem\n"


def test_an_estimate_is_near_the_truth() -> None:
    source = "\n\n".join(["word " * 60, "- a\n- b\n- c", "```\ncode\ncode\n```", "# Title"] * 20)
    real = len(render_markdown(source, 80, PALETTE))
    assert abs(estimate_lines(source, 80, 100) - real) < real * 0.15


@pytest.mark.parametrize("source", ["1. >", "1. > x", "12. - 3. word", "> 1. > y", "- 7. > - z"])
@pytest.mark.parametrize("width", [3, 5, 6, 7, 8, 9, 12, 80])
def test_no_number_of_a_nested_list_is_cut_off(source: str, width: int) -> None:
    lines = render_markdown(source, width, default_palette(True))
    assert missing_words(source, lines) == []
