"""The tree screen, driven by its keys."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from textual.app import App
from textual.widgets import Static

from pitui.render.palette import default_palette
from pitui.rpc.stored import AnyStored
from pitui.screens.tree import Fork, TreeAction, TreeScreen
from pitui.session.tree import TreeFilter
from pitui.widgets.rowlist import RowList
from tests.catalog.files import answered, entry, message, said
from tests.catalog.test_tree import BRANCHED, OF_EVERY_KIND, stored

pytestmark = pytest.mark.anyio


class Host(App[None]):
    """An app with nothing but the tree."""

    ENABLE_COMMAND_PALETTE = False

    def __init__(self, entries: Sequence[AnyStored], leaf: str | None, **more: TreeFilter) -> None:
        super().__init__()
        self.copied: list[str] = []
        self.result: list[TreeAction | None] = []
        self.tree_screen = TreeScreen(entries, leaf, default_palette(dark=True), copy=self.copied.append, **more)

    def on_mount(self) -> None:
        self.push_screen(self.tree_screen, self.result.append)

    @property
    def drawn(self) -> list[str]:
        rows = self.tree_screen.query_one(RowList)
        return ["".join(part.text for part in rows.render_line(y)).rstrip() for y in range(rows.count)]

    def words(self, id: str) -> str:
        return str(self.tree_screen.query_one(f"#{id}", Static).content)

    @property
    def at(self) -> str:
        row = self.tree_screen.row_now
        return row.node.entry.id if row is not None else ""


async def test_the_tree_opens_where_the_session_stands() -> None:
    app = Host(BRANCHED, "h")
    async with app.run_test(size=(60, 24)) as pilot:
        await pilot.pause()
        assert app.at == "h"
        assert app.drawn == [
            " · ▌ question", " · answer", " · ├─ ▌ right", " · │ ├─ right answer", " ● │ │ ▌ more", "   │ └─ ▌ other",
            "   └─ ▌ left", "     left answer",
        ]


async def test_enter_forks_from_ones_own_message_with_its_text() -> None:
    app = Host(BRANCHED, "h")
    async with app.run_test(size=(60, 24)) as pilot:
        await pilot.press("ctrl+home", "enter")
        assert app.result == [Fork("a", "question")]


async def test_nothing_else_can_be_forked_from_and_that_is_said() -> None:
    app = Host(BRANCHED, "d")
    async with app.run_test(size=(60, 24)) as pilot:
        await pilot.pause()
        await pilot.press("enter")
        assert app.result == []
        assert "only your own messages" in app.words("status")
        await pilot.press("escape")
        assert app.result == [None]


async def test_views_are_toggled_and_cycled_and_the_cursor_stays_near() -> None:
    app = Host(OF_EVERY_KIND, "n")
    async with app.run_test(size=(60, 24)) as pilot:
        await pilot.pause()
        assert app.at == "h"
        await pilot.press("ctrl+u")
        assert (app.tree_screen.view, app.at, len(app.drawn)) == (TreeFilter.USER, "a", 1)
        views = []
        for key in ("ctrl+u", "ctrl+o", "ctrl+a", "ctrl+l", "ctrl+t", "ctrl+d"):
            await pilot.press(key)
            views.append(app.tree_screen.view)
        assert views == [
            TreeFilter.DEFAULT, TreeFilter.NO_TOOLS, TreeFilter.ALL, TreeFilter.LABELLED, TreeFilter.NO_TOOLS,
            TreeFilter.DEFAULT,
        ]


async def test_the_agents_setting_chooses_the_first_view() -> None:
    app = Host(OF_EVERY_KIND, "n", view=TreeFilter("labeled-only"))
    async with app.run_test(size=(60, 24)) as pilot:
        await pilot.pause()
        assert app.drawn == [f"{' ● ▌ Look at the file':<53}[start]"]


async def test_typing_filters_and_rubbing_out_shows_all_again() -> None:
    app = Host(BRANCHED, "h")
    async with app.run_test(size=(60, 24)) as pilot:
        await pilot.press(*"LEFT")
        assert app.drawn == ["   ▌ left", "   left answer"]
        await pilot.press(*["backspace"] * 4)
        assert len(app.drawn) == 8


async def test_branches_fold_and_unfold_and_the_keys_jump_between_them() -> None:
    app = Host(BRANCHED, "h")
    async with app.run_test(size=(60, 24)) as pilot:
        await pilot.pause()
        await pilot.press("ctrl+left", "ctrl+left")
        assert app.at == "f"
        assert app.drawn[3].endswith("+1")
        await pilot.press("ctrl+right")
        assert len(app.drawn) == 8
        await pilot.press("ctrl+left", "ctrl+left")
        assert app.at == "e"
        await pilot.press("ctrl+left")
        assert app.drawn[2].endswith("+3")
        await pilot.press(*["ctrl+right"] * 6)
        assert app.at == "d"


async def test_copying_leaves_the_screen_open() -> None:
    app = Host(BRANCHED, "h")
    async with app.run_test(size=(60, 24)) as pilot:
        await pilot.pause()
        await pilot.press("ctrl+x")
        assert app.copied == ["more"]
        assert app.result == []


async def test_the_preview_shows_the_entry_as_the_transcript_would() -> None:
    entries = stored([said("a", None, "hello"), answered("b", "a", "# Title\n\n**bold** [red]x[/]")])
    app = Host(entries, "b")
    async with app.run_test(size=(120, 24)) as pilot:
        await pilot.pause()
        await pilot.pause()
        assert "bold [red]x[/]" in app.words("preview-text")
        await pilot.press("up")
        assert "hello" in app.words("preview-text")


@pytest.mark.parametrize("width", [8, 30, 100, 160])
async def test_foreign_text_stays_text_and_rows_their_width(width: int) -> None:
    entries = stored([
        said("a", None, "\x1b[31mred\x1b[0m [bold]x[/] 日本語 \u202eabc\r\nnext" * 30),
        message("b", "a", "toolResult", "\x1b]0;t\x07out", toolName="[b]tool[/]"),
        entry("label", "c", "b", targetId="b", label="[red]日本語\x1b[2J" * 20),
    ])
    app = Host(entries, "c", view=TreeFilter.ALL)
    async with app.run_test(size=(width, 12)) as pilot:
        await pilot.pause()
        rows = app.tree_screen.query_one(RowList)
        wide = rows.scrollable_content_region.width
        assert {rows.render_line(y).cell_length for y in range(12)} == {wide}
        assert not any(ord(sign) < 32 or sign == "\u202e" for row in app.drawn for sign in row)


async def test_ten_thousand_entries_open_and_move_and_filter() -> None:
    entries = stored([said(str(number), str(number - 1) if number else None, f"m{number}") for number in range(10_000)])
    app = Host(entries, "9999")
    async with app.run_test(size=(120, 24)) as pilot:
        await pilot.pause()
        assert app.at == "9999"
        await pilot.press("up", "pageup", "ctrl+home")
        assert app.at == "0"
        await pilot.press(*"m7777")
        assert app.drawn == [" ● ▌ m7777"]


async def test_an_empty_session_says_so_and_keys_do_nothing() -> None:
    app = Host((), None)
    async with app.run_test(size=(120, 24)) as pilot:
        await pilot.press("enter", "ctrl+left", "ctrl+right", "ctrl+x", "down", "ctrl+end")
        assert "nothing matches" in app.tree_screen.query_one(RowList).render_line(0).text
        assert app.result == []
