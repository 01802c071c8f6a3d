"""Every method of the extension UI, asked for by an extension of the real agent and answered by keys."""

from __future__ import annotations

from pathlib import Path

import pytest

from pitui.session.state import Level, NoticeEntry
from tests.real.agents import make_home
from tests.real.desk import Desk, desk
from tests.real.model_server import ModelServer
from tests.real.test_commands import PROBE

pytestmark = [pytest.mark.anyio, pytest.mark.real]


def level(it: Desk, text: str) -> Level:
    """Of the notice that holds `text`."""
    return next(
        notice.level for entry in it.entries if isinstance(entry, NoticeEntry) for notice in entry.notices
        if text in notice.text
    )


async def test_questions_are_answered_by_keys(tmp_path: Path, version: str) -> None:
    with ModelServer() as server:
        async with desk(make_home(tmp_path / "home", server.port), version, more=PROBE) as it:
            await it.until(lambda: it.session.commands, "the commands are known")
            await it.say("/probe-select")
            await it.dialog()
            await it.shows("Which [one]?")
            await it.type("sec")
            await it.pilot.press("enter")
            await it.notices("Chosen: second")
            await it.say("/probe-confirm")
            await it.dialog()
            await it.shows("There is no way back.")
            await it.pilot.press("y")
            await it.notices("Confirmed: true")
            assert level(it, "Confirmed") is Level.WARNING
            await it.say("/probe-input")
            await it.dialog()
            await it.type("word")
            await it.pilot.press("enter")
            await it.notices("Word: word")
            await it.say("/probe-editor")
            await it.dialog()
            await it.pilot.press("down", "end", "enter")
            await it.type("three")
            await it.pilot.press("ctrl+s")
            await it.notices("Lines: one|two|three")
            assert server.requests == []


async def test_a_question_is_dropped_when_its_time_is_over(tmp_path: Path, version: str) -> None:
    with ModelServer() as server:
        async with desk(make_home(tmp_path / "home", server.port), version, more=PROBE) as it:
            await it.until(lambda: it.session.commands, "the commands are known")
            await it.say("/probe-timeout")
            await it.until(lambda: it.session.dialogs, "it asks")
            await it.notices("Given up: false")
            await it.until(lambda: it.app.chat.composer.editor.has_focus, "the keys are the composer's again")
            assert it.session.dialogs == ()
            await it.type("on we go")
            assert it.draft == "on we go"


async def test_statuses_panels_title_and_draft_are_shown(tmp_path: Path, version: str) -> None:
    with ModelServer() as server:
        async with desk(make_home(tmp_path / "home", server.port), version, more=PROBE) as it:
            await it.until(lambda: it.session.commands, "the commands are known")
            await it.say("/probe-look")
            for text in ("red status", "a panel above", "a panel below"):
                await it.shows(text)
            rows = it.screen().split("\n")
            place = [next(at for at, row in enumerate(rows) if text in row)
                     for text in ("a panel above", "›", "a panel below", "red status")]
            assert place == sorted(place)
            assert it.session.title == "probe title"
            await it.say("/probe-clear")
            await it.until(lambda: not (it.session.panels or it.session.statuses), "they are gone")
            await it.until(lambda: "a panel" not in it.screen(), "also from the screen")
            await it.say("/probe-draft")
            await it.until(lambda: it.draft == "written by the probe", "the draft is written")


async def test_what_a_later_version_asks_is_answered_and_told_quietly(tmp_path: Path, version: str) -> None:
    with ModelServer() as server:
        home = make_home(tmp_path / "home", server.port)
        async with desk(home, version, more=PROBE) as it:
            await it.until(lambda: it.session.commands, "the commands are known")
            await it.say("/probe-unknown")
            await it.notices("moon_phase_changed")
            await it.notices("No dancing here")
            await it.idle()
            assert it.session.dialogs == ()
            await it.ask("still there?")
        wire = (home.root / "wire0.jsonl").read_text("utf-8")
        assert '"id":"hologram-1","cancelled":true' in wire
