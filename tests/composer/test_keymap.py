"""Keys: the agent's whole table, people's files, and what Textual is told."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.binding import Binding
from textual.keys import Keys

from pitui.keys.keymap import (
    UNBOUND,
    BadKey,
    default_keys,
    parse_keys,
    platform_of,
    read_keys,
    resolve,
    translate,
)
from pitui.keys.keytable import OLD_IDS, PI_ACTIONS, PITUI_ACTIONS, KeyAction
from pitui.widgets.composer import Composer
from pitui.widgets.editor import Editor

# Every action id of the agent's docs/keybindings.md, version 1.6.0.
PI_IDS = re.findall(r"\S+", """
tui.editor.cursorUp tui.editor.cursorDown tui.editor.historyPrevious tui.editor.historyNext tui.editor.cursorLeft
tui.editor.cursorRight tui.editor.cursorWordLeft tui.editor.cursorWordRight tui.editor.cursorLineStart
tui.editor.cursorLineEnd tui.editor.jumpForward tui.editor.jumpBackward tui.editor.pageUp tui.editor.pageDown
tui.editor.deleteCharBackward tui.editor.deleteCharForward tui.editor.deleteWordBackward tui.editor.deleteWordForward
tui.editor.deleteToLineStart tui.editor.deleteToLineEnd tui.editor.yank tui.editor.yankPop tui.editor.undo
tui.input.newLine tui.input.submit tui.input.tab tui.input.copy
tui.select.up tui.select.down tui.select.pageUp tui.select.pageDown tui.select.confirm tui.select.cancel
tui.altScreen.pageUp tui.altScreen.pageDown tui.altScreen.halfPageUp tui.altScreen.halfPageDown tui.altScreen.lineUp
tui.altScreen.lineDown tui.altScreen.previousPrompt tui.altScreen.nextPrompt tui.altScreen.search
tui.altScreen.searchNext tui.altScreen.searchPrevious tui.altScreen.searchClose tui.altScreen.top tui.altScreen.bottom
app.interrupt app.clear app.exit app.suspend app.editor.external app.clipboard.pasteImage
app.session.new app.session.tree app.session.fork app.session.resume app.session.togglePath app.session.toggleSort
app.session.toggleNamedFilter app.session.rename app.session.delete app.session.deleteNoninvasive
app.model.select app.model.cycleForward app.model.cycleBackward app.models.save app.thinking.cycle app.thinking.save
app.thinking.toggle app.tools.expand app.message.copy app.message.followUp app.message.dequeue
app.tree.foldOrUp app.tree.unfoldOrDown app.tree.editLabel app.tree.toggleLabelTimestamp app.tree.filter.default
app.tree.filter.noTools app.tree.filter.userOnly app.tree.filter.labeledOnly app.tree.filter.all
app.tree.filter.cycleForward app.tree.filter.cycleBackward
app.models.enableAll app.models.clearAll app.models.toggleProvider app.models.reorderUp app.models.reorderDown
""")

ALL = (*PI_ACTIONS, *PITUI_ACTIONS)


def test_the_table_holds_every_id_of_the_agent_and_no_other() -> None:
    assert sorted(action.id for action in PI_ACTIONS) == sorted(PI_IDS)


@pytest.mark.parametrize("action", ALL, ids=lambda action: action.id)
def test_an_id_has_an_action_or_a_reason_why_not(action: KeyAction) -> None:
    assert bool(action.action) != bool(action.reason)


@pytest.mark.parametrize("action", ALL, ids=lambda action: action.id)
@pytest.mark.parametrize("platform", ["", "windows", "wsl"])
def test_every_default_key_is_one_textual_knows(action: KeyAction, platform: str) -> None:
    for key in default_keys(action, platform):
        assert translate(key)


@pytest.mark.parametrize(
    "action", [action for action in ALL if action.id.startswith(("tui.editor", "tui.input", "pitui.editor"))],
    ids=lambda action: action.id,
)
def test_every_editor_id_is_bound_in_the_composer_to_an_action_it_has(action: KeyAction) -> None:
    bound = [
        hasattr(node, "action_" + binding.action.partition("(")[0])
        for node in (Composer, Editor)
        for binding in node.BINDINGS
        if isinstance(binding, Binding) and binding.id == action.id
    ]
    assert bound
    assert all(bound)


@pytest.mark.parametrize(
    ("key", "textual"),
    [
        ("ctrl+]", ("ctrl+right_square_bracket",)),
        ("ctrl+alt+]", ("alt+ctrl+right_square_bracket",)),
        ("alt+ctrl+x", ("alt+ctrl+x",)),
        ("shift+ctrl+p", ("ctrl+shift+p",)),
        ("pageUp", ("pageup",)),
        ("esc", ("escape",)),
        ("return", ("enter",)),
        ("ctrl+-", ("ctrl+minus", "ctrl+underscore")),
        ("shift+l", ("L", "shift+l")),
        ("ctrl++", ("ctrl+plus",)),
        ("+", ("plus",)),
        ("super+k", ("super+k",)),
        ("Ctrl+A", ("ctrl+a",)),
        ("f12", ("f12",)),
        ("?", ("question_mark",)),
    ],
)
def test_the_agents_keys_have_textuals_names(key: str, textual: tuple[str, ...]) -> None:
    assert translate(key) == textual


@pytest.mark.parametrize("key", ["", "hyper+a", "ctrl+ctrl+a", "ctrl+", "f13", "ab", "ctrl+é"])
def test_a_key_that_does_not_exist_is_refused(key: str) -> None:
    with pytest.raises(BadKey):
        translate(key)


def test_the_names_of_special_keys_are_textuals() -> None:
    known = {key.value for key in Keys}
    assert {translate(key)[0] for key in ("pageUp", "pageDown", "home", "end", "insert", "delete", "tab")} <= known


def test_a_key_file_replaces_unbinds_and_leaves_the_rest() -> None:
    keymap = resolve([parse_keys('{"tui.input.submit": ["ctrl+x", "f5"], "app.model.select": [], "app.exit": "f6"}')])
    assert keymap.keys["tui.input.submit"] == ("ctrl+x", "f5")
    assert keymap.textual["app.model.select"] == UNBOUND
    assert keymap.textual["app.exit"] == "f6"
    assert keymap.keys["tui.editor.undo"] == ("ctrl+-",)


def test_a_byte_order_mark_and_a_schema_are_no_problem() -> None:
    file = parse_keys('\ufeff{"$schema": "https://pi.dev/x.json", "app.exit": "f6"}')
    assert (dict(file.keys), file.problems) == ({"app.exit": ("f6",)}, ())


@pytest.mark.parametrize(("old", "new"), OLD_IDS.items())
def test_an_old_id_is_taken_for_the_new_one(old: str, new: str) -> None:
    assert new in PI_IDS
    assert dict(parse_keys(json.dumps({old: "f6"})).keys) == {new: ("f6",)}


def test_the_new_id_wins_over_the_old_one_in_the_same_file() -> None:
    assert dict(parse_keys('{"app.exit": "f6", "exit": "f7"}').keys) == {"app.exit": ("f6",)}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("nonsense", "is no JSON"),
        ("[]", "an object of ids is expected"),
        ('{"app.exit": 3}', "must be a key or a list of keys"),
        ('{"app.exit": "hyper+x"}', "unknown modifier “hyper”"),
        ('{"app.nothing": "f6"}', "unknown key id “app.nothing”"),
    ],
)
def test_what_cannot_be_used_is_said_and_the_defaults_stay(text: str, problem: str) -> None:
    keymap = resolve([parse_keys(text)])
    assert [problem in said for said in keymap.problems] == [True]
    assert keymap.keys["app.exit"] == ("ctrl+d",)


def test_a_conflict_a_person_made_is_reported() -> None:
    keymap = resolve([parse_keys('{"app.session.new": "ctrl+l"}')])
    assert keymap.problems == ("ctrl+l is bound to app.session.new and app.model.select",)


@pytest.mark.parametrize("platform", ["", "windows", "wsl"])
def test_the_defaults_are_no_conflict(platform: str) -> None:
    assert resolve(platform=platform).problems == ()


def test_the_transcripts_and_the_apps_keys_go_before_the_editors() -> None:
    keymap = resolve([parse_keys('{"app.session.new": "ctrl+f"}')])
    assert keymap.textual["tui.editor.pageUp"] == "ctrl+pageup"
    assert keymap.textual["tui.editor.cursorRight"] == "right"


def test_history_keys_go_before_the_apps() -> None:
    keymap = resolve([parse_keys('{"tui.editor.historyPrevious": "ctrl+p"}')])
    assert keymap.textual["tui.editor.historyPrevious"] == "ctrl+p"


def test_a_later_file_goes_over_an_earlier_one() -> None:
    keymap = resolve([parse_keys('{"app.exit": "f6"}'), parse_keys('{"app.exit": "f7"}')])
    assert keymap.hint("app.exit") == "f7"


def test_windows_and_wsl_have_their_own_defaults() -> None:
    assert [resolve(platform=platform).keys["tui.editor.undo"] for platform in ("", "windows", "wsl")] == [
        ("ctrl+-",), ("ctrl+z",), ("alt+z",),
    ]
    assert [resolve(platform=platform).keys["app.suspend"] for platform in ("windows", "wsl")] == [(), ("ctrl+z",)]


@pytest.mark.parametrize(
    ("system", "environ", "platform"),
    [
        ("win32", {}, "windows"), ("linux", {"WSL_DISTRO_NAME": "Debian"}, "wsl"), ("linux", {}, ""),
        ("darwin", {"WSL_INTEROP": "x"}, ""),
    ],
)
def test_the_platform_is_read_from_the_environment(system: str, environ: dict[str, str], platform: str) -> None:
    assert platform_of(system, environ) == platform


def test_a_missing_key_file_says_nothing(tmp_path: Path) -> None:
    assert read_keys(tmp_path / "keybindings.json").problems == ()


def test_a_key_file_that_is_a_folder_is_a_problem(tmp_path: Path) -> None:
    assert len(read_keys(tmp_path).problems) == 1


@given(st.text() | st.dictionaries(st.text(), st.none() | st.text() | st.lists(st.text())).map(json.dumps))
def test_no_file_makes_it_fail(text: str) -> None:
    assert set(resolve([parse_keys(text)]).textual) == {action.id for action in ALL}
