"""Each session has its own draft, from the moment it is another one."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pitui.app import PituiApp
from pitui.cli import parse
from pitui.session import local
from pitui.session.state import RunState
from pitui.store.settings import Settings
from tests.real.desk import Desk

pytestmark = pytest.mark.anyio


async def test_what_is_typed_before_the_frame_that_shows_another_session_is_for_that_one(tmp_path: Path) -> None:
    options = parse(["--demo", "--cwd", str(tmp_path)])
    assert options is not None
    app = PituiApp(options, Settings(reduced_motion=True), environ=dict(os.environ), state_dir=tmp_path / "state")
    async with app.run_test(size=(80, 24)) as pilot:
        it = Desk(app, pilot)
        await it.until(lambda: it.session.run.state is RunState.IDLE and it.session.identity.id, "the agent is up")
        app.chat.paint()
        app.conversation.fold(local.SessionReplaced())
        app.chat.composer.insert("/resume")
        app.chat.paint()
        assert it.draft == "/resume"
