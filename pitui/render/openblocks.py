"""The usual state of a markdown text's open end: blocks, of which all but the last are closed.

CommonMark's block structure only grows at its end, so a block with another behind it never changes again, apart from
link definitions that come later. In a list, the same holds for its items, at every level: their enclosing items are
remembered as stubs, one heading each, that give the parser the same nesting without the text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from markdown_it.token import Token

from pitui.render.blocks import is_loose, read_table
from pitui.render.lines import Line
from pitui.render.parser import closing_index, parser
from pitui.render.parts import (
    LONG_LINE,
    LONG_PARAGRAPH,
    FencePart,
    ParagraphPart,
    Part,
    PlainPart,
    Scene,
    TablePart,
    Taken,
)

_FENCE = re.compile("( {0,3})(`{3,}|~{3,})[^\\n]*\\n")
_MARKER = re.compile("[ \\t]*(?:[-+*]|\\d{1,9}[.)])[ \\t]+(?=\\S)")
_LISTS = frozenset({"bullet_list_open", "ordered_list_open"})


class BlocksPart:
    """Parses the open text, lays out closed blocks, and hands long ones to a part of their own."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._stubs: list[str] = []
        self._gap = False
        self._parsed: tuple[str, list[Token]] = ("", [])

    def take(self, text: str, lines: list[Line]) -> Taken:
        left = self._close_blocks(text, lines)
        taken = self._hand_over(left, lines)
        if taken is None and left is not text:
            return Taken(left, self)
        if taken is None and len(left) > LONG_LINE:
            start, end = len(lines), max(left.rfind(" "), left.rfind("\n")) + 1 or len(left)
            self.draft(left[:end], lines)
            taken = Taken(left[end:], PlainPart(self._scene, left[:end], start, len(left) * 2, self))
        return taken or Taken(left)

    def draft(self, text: str, lines: list[Line]) -> None:
        tokens = self._parse(text)
        drafted: list[Line] = []
        self._scene.layout(drafted, len(self._stubs)).add(tokens, 0, len(tokens))
        if drafted:
            self._set_apart(lines)
            lines += drafted

    def _set_apart(self, lines: list[Line]) -> None:
        if self._gap:
            lines.append(Line([]))

    def _parse(self, text: str) -> list[Token]:
        """Tokens of the text behind the stubs, whose source lines count."""
        if self._parsed[0] != text or not self._parsed[1]:
            self._parsed = text, self._scene.parse("".join(self._stubs) + text)
        return self._parsed[1]

    def _close_blocks(self, text: str, lines: list[Line]) -> str:
        """Lay out what can change no more; the text that is left."""
        tokens = self._parse(text)
        stubs = len(self._stubs)
        complete = stubs + text.count("\n")
        index = _last_block(tokens, 0, len(tokens), complete)
        if index is None:
            return text
        cut, ancestors, loose = _cut(tokens, index, complete)
        if cut <= stubs:
            return text
        source = [*self._stubs, *[line + "\n" for line in text.split("\n")]]
        markers = [_MARKER.match(source[line]) for line in ancestors]
        if None in markers:
            cut, ancestors, loose = _map(tokens[index]), [], None
            if cut <= stubs:
                return text
        closed: list[Line] = []
        layout = self._scene.layout(closed, stubs, cut)
        layout.add(tokens, 0, len(tokens))
        if closed:
            self._set_apart(lines)
            lines += closed
            self._gap = True
        if loose is not None:
            self._gap = loose
        self._keep_references(tokens, cut)
        self._parsed = "", []
        self._stubs = [marker[0] + "# x\n" for marker in markers if marker is not None] if ancestors else []
        return "".join(source[cut:])[:-1]

    def _keep_references(self, tokens: Sequence[Token], cut: int) -> None:
        for token in tokens:
            if token.type == "reference" and _map(token) < cut:
                parser().parse(token.content, {"references": self._scene.references})

    def _hand_over(self, text: str, lines: list[Line]) -> Taken | None:
        """Let another part go on where the open block is a fence, a table or a long paragraph."""
        if self._stubs:
            return None
        after = BlocksPart(self._scene)
        after._gap = True
        if fence := _FENCE.match(text):
            info = fence[0].strip()[len(fence[2]) :].strip()
            if fence[2][0] == "`" and "`" in info:
                return None
            self._set_apart(lines)
            return Taken(text[fence.end() :], FencePart(self._scene, fence[2], info, len(fence[1]), after))
        tokens = self._parse(text)
        if not tokens:
            return None
        if tokens[0].type == "table_open" and text.count("\n") >= 2 and closing_index(tokens, 0) == len(tokens) - 1:
            return self._to_table(text, tokens, lines, after)
        if tokens[0].type == "paragraph_open" and len(tokens) == 3 and len(text) > LONG_PARAGRAPH:
            self._set_apart(lines)
            return Taken(text.lstrip(), ParagraphPart(self._scene, after))
        return None

    def _to_table(self, text: str, tokens: list[Token], lines: list[Line], after: Part) -> Taken:
        header, delimiter, rest = text.lstrip("\n").split("\n", 2)
        self._set_apart(lines)
        table = read_table(self._scene.parse(f"{header}\n{delimiter}\n")[1:], self._scene.palette, self._scene.base)
        return Taken(rest, TablePart(self._scene, table, len(lines), after))


def _map(token: Token) -> int:
    return token.map[0] if token.map else 0


def _last_block(tokens: Sequence[Token], start: int, end: int, complete: int) -> int | None:
    """The last block of `tokens[start:end]` whose first line is complete: those before it are closed."""
    found, index = None, start
    while index < end:
        if _map(tokens[index]) >= complete:
            break
        found = index
        index = closing_index(tokens, index) + 1
    return found


def _cut(tokens: Sequence[Token], index: int, complete: int) -> tuple[int, list[int], bool | None]:
    """Where the open end begins, going down into open lists.

    Returns the source line, the lines of the list items around it, and whether an empty row goes before it because
    the list it goes on with is loose (None when it goes on with none).
    """
    cut = _map(tokens[index])
    ancestors: list[int] = []
    loose: bool | None = None
    while tokens[index].type in _LISTS:
        close = closing_index(tokens, index)
        item = _last_block(tokens, index + 1, close, complete)
        if item is None:
            break
        line = _map(tokens[item])
        if ancestors and line <= ancestors[-1]:
            break
        child = _last_block(tokens, item + 1, closing_index(tokens, item), complete)
        if line > _map(tokens[index]):
            cut, loose = line, is_loose(tokens, index, close)
        if child is None or _map(tokens[child]) <= line:
            break
        ancestors.append(line)
        loose = is_loose(tokens, index, close)
        cut, index = _map(tokens[child]), child
    return cut, ancestors, loose
