"""Settings files: bad values cost only themselves, and writing keeps what is not ours."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest

from pitui.render.lines import ThinkingView
from pitui.rpc.wire import JsonObject
from pitui.store.jsonfile import FileTrouble, update_object
from pitui.store.settings import Settings, load_pi_settings, load_settings, save_pi_settings, save_settings


def test_no_file_means_the_defaults(tmp_path: Path) -> None:
    assert load_settings(tmp_path / "settings.json") == (Settings(), ())


def test_a_saved_setting_is_read_back_and_nothing_else_is_written(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "settings.json"
    save_settings({"thinking": "full", "prose_width": 80}, path)
    assert json.loads(path.read_text()) == {"thinking": "full", "prose_width": 80}
    assert load_settings(path) == (Settings(thinking=ThinkingView.FULL, prose_width=80), ())


def test_a_bad_value_costs_only_itself_and_is_named(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_text('{"theme": "nord", "prose_width": "wide", "bell": "sometimes"}')
    settings, problems = load_settings(path)
    assert settings == Settings(theme="nord")
    assert [problem.split(": ")[1] for problem in problems] == ["prose_width", "bell"]


@pytest.mark.parametrize(
    ("written", "read"), [("true", "auto"), ("false", "off"), ('"blocks"', "blocks"), ('"auto"', "auto")],
)
def test_whether_pictures_are_drawn_may_still_be_yes_or_no(tmp_path: Path, written: str, read: str) -> None:
    path = tmp_path / "settings.json"
    path.write_text(f'{{"show_images": {written}}}')
    settings, problems = load_settings(path)
    assert (settings.show_images, problems) == (read, ())


@pytest.mark.parametrize("text", ["{", "[1]", "\x00", '{"a": ' * 5000])
def test_a_file_that_is_no_object_gives_the_defaults_and_one_problem(tmp_path: Path, text: str) -> None:
    path = tmp_path / "settings.json"
    path.write_text(text)
    settings, problems = load_settings(path)
    assert settings == Settings()
    assert len(problems) == 1


def test_a_file_that_cannot_be_understood_is_never_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_text('{"theme": "nord",}')
    with pytest.raises(FileTrouble, match="not valid JSON"):
        save_settings({"theme": "gruvbox"}, path)
    assert path.read_text() == '{"theme": "nord",}'
    assert [item.name for item in tmp_path.iterdir()] == ["settings.json"]


def test_a_setting_there_is_none_of_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no such setting: colour"):
        save_settings({"colour": "red"}, tmp_path / "settings.json")


def test_a_bad_value_is_refused_before_the_file_is_touched(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="prose_width"):
        save_settings({"prose_width": 3}, tmp_path / "settings.json")
    assert list(tmp_path.iterdir()) == []


def test_unknown_keys_order_indentation_and_permissions_of_the_agents_file_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_text('{\n\t"packages": ["npm:x"],\n\t"défaut": {"a": 1},\n\t"theme": "dark"\n}\n')
    path.chmod(0o600)
    save_pi_settings(tmp_path, {("defaultModel",): "gpt-4.1", ("modelThinkingLevels", "openai/gpt-4.1"): "high"})
    assert path.read_text() == (
        '{\n\t"packages": [\n\t\t"npm:x"\n\t],\n\t"défaut": {\n\t\t"a": 1\n\t},\n\t"theme": "dark",\n'
        '\t"defaultModel": "gpt-4.1",\n\t"modelThinkingLevels": {\n\t\t"openai/gpt-4.1": "high"\n\t}\n}\n'
    )
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_value_of_none_removes_the_key(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_text('{"defaultModel": "a", "compaction": {"enabled": false, "reserveTokens": 1}}')
    save_pi_settings(tmp_path, {("defaultModel",): None, ("compaction", "enabled"): None})
    assert json.loads(path.read_text()) == {"compaction": {"reserveTokens": 1}}


def test_a_lone_surrogate_survives_being_rewritten(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_text(r'{"theme": "\ud83d"}')
    save_pi_settings(tmp_path, {("defaultModel",): "é"})
    assert json.loads(path.read_text()) == {"theme": "\ud83d", "defaultModel": "é"}


def test_a_symbolic_link_stays_one(tmp_path: Path) -> None:
    real = tmp_path / "dotfiles.json"
    real.write_text('{"theme": "dark"}')
    (tmp_path / "settings.json").symlink_to(real)
    save_pi_settings(tmp_path, {("theme",): "light"})
    assert (tmp_path / "settings.json").is_symlink()
    assert json.loads(real.read_text()) == {"theme": "light"}


def test_a_lock_the_agent_holds_is_respected_and_the_file_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_text('{"theme": "dark"}')
    (tmp_path / "settings.json.lock").mkdir()
    with pytest.raises(FileTrouble, match="being written by another program"):
        save_pi_settings(tmp_path, {("theme",): "light"})
    assert path.read_text() == '{"theme": "dark"}'
    assert (tmp_path / "settings.json.lock").is_dir()


def test_a_lock_left_by_a_dead_process_is_taken_over(tmp_path: Path) -> None:
    lock = tmp_path / "settings.json.lock"
    lock.mkdir()
    old = time.time() - 11
    os.utime(lock, (old, old))
    save_pi_settings(tmp_path, {("theme",): "light"})
    assert json.loads((tmp_path / "settings.json").read_text()) == {"theme": "light"}
    assert not lock.exists()


def test_the_lock_is_gone_after_an_error_inside_it(tmp_path: Path) -> None:
    def fail(data: JsonObject) -> JsonObject:
        assert (tmp_path / "x.json.lock").is_dir()
        raise KeyError("inside")

    with pytest.raises(KeyError):
        update_object(tmp_path / "x.json", fail)
    assert list(tmp_path.iterdir()) == []


def project(tmp_path: Path, own: str, of_project: str) -> tuple[Path, Path]:
    agent, cwd = tmp_path / "agent", tmp_path / "work"
    (cwd / ".pi").mkdir(parents=True)
    agent.mkdir()
    (agent / "settings.json").write_text(own)
    (cwd / ".pi" / "settings.json").write_text(of_project)
    return agent, cwd


def test_a_trusted_project_overrides_and_nested_objects_merge(tmp_path: Path) -> None:
    agent, cwd = project(
        tmp_path,
        '{"theme": "dark", "compaction": {"enabled": false, "reserveTokens": 5}}',
        '{"theme": "light", "compaction": {"enabled": true}}',
    )
    settings, problems = load_pi_settings(agent, cwd, trusted=True)
    assert (settings.theme, settings.compaction.enabled, settings.compaction.reserve_tokens) == ("light", True, 5)
    assert problems == ()


def test_a_project_nobody_trusts_sets_only_the_session_folder(tmp_path: Path) -> None:
    agent, cwd = project(tmp_path, '{"theme": "dark"}', '{"theme": "light", "sessionDir": "logs"}')
    settings, _ = load_pi_settings(agent, cwd, trusted=False)
    assert (settings.theme, settings.session_dir) == ("dark", "logs")


def test_a_project_cannot_declare_itself_trusted(tmp_path: Path) -> None:
    agent, cwd = project(tmp_path, "{}", '{"defaultProjectTrust": "always"}')
    assert load_pi_settings(agent, cwd, trusted=True)[0].default_project_trust == "ask"


def test_odd_values_of_the_agents_settings_become_its_defaults(tmp_path: Path) -> None:
    agent, cwd = project(
        tmp_path, '{"treeFilterMode": "zebra", "steeringMode": 3, "compaction": null, "enabledModels": "x"}', "nonsense"
    )
    settings, problems = load_pi_settings(agent, cwd, trusted=True)
    assert (settings.tree_filter_mode, settings.steering_mode) == ("default", "one-at-a-time")
    assert (settings.compaction.enabled, settings.enabled_models) == (True, ())
    assert len(problems) == 1
