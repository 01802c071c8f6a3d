"""The panel that says what keeps the agent from working and which keys help. It takes no keys from the composer."""

from __future__ import annotations

from rich.text import Text

from pitui.agent.trouble import Trouble
from pitui.render import text as texts
from pitui.render.lines import Palette
from pitui.widgets.bars import Lines

KEYS = "f5 try again · f6 without extensions · f8 details · f9 try the demo"


class TroubleBar(Lines):
    """Large while nothing else is to be seen, a few lines below a conversation."""

    def show(self, trouble: Trouble | None, palette: Palette, roomy: bool, keys: str = KEYS) -> None:
        if trouble is None:
            self.draw([])
            return
        width = max(20, self.app.size.width - 4)
        mark = "x" if palette.ascii_only else "✗"
        rows = [Text.assemble((f" {mark} ", palette.error), (texts.clip(trouble.title, width), palette.error))]
        wrapped = Text(trouble.advice, palette.text).wrap(self.app.console, width)
        rows += [Text.assemble("   ", line) for line in wrapped]
        evidence = trouble.evidence if roomy else trouble.evidence[-2:]
        bar = "|" if palette.ascii_only else "│"
        rows += [
            Text.assemble((f"   {bar} ", palette.error), (texts.clip(line, width), palette.muted)) for line in evidence
        ]
        rows.append(Text(f"   {keys}", palette.accent))
        if roomy:
            rows = [Text(), *rows, Text()]
        self.draw(rows)
