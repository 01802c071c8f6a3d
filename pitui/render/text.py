"""Text on its way to the screen: foreign text made harmless, measured, cut, wrapped; and numbers as people read them.

The one import for renderers. Everything here is pure and takes time linear in its input.
"""

from __future__ import annotations

import re

from pitui.render.ansi import ansi_spans, terminal_text
from pitui.render.cells import clip, clip_left, clip_spans, clusters, expand_tabs, spans_width, width_of
from pitui.render.numbers import count, money, seconds, size, tokens
from pitui.render.wrap import Span, line_of, wrap_spans

__all__ = [
    "Sanitizer", "Span", "ansi_spans", "clip", "clip_left", "clip_spans", "clusters", "count", "expand_tabs",
    "line_of", "money", "sanitize", "seconds", "size", "spans_width", "terminal_text", "tokens", "width_of",
    "wrap_spans",
]  # fmt: skip

_STRING_BODY = "[^\\x07\\x1b\\n\\r\\x80-\\x9f]*"
_EMOJI = "\\u2190-\\u2bff\\U0001f000-\\U0001faff"
_INVISIBLE = (
    "\\u00ad\\u061c\\u180e\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\ufe00-\\ufe0f\\ufeff\\ufff0-\\ufffb"
    "\\U000e0000-\\U000e0fff"
)

SUSPECT = re.compile(f"[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u2028\\u2029\\ud800-\\udfff\\U0010eeee{_INVISIBLE}]")
"""Finds a character `sanitize` may change; text without one is returned as it is."""

_SEQUENCE = re.compile(
    # A CSI sequence; cut short, only what is certainly part of it. 8-bit: only with parameters, for U+009B alone is
    # more often a wrongly decoded quotation mark, and the letter after it a word's.
    "\\x1b\\[[0-?]*[ -/]*[@-~]?|\\x9b[0-?]+[ -/]*[@-~]?"
    # OSC, DCS, SOS, PM, APC with their payload; unterminated, only the introducer: what follows may be words.
    f"|(?:\\x1b[\\]PX^_]|[\\x9d\\x90\\x98\\x9e\\x9f]){_STRING_BODY}(?:\\x07|\\x1b\\\\|\\x9c)"
    # Charset and other two- and three-byte sequences.
    "|\\x1b[ -/]+[0-~]?|\\x1b[0-~]?"
)
_BREAK = re.compile("\\r\\n|[\\r\\x0b\\x0c\\x85\\u2028\\u2029]")
_STAND_IN = re.compile("[\\ud800-\\udfff\\U0010eeee]")
"""Lone surrogates, and what kitty shows pictures in place of: only our own do that."""
_JOINERS = "\\u200c\\u200d\\ufe0f"
_DROPPED = re.compile(f"(?![{_JOINERS}])[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f{_INVISIBLE}]")
_STRAY_JOINER = re.compile(
    # Joiners and the emoji selector stay where a glyph needs them: the groups say so.
    f"(?:(?<=[{_EMOJI}])|(?<=[{_EMOJI}]\\ufe0f))\\u200d(?=[{_EMOJI}])()"
    "|(?<=[\\u0620-\\u1fff])\\u200c(?=[\\u0620-\\u1fff])()"
    f"|(?<=[#*0-9\\u00a9\\u00ae\\u203c\\u2049\\u2122\\u2139\\u3030\\u303d\\u3297\\u3299{_EMOJI}])\\ufe0f()"
    f"|[{_JOINERS}]"
)


_UNFINISHED = re.compile(
    f"(?:\\x1b(?:\\[[0-?]*[ -/]*|[\\]PX^_]{_STRING_BODY}\\x1b?|[ -/]*)|\\x9b[0-?]*[ -/]*"
    f"|[\\x9d\\x90\\x98\\x9e\\x9f]{_STRING_BODY}\\x1b?|\\r|[^\\n]?[\\u200c\\u200d\\ufe0f]+)\\Z"
)
_LONGEST_SEQUENCE = 4_096


class Sanitizer:
    """`sanitize` for text that comes in pieces, cut anywhere: what it gives out adds up to the same.

    Only a joiner beside an escape sequence may get lost.
    """

    def __init__(self) -> None:
        self._held = ""
        self._last = ""

    def feed(self, piece: str) -> str:
        """What is certain after `piece`; an escape sequence still open at its end is held back."""
        piece = self._held + piece
        self._held = ""
        if not SUSPECT.search(piece):
            self._last = piece[-1:] or self._last
            return piece
        start = max(0, len(piece) - _LONGEST_SEQUENCE)
        if (held := _UNFINISHED.search(piece, start)) is not None:
            self._held = held[0]
            piece = piece[: held.start()]
        clean = self._clean(piece)
        self._last = clean[-1:] or self._last
        return clean

    @property
    def held(self) -> str:
        """What is held back, as it looks if nothing follows; never a line break."""
        return self._clean(self._held.rstrip("\r")) if self._held else ""

    def _clean(self, piece: str) -> str:
        return sanitize(self._last + piece)[len(self._last) :]


def sanitize(text: str) -> str:
    """The one gate for foreign text: what is left can be shown and means only what it looks like.

    Escape sequences of every kind, other control characters, direction overrides and invisible format characters are
    dropped, their words kept; lone surrogates and kitty's placeholder for pictures become U+FFFD; every kind of line
    break becomes a newline. Tabs stay (see `expand_tabs`), and so do joiners inside emoji.
    """
    if not SUSPECT.search(text):
        return text
    text = _SEQUENCE.sub("", text)
    text = _BREAK.sub("\n", _STAND_IN.sub("\ufffd", text))
    return _STRAY_JOINER.sub(lambda match: match[0] if match.lastindex else "", _DROPPED.sub("", text))
