"""Changing a session file: a name, the trash, a copy."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pitui.catalog.cards import read_session
from pitui.catalog.edit import NoTrash, delete_session, import_session, rename_session, trash_session
from pitui.catalog.lock import SessionHeld, SessionLock
from pitui.store.jsonfile import FileTrouble
from tests.catalog.files import header, said, write


def name_of(path: Path) -> str:
    reading = read_session(path, 1, 1.0)
    assert reading is not None
    return reading.card.name


def test_a_name_is_one_line_below_the_last_entry(tmp_path: Path) -> None:
    path = write(tmp_path / "s.jsonl", [header(), said("a", None, "hi"), said("b", "a", "ho")])
    rename_session(path, " A\nnew  name ", 1767225600.5, tmp_path)
    record = json.loads(path.read_text().splitlines()[-1])
    assert record.pop("id")
    assert record == {
        "type": "session_info", "parentId": "b", "timestamp": "2026-01-01T00:00:00.500Z", "name": "A new name"
    }


def test_an_empty_name_takes_the_name_away(tmp_path: Path) -> None:
    path = write(tmp_path / "s.jsonl", [header(), said("a", None, "hi")])
    rename_session(path, "x", 1.0, tmp_path)
    assert name_of(path) == "x"
    rename_session(path, "", 2.0, tmp_path)
    assert name_of(path) == ""


def test_a_last_line_that_was_cut_off_is_kept_apart(tmp_path: Path) -> None:
    path = write(tmp_path / "s.jsonl", [header(), said("a", None, "hi")])
    path.write_text(path.read_text() + '{"type":"mess')
    rename_session(path, "x", 1.0, tmp_path)
    assert path.read_text().split("\n")[2] == '{"type":"mess'
    assert name_of(path) == "x"


def test_a_file_with_only_a_header_can_be_named(tmp_path: Path) -> None:
    path = write(tmp_path / "s.jsonl", [header()])
    rename_session(path, "x", 1.0, tmp_path)
    assert json.loads(path.read_text().splitlines()[-1])["parentId"] is None


def test_a_held_session_is_left_alone(tmp_path: Path) -> None:
    path = write(tmp_path / "s.jsonl", [header()])
    with SessionLock(path, 1.0, tmp_path):
        for change in (trash_session, delete_session):
            with pytest.raises(SessionHeld):
                change(path, 1.0, tmp_path)
        with pytest.raises(SessionHeld):
            rename_session(path, "x", 1.0, tmp_path)
    assert path.read_text().count("\n") == 1


def test_what_is_gone_cannot_be_changed_and_that_is_said(tmp_path: Path) -> None:
    gone = tmp_path / "gone.jsonl"
    with pytest.raises(FileTrouble, match="cannot be renamed"):
        rename_session(gone, "x", 1.0, tmp_path)
    with pytest.raises(FileTrouble, match="not there any more"):
        trash_session(gone, 1.0, tmp_path)
    with pytest.raises(FileTrouble, match="cannot be deleted"):
        delete_session(gone, 1.0, tmp_path)


def test_the_trash_has_the_file_afterwards(tmp_path: Path, trash: Path) -> None:
    path = write(tmp_path / "to-throw-away.jsonl", [header()])
    trash_session(path, 1.0, tmp_path)
    assert not path.exists()
    assert (trash / "files" / "to-throw-away.jsonl").exists()


def test_without_a_trash_the_file_stays(tmp_path: Path, no_trash: None) -> None:
    path = write(tmp_path / "s.jsonl", [header()])
    with pytest.raises(NoTrash):
        trash_session(path, 1.0, tmp_path)
    assert path.exists()


def test_deleting_for_good_deletes_only_that_file(tmp_path: Path) -> None:
    path = write(tmp_path / "s.jsonl", [header()])
    other = write(tmp_path / "t.jsonl", [header()])
    delete_session(path, 1.0, tmp_path)
    assert (path.exists(), other.exists()) == (False, True)


def test_an_imported_session_is_a_copy_under_a_fresh_name(tmp_path: Path) -> None:
    source = write(tmp_path / "from.jsonl", [header("id 7"), said("a", None, "hi")])
    folder = tmp_path / "sessions" / "--x--"
    first = import_session(source, folder, 0.0)
    second = import_session(source, folder, 0.0)
    assert [path.name for path in (first, second)] == [
        "1970-01-01T00-00-00-000Z_id-7.jsonl", "1970-01-01T00-00-00-000Z_id-7-2.jsonl"
    ]
    assert first.read_bytes() == second.read_bytes() == source.read_bytes()


@pytest.mark.parametrize(("text", "words"), [(None, "is not there"), ("{}\n", "does not begin with a session header")])
def test_what_is_no_session_is_not_imported(tmp_path: Path, text: str | None, words: str) -> None:
    source = tmp_path / "x.jsonl"
    if text is not None:
        source.write_text(text)
    with pytest.raises(FileTrouble, match=words):
        import_session(source, tmp_path / "sessions", 0.0)
    assert not (tmp_path / "sessions").exists()
