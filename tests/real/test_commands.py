"""What the person does in pitui's UI reaches the real agent: one test for each group of its commands.

Which command of the protocol each test is about stands in `coverage`, and is held against the recording of the test.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pitui.commands import BY_SLASH
from pitui.render.entries import plain_text
from pitui.rpc.wire import JsonObject
from pitui.screens.picker import PickerScreen
from pitui.screens.reader import ReaderScreen
from pitui.screens.sessions import SessionsScreen
from pitui.screens.tree import TreeScreen
from pitui.session.state import BashEntry, RunState, SummaryEntry, UserEntry
from tests.real.agents import Home, make_home
from tests.real.desk import Desk, desk, example
from tests.real.model_server import Json, ModelServer, message_text

pytestmark = [pytest.mark.anyio, pytest.mark.real]

PROBE = ("-e", str(Path(__file__).with_name("probe.ts")))


def prompts(it: Desk) -> list[str]:
    return [entry.text for entry in it.entries if isinstance(entry, UserEntry)]


def asked(server: ModelServer) -> list[str]:
    """The last user message of each request that the model got."""
    return [
        [message_text(message) for message in body["messages"] if message["role"] == "user"][-1]
        for body in server.requests
    ]


def agent_settings(home: Home) -> JsonObject:
    found: JsonObject = json.loads((home.agent_dir / "settings.json").read_text("utf-8"))
    return found


def model(it: Desk) -> str:
    return it.session.model.id if it.session.model else ""


async def next_model(it: Desk) -> str:
    before = model(it)
    await it.pilot.press("ctrl+p")
    await it.until(lambda: model(it) != before, "another model")
    return model(it)


async def test_models_are_chosen_from_a_list_and_stepped_through(tmp_path: Path, version: str) -> None:
    with ModelServer() as server:
        async with desk(make_home(tmp_path / "home", server.port), version) as it:
            await it.until(lambda: len(it.session.models) == 3, "the models are known")
            await it.pilot.press("ctrl+l")
            await it.pick("mock-plain")
            await it.until(lambda: model(it) == "mock-plain", "it is chosen")
            await it.shows("Mock-Plain")
            await it.pilot.press("shift+tab")
            await it.notices("This model has no thinking levels")
            await it.pilot.press("ctrl+p")
            await it.until(lambda: model(it) == "mock-blocks", "the next one")
            await it.pilot.press("ctrl+shift+p")
            await it.until(lambda: model(it) == "mock-plain", "the one before")
            await it.say("/model mock-think")
            await it.pick()
            await it.until(lambda: model(it) == "mock-think", "by name")
            await it.ask("hello")
            assert [body["model"] for body in server.requests] == ["mock-think"]


async def test_the_only_model_has_no_next_one(tmp_path: Path, version: str) -> None:
    with ModelServer() as server:
        home = make_home(tmp_path / "home", server.port)
        async with desk(home, version, ["--models", "mock/mock-plain"]) as it:
            await it.pilot.press("ctrl+p")
            await it.notices("There is only one model")


async def test_the_models_to_cycle_through_are_edited_in_the_agents_settings(tmp_path: Path, version: str) -> None:
    with ModelServer() as server:
        home = make_home(tmp_path / "home", server.port)
        before = agent_settings(home)
        async with desk(home, version) as it:
            for name in ("mock-plain", "mock-blocks"):
                await it.say("/scoped-models")
                await it.until(lambda: isinstance(it.app.screen, PickerScreen), "the list")
                await it.type(name)
                await it.pilot.press("enter")
                await it.shows("[x]")
                await it.back()
            await it.notices("hold from the agent's next start")
            assert agent_settings(home) == before | {"enabledModels": ["mock/mock-plain", "mockblocks/mock-blocks"]}
            await it.say("/restart")
            await it.until(lambda: it.session.run.state is RunState.STARTING, "it starts again")
            await it.idle()
            assert {await next_model(it), await next_model(it)} == {"mock-plain", "mock-blocks"}


async def test_thinking_levels_are_chosen_and_stepped_through(tmp_path: Path, version: str) -> None:
    with ModelServer() as server:
        async with desk(make_home(tmp_path / "home", server.port), version) as it:
            await it.until(lambda: "high" in it.session.thinking_levels, "the levels are known")
            await it.say("/thinking high")
            await it.until(lambda: it.session.thinking_level == "high", "by name")
            await it.shows("high thinking")
            await it.pilot.press("shift+tab")
            await it.until(lambda: it.session.thinking_level != "high", "the next one")
            await it.say("/thinking")
            await it.pick("low")
            await it.until(lambda: it.session.thinking_level == "low", "from the list")
            await it.say("/thinking deep")
            await it.notices("There is no thinking level 'deep'")


async def test_modes_and_switches_are_the_agents_own_settings(tmp_path: Path, version: str) -> None:
    with ModelServer() as server:
        home = make_home(tmp_path / "home", server.port)
        async with desk(home, version) as it:
            for line, told in (
                ("/steering-mode", "Steering messages are delivered all together"),
                ("/follow-up-mode", "Follow-ups are delivered all together"),
                ("/auto-compact", "Compacts by itself: no"),
                ("/auto-retry", "Retries by itself: no"),
            ):
                await it.say(line)
                await it.notices(told)
        settings = agent_settings(home)
        assert (settings["steeringMode"], settings["followUpMode"]) == ("all", "all")
        assert settings["compaction"] == {"keepRecentTokens": 20000, "enabled": False}
        assert settings["retry"] == {"baseDelayMs": 50, "enabled": False}


async def test_a_session_is_named_counted_copied_and_exported(tmp_path: Path, version: str) -> None:
    with ModelServer([{"steps": [{"text": "The answer."}]}]) as server:
        home = make_home(tmp_path / "home", server.port)
        async with desk(home, version) as it:
            await it.pilot.press("ctrl+x")
            await it.notices("There is no answer to copy yet")
            await it.ask("the question")
            await it.say("/name Deep [thought]")
            await it.until(lambda: it.session.identity.name == "Deep [thought]", "it has its name")
            await it.shows("Deep [thought]")
            await it.say("/session")
            await it.shows("mock/mock-think")
            await it.shows("1 from you, 1 answers")
            await it.back()
            await it.pilot.press("ctrl+x")
            await it.notices("clipboard")
            await it.say("/export out.html")
            await it.notices(f"Exported to {home.project / 'out.html'}")
        assert "</html>" in (home.project / "out.html").read_text("utf-8")


async def test_sessions_are_forked_cloned_begun_and_resumed(tmp_path: Path, version: str) -> None:
    with ModelServer() as server:
        home = make_home(tmp_path / "home", server.port)
        async with desk(home, version) as it:
            await it.ask("first prompt")
            await it.ask("second prompt")
            first = it.session.identity
            await it.say("/fork")
            await it.pick("second")
            await it.until(lambda: it.draft == "second prompt", "its text is back")
            await it.until(lambda: prompts(it) == ["first prompt"], "the fork is shown")
            assert it.session.identity.file != first.file
            await it.pilot.press("ctrl+c")
            fork = it.session.identity
            await it.say("/clone")
            await it.notices("This is a copy of the session")
            await it.until(lambda: prompts(it) == ["first prompt"], "the copy is shown")
            assert it.session.identity.file not in (first.file, fork.file)
            await it.say("/new")
            await it.until(lambda: it.entries == (), "a new session")
            await it.say("/resume")
            await it.until(lambda: isinstance(it.app.screen, SessionsScreen), "the list of sessions")
            await it.shows("first prompt")
            await it.type("second prompt")
            await it.shows("… second prompt")
            await it.pilot.press("enter")
            await it.until(lambda: prompts(it) == ["first prompt", "second prompt"], "the first session is shown")
            assert it.session.identity.file == first.file


async def test_an_extension_may_keep_a_session(tmp_path: Path, version: str) -> None:
    with ModelServer() as server:
        home = make_home(tmp_path / "home", server.port)
        extension = ("-e", str(example(version, "confirm-destructive.ts")))
        async with desk(home, version, more=extension) as it:
            await it.ask("keep me")
            old = it.session.identity.id
            await it.type("a draft")
            it.app.chat.run_command("new_session", "")
            await it.dialog()
            await it.shows("Clear session?")
            await it.pilot.press("n")
            await it.notices("An extension kept the session as it is")
            assert (it.session.identity.id, prompts(it), it.draft) == (old, ["keep me"], "a draft")
            await it.pilot.press("ctrl+c")
            await it.say("/fork")
            await it.pick()
            await it.dialog()
            await it.pilot.press("2")
            await it.notices("Fork cancelled")
            await it.until(lambda: not it.session.dialogs, "the question is gone")
            assert (it.session.identity.id, prompts(it), it.draft) == (old, ["keep me"], "")
            await it.say("/new")
            await it.dialog()
            await it.pilot.press("y")
            await it.until(lambda: it.session.identity.id != old and not prompts(it), "a new session")


async def test_the_tree_is_made_of_entries_and_forks(tmp_path: Path, version: str) -> None:
    with ModelServer() as server:
        async with desk(make_home(tmp_path / "home", server.port), version) as it:
            await it.ask("a first prompt")
            await it.ask("a second prompt")
            await it.say("/tree")
            await it.until(lambda: isinstance(it.app.screen, TreeScreen), "the tree")
            await it.shows("a second prompt")
            await it.pilot.press("up", "enter")
            await it.until(lambda: it.app.screen is it.app.chat, "it is closed")
            await it.until(lambda: it.draft.endswith("prompt"), "the prompt comes back")


async def test_shell_commands_run_and_stop(tmp_path: Path, version: str) -> None:
    with ModelServer() as server:
        async with desk(make_home(tmp_path / "home", server.port), version) as it:

            def shells() -> list[BashEntry]:
                return [entry for entry in it.entries if isinstance(entry, BashEntry)]

            await it.say("!echo seen by the model")
            await it.until(lambda: [entry.exit_code for entry in shells()] == [0], "it has ended")
            await it.say("!echo started; sleep 60")
            await it.until(lambda: len(shells()) == 2 and "started" in shells()[1].output, "it writes")
            await it.pilot.press("escape")
            await it.until(lambda: not shells()[1].running, "it is stopped")
            assert shells()[1].cancelled
            await it.ask("what did it say?")
            assert "seen by the model" in json.dumps(server.requests[0])


async def test_a_pause_before_another_attempt_can_be_ended(tmp_path: Path, version: str) -> None:
    replies: list[Json] = [{"status": 529, "error": {"message": "Overloaded"}, "repeat": True}]
    with ModelServer(replies) as server:
        async with desk(make_home(tmp_path / "home", server.port, retry_ms=60000), version) as it:
            await it.say("please")
            await it.shows("attempt 1 of 3")
            await it.pilot.press("escape")
            await it.idle()
            await it.shows("Overloaded")
            assert len(server.requests) == 1


async def test_a_summary_that_fails_is_tried_again(tmp_path: Path, version: str) -> None:
    replies: list[Json] = [
        {"steps": [{"text": {"repeat": "Long answer. ", "times": 40}}]},
        {"steps": [{"text": "Short answer."}]},
        {"status": 529, "error": {"message": "Overloaded"}, "when": {"any": "summar"}},
        {"steps": [{"text": "We spoke at length."}], "when": {"any": "summar"}, "repeat": True},
    ]
    with ModelServer(replies) as server:
        home = make_home(tmp_path / "home", server.port, retry_ms=3000, keep_recent=10)
        async with desk(home, version) as it:
            await it.ask("speak at length")
            await it.ask("and shortly")
            await it.say("/compact keep the [numbers]")
            await it.shows("attempt 1 of 3")
            await it.until(lambda: any(isinstance(entry, SummaryEntry) for entry in it.entries), "a summary")
            await it.idle()
            await it.shows("compacted")
        assert '"customInstructions":"keep the [numbers]"' in (home.root / "wire0.jsonl").read_text("utf-8")


OF_PI = (
    "settings", "model", "thinking", "scoped-models", "login", "logout", "new", "resume", "name", "session", "tree",
    "fork", "clone", "compact", "import", "export", "copy", "share", "bug", "trust", "reload", "hotkeys", "changelog",
)
"""pi's own slash commands, but for `/quit`, which ends the program, and the extensions `/mcp` and `/llama`."""


