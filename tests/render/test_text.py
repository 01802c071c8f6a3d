"""Foreign text becomes harmless, and is measured, cut and wrapped by cells."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.style import Style

from pitui.render.cells import is_plain
from pitui.render.flow import Flow
from pitui.render.lines import Line, Target, TargetKind
from pitui.render.text import (
    SUSPECT,
    Sanitizer,
    Span,
    ansi_spans,
    clip,
    clip_left,
    clip_spans,
    clusters,
    count,
    expand_tabs,
    line_of,
    money,
    sanitize,
    seconds,
    size,
    terminal_text,
    tokens,
    wrap_spans,
)
from tests.render.reading import copied, widest

PLAIN = Style()
BOLD = Style(bold=True)
ODD = (
    "start \x1b[?1049h\x1b[2J\x1b[31mred\x1b[0m \x1b]52;c;aGVsbG8=\x07 \x1b]0;owned\x07 \x1b]8;;http://example.test\x1b\\"
    "link\x1b]8;;\x1b\\ \x9b2J q \x1bc \x1b[6n bell\x07 back\bspace nul\0 10%\r99% \x1b]unterminated end"
)
FAMILY, FLAG, THUMB, SNOW = "👩\u200d👩\u200d👧", "🇯🇵", "👍🏽", "❄\ufe0f"
EMOJI = [FAMILY, FLAG, THUMB, SNOW]
PIECES = ["a", "word ", " ", "  ", "漢字", "。", "「", *EMOJI, "e\u0301", "\n", "\t", "-", "กำ", "नि"]
mixed = st.lists(st.sampled_from(PIECES), max_size=40).map("".join)
hostile = st.lists(
    st.sampled_from(["\x1b", "[", "]", "0;t", "m", "31", "\x07", "\x1b\\", "\x9b", "\x9d", "\r", "\n", "word", "\u202e",
                     "\u200d", "\ufe0f", "👩", "\ud83d", "\x00", "\x85", "\u2028", "P", "\u200b", "1", "é",
                     "\U0010eeee"]),
    max_size=30,
).map("".join)  # fmt: skip


def without_joiners(text: str) -> str:
    """Where one stands beside an escape sequence cut in two, whether it strays cannot be known in time."""
    return text.replace("\u200d", "").replace("\ufe0f", "")


class TestSanitize:
    def test_keeps_the_words_and_drops_every_control(self) -> None:
        assert sanitize(ODD) == "start red   link  q   bell backspace nul 10%\n99% unterminated end"

    @pytest.mark.parametrize(
        ("raw", "clean"),
        [
            ("plain\ttext\n", "plain\ttext\n"),
            ("\x1bP1;2|payload\x1b\\kept", "kept"),
            ("\x1b_app\x1b\\\x1b^pm\x07\x1bXsos\x1b\\kept", "kept"),
            ("\x9d0;title\x9ckept", "kept"),
            ("\x9b31mred\x9b0m", "red"),
            ("\x9bquoted", "quoted"),
            ("\x1b(Bcharset \x1b7saved", "charset saved"),
            ("\x1b]0;no end\nnext", "0;no end\nnext"),
            ("a\r\nb\rc\x0bd\x0ce\x85f\u2028g\u2029h", "a\nb\nc\nd\ne\nf\ng\nh"),
            ("half \ud83d pair", "half \ufffd pair"),
            ("a picture \U0010eeee\u0305\u0305 of theirs", "a picture \ufffd\u0305\u0305 of theirs"),
            ("file\u202egnp.exe \u2066x\u2069", "filegnp.exe x"),
            ("zero\u200bwidth \ufeffbom so\u00adft", "zerowidth bom soft"),
            (f"{FAMILY} {SNOW} 1\ufe0f\u20e3", f"{FAMILY} {SNOW} 1\ufe0f\u20e3"),
            ("a\u200db x\ufe0fy", "ab xy"),
            ("می\u200cخواهم", "می\u200cخواهم"),
            ("\U000e0041tag", "tag"),
        ],
    )
    def test_leaves_only_what_can_be_shown(self, raw: str, clean: str) -> None:
        assert sanitize(raw) == clean

    def test_returns_plain_text_itself(self) -> None:
        text = "plain text, 漢字 – “quoted”\n"
        assert sanitize(text) is text

    @given(hostile)
    def test_never_leaves_a_control_character(self, text: str) -> None:
        left = sanitize(text).replace("\t", "").replace("\n", "")
        assert [c for c in left if c < " " or "\x7f" <= c < "\xa0" or c in "\u202e\u2028\u200b"] == []

    @given(hostile)
    def test_changes_nothing_the_second_time(self, text: str) -> None:
        assert sanitize(sanitize(text)) == sanitize(text)

    @given(hostile.map(without_joiners), st.lists(st.integers(1, 5), min_size=1))
    def test_gives_the_same_for_text_in_pieces(self, text: str, cuts: list[int]) -> None:
        gate, pieces, start, step = Sanitizer(), [], 0, 0
        while start < len(text):
            end = start + cuts[step % len(cuts)]
            pieces.append(gate.feed(text[start:end]))
            start, step = end, step + 1
        assert ("".join(pieces) + gate.held).rstrip("\n") == sanitize(text).rstrip("\n")

    def test_keeps_an_emoji_that_comes_in_pieces(self) -> None:
        gate = Sanitizer()
        assert "".join([gate.feed(character) for character in FAMILY + SNOW + "."]) == FAMILY + SNOW + "."

    def test_gives_up_waiting_for_a_string_that_never_ends(self) -> None:
        gate = Sanitizer()
        out = "".join([gate.feed("\x1b]"), *[gate.feed("word ") for _ in range(2_000)]])
        assert out + gate.held == "word " * 2_000


class TestTerminalText:
    @pytest.mark.parametrize(
        ("written", "seen"),
        [
            ("10%\r20%\r100%\ndone\r\n", "100%\ndone\n"),
            ("long line\rshort", "long line\nshort"),
            ("long line\r\x1b[Kshort", "short"),
            ("abc\x1b[2K\rdone", "done"),
            ("abc\b\bX", "aXc"),
            ("漢字\b\bX", "漢X"),
            ("abc\x1b[1GX", "Xbc"),
            ("50%\r", "50%"),
            ("plain\nlines", "plain\nlines"),
        ],
    )
    def test_shows_what_the_terminal_would(self, written: str, seen: str) -> None:
        assert terminal_text(written) == seen

    def test_keeps_the_colours_of_what_is_left(self) -> None:
        rows = ansi_spans(terminal_text("\x1b[31m10%\r\x1b[32m20%\x1b[0m ok"), PLAIN)
        assert rows == [[("20%", Style(color="color(2)")), (" ok", PLAIN)]]

    @given(hostile)
    def test_never_fails(self, text: str) -> None:
        assert isinstance(terminal_text(text), str)


class TestAnsiSpans:
    @pytest.mark.parametrize(
        ("codes", "style"),
        [
            ("1;3;4;9;7", Style(bold=True, italic=True, underline=True, strike=True, reverse=True)),
            ("2", Style(dim=True)),
            ("91", Style(color="color(9)")),
            ("42", Style(bgcolor="color(2)")),
            ("38;5;208", Style(color="color(208)")),
            ("38;2;1;2;3", Style(color="#010203")),
            ("38:2::1:2:3", Style(color="#010203")),
            ("48:5:20", Style(bgcolor="color(20)")),
            ("4:3", Style(underline=True)),
            ("31;39", PLAIN),
            ("31;0", PLAIN),
            ("8", PLAIN),
            ("5", PLAIN),
            ("38;5", PLAIN),
            ("99999999999", PLAIN),
        ],
    )
    def test_understands_colours_and_attributes(self, codes: str, style: Style) -> None:
        assert ansi_spans(f"\x1b[{codes}mx", PLAIN) == [[("x", style)]]

    def test_splits_lines_and_carries_the_style_on(self) -> None:
        red = Style(color="color(1)")
        lines = ansi_spans("a\x1b[31mb\n\nc\x1b[md", PLAIN)
        assert lines == [[("a", PLAIN), ("b", red)], [], [("c", red), ("d", PLAIN)]]

    @given(hostile)
    def test_lets_no_control_through(self, text: str) -> None:
        runs = [run for line in ansi_spans(text, PLAIN) for run, _style in line]
        assert all(sanitize(run) == run and "\n" not in run for run in runs)


class TestCells:
    def test_keeps_what_a_reader_sees_as_one_character_whole(self) -> None:
        text = f"a{FAMILY}{FLAG}{THUMB}{SNOW}e\u0301กำ"
        pieces = [text[start:end] for start, end, _wide in clusters(text)]
        assert pieces == ["a", FAMILY, FLAG, THUMB, SNOW, "e\u0301", "กำ"]

    @given(mixed)
    def test_measures_clusters_as_rich_measures_the_whole(self, text: str) -> None:
        line = text.replace("\n", "").replace("\t", "")
        assert sum([wide for _start, _end, wide in clusters(line)]) == cell_len(line)

    def test_calls_plain_only_what_is_one_cell_and_stands_alone(self) -> None:
        odd = [c for c in map(chr, range(0x20, 0x3000)) if is_plain(c) and c != "\x7f"]
        assert [c for c in odd if cell_len(c) != 1 or len(list(clusters("a" + c))) != 2] == []

    @given(mixed, st.integers(0, 30))
    def test_clips_to_the_cells_given(self, text: str, cells: int) -> None:
        line = text.replace("\n", "").replace("\t", "")
        assert cell_len(clip(line, cells)) <= cells
        assert cell_len(clip_left(line, cells)) <= cells

    def test_clips_with_an_ellipsis(self) -> None:
        assert (clip("hello world", 5), clip_left("hello world", 5), clip("漢字漢", 4)) == ("hell…", "…orld", "漢…")

    def test_clips_runs_where_they_end(self) -> None:
        assert clip_spans([("one ", PLAIN), ("two three", BOLD)], 8) == [("one ", PLAIN), ("two", BOLD), ("…", BOLD)]

    def test_expands_tabs_by_cells(self) -> None:
        assert expand_tabs("a\tb\n漢\tc\n\td", 4) == "a   b\n漢  c\n    d"


class TestWrap:
    def rows(self, text: str, width: int) -> list[tuple[str, str | None]]:
        return [(line.text, line.joins) for line in wrap_spans([(text, PLAIN)], width)]

    def test_cuts_at_spaces_and_remembers_them(self) -> None:
        assert self.rows("hello  big world", 8) == [("hello", None), ("big", "  "), ("world", " ")]

    def test_cuts_inside_a_word_longer_than_the_row(self) -> None:
        assert self.rows("abcdefgh", 3) == [("abc", None), ("def", ""), ("gh", "")]

    def test_cuts_between_wide_characters_but_not_before_a_full_stop(self) -> None:
        assert self.rows("漢字漢字。", 8) == [("漢字漢", None), ("字。", "")]

    def test_shows_a_stand_in_where_a_character_is_wider_than_the_row(self) -> None:
        lines = wrap_spans([("漢a", PLAIN)], 1)
        assert [(line.text, line.source) for line in lines] == [("▯", "漢"), ("a", None)]

    def test_puts_prefixes_into_the_gutter(self) -> None:
        lines = wrap_spans([("one two\nthree", PLAIN)], 6, [("• ", BOLD)])
        assert [(line.text, line.gutter) for line in lines] == [("• one", 2), ("  two", 2), ("  thre", 2), ("  e", 2)]

    def test_fills_rows_with_a_ground_that_is_no_text(self) -> None:
        line = wrap_spans([("ab", PLAIN)], 5, ground=Style(bgcolor="red"))[0]
        assert (line.text, line.trailing) == ("ab   ", 3)

    def test_marks_the_cells_of_a_link(self) -> None:
        link = Style(link="https://example.test/")
        lines = wrap_spans([("see ", PLAIN), ("漢字 here", link)], 9)
        assert [line.targets for line in lines] == [
            (Target(TargetKind.LINK, "https://example.test/", 4, 8),),
            (Target(TargetKind.LINK, "https://example.test/", 0, 4),),
        ]

    def test_lays_out_one_row_with_its_gutter(self) -> None:
        line = line_of([("text", PLAIN)], 10, [("> ", BOLD)], ground=PLAIN)
        assert (line.text, line.gutter, line.trailing) == ("> text    ", 2, 4)

    @given(mixed, st.integers(1, 30))
    def test_gives_the_text_back_to_a_copy(self, text: str, width: int) -> None:
        assert copied(wrap_spans([(text, PLAIN)], width)) == expand_tabs(text)

    @given(mixed, st.integers(1, 30))
    def test_never_makes_a_row_too_long(self, text: str, width: int) -> None:
        assert widest(wrap_spans([(text, PLAIN)], width, [("> ", PLAIN)])) <= width

    @given(mixed, st.integers(4, 30))
    def test_never_splits_a_character(self, text: str, width: int) -> None:
        text = text.replace("\t", " ")
        whole = {text[start:end] for start, end, _wide in clusters(text)}
        rows = [line.text for line in wrap_spans([(text, PLAIN)], width)]
        assert {row[start:end] for row in rows for start, end, _wide in clusters(row)} <= whole

    @given(st.lists(st.sampled_from(PIECES[:-5]), max_size=30), st.integers(2, 20))
    def test_wraps_growing_text_like_the_whole(self, pieces: list[str], width: int) -> None:
        pieces = [piece for piece in pieces if piece != "\t"]
        flow, lines = Flow(width), list[Line]()
        for piece in pieces:
            flow.feed([(piece, PLAIN)], lines)
        flow.draft([], lines)
        assert copied(lines) == copied(wrap_spans([("".join(pieces), PLAIN)], width))


def test_suspects_are_found_in_no_ordinary_text() -> None:
    assert SUSPECT.search("Text – with “marks”, 漢字, é, emoji 👍🏽 and\n\ttabs") is None


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (tokens(0), "0"), (tokens(950), "950"), (tokens(1400), "1.4k"), (tokens(12345), "12k"), (tokens(9960), "10k"),
        (tokens(999_900), "1M"), (tokens(1.5e6), "1.5M"), (tokens(float("nan")), "?"),
        (size(512), "512 B"), (size(1500), "1.5 KB"), (size(3 << 20), "3 MB"),
        (money(0), "$0.00"), (money(0.08), "$0.08"), (money(0.004), "$0.004"), (money(12.3), "$12.30"),
        (money(1234), "$1,234"), (money(float("inf")), "$?"),
        (seconds(0.04), "0.0 s"), (seconds(12.4), "12 s"), (seconds(75.2), "1m 15s"), (seconds(3725), "1h 2m"),
        (seconds(-1), "0.0 s"), (count(1234), "1,234"), (count(1, "line"), "1 line"), (count(2, "line"), "2 lines"),
        (count(2, "entry", "entries"), "2 entries"),
    ],
)  # fmt: skip
def test_numbers_are_short(said: str, expected: str) -> None:
    assert said == expected


def test_a_span_is_text_and_style() -> None:
    span: Span = ("text", PLAIN)
    assert wrap_spans([span], 10)[0].segments[0].style == PLAIN
