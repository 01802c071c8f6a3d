"""The grid all entries share: a gutter that says who and in what state, text at column three, facts at the right."""

from __future__ import annotations

from collections.abc import Sequence

from rich.segment import Segment
from rich.style import Style

from pitui.render.halfblocks import half_blocks
from pitui.render.images import picture
from pitui.render.lines import Line, Target, TargetKind, View
from pitui.render.placeholders import placed
from pitui.render.text import Span, clip_spans, line_of, sanitize, size, spans_width, width_of, wrap_spans
from pitui.render.titles import dot, ellipsis, one_line
from pitui.rpc.messages import ImageBlock

NARROW = 24
TINY = 8
"""Below these widths in cells the gutter shrinks, then goes."""
FOLDED_PICTURE = 48, 12
UNFOLDED_ROWS = 30
WHOLE_ROWS = 100
"""Cells and rows a drawn picture takes at most."""
FACTS_FROM = 40
"""Below this width a row has no room for facts at its right."""


def gutter(width: int, mark: str = " ", style: Style | None = None) -> list[Span]:
    """The cells left of every text, with a state or speaker mark of one cell."""
    if width < TINY:
        return []
    return [(f"{mark} " if width < NARROW else f" {mark} ", style or Style.null())]


def rail(view: View) -> list[Span]:
    """The cells left of what hangs below a row: a thin line under the row's text."""
    mark = "|" if view.palette.ascii_only else "│"
    if view.width < TINY:
        return []
    return [(f"{mark} " if view.width < NARROW else f"   {mark} ", view.palette.muted)]


def header(view: View, mark: Span, left: Sequence[Span], right: Sequence[Span], fold: str | None = None) -> Line:
    """One row: a mark in the gutter, words, and facts at the right edge where there is room. `fold`: a click folds."""
    width = view.width
    first = gutter(width, *mark)
    room = max(0, width - spans_width(first))
    facts = list(right) if width >= FACTS_FROM else []
    if facts:
        facts = clip_spans(facts, room // 2, ellipsis(view.palette))
    taken = spans_width(facts) + 3 if facts else 0
    spans = clip_spans(left, room - taken, ellipsis(view.palette))
    trailing = 0
    if facts:
        trailing = room - spans_width(spans)
        spans += [(" " * (trailing - spans_width(facts)), Style.null()), *facts]
    line = line_of(spans, width, first, trailing=trailing)
    if fold is not None:
        line.targets = (Target(TargetKind.FOLD, fold), *line.targets)
    return line


def clipped(spans: Sequence[Span], width: int, prefix: Sequence[Span], view: View) -> Line:
    """The beginning of a source line in one row, with an ellipsis if there is more of it."""
    rows = wrap_spans(spans, width, prefix)
    if len(rows) == 1:
        return rows[0]
    mark = " " + ellipsis(view.palette)
    if width < NARROW:
        return rows[0]
    line = wrap_spans(spans, width - width_of(mark), prefix)[0]
    line.segments.append(Segment(mark, view.palette.muted))
    line.trailing += width_of(mark)
    return line


def more(view: View, hidden: str, fold: str, prefix: Sequence[Span]) -> Line:
    """The row that stands for what is folded; `hidden` says what and how much."""
    palette = view.palette
    words = f"{ellipsis(palette)} {hidden}{dot(palette)}{view.fold_key}"
    room = view.width - spans_width(prefix)
    line = line_of(clip_spans([(words, palette.muted)], room, ellipsis(palette)), view.width, prefix)
    line.decoration = True
    line.targets = (Target(TargetKind.FOLD, fold),)
    return line


def indented(line: Line, prefix: Sequence[Span]) -> Line:
    """The line further to the right, behind cells that are no text. The line itself stays as it is."""
    cells = spans_width(prefix)
    if not cells:
        return line
    return Line(
        [Segment(text, style) for text, style in prefix if text] + line.segments,
        line.gutter + cells,
        line.joins,
        line.decoration,
        tuple(
            Target(target.kind, target.value, target.start + cells, None if target.end is None else target.end + cells)
            for target in line.targets
        ),
        line.trailing,
        line.source,
        line.picture,
    )


def grounded(line: Line, view: View) -> Line:
    """The line on the ground of what the person says, up to the right edge."""
    ground = view.palette.panel
    rest = view.width - sum(segment.cell_length for segment in line.segments)
    line.segments = [Segment(text, (style or ground) + ground) for text, style, _control in line.segments]
    if rest > 0:
        line.segments.append(Segment(" " * rest, ground))
        line.trailing += rest
    return line


def words(
    text: str, style: Style, view: View, prefix: Sequence[Span], rest: Sequence[Span] | None = None
) -> list[Line]:
    """Foreign text as it is, wrapped at the prose width; `rest` is the prefix of the rows after the first."""
    width = min(view.width, view.prose_width + spans_width(prefix))
    return wrap_spans([(sanitize(text), style)], width, prefix, rest)


def rule(view: View, label: Sequence[Span], style: Style) -> Line:
    """A label inside a line across the whole width."""
    dash = "-" if view.palette.ascii_only else "─"
    room = view.width
    inner = clip_spans(label, max(0, room - 8), ellipsis(view.palette))
    if not inner or room < NARROW:
        return line_of(clip_spans(label, room, ellipsis(view.palette)), room)
    left, right = dash * 2 + " ", " " + dash * max(0, room - 4 - spans_width(inner))
    line = line_of([*inner, (right, style)], room, [(left, style)], trailing=width_of(right))
    line.decoration = True
    return line


def picture_words(block: ImageBlock, view: View) -> str:
    """A picture in words: its kind, its size in pixels and in bytes."""
    palette = view.palette
    kind = one_line(block.mime_type)[:40] or "image"
    known = picture(block.data)
    mark = "[image]" if palette.ascii_only else "▣"
    if known is None or (known[0] is None and kind in ("image/png", "image/jpeg", "image/gif", "image/webp")):
        return f"{mark} {kind}{dot(palette)}unreadable image"
    pixels, length = known
    times = "x" if palette.ascii_only else "×"
    parts = [kind, *([f"{pixels[0]}{times}{pixels[1]}"] if pixels else []), size(length)]
    return f"{mark} {dot(palette).join(parts)}"


def picture_lines(
    block: ImageBlock, view: View, prefix: Sequence[Span], key: str | None, *, folded: bool, ground: Style | None = None
) -> list[Line]:
    """A picture as a row that tells of it, and below it the picture where it is to be drawn; each opens `key`."""
    room = max(1, view.width - spans_width(prefix))
    ink = view.palette.accent if ground is None else view.palette.accent + ground
    told = clip_spans([(picture_words(block, view), ink)], room, ellipsis(view.palette))
    rows: Sequence[Sequence[Span]] = ()
    drawn = None
    if (view.show_images or view.whole) and not view.palette.ascii_only:
        cells, height = FOLDED_PICTURE if folded else (room, WHOLE_ROWS if view.whole else UNFOLDED_ROWS)
        if view.cell is None:
            rows = half_blocks(block.data, min(room, cells), height)
        elif (drawn := placed(block.data, min(room, cells), height, view.cell)) is not None:
            rows = drawn.cells()
    lines = [line_of(row, view.width, prefix, ground=ground) for row in (told, *rows)]
    for line in lines:
        line.decoration = ground is None or line is not lines[0]
        line.picture = None if line is lines[0] else drawn
        line.targets = (Target(TargetKind.VIEW, key),) if key else ()
    return lines
