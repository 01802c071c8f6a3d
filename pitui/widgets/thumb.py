"""The scrollbar of the transcript: Textual's for a tenth of the cost, since it is drawn with nearly every frame."""

from __future__ import annotations

from rich.segment import Segment, Segments
from textual.geometry import Region
from textual.scrollbar import ScrollBar, ScrollBarRender
from textual.strip import Strip


class ThumbBar(ScrollBar):
    """Cells that look the same are the same strip, so that a row of the screen is known to be unchanged."""

    def __init__(self, thickness: int) -> None:
        super().__init__(vertical=True, name="vertical", thickness=thickness)
        self._look: tuple[object, ...] = ()
        self._column: list[Strip] = []
        self._cells: dict[Segment, Strip] = {}

    def render_lines(self, crop: Region) -> list[Strip]:
        """The rows of a region; they are as wide as the bar."""
        bar = self.render()
        assert isinstance(bar, ScrollBarRender)
        filters, ground = self.get_line_filters(), self.background_colors[1]
        look = (self.size.height, bar.virtual_size, bar.window_size, bar.position, bar.style, filters, ground)
        if look != self._look:
            if look[4:] != self._look[4:]:
                self._cells.clear()
            self._look = look
            options = self.app.console_options.update_dimensions(self.thickness, self.size.height)
            drawn = next(iter(bar.__rich_console__(self.app.console, options)))
            assert isinstance(drawn, Segments)
            self._column = [self._cell(segment) for segment in drawn.segments]
        return self._column[crop.y : crop.bottom]

    def _cell(self, segment: Segment) -> Strip:
        if (strip := self._cells.get(segment)) is None:
            segments = [segment]
            for line_filter in self.get_line_filters():
                segments = line_filter.apply(segments, self.background_colors[1])
            strip = self._cells[segment] = Strip(segments, self.thickness)
        return strip
