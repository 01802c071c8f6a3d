"""What the agent knows and does not tell by itself: its state, figures, models, commands and stored entries."""

from __future__ import annotations

from typing import Literal, Protocol, TypeVar

from pitui.agent import learn
from pitui.rpc import commands
from pitui.rpc.client import CommandFailed, PiExited
from pitui.rpc.commands import PiCommand
from pitui.session import local
from pitui.session.history import has_moved
from pitui.session.local import AnyEvent
from pitui.session.state import Session

R = TypeVar("R")


class Source(Protocol):
    """What the facts need of the conversation."""

    @property
    def session(self) -> Session: ...

    def fold(self, event: AnyEvent) -> None: ...

    async def ask(self, command: PiCommand[R]) -> R | None: ...

    async def request(self, command: PiCommand[R]) -> R: ...


class Facts:
    """Asks for one conversation, and folds what is answered into its session."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._ask = source.ask
        self._request = source.request
        self._fold = source.fold
        self._refreshing: set[str] = set()
        self._wanted: set[str] = set()

    async def refresh(self, what: Literal["state", "stats", "entries"]) -> None:
        """Ask again; what is wanted while an answer is under way is asked for once more after it."""
        self._wanted.add(what)
        if what in self._refreshing:
            return
        load = {"state": self.load_state, "stats": self.load_stats, "entries": self.load_entries}[what]
        self._refreshing.add(what)
        try:
            while what in self._wanted:
                self._wanted.discard(what)
                await load()
        finally:
            self._refreshing.discard(what)

    async def load_state(self) -> bool:
        state = await self._ask(commands.GetState())
        if state is not None:
            self._fold(learn.state(state))
        return state is not None

    async def load_stats(self) -> None:
        if (stats := await self._ask(commands.GetSessionStats())) is not None:
            self._fold(learn.stats(stats))

    async def load_models(self) -> None:
        if (found := await self._ask(commands.GetAvailableModels())) is not None:
            self._fold(local.ModelsLoaded(found.models))

    async def load_levels(self) -> None:
        try:
            found = await self._request(commands.GetAvailableThinkingLevels())
        except (CommandFailed, PiExited):
            return  # Agents before 0.81 do not know; the picker then offers all levels.
        self._fold(local.ThinkingLevelsLoaded(found.levels))

    async def load_commands(self) -> None:
        if (found := await self._ask(commands.GetCommands())) is not None:
            self._fold(learn.slash_commands(found))

    async def load_entries(self) -> None:
        """What was stored since the last look, or all of it; agents before 0.80.3 have only the model's context."""
        last = self._source.session.leaf_id
        try:
            found = await self._request(commands.GetEntries(last))
        except CommandFailed as error:
            if error.unsupported:
                await self._load_messages()
            elif last is not None:
                await self._load_all_entries()
            return
        except PiExited:
            return
        appended = local.EntriesAppended(found.entries, found.leaf_id)
        if last is None and not self._source.session.entries:
            self._fold(local.HistoryLoaded(found.entries, found.leaf_id))
        elif has_moved(self._source.session, appended):
            await self._load_all_entries()
        else:
            self._fold(appended)

    async def _load_all_entries(self) -> None:
        """The last entry known is not there any more: this is another session, or another state of it."""
        if (found := await self._ask(commands.GetEntries())) is not None:
            self._fold(local.HistoryLoaded(found.entries, found.leaf_id))

    async def _load_messages(self) -> None:
        if self._source.session.entries or self._source.session.run.state.busy:
            return
        if (found := await self._ask(commands.GetMessages())) is not None:
            self._fold(local.MessagesLoaded(found.messages))
