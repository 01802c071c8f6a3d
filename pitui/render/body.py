"""What hangs below a tool's row: its output, code, pictures, values. Folded, only what is shown is laid out."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence

from rich.style import Style

from pitui.render.diff import Diff
from pitui.render.highlight import highlight
from pitui.render.lines import Line, Target, TargetKind, View
from pitui.render.rows import clipped, more, picture_line, rail
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


Paint = Callable[[str], list[Span]]


class Body:
    """Rows under a rail. `limit`: how many source lines are shown while folded, None for all of them."""

    def __init__(self, view: View, key: str, limit: int | None) -> None:
        self.view = view
        self.key = key
        self.prefix = rail(view)
        self.lines: list[Line] = []
        self.left = limit
        self.hidden = 0

    @property
    def full(self) -> bool:
        """Nothing more would be shown."""
        return self.left is not None and self.left <= 0

    def _share(self, total: int) -> int | None:
        """How many of `total` source lines to show now; None for all. One line too many is no reason to fold."""
        if self.left is None:
            return None
        shown = total if total <= self.left + (self.left > 0) else self.left
        self.left -= shown
        self.hidden += total - shown
        return shown

    def output(self, text: str, style: Style | None = None, tail: bool = False, paint: Paint | None = None) -> None:
        """What a program wrote, with its colours; of a long one the beginning, or with `tail` the end.

        `paint` makes runs of a line when the program has no colours of its own.
        """
        text = text.strip("\n")
        if not text:
            return
        base = style or self.view.palette.muted
        total = line_count(text)
        hidden = self.hidden
        shown = self._share(total)
        if shown is None:
            for spans in _painted(text, base, paint):
                self.lines += wrap_spans(spans, self.view.width, self.prefix, self.prefix)
            return
        if tail and shown < total:
            self.hidden = hidden
            if shown:
                self._more(total - shown, "earlier line")
        for line in (_last_lines(text, shown) if tail else _first_lines(text, shown)):
            cut = line[-LINE_CUT:] if "\r" in line else line[:LINE_CUT]
            spans = [span for row in _painted(cut, base, paint) for span in row]
            self.lines.append(clipped(spans, self.view.width, self.prefix, self.view))

    def code(self, text: str, language: str, start: int | None = None, tail: bool = False) -> None:
        """Highlighted code; `start` is the number of its first line, None for no numbers."""
        text = text.removesuffix("\n")
        total = line_count(text)
        hidden = self.hidden
        shown = self._share(total)
        if not total or shown == 0:
            return
        if tail and shown is not None and shown < total:
            self.hidden = hidden
            self._more(total - shown, "earlier line")
            lines, first = _last_lines(text, shown), total - shown
        else:
            lines, first = (text.split("\n") if shown is None else _first_lines(text, shown)), 0
        source = "\n".join(lines if shown is None else [line[:LINE_CUT] for line in lines])
        source = sanitize(source.replace("\r\n", "\n"))
        digits = len(str((start or 1) + total - 1))
        for index, spans in enumerate(coloured(source, language, self.view)):
            number = None if start is None else start + first + index
            prefix = self._numbered(number, digits)
            if shown is None:
                self.lines += wrap_spans(spans, self.view.width, prefix, self._numbered(None, digits, number))
            else:
                self.lines.append(clipped(spans, self.view.width, prefix, self.view))

    def _numbered(self, number: int | None, digits: int, wrapped: int | None = None) -> list[Span]:
        if self.view.width < NUMBERS_FROM or (number is None and wrapped is None):
            return self.prefix
        return [*self.prefix, (f"{'' if number is None else number:>{digits}}  ", self.view.palette.muted)]

    def diff(self, diff: Diff, draw: Callable[[Diff], list[Line]], tail: bool = False) -> None:
        """A diff, or a part of it from its first change or up to its end, laid out by `draw`."""
        total, hidden = len(diff.rows), self.hidden
        shown = self._share(total)
        if not total or shown == 0:
            return
        if shown is None or shown == total:
            self.lines += draw(diff)
            return
        if tail:
            self.hidden = hidden
            self._more(total - shown, "earlier line")
            self.lines += draw(Diff(diff.rows[-shown:]))
            return
        start = min(max(0, diff.first_change - 1), total - shown)
        end = start + shown - (diff.rows[start + shown - 1].sign == "@")
        self.hidden += start + shown - end
        self.lines += draw(Diff(diff.rows[start:end]))

    def picture(self, block: ImageBlock) -> None:
        """A picture takes a row even when everything is folded: it is what the result is about."""
        self.lines.append(picture_line(block, self.view, self.prefix, self.key))

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
        opens = f"{dot(self.view.palette)}enter opens"
        self.note(f"full output: {one_line(shown_path(path, self.view))}", self.view.palette.muted, opens)

    def message(self, text: str, style: Style) -> None:
        """Words that matter, such as an error: wrapped, not cut."""
        text = text.strip("\n")
        total = line_count(text)
        shown = self._share(total)
        if total and shown != 0:
            lines = text.split("\n") if shown is None else [line[:LINE_CUT] for line in _first_lines(text, shown)]
            rows = wrap_spans([(sanitize("\n".join(lines)), style)], self.view.width, self.prefix, self.prefix)
            self.lines += rows if shown is None else rows[: shown * 3]
            self.hidden += shown is not None and len(rows) > shown * 3

    def values(self, data: Mapping[str, object]) -> None:
        """Names and values, one under another; long or nested values below their name."""
        names = {name: one_line(name)[:NAMES] for name in data}
        column = min(NAMES, max((len(name) for name in names.values()), default=0))
        palette = self.view.palette
        for name, value in data.items():
            shown = self._share(1)
            if shown == 0:
                continue
            label = (f"{names[name]:<{column}}  ", palette.muted)
            if shown is not None or not _is_long(value):
                text = value[:LINE_CUT] if isinstance(value, str) else compact_json(value)[:LINE_CUT]
                shown_value = (" ".join(sanitize(text).split()), palette.text)
                self.lines.append(clipped([label, shown_value], self.view.width, self.prefix, self.view))
                continue
            name_row = clip_spans([label], self._room(), ellipsis(palette))
            self.lines.append(line_of(name_row, self.view.width, self.prefix))
            text = value if isinstance(value, str) else _pretty(value)
            language = "" if isinstance(value, str) else "json"
            for spans in coloured(sanitize(text), language, self.view):
                deeper = [*self.prefix, ("  ", palette.muted)]
                self.lines += wrap_spans(spans, self.view.width, deeper, deeper)

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
        limit = JSON_READ if self.left is None else JSON_PREVIEWED
        value = _json(text) if len(text) <= limit else None
        if value is None:
            self.output(text, self.view.palette.text)
        else:
            self.code(_pretty(value), "json")

    def _room(self) -> int:
        return max(1, self.view.width - spans_width(self.prefix))

    def _more(self, number: int, noun: str) -> None:
        self.lines.append(more(self.view, count(number, noun), self.key, self.prefix))

    def finish(self, label: str = "more line") -> list[Line]:
        """All rows, the last one saying what is folded. Nothing of it is said when nothing was to be shown."""
        if self.hidden and self.lines:
            self._more(self.hidden, label)
        return self.lines


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


def _json(text: str) -> object:
    """The value of a text that is a JSON object or list, else None."""
    stripped = text.strip()
    if stripped[:1] not in ("{", "[") or stripped[-1:] not in ("}", "]"):
        return None
    try:
        return json.loads(stripped)
    except (ValueError, RecursionError):
        return None
