"""One agent process and the conversation with it: the only place that knows both the client and the session.

It decides nothing about the picture and holds no widget, so it can be driven by a test or a script as well as by the
chat screen. What happens is folded into `session`; `changed` is called once a batch.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from signal import Signals
from typing import Any, TypeVar

import anyio
from anyio.abc import TaskGroup

from pitui.agent import learn
from pitui.agent.facts import Facts
from pitui.agent.learn import replayed
from pitui.agent.outbox import Outbox
from pitui.rpc import commands
from pitui.rpc.client import CommandFailed, PiClient, PiExited, ReplayOnly
from pitui.rpc.commands import PiCommand
from pitui.rpc.events import Event, Unknown
from pitui.rpc.process import ProcessExit, SpawnFailed
from pitui.rpc.results import Forked, Replaced
from pitui.rpc.trace import Recorder
from pitui.rpc.transport import ProcessTransport, Transport
from pitui.session import local
from pitui.session.arrange import TAKE_ALL
from pitui.session.effects import CancelDialog, Effect, Refresh, ReturnText, advance, effects
from pitui.session.files import read_session_file
from pitui.session.local import AnyEvent
from pitui.session.queries import awaits_quiet
from pitui.session.queue import at_agent
from pitui.session.reducer import reduce
from pitui.session.state import (
    BashEntry,
    Level,
    RunState,
    Session,
)

QUIET = 0.15
"""Seconds of silence after agent_end that mean settled, for agents without agent_settled (before 0.80.4)."""

ODDITIES = 200
"""Records that could not be used, kept for the diagnostics."""

R = TypeVar("R")
S = TypeVar("S", Replaced, Forked)

Connect = Callable[[str | None], Transport]
"""Starts an agent, on the session file given or as the command line says. Raises SpawnFailed."""


class Conversation:
    """The life of one conversation over one agent process after another.

    `changed` is called after every change of `session`, `effect` for every effect that is the screen's.
    """

    def __init__(
        self,
        connect: Connect,
        changed: Callable[[], None],
        effect: Callable[[Effect], None],
        record: Path | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.session = Session()
        self.clock = clock
        self.replaying = False
        self.oddities: list[Unknown] = []
        self._connect = connect
        self._changed = changed
        self._effect = effect
        self._record = record
        self._client: PiClient | None = None
        self._transport: Transport | None = None
        self._tasks: TaskGroup | None = None
        self._watched: set[str] = set()
        self.outbox = Outbox(self)
        self._starts = 0
        self._life = anyio.Lock()
        self._opened: anyio.Event | None = None
        self.facts = Facts(self)

    # -- the life of the agent ---------------------------------------------------------------------------------

    @property
    def alive(self) -> bool:
        """An agent is there, or a recording plays."""
        return self._client is not None

    @property
    def blocked_for(self) -> float:
        """Seconds for which the agent has not been reading what is written to it."""
        since = self._client.blocked_since if self._client else None
        return 0.0 if since is None else max(0.0, self.clock() - since)

    async def run(self, session_file: str | None = None) -> None:
        """Start the agent and follow it to its end, which is folded as an event. May be called again: the last agent is
        gone before another one starts, for two would write one session file.
        """
        async with self._life:
            await self._run(session_file)

    async def _run(self, session_file: str | None) -> None:
        self.outbox.restarted()
        self.fold(local.AgentStarting())
        try:
            transport = self._connect(session_file)
        except SpawnFailed as error:
            self.fold(local.AgentExited(None, (str(error),)))
            return
        self.replaying = not transport.live
        self._transport = transport
        client = PiClient(transport, self._recorder())
        try:
            async with client, anyio.create_task_group() as tasks:
                self._client, self._tasks = client, tasks
                if not self.replaying:
                    tasks.start_soon(self._greet)
                async for batch in client.events():
                    self._receive(batch)
                tasks.cancel_scope.cancel()
        finally:
            self._client = self._tasks = None
        if not self.replaying:
            gone = client.exit or ProcessExit(None)
            self.fold(local.AgentExited(gone.code, gone.stderr))

    def _recorder(self) -> Recorder | None:
        """Each start of the agent has a recording of its own: FILE, then FILE.2 and so on."""
        if self._record is None:
            return None
        self._starts += 1
        path = self._record if self._starts == 1 else self._record.with_name(f"{self._record.name}.{self._starts}")
        try:
            return Recorder(path)
        except OSError as error:
            self.notice(f"Nothing is recorded: {path}: {error.strerror or error}", Level.ERROR)
            return None

    def kill(self) -> None:
        """End the agent and all it started, at once."""
        if isinstance(self._transport, ProcessTransport):
            self._transport.kill_now()

    def signal(self, number: Signals) -> None:
        """Send a signal to the agent and all it started."""
        if isinstance(self._transport, ProcessTransport):
            self._transport.process.signal(number)

    async def ended(self, seconds: float) -> bool:
        """Wait so long for the end of the agent and all it started; whether it has come."""
        if not isinstance(self._transport, ProcessTransport):
            return True
        return await anyio.to_thread.run_sync(self._transport.process.wait, seconds)

    def stderr_tail(self, count: int = 200) -> tuple[str, ...]:
        """The last of what the agent said on its stderr; raw, it may hold escape sequences."""
        return self._transport.stderr_tail(count) if isinstance(self._transport, ProcessTransport) else ()

    async def finish(self, patience: float = 2.0) -> None:
        """Stop what runs before the agent is closed: before 1.6.0 it would lose an unfinished answer."""
        if not self.session.run.state.busy or self._client is None or self.replaying:
            return
        for dialog in self.session.dialogs:
            await self.answer(dialog.id)
        self.fold(local.AbortRequested())
        with anyio.move_on_after(patience):
            await self.ask(commands.Abort())

    async def _greet(self) -> None:
        """The first questions. Nothing else waits for them: what can be typed can be typed before."""
        facts = self.facts
        if not await facts.load_state():
            return
        self.fold(local.AgentReady())
        for load in (facts.load_commands, facts.load_models, facts.load_levels, facts.load_stats):
            self.start(load)
        if self._opened is not None:
            await self._opened.wait()
        await facts.load_entries()
        self.outbox.release()

    def _receive(self, batch: Sequence[Event]) -> None:
        self.oddities = [*self.oddities, *(event for event in batch if isinstance(event, Unknown))][-ODDITIES:]
        if self.replaying:
            for event in batch:
                self._replay(event)
        else:
            self.session, asked = advance(self.session, batch, self.clock())
            for effect in asked:
                self.perform(effect)
            if awaits_quiet(self.session):
                self.start(self._quiet)
        self._watch_dialogs()
        self.outbox.release()
        self._changed()

    def _replay(self, event: Event) -> None:
        """No effects: a recording must not ring, nor change the draft. A history that was streamed is there already."""
        meaning: AnyEvent = replayed(event) or event
        if isinstance(meaning, (local.HistoryLoaded, local.MessagesLoaded)) and self.session.entries:
            return
        self.session = reduce(self.session, meaning, self.clock())

    def fold(self, event: AnyEvent) -> None:
        """Take in one event of this side."""
        before = self.session
        self.session = reduce(before, event, self.clock())
        for effect in effects(before, event):
            self.perform(effect)
        self.outbox.release()
        self._changed()

    def notice(self, text: str, level: Level = Level.INFO) -> None:
        self.fold(local.Noticed(level, text))

    def perform(self, effect: Effect) -> None:
        if isinstance(effect, Refresh):
            self.start(partial(self.facts.refresh, effect.what))
        elif isinstance(effect, CancelDialog):
            self.start(partial(self.answer, effect.id))
        else:
            self._effect(effect)

    def start(self, job: Callable[[], Coroutine[Any, Any, object]]) -> bool:
        """Run beside the agent's events, and end with the agent; False when there is none."""
        if self._tasks is not None:
            self._tasks.start_soon(job)
        return self._tasks is not None

    async def _quiet(self) -> None:
        """Agents before 0.80.4 do not say that they settled: silence and an idle state do."""
        last = self.session.run
        await anyio.sleep(QUIET)
        if self.session.run is not last:
            return
        state = await self.ask(commands.GetState())
        if state is not None and not (state.is_streaming or state.is_compacting) and not self.session.settles:
            self.fold(local.Quiet())

    # -- requests ----------------------------------------------------------------------------------------------

    async def ask(self, command: PiCommand[R]) -> R | None:
        """What the agent answers, or None when it refuses or is gone; a refusal becomes a notice."""
        try:
            return await self.request(command)
        except CommandFailed as error:
            self.notice(str(error), Level.ERROR)
        except PiExited as error:
            self.notice(str(error), Level.WARNING)
        return None

    async def done(self, command: PiCommand[None]) -> bool:
        """Ask for something that has no answer; False, with a notice, when it was refused or there is no agent."""
        try:
            await self.request(command)
        except (CommandFailed, PiExited) as error:
            self.notice(str(error), Level.ERROR)
            return False
        return True

    async def request(self, command: PiCommand[R]) -> R:
        """What the agent answers. Raises CommandFailed when it refuses and PiExited when there is no agent."""
        if self._client is None:
            raise PiExited(ProcessExit(None))
        try:
            return await self._client.request(command)
        except ReplayOnly as error:
            raise CommandFailed(command, str(error)) from error

    # -- stopping ----------------------------------------------------------------------------------------------

    def take_back(self) -> None:
        """Everything that waits goes back to the composer, as ReturnText effects."""
        self.outbox.change(TAKE_ALL)

    def stop(self) -> None:
        """Stop what runs: dialogs first, for an abort waits for them; then the queue; then the run."""
        for dialog in self.session.dialogs:
            self.start(partial(self.answer, dialog.id))
        self.take_back()
        state = self.session.run.state
        if state is RunState.RETRYING:
            self.start(partial(self.ask, commands.AbortRetry()))
        if state.busy:
            self.fold(local.AbortRequested())
            self.start(self._abort)
        if any(isinstance(entry, BashEntry) and entry.running for entry in self.session.entries):
            self.start(partial(self.ask, commands.AbortBash()))

    async def _abort(self) -> None:
        """A prompt that was under way may have been queued behind the clearing: it is not to run later, either."""
        await self.ask(commands.Abort())
        if at_agent(self.session):
            self.take_back()

    # -- dialogs -----------------------------------------------------------------------------------------------

    async def answer(self, dialog_id: str, value: str | None = None, confirmed: bool | None = None) -> None:
        """Answer a dialog; with neither value it is cancelled. Only the first answer counts."""
        answer: commands.UiAnswer = commands.AnswerCancelled(dialog_id)
        if value is not None:
            answer = commands.AnswerValue(dialog_id, value)
        elif confirmed is not None:
            answer = commands.AnswerConfirmed(dialog_id, confirmed)
        self.fold(local.DialogClosed(dialog_id))
        if self._client is not None and not self.replaying:
            with suppress(PiExited):  # It asks no more, then.
                await self._client.answer(answer)

    def _watch_dialogs(self) -> None:
        """Time out dialogs, for the agent never says that it gave up; cancel those asked while stopping."""
        for dialog in self.session.dialogs:
            if dialog.id in self._watched:
                continue
            self._watched.add(dialog.id)
            if self.session.run.state is RunState.ABORTING:
                self.start(partial(self.answer, dialog.id))
            elif dialog.expires is not None:
                self.start(partial(self._expire, dialog.id, dialog.expires))

    async def _expire(self, dialog_id: str, due: float) -> None:
        await anyio.sleep(max(0.0, due - self.clock()))
        self.fold(local.DialogClosed(dialog_id))

    # -- shell -------------------------------------------------------------------------------------------------

    async def bash(self, command: str, excluded: bool = False) -> None:
        """Run a shell command of the person's own; its output streams into its entry."""
        if self._client is None:
            self.notice("There is no agent to run the command", Level.WARNING)
            return
        command_id = self._client.new_id()
        self.fold(local.BashStarted(command_id, command, excluded))
        try:
            done = await self._client.request(commands.Bash(command, excluded or None), request_id=command_id)
        except (CommandFailed, PiExited) as error:
            self.fold(local.BashFinished(command_id, error=str(error)))
            return
        self.fold(learn.bash(command_id, done))

    # -- sessions ----------------------------------------------------------------------------------------------

    def leave(self) -> None:
        """Another session comes; the agent of this one is about to be closed."""
        self.outbox.switching = True
        self.fold(local.SessionReplaced())
        self.outbox.take_back_ours()

    async def open_file(self, path: Path) -> None:
        """Show a session from disk before the agent is up. Raises OSError when the file cannot be read."""
        self._opened = anyio.Event()
        try:
            data = await anyio.Path(path).read_bytes()
            stored = await anyio.to_thread.run_sync(read_session_file, data)
            if not self.session.entries:
                self.fold(local.HistoryLoaded(stored.entries, stored.leaf_id, stored.cut))
        finally:
            self._opened.set()

    async def replace(self, command: PiCommand[Replaced]) -> bool:
        """new_session, switch_session or clone; False when refused or forbidden by an extension."""
        return await self._replace(command) is not None

    async def fork(self, entry_id: str) -> None:
        """A new session that ends before that prompt, whose text comes back for editing."""
        done = await self._replace(commands.Fork(entry_id))
        if done is not None and done.text:
            self._effect(ReturnText(done.text, (), ""))

    async def _replace(self, command: PiCommand[S]) -> S | None:
        """The agent drops its queue with the session: it is taken back before. What is typed meanwhile waits."""
        await self.outbox.empty()
        self.outbox.switching = True
        try:
            self.fold(local.SessionReplacing())
            done = await self.ask(command)
            if done is None:
                return None
            if done.cancelled:
                self.notice("An extension kept the session as it is", Level.WARNING)
                return None
            await self._after_replacement()
            return done
        finally:
            self.outbox.switching = False
            self.outbox.release()

    async def _after_replacement(self) -> None:
        """Nothing is sent again by the agent: all of it is asked for."""
        self.fold(local.SessionReplaced())
        for load in (self.facts.load_commands, self.facts.load_levels):
            self.start(load)
        await self.facts.refresh("state")
