"""Where sessions are looked for, and what a name on the command line means."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pitui.catalog.folders import (
    SessionFolders,
    SessionNotFound,
    agent_dir,
    encoded,
    find_session,
    fresh_path,
    latest_session,
    missing_folder,
    newest_first,
    session_folders,
)
from pitui.store.settings import PiSettings
from tests.catalog.files import header, said, write

HOME = {"HOME": "/home/user"}
DEFAULTS = PiSettings.model_validate({})
SETTING = PiSettings.model_validate({"sessionDir": "from-setting"})


@pytest.mark.parametrize(
    ("environ", "settings", "option", "here", "shared"),
    [
        ({}, DEFAULTS, None, "/home/user/.pi/agent/sessions/--srv-my project--", False),
        ({"PI_CODING_AGENT_DIR": "~/pi"}, DEFAULTS, None, "/home/user/pi/sessions/--srv-my project--", False),
        ({}, SETTING, None, "/srv/my project/from-setting", True),
        ({"PI_CODING_AGENT_SESSION_DIR": "~/env"}, SETTING, None, "/home/user/env", True),
        ({"PI_CODING_AGENT_SESSION_DIR": "/env"}, SETTING, "../option", "/srv/option", True),
    ],
)
def test_the_option_beats_the_environment_beats_the_setting_beats_the_agents_folder(
    environ: dict[str, str], settings: PiSettings, option: str | None, here: str, shared: bool
) -> None:
    folders = session_folders(Path("/srv/my project"), HOME | environ, settings, option)
    assert (str(folders.here), folders.shared) == (here, shared)


def test_an_empty_variable_is_none() -> None:
    environ = HOME | {"PI_CODING_AGENT_DIR": "", "PI_CODING_AGENT_SESSION_DIR": ""}
    assert agent_dir(environ) == Path("/home/user/.pi/agent")
    assert not session_folders(Path("/srv"), environ, DEFAULTS).shared


@pytest.mark.parametrize(
    ("cwd", "name"),
    [("/", "----"), ("/srv/a", "--srv-a--"), ("/srv/it's 日本", "--srv-it's 日本--"), ("/srv/a:b\\c", "--srv-a-b-c--")],
)
def test_a_folder_is_encoded_as_the_agent_does(cwd: str, name: str) -> None:
    assert encoded(Path(cwd)) == name


def test_a_linked_folder_is_encoded_by_its_real_path(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    assert encoded(tmp_path / "link") == encoded(tmp_path / "real")


def own_folders(root: Path) -> SessionFolders:
    return SessionFolders(Path("/srv/a"), root / "--srv-a--", root, shared=False)


def test_sub_agents_files_below_are_found_and_links_and_hidden_folders_are_not(tmp_path: Path) -> None:
    write(tmp_path / "--srv-a--" / "one.jsonl", [header()])
    write(tmp_path / "--srv-a--" / "one" / "runs" / "two.jsonl", [header()])
    write(tmp_path / ".hidden" / "three.jsonl", [header()])
    write(tmp_path / "--srv-a--" / "notes.txt", [])
    (tmp_path / "loop").symlink_to(tmp_path)
    assert {path.name for path, _ in newest_first(tmp_path)} == {"one.jsonl", "two.jsonl"}


def test_a_missing_root_holds_no_sessions(tmp_path: Path) -> None:
    assert newest_first(tmp_path / "none") == []


def touch(path: Path, seconds: float) -> None:
    os.utime(path, (seconds, seconds))


def test_continue_opens_the_last_written_session_of_the_folder_and_never_a_sub_agents(tmp_path: Path) -> None:
    folders = own_folders(tmp_path)
    for name, age in [("old.jsonl", 100), ("new.jsonl", 200), ("new/sub.jsonl", 300)]:
        touch(write(folders.here / name, [header(cwd="/srv/a")]), age)
    touch(write(folders.here / "broken.jsonl", ["{"]), 400)
    assert latest_session(folders) == folders.here / "new.jsonl"


def test_continue_in_a_shared_folder_takes_only_sessions_of_this_cwd(tmp_path: Path) -> None:
    touch(write(tmp_path / "mine.jsonl", [header(cwd="/srv/a")]), 100)
    touch(write(tmp_path / "other.jsonl", [header(cwd="/srv/b")]), 200)
    assert latest_session(SessionFolders(Path("/srv/a"), tmp_path, tmp_path, shared=True)) == tmp_path / "mine.jsonl"


def test_continue_with_nothing_to_continue_is_none(tmp_path: Path) -> None:
    assert latest_session(own_folders(tmp_path)) is None


def test_an_id_names_the_session_even_when_it_begins_another(tmp_path: Path) -> None:
    folders = own_folders(tmp_path)
    write(folders.here / "a.jsonl", [header("abc", "/srv/a")])
    write(folders.here / "b.jsonl", [header("abcd", "/srv/a")])
    assert find_session("abc", folders).path == folders.here / "a.jsonl"


def test_a_unique_beginning_names_a_session_and_this_folder_comes_first(tmp_path: Path) -> None:
    folders = own_folders(tmp_path)
    write(folders.here / "a.jsonl", [header("abc1", "/srv/a")])
    write(tmp_path / "--srv-b--" / "b.jsonl", [header("abc2", "/srv/b")])
    assert find_session("ab", folders).id == "abc1"
    elsewhere = find_session("abc2", folders)
    assert (elsewhere.cwd, elsewhere.here) == ("/srv/b", False)


def test_a_beginning_of_several_names_none_and_says_which(tmp_path: Path) -> None:
    folders = own_folders(tmp_path)
    for number in range(5):
        write(folders.here / f"{number}.jsonl", [header(f"abc{number}", "/srv/a")])
    with pytest.raises(SessionNotFound, match=r"5 sessions begin with abc: abc0, abc1, abc2 …"):
        find_session("abc", folders)


@pytest.mark.parametrize(
    ("wanted", "words"),
    [
        ("zzz", "No session begins with zzz"),
        ("", "No session is named"),
        ("none.jsonl", "There is no session file"),
        ("./folder", "is not a file"),
        ("./foreign.jsonl", "does not begin with a session header"),
    ],
)
def test_what_names_no_session_is_refused_in_plain_words(tmp_path: Path, wanted: str, words: str) -> None:
    write(tmp_path / "foreign.jsonl", ['{"hello": 1}'])
    (tmp_path / "folder").mkdir()
    with pytest.raises(SessionNotFound, match=words):
        find_session(wanted, SessionFolders(tmp_path, tmp_path, tmp_path, shared=True))


def test_a_path_names_its_file_whatever_its_id(tmp_path: Path) -> None:
    path = write(tmp_path / "x" / "one.jsonl", ["not json", header("s9", str(tmp_path)), said("a", None, "hi")])
    found = find_session("x/one.jsonl", SessionFolders(tmp_path, tmp_path, tmp_path, shared=True))
    assert (found.path, found.id, found.here) == (path, "s9", True)


def test_a_fresh_path_is_named_as_the_agent_names_and_never_taken(tmp_path: Path) -> None:
    first = fresh_path(tmp_path, "a/../b", 0.0)
    assert first.name == "1970-01-01T00-00-00-000Z_a-..-b.jsonl"
    first.touch()
    assert fresh_path(tmp_path, "a/../b", 0.0).name == "1970-01-01T00-00-00-000Z_a-..-b-2.jsonl"


def test_a_folder_that_is_gone_is_told_and_none_at_all_is_not(tmp_path: Path) -> None:
    assert missing_folder(str(tmp_path)) is None
    assert missing_folder("") is None
    assert missing_folder(str(tmp_path / "gone")) == str(tmp_path / "gone")
