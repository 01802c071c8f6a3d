"""Pasted text: what of it may come in, and the markers that stand for large pastes.

A marker is a stretch of the editor's text between two private-use characters; the first one tells which paste it
stands for. These characters never come in from outside: text that holds them becomes the content of a marker itself.
So a marker can be cut, moved, undone and yanked as text, and typing what it looks like makes none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from pitui.store.drafts import Draft

# The end of plane 16: no font or icon set puts anything there.
_FIRST, _LAST, _CLOSE = 0x10E000, 0x10EFFE, 0x10EFFF
_OURS = f"{chr(_FIRST)}-{chr(_CLOSE)}"
MARKER = re.compile(f"[{chr(_FIRST)}-{chr(_LAST)}][^\n{_OURS}]*{chr(_CLOSE)}")
_FOREIGN = re.compile(f"[{_OURS}]+")

LINES, CHARACTERS = 10, 1_000
"""A paste of more than this becomes a marker (the agent's own limits)."""

TEXT_LINES, TEXT_CHARACTERS = 500, 20_000
"""More than this is never laid out in the editor, wherever it comes from: it would freeze."""

_ESCAPES = re.compile(
    "\x1b(?:\\[[0-?]*[ -/]*[@-~]|[\\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\\\)?|[ -/]*[0-~])"
    "|\x9b[0-?]*[ -/]*[@-~]|[\x90\x98\x9d\x9e\x9f][^\x07\x9c]*(?:\x07|\x9c)?"
)
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_BREAKS = re.compile("[\u2028\u2029\x85]")
_SUSPECT = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_SURROGATES = re.compile("[\ud800-\udfff]")


def clean(text: str) -> str:
    """Foreign text fit for the editor: line breaks are LF, escape sequences and control characters are gone."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not _SUSPECT.search(text):
        return text
    text = _BREAKS.sub("\n", text)
    text = _ESCAPES.sub("", text)
    return _SURROGATES.sub("\ufffd", _CONTROLS.sub("", text))


def is_large(text: str) -> bool:
    """Whether a paste of `text` is shown as a marker."""
    return len(text) > CHARACTERS or text.count("\n") >= LINES


def is_too_large(text: str) -> bool:
    """Whether `text` may never stand in the editor in full."""
    return len(text) > TEXT_CHARACTERS or text.count("\n") >= TEXT_LINES


def looks(marked: str) -> str:
    """`marked` as it is drawn: one character for each, brackets for the private ones."""
    return MARKER.sub(lambda match: f"[{match[0][1:-1]}]", marked)


class Pastes:
    """The pastes behind the markers of one editor. "Marked" text holds markers, whole text never does."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}
        self._number = 0

    def fold(self, text: str) -> str:
        """A marker for `text`; the text itself when all markers are in use."""
        free = next((chr(code) for code in range(_FIRST, _LAST + 1) if chr(code) not in self._texts), None)
        if free is None:
            return _FOREIGN.sub("\ufffd", text)
        self._number += 1
        self._texts[free] = text
        lines = text.count("\n") + 1
        size = f"+{lines} lines" if lines > LINES else f"{len(text)} chars"
        return f"{free}paste #{self._number} {size}{chr(_CLOSE)}"

    def admit(self, text: str) -> str:
        """Clean text from outside as marked text: only private characters in it become markers."""
        return _FOREIGN.sub(lambda match: self.fold(match[0]), text)

    def expand(self, marked: str) -> str:
        """The whole text."""
        return MARKER.sub(self._text_of, marked)

    def _text_of(self, match: re.Match[str]) -> str:
        return self._texts.get(match[0][0], "")

    def pack(self, marked: str, cursor: int = 0) -> Draft:
        """Marked text, and a cursor in it, as a draft without images."""
        parts: list[str] = []
        folds: list[tuple[int, int]] = []
        end = length = 0
        whole_cursor = None
        for match in MARKER.finditer(marked):
            parts.append(marked[end : match.start()])
            if whole_cursor is None and cursor <= match.start():
                whole_cursor = length + max(0, cursor - end)
            length += match.start() - end
            text = self._text_of(match)
            folds.append((length, length + len(text)))
            parts.append(text)
            length += len(text)
            end = match.end()
        parts.append(marked[end:])
        if whole_cursor is None:
            whole_cursor = length + max(0, cursor - end)
        return Draft("".join(parts), tuple(folds), whole_cursor)

    def unpack(self, draft: Draft) -> tuple[str, int]:
        """The draft's marked text and the cursor in it. Stretches too large for the editor are folded too."""
        parts: list[str] = []
        done = length = 0
        cursor = None
        pieces = [piece for start, end in draft.folds for piece in ((start, False), (end, True))]
        for edge, folded in [*pieces, (len(draft.text), False)]:
            text = draft.text[done:edge]
            before, after = self._around(text, draft.cursor - done, folded or is_too_large(text))
            if cursor is None and draft.cursor <= edge:
                cursor = length + len(before)
            parts += [before, after]
            length += len(before) + len(after)
            done = edge
        return "".join(parts), length if cursor is None else cursor

    def _around(self, text: str, cursor: int, folded: bool) -> tuple[str, str]:
        """A stretch of whole text as marked text, before and behind the cursor, which no marker is cut by."""
        if folded and text:
            return (self.fold(text), "") if cursor > 0 else ("", self.fold(text))
        cursor = max(0, min(cursor, len(text)))
        for match in _FOREIGN.finditer(text):
            if match.start() < cursor < match.end():
                cursor = match.end()
        return self.admit(text[:cursor]), self.admit(text[cursor:])

    def forget(self, marked: Iterable[str]) -> None:
        """Drop every paste that none of these marked texts stands for."""
        kept = {match[0][0] for text in marked for match in MARKER.finditer(text)}
        self._texts = {key: text for key, text in self._texts.items() if key in kept}
        if not self._texts:
            self._number = 0
