"""What changed in a file, as rows with real line numbers: from a patch, from pi's numbered diff, or from two texts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import groupby

from pitui.rpc.wire import JsonObject

Span = tuple[int, int]

CONTEXT = 3
"""Unchanged lines kept on either side of a change."""
COMPARED_LINES = 2_000
"""Two texts with more lines than this together are shown as removed and added whole: matching them takes too long."""
COMPARED_CELLS = 600
"""Longer lines are not compared word by word."""
ALIKE = 0.4
"""Below this likeness (0 to 1) two lines share too little for single words to mean anything."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a diff. `sign`: `+`, `-`, a space for context, or `@` for lines left out, `text` then says where.

    `old` and `new` are line numbers from 1 in the file before and after, None where unknown. `text` has no line break;
    a carriage return before it is still there.
    """

    sign: str
    text: str
    old: int | None = None
    new: int | None = None


@dataclass(frozen=True, slots=True)
class Diff:
    rows: tuple[Row, ...] = ()

    @property
    def added(self) -> int:
        return sum(row.sign == "+" for row in self.rows)

    @property
    def removed(self) -> int:
        return sum(row.sign == "-" for row in self.rows)

    @property
    def first_change(self) -> int:
        """Index of the first row that is added or removed; 0 if there is none."""
        return next((index for index, row in enumerate(self.rows) if row.sign in "+-"), 0)

    @property
    def blank_only(self) -> bool:
        """Nothing but white space changed."""
        old = ["".join(row.text.split()) for row in self.rows if row.sign == "-"]
        new = ["".join(row.text.split()) for row in self.rows if row.sign == "+"]
        return bool(old or new) and [line for line in old if line] == [line for line in new if line]


def diff_of_edit(arguments: JsonObject, details: object) -> Diff:
    """The diff of an edit call: from its details if they carry one (`patch`, older agents `diff`), else from what was
    asked for (`edits`, older agents `oldText` and `newText`); line numbers are then unknown.
    """
    if isinstance(details, dict):
        for name, parse in (("patch", parse_patch), ("diff", parse_numbered)):
            text = details.get(name)
            diff = parse(text) if isinstance(text, str) else Diff()
            if diff.rows:
                return diff
    return _joined(compare(*_without_last_break(old, new)) for old, new in asked_edits(arguments))


def _without_last_break(old: str, new: str) -> tuple[str, str]:
    """Both texts without the line break that both end with: it is no line of its own."""
    return (old[:-1], new[:-1]) if old.endswith("\n") and new.endswith("\n") else (old, new)


def asked_edits(arguments: JsonObject) -> Iterator[tuple[str, str]]:
    """Pairs of old and new text in the arguments of an edit; half written ones count with what they have."""
    edits = arguments.get("edits")
    for edit in [*(edits if isinstance(edits, list) else []), arguments]:
        if not isinstance(edit, dict):
            continue
        old, new = (edit.get(name) for name in ("oldText", "newText"))
        if isinstance(old, str) or isinstance(new, str):
            yield old if isinstance(old, str) else "", new if isinstance(new, str) else ""


def asked_diff(arguments: JsonObject) -> Diff:
    """What an edit call asks for while it is still being written: removed, then added, nothing compared."""
    return _joined(
        Diff((*(Row("-", line) for line in _lines(old)), *(Row("+", line) for line in _lines(new) if new)))
        for old, new in asked_edits(arguments)
    )


def _lines(text: str) -> list[str]:
    return text.removesuffix("\n").split("\n")


def _joined(diffs: Iterable[Diff]) -> Diff:
    rows: list[Row] = []
    for diff in diffs:
        rows += [Row("@", "")] if rows and diff.rows else []
        rows += diff.rows
    return Diff(tuple(rows))


_HUNK = re.compile(r"@@ -([0-9]{1,9})(?:,([0-9]{1,9}))? \+([0-9]{1,9})(?:,([0-9]{1,9}))? @@ ?(.*)")


def parse_patch(patch: str) -> Diff:
    """A unified diff. Lines count by the hunk's own header, so content that looks like a file's header stays content.

    Anything outside hunks is skipped; of several files' patches the hunks follow one another.
    """
    rows: list[Row] = []
    old = new = old_end = new_end = 0
    for line in patch.split("\n"):
        hunk = _HUNK.match(line) if line.startswith("@@") else None
        if hunk is None and (old < old_end or new < new_end):
            sign, text = line[:1] or " ", line[1:]
            if sign == "\\":
                continue
            rows.append(_numbered(sign if sign in "+-" else " ", text, old, new))
            old += sign != "+"
            new += sign != "-"
        elif hunk:
            old, new = int(hunk[1]), int(hunk[3])
            old_end, new_end = old + int(hunk[2] or 1), new + int(hunk[4] or 1)
            if rows:
                rows.append(Row("@", hunk[5].strip(), old, new))
    return Diff(tuple(rows))


def _numbered(sign: str, text: str, old: int, new: int) -> Row:
    return Row(sign, text, None if sign == "+" else old, None if sign == "-" else new)


_NUMBERED_LINE = re.compile(r"([+\- ])\s*([0-9]{1,9})(?: (.*))?$", re.DOTALL)


def parse_numbered(diff: str) -> Diff:
    """pi's own format: `-  1 old`, `+  1 new`, `   2 context` (old numbers), `     ...` for lines left out.

    Empty unless every line is of that form: a foreign format must not be half read.
    """
    rows: list[Row] = []
    shift = 0
    for line in diff.rstrip("\n").split("\n"):
        if line.strip() == "...":
            rows.append(Row("@", ""))
            continue
        match = _NUMBERED_LINE.match(line)
        if match is None:
            return Diff()
        sign, number, text = match[1], int(match[2]), match[3] or ""
        rows.append(Row(
            sign, text, None if sign == "+" else number, None if sign == "-" else number + shift * (sign == " "),
        ))
        shift += (sign == "+") - (sign == "-")
    return Diff(tuple(rows))


def compare(before: str, after: str) -> Diff:
    """The lines that differ between two texts, with a little context. Line numbers stay unknown: these are parts."""
    old, new = before.split("\n"), after.split("\n")
    if len(old) + len(new) > COMPARED_LINES:
        return Diff((*(Row("-", line) for line in old), *(Row("+", line) for line in new)))
    rows: list[Row] = []
    for group in SequenceMatcher(None, old, new).get_grouped_opcodes(CONTEXT):
        rows += [Row("@", "")] if rows else []
        for kind, old_start, old_end, new_start, new_end in group:
            if kind == "equal":
                rows += [Row(" ", line) for line in old[old_start:old_end]]
            else:
                rows += [Row("-", line) for line in old[old_start:old_end]]
                rows += [Row("+", line) for line in new[new_start:new_end]]
    return Diff(tuple(rows))


def pairs(rows: Sequence[Row]) -> Iterator[tuple[int | None, int | None]]:
    """Indexes of rows that stand side by side: (removed, added), one of them None where there is no partner, both the
    same for context and gaps.
    """
    runs = [(sign, list(indexes)) for sign, indexes in groupby(range(len(rows)), lambda index: rows[index].sign)]
    waiting: list[int] = []
    for sign, indexes in [*runs, (" ", [])]:
        if sign == "-":
            waiting = indexes
            continue
        added = indexes if sign == "+" else []
        for position in range(max(len(waiting), len(added))):
            yield (
                waiting[position] if position < len(waiting) else None,
                added[position] if position < len(added) else None,
            )
        waiting = []
        if sign != "+":
            yield from ((index, index) for index in indexes)


_WORD = re.compile(r"\w+|\s+|.", re.DOTALL)


def changed_words(before: str, after: str) -> tuple[list[Span], list[Span]]:
    """Which characters of two lines differ, as spans in each; nothing when the lines have too little in common."""
    if before == after or len(before) + len(after) > COMPARED_CELLS:
        return [], []
    old, new = _WORD.findall(before), _WORD.findall(after)
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    blank = before.split() == after.split()
    if not blank and matcher.ratio() < ALIKE:
        return [], []
    changes = [code for code in matcher.get_opcodes() if code[0] != "equal"]
    return (
        _spans(old, [(code[1], code[2]) for code in changes]),
        _spans(new, [(code[3], code[4]) for code in changes]),
    )


def _spans(words: list[str], ranges: list[Span]) -> list[Span]:
    starts = [0]
    for word in words:
        starts.append(starts[-1] + len(word))
    spans: list[Span] = []
    for start, end in ((starts[first], starts[last]) for first, last in ranges if first < last):
        if spans and spans[-1][1] == start:
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((start, end))
    return spans


def without_returns(diff: Diff) -> tuple[Diff, bool]:
    """The diff without the carriage returns of a file that has them throughout, and whether it was such a file."""
    lines = [row for row in diff.rows if row.sign != "@"]
    if not lines or not all(row.text.endswith("\r") for row in lines):
        return diff, False
    return Diff(tuple(row if row.sign == "@" else replace(row, text=row.text[:-1]) for row in diff.rows)), True
