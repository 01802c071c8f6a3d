"""Completion: offers what fits, and takes no key that was meant for the text."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from pitui.files import FileIndex
from pitui.widgets.completion import Completion, Kind, request_at
from tests.composer.hands import Hands, hands

pytestmark = pytest.mark.anyio

COMMANDS = [
    Completion("model", description="Choose the model", hint="[search]"),
    Completion("compact", description="Summarise", hint="[instructions]"),
    Completion("name", description="Name the session", hint="<name>"),
    Completion("quit"),
]
LEVELS = [Completion("low"), Completion("high")]


@asynccontextmanager
async def someone(tmp_path: Path | None = None) -> AsyncIterator[Hands]:
    async with hands(cwd=tmp_path) as person:
        sources = person.composer.sources
        sources.commands = lambda: COMMANDS
        sources.arguments = lambda command, typed: [
            level for level in LEVELS if command == "thinking" and level.value.startswith(typed)
        ]
        if tmp_path:
            sources.files = FileIndex(tmp_path)
            sources.files.refresh()
            sources.files.wait()
        yield person


async def offers(person: Hands) -> list[str]:
    """What is offered once the disk was read."""
    await person.app.workers.wait_for_complete()
    await person.pilot.pause()
    return [item.value for item in person.composer.popup.items]


async def test_a_slash_lists_all_commands() -> None:
    async with someone() as person:
        await person.keys("/")
        assert await offers(person) == ["model", "compact", "name", "quit"]


async def test_commands_are_found_by_scattered_letters() -> None:
    async with someone() as person:
        await person.type("/cpt")
        assert await offers(person) == ["compact"]


async def test_enter_completes_a_command_that_is_begun_and_sends_it() -> None:
    async with someone() as person:
        await person.keys(*"/mod", "enter")
        assert person.app.sent == [("/model ", "enter")]


async def test_enter_completes_a_command_that_needs_arguments_and_waits_for_them() -> None:
    async with someone() as person:
        await person.keys(*"/na", "enter")
        assert (person.text, person.app.sent) == ("/name ", [])


async def test_enter_right_behind_the_letters_of_a_command_completes_it() -> None:
    async with someone() as person:
        await person.bytes("/mod\r")
        assert person.app.sent == [("/model ", "enter")]


async def test_enter_takes_nothing_that_was_offered_for_an_older_text() -> None:
    async with someone() as person:
        await person.type("/mo")
        await person.bytes("del it please\r")
        assert person.app.sent == [("/model it please", "enter")]


async def test_enter_sends_a_whole_command_as_it_is() -> None:
    async with someone() as person:
        await person.keys(*"/quit", "enter")
        assert person.app.sent == [("/quit", "enter")]


async def test_enter_does_not_take_a_fuzzy_match_for_what_was_typed() -> None:
    async with someone() as person:
        await person.keys(*"/cpt", "enter")
        assert person.app.sent == [("/cpt", "enter")]


async def test_enter_takes_what_was_chosen_with_the_arrows() -> None:
    async with someone() as person:
        await person.keys("/", "down", "enter")
        assert (person.text, person.app.sent) == ("/compact ", [])


async def test_a_path_as_the_first_word_is_no_command() -> None:
    async with someone() as person:
        await person.type("/home/me/x.py explain")
        assert await offers(person) == []
        await person.keys("enter")
        assert person.app.sent == [("/home/me/x.py explain", "enter")]


async def test_escape_closes_the_list_and_it_stays_closed_for_this_word() -> None:
    async with someone() as person:
        await person.keys(*"/mo", "escape", "d")
        assert (await offers(person), person.text, person.app.bubbled) == ([], "/mod", [])


async def test_arguments_come_from_the_screen() -> None:
    async with someone() as person:
        await person.type("/thinking h")
        assert await offers(person) == ["high"]
        await person.keys("tab")
        assert person.text == "/thinking high"


async def test_an_at_sign_finds_files_anywhere_in_the_text(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "parser.py").touch()
    async with someone(tmp_path) as person:
        await person.type("look at @pars")
        assert await offers(person) == ["src/parser.py"]
        await person.keys("tab")
        assert person.text == "look at @src/parser.py "


async def test_an_email_address_opens_no_list(tmp_path: Path) -> None:
    (tmp_path / "example.com").touch()
    async with someone(tmp_path) as person:
        await person.type("me@example")
        assert await offers(person) == []


async def test_a_file_with_spaces_is_quoted(tmp_path: Path) -> None:
    (tmp_path / "my notes.md").touch()
    async with someone(tmp_path) as person:
        await person.type("@note")
        await offers(person)
        await person.keys("tab")
        assert person.text == '@"my notes.md" '


async def test_enter_sends_while_a_file_list_nobody_touched_is_open(tmp_path: Path) -> None:
    (tmp_path / "parser.py").touch()
    async with someone(tmp_path) as person:
        await person.type("@pars")
        await offers(person)
        await person.keys("enter")
        assert person.app.sent == [("@pars", "enter")]


async def test_tab_completes_a_path(tmp_path: Path) -> None:
    (tmp_path / "source").mkdir()
    async with someone(tmp_path) as person:
        await person.keys(*"cat", "space", *"sou", "tab")
        await offers(person)
        assert person.text == "cat source/"


async def test_tab_completes_what_paths_have_in_common_and_lists_them(tmp_path: Path) -> None:
    for name in ("parser.py", "parsing.md"):
        (tmp_path / name).touch()
    async with someone(tmp_path) as person:
        await person.keys("p", "tab")
        assert await offers(person) == ["parser.py", "parsing.md"]
        assert person.text == "pars"


async def test_tab_without_anything_to_complete_keeps_the_focus() -> None:
    async with someone() as person:
        await person.keys("tab", "a")
        assert person.text == "a"


async def test_a_click_takes_an_item_and_typing_goes_on() -> None:
    async with someone() as person:
        person.app.composer.styles.dock = "bottom"
        await person.keys("/")
        await offers(person)
        await person.pilot.click("CompletionPopup", offset=(3, 1))
        await person.keys("X")
        assert person.text == "/compact X"


async def test_names_from_extensions_are_shown_as_they_are() -> None:
    async with someone() as person:
        person.composer.sources.commands = lambda: [Completion("[red]x", description="\x1b[31m[@click=app.quit]boo")]
        await person.keys("/")
        shown = person.composer.popup.render().plain
        assert "[red]x" in shown
        assert "\x1b" not in shown
        assert "[@click=app.quit]boo" in shown


async def test_the_list_stands_over_the_text_and_moves_nothing() -> None:
    async with someone() as person:
        await person.pilot.pause()
        before = person.composer.region
        await person.keys("/")
        await offers(person)
        assert person.composer.region == before
        assert person.composer.popup.display


@pytest.mark.parametrize(
    ("line", "row", "kind"),
    [
        ("/mod", 0, Kind.COMMAND), ("/mod", 1, None), (" /mod", 0, None), ("/a/b", 0, None),
        ("/model x", 0, Kind.ARGUMENT),
        ("/cmd @x", 0, Kind.FILE), ("(@x", 0, Kind.FILE), ('@"a b', 3, Kind.FILE), ("a@x", 0, None), ("@x y", 0, None),
    ],
)
def test_what_is_completed_at_the_end_of_a_line(line: str, row: int, kind: Kind | None) -> None:
    request = request_at(line, row, len(line))
    assert (request.kind if request else None) is kind
