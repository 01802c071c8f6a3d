"""The resume picker, driven by its keys on real session files."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from textual.app import App
from textual.pilot import Pilot
from textual.widgets import Static

from pitui.catalog.cards import SessionCard
from pitui.catalog.folders import SessionFolders
from pitui.catalog.index import SessionIndex
from pitui.catalog.lock import SessionLock
from pitui.render.palette import default_palette
from pitui.screens.ask import AskScreen
from pitui.screens.sessions import SessionsScreen
from pitui.widgets.dialogs import Choices
from pitui.widgets.rowlist import RowList
from tests.catalog.files import answered, entry, header, message, said, write

pytestmark = pytest.mark.anyio

NOW = 1767225600.0 + 10 * 86400
HERE, THERE = "/srv/here", "/srv/there"


class Host(App[None]):
    """An app with nothing but the picker."""

    ENABLE_COMMAND_PALETTE = False

    def __init__(self, root: Path, current: str = "") -> None:
        super().__init__()
        self.picker = SessionsScreen(
            SessionIndex(root.parent / "cache" / "c.sqlite"),
            SessionFolders(Path(HERE), root / "--srv-here--", root, shared=False),
            default_palette(dark=True), current=current, home="/home/me", locks=root.parent / "locks",
            clock=lambda: NOW,
        )
        self.result: list[SessionCard | None] = []

    def on_mount(self) -> None:
        self.push_screen(self.picker, self.result.append)

    @property
    def labels(self) -> list[str]:
        return [row.card.label for row in self.picker.rows]

    @property
    def question(self) -> str:
        return self.screen.heading if isinstance(self.screen, AskScreen) else ""

    @property
    def asking(self) -> bool:
        """A question is up and takes keys."""
        return isinstance(self.screen, AskScreen) and isinstance(self.focused, Choices)

    def drawn_line(self, y: int) -> str:
        return "".join(segment.text for segment in self.picker.query_one(RowList).render_line(y)).rstrip()

    def drawn(self) -> list[str]:
        return [self.drawn_line(y) for y in range(self.picker.query_one(RowList).count)]

    def words(self, id: str) -> str:
        return str(self.picker.query_one(f"#{id}", Static).content)


def session(root: Path, folder: str, number: int, cwd: str, text: str, name: str = "", **more: object) -> Path:
    when = 1767225600000 + number * 86_400_000
    records = [
        header(f"id{number}", cwd, **more),
        message("a", None, "user", text, timestamp=when),
        answered("b", "a", f"Answer {number}", cost=0.5 * number),
    ]
    if name:
        records.append(entry("session_info", "c", "b", name=name))
    return write(root / folder / f"{number}.jsonl", records)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "sessions"
    session(root, "--srv-here--", 1, HERE, "Fix the parser")
    session(root, "--srv-here--", 2, HERE, "Write docs [bold]not markup[/]", name="Docs")
    session(root, "--srv-there--", 3, THERE, "Elsewhere, 日本語")
    return root


async def until(pilot: Pilot[None], condition: Callable[[], bool]) -> None:
    """Let the app work until `condition` holds."""
    for _ in range(2000):
        if condition():
            return
        await pilot.pause(0.005)
    raise AssertionError("it never came to be")


async def test_the_sessions_of_this_folder_come_first_and_tab_shows_all(root: Path) -> None:
    app = Host(root)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: app.labels == ["Docs", "Fix the parser"])
        await pilot.press("tab")
        assert app.labels == ["Elsewhere, 日本語", "Docs", "Fix the parser"]
        assert "everywhere · by recent · 3 sessions" in app.words("head")
        await pilot.press("tab")
        assert app.labels == ["Docs", "Fix the parser"]


async def test_enter_gives_the_session_under_the_cursor(root: Path) -> None:
    app = Host(root)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: len(app.labels) == 2)
        await pilot.press("down", "enter")
        assert [card.id for card in app.result if card] == ["id1"]


async def test_escape_gives_none(root: Path) -> None:
    app = Host(root)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("escape")
        assert app.result == [None]


async def test_the_cursor_starts_on_the_session_that_is_open(root: Path) -> None:
    app = Host(root, current=str(root / "--srv-here--" / "1.jsonl"))
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: len(app.labels) == 2)
        assert app.picker.chosen is not None
        assert app.picker.chosen.id == "id1"
        assert app.drawn()[1].startswith(" ● Fix the parser")


async def test_rows_show_foreign_text_as_text_with_numbers_at_the_right(root: Path) -> None:
    session(root, "--srv-here--", 4, HERE, "a\x1b]0;title\x07b\u202ec\nd [red]e")
    app = Host(root)
    async with app.run_test(size=(90, 24)) as pilot:
        await until(pilot, lambda: len(app.labels) == 3)
        await pilot.press("tab")
        rows = app.drawn()
        assert rows[0].startswith("   abc d [red]e")
        assert rows[0].endswith("6d ago")
        assert "$2.00" in rows[0]
        assert all(len(row) <= 90 for row in rows)


@pytest.mark.parametrize("width", [10, 30, 60, 99, 120, 200])
async def test_every_row_fills_its_width_and_no_more(root: Path, width: int) -> None:
    session(root, "--srv-here--", 5, HERE, "日本語" * 60)
    app = Host(root)
    async with app.run_test(size=(width, 12)) as pilot:
        await until(pilot, lambda: len(app.labels) == 3)
        rows = app.picker.query_one(RowList)
        wide = rows.scrollable_content_region.width
        assert {rows.render_line(y).cell_length for y in range(12)} == {wide}


async def test_orders_can_be_cycled_through(root: Path) -> None:
    app = Host(root)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: len(app.labels) == 2)
        await pilot.press("up", "ctrl+s")
        assert (app.picker.sort.value, app.labels) == ("name", ["Docs", "Fix the parser"])
        await pilot.press("ctrl+s")
        assert (app.picker.sort.value, app.labels) == ("cost", ["Docs", "Fix the parser"])


async def test_named_only_and_paths(root: Path) -> None:
    app = Host(root)
    async with app.run_test(size=(99, 24)) as pilot:
        await until(pilot, lambda: len(app.labels) == 2)
        await pilot.press("ctrl+n")
        assert app.labels == ["Docs"]
        await pilot.press("ctrl+p")
        assert "2.jsonl" in app.drawn()[0]


async def test_words_are_looked_for_in_all_that_was_said(root: Path) -> None:
    app = Host(root)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: len(app.labels) == 2)
        await pilot.press("tab", *"ANSWER", "space", "3")
        await until(pilot, lambda: app.labels == ["Elsewhere, 日本語"])
        await pilot.press(*["backspace"] * 8)
        await until(pilot, lambda: len(app.labels) == 3)


async def test_what_is_typed_can_be_seen(root: Path) -> None:
    app = Host(root)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: len(app.labels) == 2)
        await pilot.press(*"parsers")
        await until(pilot, lambda: "parsers" in app.export_screenshot())
        assert app.picker.query_one("#query").size.height == 1


async def test_a_pattern_being_typed_says_what_is_wrong_and_hides_nothing(root: Path) -> None:
    app = Host(root)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: len(app.labels) == 2)
        await pilot.press(*"re:(doc")
        assert "not a pattern" in app.words("status")
        assert len(app.labels) == 2
        await pilot.press(")")
        await until(pilot, lambda: app.labels == ["Docs"])
        assert app.words("status").strip() == ""


async def test_forks_and_sub_agents_hang_below_their_parents(root: Path) -> None:
    session(root, "--srv-here--", 8, HERE, "A fork", parentSession=str(root / "--srv-here--" / "1.jsonl"))
    session(root, "--srv-here--/8/runs", 9, HERE, "A sub-agent")
    app = Host(root)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: len(app.labels) == 4)
        assert [row[:22].rstrip() for row in app.drawn()] == [
            "   Fix the parser", "   └─ A fork", "     └─ A sub-agent", "   Docs"
        ]


async def test_renaming_appends_a_name_and_escape_leaves_it(root: Path) -> None:
    path = root / "--srv-here--" / "2.jsonl"
    before = path.read_bytes()
    app = Host(root)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: len(app.labels) == 2)
        await pilot.press("ctrl+r", "x", "escape")
        assert path.read_bytes() == before
        await pilot.press("ctrl+r", "!", "enter")
        await until(pilot, lambda: app.labels[0] == "Docs!")
        assert not app.picker.has_class("-renaming")
    added = path.read_bytes().removeprefix(before)
    record = json.loads(added)
    assert (record["type"], record["parentId"], record["name"]) == ("session_info", "c", "Docs!")


async def test_a_session_an_agent_has_open_is_neither_renamed_nor_deleted(root: Path) -> None:
    path = root / "--srv-here--" / "2.jsonl"
    before = path.read_bytes()
    app = Host(root)
    with SessionLock(path, 1.0, root.parent / "locks"):
        async with app.run_test(size=(80, 24)) as pilot:
            await until(pilot, lambda: len(app.labels) == 2)
            await pilot.press("ctrl+r", "!", "enter")
            await until(pilot, lambda: "is open in this pitui" in app.words("status"))
            await pilot.press("ctrl+d")
            await until(pilot, lambda: app.asking)
            await pilot.press("down", "enter")
            await until(pilot, lambda: app.screen is app.picker)
            await until(pilot, lambda: "is open in this pitui" in app.words("status"))
    assert path.read_bytes() == before


async def test_deleting_asks_and_moves_to_the_trash(root: Path) -> None:
    path = root / "--srv-here--" / "2.jsonl"
    app = Host(root)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: len(app.labels) == 2)
        await pilot.press("ctrl+d")
        await until(pilot, lambda: app.asking)
        await pilot.press("enter")
        await until(pilot, lambda: app.screen is app.picker)
        assert path.exists()
        await pilot.press("ctrl+d")
        await until(pilot, lambda: app.asking)
        await pilot.press("down", "enter")
        await until(pilot, lambda: app.labels == ["Fix the parser"])
        assert not path.exists()


async def test_without_a_trash_deleting_for_good_is_asked_for_apart(root: Path, no_trash: None) -> None:
    path = root / "--srv-here--" / "2.jsonl"
    app = Host(root)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: len(app.labels) == 2)
        await pilot.press("ctrl+d")
        await until(pilot, lambda: app.asking)
        await pilot.press("down", "enter")
        await until(pilot, lambda: app.asking and "There is no trash" in app.question)
        await pilot.press("enter")
        await until(pilot, lambda: app.screen is app.picker)
        assert path.exists()
        await pilot.press("ctrl+d")
        await until(pilot, lambda: app.asking)
        await pilot.press("down", "enter")
        await until(pilot, lambda: app.asking and "There is no trash" in app.question)
        await pilot.press("down", "enter")
        await until(pilot, lambda: not path.exists())
        await until(pilot, lambda: app.labels == ["Fix the parser"])


async def test_the_preview_shows_the_end_of_the_session_where_there_is_room(root: Path) -> None:
    app = Host(root)
    async with app.run_test(size=(120, 24)) as pilot:
        await until(pilot, lambda: "Answer 2" in app.words("preview-text"))
        assert "▌ Write docs [bold]not markup[/]" in app.words("preview-text")
        await pilot.press("down")
        await until(pilot, lambda: "Answer 1" in app.words("preview-text"))


async def test_the_preview_shows_where_the_search_found_it(root: Path) -> None:
    app = Host(root)
    async with app.run_test(size=(120, 24)) as pilot:
        await until(pilot, lambda: len(app.labels) == 2)
        await pilot.press(*"parser")
        await until(pilot, lambda: app.words("preview-text").startswith("… Fix the parser\n"))


async def test_a_session_without_a_header_is_listed_and_not_opened(root: Path) -> None:
    write(root / "--srv-here--" / "lost.jsonl", [said("a", None, "Lost its head")])
    app = Host(root)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: len(app.labels) == 3)
        await pilot.press(*"lost")
        await until(pilot, lambda: app.labels == ["Lost its head"])
        await pilot.press("enter")
        assert "cannot be opened: its first line is no session header" in app.words("status")
        assert app.result == []


async def test_no_sessions_at_all_is_said(tmp_path: Path) -> None:
    app = Host(tmp_path / "sessions")
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "no sessions under" in app.drawn_line(0))
        await pilot.press("enter", "ctrl+r", "ctrl+d", "down", "pagedown", "ctrl+end")
        assert app.result == []


async def test_five_thousand_rows_cost_what_the_screen_shows(tmp_path: Path) -> None:
    root = tmp_path / "sessions"
    for number in range(300):
        session(root, "--srv-here--", number, HERE, f"Session {number:04}")
    app = Host(root)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: len(app.labels) == 300)
        drawn: list[int] = []
        draw = app.picker._draw

        def counted(number: int, width: int) -> object:
            drawn.append(number)
            return draw(number, width)

        app.picker.query_one(RowList)._draw = counted  # type: ignore[assignment]  # counts, then draws
        await pilot.press("pagedown")
        await pilot.pause()
        assert 0 < len(set(drawn)) <= 2 * 24
