"""The markdown parser: CommonMark with tables and strikethrough, changed so that no word is ever dropped.

Changed against markdown-it: cells beyond a table's columns are kept, link reference definitions stay as tokens,
what is nested too deep stays as plain text, formulas stay as written, and only links a person may follow are links.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_block.reference import reference
from markdown_it.rules_block.table import escapedSplit, table
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

DEEPEST = 40
"""Levels of nesting (a list counts two) below which text is shown as written."""

SCHEME = re.compile("[A-Za-z][A-Za-z0-9+.-]*:")
LINKABLE = re.compile("(?:https?|file)://[^\\s<>]+|mailto:[^\\s<>]+", re.IGNORECASE)
MARKS = re.compile("[\\\\`*_~\\[<&$\\n]")
"""Finds a character that may mean something inside a paragraph; without one it is text."""

_MATH_BLOCK = re.compile("\\$\\$|\\\\\\[")
_MATH_INLINE = re.compile("\\$\\$[^$]{1,500}?\\$\\$|\\\\\\((?=[^\\n]{0,500}?[\\\\_^={}])[^\\n]{1,500}?\\\\\\)")


class _Markdown(MarkdownIt):
    """Keeps addresses as written and takes for links only what may be followed, or has no scheme."""

    def normalizeLink(self, url: str) -> str:
        return url

    def normalizeLinkText(self, link: str) -> str:
        return link

    def validateLink(self, url: str) -> bool:
        return LINKABLE.match(url) is not None or SCHEME.match(url) is None


@lru_cache(maxsize=1)
def parser() -> MarkdownIt:
    """The one parser; it keeps no state between texts."""
    markdown = _Markdown("commonmark", {"maxNesting": DEEPEST + 20}).enable(["table", "strikethrough"])
    block, inline = markdown.block.ruler, markdown.inline.ruler
    block.at("reference", _reference)
    block.at("table", _table, {"alt": ["paragraph", "reference"]})
    block.before("table", "too_deep", _too_deep)
    block.before("fence", "math_block", _math_block, {"alt": ["paragraph", "reference", "blockquote", "list"]})
    inline.before("escape", "math_inline", _math_inline)
    markdown.core.ruler.at("inline", _inline)
    return markdown


def _inline(state: StateCore) -> None:
    """Parse what is inline; most table cells and many paragraphs hold nothing but text, and need no parser."""
    for token in state.tokens:
        if token.type == "inline":
            if token.children is None:
                token.children = []
            if MARKS.search(token.content):
                state.md.inline.parse(token.content, state.md, state.env, token.children)
            elif token.content:
                token.children.append(Token("text", "", 0, content=token.content))


def split_row(line: str) -> list[str]:
    """The source of a table row's cells."""
    cells = escapedSplit(line.strip())
    if cells and not cells[0]:
        cells.pop(0)
    if cells and not cells[-1]:
        cells.pop()
    return [cell.strip() for cell in cells]


def _line(state: StateBlock, line: int) -> str:
    return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]]


def _verbatim(state: StateBlock, kind: str, start: int, end: int) -> bool:
    token = state.push(kind, "", 0)
    token.content = state.getLines(start, end, state.blkIndent, False).rstrip("\n")
    token.map = [start, end]
    state.line = end
    return True


def _reference(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    if not reference(state, start, end, silent):
        return False
    return silent or _verbatim(state, "reference", start, state.line)


def _table(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    first = len(state.tokens)
    if not table(state, start, end, silent):
        return False
    if not silent:
        _keep_all_cells(state, first)
    return True


def _keep_all_cells(state: StateBlock, first: int) -> None:
    tokens = state.tokens
    columns = sum(token.type == "th_open" for token in tokens[first:])
    kept: list[Token] = []
    line = start = 0
    for token in tokens[first:]:
        if token.type == "tr_open" and token.map is not None:
            line, start = token.map[0], len(kept)
        if token.type == "tr_close":
            for content in split_row(_line(state, line))[columns:]:
                model = kept[start + 1 : start + 4]
                kept += [_copy(part, content) for part in model]
        kept.append(token)
    tokens[first:] = kept


def _copy(token: Token, content: str) -> Token:
    children: list[Token] | None = [] if token.type == "inline" else None
    return token.copy(content=content if token.type == "inline" else "", children=children)


def _too_deep(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    if state.level < DEEPEST or silent:
        return False
    line = start
    while line < end and (state.isEmpty(line) or state.sCount[line] >= state.blkIndent):
        line += 1
    return _verbatim(state, "too_deep", start, max(line, start + 1))


def _math_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    if state.is_code_block(start):
        return False
    line = _line(state, start)
    if not (opening := _MATH_BLOCK.match(line)):
        return False
    closing = "$$" if opening[0] == "$$" else "\\]"
    rest = line[2:].rstrip()
    last = start
    while not rest.endswith(closing):
        last += 1
        if last >= end or state.isEmpty(last) or state.sCount[last] < state.blkIndent or last - start > 200:
            return False
        rest = _line(state, last).rstrip()
    return silent or _verbatim(state, "math_block", start, last + 1)


def _math_inline(state: StateInline, silent: bool) -> bool:
    if state.src[state.pos] not in "$\\" or not (match := _MATH_INLINE.match(state.src, state.pos, state.posMax)):
        return False
    if not silent:
        token = state.push("math_inline", "", 0)
        token.content = match[0]
    state.pos = match.end()
    return True


def closing_index(tokens: Sequence[Token], index: int) -> int:
    """The index of the token that closes the one at `index`, itself when it stands alone."""
    if tokens[index].nesting != 1:
        return index
    level = tokens[index].level
    index += 1
    while tokens[index].nesting != -1 or tokens[index].level != level:
        index += 1
    return index
