"""Sessions as a tree: forks under what they were forked from, sub-agents under the session that started them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from pitui.catalog.cards import SessionCard


class Sort(Enum):
    """The order of a list of sessions; all but the name put the most first."""

    RECENT = "recent"
    NAME = "name"
    COST = "cost"
    SIZE = "size"
    MESSAGES = "messages"

    @property
    def next(self) -> Sort:
        order = list(Sort)
        return order[(order.index(self) + 1) % len(order)]


@dataclass(frozen=True, slots=True)
class LineageRow:
    """A session and where it hangs: for each level above it (the outermost first) whether more follow there."""

    card: SessionCard
    trunk: tuple[bool, ...] = ()


_KEYS: Mapping[Sort, Callable[[SessionCard], float]] = {
    Sort.RECENT: lambda card: card.modified,
    Sort.COST: lambda card: card.cost,
    Sort.SIZE: lambda card: card.size,
    Sort.MESSAGES: lambda card: card.messages,
}


def ordered(cards: Iterable[SessionCard], sort: Sort) -> list[SessionCard]:
    """The cards in order; equals by their path, so that the order never jumps."""
    if sort is Sort.NAME:
        return sorted(cards, key=lambda card: (card.label.casefold(), card.path))
    key = _KEYS[sort]
    return sorted(cards, key=lambda card: (-key(card), card.path))


def lineage(cards: Iterable[SessionCard], sort: Sort) -> list[LineageRow]:
    """The forest in order. A tree stands where its best member would stand alone; sessions that claim to be each
    other's parents are all shown.
    """
    order = ordered(cards, sort)
    parents = _parents(order)
    children: dict[str | None, list[SessionCard]] = {}
    for card in _best_first(order, parents):
        children.setdefault(parents.get(card.path), []).append(card)
    return _flattened(children)


def _best_first(order: Sequence[SessionCard], parents: Mapping[str, str]) -> list[SessionCard]:
    """The cards with each ancestor moved up to where its first descendant stands."""
    cards = {card.path: card for card in order}
    placed: dict[str, SessionCard] = {}
    for card in order:
        line: list[str] = []
        path: str | None = card.path
        while path is not None and path not in placed:
            line.append(path)
            path = parents.get(path)
        placed.update({path: cards[path] for path in reversed(line)})
    return list(placed.values())


def _flattened(children: Mapping[str | None, Sequence[SessionCard]]) -> list[LineageRow]:
    rows: list[LineageRow] = []
    waiting = [LineageRow(card) for card in reversed(children.get(None, ()))]
    while waiting:
        row = waiting.pop()
        rows.append(row)
        below = children.get(row.card.path, ())
        waiting += [
            LineageRow(card, (*row.trunk, number < len(below) - 1))
            for number, card in reversed(list(enumerate(below)))
        ]
    return rows


def _parents(cards: Sequence[SessionCard]) -> dict[str, str]:
    """Path to parent's path, for those whose parent is among the cards; circles are cut.

    A parent is known by the header: its path, or its file name, should the folder have moved. Else by the folder the
    file is in, when that is named after a session beside it.
    """
    known = {_split(card.path)[1]: card.path for card in cards} | {card.path: card.path for card in cards}
    named = {card.path.removesuffix(".jsonl"): card.path for card in cards}
    named |= {f"{_split(card.path)[0]}/{card.id}": card.path for card in cards if card.id}
    owners: dict[str, str | None] = {}
    parents: dict[str, str] = {}
    for card in cards:
        parent = known.get(card.parent) or known.get(_split(card.parent)[1]) if card.parent else None
        if parent is None or parent == card.path:
            parent = _owner(_split(card.path)[0], named, owners)
        if parent is not None and not _leads_to(parent, card.path, parents):
            parents[card.path] = parent
    return parents


def _split(path: str) -> tuple[str, str]:
    """A path's folder and name; a session may come from a machine with other separators, so as text."""
    folder, _, name = path.rpartition("/")
    return folder, name


def _owner(folder: str, named: Mapping[str, str], owners: dict[str, str | None]) -> str | None:
    """The session that `folder`, or a folder above it, is named after; `owners` are those found before."""
    way: list[str] = []
    above = folder
    while above and above not in owners and above not in named:
        way.append(above)
        above = _split(above)[0]
    owner = owners.get(above) or named.get(above)
    owners.update(dict.fromkeys(way, owner))
    return owner


def _leads_to(start: str, path: str, parents: Mapping[str, str]) -> bool:
    step: str | None = start
    while step is not None and step != path:
        step = parents.get(step)
    return step == path
