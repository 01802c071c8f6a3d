"""The queue on the screen, changed by its keys, while the demo agent waits in a tool."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from pitui.app import PituiApp
from pitui.cli import parse
from pitui.rpc.messages import ImageBlock
from pitui.session.arrange import Change, Deed
from pitui.session.state import QueueKind, RunState, UserEntry
from pitui.store.settings import Settings
from pitui.widgets.dialogs import Choices
from tests.real.desk import Desk

pytestmark = pytest.mark.anyio

STEER, FOLLOW_UP = QueueKind.STEER, QueueKind.FOLLOW_UP
SQUARE = "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEUlEQVR4nGNQSFiAFTEMLQkAAmxIAbLcbYIAAAAASUVORK5CYII="
IMAGE = ImageBlock(data=SQUARE, mime_type="image/png")


@asynccontextmanager
async def at_the_gate(folder: Path) -> AsyncIterator[Desk]:
    """The app on the demo agent, which asks in a tool and waits for the answer; one and two steer, three follows."""
    options = parse(["--demo", "--cwd", str(folder)])
    assert options is not None
    environ = os.environ | {"PITUI_DEMO_SPEED": "0"}
    app = PituiApp(options, Settings(reduced_motion=True), environ=environ, state_dir=folder / "state")
    async with app.run_test(size=(120, 40)) as pilot:
        it = Desk(app, pilot)
        await it.until(lambda: it.session.run.state is RunState.IDLE, "the agent is up")
        await it.say("demo gate")
        await it.until(lambda: it.session.dialogs, "a question")
        outbox = app.conversation.outbox
        for text, images, kind in (("one", (), STEER), ("two", (IMAGE,), STEER), ("three", (IMAGE,), FOLLOW_UP)):
            await outbox.prompt(text, images, kind)
        assert queue(it) == [("one", STEER, 0), ("two", STEER, 1), ("three", FOLLOW_UP, 1)]
        await it.shows("when done three")
        await it.until(lambda: isinstance(app.focused, Choices), "the question has the keys")
        app.chat.queue.focus()
        await it.shows("e edits")
        yield it


def queue(it: Desk) -> list[tuple[str, QueueKind, int]]:
    return [(item.text, item.kind, len(item.images)) for item in it.session.queue]


async def becomes(it: Desk, *wanted: tuple[str, QueueKind, int]) -> None:
    await it.until(lambda: queue(it) == list(wanted) and not it.session.sent and not it.session.moving, "the queue")


async def test_the_strip_says_what_waits_and_which_keys_change_it(tmp_path: Path) -> None:
    async with at_the_gate(tmp_path) as it:
        await it.shows("after this step one")
        await it.shows("when done three +1 image")
        await it.shows("e edits · d drops · alt+up/down moves · p when done · esc closes")


async def test_dropping_puts_a_prompt_with_its_image_into_the_stash(tmp_path: Path) -> None:
    async with at_the_gate(tmp_path) as it:
        await it.pilot.press("down", "d")
        await becomes(it, ("one", STEER, 0), ("three", FOLLOW_UP, 1))
        assert [(draft.text, draft.images) for draft in it.app.chat.composer.stash.drafts] == [("two", (IMAGE,))]


async def test_moving_changes_the_order_and_the_selection_goes_along(tmp_path: Path) -> None:
    async with at_the_gate(tmp_path) as it:
        await it.pilot.press("down", "alt+up")
        await becomes(it, ("two", STEER, 1), ("one", STEER, 0), ("three", FOLLOW_UP, 1))
        await it.pilot.pause()
        assert it.app.chat.queue.cursor == 0


async def test_promoting_makes_a_steer_of_a_follow_up_and_keeps_its_image(tmp_path: Path) -> None:
    async with at_the_gate(tmp_path) as it:
        await it.pilot.press("end", "p")
        await becomes(it, ("one", STEER, 0), ("two", STEER, 1), ("three", STEER, 1))


async def test_editing_brings_a_prompt_into_the_composer_and_the_draft_makes_room(tmp_path: Path) -> None:
    async with at_the_gate(tmp_path) as it:
        it.app.chat.composer.insert("my draft")
        await it.pilot.press("down", "e")
        await becomes(it, ("one", STEER, 0), ("three", FOLLOW_UP, 1))
        composer = it.app.chat.composer
        assert (it.draft, composer.images, [draft.text for draft in composer.stash.drafts]) == (
            "two", (IMAGE,), ["my draft"]
        )


async def test_changes_made_in_one_go_are_all_made(tmp_path: Path) -> None:
    async with at_the_gate(tmp_path) as it:
        outbox, (one, two, three) = it.app.conversation.outbox, it.session.queue
        for change in (Change(Deed.DROP, one), Change(Deed.PROMOTE, two), Change(Deed.PROMOTE, three)):
            outbox.change(change)
        await becomes(it, ("three", STEER, 1), ("two", FOLLOW_UP, 1))
        assert [draft.text for draft in it.app.chat.composer.stash.drafts] == ["one"]


async def test_what_was_changed_is_delivered_once_and_in_its_new_order(tmp_path: Path) -> None:
    async with at_the_gate(tmp_path) as it:
        await it.pilot.press("alt+down")
        await becomes(it, ("two", STEER, 1), ("one", STEER, 0), ("three", FOLLOW_UP, 1))
        (dialog,) = it.session.dialogs
        await it.app.conversation.answer(dialog.id, value="Allow once", confirmed=True)
        await it.idle()
        assert [entry.text for entry in it.entries if isinstance(entry, UserEntry)] == [
            "demo gate", "two", "one", "three"
        ]


async def test_what_is_typed_before_the_agent_is_up_is_changed_without_it(tmp_path: Path) -> None:
    async with at_the_gate(tmp_path) as it:
        conversation = it.app.conversation
        conversation.kill()
        await it.until(lambda: it.session.run.state is RunState.EXITED, "the end")
        await conversation.outbox.prompt("held")
        await it.pilot.pause()
        it.app.chat.queue.focus()
        await it.pilot.press("d", "d", "d")
        assert [draft.text for draft in it.app.chat.composer.stash.drafts] == ["one", "two", "three"]
        await it.pilot.press("f5")
        await it.until(lambda: any(isinstance(e, UserEntry) and e.text == "held" for e in it.entries), "it is sent")
