"""The queue changed by its keys while the real agent runs a tool."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from pitui.rpc.messages import ImageBlock
from pitui.session.state import QueueKind, RunState, UserEntry
from tests.real.agents import make_home
from tests.real.desk import Desk, desk
from tests.real.model_server import Json, ModelServer

pytestmark = [pytest.mark.anyio, pytest.mark.real]

SQUARE = "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEUlEQVR4nGNQSFiAFTEMLQkAAmxIAbLcbYIAAAAASUVORK5CYII="
IMAGE = ImageBlock(data=SQUARE, mime_type="image/png")
STEER, FOLLOW_UP = QueueKind.STEER, QueueKind.FOLLOW_UP


@asynccontextmanager
async def with_a_queue(folder: Path, version: str) -> AsyncIterator[tuple[Desk, Path]]:
    """A tool that runs until the file is there; one and two wait for its end, three (with an image) and four for that
    of the run, and the keys are the queue's.
    """
    waits = {"command": "while [ ! -e go ]; do sleep 0.05; done"}
    steps: list[Json] = [{"tool": {"id": "c1", "name": "bash", "arguments": waits}}]
    with ModelServer([{"steps": steps}]) as server:
        home = make_home(folder / "home", server.port)
        async with desk(home, version) as it:
            await it.say("start")
            await it.until(lambda: it.session.run.state is RunState.TOOL, "the tool runs")
            for text, images, kind in (
                ("one", (), STEER), ("two", (), STEER), ("three", (IMAGE,), FOLLOW_UP), ("four", (), FOLLOW_UP),
            ):
                assert await it.app.conversation.outbox.prompt(text, images, kind)
            await it.shows("when done four")
            await it.pilot.press("alt+w")
            await it.shows("e edits")
            yield it, home.project / "go"


async def goes(it: Desk, go: Path) -> list[tuple[str, int]]:
    """Let the tool end; the prompts with the number of their images, as they were delivered."""
    go.touch()
    await it.idle()
    return [(entry.text, len(entry.images)) for entry in it.entries if isinstance(entry, UserEntry)]


async def becomes(it: Desk, *texts: str) -> None:
    await it.until(
        lambda: [item.text for item in it.session.queue] == list(texts) and not it.session.moving, f"queue {texts}"
    )


async def test_a_prompt_is_edited_and_sent_again(tmp_path: Path, version: str) -> None:
    async with with_a_queue(tmp_path, version) as (it, go):
        await it.pilot.press("e")
        await becomes(it, "two", "three", "four")
        assert it.draft == "one"
        await it.type(" more")
        await it.pilot.press("enter")
        await becomes(it, "two", "one more", "three", "four")
        assert await goes(it, go) == [("start", 0), ("two", 0), ("one more", 0), ("three", 1), ("four", 0)]


async def test_a_prompt_is_dropped(tmp_path: Path, version: str) -> None:
    async with with_a_queue(tmp_path, version) as (it, go):
        await it.pilot.press("down", "d")
        await becomes(it, "one", "three", "four")
        assert await goes(it, go) == [("start", 0), ("one", 0), ("three", 1), ("four", 0)]
        assert [draft.text for draft in it.app.chat.composer.stash.drafts] == ["two"]


async def test_prompts_are_reordered(tmp_path: Path, version: str) -> None:
    async with with_a_queue(tmp_path, version) as (it, go):
        await it.pilot.press("alt+down")
        await becomes(it, "two", "one", "three", "four")
        assert await goes(it, go) == [("start", 0), ("two", 0), ("one", 0), ("three", 1), ("four", 0)]


async def test_a_follow_up_with_an_image_is_promoted(tmp_path: Path, version: str) -> None:
    async with with_a_queue(tmp_path, version) as (it, go):
        await it.pilot.press("down", "down", "p")
        await it.until(lambda: [item.kind for item in it.session.queue] == [STEER, STEER, STEER, FOLLOW_UP], "promoted")
        assert await goes(it, go) == [("start", 0), ("one", 0), ("two", 0), ("three", 1), ("four", 0)]


async def test_nothing_is_lost_or_doubled_when_the_agent_goes_on_meanwhile(tmp_path: Path, version: str) -> None:
    async with with_a_queue(tmp_path, version) as (it, go):
        go.touch()
        for _ in range(6):
            await it.pilot.press("alt+down", "down", "p")
        await it.until(lambda: not it.session.queue and not it.session.moving and not it.session.sent, "all delivered")
        await it.idle()
        prompts = [(entry.text, len(entry.images)) for entry in it.entries if isinstance(entry, UserEntry)]
        assert sorted(prompts) == [("four", 0), ("one", 0), ("start", 0), ("three", 1), ("two", 0)]


async def test_a_compaction_asked_for_in_mid_run_waits_for_its_end(tmp_path: Path, version: str) -> None:
    async with with_a_queue(tmp_path, version) as (it, go):
        await it.pilot.press("escape")
        await it.say("/compact")
        await it.shows("once it can be sent /compact")
        assert len(await goes(it, go)) == 5
        await it.until(lambda: not it.session.queue, "it was asked for")
