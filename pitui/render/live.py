"""The answer while it streams. What is complete is laid out once; a delta costs its own length."""

from __future__ import annotations

from abc import ABC, abstractmethod

from pitui.render.entries import first_words, thinking_head, thinking_open
from pitui.render.lines import Line, Palette, View
from pitui.render.partial import parse_partial
from pitui.render.rows import gutter, indented, words
from pitui.render.stream import MarkdownStream
from pitui.render.text import spans_width
from pitui.render.tools import render_tool
from pitui.rpc.protocol import join_text
from pitui.session.state import BlockKind, LiveBlock, LiveMessage, ToolEntry, ToolState

SHORT = 16_000
REPARSED = 64
"""Arguments longer than `SHORT` characters are read again when they have grown by this part of what is beyond it, so
that reading them stays linear."""

Look = tuple[object, ...]


class LiveView:
    """Lines of the message being streamed; `lines` is valid after each `show`."""

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self._look: Look = ()
        self._palette: Palette | None = None
        self._parts: list[_Part] = []
        self._starts: list[int] = []

    def show(self, live: LiveMessage, view: View) -> int:
        """Bring `lines` up to date; return the index of the first that changed, their number when none did.

        Another message, width or palette starts over.
        """
        look: Look = (live.key, view.width, view.prose_width)
        if look != self._look or view.palette is not self._palette:
            self._look, self._palette = look, view.palette
            self._forget(0)
        if len(self._parts) > len(live.blocks):
            self._forget(len(live.blocks))
        first = len(self.lines)
        stretch, place = "", 0
        for number, block in enumerate(live.blocks):
            part = self._part(number, block)
            if block.kind is BlockKind.TOOL_CALL:
                stretch, place = "", 0
            elif not stretch:
                stretch = f"{live.key}:{block.index}"
            key = f"{live.key}:{block.index}" if block.kind is BlockKind.TOOL_CALL else f"{stretch}/{place}"
            changed = part.show(block, view, key)
            place += part.says and block.kind is not BlockKind.TOOL_CALL
            stretch = stretch if place else ""
            if changed is not None or number >= len(self._starts):
                first = min(first, self._place(number, changed or 0))
        return first

    def _forget(self, number: int) -> None:
        """Drop the parts from `number` on, and their lines."""
        if number < len(self._starts):
            before = self._starts[number]
            del self.lines[before:]
        del self._parts[number:], self._starts[number:]

    def _part(self, number: int, block: LiveBlock) -> _Part:
        if number < len(self._parts) and self._parts[number].shows(block):
            return self._parts[number]
        self._forget(number)
        kinds: dict[BlockKind, type[_Part]] = {
            BlockKind.TEXT: _Text, BlockKind.THINKING: _Thinking, BlockKind.TOOL_CALL: _Call,
        }
        self._parts.append(kinds[block.kind](block))
        return self._parts[-1]

    def _place(self, number: int, changed: int) -> int:
        """Put the lines of a part from its line `changed` on where they belong, and those of all parts after it."""
        part = self._parts[number]
        if number < len(self._starts):
            start = self._starts[number]
        else:
            start = len(self.lines)
            self._starts.append(start)
        blank = self._blank_before(number)
        at = start + (blank + changed if changed else 0)
        del self.lines[at:]
        if not changed and blank:
            self.lines.append(Line([], decoration=True))
        self.lines += part.lines[changed:]
        for later in range(number + 1, len(self._starts)):
            self._starts[later] = len(self.lines)
            if self._blank_before(later):
                self.lines.append(Line([], decoration=True))
            self.lines += self._parts[later].lines
        return at

    def _blank_before(self, number: int) -> int:
        part = self._parts[number]
        before = next((other for other in reversed(self._parts[:number]) if other.lines), None)
        if before is None or not part.lines:
            return 0
        return 0 if isinstance(part, _Call) and isinstance(before, _Call) else 1


