"""Inline markdown as styled runs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from markdown_it.common.normalize_url import normalizeLink
from markdown_it.token import Token
from rich.style import Style

from pitui.render.lines import Palette
from pitui.render.parser import LINKABLE
from pitui.render.text import sanitize
from pitui.render.wrap import Span

_ATTRIBUTES = {"em_open": Style(italic=True), "strong_open": Style(bold=True), "s_open": Style(strike=True)}
_BARE_LINK = re.compile("https?://[^\\s<>\"'`|]+", re.IGNORECASE)
_AFTER_LINK = ".,;:!?*_~"
_HOST = re.compile(
    "(?:[a-z][a-z0-9+.-]*://(?:[^\\s/@]*@)?|(?=www\\.)|(?=\\S+\\.(?:com|org|net|io|dev|ai|app|co|gov|edu)\\b))"
    "((?:[\\w-]+\\.)*[\\w-]+)(?:[:/?#]|$)",
    re.IGNORECASE,
)


def inline_spans(token: Token, palette: Palette, base: Style) -> list[Span]:
    """The runs of an inline token over `base`; a hard break is a newline in them.

    Links a person may follow carry their address in the style; it is also written out where the text could mislead.
    """
    return _merged(_spans(token.children or (), palette, base))


def text_spans(text: str, palette: Palette, base: Style) -> list[Span]:
    """The runs of text without any marks: only addresses stand out."""
    return _merged(_with_bare_links(text, palette, base))


def _spans(children: Sequence[Token], palette: Palette, base: Style) -> Iterator[Span]:
    style, outer = base, [base]
    links: list[tuple[Token, str]] = []
    in_link = 0
    for token in children:
        kind = token.type
        if kind in {"text", "text_special"}:
            if in_link:
                links[-1] = (links[-1][0], links[-1][1] + token.content)
                yield sanitize(token.content), style
            else:
                yield from _with_bare_links(sanitize(token.content), palette, style)
        elif kind == "softbreak":
            yield " ", style
        elif kind == "hardbreak":
            yield "\n", style
        elif kind == "code_inline":
            yield token.content, style + palette.code
            if in_link:
                links[-1] = (links[-1][0], links[-1][1] + token.content)
        elif kind == "html_inline":
            yield token.content, style
            if token.content.lower().startswith("<br"):
                yield "\n", style
        elif kind in _ATTRIBUTES:
            outer.append(style)
            style += _ATTRIBUTES[kind]
        elif kind == "link_open":
            outer.append(style)
            links.append((token, ""))
            in_link += 1
            style += palette.link + link_style(str(token.attrs.get("href", "")))
        elif kind.endswith("_close"):
            style = outer.pop() if len(outer) > 1 else base
            if kind == "link_close":
                in_link -= 1
                yield from _address(*links.pop(), palette, style)
        elif kind == "image":
            yield from _image(token, palette, style)
        elif token.content:
            yield token.content, style


def _merged(spans: Iterator[Span]) -> list[Span]:
    merged: list[Span] = []
    for text, style in spans:
        if merged and merged[-1][1] is style:
            merged[-1] = (merged[-1][0] + text, style)
        elif text:
            merged.append((text, style))
    return merged


@lru_cache(maxsize=1024)
def link_style(address: str) -> Style:
    """The style that makes text a link to `address`; nothing when nobody should follow it."""
    address = sanitize(address)
    if not LINKABLE.fullmatch(address):
        return Style.null()
    return Style(link=address if address.isascii() else normalizeLink(address))


def _with_bare_links(text: str, palette: Palette, style: Style) -> Iterator[Span]:
    position = 0
    if "://" in text:
        for match in _BARE_LINK.finditer(text):
            address = _balanced(match[0].rstrip(_AFTER_LINK))
            yield text[position : match.start()], style
            yield address, style + palette.link + link_style(address)
            position = match.start() + len(address)
    yield text[position:], style


def _balanced(address: str) -> str:
    """Without closing brackets that belong to the sentence."""
    for opening, closing in ("()", "[]"):
        surplus = address.count(closing) - address.count(opening)
        while surplus > 0 and address.endswith(closing):
            address = address[:-1].rstrip(_AFTER_LINK)
            surplus -= 1
    return address


def _address(token: Token, text: str, palette: Palette, style: Style) -> Iterator[Span]:
    """What is written behind a link's text: the address when the text hides where it leads, and the title."""
    href = sanitize(str(token.attrs.get("href", ""))).replace("\n", " ")
    title = sanitize(str(token.attrs.get("title", "")))
    if href and not _tells(text, href):
        yield f" ({href})", style + palette.muted
    if title:
        yield f' "{title}"', style + palette.muted


def _tells(text: str, href: str) -> bool:
    """Whether the link's text may stand alone: the address can be followed, and the text names no other one."""
    text = text.strip()
    if text in {href, href.removeprefix("mailto:")}:
        return True
    if not text or not href.isascii() or not LINKABLE.fullmatch(href):
        return False
    named, meant = _HOST.match(text), _HOST.match(href)
    return named is None or (meant is not None and named[1].lower() == meant[1].lower())


def _image(token: Token, palette: Palette, style: Style) -> Iterator[Span]:
    source = str(token.attrs.get("src", ""))
    alt = sanitize(token.content) or "image"
    yield ("[image] " if palette.ascii_only else "▨ "), style + palette.muted
    yield alt, style + palette.link + link_style(source)
    yield from _address(Token("link_open", "a", 1, {"href": source, **_title(token)}), alt, palette, style)


def _title(token: Token) -> dict[str, str | int | float]:
    return {"title": token.attrs["title"]} if "title" in token.attrs else {}
