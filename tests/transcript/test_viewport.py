"""The rows on the screen are those of the whole document, wherever it is scrolled to and whatever happens to it."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from pitui.session.state import Entry
from pitui.widgets.folds import closed, opened, with_thinking, with_tools
from pitui.widgets.viewport import Viewport
from tests.transcript.conversation import VIEW, Shown, answer, live, prompt, sent, talk, tool

LINES = st.integers(0, 30)


class Reading(RuleBasedStateMachine):
    """A conversation that grows and changes while someone reads it."""

    def __init__(self) -> None:
        super().__init__()
        self.viewport = Viewport(VIEW)
        self.shown = Shown()
        self.number = 100

    @initialize(count=st.integers(0, 40), height=st.integers(1, 12))
    def start(self, count: int, height: int) -> None:
        self.viewport.resize(VIEW, height)
        self.take(Shown(talk(count)))

    def take(self, shown: Shown) -> None:
        self.shown = shown
        self.viewport.show(shown.entries, shown.live, shown.sent)
        self.viewport.settle()

    def visible(self) -> list[str]:
        return [row.line.text.rstrip() for row in self.viewport.rows]

    def fresh(self, kind: int, lines: int) -> Entry:
        self.number += 1
        if kind == 0:
            return prompt(self.number)
        return tool(self.number, lines) if kind == 1 else answer(self.number, "\n\n".join(["text"] * lines) or "-")

    @rule(kind=st.integers(0, 2), lines=LINES)
    def append(self, kind: int, lines: int) -> None:
        before, following = self.visible(), self.viewport.following
        full = len(before) == self.viewport.height
        self.take(replace(self.shown, entries=(*self.shown.entries, self.fresh(kind, lines))))
        if not following and full and self.shown.live is None and not self.shown.sent:
            assert self.visible() == before

    @rule(at=st.integers(0, 100), lines=LINES)
    def change(self, at: int, lines: int) -> None:
        if not self.shown.entries:
            return
        at %= len(self.shown.entries)
        old = self.shown.entries[at]
        new = replace(answer(0, "\n\n".join(["changed"] * lines) or "-"), key=old.key)
        before, seen = self.visible(), {row.place.item for row in self.viewport.rows}
        following = self.viewport.following
        self.take(replace(self.shown, entries=(*self.shown.entries[:at], new, *self.shown.entries[at + 1 :])))
        if not following and at not in seen and at < min(seen) - 1:
            assert self.visible() == before

    @rule(words=st.integers(0, 60))
    def stream(self, words: int) -> None:
        following, before = self.viewport.following, self.visible()
        full = len(before) == self.viewport.height
        inside = any(row.place.item >= len(self.shown.entries) for row in self.viewport.rows)
        self.take(replace(self.shown, live=live(" ".join(["streamed"] * words))))
        if not following and full and not inside and not self.shown.sent:
            assert self.visible() == before

    @rule()
    def finish(self) -> None:
        if self.shown.live is not None:
            self.number += 1
            text = self.shown.live.blocks[0].text
            done = answer(self.number, text or "-")
            self.take(replace(self.shown, live=None, entries=(*self.shown.entries, done)))

    @rule(lines=st.integers(0, 3))
    def send(self, lines: int) -> None:
        self.take(replace(self.shown, sent=sent("\n".join(["sent"] * lines)) if lines else ()))

    @rule(count=st.integers(0, 50))
    def cut(self, count: int) -> None:
        self.take(Shown(self.shown.entries[count:]))

    @rule(rows=st.integers(-25, 25))
    def scroll(self, rows: int) -> None:
        self.viewport.move(rows)
        self.viewport.settle()

    @rule(part=st.floats(0, 1))
    def drag(self, part: float) -> None:
        self.viewport.go_row(int(part * self.viewport.total))
        self.viewport.settle()

    @rule()
    def follow(self) -> None:
        self.viewport.follow()
        self.viewport.settle()

    @rule(width=st.integers(1, 90), height=st.integers(1, 20))
    def resize(self, width: int, height: int) -> None:
        following = self.viewport.following
        self.viewport.resize(replace(self.viewport.document.view, width=width), height)
        self.viewport.settle()
        assert self.viewport.following == following

    @rule(at=st.integers(0, 100), open_=st.booleans())
    def fold(self, at: int, open_: bool) -> None:
        if self.shown.entries:
            at %= len(self.shown.entries)
            key, view = self.shown.entries[at].key, self.viewport.document.view
            self.viewport.set_view(opened(view, [key]) if open_ else closed(view, key), at)
            self.viewport.settle()

    @rule(tools=st.booleans())
    def fold_all(self, tools: bool) -> None:
        view = self.viewport.document.view
        self.viewport.set_view(with_tools(view) if tools else with_thinking(view))
        self.viewport.settle()

    @invariant()
    def rows_are_consecutive_rows_of_the_whole(self) -> None:
        viewport = self.viewport
        items = self.shown.items(viewport.document.view)
        whole = [line.text.rstrip() for item in items for line in item]
        assert len(viewport.rows) == min(viewport.height, len(whole))
        start = sum(map(len, items[: viewport.top.item])) + viewport.top.line
        assert self.visible() == whole[start : start + viewport.height]
        assert not viewport.following or start + len(viewport.rows) == len(whole)

    @invariant()
    def every_row_fits(self) -> None:
        width = self.viewport.document.view.width
        assert all(sum(s.cell_length for s in row.line.segments) <= width for row in self.viewport.rows)


TestReading = Reading.TestCase
TestReading.settings = settings(max_examples=60, stateful_step_count=25, deadline=None)
