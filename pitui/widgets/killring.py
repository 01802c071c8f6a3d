"""What was cut, to be inserted again: the ring behind yank and yank-pop."""

from __future__ import annotations

from dataclasses import dataclass, field

_LIMIT = 60


@dataclass(slots=True)
class KillRing:
    """Cut texts, newest last."""

    texts: list[str] = field(default_factory=list)

    def kill(self, text: str, *, joins: bool, backwards: bool) -> None:
        """Keep `text`. `joins`: it was cut right after the last one, so both are one; `backwards`: it stood before."""
        if not text:
            return
        if joins and self.texts:
            last = self.texts.pop()
            text = text + last if backwards else last + text
        self.texts.append(text)
        del self.texts[:-_LIMIT]

    def yank(self) -> str:
        """The newest text, or nothing."""
        return self.texts[-1] if self.texts else ""

    def turn(self) -> str:
        """The text before the newest, which becomes the newest."""
        if self.texts:
            self.texts.insert(0, self.texts.pop())
        return self.yank()
