"""Drafts put aside: by hand, by clearing, by a text an extension put in the field."""

from __future__ import annotations

from dataclasses import dataclass, field

from pitui.store.drafts import STASH_LIMIT, Draft


@dataclass(slots=True)
class Stash:
    """The last drafts put aside, newest last. `marked` texts tie a draft to the undo that brings it back."""

    drafts: tuple[Draft, ...] = ()
    _by_marked: dict[str, Draft] = field(default_factory=dict)

    def push(self, draft: Draft, marked: str = "") -> None:
        """Put a draft aside. `marked`: the editor's text that undo would bring back."""
        self.drafts = (*self.drafts, draft)[-STASH_LIMIT:]
        if marked:
            self._by_marked[marked] = draft
            while len(self._by_marked) > STASH_LIMIT:
                self._by_marked.pop(next(iter(self._by_marked)))

    def pop(self) -> Draft | None:
        """Take the newest out, or None."""
        if not self.drafts:
            return None
        *rest, newest = self.drafts
        self.drafts = tuple(rest)
        return newest

    def take_out(self, marked: str) -> Draft | None:
        """Undo brought `marked` back: its draft leaves the stash."""
        draft = self._by_marked.get(marked)
        if draft is None or not any(kept is draft for kept in self.drafts):
            return None
        self.drafts = tuple(kept for kept in self.drafts if kept is not draft)
        return draft

    def put_back(self, marked: str) -> bool:
        """Redo took `marked` away again: its draft returns to the stash. True when it did."""
        draft = self._by_marked.get(marked)
        if draft is None or any(kept is draft for kept in self.drafts):
            return False
        self.drafts = (*self.drafts, draft)[-STASH_LIMIT:]
        return True
