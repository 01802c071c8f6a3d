"""The tree of a session: branches, labels, filters, folds; and however deep or broken it is."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitui.rpc.stored import AnyStored
from pitui.rpc.wire import JsonObject
from pitui.session.files import read_session_file
from pitui.session.tree import Joint, NodeKind, SessionTree, TreeFilter, TreeRow, levels
from tests.catalog.files import answered, entry, header, lines, message, said

FILES = Path(__file__).parent.parent / "session" / "files"


def stored(records: Sequence[JsonObject]) -> tuple[AnyStored, ...]:
    return read_session_file(lines([header(), *records]).encode()).entries


def drawn(rows: Sequence[TreeRow]) -> list[str]:
    joints = {Joint.NONE: "", Joint.TEE: "├", Joint.CORNER: "└"}
    return [
        "".join("│" if more else " " for more in levels(row.trunk, 9)) + joints[row.joint]
        + row.node.text.split("\n")[0] + (f" +{row.hidden}" if row.hidden else "") + ("*" if row.here else "")
        for row in rows
    ]


BRANCHED = stored([
    said("a", None, "question"), answered("b", "a", "answer"),
    said("c", "b", "left"), answered("d", "c", "left answer"),
    said("e", "b", "right"), answered("f", "e", "right answer"), said("g", "e", "other"), said("h", "f", "more"),
])


def test_branches_hang_below_and_the_one_that_is_active_comes_first() -> None:
    assert drawn(SessionTree(BRANCHED, "h").rows()) == [
        "question", "answer", "├right", "│├right answer", "││more*", "│└other", "└left", " left answer"
    ]


def test_without_branches_everything_stands_in_one_column() -> None:
    rows = SessionTree(stored([said("a", None, "1"), answered("b", "a", "2"), said("c", "b", "3")]), "c").rows()
    assert drawn(rows) == ["1", "2", "3*"]
    assert [row.start for row in rows] == [True, False, False]


def test_the_active_path_is_marked_and_nothing_else() -> None:
    rows = SessionTree(BRANCHED, "d").rows()
    assert [row.node.text for row in rows if row.active] == ["question", "answer", "left", "left answer"]


def test_a_branch_folds_and_says_how_much_it_hides() -> None:
    tree = SessionTree(BRANCHED, "h")
    assert drawn(tree.rows(folded={"e"})) == ["question", "answer", "├right +3", "└left", " left answer"]
    assert drawn(tree.rows(folded={"a"})) == ["question +7"]
    assert drawn(tree.rows(folded={"b"})) == drawn(tree.rows())


def test_several_roots_are_branches_of_nothing() -> None:
    entries = stored([
        said("a", None, "one"), answered("b", "a", "1"), said("c", None, "two"), said("d", "gone", "lost")
    ])
    assert drawn(SessionTree(entries, "c").rows()) == ["├two*", "├one", "│1", "└lost"]


OF_EVERY_KIND = stored([
    entry("model_change", "m", None, provider="p", modelId="x"), message("s", "m", "system", "prompt"),
    said("a", "s", "Look at the file"),
    message("b", "a", "assistant", [{"type": "toolCall", "id": "t", "name": "read", "arguments": {"path": "/x.py"}}],
            stopReason="toolUse"),
    message("c", "b", "toolResult", "text of it", toolCallId="t", toolName="read"),
    message("d", "c", "assistant", [], stopReason="error", errorMessage="overloaded"),
    message("e", "d", "bashExecution", "", command="ls", output="out"),
    entry("compaction", "f", "e", summary="What was done"), entry("branch_summary", "g", "f", summary="Abandoned"),
    entry("custom_message", "h", "g", customType="note", content="From an extension"),
    entry("label", "i", "h", targetId="a", label="start"), entry("label", "j", "i", targetId="c", label="gone"),
    entry("label", "k", "j", targetId="c"), entry("custom", "l", "k", customType="state", data={}),
    entry("something_new", "n", "l"),
])


@pytest.mark.parametrize(
    ("mode", "shown"),
    [
        (TreeFilter.DEFAULT, ["Look at the file", "read /x.py", "overloaded", "$ ls", "What was done", "Abandoned",
                              "note From an extension*"]),
        (TreeFilter.NO_TOOLS, ["Look at the file", "overloaded", "$ ls", "What was done", "Abandoned",
                               "note From an extension*"]),
        (TreeFilter.USER, ["Look at the file*"]),
        (TreeFilter.LABELLED, ["Look at the file*"]),
        (TreeFilter.ALL, ["model p/x", "system prompt", "Look at the file", "toolUse", "read /x.py", "overloaded",
                          "$ ls", "What was done", "Abandoned", "note From an extension", "label start", "label gone",
                          "label removed", "state", "something_new*"]),
    ],
)
def test_what_each_view_shows_and_where_one_stands_in_it(mode: TreeFilter, shown: list[str]) -> None:
    assert drawn(SessionTree(OF_EVERY_KIND, "n").rows(mode)) == shown


def test_a_bookmark_is_on_its_entry_until_it_is_removed() -> None:
    labels = {node.entry.id: node.label for node in SessionTree(OF_EVERY_KIND, "n").nodes if node.label}
    assert labels == {"a": "start"}


@pytest.mark.parametrize(
    ("query", "shown"),
    [("ANSWER left", ["left answer"]), ("right", ["right", "right answer*"]), ("user", ["question", "├right", "│├more*",
     "│└other", "└left"]), ("nowhere", [])],
)
def test_a_search_keeps_the_shape_of_what_it_finds(query: str, shown: list[str]) -> None:
    assert drawn(SessionTree(BRANCHED, "h").rows(query=query)) == shown


def test_bookmarks_are_found() -> None:
    assert drawn(SessionTree(OF_EVERY_KIND, "n").rows(query="start")) == ["Look at the file*"]


@pytest.mark.parametrize("name", ["all-entry-types.jsonl", "all-entry-types-branched.jsonl"])
def test_a_file_the_agent_wrote_is_shown_whole(name: str) -> None:
    session = read_session_file((FILES / name).read_bytes())
    rows = SessionTree(session.entries, session.leaf_id).rows(TreeFilter.ALL)
    assert sorted(row.node.entry.id for row in rows) == sorted(one.id for one in session.entries)
    assert sum(row.here for row in rows) == 1


def test_ten_thousand_entries_in_a_line_need_no_recursion() -> None:
    entries = stored([said(str(number), str(number - 1) if number else None, "x") for number in range(10_000)])
    rows = SessionTree(entries, "9999").rows(folded={"5000"})
    assert len(rows) == 10_000
    assert all(row.trunk is None and row.joint is Joint.NONE for row in rows)


def test_ten_thousand_nested_branches_share_their_lines() -> None:
    records: list[JsonObject] = [said("0", None, "x")]
    for number in range(1, 5000):
        records += [said(str(number), str(number - 1), "x"), said(f"{number}b", str(number - 1), "side")]
    rows = SessionTree(stored(records), "4999").rows()
    deepest = max(row.trunk.depth for row in rows if row.trunk)
    assert (len(rows), deepest, len(levels(rows[4999].trunk, 8))) == (9_999, 4_998, 8)


def test_an_empty_session_has_no_rows() -> None:
    assert SessionTree((), None).rows() == []


def test_a_leaf_nobody_knows_marks_nothing() -> None:
    rows = SessionTree(BRANCHED, "zzz").rows()
    assert not any(row.active or row.here for row in rows)


@given(st.lists(st.tuples(st.integers(0, 7), st.integers(-1, 7), st.sampled_from(["user", "assistant"])), max_size=14))
def test_every_entry_is_shown_once_below_its_parent_whatever_the_links(links: list[tuple[int, int, str]]) -> None:
    records = [
        json.loads(json.dumps(message(str(own), str(parent) if parent >= 0 else None, role, "text")))
        for own, parent, role in links
    ]
    entries = stored(records)
    tree = SessionTree(entries, str(links[-1][0]) if links else None)
    rows = tree.rows(TreeFilter.ALL)
    assert len(rows) == len(entries)
    assert {id(row.node.entry) for row in rows} == {id(one) for one in entries}
    assert sum(row.here for row in rows) == (1 if links else 0)


def test_kinds_are_told_apart() -> None:
    kinds = {node.entry.id: node.kind for node in SessionTree(OF_EVERY_KIND, "n").nodes}
    assert (kinds["a"], kinds["c"], kinds["e"], kinds["f"], kinds["g"], kinds["h"], kinds["l"]) == (
        NodeKind.USER, NodeKind.TOOL, NodeKind.SHELL, NodeKind.COMPACTION, NodeKind.BRANCH, NodeKind.CUSTOM,
        NodeKind.SETTING,
    )
