"""Earlier prompts: at the edges of the text only, and the draft comes back."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from pitui.store.drafts import Draft
from tests.composer.hands import Hands, hands

pytestmark = pytest.mark.anyio


@asynccontextmanager
async def someone_with(*prompts: str) -> AsyncIterator[Hands]:
    async with hands() as person:
        person.composer.recall.seed(Draft(prompt) for prompt in prompts)
        yield person


async def test_up_and_down_go_through_earlier_prompts() -> None:
    async with someone_with("one", "two") as person:
        seen = []
        for key in ("up", "up", "up", "down", "down"):
            await person.keys(key)
            seen.append(person.text)
        assert seen == ["two", "one", "one", "two", ""]


async def test_up_moves_inside_the_draft_first() -> None:
    async with someone_with("one") as person:
        await person.type("first line\nsecond line")
        await person.keys("up", "X")
        assert person.text == "first lineX\nsecond line"


async def test_the_draft_comes_back_with_its_cursor() -> None:
    async with someone_with("one") as person:
        await person.keys(*"half", "left", "up", "down", "X")
        assert person.text == "halXf"


async def test_a_changed_prompt_keeps_its_change_while_browsing() -> None:
    async with someone_with("one", "two") as person:
        await person.keys("up", "X", "up", "down")
        assert person.text == "twoX"


async def test_the_draft_comes_back_after_an_earlier_prompt_was_sent() -> None:
    async with someone_with("one") as person:
        await person.keys(*"half", "up", "enter")
        person.composer.accepted()
        assert (person.app.sent, person.text) == ([("one", "enter")], "half")


async def test_changed_prompts_that_are_not_sent_go_to_the_stash() -> None:
    async with someone_with("one", "two") as person:
        await person.keys("up", "X", "up", "enter")
        person.composer.accepted()
        assert [draft.text for draft in person.composer.stash.drafts] == ["twoX"]


async def test_down_walks_through_a_recalled_prompt_of_several_lines() -> None:
    async with someone_with("a\nb\nc") as person:
        await person.keys("up", "down", "X")
        assert person.text == "a\nbX\nc"


async def test_ctrl_r_finds_an_earlier_prompt() -> None:
    async with someone_with("fix the parser", "write tests", "fix the docs") as person:
        await person.keys("ctrl+r", *"parse", "enter")
        assert person.text == "fix the parser"


async def test_the_draft_waits_while_searching() -> None:
    async with someone_with("fix the parser") as person:
        await person.keys(*"half", "ctrl+r", "enter", "down")
        assert person.text == "half"


async def test_escape_in_the_search_changes_nothing() -> None:
    async with someone_with("fix the parser") as person:
        await person.keys(*"half", "ctrl+r", "escape", "X")
        assert person.text == "halfX"
