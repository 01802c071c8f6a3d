"""Prompts on their way to the agent: sent, held until they can go, and the changes a person makes to those that wait.

It holds no picture: what waits is in the session. Every step from one place to another is one event folded before
anything is awaited, so that a text is in one place even when the agent ends in the middle.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, Protocol, TypeVar

import anyio

from pitui.commands import parse_shell
from pitui.rpc import commands
from pitui.rpc.client import CommandFailed, PiExited
from pitui.rpc.commands import PiCommand
from pitui.rpc.messages import ImageBlock
from pitui.session import local, queue
from pitui.session.arrange import TAKE_ALL, Change, Deed, arrange
from pitui.session.effects import EditText, Effect, ReturnText, StashText
from pitui.session.local import AnyEvent
from pitui.session.state import Level, QueuedPrompt, QueueKind, RunState, Session, Waits

SENDABLE = frozenset({RunState.IDLE, RunState.STREAMING, RunState.TOOL, RunState.RETRYING})

NO_CLEARING = "This agent cannot give its queue back: what is queued there stays as it is"

R = TypeVar("R")


class Desk(Protocol):
    """What the outbox needs of the conversation."""

    @property
    def session(self) -> Session: ...

    @property
    def alive(self) -> bool: ...

    def fold(self, event: AnyEvent) -> None: ...

    def perform(self, effect: Effect) -> None: ...

    def notice(self, text: str, level: Level = ...) -> None: ...

    def start(self, job: Callable[[], Coroutine[Any, Any, object]]) -> bool:
        """Run beside the agent's events; False when there is no agent."""

    async def request(self, command: PiCommand[R]) -> R: ...

    async def bash(self, command: str, excluded: bool = False) -> None: ...


