"""What part of a document is on the screen, and how it stays there while everything around it changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pitui.render.entries import render_entry
from pitui.render.lines import Line, View
from pitui.session.state import Entry, LiveMessage, SentPrompt
from pitui.widgets.document import Document, Draw


class Place(NamedTuple):
    """A row of the document: row `line` of item `item`. It does not move when items above change height."""

    item: int
    line: int


class Row(NamedTuple):
    place: Place
    line: Line


class Mark(NamedTuple):
    """A row by its source: source line `number` of an item, `chars` into it. It outlives another width."""

    number: int
    chars: int


class Viewport:
    """The rows on the screen: held by their place, or, while `following`, by the document's end.

    `rows` are those of the last `settle`, fewer than `height` only when the document is shorter.
    """

    def __init__(self, view: View, draw: Draw = render_entry) -> None:
        self.document = Document(view, draw)
        self.height = 0
        self.following = True
        self.top = Place(0, 0)
        self.rows: list[Row] = []
        self._seen = Place(0, 0)
        self._pin: Mark | None = None

    @property
    def scroll(self) -> int:
        """The row of the document at the top of the screen; right only as far as heights above are."""
        return self.document.heights.offset(self.top.item) + self.top.line

    @property
    def total(self) -> int:
        return self.document.heights.total

    @property
    def unseen(self) -> int:
        """How many rows below have come since the reader left the end, and were not seen since."""
        if self.following:
            return 0
        return max(0, self.total - self.document.heights.offset(self._seen.item) - self._seen.line)

    @property
    def at_end(self) -> bool:
        return self.scroll + self.height >= self.total

    def show(
        self, entries: tuple[Entry, ...], live: LiveMessage | None, sent: tuple[SentPrompt, ...]
    ) -> Sequence[int]:
        """Take new values and keep the rows where they are; returns what `Document.show` does."""
        document = self.document
        old, was_live = document.entries, document.live
        changed = document.show(entries, live, sent)
        if self.following:
            return changed
        index = self.top.item
        if was_live is not None and index == len(old) and len(entries) > len(old):
            self.top = self._normal(self.top)
        elif index < len(old) and (index >= len(entries) or entries[index].key != old[index].key):
            self._refind(old)
        elif changed and not {row.place.item for row in self.rows}.isdisjoint(changed):
            self._hold()
        return changed

    def resize(self, view: View, height: int) -> None:
        """Another size: the source text at the top of the screen stays there."""
        self.height = height
        if view.width == self.document.view.width:
            return
        held = not self.following and bool(self.rows)
        if held and self._pin is None:
            self._pin = self._mark(self.top)
        self.document.set_view(view)
        if held and self._pin is not None:
            self.top = Place(self.top.item, self._line_at(self.top.item, self._pin))

    def redraw(self) -> None:
        """Entries draw otherwise from now on: the source text at the top of the screen stays there."""
        item = self.top.item
        mark = None if self.following or not self.rows else self._pin or self._mark(self.top)
        self.document.forget()
        if mark is not None:
            self.top = Place(item, self._line_at(item, mark))

    def set_view(self, view: View, index: int | None = None) -> None:
        """Another view of the same width, of entry `index` only if given: the rows that remain stay where they are."""
        if index is None:
            self.document.set_view(view)
        else:
            self.document.refold(view, index)
        if not self.following:
            self._hold()

    def release(self) -> None:
        """Stop following; the rows stay where they are."""
        if self.following:
            self.following = False
            self._seen = Place(len(self.document), 0)
            self._pin = None

    def follow(self) -> None:
        self.following = True
        self._pin = None

    def move(self, rows: int) -> None:
        """Scroll down (up if negative). Arriving at the end resumes following."""
        self.go(self.step(self.top, rows))

    def go(self, place: Place) -> None:
        """Put `place` at the top of the screen, or as near as the end allows; at the end following resumes."""
        end = self._end()
        if place >= end:
            self.top = end
            self.follow()
        else:
            self.release()
            self.top = place
            self._pin = None

    def go_row(self, row: int) -> None:
        """Scroll to `row` of the document as the heights are known now."""
        self.go(Place(*self.document.heights.find(row)))

    def step(self, place: Place, rows: int) -> Place:
        """The place `rows` below `place` (above if negative), drawing what lies between; stops at either end."""
        index, line = place
        line += rows
        while line < 0 and index > 0:
            index -= 1
            line += self.document.height(index)
        return self._normal(Place(index, max(0, line)))

    def settle(self) -> list[Row]:
        """Draw what is on the screen, set `rows`, and return them."""
        document = self.document
        end = self._end()
        if self.following:
            self.top = end
        else:
            self.top = min(self._clamped(self.top), end)
        self.rows = self._fill(self.top)
        if self.rows:
            last = self.rows[-1].place
            self._seen = min(max(self._seen, Place(last.item, last.line + 1)), Place(len(document), 0))
        document.trim(self.height + 8)
        return self.rows

    def screen_row(self, index: int) -> int | None:
        """The screen row at which item `index` is first seen, or None."""
        return next((at for at, row in enumerate(self.rows) if row.place.item == index), None)

    def _fill(self, place: Place) -> list[Row]:
        rows: list[Row] = []
        index, line = place
        document = self.document
        while index < len(document) and len(rows) < self.height:
            block = document.block(index)
            stop = min(block.height, line + self.height - len(rows))
            rows += [Row(Place(index, at), block.line(at)) for at in range(line, stop)]
            index, line = index + 1, 0
        return rows

    def _end(self) -> Place:
        need, index = self.height, len(self.document)
        while need > 0 and index > 0:
            index -= 1
            need -= self.document.height(index)
        return Place(index, max(0, -need))

    def _clamped(self, place: Place) -> Place:
        if not len(self.document):
            return Place(0, 0)
        index = min(place.item, len(self.document) - 1)
        if index < place.item:
            return Place(index, max(0, self.document.height(index) - 1))
        return Place(index, max(0, min(place.line, self.document.height(index) - 1)))

    def _normal(self, place: Place) -> Place:
        """The same row, counted from the item that it is in."""
        index, line = place
        last = len(self.document) - 1
        while index < last and line >= (height := self.document.height(index)):
            index, line = index + 1, line - height
        return self._clamped(Place(index, line))

    def _refind(self, old: tuple[Entry, ...]) -> None:
        """Entries were put in or taken out above: go on with the first visible one that still exists."""
        numbers = {entry.key: number for number, entry in enumerate(self.document.entries)}
        for at, (place, _) in enumerate(self.rows):
            if place.item < len(old) and (number := numbers.get(old[place.item].key)) is not None:
                self.top = self.step(self._clamped(Place(number, place.line)), -at)
                return

    def _hold(self) -> None:
        """Keep the first row that still exists at its row of the screen."""
        for at, row in enumerate(self.rows):
            if (place := self._same(row)) is not None:
                self.top = self.step(place, -at)
                self._pin = None
                return

    def _same(self, row: Row) -> Place | None:
        index, number = row.place
        if index >= len(self.document) or row.line.decoration:
            return None
        block = self.document.block(index)
        if number < block.height and block.line(number) is row.line:
            return row.place
        text = row.line.text
        found = [at for at, line in enumerate(block.rows()) if line.text == text]
        return Place(index, min(found, key=lambda at: abs(at - number))) if found else None

    def _mark(self, place: Place) -> Mark:
        number = chars = 0
        for line in self.document.block(place.item).rows()[: place.line + 1]:
            if line.joins is None:
                number, chars = number + 1, 0
            else:
                chars += len(line.joins)
            chars += len(line.text.rstrip())
        line = self.document.block(place.item).line(place.line)
        return Mark(number, chars - len(line.text.rstrip()))

    def _line_at(self, index: int, mark: Mark) -> int:
        number = chars = best = 0
        for at, line in enumerate(self.document.block(index).rows()):
            if line.joins is None:
                number, chars = number + 1, 0
            else:
                chars += len(line.joins)
            if number > mark.number or (number == mark.number and chars > mark.chars):
                break
            best = at
            chars += len(line.text.rstrip())
        return best
