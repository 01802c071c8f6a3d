"""Project trust: what needs it, whose answer counts, and what an answer writes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from textual.app import App

from pitui.agent.trust import RESOURCES, TrustChoice, Verdict, choices, decide, judge, resources_of, save_trust
from pitui.catalog.cards import SessionCard
from pitui.render.palette import default_palette
from pitui.screens.ask import AskScreen
from pitui.screens.decisions import MissingFolder, missing_folder_screen, trust_screen
from pitui.store.jsonfile import FileTrouble
from pitui.store.settings import PiSettings


@pytest.mark.parametrize(
    ("needed", "saved", "default", "verdict"),
    [
        (False, None, "ask", Verdict.NOTHING),
        (False, False, "never", Verdict.NOTHING),
        (True, True, "never", Verdict.APPROVE),
        (True, False, "always", Verdict.DECLINE),
        (True, None, "always", Verdict.APPROVE),
        (True, None, "never", Verdict.DECLINE),
        (True, None, "ask", Verdict.ASK),
        (True, None, "something new", Verdict.ASK),
    ],
)
def test_a_saved_answer_beats_the_setting_and_nothing_needs_none(
    needed: bool, saved: bool | None, default: str, verdict: Verdict
) -> None:
    assert judge(needed, saved, default) == verdict


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with an extension, below a folder of projects."""
    cwd = tmp_path / "home" / "work" / "project"
    (cwd / ".pi" / "extensions").mkdir(parents=True)
    return cwd


@pytest.fixture
def agent(tmp_path: Path) -> Path:
    folder = tmp_path / "home" / ".pi" / "agent"
    folder.mkdir(parents=True)
    return folder


@pytest.mark.parametrize("name", RESOURCES)
def test_every_resource_needs_trust(tmp_path: Path, name: str) -> None:
    (tmp_path / ".pi" / name).mkdir(parents=True)
    assert resources_of(tmp_path, tmp_path / "home") == (tmp_path / ".pi" / name,)


def test_a_bare_folder_and_context_files_need_none(tmp_path: Path) -> None:
    (tmp_path / ".pi" / "notes").mkdir(parents=True)
    (tmp_path / "AGENTS.md").touch()
    assert resources_of(tmp_path, tmp_path / "home") == ()


def test_skills_above_need_trust_and_the_persons_own_do_not(tmp_path: Path) -> None:
    home = tmp_path / "home"
    cwd = home / "work" / "project"
    cwd.mkdir(parents=True)
    (home / ".agents" / "skills").mkdir(parents=True)
    assert resources_of(cwd, home) == ()
    assert resources_of(home, home) == ()
    (home / "work" / ".agents" / "skills").mkdir(parents=True)
    assert resources_of(cwd, home) == (home / "work" / ".agents" / "skills",)


def verdict(project: Path, agent: Path, **settings: str) -> tuple[Verdict, Path | None]:
    decision = decide(project, agent, PiSettings.model_validate(settings), project.parent.parent)
    return decision.verdict, decision.saved


def test_the_nearest_saved_answer_counts_and_null_is_none(project: Path, agent: Path) -> None:
    above = project.parent
    (agent / "trust.json").write_text(json.dumps({str(above.parent): False, str(above): True, str(project): None}))
    assert verdict(project, agent) == (Verdict.APPROVE, above)


def test_a_link_is_judged_by_where_it_leads(project: Path, agent: Path, tmp_path: Path) -> None:
    (agent / "trust.json").write_text(json.dumps({str(project): True}))
    (tmp_path / "link").symlink_to(project)
    assert decide(tmp_path / "link", agent, PiSettings.model_validate({}), tmp_path).verdict is Verdict.APPROVE


def test_without_an_answer_the_setting_decides(project: Path, agent: Path) -> None:
    assert verdict(project, agent) == (Verdict.ASK, None)
    assert verdict(project, agent, defaultProjectTrust="always") == (Verdict.APPROVE, None)


