"""Finding text in the entries, folded or not, a slice at a time; and where matches stand in drawn rows."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right, insort
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import itemgetter

from pitui.render.cells import width_of
from pitui.render.entries import plain_text
from pitui.render.lines import Line
from pitui.session.state import Entry
from pitui.widgets.selection import cut, text_span

SLICE_CHARS = 300_000
SLICE_ENTRIES = 100
"""What one slice looks at: a few milliseconds."""


@dataclass(frozen=True, slots=True)
class SearchState:
    """What the search bar shows. `current` counts from 1; 0: none. `complete`: every entry has been looked at."""

    query: str = ""
    current: int = 0
    total: int = 0
    complete: bool = True


class Texts:
    """The plain text of entries, made once for each entry object."""

    def __init__(self) -> None:
        self._made: dict[str, tuple[Entry, str]] = {}

    def __call__(self, entry: Entry) -> str:
        made = self._made.get(entry.key)
        if made is None or made[0] is not entry:
            made = self._made[entry.key] = (entry, plain_text(entry))
        return made[1]


class Search:
    """One query over a list of entries that may change while it is looked through.

    Case matters only if the query has an upper-case letter. Entries are looked at from `origin` upwards, then from the
    end, so that the nearest match above comes first. `query` must not be empty.
    """

    def __init__(self, query: str, entries: Sequence[Entry], origin: int, texts: Texts) -> None:
        self.query = query
        self.ignores_case = query == query.lower()
        self.pattern = re.compile(re.escape(query), re.IGNORECASE if self.ignores_case else 0)
        self.current: tuple[int, int] | None = None
        self.total = 0
        self.entries = entries
        self._texts = texts
        self._counts: dict[int, int] = {}
        self._hits: list[int] = []
        origin = max(-1, min(origin, len(entries) - 1))
        self._pending = deque(range(origin, -1, -1))
        self._pending.extend(range(len(entries) - 1, origin, -1))

    @property
    def state(self) -> SearchState:
        at = 0
        if self.current is not None:
            index, occurrence = self.current
            before = self._hits[: bisect_left(self._hits, index)]
            at = sum(map(self._counts.__getitem__, before)) + occurrence + 1
        return SearchState(self.query, at, self.total, not self._pending)

    def scan(self) -> bool:
        """Look at another slice; returns whether there is more to look at. The first match found becomes current."""
        chars = looked = 0
        while self._pending and chars < SLICE_CHARS and looked < SLICE_ENTRIES:
            index = self._pending.popleft()
            if index < len(self.entries):
                text = self._texts(self.entries[index])
                self._count(index, (text.lower() if self.ignores_case else text).count(self.query))
                chars += len(text)
                looked += 1
                if self.current is None and self._counts.get(index):
                    self.current = (index, self._counts[index] - 1)
        return bool(self._pending)

    def update(self, entries: Sequence[Entry], changed: Iterable[int]) -> None:
        """The entries are others now: `changed` ones and added ones are looked at again."""
        old, self.entries = len(self.entries), entries
        for index in [hit for hit in self._hits if hit >= len(entries)]:
            self._count(index, 0)
        self._pending.extend(changed)
        self._pending.extend(range(old, len(entries)))

    def occurrences(self, index: int) -> int:
        """How often entry `index` matches, as far as known."""
        return self._counts.get(index, 0)

    def step(self, direction: int) -> tuple[int, int] | None:
        """Make the next match (-1: the one before) current, going round at the ends; None if there is none."""
        if not self._hits:
            return None
        if self.current is None:
            self.current = (self._hits[-1], self._counts[self._hits[-1]] - 1)
            return self.current
        index, occurrence = self.current
        occurrence += direction
        if not 0 <= occurrence < self._counts.get(index, 0):
            at = bisect_left(self._hits, index)
            known = at < len(self._hits) and self._hits[at] == index
            at += direction if known or direction < 0 else 0
            index = self._hits[at % len(self._hits)]
            occurrence = 0 if direction > 0 else self._counts[index] - 1
        self.current = (index, occurrence)
        return self.current

    def _count(self, index: int, count: int) -> None:
        old = self._counts.pop(index, 0)
        if old and not count:
            self._hits.remove(index)
        if count:
            self._counts[index] = count
            if not old:
                insort(self._hits, index)
        self.total += count - old
        if self.current is not None and self.current[0] == index and self.current[1] >= count:
            self.current = (index, count - 1) if count else None


def matches_in(lines: Sequence[Line], pattern: re.Pattern[str]) -> list[list[tuple[int, int]]]:
    """For each line the cells (start inclusive, end exclusive) that are part of a match.

    A match may go on over a wrap; it never goes on over a break of the source.
    """
    spans: list[list[tuple[int, int]]] = [[] for _ in lines]
    for run in _runs(lines):
        for match in pattern.finditer(run.text):
            for row, start, end in run.pieces(*match.span()):
                spans[row].append((start, end))
    return spans


def match_rows(lines: Sequence[Line], pattern: re.Pattern[str]) -> list[int]:
    """The row at which each match begins."""
    rows: list[int] = []
    for run in _runs(lines):
        rows += [run.row_at(match.start()) for match in pattern.finditer(run.text)]
    return rows


class _Run:
    """The rows of one source line, and its text."""

    def __init__(self) -> None:
        self.rows: list[tuple[int, int, int, str]] = []
        self._parts: list[str] = []
        self._length = 0

    @property
    def text(self) -> str:
        return "".join(self._parts)

    def add(self, row: int, line: Line) -> None:
        low, high = text_span(line)
        joint = (line.joins or "") if self.rows else ""
        content = cut(line.text, low, high)
        self.rows.append((row, self._length + len(joint), low, content))
        self._parts += (joint, content)
        self._length += len(joint) + len(content)

    def row_at(self, char: int) -> int:
        return self.rows[max(0, bisect_right(self.rows, char, key=itemgetter(1)) - 1)][0]

    def pieces(self, start: int, end: int) -> Iterable[tuple[int, int, int]]:
        for row, begin, low, content in self.rows:
            first, last = max(start - begin, 0), min(end - begin, len(content))
            if first < last:
                yield row, low + width_of(content[:first]), low + width_of(content[:last])


def _runs(lines: Sequence[Line]) -> Iterable[_Run]:
    run = _Run()
    for row, line in enumerate(lines):
        if line.joins is None and run.rows:
            yield run
            run = _Run()
        if not line.decoration:
            run.add(row, line)
    if run.rows:
        yield run
