"""pitui's app on the real agent: prompts, tools, steering, stopping, failing and going on."""

from __future__ import annotations

from itertools import takewhile
from pathlib import Path

import pytest

from pitui.rpc.messages import TextBlock, ThinkingBlock
from pitui.session.state import (
    AssistantEntry,
    BashEntry,
    Entry,
    NoticeEntry,
    QueueKind,
    RunState,
    SummaryEntry,
    ToolEntry,
    ToolState,
    UserEntry,
)
from tests.real.agents import make_home
from tests.real.desk import Desk, desk, example
from tests.real.model_server import Json, ModelServer

pytestmark = [pytest.mark.anyio, pytest.mark.real]


def tool(call_id: str, name: str, **arguments: object) -> Json:
    return {"tool": {"id": call_id, "name": name, "arguments": arguments}}


def picture(entries: tuple[Entry, ...]) -> list[Entry]:
    """What a conversation shows, without our own notices."""
    return [entry for entry in entries if not isinstance(entry, NoticeEntry)]


def conversation(screen: str) -> list[str]:
    """The rows above the composer's edge."""
    rows = [row for row in screen.split("\n") if row.strip()]
    return list(takewhile(lambda row: not row.startswith("── "), rows))


def kinds(it: Desk) -> list[str]:
    return [type(entry).__name__ for entry in picture(it.entries)]


async def test_a_prompt_is_answered_with_thinking_and_text(tmp_path: Path, version: str) -> None:
    reply = {"steps": [{"thinking": "Let me see."}, {"text": "Forty-**two**, of course."}]}
    with ModelServer([reply]) as server:
        async with desk(make_home(tmp_path / "home", server.port), version) as it:
            await it.ask("what is the answer?")
            user, answer = picture(it.entries)
            assert isinstance(user, UserEntry)
            assert user.text == "what is the answer?"
            assert isinstance(answer, AssistantEntry)
            assert [block.thinking for block in answer.blocks if isinstance(block, ThinkingBlock)] == ["Let me see."]
            texts = [block.text for block in answer.blocks if isinstance(block, TextBlock)]
            assert texts == ["Forty-**two**, of course."]
            await it.shows("Forty-two, of course.")
            assert it.draft == ""


async def test_tools_run_and_show_their_results(tmp_path: Path, version: str) -> None:
    replies: list[Json] = [
        {"steps": [tool("c1", "bash", command="echo one; echo two")]},
        {"steps": [tool("c2", "read", path="app.py")]},
        {"steps": [tool("c3", "edit", path="app.py", edits=[{"oldText": "a - b", "newText": "a + b"}])]},
        {"steps": [tool("c4", "write", path="notes.md", content="# Notes\n")]},
        {"steps": [tool("c5", "bash", command="exit 3")]},
        {"steps": [{"text": "Done."}]},
    ]
    with ModelServer(replies) as server:
        home = make_home(tmp_path / "home", server.port)
        (home.project / "app.py").write_text("def add(a, b):\n    return a - b\n", "utf-8")
        async with desk(home, version) as it:
            await it.ask("mend add()")
            calls = {entry.call_id: entry for entry in it.entries if isinstance(entry, ToolEntry)}
            assert {name: call.state for name, call in calls.items()} == {
                "c1": ToolState.DONE, "c2": ToolState.DONE, "c3": ToolState.DONE, "c4": ToolState.DONE,
                "c5": ToolState.FAILED,
            }
            await it.shows("return a + b")
            await it.shows("Done.")
        assert (home.project / "app.py").read_text("utf-8") == "def add(a, b):\n    return a + b\n"
        assert (home.project / "notes.md").read_text("utf-8") == "# Notes\n"


