"""What the real agent tells unasked is seen: a whole run, what extensions change, and ends that nobody planned."""

from __future__ import annotations

from pathlib import Path

import pytest

from pitui.rpc.messages import TextBlock
from pitui.session.state import AssistantEntry, QueueKind, RunState, ToolEntry, ToolState, UserEntry
from tests.real.agents import make_home
from tests.real.desk import desk
from tests.real.model_server import Json, ModelServer
from tests.real.test_commands import PROBE, model, prompts

pytestmark = [pytest.mark.anyio, pytest.mark.real]


def tool(call_id: str, **arguments: object) -> Json:
    return {"tool": {"id": call_id, "name": "bash", "arguments": arguments}}


PATIENT = "printf 'be%s\\n' gun; while [ ! -e go ]; do sleep 0.05; done; printf 'ov%s' er"
"""Says "begun" and, once there is a file `go`, "over": neither is in the command itself, which is shown earlier."""

WAIT: Json = {"steps": [tool("c1", command=PATIENT)]}


async def test_a_run_is_shown_from_its_first_delta_to_its_end(tmp_path: Path, version: str) -> None:
    replies: list[Json] = [
        {"steps": [{"thinking": "First I think."}, {"text": "Then I act."}, WAIT["steps"][0]]},
        {"steps": [{"text": "It is over."}]},
    ]
    with ModelServer(replies) as server:
        home = make_home(tmp_path / "home", server.port)
        async with desk(home, version) as it:
            await it.say("go")
            await it.shows("begun")
            assert it.session.run.state is RunState.TOOL
            await it.shows("esc stops")
            await it.say("and then?")
            await it.shows("after this step and then?")
            (home.project / "go").touch()
            await it.idle()
            for text in ("First I think.", "Then I act.", "over", "It is over.", "● ready"):
                await it.shows(text)
            assert prompts(it) == ["go", "and then?"]


async def test_what_an_extension_changes_in_the_session_is_shown(tmp_path: Path, version: str) -> None:
    with ModelServer() as server:
        async with desk(make_home(tmp_path / "home", server.port), version, more=PROBE) as it:
            await it.until(lambda: it.session.commands, "the commands are known")
            await it.say("/probe-session")
            await it.shows("named by the probe")
            await it.shows("low thinking")
            await it.say("/probe-fail")
            await it.notices("the [probe] failed")
            await it.say("/probe-model")
            await it.until(lambda: model(it) == "mock-plain", "the model is known")
            await it.shows("Mock-Plain")
            await it.idle()
            assert it.session.sent == ()


async def test_a_session_that_an_extension_replaces_is_the_one_shown(tmp_path: Path, version: str) -> None:
    with ModelServer() as server:
        async with desk(make_home(tmp_path / "home", server.port), version, more=PROBE) as it:
            await it.ask("in the old one")
            old = it.session.identity
            await it.say("/probe-new")
            await it.until(lambda: it.session.identity.id not in ("", old.id) and not prompts(it), "the new one")
            await it.ask("in the new one")
            assert prompts(it) == ["in the new one"]
            await it.say(f"/probe-switch {old.file}")
            await it.until(lambda: prompts(it) == ["in the old one"], "the old one")
            await it.idle()
            assert it.session.identity.id == old.id


async def test_nothing_of_a_session_left_in_mid_answer_comes_into_the_next(tmp_path: Path, version: str) -> None:
    replies: list[Json] = [{"steps": [{"text": "Half an answer "}, {"hang": True}]}, {"steps": [{"text": "Anew."}]}]
    with ModelServer(replies) as server:
        async with desk(make_home(tmp_path / "home", server.port), version) as it:
            await it.say("tell me")
            await it.shows("Half an answer")
            old = it.session.identity.id
            await it.say("/new")
            await it.until(lambda: it.session.identity.id != old, "the new one")
            await it.idle()
            await it.ask("and now?")
            assert prompts(it) == ["and now?"]
            answers = [block.text for entry in it.entries if isinstance(entry, AssistantEntry)
                       for block in entry.blocks if isinstance(block, TextBlock)]
            assert answers == ["Anew."]


async def test_an_agent_killed_in_mid_tool_goes_on_where_it_was_and_the_queue_is_in_the_composer(
    tmp_path: Path, version: str
) -> None:
    replies: list[Json] = [{"steps": [{"text": "Before."}]}, WAIT, {"steps": [{"text": "After."}]}]
    with ModelServer(replies) as server:
        async with desk(make_home(tmp_path / "home", server.port), version) as it:
            await it.ask("first")
            await it.say("second")
            await it.shows("begun")
            await it.say("steer me")
            await it.until(lambda: [item.kind for item in it.session.queue] == [QueueKind.STEER], "it waits")
            session = it.session.identity.id
            it.app.conversation.kill()
            await it.until(lambda: it.session.run.state is RunState.EXITED, "it is gone")
            await it.shows("steer me")
            await it.pilot.press("f5")
            await it.until(lambda: it.session.run.state is RunState.IDLE, "it is up again")
            await it.until(lambda: it.draft.strip() == "steer me", "the queue is in the composer")
            await it.until(lambda: it.session.leaf_id, "the entries are known")
            await it.idle()
            assert it.session.identity.id == session
            assert prompts(it) == ["first", "second"]
            assert [call.state for call in it.entries if isinstance(call, ToolEntry)] == [ToolState.STOPPED]
            assert len(server.requests) == 2
            await it.pilot.press("enter")
            await it.until(lambda: len(server.requests) == 3, "it is sent by hand")
            await it.idle()
            assert [entry.text for entry in it.entries if isinstance(entry, UserEntry)] == [
                "first", "second", "steer me"]
