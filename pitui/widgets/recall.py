"""Going back through earlier prompts without losing the one being written."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from pitui.store.drafts import Draft

_LIMIT = 1_000


@dataclass(slots=True)
class Recall:
    """Earlier prompts, oldest first, and where in them a person is. What was written or changed on the way is kept."""

    entries: list[Draft] = field(default_factory=list)
    _at: int | None = None
    _kept: dict[int | None, Draft] = field(default_factory=dict)

    def seed(self, entries: Iterable[Draft]) -> None:
        """Start over with these prompts, oldest first; of equal neighbours one is enough."""
        self.entries = []
        for entry in entries:
            self.add(entry)

    def add(self, entry: Draft) -> None:
        """A prompt was sent. Where a person is in the others stays."""
        if not entry.text.strip() or (self.entries and self.entries[-1].text == entry.text):
            return
        self.entries.append(entry)
        if self._at is None and not self._kept:
            del self.entries[:-_LIMIT]

    @property
    def browsing(self) -> bool:
        """An earlier prompt is shown."""
        return self._at is not None

    def older(self, shown: Draft) -> Draft | None:
        """The prompt before the shown one, or None at the oldest."""
        index = (len(self.entries) if self._at is None else self._at) - 1
        return self.go(shown, index) if index >= 0 else None

    def newer(self, shown: Draft) -> Draft | None:
        """The one after it; the draft at last; None when that is what is shown."""
        if self._at is None:
            return None
        return self.go(shown, self._at + 1 if self._at + 1 < len(self.entries) else None)

    def go(self, shown: Draft, index: int | None) -> Draft:
        """The prompt at `index` as it was left; None: the draft."""
        self._kept[self._at] = shown
        self._at = index
        if index in self._kept:
            return self._kept[index]
        return Draft() if index is None else self.entries[index]

    @property
    def waiting(self) -> list[Draft]:
        """What was written on the way and isn't shown now: changed prompts, the draft last."""
        changed = [
            draft for index, draft in self._kept.items()
            if index is not None and index != self._at and draft and draft.text != self.entries[index].text
        ]
        draft = self._kept.get(None)
        return [*changed, draft] if draft and self._at is not None else changed

    def leave(self) -> tuple[Draft, list[Draft]]:
        """Stop browsing. The draft and the changed prompts, without the one that is shown."""
        waiting = self.waiting
        draft = waiting.pop() if self._at is not None and self._kept.get(None) else Draft()
        self._at = None
        self._kept = {}
        return draft, waiting
