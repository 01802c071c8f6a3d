"""The resume picker: sessions on disk, found, looked into, renamed and thrown away."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import AsyncIterator, Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TypeVar

from rich.text import Text
from textual import work
from textual.binding import Binding
from textual.widgets import Input

from pitui.catalog.cards import SessionCard
from pitui.catalog.edit import NoTrash, delete_session, rename_session, trash_session
from pitui.catalog.folders import SessionFolders
from pitui.catalog.index import Batch, SessionIndex
from pitui.catalog.lineage import LineageRow, Sort, lineage, ordered
from pitui.catalog.lock import SessionHeld
from pitui.catalog.preview import ending
from pitui.catalog.search import Query, excerpts, parse_query, search
from pitui.keys.keymap import bind
from pitui.render.bars import one_line
from pitui.render.lines import Palette, View
from pitui.render.text import clip, count
from pitui.screens.ask import AskScreen
from pitui.screens.listing import ListScreen
from pitui.store.jsonfile import FileTrouble
from pitui.widgets.glimpse import entries_text
from pitui.widgets.rowlist import QueryInput
from pitui.widgets.sessionrow import RowLook, found_text, session_row

PERIOD = 0.4
"""Seconds between two arrangements of the list while sessions come in; more when arranging takes long."""
SETTLE = 0.06
"""Seconds the cursor rests before a preview is made: a held key makes none."""
KEYS = (
    "enter opens · tab {scope} · ctrl+s sort · ctrl+n named · ctrl+p paths · ctrl+r rename · ctrl+d delete · esc closes"
)
SYNTAX = 'words, "a phrase" or re:pattern'

Item = TypeVar("Item")


async def in_steps(steps: Iterator[Item]) -> AsyncIterator[Item]:
    """The items, each made in a thread; stopping the iteration stops the work after the step in progress."""
    while (item := await asyncio.to_thread(next, steps, None)) is not None:
        yield item


class SessionsScreen(ListScreen[LineageRow, SessionCard]):
    """Dismisses with the chosen session, or None. `current`: path of the session that is open now, if any.

    It opens nothing itself: the folder of the chosen session may be gone, and another pitui may have it open.
    `clock`: seconds since 1970. `locks`: where session locks are kept, when not in the usual place.
    """

    BINDINGS = [
        Binding("tab", "toggle_scope", show=False),
        bind("app.session.togglePath"),
        bind("app.session.toggleSort"),
        bind("app.session.toggleNamedFilter"),
        bind("app.session.rename"),
        bind("app.session.delete"),
        bind("app.session.deleteNoninvasive"),
    ]
    DEFAULT_CSS = """
    SessionsScreen #renaming { display: none; }
    SessionsScreen.-renaming #renaming { display: block; }
    SessionsScreen.-renaming #query { display: none; }
    """

    def __init__(
        self,
        index: SessionIndex,
        folders: SessionFolders,
        palette: Palette,
        *,
        current: str = "",
        home: str = "",
        everywhere: bool = False,
        locks: Path | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        renaming = QueryInput("a name; empty takes it away", id="renaming")
        super().__init__(palette, SYNTAX, renaming)
        self._renaming = renaming
        self._index, self._folders = index, folders
        self._current, self._home, self._locks, self._clock = current, home, locks, clock
        self.everywhere = everywhere
        self.sort = Sort.RECENT
        self.named_only = False
        self.show_paths = False
        self.query_now = Query()
        self._cards: dict[str, SessionCard] = {}
        self._found: dict[str, None] = {}
        self._owned: dict[tuple[str, str], bool] = {}
        self._progress = (0, 0)
        self._due = 0.0
        self._seen: object = None

    # ---------------------------------------------------------------- the picture

    def on_mount(self) -> None:
        self.refresh_index()

    def _frame(self) -> None:
        done, total = self._progress
        parts = ["everywhere" if self.everywhere else "this folder", f"by {self.sort.value}"]
        parts += ["named only"] if self.named_only else []
        parts.append(f"reading {done:,} of {total:,}" if done < total else count(len(self.rows), "session"))
        keys = KEYS.format(scope="this folder" if self.everywhere else "everywhere")
        if self.has_class("-renaming"):
            keys = "enter keeps the name · esc leaves it as it was"
        self._surround("open a session", " · ".join(parts), self._status or self.query_now.problem, keys)

    def _arrange(self) -> None:
        """Put the rows in order anew, with the cursor on the session it was on."""
        chosen = self.chosen
        shown = [card for card in self._cards.values() if self._shows(card)]
        if self.query_now.empty:
            rows = lineage(shown, self.sort)
        else:
            rows = [LineageRow(card) for card in ordered(shown, self.sort)]
        wanted = chosen.path if chosen is not None else self._current
        at = next((number for number, row in enumerate(rows) if row.card.path == wanted), None)
        self._show(rows, at, self._nothing())

    def _shows(self, card: SessionCard) -> bool:
        if self.named_only and not card.name:
            return False
        if not self.query_now.empty and card.path not in self._found:
            return False
        return self.everywhere or self._owns(card)

    def _owns(self, card: SessionCard) -> bool:
        key = (card.cwd, str(Path(card.path).parent))
        if key not in self._owned:
            self._owned[key] = self._folders.owns(Path(card.path), card.cwd)
        return self._owned[key]

    def _nothing(self) -> str:
        if self._progress[0] < self._progress[1]:
            return "reading …"
        if self._cards and not self.everywhere:
            return "nothing here · tab looks everywhere"
        return "nothing matches" if self._cards else f"no sessions under {one_line(str(self._folders.root))}"

    def _draw(self, number: int, width: int) -> Text:
        look = RowLook(
            self._palette, self._clock(), self._home, self._current, folders=self.everywhere, paths=self.show_paths
        )
        return session_row(self.rows[number], width, look)

    @property
    def chosen(self) -> SessionCard | None:
        """The session under the cursor."""
        row = self.row_now
        return row.card if row is not None else None

    # ---------------------------------------------------------------- work behind it

    @work(exclusive=True, group="index")
    async def refresh_index(self) -> None:
        """Bring the index up to date; rows come as they become known."""
        try:
            async for batch in in_steps(self._index.refresh(self._folders.root)):
                self._take(batch)
        except (OSError, sqlite3.Error) as error:
            self._say(f"the index of sessions cannot be read: {error}")
        if not self.query_now.empty:
            self.find()

    def _take(self, batch: Batch) -> None:
        for path in batch.gone:
            self._cards.pop(path, None)
        self._cards |= {card.path: card for card in batch.cards}
        self._progress = (batch.done, batch.total)
        self._frame()
        self._arrange_in_time(batch.done == batch.total)

    def _arrange_in_time(self, last: bool) -> None:
        """Put the rows in order unless that was just done and there is more to come."""
        start = time.monotonic()
        if start < self._due and not last:
            return
        self._arrange()
        now = time.monotonic()
        self._due = now + max(PERIOD, 10 * (now - start))

    @work(exclusive=True, group="search")
    async def find(self) -> None:
        """Look for what is typed; what is found appears as it is found."""
        self._found, self._due = {}, 0.0
        paths = [card.path for card in ordered(self._cards.values(), self.sort)]
        try:
            async for hits in in_steps(search(self._index, self.query_now, paths)):
                self._found |= dict.fromkeys(hits.paths)
                self._arrange_in_time(hits.done == hits.total)
        except (OSError, sqlite3.Error) as error:
            self._say(f"the search failed: {error}")

    @work(exclusive=True, group="preview")
    async def show_ending(self, card: SessionCard) -> None:
        """Show the end of the session as the transcript would, and where the search found it."""
        await asyncio.sleep(SETTLE)
        place = self._preview_pane
        view = View(self._preview_width, self._palette, home=self._home, cwd=card.cwd)
        query = self.query_now
        text = await asyncio.to_thread(self._glimpse, card, view, query)
        self._preview_text.update(text)
        self.call_after_refresh(place.scroll_end if query.empty else place.scroll_home, animate=False)

    def _glimpse(self, card: SessionCard, view: View, query: Query) -> Text:
        """What the preview shows; made in a thread, for it reads the file."""
        try:
            shown = entries_text(ending(Path(card.path)), view)
        except OSError as error:
            shown = Text(f"{card.path} cannot be read: {error.strerror}", self._palette.warning)
        if query.empty:
            return shown
        found = found_text(excerpts(self._index.text(card.path), query), self._palette)
        return Text("\n").join([found, shown])

    # ---------------------------------------------------------------- what the person does

    def _preview(self) -> None:
        seen = (self.chosen, self.query_now, self.size.width)
        if seen == self._seen:
            return
        self._seen = seen
        if seen[0] is None:
            self._preview_text.update("")
        else:
            self.show_ending(seen[0])

    def on_input_changed(self, event: Input.Changed) -> None:
        if event.input.id != "query":
            return
        self.query_now = parse_query(event.value)
        self._status = ""
        self._found = {}
        if self.query_now.empty:
            self.workers.cancel_group(self, "search")
            self._arrange()
        else:
            self.find()

    def action_select_confirm(self) -> None:
        if self.has_class("-renaming"):
            self._rename(self._renaming.value)
            return
        card = self.chosen
        if card is None:
            return
        if card.trouble:
            self._say(f"{card.path} cannot be opened: {card.trouble}")
        else:
            self.dismiss(card)

    def action_select_cancel(self) -> None:
        if self.has_class("-renaming"):
            self._end_renaming()
        else:
            super().action_select_cancel()

    def action_toggle_scope(self) -> None:
        self.everywhere = not self.everywhere
        self._arrange()

    def action_toggle_session_path(self) -> None:
        self.show_paths = not self.show_paths
        self._list.refresh()

    def action_toggle_session_sort(self) -> None:
        self.sort = self.sort.next
        self._arrange()

    def action_toggle_named_sessions(self) -> None:
        self.named_only = not self.named_only
        self._arrange()

    def action_rename_session(self) -> None:
        card = self.chosen
        if card is None:
            return
        renaming = self._renaming
        renaming.value = one_line(card.name)
        self.add_class("-renaming")
        renaming.focus()
        self._say("")

    def _end_renaming(self) -> None:
        self.remove_class("-renaming")
        self._query.focus()
        self._frame()

    def _rename(self, name: str) -> None:
        card = self.chosen
        self._end_renaming()
        if card is not None:
            self._change(card, partial(rename_session, Path(card.path), name))

    def action_delete_session_when_no_query(self) -> None:
        if not self._query.value:
            self.action_delete_session()

    @work(group="change")
    async def action_delete_session(self) -> None:
        card = self.chosen
        if card is None or self.has_class("-renaming"):
            return
        if await self._sure(card, "Move this session to the trash?", "Move it to the trash"):
            try:
                await asyncio.to_thread(trash_session, Path(card.path), self._clock(), self._locks)
            except NoTrash as error:
                if await self._sure(card, f"There is no trash for it ({error}). Delete it for good?", "Delete it"):
                    self._change(card, partial(delete_session, Path(card.path)))
            except (SessionHeld, FileTrouble) as error:
                self._say(str(error))
            else:
                await self._reread(card)

    async def _sure(self, card: SessionCard, question: str, yes: str) -> bool:
        body = f"{clip(one_line(card.label), 200)}\n{card.path}"
        answers = [("Keep it", False), (yes, True)]
        return bool(await self.app.push_screen_wait(AskScreen(question, body, answers, self._palette)))

    @work(group="change")
    async def _change(self, card: SessionCard, change: Callable[[float, Path | None], None]) -> None:
        """Do something to a session's file; a session somebody has open is left alone, and that is said."""
        try:
            await asyncio.to_thread(change, self._clock(), self._locks)
        except (SessionHeld, FileTrouble) as error:
            self._say(str(error))
        await self._reread(card)

    async def _reread(self, card: SessionCard) -> None:
        fresh = await asyncio.to_thread(self._index.reread, Path(card.path))
        if fresh is None:
            self._cards.pop(card.path, None)
        else:
            self._cards[card.path] = fresh
        self._arrange()
