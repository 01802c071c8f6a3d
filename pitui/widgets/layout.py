"""Which item stands at which row: heights with sums kept by the chunk, so that a change never costs the whole list."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from itertools import accumulate

CHUNK = 128


class Heights:
    """A list of heights in rows that knows where each item starts.

    Setting one height, or asking what is at a row, costs about the square root of the length: two C-speed sums.
    Heights may be zero; such an item is at no row.
    """

    def __init__(self, heights: Iterable[int] = ()) -> None:
        self._heights = list(heights)
        self._sums: list[int] = []
        self._ends: list[int] | None = None
        self._sum_from(0)

    def __len__(self) -> int:
        return len(self._heights)

    def __getitem__(self, index: int) -> int:
        return self._heights[index]

    def __setitem__(self, index: int, height: int) -> None:
        change = height - self._heights[index]
        if change:
            self._heights[index] = height
            self._sums[index // CHUNK] += change
            self._ends = None

    def splice(self, start: int, heights: Iterable[int]) -> None:
        """Replace every item from `start` on."""
        self._heights[start:] = heights
        self._sum_from(start // CHUNK)

    @property
    def total(self) -> int:
        ends = self._chunk_ends()
        return ends[-1] if ends else 0

    def offset(self, index: int) -> int:
        """The row at which item `index` starts; the total for an index at or past the end."""
        if index >= len(self._heights):
            return self.total
        chunk = index // CHUNK
        before = self._chunk_ends()[chunk - 1] if chunk else 0
        return before + sum(self._heights[chunk * CHUNK : index])

    def find(self, row: int) -> tuple[int, int]:
        """The item at `row` and the row within it. Rows outside are taken for the nearest inside; (0, 0) when empty."""
        ends = self._chunk_ends()
        if not ends or not ends[-1]:
            return 0, 0
        row = min(max(row, 0), ends[-1] - 1)
        chunk = bisect_right(ends, row)
        if chunk:
            row -= ends[chunk - 1]
        inner = list(accumulate(self._heights[chunk * CHUNK : (chunk + 1) * CHUNK]))
        place = bisect_right(inner, row)
        return chunk * CHUNK + place, row - (inner[place - 1] if place else 0)

    def _chunk_ends(self) -> list[int]:
        if self._ends is None:
            self._ends = list(accumulate(self._sums))
        return self._ends

    def _sum_from(self, chunk: int) -> None:
        heights = self._heights
        self._sums[chunk:] = [sum(heights[at : at + CHUNK]) for at in range(chunk * CHUNK, len(heights), CHUNK)]
        self._ends = None