async def test_no_command_of_pis_own_reaches_the_model(tmp_path: Path, version: str) -> None:
    assert {*OF_PI, "quit"} < set(BY_SLASH)
    with ModelServer() as server:
        async with desk(make_home(tmp_path / "home", server.port), version) as it:
            for name in OF_PI:
                await it.say(f"/{name}")
                await it.until(lambda: it.draft == "", "the composer lets go")
                await it.idle()
                await it.pilot.pause()
                await it.back()
        assert server.requests == []


async def test_a_slash_nobody_knows_is_asked_about_and_a_path_is_a_prompt(tmp_path: Path, version: str) -> None:
    with ModelServer() as server:
        async with desk(make_home(tmp_path / "home", server.port), version) as it:
            await it.say("/nonsense please")
            await it.until(lambda: isinstance(it.app.screen, PickerScreen), "the question")
            await it.shows("There is no command /nonsense")
            await it.back()
            assert (it.draft, server.requests) == ("/nonsense please", [])
            await it.pilot.press("enter")
            await it.pick("send")
            await it.until(lambda: prompts(it) == ["/nonsense please"], "it is sent")
            await it.idle()
            await it.ask("/home/me/app.py explain")
            assert asked(server) == ["/nonsense please", "/home/me/app.py explain"]


async def test_templates_skills_and_extensions_are_in_the_menu_and_run(tmp_path: Path, version: str) -> None:
    with ModelServer() as server:
        home = make_home(tmp_path / "home", server.port)
        prompt, skill = home.agent_dir / "prompts", home.agent_dir / "skills" / "juggle"
        prompt.mkdir()
        skill.mkdir(parents=True)
        (prompt / "greet.md").write_text("---\ndescription: Greets\n---\nSay hello to $1.\n", "utf-8")
        (skill / "SKILL.md").write_text(
            "---\nname: juggle\ndescription: Juggles balls\n---\nKeep three balls in the air.\n", "utf-8")
        async with desk(home, version, more=PROBE) as it:
            await it.until(lambda: {"greet", "skill:juggle", "probe-fail"} <= {c.name for c in it.session.commands},
                           "they are known")
            for typed, row in (("/gree", "Greets prompt"), ("/jugg", "Juggles balls skill"),
                               ("/probe-fai", "Fails extension"), ("/clon", "pitui")):
                await it.type(typed)
                await it.shows(row)
                await it.pilot.press("escape", "ctrl+u")
            await it.ask("/greet Ann")
            await it.ask("/skill:juggle now")
            first, second = asked(server)
            assert first.strip() == "Say hello to Ann."
            assert "Keep three balls in the air." in second


