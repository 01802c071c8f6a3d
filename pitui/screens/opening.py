"""What comes before an agent starts: which session, whether its folder is there, who else has it, and is it trusted."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import anyio
from textual.app import App

from pitui.agent.conversation import Conversation
from pitui.agent.launch import Launcher
from pitui.agent.trouble import Trouble, held, no_session
from pitui.agent.trust import Decision, TrustChoice, Verdict, decide, save_trust
from pitui.catalog.cards import SessionCard
from pitui.catalog.edit import import_session
from pitui.catalog.folders import (
    Found,
    SessionFolders,
    SessionNotFound,
    agent_dir,
    find_session,
    latest_session,
    missing_folder,
    session_folders,
)
from pitui.catalog.lock import SessionHeld, SessionLock
from pitui.cli import Options
from pitui.render.lines import Palette
from pitui.rpc.commands import SwitchSession
from pitui.screens.decisions import MissingFolder, missing_folder_screen, trust_screen
from pitui.session.state import Level
from pitui.store.jsonfile import FileTrouble
from pitui.store.settings import load_pi_settings

if TYPE_CHECKING:
    from pitui.catalog.index import SessionIndex

ELSEWHERE = frozenset({"ssh", "docker", "podman", "kubectl", "wsl", "wsl.exe"})
"""Programs that run the agent on another machine: its files are not ours to look at."""


@dataclass
class Opening:
    """Opens sessions for one app. Its methods ask the person where the agent would, so they run in a worker."""

    app: App[int]
    conversation: Conversation
    launcher: Launcher
    options: Options
    environ: Mapping[str, str]
    palette: Palette
    state_dir: Path
    _lock: SessionLock | None = None
    _index: SessionIndex | None = None

    @property
    def folders(self) -> SessionFolders:
        cwd = self.launcher.cwd
        settings, _ = load_pi_settings(agent_dir(self.environ), cwd, trusted=False)
        return session_folders(cwd, self.environ, settings, self.options.session_dir)

    @property
    def _local(self) -> bool:
        """The agent's files are on this machine."""
        options = self.launcher.options
        return not options.demo and options.replay is None and (
            not options.agent or Path(options.agent[0]).name not in ELSEWHERE
        )

    # -- the start ---------------------------------------------------------------------------------------------

    async def prepare(self) -> Trouble | None:
        """Settle what the command line asks for. What is returned keeps the agent from starting."""
        if not self._local:
            return None
        trouble = await self._settle_session()
        if trouble is None:
            await self._settle_trust()
        return trouble

    async def _settle_session(self) -> Trouble | None:
        options = self.options
        if options.resume:
            card = await self.pick()
            return None if card is None else await self._settle_path(Path(card.path), card.cwd)
        if options.continue_last:
            latest = await anyio.to_thread.run_sync(latest_session, self.folders)
            return None if latest is None else await self._settle_path(latest, "")
        wanted = options.session or options.fork
        if wanted is None:
            return None
        try:
            found = await anyio.to_thread.run_sync(find_session, wanted, self.folders)
        except SessionNotFound as error:
            return no_session(str(error))
        return await self._settle_found(found)

    async def _settle_found(self, found: Found) -> Trouble | None:
        if self.options.fork is not None:
            self.launcher.fork = str(found.path)
            return None
        return await self._settle_path(found.path, found.cwd)

    async def _settle_path(self, path: Path, cwd: str) -> Trouble | None:
        """Take the session at `path`: its lock, and another folder if its own is gone."""
        if missing_folder(cwd) is not None:
            choice = await self._ask_folder(path, cwd)
            if choice is None:
                return None
            if choice is MissingFolder.FORK:
                self.launcher.fork = str(path)
                return None
        if (trouble := self.take(path)) is not None:
            return trouble
        self.launcher.session_file = str(path)
        return None

    async def _ask_folder(self, path: Path, cwd: str) -> MissingFolder | None:
        card = SessionCard(path=str(path), id="", cwd=cwd)
        return await self.app.push_screen_wait(missing_folder_screen(card, self.launcher.cwd, self.palette))

    # -- trust -------------------------------------------------------------------------------------------------

    async def _settle_trust(self) -> None:
        if self.options.approve is not None:
            return
        decision = self._decision()
        if decision.verdict is Verdict.ASK:
            await self.ask_trust(decision)

    def _decision(self) -> Decision:
        folder = agent_dir(self.environ)
        settings, _ = load_pi_settings(folder, self.launcher.cwd, trusted=False)
        return decide(self.launcher.cwd, folder, settings)

    async def ask_trust(self, decision: Decision | None = None) -> bool:
        """Ask, save what is to be saved and tell the next agent; False when nothing was decided."""
        decision = decision or self._decision()
        if not decision.resources:
            self.conversation.notice("This folder brings nothing that would need trust")
            return False
        choice = await self.app.push_screen_wait(trust_screen(decision, self.palette))
        if choice is None:
            self.launcher.trust = "--no-approve"
            return False
        self._save(choice)
        self.launcher.trust = choice.flag
        return True

    def _save(self, choice: TrustChoice) -> None:
        try:
            save_trust(agent_dir(self.environ), choice.updates)
        except FileTrouble as error:
            self.conversation.notice(f"The answer holds for now but could not be kept: {error}", Level.WARNING)

    # -- one agent on a file -----------------------------------------------------------------------------------

    def take(self, path: Path) -> Trouble | None:
        """Make sure that no other pitui has an agent on this file, and that none gets one."""
        if self._lock is not None and self._lock.path == path:
            return None
        lock = SessionLock(path, time.time(), self.state_dir / "locks")
        try:
            lock.acquire()
        except SessionHeld as error:
            return held(str(error))
        except FileTrouble as error:
            self.conversation.notice(f"Nothing keeps another pitui from this session: {error}", Level.WARNING)
            return None
        self.release()
        self._lock = lock
        return None

    def release(self) -> None:
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def follow(self, file: str | None) -> None:
        """The agent is in another session now."""
        if file is None or not self._local or (self._lock is not None and str(self._lock.path) == file):
            return
        if (trouble := self.take(Path(file))) is not None:
            self.conversation.notice(trouble.title, Level.WARNING)

    # -- later -------------------------------------------------------------------------------------------------

    async def pick(self) -> SessionCard | None:
        """The list of sessions."""
        from pitui.catalog.index import SessionIndex
        from pitui.screens.sessions import SessionsScreen

        self._index = self._index or SessionIndex()
        return await self.app.push_screen_wait(SessionsScreen(
            self._index, self.folders, self.palette, current=self.conversation.session.identity.file or "",
            home=str(Path.home()), locks=self.state_dir / "locks",
        ))

    async def open_card(self, card: SessionCard) -> bool:
        """Go to another session. True when an agent must be started for it: it lives in another folder."""
        trouble = await self._settle_path(Path(card.path), card.cwd)
        if trouble is not None:
            self.conversation.notice(trouble.title, Level.ERROR)
            return False
        if self.launcher.session_file != card.path:
            return self.launcher.fork is not None
        here = not card.cwd or Path(card.cwd) == self.launcher.cwd or missing_folder(card.cwd) is not None
        if here and self.conversation.alive:
            await self.conversation.replace(SwitchSession(card.path))
            return False
        self.launcher.cwd = self.launcher.cwd if here else Path(card.cwd)
        return True

    def _named(self, path: str) -> Path:
        """A path as a person writes it."""
        return self.launcher.cwd / Path(path).expanduser()

    async def import_file(self, source: str) -> SessionCard | None:
        """A copy of a session file among the sessions of this folder."""
        path = self._named(source)
        try:
            copy = await anyio.to_thread.run_sync(import_session, path, self.folders.here, time.time())
        except (OSError, ValueError, FileTrouble) as error:
            self.conversation.notice(f"Not imported: {error}", Level.ERROR)
            return None
        return SessionCard(path=str(copy), id="", cwd="")
