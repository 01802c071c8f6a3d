"""Drafts and prompts on disk: whole or not at all, whatever happens meanwhile."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitui.rpc.messages import ImageBlock
from pitui.store import prompts
from pitui.store.drafts import STASH_LIMIT, Draft, Kept, draft_file, draft_from_json, draft_to_json, load, save

IMAGE = ImageBlock(data="aGVsbG8=", mime_type="image/png")
KEPT = Kept(Draft("half a\nsentence", ((0, 4),), 3, (IMAGE,)), (Draft("aside"),))


def test_what_was_saved_is_loaded(tmp_path: Path) -> None:
    file = draft_file(tmp_path / "drafts", "session-1")
    save(file, KEPT)
    assert load(file) == KEPT


def test_nothing_saved_is_nothing_kept(tmp_path: Path) -> None:
    assert load(tmp_path / "none.json") == Kept()


def test_an_empty_draft_and_stash_leave_no_file(tmp_path: Path) -> None:
    file = draft_file(tmp_path, "session-1")
    save(file, KEPT)
    save(file, Kept())
    assert list(tmp_path.iterdir()) == []


def test_a_session_id_never_leaves_the_folder(tmp_path: Path) -> None:
    assert draft_file(tmp_path, "../../etc/passwd").parent == tmp_path


def test_drafts_are_readable_by_their_owner_only(tmp_path: Path) -> None:
    file = draft_file(tmp_path / "drafts", "session-1")
    save(file, KEPT)
    assert (file.stat().st_mode & 0o77, file.parent.stat().st_mode & 0o77) == (0, 0)


def test_a_failed_save_leaves_the_old_draft_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = draft_file(tmp_path, "session-1")
    save(file, KEPT)

    def full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        save(file, Kept(Draft("newer")))
    assert (load(file), [path.name for path in tmp_path.iterdir()]) == (KEPT, [file.name])


@pytest.mark.parametrize("data", ["{", "[]", "{}", '{"draft": {"text": 3}, "stash": []}', '{"draft": [], "stash": []}'])
def test_a_damaged_file_is_put_beside(tmp_path: Path, data: str) -> None:
    file = tmp_path / "d.json"
    file.write_text(data)
    assert load(file) == Kept()
    assert (tmp_path / "d.damaged").read_text() == data


def test_the_stash_keeps_the_newest(tmp_path: Path) -> None:
    file = tmp_path / "d.json"
    save(file, Kept(stash=tuple(Draft(str(number)) for number in range(STASH_LIMIT + 5))))
    assert [draft.text for draft in load(file).stash][::49] == ["5", "54"]


FOLDS = st.lists(st.tuples(st.integers(-2, 30), st.integers(-2, 30)))


@given(st.text(st.characters(exclude_categories=["Cs"])), st.integers(-5, 50), FOLDS)
def test_any_draft_read_from_json_is_sound(text: str, cursor: int, folds: list[tuple[int, int]]) -> None:
    draft = draft_from_json({"text": text, "cursor": cursor, "folds": [list(fold) for fold in folds]})
    edges = [edge for fold in draft.folds for edge in fold]
    assert edges == sorted(edges)
    assert all(0 <= edge <= len(text) for edge in (*edges, draft.cursor))
    assert draft_from_json(json.loads(json.dumps(draft_to_json(draft)))) == draft


@given(st.text(), st.text())
def test_a_draft_below_another_holds_both(upper: str, lower: str) -> None:
    both = Draft(lower, (), 0).below(Draft(upper))
    assert all(text.rstrip("\n") in both.text for text in (upper, lower) if text.strip())


def test_prompts_come_back_in_order_with_their_folds(tmp_path: Path) -> None:
    file = prompts.prompts_file(tmp_path, Path("/project"))
    for prompt in (Draft("one"), Draft("two\nlines", ((0, 3),), 0, (IMAGE,))):
        prompts.append(file, prompt)
    assert prompts.read(file) == [Draft("one", (), 3), Draft("two\nlines", ((0, 3),), 9)]


def test_projects_have_their_own_prompts(tmp_path: Path) -> None:
    assert prompts.prompts_file(tmp_path, Path("/a")) != prompts.prompts_file(tmp_path, Path("/b"))


def test_damaged_lines_are_passed_over(tmp_path: Path) -> None:
    file = tmp_path / "p.jsonl"
    prompts.append(file, Draft("one"))
    with file.open("ab") as out:
        out.write(b'{"text": "torn\n\xff\xfe\n[]\n')
    prompts.append(file, Draft("two"))
    assert [prompt.text for prompt in prompts.read(file)] == ["one", "two"]


def test_the_file_is_shortened_to_the_newest(tmp_path: Path) -> None:
    file = tmp_path / "p.jsonl"
    for number in range(60):
        prompts.append(file, Draft(f"{number} " + "x" * 100_000))
    assert file.stat().st_size <= prompts.MOST_BYTES
    kept = [int(prompt.text.split()[0]) for prompt in prompts.read(file)]
    assert kept == list(range(kept[0], 60))


def test_several_processes_lose_no_prompt(tmp_path: Path) -> None:
    file = tmp_path / "p.jsonl"
    script = (
        "import sys; from pathlib import Path; from pitui.store.drafts import Draft; from pitui.store import prompts\n"
        "for n in range(50): prompts.append(Path(sys.argv[1]), Draft(f'{sys.argv[2]}-{n}'))"
    )
    writers = [
        subprocess.Popen([sys.executable, "-c", script, str(file), name], stdin=subprocess.DEVNULL) for name in "ab"
    ]
    assert [writer.wait(60) for writer in writers] == [0, 0]
    assert sorted(prompt.text for prompt in prompts.read(file)) == sorted(f"{w}-{n}" for w in "ab" for n in range(50))
