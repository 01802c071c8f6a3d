"""An entry of the session's tree as one row."""

from __future__ import annotations

from dataclasses import dataclass

from rich.style import Style
from rich.text import Text

from pitui.render.bars import one_line
from pitui.render.lines import Palette
from pitui.render.text import clip, count, width_of
from pitui.session.tree import Joint, NodeKind, TreeRow, levels

START = 400
"""Characters of an entry looked at for its row."""
LEVELS = 12
"""Levels of branches drawn; the outer ones of a deeper tree give way."""


@dataclass(frozen=True, slots=True)
class TreeLook:
    """`match`: a search is on, so nothing is muted for not being on the way to here."""

    palette: Palette
    match: bool = False


def tree_row(row: TreeRow, width: int, look: TreeLook) -> Text:
    """The row in at most `width` cells: branches, who speaks, what is said; the bookmark at the right."""
    palette = look.palette
    line = Text(no_wrap=True, overflow="crop", end="")
    line.append(f" {_here(row, palette.ascii_only)} ", palette.accent)
    line.append(_branches(row, palette.ascii_only, max(1, min(LEVELS, width // 6))), palette.muted)
    right = _right(row)
    word, style = _kind(row, palette)
    line.append(word, style)
    room = max(0, width - line.cell_len - (width_of(right) + 1 if right else 0))
    line.append(clip(one_line(row.node.text[:START]), room), _said_style(row, look))
    if right:
        line.append(" " * max(1, width - line.cell_len - width_of(right)))
        line.append(right, palette.accent if row.node.label else palette.muted)
    return line


def _here(row: TreeRow, plain: bool) -> str:
    if row.here:
        return "*" if plain else "●"
    return ("." if plain else "·") if row.active else " "


def _branches(row: TreeRow, plain: bool, limit: int) -> str:
    through, corner, tee = ("| ", "`-", "|-") if plain else ("│ ", "└─", "├─")
    lines = "".join(through if more else "  " for more in levels(row.trunk, limit))
    if row.trunk is not None and row.trunk.depth > limit:
        lines = (".." if plain else "… ") + lines[2:]
    return lines + {Joint.NONE: "", Joint.TEE: tee + " ", Joint.CORNER: corner + " "}[row.joint]


def _right(row: TreeRow) -> str:
    label = f"[{clip(one_line(row.node.label), 24)}]" if row.node.label else ""
    folded = f"+{count(row.hidden)}" if row.hidden else ""
    return " ".join(part for part in (folded, label) if part)


def _kind(row: TreeRow, palette: Palette) -> tuple[str, Style]:
    match row.node.kind:
        case NodeKind.USER:
            return ("| " if palette.ascii_only else "▌ "), palette.user
        case NodeKind.ASSISTANT:
            return "", palette.text
        case NodeKind.TOOL:
            return ("* " if palette.ascii_only else "● "), palette.tool
        case NodeKind.SHELL | NodeKind.CUSTOM:
            return "", palette.tool
        case NodeKind.COMPACTION | NodeKind.BRANCH:
            return f"{row.node.kind.value}: ", palette.warning
        case NodeKind.SETTING:
            return "", palette.muted


def _said_style(row: TreeRow, look: TreeLook) -> Style:
    palette = look.palette
    if row.node.kind is NodeKind.USER:
        return palette.user
    return palette.text if row.active or look.match else palette.muted
