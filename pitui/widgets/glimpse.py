"""Entries beside a list: drawn by the transcript's own renderers, a few screens of them at most."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from pitui.render.entries import gap, render_entry
from pitui.render.lines import View
from pitui.session.state import Entry

LINES = 400
"""Most lines drawn; of more entries than that the last are."""


def entries_text(entries: Sequence[Entry], view: View) -> Text:
    """The last of `entries` as the transcript shows them, in at most `LINES` lines."""
    blocks: list[list[Text]] = []
    total, after = 0, None
    for entry in reversed(entries):
        lines = [Text.assemble(*[(s.text, s.style or "") for s in line.segments]) for line in render_entry(entry, view)]
        if not lines:
            continue
        blank = gap(entry, after) if after is not None else 0
        blocks.append([*lines, *[Text()] * blank])
        total, after = total + len(lines) + blank, entry
        if total >= LINES:
            break
    lines = [line for block in reversed(blocks) for line in block][-LINES:]
    text = Text("\n").join(lines)
    text.no_wrap, text.overflow = True, "crop"
    return text
