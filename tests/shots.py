"""`python -m tests.shots`: the README's pictures, made by the program itself on the demo agent."""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from textual.pilot import Pilot

from pitui.app import PituiApp
from pitui.cli import Options
from pitui.session.state import RunState
from pitui.store.settings import Settings

FOLDER = Path(__file__).resolve().parents[1] / "snapshots"
PATIENCE = 60.0


async def until(pilot: Pilot[int], wanted: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not wanted():
        if time.monotonic() > deadline:
            raise TimeoutError("the demo did not get there")
        await pilot.pause(0.02)
    await pilot.pause(0.3)


@contextmanager
def scratch_home() -> Iterator[Path]:
    """A home with a project folder in it, so that pictures show neither a person's folders nor their settings."""
    with tempfile.TemporaryDirectory() as home:
        project = Path(home, "reader")
        project.mkdir()
        os.environ["HOME"] = home
        yield project


async def shot(
    name: str, prompt: str, size: tuple[int, int], theme: str = "pitui-dark", moment: str = ""
) -> Path:
    """One picture: the screen once `moment` can be read on it, or when the agent has settled."""
    with scratch_home() as project:
        environ = os.environ | {"PITUI_DEMO_SPEED": "4"}
        app = PituiApp(
            Options(demo=True, cwd=project, theme=theme), Settings(reduced_motion=True), environ=environ,
            state_dir=project.parent / "state",
        )
        async with app.run_test(size=size) as pilot:
            conversation = app.conversation
            await until(pilot, lambda: conversation.session.run.state is RunState.IDLE)
            if prompt:
                app.chat.composer.insert(prompt)
                await pilot.press("enter")
                await until(pilot, lambda: conversation.session.run.state.busy)

            def there() -> bool:
                rows = "\n".join(strip.text for strip in app.screen._compositor.render_strips())
                return moment in rows if moment else conversation.session.run.state is RunState.IDLE

            await until(pilot, there)
            path = FOLDER / f"{name}.svg"
            path.write_text(app.export_screenshot(title="pitui"), "utf-8")
            return path


async def main() -> None:
    print(await shot("readme-tools-160x50", "demo tools", (160, 50)))
    print(await shot("readme-tools-80x24", "demo tools", (80, 24)))
    print(await shot("readme-markdown-160x50-light", "demo markdown", (160, 50), "pitui-light"))
    print(await shot("readme-question-80x24", "demo dialogs", (80, 24), moment="↑↓ choose"))


if __name__ == "__main__":
    asyncio.run(main())
