"""The app around a conversation, on the demo agent or on none: starting, failing, keys, folds, settings."""

from __future__ import annotations

import json
import os
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.pilot import Pilot

from pitui.app import PituiApp
from pitui.cli import parse
from pitui.session.state import RunState, UserEntry
from pitui.store.settings import Settings

pytestmark = pytest.mark.anyio

PATIENCE = 30.0


@asynccontextmanager
async def running(tmp_path: Path, *arguments: str) -> AsyncIterator[tuple[PituiApp, Pilot[int]]]:
    """The app with these arguments, in a project of its own."""
    project = tmp_path / "project"
    project.mkdir(exist_ok=True)
    options = parse(["--cwd", str(project), *arguments])
    assert options is not None
    app = PituiApp(
        options, Settings(reduced_motion=True), environ=os.environ | {"PITUI_DEMO_SPEED": "0"},
        state_dir=tmp_path / "state",
    )
    async with app.run_test(size=(100, 30)) as pilot:
        yield app, pilot


async def until(pilot: Pilot[int], wanted: Callable[[], object]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not wanted():
        assert time.monotonic() < deadline, screen(pilot.app)
        await pilot.pause(0.02)


def screen(app: object) -> str:
    assert isinstance(app, PituiApp)
    return "\n".join(strip.text.rstrip() for strip in app.screen._compositor.render_strips())


def idle(app: PituiApp) -> Callable[[], bool]:
    return lambda: app.conversation.session.run.state is RunState.IDLE


async def test_an_agent_that_is_not_there_is_named_with_what_to_do(tmp_path: Path) -> None:
    async with running(tmp_path, "--agent", "no-such-agent-anywhere --mode rpc") as (_, pilot):
        await until(pilot, lambda: "no-such-agent-anywhere was not found" in screen(pilot.app))
        assert "npm install -g" in screen(pilot.app)
        assert "f5 try again" in screen(pilot.app)


async def test_the_demo_is_one_key_away_from_a_failed_start(tmp_path: Path) -> None:
    async with running(tmp_path, "--agent", "no-such-agent-anywhere --mode rpc") as (app, pilot):
        await until(pilot, lambda: "f9 try the demo" in screen(app))
        await pilot.press("f9")
        await until(pilot, idle(app))
        assert app.conversation.session.identity.name == "demo"


async def test_a_session_that_is_not_there_keeps_the_agent_from_starting(tmp_path: Path) -> None:
    async with running(tmp_path, "--session", str(tmp_path / "missing.jsonl")) as (app, pilot):
        await until(pilot, lambda: "There is no session file" in screen(app))
        assert app.conversation.session.run.state is RunState.STARTING
        assert not app.conversation.alive


async def test_a_message_of_the_command_line_is_the_first_prompt(tmp_path: Path) -> None:
    async with running(tmp_path, "--demo", "hello", "there") as (app, pilot):
        await until(pilot, lambda: any(isinstance(e, UserEntry) for e in app.conversation.session.entries))
        first = next(entry for entry in app.conversation.session.entries if isinstance(entry, UserEntry))
        assert first.text == "hello there"


async def test_what_is_typed_before_the_agent_is_up_is_sent_once_it_is(tmp_path: Path) -> None:
    async with running(tmp_path, "--demo") as (app, pilot):
        await pilot.press("h", "i", "enter")
        await until(pilot, lambda: any(isinstance(e, UserEntry) for e in app.conversation.session.entries))
        await until(pilot, idle(app))
        assert app.chat.composer.text == ""


async def test_keys_of_the_persons_file_hold_at_once(tmp_path: Path) -> None:
    async with running(tmp_path, "--demo") as (app, pilot):
        await until(pilot, idle(app))
        folder = Path(app.environ["PI_CODING_AGENT_DIR"])
        folder.mkdir(parents=True)
        (folder / "keybindings.json").write_text(json.dumps({"app.tools.expand": "ctrl+h", "no.such": "x"}), "utf-8")
        app.reload_keys()
        before = app.chat.transcript.view.tools_open
        await pilot.press("ctrl+h")
        assert app.chat.transcript.view.tools_open is not before
        await until(pilot, lambda: "unknown key id" in screen(app))


async def test_folds_come_back_with_the_session(tmp_path: Path) -> None:
    session = tmp_path / "kept.jsonl"
    async with running(tmp_path, "--demo", "--", "--session", str(session)) as (app, pilot):
        await until(pilot, idle(app))
        app.chat.composer.insert("demo tools")
        await pilot.press("enter")
        await until(pilot, lambda: "All 8 tests pass." in screen(app))
        app.chat.action_toggle_tools()
        assert app.chat.transcript.view.tools_open
    async with running(tmp_path, "--demo", "--", "--session", str(session)) as (app, pilot):
        await until(pilot, lambda: app.conversation.session.entries)
        await until(pilot, lambda: app.chat.transcript.view.tools_open)


async def test_a_draft_survives_the_end_of_pitui(tmp_path: Path) -> None:
    session = tmp_path / "kept.jsonl"
    async with running(tmp_path, "--demo", "--", "--session", str(session)) as (app, pilot):
        await until(pilot, idle(app))
        app.chat.composer.insert("a long thought")
    async with running(tmp_path, "--demo", "--", "--session", str(session)) as (app, pilot):
        await until(pilot, lambda: app.chat.composer.text == "a long thought")


async def test_settings_change_what_is_seen_and_are_kept(tmp_path: Path) -> None:
    async with running(tmp_path, "--demo") as (app, pilot):
        await until(pilot, idle(app))
        app.chat.composer.insert("/settings")
        await pilot.press("enter")
        await until(pilot, lambda: "Show tool output unfolded: no" in screen(app))
        await pilot.press(*"unfolded", "enter")
        await until(pilot, lambda: "Show tool output unfolded: yes" in screen(app))
        await pilot.press("escape")
        assert app.settings.tools_open
        assert app.chat.transcript.view.tools_open


async def test_an_unknown_command_is_asked_about_before_it_is_sent(tmp_path: Path) -> None:
    async with running(tmp_path, "--demo") as (app, pilot):
        await until(pilot, idle(app))
        app.chat.composer.insert("/nonsense please")
        await pilot.press("enter")
        await until(pilot, lambda: "There is no command /nonsense" in screen(app))
        await pilot.press("enter")
        assert app.chat.composer.text == "/nonsense please"
        assert app.conversation.session.sent == ()


async def test_ctrl_c_clears_and_a_second_and_third_quit(tmp_path: Path) -> None:
    async with running(tmp_path, "--demo") as (app, pilot):
        await until(pilot, idle(app))
        await pilot.press("a", "ctrl+c")
        assert app.chat.composer.text == ""
        assert app.is_running
        await pilot.press("ctrl+c", "ctrl+c")
        await until(pilot, lambda: not app.is_running or app.return_code is not None)
