"""Search finds text in the data, folded or not, and brings it on the screen."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitui.session.state import Entry
from pitui.widgets.search import Search, SearchState, Texts
from pitui.widgets.transcript import Transcript
from tests.transcript.conversation import answer, prompt, talk, tool
from tests.transcript.reader import Reader, reading

pytestmark = pytest.mark.anyio


async def done(reader: Reader) -> SearchState:
    while not reader.transcript.search_state.complete:
        await reader.pause()
    await reader.pause()
    return reader.transcript.search_state


def shows(reader: Reader, text: str) -> bool:
    return any(text in row for row in reader.rows())


async def test_the_nearest_match_above_comes_first() -> None:
    async with reading((prompt(1, "needle"), *talk(60), prompt(2, "needle"), *talk(60))) as reader:
        reader.transcript.search("needle")
        assert await done(reader) == SearchState("needle", 2, 2, True)


async def test_the_match_is_brought_on_the_screen() -> None:
    async with reading((*talk(30), prompt(1, "the needle"), *talk(60))) as reader:
        reader.transcript.search("needle")
        await done(reader)
        assert (shows(reader, "the needle"), reader.transcript.following) == (True, False)


async def test_next_and_previous_go_round() -> None:
    entries = tuple(prompt(n, f"needle {n}") for n in range(3))
    async with reading(entries) as reader:
        reader.transcript.search("needle")
        await done(reader)
        states = [reader.transcript.search_next(direction).current for direction in (1, 1, -1, -1, -1)]
        assert states == [1, 2, 1, 3, 2]


async def test_folded_text_is_found_and_opened() -> None:
    async with reading((tool(1, 60), *talk(60)), size=(60, 20)) as reader:
        reader.transcript.search("output 1.30")
        await done(reader)
        assert shows(reader, "output 1.30")


@pytest.mark.parametrize(("query", "total"), [("word", 3), ("Word", 1), ("WORD", 1), ("[", 1), ("nothing", 0)])
async def test_case_matters_only_with_a_capital_in_the_query(query: str, total: int) -> None:
    async with reading((prompt(1, "word Word WORD ["),)) as reader:
        reader.transcript.search(query)
        assert (await done(reader)).total == total


async def test_each_letter_typed_starts_from_the_same_place() -> None:
    entries = (prompt(1, "nab"), *talk(60), prompt(2, "na"), *talk(30))
    async with reading(entries) as reader:
        reader.transcript.search("na")
        await done(reader)
        reader.transcript.search("nab")
        await done(reader)
        reader.transcript.search("na")
        assert (await done(reader)).current == 2


async def test_entries_that_come_later_are_searched_too() -> None:
    async with reading((prompt(1, "needle"),)) as reader:
        reader.transcript.search("needle")
        await done(reader)
        reader.transcript.show((prompt(1, "needle"), prompt(2, "a needle and a needle")))
        assert (await done(reader)).total == 3


async def test_matches_on_the_screen_are_marked() -> None:
    async with reading((prompt(1, "a needle, a Needle"),)) as reader:
        reader.transcript.search("needle")
        await done(reader)
        assert marked(reader.transcript, 0) == [*range(5, 11), *range(15, 21)]


async def test_a_match_over_a_wrap_is_marked_on_both_rows() -> None:
    async with reading((prompt(1, f"{'a' * 12} {'b' * 12} {'c' * 12}"),), size=(36, 12)) as reader:
        reader.transcript.search(f"{'b' * 12} {'c' * 12}")
        await done(reader)
        assert (marked(reader.transcript, 0), marked(reader.transcript, 1)) == ([*range(16, 28)], [*range(3, 15)])


async def test_nothing_is_marked_when_the_search_is_over() -> None:
    async with reading((prompt(1, "a needle"),)) as reader:
        reader.transcript.search("needle")
        await done(reader)
        reader.transcript.search_clear()
        assert (marked(reader.transcript, 0), reader.transcript.search_state) == ([], SearchState())


async def test_keys_are_handled_before_a_long_search_is_over() -> None:
    entries = tuple(prompt(n, f"needle {n} " + "hay " * 500) for n in range(3_000))
    async with reading(entries) as reader:
        reader.transcript.search("needle")
        assert not reader.transcript.search_state.complete
        await reader.pilot.press("home")
        assert (reader.transcript.rows[0].place.item, (await done(reader)).total) == (0, 3_000)


@given(
    texts=st.lists(st.text("ab", max_size=8), max_size=20),
    query=st.text("ab", min_size=1, max_size=2),
    steps=st.lists(st.sampled_from([1, -1]), max_size=12),
)
def test_stepping_visits_every_occurrence_in_order(texts: list[str], query: str, steps: list[int]) -> None:
    entries: tuple[Entry, ...] = tuple(answer(n, text or "-") for n, text in enumerate(texts))
    search = Search(query, entries, len(entries) - 1, Texts())
    while search.scan():
        continue
    total = sum(text.count(query) for text in texts)
    at = search.state.current
    assert (search.state.total, at) == (total, total)
    for step in steps:
        search.step(step)
        at = (at - 1 + step) % total + 1 if total else 0
        assert search.state.current == at


def marked(transcript: Transcript, row: int) -> list[int]:
    ground = transcript.view.palette.match.bgcolor
    strip = transcript.render_lines(transcript.size.region)[row]
    cells = [segment.style.bgcolor if segment.style else None for segment in strip for _ in segment.text]
    return [cell for cell, colour in enumerate(cells) if colour == ground]