async def test_a_steer_goes_after_the_step_and_a_follow_up_after_the_run(tmp_path: Path, version: str) -> None:
    replies: list[Json] = [
        {"steps": [tool("c1", "bash", command="while [ ! -e go ]; do sleep 0.05; done")]},
        {"steps": [{"text": "After the step."}]},
        {"steps": [{"text": "After the run."}]},
    ]
    with ModelServer(replies) as server:
        home = make_home(tmp_path / "home", server.port)
        async with desk(home, version) as it:
            await it.say("start")
            await it.until(lambda: it.session.run.state is RunState.TOOL, "the tool runs")
            await it.say("steer me")
            await it.until(lambda: len(it.session.queue) == 1, "one waits")
            await it.say("follow me", "alt+enter")
            await it.until(lambda: len(it.session.queue) == 2, "two wait")
            assert [(item.text, item.kind) for item in it.session.queue] == [
                ("steer me", QueueKind.STEER), ("follow me", QueueKind.FOLLOW_UP),
            ]
            await it.shows("after this step steer me")
            (home.project / "go").touch()
            await it.idle()
            assert [entry.text for entry in it.entries if isinstance(entry, UserEntry)] == [
                "start", "steer me", "follow me",
            ]
            assert it.session.queue == ()


async def test_escape_in_mid_answer_keeps_what_was_said(tmp_path: Path, version: str) -> None:
    replies: list[Json] = [
        {"steps": [{"text": "Half an answer "}, {"hang": True}]}, {"steps": [{"text": "Again."}]},
    ]
    with ModelServer(replies) as server:
        async with desk(make_home(tmp_path / "home", server.port), version) as it:
            await it.say("tell me")
            await it.shows("Half an answer")
            await it.pilot.press("escape")
            await it.idle()
            await it.shows("Half an answer")
            await it.ask("once more")
            await it.shows("Again.")


async def test_escape_in_mid_tool_brings_the_queue_back(tmp_path: Path, version: str) -> None:
    replies: list[Json] = [{"steps": [tool("c1", "bash", command="sleep 60")]}]
    with ModelServer(replies) as server:
        async with desk(make_home(tmp_path / "home", server.port), version) as it:
            await it.say("sleep")
            await it.until(lambda: it.session.run.state is RunState.TOOL, "the tool runs")
            await it.say("steer me")
            await it.until(lambda: len(it.session.queue) == 1, "one waits")
            await it.say("follow me", "alt+enter")
            await it.until(lambda: len(it.session.queue) == 2, "two wait")
            await it.type("mine")
            await it.pilot.press("escape")
            await it.idle()
            assert it.draft.split() == ["mine", "steer", "me", "follow", "me"]
            assert it.session.queue == ()
            call = next(entry for entry in it.entries if isinstance(entry, ToolEntry))
            assert call.state is ToolState.STOPPED
            assert kinds(it) == ["UserEntry", "ToolEntry"]


async def test_an_overloaded_model_is_tried_again(tmp_path: Path, version: str) -> None:
    replies: list[Json] = [{"status": 529, "error": {"message": "Overloaded"}}, {"steps": [{"text": "Here you are."}]}]
    with ModelServer(replies) as server:
        async with desk(make_home(tmp_path / "home", server.port, retry_ms=1500), version) as it:
            await it.say("please")
            await it.shows("attempt 1 of 3")
            await it.idle()
            await it.shows("Here you are.")
            assert [entry.retried for entry in it.entries if isinstance(entry, AssistantEntry)] == [True, False]


async def test_a_refusal_of_the_provider_is_shown(tmp_path: Path, version: str) -> None:
    with ModelServer([{"status": 400, "error": {"message": "no [such] model"}}]) as server:
        async with desk(make_home(tmp_path / "home", server.port), version) as it:
            await it.ask("please")
            await it.shows("no [such] model")


async def test_a_conversation_is_compacted_on_demand(tmp_path: Path, version: str) -> None:
    replies: list[Json] = [
        {"steps": [{"text": {"repeat": "Long answer. ", "times": 40}}]},
        {"steps": [{"text": "Short answer."}]},
        {"steps": [{"text": "We spoke at length."}], "when": {"any": "summar"}, "repeat": True},
    ]
    with ModelServer(replies) as server:
        async with desk(make_home(tmp_path / "home", server.port, keep_recent=10), version) as it:
            await it.ask("speak at length")
            await it.ask("and shortly")
            await it.say("/compact")
            await it.until(lambda: any(isinstance(entry, SummaryEntry) for entry in it.entries), "a summary")
            await it.idle()
            summary = next(entry for entry in it.entries if isinstance(entry, SummaryEntry))
            assert "We spoke at length." in summary.summary
            await it.shows("compacted")


