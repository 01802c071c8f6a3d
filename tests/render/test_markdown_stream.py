"""Markdown while it is written: never a word missing, whatever the pieces, and only what changed is drawn anew."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from pitui.render import openblocks, parts
from pitui.render.lines import Line
from pitui.render.markdown import render_markdown
from pitui.render.palette import default_palette
from pitui.render.stream import MarkdownStream
from pitui.render.text import sanitize
from tests.render.reading import copied, missing_words, shown, widest
from tests.render.test_markdown import PIECES

PALETTE = default_palette(dark=True)
WRITTEN = [
    *PIECES, "\x1b[31m", "\x1b]0;t", "\x07", "👩", "\u200d", "漢字", "\n- ", "\n  - ", "\n\n  ", "word word ",
    "\n> ", "\n>\n> ", "\n  > ", "\n> - ", "\n>   ", "\n  ```py\n  ", "\n> ```\n> ", "\n\t", "\n  |a|b|\n  |-|-|\n  ",
]  # fmt: skip
written = st.lists(st.sampled_from(WRITTEN), max_size=60).map("".join)
cuts = st.lists(st.integers(1, 12), min_size=1, max_size=20)
MIXED = """# Title

A paragraph with *emphasis*, `code` and a [link](https://a.test).

1. first
2. second
   - nested **item**
   - another

```python
def f(x):
    return x
```

| a | b |
|---|--:|
| one | 2 |
| three | 4 |

> quoted

- [x] done

[r]: https://a.test
"""


FENCE = "```python\ndef f(x):\n\n    return x\n```\n"
TABLE = "| a | b |\n|---|--:|\n| one | `2` |\n| three | 4 |\n"
LIST = "- one\n- two\n  - three\n  - four\n- five\n"
QUOTED = f"some *words*\n\n{FENCE}\n{TABLE}\n{LIST}\nmore words\n"


def within(marks: str, text: str, first: str | None = None) -> str:
    """The text inside a container: what its lines begin with, and the first one."""
    head, *others = text.splitlines()
    return "\n".join([(marks if first is None else first) + head, *[(marks + line).rstrip() for line in others]]) + "\n"


NESTED = {
    "fence in item": f"1. step\n\n{within('   ', FENCE)}\n   more\n\n2. next\n",
    "fence in tight item": f"- step\n{within('  ', FENCE)}- next\n",
    "fence first in item": f"{within('  ', FENCE, '- ')}- next\n",
    "fence that ends with its item": "- step\n  ```\n  x = 1\n- next\n",
    "fence behind tabs": f"- step\n\n{within(chr(9), FENCE)}\n\tmore\n",
    "fence in deep item": f"- one\n  - two\n    - three\n{within('      ', FENCE)}    - four\n  - five\n- six\n",
    "table in item": f"1. step\n\n{within('   ', TABLE)}\n   more\n\n2. next\n",
    "table in tight item": f"- step\n{within('  ', TABLE)}- next\n",
    "table first in item": f"{within('   ', TABLE, '1. ')}2. next\n",
    "quote": within("> ", QUOTED),
    "quote in quote": within("> > ", QUOTED),
    "quote in item": f"- step\n\n{within('  > ', QUOTED)}\n  more\n",
    "item in quote": within("> ", f"- step\n\n{within('  ', QUOTED)}\n- next\n"),
}


def pieces_of(text: str, sizes: list[int]) -> list[str]:
    pieces, start = list[str](), 0
    while start < len(text):
        end = start + sizes[len(pieces) % len(sizes)]
        pieces.append(text[start:end])
        start = end
    return pieces


def streamed(text: str, sizes: list[int], width: int = 60) -> MarkdownStream:
    stream = MarkdownStream(PALETTE)
    for piece in pieces_of(text, sizes):
        stream.feed(piece)
        stream.render(width)
    return stream


@pytest.fixture(params=[None, 12], ids=["usual limits", "everything is long"])
def _limits(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param is not None:
        for module in (parts, openblocks):
            monkeypatch.setattr(module, "LONG_PARAGRAPH", request.param)
            monkeypatch.setattr(module, "LONG_LINE", 2 * request.param)


@pytest.mark.usefixtures("_limits")
class TestAnyPieces:
    @given(written, cuts, st.integers(1, 60))
    def test_no_word_is_missing(self, text: str, sizes: list[int], width: int) -> None:
        assert missing_words(sanitize(text), streamed(text, sizes, width).lines) == []

    @given(written, cuts, st.integers(1, 60))
    def test_no_row_is_too_long(self, text: str, sizes: list[int], width: int) -> None:
        assert widest(streamed(text, sizes, width).lines) <= width

    @given(written, cuts)
    def test_lines_before_the_first_changed_one_stay(self, text: str, sizes: list[int]) -> None:
        stream, before = MarkdownStream(PALETTE), list[Line]()
        for piece in pieces_of(text, sizes):
            stream.feed(piece)
            first = stream.render(30)
            assert stream.lines[:first] == before[:first]
            before = list(stream.lines)

    @given(written, cuts)
    def test_the_text_is_kept_as_it_came(self, text: str, sizes: list[int]) -> None:
        assert streamed(text, sizes).text == text


@pytest.mark.parametrize("sizes", [[1], [7, 3], [10_000]])
def test_what_is_drawn_at_the_end_looks_like_the_whole(sizes: list[int]) -> None:
    assert shown(streamed(MIXED, sizes).lines) == shown(render_markdown(MIXED, 60, PALETTE))


@pytest.mark.parametrize("text", [f"{text}\nlast words\n" for text in NESTED.values()], ids=NESTED)
@pytest.mark.parametrize("sizes", [[1], [7, 3], [10_000]])
def test_what_stands_in_containers_looks_like_the_whole(text: str, sizes: list[int]) -> None:
    for width in (60, 14):
        assert shown(streamed(text, sizes, width).lines) == shown(render_markdown(text, width, PALETTE))


@pytest.mark.parametrize("end", ["", "  ", "\n\n", "   ```\n", "text"])
def test_an_item_that_begins_with_an_empty_fence_keeps_its_number(end: str) -> None:
    assert shown(streamed(f"1. ```\n{end}", [1]).lines)[0] == "1."


@pytest.mark.parametrize(
    "text",
    [
        "```\n" + "x = 1\n" * 5_000, "|a|b|\n|-|-|\n" + "|one|two|\n" * 3_000, "- word word\n" * 2_500,
        "".join("  " * (number % 9) + "- word word\n" for number in range(2_000)), "word word\n\n" * 2_500,
    ],
    ids=["fence", "table", "list", "deep list", "prose"],
)  # fmt: skip
@pytest.mark.parametrize(
    ("marks", "first"),
    [("", ""), ("  ", "- step\n\n  "), ("  ", "- "), ("> ", "> "), (">   ", "> - "), ("  > ", "- > ")],
    ids=["nothing", "item", "start of an item", "quote", "item in quote", "quote in item"],
)
def test_a_delta_is_parsed_with_few_characters_before_it(
    marks: str, first: str, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    parse, parsed = MarkdownIt.parse, list[int]()

    def counting(parser: MarkdownIt, source: str, env: dict[str, object] | None = None) -> list[Token]:
        parsed.append(len(source))
        return parse(parser, source, env)

    monkeypatch.setattr(MarkdownIt, "parse", counting)
    text = within(marks, text, first)
    streamed(text, [330])
    assert (max(parsed) < 1_500, sum(parsed) < 6 * len(text)) == (True, True)


def test_closed_blocks_are_never_touched_again() -> None:
    stream = streamed("# Title\n\nparagraph\n\n", [100])
    title = stream.lines[0]
    stream.feed("more\n\nand more")
    assert (stream.render(60) > 0, stream.lines[0] is title) == (True, True)


def test_nothing_new_changes_nothing() -> None:
    stream = streamed(MIXED, [50])
    assert stream.render(60) == len(stream.lines)


def test_another_width_lays_out_everything() -> None:
    stream = streamed(MIXED, [50])
    assert (stream.render(30), shown(stream.lines)) == (0, shown(render_markdown(MIXED, 30, PALETTE)))


def test_a_growing_fence_changes_only_its_end() -> None:
    stream = streamed("```python\n" + "x = 1\n" * 50, [1000])
    stream.feed("y = 2\n")
    assert (stream.render(60), len(stream.lines)) == (51, 52)


def test_a_growing_table_keeps_its_rows() -> None:
    stream = streamed("|a|b|\n|-|-|\n" + "|one|two|\n" * 20, [1000])
    stream.feed("|one|two|\n")
    assert (stream.render(60), len(stream.lines)) == (22, 23)


def test_a_growing_list_changes_only_its_last_item() -> None:
    stream = streamed("- top\n" + "  - item\n" * 20, [1000])
    stream.feed("  - last\n")
    assert (stream.render(60) >= 20, shown(stream.lines)[-2:]) == (True, ["  • item", "  • last"])


@pytest.mark.parametrize(
    "block",
    [
        "word and *more* words. " * 900, "x" * 20_000, "> " + "word " * 4_000, "```\n" + "x" * 20_000, "a\tb " * 4_000,
        "|a|b|\n|-|-|\n|" + "word " * 4_000, "- " + "word " * 4_000, "<div>\n" + "some <b>text</b> here\n" * 900,
    ],
    ids=["paragraph", "no space", "quote", "line of code", "tabs", "cell", "item", "html"],
)  # fmt: skip
def test_one_long_block_is_whole(block: str) -> None:
    text = copied(streamed(block, [97]).lines)
    assert [text.count(word) for word in ("word", "x", "text")] == [block.count(word) for word in ("word", "x", "text")]
