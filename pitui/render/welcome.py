"""The empty screen: what this is, where it works, what the agent has loaded, and three tips."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rich.text import Text

from pitui import __version__
from pitui.render import text as texts
from pitui.render.bars import Place, one_line
from pitui.render.lines import Palette
from pitui.session.state import RunState, Session

TIPS = (
    ("/", "every command, the agent's own among them"),
    ("@", "a file of this project"),
    ("!", "a shell command of your own; !! keeps it from the model"),
)


def welcome_lines(
    session: Session, place: Place, resources: Sequence[str], width: int, height: int, palette: Palette
) -> list[Text]:
    """Rows for an empty conversation, a third down the screen. `resources`: context files the agent reads."""
    known = session.run.state is not RunState.STARTING
    rows = [Text.assemble(("pitui ", palette.heading), (__version__, palette.muted))]
    branch = f"  {one_line(place.branch)}" if place.branch else ""
    rows.append(Text.assemble((one_line(place.folder), palette.text), (branch, palette.muted)))
    if session.model is not None and not session.model.is_placeholder:
        model = one_line(session.model.name or session.model.id)
        rows.append(Text.assemble((model, palette.text), (f"  {one_line(session.model.provider)}", palette.muted)))
    rows.append(Text())
    if loaded := _loaded(session, resources):
        rows += [Text(loaded, palette.muted), Text()]
    elif not known:
        rows += [Text("the agent is starting; what you write is sent once it is up", palette.muted), Text()]
    rows += [Text.assemble((f"{key}  ", palette.accent), (what, palette.muted)) for key, what in TIPS]
    top = max(0, (height - len(rows)) // 3)
    shown = [Text()] * top + [_indented(row, width) for row in rows]
    return shown[:height]


def _loaded(session: Session, resources: Sequence[str]) -> str:
    """Counts of what came with the agent, in words."""
    kinds = Counter(command.source for command in session.commands)
    parts = [one_line(name) for name in resources[:3]]
    for source, noun in (("extension", "extension command"), ("skill", "skill"), ("prompt", "template")):
        if kinds[source]:
            parts.append(texts.count(kinds[source], noun))
    return " · ".join(parts)


def _indented(row: Text, width: int) -> Text:
    line = Text("   ")
    line.append_text(row)
    line.truncate(max(1, width), overflow="ellipsis")
    return line
