"""Heights by item, found by row."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pitui.widgets.layout import Heights

HEIGHTS = st.lists(st.integers(0, 5), max_size=400)
ITEM = st.integers(0, 10_000)


def naive_find(heights: list[int], row: int) -> tuple[int, int]:
    rows = [(item, line) for item, height in enumerate(heights) for line in range(height)]
    return rows[min(max(row, 0), len(rows) - 1)] if rows else (0, 0)


@given(HEIGHTS, ITEM)
def test_an_item_starts_after_all_rows_before_it(heights: list[int], item: int) -> None:
    assert Heights(heights).offset(item) == sum(heights[:item])


@given(HEIGHTS, st.integers(-3, 2_000))
def test_the_item_at_a_row_is_the_one_that_covers_it(heights: list[int], row: int) -> None:
    assert Heights(heights).find(row) == naive_find(heights, row)


@given(HEIGHTS.filter(bool), st.lists(st.tuples(ITEM, st.integers(0, 9)), max_size=20))
def test_changed_heights_are_counted(heights: list[int], changes: list[tuple[int, int]]) -> None:
    kept = Heights(heights)
    for item, height in changes:
        kept[item % len(heights)] = height
        heights[item % len(heights)] = height
    assert (kept.total, [kept.offset(at) for at in range(len(heights))]) == (
        sum(heights), [sum(heights[:at]) for at in range(len(heights))],
    )


@given(HEIGHTS, ITEM, HEIGHTS)
def test_a_splice_replaces_what_follows(heights: list[int], start: int, tail: list[int]) -> None:
    start = min(start, len(heights))
    kept = Heights(heights)
    kept.splice(start, tail)
    whole = heights[:start] + tail
    assert (len(kept), kept.total, kept.offset(len(whole) // 2)) == (
        len(whole), sum(whole), sum(whole[: len(whole) // 2]),
    )
