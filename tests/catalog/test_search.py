"""Full-text search: words, phrases and patterns over what was said."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitui.catalog.index import SessionIndex
from pitui.catalog.search import Query, excerpts, parse_query, search
from tests.catalog.files import answered, entry, header, said, write


@pytest.mark.parametrize(
    ("typed", "terms"),
    [
        ("", ()),
        ("  Fix  PARSER ", ("fix", "parser")),
        ('"drop the  record" x', ("drop the record", "x")),
        ('"still being typed', ("still being typed",)),
        ('""', ()),
        ("STRASSE Straße", ("strasse", "strasse")),
    ],
)
def test_words_and_phrases(typed: str, terms: tuple[str, ...]) -> None:
    assert parse_query(typed) == Query(terms)


@pytest.mark.parametrize("typed", ["re:(", "re:[", "re:*"])
def test_a_pattern_still_being_typed_is_a_problem_in_words_and_matches_nothing_by_itself(typed: str) -> None:
    query = parse_query(typed)
    assert query.problem.startswith("not a pattern: ")
    assert query.empty


@given(st.text())
def test_whatever_is_typed_is_a_query(typed: str) -> None:
    query = parse_query(typed)
    assert query.empty or query.matches(" ".join(query.terms)) or query.pattern is not None


@pytest.fixture
def index(tmp_path: Path) -> SessionIndex:
    root = tmp_path / "sessions"
    write(root / "a.jsonl", [header("aa"), said("a", None, "Why does the PARSER drop\nthe last record?")])
    write(root / "b.jsonl", [header("bb"), said("a", None, "hello"), answered("b", "a", "the last thing we dropped")])
    write(root / "c.jsonl", [header("cc", cwd="/srv/Überraschung"), entry("session_info", "a", None, name="Release")])
    index = SessionIndex(tmp_path / "cache.sqlite")
    for _ in index.refresh(root):
        pass
    return index


def found(index: SessionIndex, tmp_path: Path, typed: str) -> list[str]:
    paths = [str(tmp_path / "sessions" / f"{name}.jsonl") for name in "abc"]
    return [Path(path).stem for hits in search(index, parse_query(typed), paths) for path in hits.paths]


@pytest.mark.parametrize(
    ("typed", "names"),
    [
        ("parser", ["a"]),
        ("last the", ["a", "b"]),
        ('"drop the last record"', ["a"]),
        ('"last the"', []),
        ("re:drop(ped)?$", ["b"]),
        ("re:^why", ["a"]),
        ("release", ["c"]),
        ("ÜBERRASCHUNG", ["c"]),
        ("bb", ["b"]),
        ("", []),
    ],
)
def test_what_is_found(index: SessionIndex, tmp_path: Path, typed: str, names: list[str]) -> None:
    assert found(index, tmp_path, typed) == names


def test_a_pattern_that_would_take_for_ever_is_given_up(tmp_path: Path) -> None:
    root = tmp_path / "sessions"
    write(root / "a.jsonl", [header("id"), said("a", None, "a" * 60 + "!")])
    index = SessionIndex(tmp_path / "cache.sqlite")
    for _ in index.refresh(root):
        pass
    assert found(index, tmp_path, "re:^(a|aa)+$") == []


def test_excerpts_show_the_stretches_that_match_as_they_were_written() -> None:
    text = f"nothing\n{'x' * 100} The Parser {'y' * 100}\nparser again"
    assert excerpts(text, parse_query("PARSER")) == ["…" + "x" * 55 + " The Parser " + "y" * 59 + "…", "parser again"]
