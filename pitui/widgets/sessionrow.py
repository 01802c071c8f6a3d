"""What the resume picker shows of a session: one row, and where a search found it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from rich.style import Style
from rich.text import Text

from pitui.catalog.lineage import LineageRow
from pitui.render.bars import one_line
from pitui.render.lines import Palette
from pitui.render.text import clip, clip_left, count, money, size, width_of

LEVELS = 6
"""Levels of a tree that are drawn; deeper ones hang from the last."""
WHOLE, SHORT = 72, 44
"""Cells from which a row shows all its numbers, and its age only."""


@dataclass(frozen=True, slots=True)
class RowLook:
    """What decides a row besides its session. `now` in seconds since 1970; `paths`: show where the file is."""

    palette: Palette
    now: float
    home: str = ""
    current: str = ""
    folders: bool = False
    paths: bool = False


def age(seconds: float, now: float) -> str:
    """How long ago, as short as it is understood; a date when that says more."""
    passed = max(0.0, now - seconds)
    if passed < 60:
        return "now"
    for unit, length, limit in (("m", 60, 60), ("h", 3600, 24), ("d", 86400, 14)):
        if passed < length * limit:
            return f"{passed // length:.0f}{unit} ago"
    try:
        moment = datetime.fromtimestamp(seconds)
        pattern = "%d %b" if moment.year == datetime.fromtimestamp(now).year else "%b %Y"
        return moment.strftime(pattern).lstrip("0")
    except (OverflowError, OSError, ValueError):
        return "?"


def session_row(row: LineageRow, width: int, look: RowLook) -> Text:
    """One session on one line of at most `width` cells: marks and label left, numbers right."""
    palette, card = look.palette, row.card
    right = _numbers(row, width, look)
    line = Text(no_wrap=True, overflow="crop", end="")
    line.append(f" {_mark(row, look)} ", palette.accent)
    line.append(_branches(row.trunk, palette.ascii_only), palette.muted)
    room = max(0, width - line.cell_len - width_of(right))
    where = _where(row, look)
    label = clip(one_line(card.label), max(12, room - width_of(where) - 2) if where else room)
    line.append(clip(label, room), _label_style(row, palette))
    left = room - width_of(label) - 2
    if where and left > 8:
        line.append("  " + clip_left(where, left), palette.muted)
    line.append(" " * max(0, width - line.cell_len - width_of(right)))
    line.append(right, palette.muted)
    return line


def _mark(row: LineageRow, look: RowLook) -> str:
    if row.card.path == look.current:
        return "*" if look.palette.ascii_only else "●"
    return "!" if row.card.trouble else " "


def _label_style(row: LineageRow, palette: Palette) -> Style:
    if row.card.trouble:
        return palette.warning
    if row.card.name:
        return palette.accent
    return palette.text if row.card.title else palette.muted


def _branches(trunk: Sequence[bool], plain: bool) -> str:
    if not trunk:
        return ""
    through, corner, tee = ("| ", "`-", "|-") if plain else ("│ ", "└─", "├─")
    above = "".join(through if more else "  " for more in trunk[:-1][-LEVELS:])
    return above + (tee if trunk[-1] else corner) + " "


def _numbers(row: LineageRow, width: int, look: RowLook) -> str:
    card = row.card
    if width < SHORT:
        return ""
    when = f"{age(card.modified, look.now):>9} "
    if width < WHOLE:
        return when
    cost = money(card.cost) if card.cost else ""
    return f"{count(card.messages):>6} {cost:>7} {size(card.size):>8}{when}"


def _where(row: LineageRow, look: RowLook) -> str:
    place = row.card.path if look.paths else row.card.cwd if look.folders else ""
    if look.home and (place == look.home or place.startswith(look.home + os.sep)):
        place = "~" + place[len(look.home) :]
    return one_line(place)


def found_text(found: Iterable[str], palette: Palette) -> Text:
    """Stretches of what was said that a search found, one a line."""
    text = Text()
    for stretch in found:
        text.append("… ", palette.muted)
        text.append(one_line(stretch) + "\n", palette.match)
    return text
