"""The whole program at a standstill: a session set by hand, a clock that stands, and no agent."""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from textual.pilot import Pilot

from pitui.agent.trouble import Trouble
from pitui.app import PituiApp
from pitui.cli import Options
from pitui.render.bars import Place
from pitui.rpc.messages import Model
from pitui.session.state import Context, Identity, Run, RunState, Session, SlashCommand, Stats
from pitui.store.settings import Settings

NOW = 20.0
"""The clock's seconds; any machine has been up for longer, which the grace of questions asks for."""

MODEL = Model.model_validate({
    "id": "claude-sonnet-4", "name": "Claude Sonnet 4", "provider": "anthropic", "contextWindow": 200_000,
    "reasoning": True, "input": ["text", "image"], "cost": {"input": 3, "output": 15},
})
COMMANDS = (
    SlashCommand("review", "Read the diff twice", "skill"), SlashCommand("fix", "Fix an issue", "prompt"),
    SlashCommand("deploy", "Deploy", "extension"),
)


def session(state: RunState = RunState.IDLE, **more: object) -> Session:
    """A session of some age, in this state."""
    known: dict[str, object] = {
        "run": Run(state, since=NOW - 41, open=state.busy), "identity": Identity("s1", None, "fix-crlf"),
        "model": MODEL, "thinking_level": "medium", "commands": COMMANDS,
        "stats": Stats(12_000, 1_400, 0, 0, 0.083, Context(62_000, 200_000, 31.0)),
    }
    return Session(**{**known, **more})  # type: ignore[arg-type]  # fields by name


class Still(PituiApp):
    """Starts nothing: the session is what it was given, and the clock stands at `NOW`."""

    CSS_PATH = str(Path(inspect.getfile(PituiApp)).with_name("pitui.tcss"))

    def __init__(self, shown: Session, colours: str, state_dir: Path, trouble: Trouble | None = None) -> None:
        settings = Settings(reduced_motion=True, theme=colours)
        options = Options(cwd=Path("/home/u/reader"), theme=colours)
        super().__init__(options, settings, environ={}, state_dir=state_dir)
        self.chat.place = Place("~/reader", "main")
        self.chat.resources = ("AGENTS.md",)
        self.chat.trouble = trouble
        self.conversation.clock = lambda: NOW
        self.conversation.session = shown

    def _begin(self) -> None:
        self.chat.paint()


@asynccontextmanager
async def still(
    shown: Session, size: tuple[int, int], colours: str, state_dir: Path, trouble: Trouble | None = None
) -> AsyncIterator[tuple[Still, Pilot[int]]]:
    app = Still(shown, colours, state_dir, trouble)
    async with app.run_test(size=size) as pilot:
        await settled(app, pilot)
        yield app, pilot


async def settled(app: Still, pilot: Pilot[int], wanted: Callable[[], bool] = lambda: True) -> None:
    """Until nothing more is to be drawn, and what is wanted has come."""
    for _ in range(500):
        await pilot.pause(0.01)
        if wanted() and (app.chat.dock.panel is None or app.chat.dock.opened):
            break
    await app.workers.wait_for_complete()
    await pilot.pause()