class Outbox:
    """All prompts of one conversation. `switching`: a command that replaces the session is under way."""

    def __init__(self, desk: Desk) -> None:
        self.switching = False
        self._desk = desk
        self._tokens = itertools.count(1)
        self._sending = anyio.Lock()
        self._pumping = False
        self._changes: list[Change] = []
        self._clears = True

    def restarted(self) -> None:
        """Another agent: nothing of what the last one was asked goes on."""
        self._pumping = self.switching = False
        self._clears = True
        self._changes.clear()

    # -- sending -----------------------------------------------------------------------------------------------

    async def prompt(self, text: str, images: Sequence[ImageBlock] = (), kind: QueueKind = QueueKind.STEER) -> bool:
        """Send a prompt, or hold it until it can be sent. True when it is in good hands: started, queued or held.

        A refusal comes back as False and as a ReturnText effect.
        """
        pictures = tuple(images)
        if self._is_extension_command(text) and self._ready:
            return await self._ask(text, pictures, kind, self._written(text, pictures, kind))
        if self._sendable:
            async with self._sending:
                # The agent loses a second prompt that is written before the first one is answered.
                if self._sendable:
                    return await self._ask(text, pictures, kind, self._written(text, pictures, kind))
        self.hold(text, pictures, then=kind)
        return True

    def shell(self, text: str) -> None:
        """Run `!command`, or hold it while there is no agent to run it."""
        self.hold(text, (), Waits.SHELL)

    def compact(self, instructions: str = "") -> None:
        """Compact as soon as the agent is idle: in the middle of a run the command would abort it."""
        self.hold(f"/compact {instructions}".rstrip(), (), Waits.COMPACT)

    def hold(
        self, text: str, images: tuple[ImageBlock, ...], what: Waits = Waits.PROMPT, then: QueueKind = QueueKind.STEER
    ) -> None:
        """Keep it until it can go, which may be at once."""
        self._desk.fold(local.PromptHeld(text, images, what, then))
        self.release()

    def _written(
        self, text: str, images: tuple[ImageBlock, ...], kind: QueueKind, waited: QueuedPrompt | None = None
    ) -> str:
        """The token of a prompt that is written to the agent next."""
        token = f"sent-{next(self._tokens)}"
        busy = self._desk.session.run.state.busy
        self._desk.fold(local.PromptSent(token, text, kind if busy else None, images, waited))
        return token

    async def _ask(self, text: str, images: tuple[ImageBlock, ...], kind: QueueKind, token: str) -> bool:
        behavior: commands.StreamingBehavior = "followUp" if kind is QueueKind.FOLLOW_UP else "steer"
        try:
            # The behaviour only counts while a run is open, and one may open or end before this arrives.
            accepted = await self._desk.request(commands.Prompt(text, images, behavior))
        except (CommandFailed, PiExited) as error:
            self._desk.fold(local.PromptAnswered(token, error=str(error)))
            return False
        self._desk.fold(local.PromptAnswered(token, accepted.disposition))
        return True

    @property
    def _ready(self) -> bool:
        run = self._desk.session.run.state
        return self._desk.alive and not self.switching and run not in (RunState.STARTING, RunState.EXITED)

    @property
    def _sendable(self) -> bool:
        return not self.switching and self._desk.session.run.state in SENDABLE

    def _is_extension_command(self, text: str) -> bool:
        name = text[1:].split(None, 1)[0] if text.startswith("/") and text[1:].strip() else ""
        return any(command.name == name and command.source == "extension" for command in self._desk.session.commands)

    # -- what waits --------------------------------------------------------------------------------------------

    def release(self) -> None:
        """Send what can go now, one after another."""
        if not self._pumping and self._next() is not None:
            self._pumping = self._desk.start(self._pump)

    async def _pump(self) -> None:
        try:
            async with self._sending:
                while (item := self._next()) is not None:
                    await self._deliver(item)
        finally:
            self._pumping = False
        self.release()

    def _next(self) -> QueuedPrompt | None:
        """What goes first: prompts on their way back to the queue, in their order, then the first held that can."""
        session = self._desk.session
        if session.clearing is not None:
            return None
        if session.moving:
            return session.moving[0] if self._sendable else None
        return next((item for item in queue.held(session) if self._can_go(item)), None)

    def _can_go(self, item: QueuedPrompt) -> bool:
        session = self._desk.session
        if item.what is Waits.SHELL:
            return self._ready
        if item.what is Waits.COMPACT:
            return self._ready and session.run.state is RunState.IDLE and not session.sent
        return self._sendable or (self._ready and self._is_extension_command(item.text))

    async def _deliver(self, item: QueuedPrompt) -> None:
        if item.what is Waits.SHELL:
            self._desk.fold(local.HeldReleased(item))
            command, excluded = parse_shell(item.text) or ("", False)
            self._desk.start(partial(self._desk.bash, command, excluded))
            return
        if item.what is Waits.COMPACT:
            self._desk.fold(local.HeldReleased(item))
            await self._compact(item.text.removeprefix("/compact").strip())
            return
        kind = item.then if item.kind is QueueKind.HELD else item.kind
        token = self._written(item.text, item.images, kind, waited=item)
        asked = partial(self._ask, item.text, item.images, kind, token)
        if self._is_extension_command(item.text):
            # Answered when it has done its work, dialogs included: the others do not wait for that.
            self._desk.start(asked)
        else:
            await asked()

    async def _compact(self, instructions: str) -> None:
        """A failure is told by the event that ends the compaction."""
        with suppress(CommandFailed, PiExited):
            await self._desk.request(commands.Compact(instructions or None))

    # -- changes -----------------------------------------------------------------------------------------------

    def change(self, change: Change) -> None:
        """Change what waits: at once where it is ours, else as soon as the agent has given its queue back."""
        if self._begin(change):
            self._desk.start(self._clear)

    def take_back_ours(self) -> None:
        """What waits on this side goes back to the composer."""
        self._apply((TAKE_ALL,))

    async def empty(self) -> None:
        """Everything that waits goes back to the composer; returns when it has."""
        if self._begin(TAKE_ALL):
            await self._clear()

    def _begin(self, change: Change) -> bool:
        """Make the change to what is ours; True when the agent has to be asked for the rest."""
        session = self._desk.session
        queued = queue.at_agent(session)
        if change.item not in queued:
            self._apply((change,))
            if change.item is not None:
                return False
        if not queued:
            return False
        if not self._clears:
            self._desk.notice(NO_CLEARING, Level.WARNING)
            return False
        if change.item is not None and arrange(change, queued).waiting == queued:
            return False
        self._changes.append(change)
        if session.clearing is not None:
            return False
        self._desk.fold(local.QueueClearing())
        return True

    async def _clear(self) -> None:
        """Ask for the queue and make the changes to what comes back; the rest is then sent again."""
        try:
            back = await self._desk.request(commands.ClearQueue())
        except CommandFailed as error:
            self._clears = not error.unsupported
            self._changes.clear()
            session = self._desk.session
            self._arranged((*session.moving, *queue.held(session)), cleared=True)
            self._desk.notice(NO_CLEARING if error.unsupported else str(error), Level.WARNING)
            return
        except PiExited:
            return
        changes, self._changes = tuple(self._changes), []
        if self._desk.session.clearing is not None:
            self._apply(changes, queue.returned(self._desk.session, back.steering, back.follow_up), cleared=True)

    def _apply(self, changes: Sequence[Change], back: tuple[QueuedPrompt, ...] = (), cleared: bool = False) -> None:
        session = self._desk.session
        waits = (*back, *session.moving, *queue.held(session))
        effects: list[Effect] = []
        for change in changes:
            done = arrange(change, waits)
            waits = done.waiting
            effects += [_leaves(change.deed, item) for item in done.out]
            if done.missing:
                self._desk.notice("That prompt has been delivered already", Level.INFO)
        self._arranged(waits, cleared)
        for effect in effects:
            self._desk.perform(effect)
        self.release()

    def _arranged(self, waits: tuple[QueuedPrompt, ...], cleared: bool) -> None:
        moving = tuple(item for item in waits if item.kind is not QueueKind.HELD)
        held = tuple(item for item in waits if item.kind is QueueKind.HELD)
        self._desk.fold(local.QueueArranged(moving, held, cleared))


def _leaves(deed: Deed, item: QueuedPrompt) -> Effect:
    if deed is Deed.EDIT:
        return EditText(item.text, item.images)
    if deed is Deed.DROP:
        return StashText(item.text, item.images)
    return ReturnText(item.text, item.images, "")
