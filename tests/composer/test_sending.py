"""Handing a prompt over: once, and nothing typed is lost whatever becomes of it."""

from __future__ import annotations

import pytest

from pitui.rpc.messages import ImageBlock
from pitui.store.drafts import Draft
from tests.composer.hands import hands

pytestmark = pytest.mark.anyio

IMAGE = ImageBlock(data="aGVsbG8=", mime_type="image/png")


async def test_enter_twice_sends_one_prompt() -> None:
    async with hands() as person:
        await person.keys(*"one", "enter", "enter")
        assert person.app.sent == [("one", "enter")]


async def test_the_text_stays_until_the_prompt_is_accepted() -> None:
    async with hands() as person:
        await person.keys(*"one", "enter")
        assert person.text == "one"
        person.composer.accepted()
        assert person.text == ""


async def test_enter_on_an_empty_field_sends_nothing() -> None:
    async with hands() as person:
        await person.keys("enter", "space", "enter")
        assert person.app.sent == []


async def test_what_is_typed_while_a_prompt_is_on_its_way_stays() -> None:
    async with hands() as person:
        await person.keys(*"one", "enter", *"two")
        person.composer.accepted()
        assert person.text == "two"


async def test_a_refused_prompt_stands_above_what_was_typed_since() -> None:
    async with hands() as person:
        await person.keys(*"question", "enter", *"newer")
        person.composer.refused()
        assert person.text == "question\n\nnewer"


async def test_a_refused_prompt_with_nothing_typed_since_stays_as_it_was() -> None:
    async with hands() as person:
        await person.keys(*"question", "enter")
        person.composer.refused()
        assert (person.text, person.composer.sending) == ("question", False)


async def test_a_prompt_on_its_way_is_part_of_the_draft_to_be_saved() -> None:
    async with hands() as person:
        await person.keys(*"one", "enter", *"two")
        assert person.composer.draft.text == "one\n\ntwo"


async def test_a_second_prompt_goes_once_the_first_is_accepted() -> None:
    async with hands() as person:
        await person.type("one")
        await person.keys("enter")
        await person.type("two")
        await person.keys("enter")
        await person.type("three")
        assert (person.app.sent, person.text) == ([("one", "enter")], "three")
        assert person.composer.draft.text == "one\n\ntwo\n\nthree"
        person.composer.accepted()
        await person.pilot.pause()
        assert (person.app.sent, person.text) == ([("one", "enter"), ("two", "enter")], "three")
        person.composer.accepted()
        assert (person.composer.sending, person.composer.draft.text) == (False, "three")


async def test_with_a_refused_prompt_the_one_behind_it_comes_back_as_well() -> None:
    async with hands() as person:
        await person.type("one")
        await person.keys("enter")
        await person.type("two")
        await person.keys("enter")
        await person.type("three")
        person.composer.refused()
        assert (person.text, person.composer.sending) == ("one\n\ntwo\n\nthree", False)


async def test_a_prompt_on_its_way_is_not_put_aside_as_well() -> None:
    async with hands() as person:
        await person.type("question")
        await person.keys("enter", "ctrl+s")
        kept = person.composer.kept
        assert (kept.draft.text, kept.stash) == ("question", ())


async def test_letters_typed_in_the_same_read_as_enter_are_no_part_of_the_prompt() -> None:
    async with hands() as person:
        await person.bytes("one\rtwo")
        assert person.app.sent == [("one", "enter")]


async def test_a_text_taken_back_stands_below_the_draft() -> None:
    async with hands() as person:
        await person.keys(*"mine")
        person.composer.take_back("queued", (IMAGE,))
        assert (person.text, person.composer.images) == ("mine\n\nqueued", (IMAGE,))


async def test_typing_goes_on_in_the_draft_after_a_text_was_taken_back() -> None:
    async with hands() as person:
        await person.keys(*"mine")
        person.composer.take_back("queued")
        await person.keys("X")
        assert person.text == "mineX\n\nqueued"


async def test_a_text_from_an_extension_puts_the_draft_in_the_stash() -> None:
    async with hands() as person:
        await person.keys(*"half")
        person.composer.prefill("from the agent")
        assert person.text == "from the agent"
        assert [draft.text for draft in person.composer.stash.drafts] == ["half"]


async def test_undo_brings_the_draft_back_from_under_an_extensions_text() -> None:
    async with hands() as person:
        await person.keys(*"half")
        person.composer.prefill("from the agent")
        await person.keys("ctrl+underscore", "ctrl+underscore")
        assert (person.text, person.composer.stash.drafts) == ("half", ())


async def test_redo_returns_the_draft_to_the_stash() -> None:
    async with hands() as person:
        await person.keys(*"half", "ctrl+c", "ctrl+underscore", "ctrl+shift+z")
        assert (person.text, [draft.text for draft in person.composer.stash.drafts]) == ("", ["half"])


