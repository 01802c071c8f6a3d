"""The whole screen in every state a person meets, at a standstill."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion
from textual.geometry import Size

from pitui.render import report
from pitui.rpc.events import DialogRequest, UiConfirm, UiEditor, UiInput, UiSelect
from pitui.screens.picker import PickerScreen
from pitui.session.state import (
    Dialog,
    Exit,
    Panel,
    QueuedPrompt,
    QueueKind,
    Retry,
    Run,
    RunState,
    SentPrompt,
    Session,
    Stats,
    ToolEntry,
)
from tests.snapshots.gallery import CHANGES, LIVE, OTHERS, READING, SHELL, TALK
from tests.snapshots.stills import MODEL, NOW, session, settled, still

pytestmark = pytest.mark.anyio

SMALL, WIDE = (80, 24), (120, 40)
WORK = (*TALK[:2], *READING[:2], CHANGES[0])
TESTS = SHELL[5]
assert isinstance(TESTS, ToolEntry)
QUEUE = (
    QueuedPrompt("keep the public API as it is", QueueKind.STEER),
    QueuedPrompt("then the changelog", QueueKind.FOLLOW_UP),
)
ASKED: dict[str, DialogRequest] = {
    "select": UiSelect(id="d", title="Allow this command?\n  $ git push --force origin main",
                       options=("Allow once", "Block", "Block and say why"), timeout=30_000.0),
    "confirm": UiConfirm(id="d", title="Leave plan mode?", message="The plan has 3 steps left.", timeout=None),
    "input": UiInput(id="d", title="Name of the branch", placeholder="fix-crlf", timeout=None),
    "editor": UiEditor(id="d", title="Commit message", prefill="Split records at LF only\n\nNothing else ends one.",
                       timeout=None),
}
RUNNING = session(
    RunState.TOOL, entries=(*WORK, replace(TESTS, started=NOW - 12)),
    run=Run(RunState.TOOL, NOW - 41, "bash", open=True),
)
STATES: dict[str, tuple[Session, tuple[int, int], str]] = {
    "welcome": (session(stats=Stats()), SMALL, "pitui-dark"),
    "welcome-wide": (session(), WIDE, "pitui-light"),
    "starting": (Session(), SMALL, "pitui-dark"),
    "idle": (session(entries=WORK), SMALL, "pitui-dark"),
    "idle-wide": (session(entries=(*WORK, *OTHERS)), WIDE, "pitui-light"),
    "streaming": (session(RunState.STREAMING, entries=TALK[:1], live=LIVE), WIDE, "pitui-dark"),
    "running": (RUNNING, SMALL, "pitui-dark"),
    "queue": (replace(RUNNING, queue=QUEUE, sent=(SentPrompt("t", "and Windows?"),)), WIDE, "pitui-dark"),
    "retrying": (session(RunState.RETRYING, entries=TALK[:6], run=Run(
        RunState.RETRYING, NOW - 9, open=True, retry=Retry(2, 3, NOW + 4, "529: Overloaded"))), SMALL, "pitui-light"),
    "compacting": (session(RunState.COMPACTING, entries=WORK, run=Run(
        RunState.COMPACTING, NOW - 3, "threshold", open=True)), SMALL, "pitui-dark"),
    "stopping": (session(RunState.ABORTING, entries=WORK), SMALL, "pitui-dark"),
    "gone": (session(entries=WORK, run=Run(RunState.EXITED, exit=Exit(1, ("TypeError: x is not a function",)))), SMALL,
             "pitui-dark"),
    "extensions": (session(
        entries=WORK, statuses={"tests": "\x1b[32m4 passed\x1b[0m", "plan": "step 2 of 3"},
        panels=(Panel("todo", ("Todo", "  [x] find the cause", "  [ ] fix it")), Panel("hint", ("below",), below=True)),
    ), WIDE, "pitui-dark"),
    "tiny": (RUNNING, (30, 10), "pitui-dark"),
}


@pytest.mark.parametrize("state", STATES)
async def test_state(state: str, snapshot: SnapshotAssertion, tmp_path: Path) -> None:
    shown, size, colours = STATES[state]
    async with still(shown, size, colours, tmp_path) as (app, _pilot):
        assert app.export_screenshot(title=state) == snapshot


@pytest.mark.parametrize("kind", ASKED)
async def test_question(kind: str, snapshot: SnapshotAssertion, tmp_path: Path) -> None:
    expires = NOW + 8 if kind == "select" else None
    dialogs = (Dialog("d", ASKED[kind], NOW - 22, expires), Dialog("e", ASKED["confirm"], NOW))
    shown = replace(RUNNING, dialogs=dialogs[: 2 if kind == "select" else 1])
    async with still(shown, SMALL, "pitui-light" if kind == "editor" else "pitui-dark", tmp_path) as (app, pilot):
        await settled(app, pilot, lambda: app.chat.dock.opened)
        assert app.export_screenshot(title=kind) == snapshot


async def test_trouble_at_start(snapshot: SnapshotAssertion, tmp_path: Path) -> None:
    shown = Session(run=Run(RunState.EXITED, exit=Exit(1, ("Error: Cannot find module 'x'", "    at load (ext.ts:3)"))))
    async with still(shown, SMALL, "pitui-dark", tmp_path) as (app, _pilot):
        assert app.export_screenshot(title="trouble") == snapshot


@pytest.mark.parametrize("width", [40, 60, 80, 160])
async def test_status_bar(width: int, snapshot: SnapshotAssertion, tmp_path: Path) -> None:
    async with still(RUNNING, (width, 12), "pitui-dark", tmp_path) as (app, _pilot):
        assert app.export_screenshot(title=f"{width} columns") == snapshot


async def test_picker_of_models(snapshot: SnapshotAssertion, tmp_path: Path) -> None:
    others = [MODEL.model_copy(update={"id": f"model-{n}", "name": f"Model {n}"}) for n in range(1, 6)]
    rows = [report.model_row(model, model is MODEL) for model in (MODEL, *others)]
    async with still(session(entries=WORK), SMALL, "pitui-dark", tmp_path) as (app, pilot):
        await app.push_screen(PickerScreen("Model", rows, app.chat.palette, save=lambda _row: None))
        await settled(app, pilot)
        assert app.export_screenshot(title="models") == snapshot


async def test_search(snapshot: SnapshotAssertion, tmp_path: Path) -> None:
    async with still(session(entries=WORK), SMALL, "pitui-light", tmp_path) as (app, pilot):
        app.chat.run_command("search", "line")
        await settled(app, pilot, lambda: app.chat.transcript.search_state.total > 0)
        assert app.export_screenshot(title="search") == snapshot


async def test_draft_of_several_lines(snapshot: SnapshotAssertion, tmp_path: Path) -> None:
    async with still(RUNNING, SMALL, "pitui-dark", tmp_path) as (app, pilot):
        app.chat.composer.insert("and check the\nWindows case too")
        await settled(app, pilot)
        assert app.export_screenshot(title="draft") == snapshot


async def test_completion_of_commands(snapshot: SnapshotAssertion, tmp_path: Path) -> None:
    async with still(session(entries=WORK), SMALL, "pitui-dark", tmp_path) as (app, pilot):
        await pilot.press("slash", "r", "e")
        await settled(app, pilot)
        assert app.export_screenshot(title="completion") == snapshot


@pytest.mark.parametrize("size", [SMALL, WIDE])
async def test_settings(size: tuple[int, int], snapshot: SnapshotAssertion, tmp_path: Path) -> None:
    async with still(session(entries=WORK), size, "pitui-dark", tmp_path) as (app, pilot):
        app.show_settings()
        for _ in range(200):
            await pilot.pause(0.01)
            if app.screen is not app.chat:
                break
        await pilot.pause()
        assert app.screen.size == Size(*size)
        assert app.export_screenshot(title="settings") == snapshot


async def test_one_result_in_full(snapshot: SnapshotAssertion, tmp_path: Path) -> None:
    async with still(session(entries=WORK), SMALL, "pitui-light", tmp_path) as (app, pilot):
        app.show_entry("in full", OTHERS[4])
        await settled(app, pilot)
        assert app.export_screenshot(title="in full") == snapshot
