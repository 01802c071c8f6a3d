"""The files and outputs that scenes pretend to work on."""

from __future__ import annotations

READER_PATH = "src/reader.py"
READER = '''"""Reads records, one a line."""

import json


class Reader:
    """Cuts a stream of text into records."""

    def __init__(self) -> None:
        self.records = []

    def feed(self, chunk: str) -> None:
        """Take the next piece of the stream."""
        for line in chunk.splitlines():
            self.records.append(json.loads(line))

    def __len__(self) -> int:
        return len(self.records)
'''
EDITS = (
    ("        self.records = []\n", '        self.records = []\n        self.rest = ""\n'),
    (
        """        for line in chunk.splitlines():
            self.records.append(json.loads(line))
""",
        """        self.rest += chunk
        while "\\n" in self.rest:
            line, self.rest = self.rest.split("\\n", 1)
            self.records.append(json.loads(line))
""",
    ),
)
NEW_TEST = '''"""A record ends at LF and nowhere else."""

import pytest

from reader import Reader


@pytest.mark.parametrize("separator", ["\\u2028", "\\x0c", "\\x85"])
def test_other_separators_stay_inside_a_record(separator: str) -> None:
    reader = Reader()
    reader.feed('"a' + separator + 'b"\\n')
    assert len(reader) == 1


def test_an_unfinished_record_waits_for_its_end() -> None:
    reader = Reader()
    reader.feed('{"a": ')
    reader.feed("1}\\n")
    assert len(reader) == 1
'''
TESTS = ("test_empty", "test_one", "test_many", "test_split", "test_crlf", "test_unicode", "test_large", "test_end")


def progress_bar(done: float) -> str:
    """A bar as programs draw it: carriage returns over the same line."""
    return "".join(f"\r[{'#' * step:<20}] {step * 5:3d}%" for step in range(0, round(done * 20) + 1, 4))


def edited() -> str:
    """The reader after the edits."""
    text = READER
    for old, new in EDITS:
        text = text.replace(old, new)
    return text


def edit_details() -> dict[str, object]:
    """The details of the edit's result: pi's numbered diff, a unified patch and the first changed line."""
    import difflib  # here, as the process has to start at once and seldom needs it

    before = READER.rstrip("\n").split("\n")
    after = edited().rstrip("\n").split("\n")
    first = next(i for i, (old, new) in enumerate(zip(before, after, strict=False), 1) if old != new)
    patch = "".join(
        difflib.unified_diff(
            READER.splitlines(keepends=True), edited().splitlines(keepends=True),
            READER_PATH, READER_PATH, n=4,
        )
    )
    return {"diff": numbered_diff(before, after), "patch": patch, "firstChangedLine": first}


def numbered_diff(before: list[str], after: list[str], context: int = 4) -> str:
    """A diff with line numbers in front, the old ones for what goes and the new ones for the rest."""
    import difflib  # as above

    width = len(str(max(len(before), len(after))))
    lines: list[str] = []
    groups = list(difflib.SequenceMatcher(None, before, after, autojunk=False).get_grouped_opcodes(context))
    for group in groups:
        if group[0][1] > 0:
            lines.append(f" {'':{width}} ...")
        for kind, old_start, old_end, new_start, new_end in group:
            if kind == "equal":
                lines += [f" {n + 1:{width}} {before[n]}" for n in range(old_start, old_end)]
                continue
            lines += [f"-{n + 1:{width}} {before[n]}" for n in range(old_start, old_end)]
            lines += [f"+{n + 1:{width}} {after[n]}" for n in range(new_start, new_end)]
        if group[-1][2] < len(before):
            lines.append(f" {'':{width}} ...")
    return "\n".join(lines)