async def test_ctrl_c_clears_the_text_into_the_stash() -> None:
    async with hands() as person:
        await person.keys(*"half", "ctrl+c")
        assert (person.text, [draft.text for draft in person.composer.stash.drafts]) == ("", ["half"])


async def test_ctrl_c_on_an_empty_field_is_the_apps() -> None:
    async with hands() as person:
        await person.keys("ctrl+c")
        assert person.app.bubbled == ["ctrl+c"]


async def test_ctrl_d_on_an_empty_field_is_the_apps() -> None:
    async with hands() as person:
        await person.keys("ctrl+d")
        assert person.app.bubbled == ["ctrl+d"]


async def test_escape_with_no_list_open_is_the_screens() -> None:
    async with hands() as person:
        await person.keys("a", "escape")
        assert (person.app.bubbled, person.text) == (["escape"], "a")


async def test_ctrl_s_puts_the_draft_aside_and_brings_it_back() -> None:
    async with hands() as person:
        await person.keys(*"half", "ctrl+s")
        assert person.text == ""
        await person.keys("ctrl+s")
        assert (person.text, person.composer.stash.drafts) == ("half", ())


async def test_alt_enter_makes_a_line_when_nothing_runs() -> None:
    async with hands() as person:
        await person.keys("a", "alt+enter", "b")
        assert (person.text, person.app.sent) == ("a\nb", [])


async def test_alt_enter_queues_while_the_agent_works() -> None:
    async with hands() as person:
        person.composer.alt_enter = "follow_up"
        await person.keys("a", "alt+enter")
        assert person.app.sent == [("a", "follow_up")]


async def test_alt_enter_of_a_plain_terminal_does_not_send() -> None:
    async with hands() as person:
        await person.bytes("a\x1b\rb")
        assert (person.text, person.app.sent) == ("a\nb", [])


@pytest.mark.parametrize("newline", ["\n", "\x1b[13;2u", "\x1b[27;2;13~"], ids=["ctrl+j", "kitty", "modifyOtherKeys"])
async def test_every_newline_key_makes_a_line(newline: str) -> None:
    async with hands() as person:
        await person.bytes(f"a{newline}b")
        assert (person.text, person.app.sent) == ("a\nb", [])


async def test_a_backslash_before_enter_makes_a_line() -> None:
    async with hands() as person:
        await person.keys("a", "backslash", "enter", "b")
        assert (person.text, person.app.sent) == ("a\nb", [])


async def test_images_alone_are_a_prompt() -> None:
    async with hands() as person:
        person.composer.attach(IMAGE)
        await person.keys("enter")
        assert (person.app.sent, person.app.images) == ([("", "enter")], [(IMAGE,)])
        person.composer.accepted()
        assert person.composer.images == ()


async def test_backspace_in_an_empty_field_removes_the_last_image() -> None:
    async with hands() as person:
        person.composer.attach(IMAGE, IMAGE)
        await person.keys("backspace")
        assert person.composer.images == (IMAGE,)


async def test_a_click_on_a_chip_removes_its_image() -> None:
    other = ImageBlock(data="d29ybGQ=", mime_type="image/png")
    async with hands() as person:
        person.composer.attach(IMAGE, other)
        await person.pilot.pause()
        await person.pilot.click("ImageChip")
        assert person.composer.images == (other,)


async def test_setting_the_draft_shows_another_sessions() -> None:
    async with hands() as person:
        await person.keys(*"mine")
        person.composer.draft = Draft("theirs", (), 2, (IMAGE,))
        await person.keys("X")
        assert (person.text, person.composer.images) == ("thXeirs", (IMAGE,))


async def test_the_draft_is_worth_saving_once_typing_stops() -> None:
    async with hands() as person:
        await person.keys(*"abc")
        while not person.app.settled:
            await person.pilot.pause()
        assert person.composer.kept.draft.text == "abc"


async def test_quotes_with_comments_make_one_message() -> None:
    async with hands() as person:
        person.composer.quote("one\ntwo\n")
        await person.type("yes")
        person.composer.quote("three")
        await person.type("no")
        assert person.text == "> one\n> two\n\nyes\n\n> three\n\nno"


async def test_a_quote_of_foreign_text_brings_no_control_characters() -> None:
    async with hands() as person:
        person.composer.quote("a\x1b[31mred\x07")
        assert person.text == "> ared\n\n"


async def test_a_text_that_begins_with_an_exclamation_mark_is_marked_as_a_shell_command() -> None:
    async with hands() as person:
        await person.type("!ls")
        assert person.composer.has_class("-bash")
        await person.keys("ctrl+u")
        assert not person.composer.has_class("-bash")
