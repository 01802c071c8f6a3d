"""The lines around the transcript. Each draws one text it is given and redraws only when that changes."""

from __future__ import annotations

from collections.abc import Mapping

from rich.text import Text
from textual.strip import Strip
from textual.widget import Widget

from pitui.render import bars
from pitui.render import text as texts
from pitui.render.lines import Palette
from pitui.session.state import Panel, Session

PANEL_ROWS = 6
"""Rows an extension's panel gets at most; the screen belongs to the conversation."""


class Lines(Widget):
    """Rows of rich text, drawn as they are: no markup, no wrapping. Hidden while there are none."""

    DEFAULT_CSS = "Lines { height: auto; }"

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self.rows: list[Text] = []
        self.display = False

    def draw(self, rows: list[Text]) -> None:
        """Show these rows; costs a layout only when their number changes."""
        if rows == self.rows:
            return
        resized = len(rows) != len(self.rows)
        self.rows = rows
        self.display = bool(rows)
        self.refresh(layout=resized)

    def get_content_height(self, container: object, viewport: object, width: int) -> int:
        return len(self.rows)

    def render_line(self, y: int) -> Strip:
        width = self.size.width
        if y >= len(self.rows):
            return Strip.blank(width, self.rich_style)
        line = self.rows[y].copy()
        line.truncate(width, overflow="crop", pad=True)
        line.end = ""
        return Strip(list(line.render(self.app.console)), width).apply_style(self.rich_style)


class StatusBar(Lines):
    """Where, what model, how full, how dear, and what the agent does."""

    def show(self, session: Session, place: bars.Place, now: float, frame: int, palette: Palette) -> None:
        self.draw([bars.status_line(session, place, now, frame, self.size.width or self.app.size.width, palette)])


class Activity(Lines):
    """Retries, compaction and stopping, each with the key that ends it."""

    def show(self, session: Session, now: float, frame: int, palette: Palette) -> None:
        line = bars.activity_line(session, now, frame, self.app.size.width, palette)
        self.draw([line] if line is not None else [])


class Rule(Lines):
    """The edge above the composer: what the keys do now at the left, the thinking level at the right."""

    def show(self, left: str, right: str, level_colour: str, palette: Palette) -> None:
        from rich.style import Style

        self.draw([bars.rule_line(left, right, self.app.size.width, Style(color=level_colour), palette)])


class Panels(Lines):
    """Extensions' panels, one under another; colours kept, the rest harmless."""

    def show(self, panels: tuple[Panel, ...], palette: Palette) -> None:
        rows: list[Text] = []
        for panel in panels:
            lines = [line for text in panel.lines for line in texts.ansi_spans(text, palette.text)]
            rows += [_row(spans) for spans in lines[:PANEL_ROWS]]
            if len(lines) > PANEL_ROWS:
                rows.append(Text(f" … {len(lines) - PANEL_ROWS} more lines", palette.muted))
        self.draw(rows)


class Statuses(Lines):
    """Extensions' status texts side by side."""

    def show(self, statuses: Mapping[str, str], palette: Palette) -> None:
        line = Text(" ")
        for key, text in sorted(statuses.items()):
            if key.startswith("pitui:") or not (spans := texts.ansi_spans(text, palette.muted)):
                continue
            if line.cell_len > 1:
                line.append(" · ", palette.muted)
            for run, style in texts.clip_spans(spans[0], max(10, self.app.size.width - 2)):
                line.append(run, style)
        self.draw([line] if line.cell_len > 1 else [])


def _row(spans: list[texts.Span]) -> Text:
    row = Text(" ")
    for run, style in spans:
        row.append(run.expandtabs(4), style)
    return row
