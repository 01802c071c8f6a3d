"""Fuzzy matching of what is typed against many texts, quick enough for a hundred thousand."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from heapq import nsmallest

from textual.fuzzy import Matcher

_SCORED_QUERY, _SCORED_TEXT = 12, 40
"""Textual's matcher tries every way to match: fine for names, hopeless for paths."""


def score(query: str, name: str) -> float:
    """How well a short name matches; 0 is not at all. What it starts with counts most."""
    query, name = query.lower(), name.lower()
    if name.startswith(query):
        return 1_000.0 - len(name)
    if len(query) > _SCORED_QUERY:
        return float(query in name)
    return float(Matcher(query).match(name[:_SCORED_TEXT]))


def scattered(query: str) -> re.Pattern[str]:
    """Matches texts that hold the characters of `query` in this order, ignoring case."""
    return re.compile("[^\n]*?".join(re.escape(character) for character in query), re.IGNORECASE)


def best_paths(query: str, paths: Iterable[str], limit: int) -> list[str]:
    """The paths that match best: by name, then by any part, then by scattered characters; short ones first."""
    wanted = query.lower()
    if not wanted:
        return nsmallest(limit, paths, key=lambda path: (path.count("/"), path))
    whole: list[tuple[int, int, str]] = []
    rest: list[str] = []
    for path in paths:
        lower = path.lower()
        if wanted not in lower:
            rest.append(path)
            continue
        name = lower.rstrip("/").rpartition("/")[2]
        rank = 0 if name.startswith(wanted) else 1 if wanted in name else 2
        whole.append((rank, len(path), path))
    found = [path for _, _, path in nsmallest(limit, whole)]
    if len(found) < limit:
        search = scattered(query).search
        spread = [(match.end() - match.start(), len(path), path) for path in rest if (match := search(path))]
        found += [path for _, _, path in nsmallest(limit - len(found), spread)]
    return found


def matching(query: str, texts: Sequence[str]) -> list[int]:
    """Indices of the texts that hold every word of `query`, else its scattered characters; in the given order."""
    words = query.lower().split()
    found = [index for index, text in enumerate(texts) if all(word in text.lower() for word in words)]
    if found or not words:
        return found
    search = scattered("".join(words)).search
    return [index for index, text in enumerate(texts) if search(text[:1_000])]
