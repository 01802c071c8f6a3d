"""What a person changes about the prompts that wait, as values: the same change can be made to any state of them.

The agent has no command to change one item of its queue. It is asked for all of it, and gets back what remains; in
between it may have taken something. So a change names the item it is about, not its place.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from pitui.session.state import QueuedPrompt, QueueKind


class Deed(Enum):
    """`TAKE_ALL`: everything goes back under the draft. `EDIT`: one goes into the composer. `DROP`: into the stash."""

    TAKE_ALL = "take all"
    EDIT = "edit"
    DROP = "drop"
    MOVE = "move"
    PROMOTE = "promote"


@dataclass(frozen=True, slots=True)
class Change:
    """`item` is None for all of them; `by` places down (up when negative) is how far one moves."""

    deed: Deed
    item: QueuedPrompt | None = None
    by: int = 0


TAKE_ALL = Change(Deed.TAKE_ALL)


@dataclass(frozen=True, slots=True)
class Arranged:
    """What waits after a change, in order, and what left it. `missing`: the item was not there any more."""

    waiting: tuple[QueuedPrompt, ...]
    out: tuple[QueuedPrompt, ...] = ()
    missing: bool = False


_ORDER = (QueueKind.STEER, QueueKind.FOLLOW_UP, QueueKind.HELD)
_OTHER = {QueueKind.STEER: QueueKind.FOLLOW_UP, QueueKind.FOLLOW_UP: QueueKind.STEER}


def ordered(items: tuple[QueuedPrompt, ...]) -> tuple[QueuedPrompt, ...]:
    """As the agent takes them: steering first, follow-ups after it; what we hold comes last."""
    return tuple(sorted(items, key=lambda item: _ORDER.index(item.kind)))


def arrange(change: Change, items: tuple[QueuedPrompt, ...]) -> Arranged:
    """The change made to what waits."""
    items = ordered(items)
    if change.item is None:
        return Arranged((), items)
    at = find(change.item, items)
    if at is None:
        return Arranged(items, missing=True)
    item, rest = items[at], items[:at] + items[at + 1 :]
    match change.deed:
        case Deed.MOVE:
            return Arranged(_moved(items, at, change.by))
        case Deed.PROMOTE:
            return Arranged(ordered((*rest, promoted(item))))
        case _:
            return Arranged(rest, (item,))


def find(item: QueuedPrompt, items: tuple[QueuedPrompt, ...]) -> int | None:
    """Where it is, or else one just like it."""
    same = (n for n, other in enumerate(items) if other is item)
    alike = (n for n, other in enumerate(items) if other == item)
    return next(same, next(alike, None))


def promoted(item: QueuedPrompt) -> QueuedPrompt:
    """A follow-up becomes a steer, and the other way round; what we hold will go as the other."""
    if item.kind is QueueKind.HELD:
        return replace(item, then=_OTHER[item.then])
    return replace(item, kind=_OTHER[item.kind])


def _moved(items: tuple[QueuedPrompt, ...], at: int, by: int) -> tuple[QueuedPrompt, ...]:
    """Within its kind only: the agent takes one kind after the other."""
    item = items[at]
    kin = [n for n, other in enumerate(items) if other.kind is item.kind]
    to = max(kin[0], min(at + by, kin[-1]))
    rest = items[:at] + items[at + 1 :]
    return (*rest[:to], item, *rest[to:])
