"""Code in colours, at once and line by line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.style import Style

from pitui.render.highlight import HUGE, LONGEST_LINE, LineHighlighter, highlight, language_of
from pitui.render.palette import AA, contrast, default_palette, palette_from
from pitui.render.wrap import Span

PIECES = ["def ", '"', "'''", "\n", "{", "}", "/*", "*/", "<a", ">", "#", "x", "$(", "`", "\\", "\t"]
PALETTE = default_palette(dark=True)
PYTHON = 'def name(x):\n    """Two\n    lines"""\n    return f"{x!r}"  # done\n\nclass A: pass'


def plain(lines: list[list[Span]]) -> str:
    return "\n".join(["".join([text for text, _style in line]) for line in lines])


def style_of(lines: list[list[Span]], word: str) -> Style:
    return next(style for line in lines for text, style in line if word in text)


def by_line(code: str, language: str) -> list[list[Span]]:
    highlighter = LineHighlighter(language, PALETTE)
    return [highlighter.line(line) for line in code.split("\n")]


def test_colours_follow_the_palette() -> None:
    lines = highlight(PYTHON, "python", PALETTE)
    expected = {"def": "Keyword", "name": "Name.Function", "# done": "Comment", "lines": "String.Doc"}
    assert {word: style_of(lines, word) for word in expected} == {
        word: PALETTE.text + PALETTE.syntax[token] for word, token in expected.items()
    }


def test_line_by_line_gives_the_same_colours() -> None:
    whole, lines = highlight(PYTHON, "python", PALETTE), by_line(PYTHON, "python")
    assert [style_of(lines, word) for word in ("def", "name", "# done", "class")] == [
        style_of(whole, word) for word in ("def", "name", "# done", "class")
    ]


def test_a_beginning_of_a_line_leaves_the_state_alone() -> None:
    highlighter = LineHighlighter("python", PALETTE)
    highlighter.line('x = """open', final=False)
    assert highlighter.line("def") == [("def", PALETTE.text + PALETTE.syntax["Keyword"])]


@pytest.mark.parametrize("language", ["", "text", "no-such-language", "x" * 500, "\ud800"])
def test_an_unknown_language_stays_plain(language: str) -> None:
    assert highlight("def x", language, PALETTE) == [[("def x", PALETTE.text)]]


@pytest.mark.parametrize("code", ["x = 1 " + "y" * LONGEST_LINE, "x = 1\n" * (HUGE // 6 + 1)])
def test_long_lines_and_huge_code_stay_plain(code: str) -> None:
    assert {style for line in highlight(code, "python", PALETTE) for _text, style in line} == {PALETTE.text}


@given(
    st.lists(st.sampled_from(PIECES)).map("".join),
    st.sampled_from(["python", "javascript", "bash", "html", "json", "yaml", "diff", "markdown", "php", "make"]),
)
def test_no_character_is_lost(code: str, language: str) -> None:
    assert (plain(highlight(code, language, PALETTE)), plain(by_line(code, language))) == (code, code)


@pytest.mark.parametrize(
    ("path", "language"),
    [("a/b.py", "python"), ("C:\\x\\b.TS", "typescript"), ("Makefile", "make"), ("a.txt", ""), ("a.zzz", ""), ("", "")],
)
def test_a_file_name_tells_the_language(path: str, language: str) -> None:
    assert language_of(path) == language


@pytest.mark.parametrize("dark", [True, False])
@pytest.mark.parametrize("tokens", [{}, {"background": "#303030", "panel": "#3a3a3a", "muted": "#444444", "text": "?"}])
def test_every_colour_is_readable_on_its_ground(dark: bool, tokens: dict[str, str]) -> None:
    palette = palette_from(tokens, dark)
    ground = tokens.get("background", "#11151a" if dark else "#ffffff")
    styles = [palette.text, palette.muted, palette.accent, palette.user, palette.thinking, palette.tool,
              palette.success, palette.warning, palette.error, palette.heading, palette.code, palette.link,
              palette.selection, palette.diff_add, palette.diff_remove, palette.diff_add_word,
              palette.diff_remove_word, palette.match, palette.cursor, *palette.syntax.values()]  # fmt: skip
    panel = palette.panel.bgcolor.name if palette.panel.bgcolor else ""
    poor = [
        style for style in styles if style.color
        for on in ([style.bgcolor.name] if style.bgcolor else [ground, panel])
        if contrast(style.color.name, on) < AA
    ]  # fmt: skip
    assert poor == []