async def test_what_is_new_is_told_of_pitui_and_the_agent(tmp_path: Path, version: str) -> None:
    with ModelServer() as server:
        async with desk(make_home(tmp_path / "home", server.port), version) as it:
            await it.say("/changelog")
            await it.until(lambda: isinstance(it.app.screen, ReaderScreen), "it opens")
            assert isinstance(it.app.screen, ReaderScreen)
            text = plain_text(it.app.screen.entry)
            assert f"[{version}]" in text[text.index("# The agent") :]


async def test_the_model_a_virtual_one_leads_to_is_shown(tmp_path: Path) -> None:
    (tmp_path / "router.ts").write_text(
        "export default function (pi: any) { pi.registerVirtualModel({ provider: 'router', id: 'auto', name: 'Auto',"
        " thinkingLevels: ['low'], route: (_request: any, ctx: any) =>"
        " ({ model: ctx.modelRegistry.find('mock', 'mock-plain'), thinkingLevel: 'off' }) }); }\n", "utf-8")
    with ModelServer() as server:
        home = make_home(tmp_path / "home", server.port)
        async with desk(home, "1.6.0", more=("-e", str(tmp_path / "router.ts"))) as it:
            await it.say("/model auto")
            await it.pick()
            await it.until(lambda: model(it) == "auto", "it is chosen")
            await it.ask("hello")
            await it.shows("Auto → mock-plain")
