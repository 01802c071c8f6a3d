"""Diffs keep line numbers, white space and order, whatever the agent says of an edit."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pitui.render.diff import (
    Diff,
    Row,
    asked_edits,
    changed_words,
    compare,
    diff_of_edit,
    pairs,
    parse_numbered,
    parse_patch,
    without_returns,
)

PATCH = """--- src/app.py
+++ src/app.py
@@ -1,5 +1,5 @@
 def add(a, b):
-    return a - b
+    return a + b
{0}
{0}
 print(add(2, 3))
""".format(" ")
NUMBERED = " 1 def add(a, b):\n-2     return a - b\n+2     return a + b\n 3 \n 4 \n 5 print(add(2, 3))"
CHANGE = Diff((
    Row(" ", "def add(a, b):", 1, 1),
    Row("-", "    return a - b", 2, None),
    Row("+", "    return a + b", None, 2),
    Row(" ", "", 3, 3),
    Row(" ", "", 4, 4),
    Row(" ", "print(add(2, 3))", 5, 5),
))


def test_a_patch_gives_rows_with_the_numbers_of_both_files() -> None:
    assert parse_patch(PATCH) == CHANGE


def test_the_agents_numbered_format_gives_the_same_rows_as_the_patch() -> None:
    assert parse_numbered(NUMBERED) == CHANGE


def test_the_patch_is_preferred_to_the_numbered_format_and_that_to_the_arguments() -> None:
    arguments: dict[str, object] = {"path": "a", "oldText": "x", "newText": "y"}
    assert diff_of_edit(arguments, {"patch": PATCH, "diff": " 9 other"}) == CHANGE
    assert diff_of_edit(arguments, {"patch": "not a patch", "diff": NUMBERED}) == CHANGE
    assert diff_of_edit(arguments, {"diff": "what is this"}) == Diff((Row("-", "x"), Row("+", "y")))


def test_context_after_an_insertion_counts_in_the_new_file() -> None:
    diff = parse_numbered("   9 a\n+ 10 b\n  10 c\n     ...\n  20 d\n- 21 e")
    assert [(row.sign, row.old, row.new) for row in diff.rows] == [
        (" ", 9, 9), ("+", None, 10), (" ", 10, 11), ("@", None, None), (" ", 20, 21), ("-", 21, None),
    ]


def test_content_that_looks_like_a_header_stays_content() -> None:
    diff = parse_patch("--- a\n+++ b\n@@ -1,2 +1,2 @@\n---- a/x\n+@@ -1 +1 @@\n keep\n")
    assert [(row.sign, row.text) for row in diff.rows] == [("-", "--- a/x"), ("+", "@@ -1 +1 @@"), (" ", "keep")]


def test_a_second_hunk_is_set_off_with_its_place() -> None:
    diff = parse_patch("@@ -1 +1 @@\n-a\n+b\n@@ -90,2 +90,1 @@ def far():\n x\n-y\n\\ No newline at end of file\n")
    assert diff.rows[2:] == (Row("@", "def far():", 90, 90), Row(" ", "x", 90, 90), Row("-", "y", 91, None))


def test_several_edits_are_set_apart_and_numbers_stay_unknown() -> None:
    edits = [{"oldText": "a", "newText": "b"}, {"oldText": "c", "newText": "c\nd"}, "no edit", {"oldText": 3}]
    assert diff_of_edit({"edits": edits}, None) == Diff((
        Row("-", "a"), Row("+", "b"), Row("@", ""), Row(" ", "c"), Row("+", "d"),
    ))


def test_an_edit_still_being_written_shows_what_is_there() -> None:
    assert list(asked_edits({"path": "a", "edits": [{"oldText": "gone"}]})) == [("gone", "")]


def test_an_edit_of_indentation_is_a_change_of_white_space_only() -> None:
    diff = compare("if x:\n  y()", "if x:\n    y()")
    assert diff.blank_only
    assert [row.text for row in diff.rows] == ["if x:", "  y()", "    y()"]
    assert not compare("a", "b").blank_only
    assert not Diff().blank_only


def test_words_that_changed_are_found_in_both_lines() -> None:
    assert changed_words("    return a - b", "    return a + b") == ([(13, 14)], [(13, 14)])
    assert changed_words("  y()", "    y()") == ([(0, 2)], [(0, 4)])
    assert changed_words("nothing alike", "0123456789") == ([], [])


def test_returns_are_told_once_when_the_whole_file_has_them() -> None:
    crlf = parse_patch("@@ -1,2 +1,2 @@\n a\r\n-b\r\n+c\r\n")
    plain, returns = without_returns(crlf)
    assert returns
    assert [row.text for row in plain.rows] == ["a", "b", "c"]
    mixed = parse_patch("@@ -1 +1 @@\n-b\r\n+b\n")
    assert without_returns(mixed) == (mixed, False)


def test_removed_and_added_lines_stand_side_by_side() -> None:
    rows = [Row(" ", "a"), Row("-", "b"), Row("-", "c"), Row("+", "d"), Row("@", ""), Row("+", "e")]
    assert list(pairs(rows)) == [(0, 0), (1, 3), (2, None), (4, 4), (None, 5)]


LINES = st.text(st.sampled_from("ab \n\r\t"), max_size=40)


@given(LINES, LINES)
def test_a_comparison_holds_all_that_changed(before: str, after: str) -> None:
    diff = compare(before, after)
    assert diff.added - diff.removed == after.count("\n") - before.count("\n")
    assert bool(diff.added or diff.removed) == (before != after)


@given(st.lists(st.sampled_from([*CHANGE.rows, Row("@", "")]), max_size=12))
def test_every_row_stands_in_exactly_one_place(rows: list[Row]) -> None:
    placed = [index for pair in pairs(rows) for index in dict.fromkeys(pair) if index is not None]
    assert sorted(placed) == list(range(len(rows)))


@given(st.text(), st.text())
def test_any_text_is_read_as_a_diff_without_an_error(patch: str, diff: str) -> None:
    read = diff_of_edit({}, {"patch": patch, "diff": diff})
    assert all(row.sign in ("+", "-", " ", "@") and "\n" not in row.text for row in read.rows)


@given(st.text(max_size=60), st.text(max_size=60))
def test_changed_words_are_ordered_spans_inside_their_line(before: str, after: str) -> None:
    for text, spans in zip((before, after), changed_words(before, after), strict=True):
        edges = [edge for span in spans for edge in span]
        assert edges == sorted(set(edges))
        assert all(0 <= edge <= len(text) for edge in edges)
