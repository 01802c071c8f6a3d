"""The usual state of a markdown text's open end: blocks, of which all but the last are closed.

CommonMark's block structure only grows at its end, so a block with another behind it never changes again, apart from
link definitions that come later. Inside list items and block quotes the same holds at every level: the containers are
remembered as stubs that give the parser the same nesting without the text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from markdown_it.token import Token

from pitui.render.blocks import Place, read_table
from pitui.render.containers import Containers, containers, first_line, open_end
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

_HEADS = {"fence": 1, "table_open": 2}
"""The source lines that begin a block which has a part of its own."""


class BlocksPart:
    """Parses the open text, lays out closed blocks, and hands long ones to a part of their own.

    Args:
        around: the containers the text begins in. `apart`: an empty row goes before it.
    """

    def __init__(self, scene: Scene, around: Containers | None = None, *, apart: bool = False) -> None:
        self._scene, self._apart = scene, apart
        self._stubs = around.stubs if around else ()
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
        self._scene.layout(lines, len(self._stubs), apart=self._apart).add(tokens, 0, len(tokens))

    def _parse(self, text: str) -> list[Token]:
        """Tokens of the text behind the stubs, whose source lines count."""
        if self._parsed[0] != text or not self._parsed[1]:
            self._parsed = text, self._scene.parse("".join(self._stubs) + text)
        return self._parsed[1]

    def _source(self, text: str) -> list[str]:
        return ("".join(self._stubs) + text).split("\n")

    def _close_blocks(self, text: str, lines: list[Line]) -> str:
        """Lay out what can change no more; the text that is left."""
        tokens = self._parse(text)
        skip = len(self._stubs)
        end = open_end(tokens, skip + text.count("\n"))
        if end is None or end.cut <= skip:
            return text
        source = self._source(text)
        around, cut = containers(end.around, source), end.cut
        if around is None:
            around, cut = Containers(), first_line(tokens[end.top])
            if cut <= skip:
                return text
        before = len(lines)
        self._scene.layout(lines, skip, cut, apart=self._apart).add(tokens, 0, len(tokens))
        if len(lines) > before:
            self._apart = end.loose
        elif skip:
            self._apart = self._apart or end.loose
        self._keep_references(tokens, cut)
        self._parsed = "", []
        self._stubs = around.stubs
        return "\n".join(source[cut:])

    def _keep_references(self, tokens: Sequence[Token], cut: int) -> None:
        for token in tokens:
            if token.type == "reference" and first_line(token) < cut:
                parser().parse(token.content, {"references": self._scene.references})

    def _hand_over(self, text: str, lines: list[Line]) -> Taken | None:
        """Let another part go on where the open block is a fence, a table or a long paragraph."""
        tokens = self._parse(text)
        if not self._stubs and len(text) > LONG_PARAGRAPH and len(tokens) == 3 and tokens[0].type == "paragraph_open":
            self._place(tokens, tokens[0], lines)
            return Taken(text.lstrip(), ParagraphPart(self._scene, BlocksPart(self._scene, apart=True)))
        complete = len(self._stubs) + text.count("\n")
        end = open_end(tokens, complete)
        if end is None or end.leaf is None or tokens[end.leaf].type not in _HEADS:
            return None
        source, leaf = self._source(text), tokens[end.leaf]
        begin = first_line(leaf) + _HEADS[leaf.type]
        around = containers(end.inside, source)
        if around is None or begin > complete:
            return None
        place = self._place(tokens, leaf, lines)
        loose = place.loose or (self._apart and around.stubs == self._stubs)
        after = BlocksPart(self._scene, around, apart=loose)
        part: Part
        if leaf.type == "fence":
            opening = around.strip(source[begin - 1]) or ""
            indent = len(opening) - len(opening.lstrip(" "))
            part = FencePart(self._scene, leaf.markup, leaf.info.strip(), indent, place, around, after)
        else:
            head = tokens[end.leaf + 1 : closing_index(tokens, end.leaf + 1)]
            table = read_table(head, self._scene.palette, place.base)
            prefix = self._scene.layout(lines).table_prefix(place.first, place.rest)
            part = TablePart(replace(self._scene, base=place.base), table, len(lines), prefix, around, after)
        return Taken("\n".join(source[begin:]), part)

    def _place(self, tokens: Sequence[Token], leaf: Token, lines: list[Line]) -> Place:
        """Where the leaf stands, once all before it is laid out."""
        layout = self._scene.layout(lines, len(self._stubs), first_line(leaf) + 1, apart=self._apart, leaf=leaf)
        layout.add(tokens, 0, len(tokens))
        return layout.place