@pytest.mark.parametrize("text", ["{", "[]", '{"/x": "yes"}', '{"/x": 1}'])
def test_answers_that_cannot_be_read_are_asked_for_and_never_overwritten(
    project: Path, agent: Path, text: str
) -> None:
    (agent / "trust.json").write_text(text)
    decision = decide(project, agent, PiSettings.model_validate({}), project.parent.parent)
    assert decision.verdict is Verdict.ASK
    assert "trust.json" in decision.problem
    assert [choice.updates for choice in choices(decision)] == [(), ()]
    with pytest.raises(FileTrouble):
        save_trust(agent, [(project, True)])
    assert (agent / "trust.json").read_text() == text


def test_the_five_answers(project: Path, agent: Path) -> None:
    decision = decide(project, agent, PiSettings.model_validate({}), project.parent.parent)
    assert choices(decision) == (
        TrustChoice("Trust", True, ((project, True),)),
        TrustChoice(
            f"Trust the folder above ({project.parent})", True, ((project.parent, True), (project, None))
        ),
        TrustChoice("Trust, this session only", True),
        TrustChoice("Do not trust", False, ((project, False),)),
        TrustChoice("Do not trust, this session only", False),
    )
    assert [choice.flag for choice in choices(decision)] == ["--approve"] * 3 + ["--no-approve"] * 2


def test_the_root_has_no_folder_above(agent: Path) -> None:
    decision = decide(Path("/"), agent, PiSettings.model_validate({}), Path("/home"))
    assert len(choices(decision)) == 4


def test_saving_keeps_other_answers_sorts_them_and_drops_nulls_own_key(project: Path, agent: Path) -> None:
    (agent / "trust.json").write_text(json.dumps({"/z": True, "/a": None, str(project): False}))
    save_trust(agent, [(project.parent, True), (project, None)])
    text = (agent / "trust.json").read_text()
    assert text == json.dumps({"/a": None, str(project.parent): True, "/z": True}, indent=2) + "\n"
    assert not (agent / "trust.json.lock").exists()


def test_an_answer_for_this_session_writes_nothing(agent: Path) -> None:
    save_trust(agent, ())
    assert list(agent.iterdir()) == []


def test_a_lock_the_agent_holds_is_respected(project: Path, agent: Path) -> None:
    (agent / "trust.json.lock").mkdir()
    with pytest.raises(FileTrouble, match="being written by another program"):
        save_trust(agent, [(project, True)])


class Host(App[None]):
    def __init__(self) -> None:
        super().__init__()
        self.answers: list[object] = []


@pytest.mark.anyio
async def test_enter_by_mistake_trusts_nothing_and_the_project_is_shown_as_text(project: Path, agent: Path) -> None:
    (project / ".pi" / "SYSTEM.md").touch()
    decision = decide(project, agent, PiSettings.model_validate({}), project.parent.parent)
    app = Host()
    async with app.run_test(size=(80, 24)) as pilot:
        app.push_screen(trust_screen(decision, default_palette(dark=True)), app.answers.append)
        await pilot.pause()
        await pilot.press("enter")
        assert app.answers == [TrustChoice("Do not trust, this session only", False)]


@pytest.mark.anyio
async def test_an_answer_is_chosen_with_the_arrows(project: Path, agent: Path) -> None:
    decision = decide(project, agent, PiSettings.model_validate({}), project.parent.parent)
    app = Host()
    async with app.run_test(size=(80, 24)) as pilot:
        app.push_screen(trust_screen(decision, default_palette(dark=True)), app.answers.append)
        await pilot.pause()
        await pilot.press("home", "enter")
        assert app.answers == [TrustChoice("Trust", True, ((project, True),))]


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("keys", "answer"),
    [(["enter"], MissingFolder.CONTINUE), (["down", "enter"], MissingFolder.FORK), (["escape"], None)],
)
async def test_a_folder_that_is_gone_offers_to_continue_to_fork_or_to_stay(
    keys: list[str], answer: MissingFolder | None
) -> None:
    card = SessionCard("/s.jsonl", cwd="/gone/[bold]")
    app = Host()
    async with app.run_test(size=(80, 24)) as pilot:
        app.push_screen(missing_folder_screen(card, Path("/here"), default_palette(dark=True)), app.answers.append)
        await pilot.pause()
        assert isinstance(app.screen, AskScreen)
        await pilot.press(*keys)
        assert app.answers == [answer]
