"""Cards: every oddity of session files found in the wild; and the index that keeps them up to date."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from pathlib import Path

import pytest

from pitui.catalog.cards import SessionCard, read_session
from pitui.catalog.index import Batch, SessionIndex
from pitui.rpc.wire import JsonObject
from tests.catalog.files import answered, entry, header, message, said, write

FILES = Path(__file__).parent.parent / "session" / "files"
DAY = 1767225600.0  # 2026-01-01T00:00:00Z


def card_of(tmp_path: Path, records: list[JsonObject | str]) -> SessionCard | None:
    path = write(tmp_path / "s.jsonl", records)
    reading = read_session(path, path.stat().st_size, 5.0)
    return reading.card if reading is not None else None


def test_a_whole_card(tmp_path: Path) -> None:
    path = write(tmp_path / "s.jsonl", [
        header("id-1", parentSession="/x/parent.jsonl"),
        said("a", None, "Fix the\n  parser 🧪"),
        answered("b", "a", "Done.", cost=0.25),
        entry("compaction", "c", "b", summary="s", usage={"cost": {"total": 0.5}}),
        entry("session_info", "d", "c", name="first name"),
        entry("session_info", "e", "d", name="Parser\nwork"),
    ])
    reading = read_session(path, 77, 5.0)
    assert reading is not None
    assert reading.card == SessionCard(
        path=str(path), id="id-1", cwd="/home/user/demo", name="Parser work", title="Fix the parser 🧪", created=DAY,
        modified=DAY + 1, messages=2, cost=0.75, size=77, parent="/x/parent.jsonl", preview="Done.",
    )
    assert reading.text == "Fix the parser 🧪\nDone."


@pytest.mark.parametrize("name", ["all-entry-types.jsonl", "all-entry-types-branched.jsonl"])
def test_files_the_agent_wrote_give_a_named_card(name: str) -> None:
    reading = read_session(FILES / name, 1, 5.0)
    assert reading is not None
    assert reading.card.name == "Synthetic: every entry type"
    assert reading.card.title.startswith("First question 🧪 日本語")
    assert reading.card.cost > 0
    assert reading.card.trouble == ""


def test_malformed_and_glued_lines_cost_only_themselves(tmp_path: Path) -> None:
    glued = json.dumps(answered("b", "a", "lost")) + json.dumps(answered("c", "b", "lost too"))
    card = card_of(tmp_path, ["", "{oops", header(), said("a", None, "kept"), glued, "42", "null", "[]", "\x00"])
    assert card is not None
    assert (card.title, card.messages, card.preview) == ("kept", 1, "kept")


def test_bytes_that_are_no_utf8_cost_only_themselves(tmp_path: Path) -> None:
    path = write(tmp_path / "s.jsonl", [header()])
    path.write_bytes(path.read_bytes() + json.dumps(said("a", None, "caf?")).encode().replace(b"?", b"\xe9") + b"\n")
    reading = read_session(path, 1, 5.0)
    assert reading is not None
    assert reading.card.title == "caf\ufffd"


def test_a_second_header_changes_nothing(tmp_path: Path) -> None:
    card = card_of(tmp_path, [header("one"), said("a", None, "hi"), header("two", cwd="/else"), said("b", None, "x")])
    assert card is not None
    assert (card.id, card.cwd, card.messages) == ("one", "/home/user/demo", 2)


def test_a_header_alone_still_has_something_to_be_called(tmp_path: Path) -> None:
    card = card_of(tmp_path, [header()])
    assert card is not None
    assert (card.label, card.messages, card.modified) == ("(no messages)", 0, DAY)


@pytest.mark.parametrize(
    ("record", "title"),
    [
        (answered("a", None, "I began by myself"), "I began by myself"),
        (message("a", None, "bashExecution", "", command="ls -la"), "$ ls -la"),
        (entry("custom_message", "a", None, customType="x", content="From an\textension"), "From an extension"),
    ],
)
def test_a_session_without_a_user_message_is_titled_by_what_is_there(
    tmp_path: Path, record: JsonObject, title: str
) -> None:
    card = card_of(tmp_path, [header(), record])
    assert card is not None
    assert card.label == title


def test_key_order_is_free(tmp_path: Path) -> None:
    records: list[JsonObject | str] = [
        json.dumps(dict(reversed(record.items()))) for record in (header("r"), said("a", None, "back to front"))
    ]
    card = card_of(tmp_path, records)
    assert card is not None
    assert (card.id, card.title) == ("r", "back to front")


def test_text_that_looks_like_a_record_is_none(tmp_path: Path) -> None:
    card = card_of(tmp_path, [header(), said("a", None, '{"type":"session_info","name":"fake"}')])
    assert card is not None
    assert card.name == ""


def test_an_empty_name_clears_the_name(tmp_path: Path) -> None:
    card = card_of(tmp_path, [
        header(), said("a", None, "title"), entry("session_info", "b", "a", name="x"), entry("session_info", "c", "b")
    ])
    assert card is not None
    assert card.label == "title"


@pytest.mark.parametrize("version", [1, "1", 2, "2", 3, None])
def test_old_versions_are_read(tmp_path: Path, version: object) -> None:
    first: JsonObject = {
        "type": "session", "version": version, "id": "old", "timestamp": "2026-01-01T00:00:00", "cwd": "C:\\it's 日本",
        "provider": "anthropic", "modelId": "m", "thinkingLevel": "off", "branchedFrom": "/old/parent.jsonl",
    }
    linear: JsonObject = {"type": "message", "timestamp": "x", "message": {"role": "user", "content": "plain string"}}
    hook: JsonObject = {"type": "message", "timestamp": "x", "message": {"role": "hookMessage", "content": "hook"}}
    card = card_of(tmp_path, [first, linear, hook])
    assert card is not None
    assert (card.id, card.cwd, card.parent, card.title) == ("old", "C:\\it's 日本", "/old/parent.jsonl", "plain string")
    assert (card.created, card.messages) == (DAY, 2)


def test_odd_messages_do_not_stop_the_reading(tmp_path: Path) -> None:
    card = card_of(tmp_path, [
        header() | {"timestamp": "yesterday", "cwd": 5},
        message("a", None, "assistant", []), message("b", "a", "toolResult", "orphan"), message("c", "b", "user", None),
        {"type": "message", "message": None}, {"type": "message"}, {"type": ["x"]}, {},
        message("d", "c", "user", [{"type": "image", "data": "x"}, {"type": "text", "text": "two"}, "three", 4]),
        message("e", "d", "assistant", "x", usage={"cost": {"total": "much"}}, timestamp="no"),
        message("f", "e", "assistant", "x", usage={"cost": {"total": float("nan")}}, timestamp=True),
    ])
    assert card is not None
    assert (card.title, card.messages, card.cost, card.cwd) == ("two three", 8, 0.0, "")


def test_a_file_whose_first_line_is_lost_is_listed_with_its_trouble(tmp_path: Path) -> None:
    card = card_of(tmp_path, [said("a", None, "orphaned")])
    assert card is not None
    assert (card.title, card.trouble) == ("orphaned", "its first line is no session header")


@pytest.mark.parametrize("text", ["", "\n\n", '{"hello": "world"}\n', "not json at all\n"])
def test_what_is_no_session_is_no_card(tmp_path: Path, text: str) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(text)
    assert read_session(path, 1, 5.0) is None


def test_a_deeply_nested_line_and_lone_surrogates_are_survived(tmp_path: Path) -> None:
    deep = '{"type":"message","message":' + "[" * 60_000 + "]" * 60_000 + "}"
    card = card_of(tmp_path, [header(), deep, said("a", None, "half \ud83d pair")])
    assert card is not None
    assert card.title == "half \ud83d pair"


def drain(index: SessionIndex, root: Path) -> list[Batch]:
    return list(index.refresh(root))


def read_cards(batches: list[Batch]) -> dict[str, str]:
    return {Path(card.path).name: card.label for batch in batches for card in batch.cards}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "sessions"
    for number in range(3):
        path = write(root / f"{number}.jsonl", [header(f"s{number}"), said("a", None, f"Title {number}")])
        os.utime(path, (number, number))
    return root


def test_a_cold_index_reads_every_file_and_says_how_far_it_is(tmp_path: Path, root: Path) -> None:
    first, second = drain(SessionIndex(tmp_path / "cache.sqlite"), root)
    assert (first.cards, first.done, first.total) == ((), 0, 3)
    assert [card.label for card in second.cards] == ["Title 2", "Title 1", "Title 0"]
    assert (second.done, second.total) == (3, 3)


def test_a_warm_index_gives_everything_at_once_without_reading(tmp_path: Path, root: Path) -> None:
    cold = read_cards(drain(SessionIndex(tmp_path / "cache.sqlite"), root))
    for path in root.iterdir():
        status = path.stat()
        path.write_bytes(b"x" * status.st_size)
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    (batch,) = drain(SessionIndex(tmp_path / "cache.sqlite"), root)
    assert (batch.done, batch.total) == (3, 3)
    assert read_cards([batch]) == cold


def test_only_changed_and_new_files_are_read_again_and_vanished_ones_forgotten(tmp_path: Path, root: Path) -> None:
    index = SessionIndex(tmp_path / "cache.sqlite")
    drain(index, root)
    with (root / "1.jsonl").open("a") as file:
        file.write(json.dumps(entry("session_info", "z", "a", name="Renamed")) + "\n")
    write(root / "deep" / "new.jsonl", [header("n"), said("a", None, "New")])
    (root / "0.jsonl").unlink()
    first, second = drain(index, root)
    assert read_cards([first]) == {"2.jsonl": "Title 2"}
    assert first.gone == {str(root / "0.jsonl")}
    assert read_cards([second]) == {"1.jsonl": "Renamed", "new.jsonl": "New"}
    assert list(index.texts([str(root / "0.jsonl")])) == []


def test_another_root_is_not_forgotten(tmp_path: Path, root: Path) -> None:
    index = SessionIndex(tmp_path / "cache.sqlite")
    drain(index, root)
    assert drain(index, tmp_path / "elsewhere") == [Batch((), 0, 0)]
    assert drain(index, root)[0].done == 3


def test_a_file_that_is_no_session_is_read_once_only(tmp_path: Path, root: Path) -> None:
    write(root / "foreign.jsonl", ['{"hello": 1}'])
    index = SessionIndex(tmp_path / "cache.sqlite")
    drain(index, root)
    (batch,) = drain(index, root)
    assert (batch.done, len(batch.cards)) == (4, 3)


def test_stopping_early_keeps_what_was_given_out(tmp_path: Path, root: Path) -> None:
    index = SessionIndex(tmp_path / "cache.sqlite")
    for batch in index.refresh(root):
        if batch.cards:
            break
    assert drain(index, root)[0].done == 3


@pytest.mark.parametrize("damage", [b"this is no database" * 100, b""])
def test_a_damaged_cache_is_replaced(tmp_path: Path, root: Path, damage: bytes) -> None:
    cache = tmp_path / "cache.sqlite"
    cache.write_bytes(damage)
    assert len(read_cards(drain(SessionIndex(cache), root))) == 3
    assert drain(SessionIndex(cache), root)[0].done == 3


def test_a_cache_that_cannot_be_made_costs_only_speed(tmp_path: Path, root: Path) -> None:
    (tmp_path / "file").touch()
    index = SessionIndex(tmp_path / "file" / "cache.sqlite")
    assert len(read_cards(drain(index, root))) == 3
    assert drain(index, root)[0].done == 3


def test_nobody_else_may_read_the_cache(tmp_path: Path, root: Path) -> None:
    cache = tmp_path / "cache.sqlite"
    drain(SessionIndex(cache), root)
    assert cache.stat().st_mode & 0o077 == 0


def test_a_file_name_that_is_no_text_is_indexed_too(tmp_path: Path) -> None:
    odd = os.fsdecode(b"caf\xe9.jsonl")
    shutil.copy(FILES / "all-entry-types.jsonl", tmp_path / odd)
    index = SessionIndex(tmp_path / "cache" / "c.sqlite")
    (card,) = [card for batch in drain(index, tmp_path) for card in batch.cards]
    assert Path(card.path).exists()
    assert index.text(card.path).startswith("First question")
    assert drain(index, tmp_path)[0].done == 1


def test_rereading_a_file_sees_its_change_and_a_gone_one_is_forgotten(tmp_path: Path, root: Path) -> None:
    cache = tmp_path / "cache.sqlite"
    index = SessionIndex(cache)
    drain(index, root)
    write(root / "0.jsonl", [header("s0"), said("a", None, "Changed")])
    card = index.reread(root / "0.jsonl")
    assert card is not None
    assert card.label == "Changed"
    (root / "0.jsonl").unlink()
    assert index.reread(root / "0.jsonl") is None
    with sqlite3.connect(cache) as store:
        assert store.execute("select count(*) from sessions").fetchone() == (2,)
