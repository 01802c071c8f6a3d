"""What hangs below a tool's row: its output, code, pictures, values. Folded, only what is shown is laid out."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence

from rich.style import Style

from pitui.render.diff import Diff
from pitui.render.highlight import highlight
from pitui.render.lines import Line, Target, TargetKind, View
from pitui.render.rows import clipped, more, picture_lines, rail
from pitui.render.text import (
    Span,
    ansi_spans,
    clip_spans,
    count,
    expand_tabs,
    line_of,
    sanitize,
    spans_width,
    terminal_text,
    width_of,
    wrap_spans,
)
from pitui.render.titles import compact_json, dot, ellipsis, line_count, one_line, shown_path
from pitui.rpc.messages import ImageBlock

NUMBERS_FROM = 40
"""Below this width in cells line numbers would take too much."""
LINE_CUT = 4_000
"""Characters of one source line that a folded row looks at."""
HIGHLIGHTED = 64_000
"""Longer code stays plain: colouring it would hold up everything else."""
INLINE = 80
"""Characters up to which a nested value stays in one row."""
MIDDLE = 40
"""Cells from which a row has room for a hint behind its text."""
NAMES = 24
"""Widest column of names in a list of values, in cells."""
UNFOLDED = 400
DIFFED = 250
COLOURED = 12_000
"""Source lines, rows of a diff and characters of code that are laid out when something is unfolded among other things:
as much as is done before anybody notices. The rest is a screen of its own."""
SPARE = 2
"""Lines that are no reason to fold."""
PICTURES = 5
"""Pictures of a folded result."""
OPENS = "v"
"""The key of the transcript that shows an entry in full."""


Paint = Callable[[str], list[Span]]


class Body:
    """Rows under a rail.

    `limit`: how many source lines are shown while folded, each in one row. None: unfolded, lines are wrapped, and only
    a view that wants the whole shows more than `UNFOLDED` of them.
    """

    def __init__(self, view: View, key: str, limit: int | None, pictures: int = PICTURES) -> None:
        self.view = view
        self.key = key
        self.prefix = rail(view)
        self.lines: list[Line] = []
        self.folded = limit is not None
        self.left = limit if limit is not None or view.whole else UNFOLDED
        self.pictures_left = pictures
        self.hidden = 0
        self.hidden_pictures = 0
        self.withheld = 0

    @property
    def full(self) -> bool:
        """Nothing more would be shown."""
        return self.left is not None and self.left <= 0

    def _share(self, total: int, fit: int | None = None) -> int:
        """How many of `total` source lines to show now; `fit` of them are not too much to lay out."""
        shown = total if self.left is None else max(0, min(total, self.left if fit is None else min(fit, self.left)))
        if self.left is not None:
            self.left = 0 if shown < total else self.left - shown
        self.hidden += total - shown
        self.withheld += total - shown
        return shown

    def _tell_earlier(self, number: int) -> None:
        """Lines that come before those shown."""
        self.hidden -= number
        self._more(number, "earlier line")

    def output(self, text: str, style: Style | None = None, tail: bool = False, paint: Paint | None = None) -> None:
        """What a program wrote, with its colours; of a long one the beginning, or with `tail` the end.

        `paint` makes runs of a line when the program has no colours of its own.
        """
        text = text.strip("\n")
        total = line_count(text)
        shown = self._share(total)
        if not shown:
            return
        if tail and shown < total:
            self._tell_earlier(total - shown)
        base = style or self.view.palette.muted
        lines = (_last_lines if tail else _first_lines)(text, shown) if shown < total or self.folded else [text]
        for line in lines if self.folded else ["\n".join(lines)]:
            if self.folded:
                line = line[-LINE_CUT:] if "\r" in line else line[:LINE_CUT]
                spans = [span for row in _painted(line, base, paint) for span in row]
                self.lines.append(clipped(spans, self.view.width, self.prefix, self.view))
                continue
            for row in _painted(line, base, paint):
                self.lines += wrap_spans(row, self.view.width, self.prefix, self.prefix)

    def code(self, text: str, language: str, start: int | None = None, tail: bool = False) -> None:
        """Highlighted code; `start` is the number of its first line, None for no numbers."""
        text = text.removesuffix("\n")
        total = line_count(text)
        shown = self._share(total, None if self.folded or self.left is None else _fitting(text))
        if not shown:
            return
        first = total - shown if tail else 0
        if first:
            self._tell_earlier(first)
        lines = (_last_lines if tail else _first_lines)(text, shown) if shown < total else text.split("\n")
        source = "\n".join([line[:LINE_CUT] for line in lines] if self.folded else lines)
        source = sanitize(source.replace("\r\n", "\n"))
        digits = len(str((start or 1) + total - 1))
        for index, spans in enumerate(coloured(source, language, self.view)):
            number = None if start is None else start + first + index
            prefix = self._numbered(number, digits)
            if self.folded:
                self.lines.append(clipped(spans, self.view.width, prefix, self.view))
            else:
                self.lines += wrap_spans(spans, self.view.width, prefix, self._numbered(None, digits, number))

    def _numbered(self, number: int | None, digits: int, wrapped: int | None = None) -> list[Span]:
        if self.view.width < NUMBERS_FROM or (number is None and wrapped is None):
            return self.prefix
        return [*self.prefix, (f"{'' if number is None else number:>{digits}}  ", self.view.palette.muted)]

    def diff(self, diff: Diff, draw: Callable[[Diff], list[Line]], tail: bool = False) -> None:
        """A diff, or a part of it from its first change or up to its end, laid out by `draw`."""
        total = len(diff.rows)
        shown = self._share(total, None if self.folded else DIFFED)
        if not shown:
            return
        if shown == total:
            self.lines += draw(diff)
            return
        if tail:
            self._tell_earlier(total - shown)
            self.lines += draw(Diff(diff.rows[-shown:]))
            return
        start = min(max(0, diff.first_change - 1), total - shown) if self.folded else 0
        end = start + shown - (diff.rows[start + shown - 1].sign == "@")
        self.hidden += start + shown - end
        self.lines += draw(Diff(diff.rows[start:end]))

    def picture(self, block: ImageBlock) -> None:
        """A picture is there even when everything is folded: it is what the result is about. Of many, the first."""
        if self.folded and not self.pictures_left:
            self.hidden_pictures += 1
            return
        self.pictures_left -= 1
        self.lines += picture_lines(block, self.view, self.prefix, self.key, folded=self.folded)

    def note(self, text: str, style: Style, opens: str = "") -> None:
        """A word of ours in one row; with `opens`, which says how, the row opens the entry in full."""
        room = max(1, self.view.width - spans_width(self.prefix))
        kept = room - width_of(opens) if opens and room > MIDDLE else room
        spans = clip_spans([(one_line(text), style)], kept, ellipsis(self.view.palette))
        line = line_of([*spans, (opens, style)] if kept < room else spans, self.view.width, self.prefix)
        if opens:
            line.targets = (Target(TargetKind.VIEW, self.key),)
        self.lines.append(line)

    def full_output(self, path: str) -> None:
        """Where the whole of an output that was cut is kept; the row opens it."""
        opens = f"{dot(self.view.palette)}{OPENS} opens"
        self.note(f"full output: {one_line(shown_path(path, self.view))}", self.view.palette.muted, opens)

    def message(self, text: str, style: Style) -> None:
        """Words that matter, such as an error: wrapped, not cut."""
        text = text.strip("\n")
        total = line_count(text)
        shown = self._share(total)
        if not shown:
            return
        lines = _first_lines(text, shown)
        source = sanitize("\n".join([line[:LINE_CUT] for line in lines] if self.folded else lines))
        rows = wrap_spans([(source, style)], self.view.width, self.prefix, self.prefix)
        most = shown * 3 if self.folded and len(rows) > shown * 3 + SPARE else len(rows)
        self.lines += rows[:most]
        self.hidden += len(rows) - most

    def values(self, data: Mapping[str, object]) -> None:
        """Names and values, one under another; long or nested values below their name."""
        column = min(NAMES, max((len(one_line(name)) for name in data), default=0))
        shown = self._share(len(data))
        for name, value in list(data.items())[:shown]:
            label = (f"{one_line(name)[:NAMES]:<{column}}  ", self.view.palette.muted)
            if not self.folded and _is_long(value):
                self._long_value(label, value)
                continue
            text = value[:LINE_CUT] if isinstance(value, str) else compact_json(value)[:LINE_CUT]
            shown_value = (" ".join(sanitize(text).split()), self.view.palette.text)
            self.lines.append(clipped([label, shown_value], self.view.width, self.prefix, self.view))

    def _long_value(self, label: Span, value: object) -> None:
        name_row = clip_spans([label], self._room(), ellipsis(self.view.palette))
        self.lines.append(line_of(name_row, self.view.width, self.prefix))
        prefix, self.prefix = self.prefix, [*self.prefix, ("  ", self.view.palette.muted)]
        if isinstance(value, str):
            self.code(value, "")
        else:
            self.code(_pretty(value), "json")
        self.prefix = prefix

    def space(self) -> None:
        """A blank row between what was asked and what came back."""
        if self.lines:
            self.lines.append(line_of([], self.view.width, self.prefix))
            self.lines[-1].decoration = True

    def text(self, text: str) -> None:
        """A result of which nothing is known: JSON when it is JSON, else output."""
        if self.full:
            self._share(line_count(text.strip("\n")))
            return
        pretty = pretty_json(text, JSON_PREVIEWED if self.folded else JSON_READ)
        if pretty:
            self.code(pretty, "json")
        else:
            self.output(text, self.view.palette.text)

    def _room(self) -> int:
        return max(1, self.view.width - spans_width(self.prefix))

    def _more(self, number: int, noun: str) -> None:
        hidden = count(number, noun)
        if self.folded:
            self.lines.append(more(self.view, hidden, self.key, self.prefix))
        else:
            self.note(f"{ellipsis(self.view.palette)} {hidden}", self.view.palette.muted, opens_all(self.view))
            self.lines[-1].decoration = True

    def finish(self, label: str = "more line") -> list[Line]:
        """All rows, the last one saying what is folded. Nothing of it is said when nothing was to be shown."""
        if self.hidden_pictures:
            self._more(self.hidden_pictures, "more image")
        elif self.hidden and self.lines:
            self._more(self.hidden, label)
        return self.lines


def filled(view: View, key: str, limit: int | None, fill: Callable[[Body], None], spare: int = SPARE) -> Body:
    """A body filled so that no row stands for `spare` lines or fewer, which would cost no more than that row."""
    body, pictures = Body(view, key, limit), PICTURES
    fill(body)
    for _attempt in range(spare):
        if not (0 < body.withheld <= spare or 0 < body.hidden_pictures <= SPARE):
            break
        if limit is not None and body.withheld <= spare:
            limit += body.withheld
        pictures += body.hidden_pictures if body.hidden_pictures <= SPARE else 0
        body = Body(view, key, limit, pictures)
        fill(body)
    return body


def opens_all(view: View) -> str:
    """The hint behind a row that opens its entry in full."""
    return f"{dot(view.palette)}{OPENS} opens all"


def _fitting(text: str) -> int:
    """How many of the first lines of a code are not too many characters to colour at once; at least one."""
    if len(text) <= COLOURED:
        return line_count(text)
    return max(1, text.count("\n", 0, COLOURED))


def coloured(source: str, language: str, view: View) -> Sequence[Sequence[Span]]:
    """Lines of sanitized code in the colours of its language; plain when it is unknown or the code too long."""
    source = expand_tabs(source)
    if not language or len(source) > HIGHLIGHTED:
        return [[(line, view.palette.text)] if line else [] for line in source.split("\n")]
    return highlight(source, language, view.palette)


def _painted(text: str, base: Style, paint: Paint | None) -> Sequence[Sequence[Span]]:
    if paint is None or "\x1b" in text:
        return ansi_spans(terminal_text(text), base)
    return [paint(line) for line in sanitize(terminal_text(text)).split("\n")]


def _first_lines(text: str, number: int) -> list[str]:
    return text.split("\n", number)[:number]


def _last_lines(text: str, number: int) -> list[str]:
    return text.rsplit("\n", number)[-number:] if number else []


def _is_long(value: object) -> bool:
    if isinstance(value, str):
        return "\n" in value or len(value) > 200
    return isinstance(value, (dict, list)) and len(compact_json(value)) > INLINE


def _pretty(value: object) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, indent=2, default=str)
    except (ValueError, RecursionError):
        return compact_json(value)


JSON_READ = 400_000
JSON_PREVIEWED = 20_000
"""Longer texts are not looked into for being JSON, unfolded and folded."""


def pretty_json(text: str, limit: int = JSON_PREVIEWED) -> str:
    """A text of at most `limit` characters that is a JSON object or list, indented; empty for any other text."""
    stripped = text.strip() if len(text) <= limit else ""
    if stripped[:1] not in ("{", "[") or stripped[-1:] not in ("}", "]"):
        return ""
    try:
        return _pretty(json.loads(stripped))
    except (ValueError, RecursionError):
        return ""
