"""Sessions as a tree, whatever their headers claim."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from pitui.catalog.cards import SessionCard
from pitui.catalog.lineage import Sort, lineage, ordered


def card(name: str, modified: float, parent: str = "", folder: str = "/s") -> SessionCard:
    return SessionCard(f"{folder}/{name}.jsonl", id=f"id-{name}", title=name, modified=modified, parent=parent)


def drawn(*cards: SessionCard, sort: Sort = Sort.RECENT) -> list[str]:
    marks = {(): "", (False,): "└", (True,): "├"}
    return [
        "".join("│" if more else " " for more in row.trunk[:-1]) + marks[row.trunk[-1:]] + row.card.title
        for row in lineage(cards, sort)
    ]


def test_forks_hang_below_and_a_tree_stands_where_its_newest_member_would() -> None:
    assert drawn(
        card("old", 1), card("alone", 5), card("fork", 9, "/s/old.jsonl"), card("fork2", 3, "/s/old.jsonl"),
        card("deep", 4, "/s/fork.jsonl"),
    ) == ["old", "├fork", "│└deep", "└fork2", "alone"]


def test_a_parent_that_moved_is_known_by_its_file_name() -> None:
    assert drawn(card("a", 1), card("b", 2, "/moved/from/a.jsonl")) == ["a", "└b"]


def test_a_parent_that_is_gone_leaves_a_session_alone() -> None:
    assert drawn(card("a", 1), card("b", 2, "/s/gone.jsonl")) == ["b", "a"]


def test_a_file_in_a_folder_named_after_a_session_or_its_id_is_its_sub_agents() -> None:
    assert drawn(
        card("main", 1), card("one", 2, folder="/s/main/runs"), card("two", 3, folder="/s/id-main"),
        card("other", 4, folder="/s/elsewhere"),
    ) == ["other", "main", "├two", "└one"]


def test_sessions_that_claim_to_be_each_others_parents_are_all_shown() -> None:
    claims = {"a": "b", "b": "c", "c": "a", "d": "d"}
    cards = [card(name, 1, f"/s/{parent}.jsonl") for name, parent in claims.items()]
    assert sorted(row.card.title for row in lineage(cards, Sort.RECENT)) == ["a", "b", "c", "d"]


def test_a_long_line_of_forks_needs_no_recursion() -> None:
    cards = [card(f"{number}", number, f"/s/{number - 1}.jsonl") for number in range(1500)]
    assert [row.card.title for row in lineage(cards, Sort.RECENT)] == [f"{number}" for number in range(1500)]


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=12))
def test_every_session_is_shown_exactly_once(links: list[tuple[int, int]]) -> None:
    cards = {name: card(str(name), name, f"/s/{parent}.jsonl") for name, parent in links}
    for sort in Sort:
        shown = [row.card.path for row in lineage(cards.values(), sort)]
        assert sorted(shown) == sorted(one.path for one in cards.values())


def test_the_orders() -> None:
    one = replace(card("beta", 1), cost=3, size=1, messages=2)
    two = replace(card("Alpha", 2), cost=1, size=9, messages=1)
    assert {sort.value: [item.title for item in ordered([one, two], sort)] for sort in Sort} == {
        "recent": ["Alpha", "beta"], "name": ["Alpha", "beta"], "cost": ["beta", "Alpha"], "size": ["Alpha", "beta"],
        "messages": ["beta", "Alpha"],
    }
