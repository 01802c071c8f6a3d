"""What rendering yields: lines of segments that know their source, and the palette they are drawn with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

from rich.segment import Segment
from rich.style import Style

if TYPE_CHECKING:
    from pitui.render.placeholders import Picture


class TargetKind(Enum):
    """What a click or Enter on a line acts on."""

    FOLD = "fold"
    LINK = "link"
    VIEW = "view"


@dataclass(frozen=True, slots=True)
class Target:
    """`FOLD`: `value` is a fold key. `LINK`: `value` is a URL (http, https, mailto, file). `VIEW`: `value` is the key
    of the entry to show in full; cells `start` (inclusive) to `end` (exclusive) of the line, or all of it.
    """

    kind: TargetKind
    value: str
    start: int = 0
    end: int | None = None


@dataclass(slots=True)
class Line:
    """One row of cells. Treated as frozen once made.

    `segments` fill at most the width they were rendered for; control segments never occur.
    `gutter`: cells at the left that are no text (bars, numbers, indents of ours): left out of a copy.
    `trailing`: cells at the right that are no text (ground, a time or a size of ours): left out of a copy too.
    `joins`: None when the row starts a source line; otherwise the text that stood where the row was wrapped (a space,
    or nothing inside a word), so that a copy gives the source back without the wrap.
    `decoration`: the row is all frame (a rule, a border, blank padding): left out of a copy.
    `source`: what a copy of the whole row gives instead of its text (a table row, tabs, a character too wide to show);
    the empty string when the row before it has given it already.
    `picture`: what the terminal must hold before the row is drawn.
    """

    segments: list[Segment]
    gutter: int = 0
    joins: str | None = None
    decoration: bool = False
    targets: tuple[Target, ...] = ()
    trailing: int = 0
    source: str | None = None
    picture: Picture | None = None

    @property
    def text(self) -> str:
        return "".join(segment.text for segment in self.segments)


@dataclass(frozen=True, eq=False)
class Palette:
    """Every style a renderer may use, by meaning. Compared by identity: a theme change is a new palette."""

    dark: bool
    text: Style
    muted: Style
    accent: Style
    user: Style
    thinking: Style
    tool: Style
    success: Style
    warning: Style
    error: Style
    panel: Style
    heading: Style
    code: Style
    link: Style
    selection: Style
    diff_add: Style
    diff_remove: Style
    diff_add_word: Style
    diff_remove_word: Style
    match: Style
    cursor: Style
    syntax: Mapping[str, Style] = field(default_factory=dict)
    ascii_only: bool = False


class ThinkingView(Enum):
    HIDDEN = "hidden"
    FIRST_LINE = "first line"
    FULL = "full"


@dataclass(frozen=True, slots=True)
class View:
    """How the transcript is looked at; together with an entry it decides every cell.

    `width` in cells. `open`/`shut`: fold keys set by hand, against the defaults `tools_open` and `thinking`.
    `sources`: keys of entries shown as source. `now`: seconds of the event clock, for elapsed times of what runs;
    quantised by the caller, so equal views render equal lines. `spinner`: index of the animation frame.
    `fold_key`, `model_key`: the keys that unfold everything and pick a model, as hints name them.
    `whole`: what is unfolded is shown to its end, however long that takes. `show_images`: pictures are drawn, as they
    always are in a whole; otherwise a row tells of each. `cell`: the pixels of a cell of a terminal that draws them
    itself; None where half blocks do.
    """

    width: int
    palette: Palette
    tools_open: bool = False
    thinking: ThinkingView = ThinkingView.FIRST_LINE
    open: frozenset[str] = frozenset()
    shut: frozenset[str] = frozenset()
    sources: frozenset[str] = frozenset()
    prose_width: int = 100
    side_by_side: bool = True
    show_meta: bool = False
    now: float = 0.0
    spinner: int = 0
    home: str = ""
    cwd: str = ""
    fold_key: str = "ctrl+o"
    model_key: str = "ctrl+l"
    whole: bool = False
    show_images: bool = False
    cell: tuple[int, int] | None = None

    def unfolded(self, key: str, default: bool) -> bool:
        """Whether the fold `key` is open."""
        return key in self.open or (default and key not in self.shut)
