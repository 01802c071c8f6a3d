"""Markdown that is still being written, as lines; in total it costs time linear in the text."""

from __future__ import annotations

from collections.abc import Iterator

from rich.style import Style

from pitui.render.lines import Line, Palette
from pitui.render.openblocks import BlocksPart
from pitui.render.parts import Part, Scene
from pitui.render.text import Sanitizer

_PIECE = 16_384
"""Characters taken in at once, so that a large backlog is not copied again for each block."""


class MarkdownStream:
    """A growing markdown text and its lines.

    The look is provisional: later text may show that earlier text meant something else, so `render_markdown` draws
    the whole once it has ended. No word is missing at any time after `render`.

    Args:
        base: the style of plain text, `palette.text` by default.
    """

    def __init__(self, palette: Palette, base: Style | None = None) -> None:
        self.lines: list[Line] = []
        self._palette = palette
        self._base = palette.text if base is None else base
        self._chunks: list[str] = []
        self._pending: list[str] = []
        self._size = (0, 0)
        self._fixed = 0
        self._begin(1, 1)

    @property
    def text(self) -> str:
        """All that was fed, as it came."""
        if len(self._chunks) > 1:
            self._chunks = ["".join(self._chunks)]
        return self._chunks[0] if self._chunks else ""

    def feed(self, delta: str) -> None:
        """Take in more text, cut anywhere; nothing is drawn before `render`."""
        if delta:
            self._chunks.append(delta)
            self._pending.append(delta)

    def render(self, width: int, prose_width: int = 100) -> int:
        """Bring `lines` up to date; the index of the first line that changed, `len(lines)` when none did.

        Another width lays out everything again.
        """
        if (width, prose_width) != self._size:
            self._size = width, prose_width
            self._begin(width, prose_width)
            self._pending = [self.text]
            self.lines.clear()
        elif not self._pending:
            return len(self.lines)
        changed = begun = self._fixed
        old = self.lines[begun:]
        del self.lines[begun:]
        for piece in self._pieces():
            changed = min(changed, self._take(piece))
        self._fixed = len(self.lines)
        self._part.draft(self._tail + self._gate.held, self.lines)
        return self._reuse(old, begun) if changed == begun else changed

    def _begin(self, width: int, prose_width: int) -> None:
        self._gate = Sanitizer()
        self._part: Part = BlocksPart(Scene(width, prose_width, self._palette, self._base))
        self._tail = ""
        self._fixed = 0

    def _pieces(self) -> Iterator[str]:
        text = self._gate.feed("".join(self._pending))
        self._pending.clear()
        for start in range(0, len(text), _PIECE):
            yield text[start : start + _PIECE]

    def _take(self, piece: str) -> int:
        """Let the parts take in the piece; the index of the first line that is new."""
        changed = len(self.lines)
        self._tail += piece
        while True:
            taken = self._part.take(self._tail, self.lines)
            self._tail = taken.text
            if taken.changed is not None:
                changed = min(changed, taken.changed)
            if taken.part is None:
                return changed
            self._part = taken.part

    def _reuse(self, old: list[Line], start: int) -> int:
        """Put back the lines drafted before that came out the same."""
        index = start
        for before in old:
            if index >= len(self.lines) or self.lines[index] != before:
                break
            self.lines[index] = before
            index += 1
        return index