async def test_a_shell_command_of_the_persons_own_is_shown_and_kept_out_of_the_context(
    tmp_path: Path, version: str
) -> None:
    with ModelServer() as server:
        async with desk(make_home(tmp_path / "home", server.port), version) as it:
            await it.say("!!echo hello from the shell")
            await it.until(
                lambda: any(isinstance(entry, BashEntry) and not entry.running for entry in it.entries), "its end"
            )
            entry = next(entry for entry in it.entries if isinstance(entry, BashEntry))
            assert (entry.command, entry.exit_code, entry.excluded) == ("echo hello from the shell", 0, True)
            await it.shows("hello from the shell")
            assert server.requests == []


async def test_all_dialogs_and_panels_of_an_extension(tmp_path: Path, version: str) -> None:
    replies: list[Json] = [
        {"steps": [tool("c1", "bash", command="sudo true")]}, {"steps": [{"text": "It was blocked."}]},
    ]
    with ModelServer(replies) as server:
        home = make_home(tmp_path / "home", server.port)
        async with desk(home, version, more=("-e", str(example(version, "rpc-demo.ts")))) as it:
            await it.shows("Loaded and ready.")
            await it.shows("Turns: 0")
            await it.say("/rpc-input")
            await it.until(lambda: it.app.chat.dock.opened, "the question takes keys")
            await it.type("some words")
            await it.pilot.press("enter")
            await it.shows("You entered: some words")
            await it.say("/rpc-editor")
            await it.until(lambda: it.app.chat.dock.opened, "the editor takes keys")
            await it.pilot.press("ctrl+s")
            await it.shows("Editor submitted (3 lines)")
            await it.say("/rpc-prefill")
            await it.until(lambda: "set by the rpc-demo" in it.draft, "the draft is set")
            await it.pilot.press("ctrl+c")
            await it.say("be dangerous")
            await it.until(lambda: it.app.chat.dock.opened, "the gate asks")
            await it.shows("Dangerous command: sudo true")
            await it.pilot.press("2")
            await it.idle()
            await it.shows("Command blocked by user")
            await it.shows("It was blocked.")
            await it.shows("Turn 2 done")


async def test_a_dialog_that_is_dismissed_is_answered_as_cancelled(tmp_path: Path, version: str) -> None:
    with ModelServer() as server:
        home = make_home(tmp_path / "home", server.port)
        async with desk(home, version, more=("-e", str(example(version, "rpc-demo.ts")))) as it:
            await it.type("half a draft")
            it.app.chat.spawn(lambda: it.app.conversation.outbox.prompt("/rpc-input"))
            await it.until(lambda: it.app.chat.dock.opened, "the question takes keys")
            await it.pilot.press("escape")
            await it.shows("Input cancelled")
            assert it.draft == "half a draft"


async def test_a_resumed_session_shows_what_the_live_one_did(tmp_path: Path, version: str) -> None:
    replies: list[Json] = [
        {"steps": [{"thinking": "Think."}, {"text": "First."}, tool("c1", "bash", command="echo hi")]},
        {"steps": [{"text": "Then this."}]},
    ]
    with ModelServer(replies) as server:
        home = make_home(tmp_path / "home", server.port)
        async with desk(home, version) as it:
            await it.ask("go")
            await it.until(lambda: all(getattr(e, "stored_id", "x") for e in picture(it.entries)), "ids are known")
            await it.shows("Then this.")
            file, live = it.session.identity.file, picture(it.entries)
            shown = it.screen()
        assert file is not None
        async with desk(home, version, ["--session", file]) as it:
            await it.shows("Then this.")
            assert picture(it.entries) == live
            assert conversation(it.screen()) == conversation(shown)


async def test_an_agent_killed_in_mid_answer_leaves_the_answer_and_the_draft(tmp_path: Path, version: str) -> None:
    with ModelServer([{"steps": [{"text": "Half an answer "}, {"hang": True}]}]) as server:
        async with desk(make_home(tmp_path / "home", server.port), version) as it:
            await it.say("tell me")
            await it.shows("Half an answer")
            await it.type("my draft")
            it.app.conversation.kill()
            await it.until(lambda: it.session.run.state is RunState.EXITED, "it is gone")
            await it.shows("SIGKILL")
            await it.shows("Half an answer")
            assert it.draft == "my draft"
            await it.pilot.press("f5")
            await it.until(lambda: it.session.run.state is RunState.IDLE, "it is up again")
            assert it.draft == "my draft"
