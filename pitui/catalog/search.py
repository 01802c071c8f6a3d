"""Full-text search over sessions: words, "phrases", or re:a pattern."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import regex

from pitui.catalog.index import SessionIndex

STEP = 250
"""Sessions looked through between two yields: how soon a search can be stopped."""
PATIENCE = 0.25
"""Seconds a pattern may take on one session: a pattern can take for ever, and the person is still typing it."""
AROUND = 60
"""Characters shown at each side of a match."""

_TERM = regex.compile(r'"([^"]*)"?|(\S+)')


@dataclass(frozen=True, slots=True)
class Query:
    """What is looked for: every one of `terms` (folded), or `pattern`. `problem`: why the pattern is none, in words."""

    terms: tuple[str, ...] = ()
    pattern: regex.Pattern[str] | None = None
    problem: str = ""

    @property
    def empty(self) -> bool:
        return not self.terms and self.pattern is None

    def matches(self, folded: str) -> bool:
        """Whether casefolded text holds it. A pattern that takes too long matches nothing."""
        if self.pattern is None:
            return all(term in folded for term in self.terms)
        try:
            return self.pattern.search(folded, timeout=PATIENCE, concurrent=True) is not None
        except TimeoutError:
            return False


def parse_query(text: str) -> Query:
    """Read what the person typed. Case never counts, and any run of blanks is one."""
    text = text.strip()
    if text.startswith("re:"):
        return _pattern(text[3:])
    terms = (" ".join((found[1] or found[2] or "").split()).casefold() for found in _TERM.finditer(text))
    return Query(tuple(term for term in terms if term))


def _pattern(source: str) -> Query:
    if not source:
        return Query()
    try:
        return Query(pattern=regex.compile(source, regex.IGNORECASE | regex.MULTILINE))
    except regex.error as error:
        return Query(problem=f"not a pattern: {error}")


@dataclass(frozen=True, slots=True)
class Hits:
    """Sessions found since the last one, and how many of all were looked through."""

    paths: tuple[str, ...]
    done: int
    total: int


def search(index: SessionIndex, query: Query, paths: Sequence[str]) -> Iterator[Hits]:
    """Look through `paths` in their order; stop iterating to stop the search."""
    found: list[str] = []
    done = 0
    if not query.empty:
        for done, (path, folded) in enumerate(index.texts(paths), 1):
            if query.matches(folded):
                found.append(path)
            if done % STEP == 0:
                yield Hits(tuple(found), done, len(paths))
                found = []
    yield Hits(tuple(found), len(paths), len(paths))


def excerpts(text: str, query: Query, limit: int = 5) -> list[str]:
    """Where `text` (a message a line) holds the query: a stretch of each of the first messages that do."""
    found: list[str] = []
    for line in text.split("\n"):
        at = _first(line.casefold(), query)
        if at is None:
            continue
        start, end = max(0, at[0] - AROUND), at[1] + AROUND
        found.append(("…" if start else "") + line[start:end] + ("…" if end < len(line) else ""))
        if len(found) == limit:
            break
    return found


def _first(folded: str, query: Query) -> tuple[int, int] | None:
    """Where the first term or the pattern is. Folding may move it by a few characters: it is only for showing."""
    if query.pattern is not None:
        try:
            match = query.pattern.search(folded, timeout=PATIENCE, concurrent=True)
        except TimeoutError:
            return None
        return match.span() if match else None
    spots = [(at, at + len(term)) for term in query.terms if (at := folded.find(term)) >= 0]
    return min(spots, default=None)