class _Part(ABC):
    """One block: what of it was taken in, and its lines."""

    def __init__(self, block: LiveBlock) -> None:
        self.kind = block.kind
        self.index = block.index
        self.source = block.parts
        self.count = 0
        self.says = False
        self.lines: list[Line] = []

    def shows(self, block: LiveBlock) -> bool:
        """Whether the block is what was shown, or a continuation of it."""
        return (block.kind, block.index) == (self.kind, self.index) and block.parts is self.source and (
            block.count >= self.count
        )

    def fresh(self, block: LiveBlock) -> str:
        """The text not taken in yet. Half a surrogate pair at its end waits for the other half."""
        end = block.count
        while end > self.count and not block.done and "\ud800" <= block.parts[end - 1][-1:] <= "\udbff":
            end -= 1
        text = join_text(block.parts[self.count : end])
        self.count = end
        self.says = self.says or bool(text.strip())
        return text

    @abstractmethod
    def show(self, block: LiveBlock, view: View, key: str) -> int | None:
        """Bring `lines` up to date; the index of the first changed line, or None."""


class _Text(_Part):
    def __init__(self, block: LiveBlock) -> None:
        super().__init__(block)
        self.stream: MarkdownStream | None = None

    def show(self, block: LiveBlock, view: View, key: str) -> int | None:
        text = self.fresh(block)
        if not text:
            return None
        prefix = gutter(view.width)
        if self.stream is None:
            self.stream = MarkdownStream(view.palette)
        self.stream.feed(text)
        if not self.says:
            return None
        first = self.stream.render(max(1, view.width - spans_width(prefix)), view.prose_width)
        first = min(first, len(self.lines))
        self.lines[first:] = [indented(line, prefix) for line in self.stream.lines[first:]]
        return first


class _Thinking(_Part):
    """The head alone, or all of it: source lines that are complete are laid out once."""

    def __init__(self, block: LiveBlock) -> None:
        super().__init__(block)
        self.text: list[str] = []
        self.start = ""
        self.open_line = ""
        self.closed = 1
        self.look: Look = ()

    def show(self, block: LiveBlock, view: View, key: str) -> int | None:
        text = self.fresh(block)
        if text:
            self.text.append(text)
            self.start = self.start if len(self.start) > 1000 else (self.start + text)[:2000].lstrip()
        open_ = thinking_open(key, view)
        look: Look = (open_, key, first_words(self.start) if not open_ else "", block.done, self.says)
        if look != self.look:
            self.look = look
            return self._again(view, key, open_, block.done)
        return self._more(text, view) if open_ and text and self.says else None

    def _again(self, view: View, key: str, open_: bool | None, done: bool) -> int:
        self.lines, self.open_line, self.closed = [], "", 1
        if open_ is not None and self.says:
            self.lines = [thinking_head(first_words(self.start), key, view, open_, "Thought" if done else "Thinking")]
            if open_:
                self._more("".join(self.text).lstrip("\n"), view)
        return 0

    def _more(self, text: str, view: View) -> int:
        first = self.closed
        *complete, self.open_line = (self.open_line + text).split("\n")
        drawn = [line for source in complete for line in words(source, view.palette.thinking, view, gutter(view.width))]
        self.lines[first:] = drawn
        self.closed = len(self.lines)
        if self.open_line.strip():
            self.lines += words(self.open_line, view.palette.thinking, view, gutter(view.width))
        return first


class _Call(_Part):
    """A call whose arguments fill in, drawn as the card it will become."""

    def __init__(self, block: LiveBlock) -> None:
        super().__init__(block)
        self.text: list[str] = []
        self.length = 0
        self.read = -1
        self.entry: ToolEntry | None = None
        self.look: Look = ()

    def show(self, block: LiveBlock, view: View, key: str) -> int | None:
        text = self.fresh(block)
        self.text.append(text)
        self.length += len(text)
        look: Look = (block.call_id, block.name, block.done, key, view.tools_open, view.open, view.shut, view.home,
                      view.cwd, view.side_by_side)
        due = self.length > self.read + max(0, self.read - SHORT) // REPARSED
        if look == self.look and not due:
            return None
        if due or block.done or self.entry is None:
            self.text = ["".join(self.text)]
            self.read = self.length
        self.look = look
        state = ToolState.WAITING if block.done else ToolState.WRITING
        self.entry = ToolEntry(
            f"tool:{block.call_id}" if block.call_id else key, block.call_id, block.name, parse_partial(self.text[0]),
            state=state,
        )
        self.lines = render_tool(self.entry, view)
        return 0
