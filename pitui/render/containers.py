"""The open end of a parsed text, and the list items and block quotes around it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from markdown_it.token import Token

from pitui.render.blocks import is_loose
from pitui.render.parser import closing_index

_ITEM = re.compile("[ \\t]*(?:[-+*]|\\d{1,9}[.)])[ \\t]+(?=\\S)")
_QUOTE = re.compile(" {0,3}> ?")
_CODE = 5
"""Columns behind an item's marker from which on they belong to the item, all but the first: it begins with code."""


@dataclass(frozen=True, slots=True)
class Containers:
    """List items and block quotes, one in the other.

    Args:
        stubs: lines, a heading each, that give the parser the same nesting without the text.
        marks: a pattern of what lines inside begin with.
    """

    stubs: tuple[str, ...] = ()
    marks: str = ""

    def strip(self, line: str) -> str | None:
        """A line as it is inside; None when it is outside."""
        if not self.marks:
            return line
        match = re.match(self.marks, line)
        if match is None and "\t" in line:
            blanks = len(line) - len(line.lstrip(" \t"))
            line = line[:blanks].expandtabs(4) + line[blanks:]
            match = re.match(self.marks, line)
        return None if match is None else line[match.end() :]


def containers(opening: Sequence[Token], source: Sequence[str]) -> Containers | None:
    """The containers that these tokens open, from the outermost inwards; None where that is not so easily told."""
    found, line, rest = Containers(), -1, ""
    for token in opening:
        before = found.stubs[:-1]
        if first_line(token) != line:
            line, before = first_line(token), found.stubs
            rest = found.strip(source[line]) or ""
        quote = token.type == "blockquote_open"
        match = (_QUOTE if quote else _ITEM).match(rest)
        if match is None:
            return None
        rest = rest[match.end() :]
        stub = source[line].removesuffix(rest) + "# x\n"
        found = Containers((*before, stub), found.marks + (_QUOTE.pattern if quote else _indent(match[0])))
    return found


def _indent(marker: str) -> str:
    """A pattern of what the lines of an item begin with; they may be blank too."""
    columns, least = len(marker.expandtabs(4)), len(marker.rstrip())
    return f"(?: {{{columns if columns < least + _CODE else least + 1}}}|[ \\t]*\\Z)"


@dataclass(slots=True)
class OpenEnd:
    """The last block of a text, going down into containers.

    Args:
        top: the index of its token at the top level. `leaf`: of the innermost one; None where nothing is in it yet.
        inside: the tokens of the containers around the leaf.
        cut: the source line before which no block changes any more.
        around: the tokens of the containers around that line. Where it begins an item, the item before is one.
        loose: whether an empty row goes before it.
    """

    top: int
    leaf: int | None
    inside: list[Token]
    cut: int
    around: list[Token]
    loose: bool = True


def open_end(tokens: Sequence[Token], complete: int) -> OpenEnd | None:
    """The open end of a text of which so many lines are complete, if it has begun."""
    blocks = _begun(tokens, 0, len(tokens), complete)
    if not blocks:
        return None
    end = OpenEnd(blocks[-1], blocks[-1], [], first_line(tokens[blocks[-1]]), [])
    loose = True
    while end.leaf is not None and tokens[end.leaf].nesting == 1:
        container, close = end.leaf, closing_index(tokens, end.leaf)
        if tokens[container].type in {"bullet_list_open", "ordered_list_open"}:
            loose = is_loose(tokens, container, close)
            items = _begun(tokens, container + 1, close, complete)
            container, close = items[-1], closing_index(tokens, items[-1])
            if first_line(tokens[container]) > end.cut:
                before = tokens[items[-2]]
                end.cut, end.around, end.loose = first_line(tokens[container]), [*end.inside, before], loose
        elif tokens[container].type == "blockquote_open":
            loose = True
        else:
            break
        end.inside.append(tokens[container])
        children = _begun(tokens, container + 1, close, complete)
        end.leaf = children[-1] if children else None
        if end.leaf is not None and first_line(tokens[end.leaf]) > end.cut:
            end.cut, end.around, end.loose = first_line(tokens[end.leaf]), [*end.inside], loose
    return end


def first_line(token: Token) -> int:
    """The source line on which a block begins."""
    return token.map[0] if token.map else 0


def _begun(tokens: Sequence[Token], start: int, end: int, complete: int) -> list[int]:
    """The indices of the blocks of `tokens[start:end]` whose first line is complete."""
    found, index = list[int](), start
    while index < end and first_line(tokens[index]) < complete:
        found.append(index)
        index = closing_index(tokens, index) + 1
    return found
