"""Palettes from a handful of colours by name, each readable on its ground."""

from __future__ import annotations

import re
from collections.abc import Mapping

from rich.style import Style

from pitui.render.lines import Palette

_DARK = {
    "background": "#11151a", "text": "#d4d9e0", "muted": "#8b95a3", "accent": "#6cb6ff", "user": "#9ecbff",
    "thinking": "#98a2b0", "tool": "#7fc8a9", "success": "#7cc489", "warning": "#e0b35c", "error": "#f08a84",
    "panel": "#1a2028", "heading": "#7cc7d8", "code": "#e3b77d", "link": "#78b4f5", "selection": "#2b4462",
    "diff-add": "#12301f", "diff-remove": "#3a1a1d", "diff-add-word": "#1f5a37", "diff-remove-word": "#6b2a2f",
    "match": "#6a5216", "cursor": "#6cb6ff", "keyword": "#c49bf0", "function": "#78b4f5", "type": "#e3c27d",
    "string": "#98c982", "number": "#e0a070", "comment": "#8791a0", "builtin": "#6fc3cf", "operator": "#a9b4c2",
}  # fmt: skip
_LIGHT = {
    "background": "#ffffff", "text": "#24292f", "muted": "#5f6873", "accent": "#0757ba", "user": "#0b4a94",
    "thinking": "#5f6873", "tool": "#1b6747", "success": "#1a6b32", "warning": "#805000", "error": "#b3261e",
    "panel": "#f2f4f7", "heading": "#0b5c70", "code": "#87410c", "link": "#0757ba", "selection": "#bcd7f7",
    "diff-add": "#dcf5e3", "diff-remove": "#fde3e1", "diff-add-word": "#aee5bf", "diff-remove-word": "#f9b9b4",
    "match": "#ffe08a", "cursor": "#0757ba", "keyword": "#7a2fb5", "function": "#0757ba", "type": "#805000",
    "string": "#1a6b32", "number": "#9a4310", "comment": "#5f6873", "builtin": "#0b5c70", "operator": "#4a535e",
}  # fmt: skip
_SYNTAX = {
    "Comment": "comment", "Keyword": "keyword", "Keyword.Type": "type", "Keyword.Constant": "number",
    "Operator": "operator", "Operator.Word": "keyword", "Punctuation": "operator", "Number": "number",
    "String": "string", "String.Doc": "comment", "String.Escape": "number", "String.Interpol": "number",
    "Name.Function": "function", "Name.Class": "type", "Name.Exception": "type", "Name.Builtin": "builtin",
    "Name.Decorator": "function", "Name.Tag": "keyword", "Name.Attribute": "function", "Name.Constant": "number",
    "Name.Variable": "builtin", "Name.Namespace": "type", "Generic.Heading": "muted", "Generic.Subheading": "builtin",
    "Generic.Deleted": "error", "Generic.Inserted": "success", "Generic.Error": "error", "Generic.Prompt": "muted",
}  # fmt: skip
_GROUNDS = frozenset({
    "background", "panel", "selection", "diff-add", "diff-remove", "diff-add-word", "diff-remove-word", "match",
})  # fmt: skip
_HEX = re.compile("#[0-9a-fA-F]{6}")
AA = 4.5
"""The contrast WCAG 2 asks of text at level AA (success criterion 1.4.3)."""


def default_palette(dark: bool, *, ascii_only: bool = False) -> Palette:
    """The palette without a theme."""
    return palette_from({}, dark, ascii_only=ascii_only)


def palette_from(tokens: Mapping[str, str], dark: bool, *, ascii_only: bool = False) -> Palette:
    """A palette from colours (`#rrggbb`) by token name; what is missing or malformed comes from the defaults.

    Token names are the fields of `Palette` with `-` for `_`, besides `background` (what the text is painted on), and
    for code `keyword function type string number comment builtin operator`. A text colour that would not reach `AA`
    on the background and the panel is moved towards black or white until it does. Only `panel`, `selection`, `match`,
    `cursor` and the diff styles have a ground of their own.
    """
    given = {name: value for name, value in tokens.items() if _HEX.fullmatch(value)}
    defaults = _DARK if dark else _LIGHT
    colours = {name: given.get(name, value) for name, value in defaults.items()}
    grounds = colours["background"], colours["panel"]
    ink = {name: value if name in _GROUNDS else readable(value, grounds) for name, value in colours.items()}

    def text(name: str, *, italic: bool | None = None, bold: bool | None = None, line: bool | None = None) -> Style:
        return Style(color=ink[name], bold=bold, italic=italic, underline=line)

    def ground(name: str) -> Style:
        return Style(color=readable(ink["text"], (colours[name],)), bgcolor=colours[name])

    syntax = {token: text(name) for token, name in _SYNTAX.items()}
    syntax |= {"Generic.Emph": Style(italic=True), "Generic.Strong": Style(bold=True)}
    return Palette(
        dark=dark, text=text("text"), muted=text("muted"), accent=text("accent"), user=text("user"),
        thinking=text("thinking", italic=True), tool=text("tool"), success=text("success"), warning=text("warning"),
        error=text("error"), panel=Style(bgcolor=colours["panel"]), heading=text("heading", bold=True),
        code=text("code"), link=text("link", line=True), selection=ground("selection"),
        diff_add=ground("diff-add"), diff_remove=ground("diff-remove"), diff_add_word=ground("diff-add-word"),
        diff_remove_word=ground("diff-remove-word"), match=ground("match"),
        cursor=Style(color=readable(colours["background"], (colours["cursor"],)), bgcolor=colours["cursor"]),
        syntax=syntax, ascii_only=ascii_only,
    )  # fmt: skip


def contrast(one: str, other: str) -> float:
    """The contrast of two colours (`#rrggbb`), 1 to 21, as WCAG 2 defines it."""
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def readable(colour: str, grounds: tuple[str, ...]) -> str:
    """`colour`, or the nearest shade towards black or white that reaches `AA` on every ground where one does."""
    worst = max(grounds, key=lambda ground: abs(_luminance(ground) - 0.18))
    goal = "#000000" if _luminance(worst) > 0.18 else "#ffffff"
    for step in range(21):
        shade = _mix(colour, goal, step / 20)
        if all(contrast(shade, ground) >= AA for ground in grounds):
            return shade
    return goal


def _channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _luminance(colour: str) -> float:
    channels = [value / 255 for value in _channels(colour)]
    linear = [value / 12.92 if value <= 0.03928 else ((value + 0.055) / 1.055) ** 2.4 for value in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _mix(one: str, other: str, share: float) -> str:
    mixed = [round(a + (b - a) * share) for a, b in zip(_channels(one), _channels(other), strict=True)]
    return "#{:02x}{:02x}{:02x}".format(*mixed)
