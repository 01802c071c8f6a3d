"""The conversation as one long sheet of rows: entries, the live message, and what was sent; drawn only where seen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import compress
from operator import is_not

from pitui.render.entries import estimate_height, gap, render_entry, sent_lines
from pitui.render.lines import Line, View
from pitui.render.live import LiveView
from pitui.session.state import (
    AssistantEntry,
    BashEntry,
    BlockKind,
    Entry,
    LiveMessage,
    SentPrompt,
    ToolEntry,
    ToolState,
    UserEntry,
)
from pitui.widgets.layout import Heights

BLANK = Line([], decoration=True)
KEPT_LINES = 20_000
"""Rendered lines kept for entries not on the screen; beyond it those unseen for longest are let go."""
SLICE = 100
"""Entries whose heights are estimated at a time: a few milliseconds."""

Draw = Callable[[Entry, View], list[Line]]
"""What makes the lines of an entry."""

_MAYBE_EMPTY = (UserEntry, AssistantEntry)
_UNFINISHED = frozenset({ToolState.WRITING, ToolState.WAITING, ToolState.RUNNING})


def is_running(entry: Entry) -> bool:
    """Whether the picture of `entry` depends on the clock."""
    if isinstance(entry, ToolEntry):
        return entry.state in _UNFINISHED or any(map(is_running, entry.children))
    return isinstance(entry, BashEntry) and entry.running


@dataclass(slots=True)
class Block:
    """One item, drawn. `gap`: blank rows above it, counted as its own. `clock`: when it was drawn, if that matters."""

    gap: int
    lines: list[Line]
    clock: tuple[float, int] | None = None

    @property
    def height(self) -> int:
        return self.gap + len(self.lines) if self.lines else 0

    def line(self, number: int) -> Line:
        return self.lines[number - self.gap] if number >= self.gap else BLANK

    def rows(self) -> list[Line]:
        return [BLANK] * self.gap + self.lines if self.lines else []


class Document:
    """Items are numbered: the entries, then the live message if there is one, then the prompts sent if there are any.

    Heights are estimates until an item is drawn; drawing one corrects `heights`. Estimating is put off too when there
    are many: the first `rough` entries have guessed heights until `refine` comes to them, from the last to the first.
    """

    def __init__(self, view: View, draw: Draw = render_entry) -> None:
        self._draw_entry = draw
        self.entries: tuple[Entry, ...] = ()
        self.live: LiveMessage | None = None
        self.sent: tuple[SentPrompt, ...] = ()
        self.view = view
        self.heights = Heights()
        self.rough = 0
        self._blocks: dict[int, Block] = {}
        self._kept = 0
        self._live_view: LiveView | None = None
        self._tail: list[Block] = []

    def __len__(self) -> int:
        return len(self.entries) + len(self._tail)

    def show(
        self, entries: tuple[Entry, ...], live: LiveMessage | None, sent: tuple[SentPrompt, ...]
    ) -> Sequence[int]:
        """Take the new values; returns the numbers of entries that are other objects than before, in order."""
        changed: Sequence[int] = ()
        if entries is not self.entries:
            changed = self._take(entries)
        if live is not self.live or sent is not self.sent or changed or len(self.heights) != len(self):
            self._take_tail(live, sent)
        return changed

    def set_view(self, view: View) -> None:
        """Look at it otherwise: everything is drawn anew when next seen, unless only the clock moved."""
        old, self.view = self.view, view
        if replace(old, now=view.now, spinner=view.spinner) != view:
            self.forget()
            self.rough = len(self.entries)
            self.refine()
        self._take_tail(self.live, self.sent)

    def forget(self) -> None:
        """Draw every entry anew when it is next seen."""
        self._blocks.clear()
        self._kept = 0

    def refold(self, view: View, index: int) -> None:
        """As `set_view`, for a view that differs only in what concerns entry `index`."""
        self.view = view
        self._drop(index)
        self._take_tail(self.live, self.sent)

    def block(self, index: int) -> Block:
        """Item `index`, drawn; its height is exact from then on."""
        tail = index - len(self.entries)
        if tail >= 0:
            return self._tail[tail]
        block = self._draw(index)
        block.gap = gap(self._above(index), self.entries[index])
        self.heights[index] = block.height
        return block

    def height(self, index: int) -> int:
        """The exact height of item `index`."""
        return self.block(index).height

    def refine(self) -> None:
        """Estimate the heights of the last `SLICE` entries that have guesses."""
        low = max(0, self.rough - SLICE)
        for index in range(low, self.rough):
            if index not in self._blocks:
                self.heights[index] = self._estimate(index)
        self.rough = low

    def trim(self, spare: int) -> None:
        """Let go of what was not seen for longest, but never of the last `spare` blocks asked for."""
        while self._kept > KEPT_LINES and len(self._blocks) > spare:
            self._drop(next(iter(self._blocks)))

    def drawn(self, index: int) -> Block | None:
        """Item `index` if it is drawn already."""
        tail = index - len(self.entries)
        return self._blocks.get(index) if tail < 0 else self._tail[tail]

    def _take(self, entries: tuple[Entry, ...]) -> list[int]:
        old, self.entries = self.entries, entries
        common = min(len(old), len(entries))
        changed = list(compress(range(common), map(is_not, old, entries)))
        for index in changed:
            self._drop(index)
        for index in [at for at in self._blocks if at >= common]:
            self._drop(index)
        few = len(changed) <= SLICE
        for index in changed if few else ():
            self.heights[index] = self._estimate(index)
        fresh = range(common, len(entries))
        if few and len(fresh) <= SLICE:
            self.heights.splice(common, map(self._estimate, fresh))
        else:
            last = [self._estimate(index) for index in fresh[-SLICE:]]
            guess = max(1, sum(last) // max(1, len(last)))
            self.heights.splice(common, [guess] * (len(fresh) - len(last)) + last)
            self.rough = len(entries)
        self.rough = min(self.rough, len(entries))
        return changed

    def _take_tail(self, live: LiveMessage | None, sent: tuple[SentPrompt, ...]) -> None:
        if live is None:
            self._live_view = None
        elif self._live_view is None or self.live is None or self.live.key != live.key:
            self._live_view = LiveView()
        self.live, self.sent = live, sent
        self._tail = []
        above = self._above(len(self.entries))
        if live is not None and self._live_view is not None:
            self._live_view.show(live, self.view)
            joined = isinstance(above, ToolEntry) and bool(live.blocks) and live.blocks[0].kind is BlockKind.TOOL_CALL
            self._tail.append(Block(0 if above is None or joined else 1, self._live_view.lines))
        if sent:
            lines = sent_lines(sent[0], self.view)
            for prompt in sent[1:]:
                lines += [BLANK, *sent_lines(prompt, self.view)]
            first = above is None and not any(block.lines for block in self._tail)
            self._tail.append(Block(0 if first else 1, lines))
        self.heights.splice(len(self.entries), [block.height for block in self._tail])

    def _draw(self, index: int) -> Block:
        block = self._blocks.pop(index, None)
        clock = (self.view.now, self.view.spinner)
        if block is None or (block.clock is not None and block.clock != clock):
            if block is not None:
                self._kept -= len(block.lines)
            entry = self.entries[index]
            block = Block(0, self._draw_entry(entry, self.view), clock if is_running(entry) else None)
            self._kept += len(block.lines)
        self._blocks[index] = block
        return block

    def _above(self, index: int) -> Entry | None:
        """The nearest entry above item `index` that has lines."""
        index -= 1
        while index >= 0 and isinstance(self.entries[index], _MAYBE_EMPTY) and not self._draw(index).lines:
            index -= 1
        return self.entries[index] if index >= 0 else None

    def _drop(self, index: int) -> None:
        if (block := self._blocks.pop(index, None)) is not None:
            self._kept -= len(block.lines)

    def _estimate(self, index: int) -> int:
        entry = self.entries[index]
        height = estimate_height(entry, self.view)
        return height + gap(self.entries[index - 1] if index else None, entry) if height else 0
