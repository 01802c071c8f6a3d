"""Whatever a person types, sends and changes, and whatever the agent does meanwhile: every text is in one place."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Callable, Coroutine
from typing import Any
from unittest.mock import patch

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from pitui.agent.conversation import Conversation
from pitui.rpc import client, commands
from pitui.session.arrange import TAKE_ALL, Change, Deed
from pitui.session.effects import EditText, Effect, ReturnText, SetComposerText, StashText
from pitui.session.queue import waiting
from pitui.session.state import BashEntry, QueueKind, RunState, UserEntry
from tests.queue.agent import Agent, Pipe

STEPS = 50
"""Turns of the loop after which everything waits again: reads have no pace here, and nothing touches the disk."""

WORD = re.compile(r"<w\d+>")


async def settled() -> None:
    for _ in range(STEPS):
        await asyncio.sleep(0)


class Field:
    """What the composer and the chat screen make of texts, without a screen."""

    def __init__(self) -> None:
        self.text = ""
        self.under_way: str | None = None
        self.aside = False
        self.stash: list[str] = []

    def edit(self) -> None:
        if self.under_way is not None and not self.aside:
            self.aside, self.text = True, ""

    def type(self, text: str) -> None:
        self.edit()
        self.text += text

    def submit(self) -> str | None:
        if self.under_way is not None or not self.text:
            return None
        self.under_way, self.aside = self.text, False
        return self.text

    def accepted(self) -> None:
        if not self.aside:
            self.text = ""
        self.under_way, self.aside = None, False

    def refused(self) -> None:
        if self.aside:
            self.text = f"{self.under_way}\n\n{self.text}"
        self.under_way, self.aside = None, False

    def perform(self, effect: Effect) -> None:
        """A bare command that comes back is let go: with a text behind it, that would be its argument."""
        match effect:
            case ReturnText() | EditText() | StashText() if not WORD.search(effect.text):
                return
            case ReturnText() if effect.text == self.under_way:
                self.refused()
            case ReturnText():
                self.edit()
                self.text += f"\n\n{effect.text}"
            case EditText():
                self.edit()
                if self.text:
                    self.stash.append(self.text)
                self.text = effect.text
            case StashText():
                self.stash.append(effect.text)
            case SetComposerText():
                raise AssertionError("nobody asked for that")
            case _:
                return

    @property
    def unsent(self) -> list[str]:
        return [*self.stash, self.text, *([self.under_way] if self.under_way is not None and self.aside else [])]


class Queueing(RuleBasedStateMachine):
    """A person with a conversation, and an agent that reads, works and speaks in any order, and may die."""

    def __init__(self) -> None:
        super().__init__()
        self.unpaced = patch.object(client, "PACE", 0.0)
        self.unpaced.start()
        self.runner = asyncio.Runner()
        self.field = Field()
        self.typed: set[str] = set()
        self.seen: dict[str, str] = {}
        self.jobs: set[asyncio.Task[object]] = set()

    @initialize(clears=st.booleans(), tells=st.booleans())
    def start(self, clears: bool, tells: bool) -> None:
        self.clears, self.tells = clears, tells
        self.agent = Agent(clears, tells)
        self.conversation = Conversation(self.connect, self.look, self.field.perform)
        self.does(self.launch)
        self.everything_arrives()

    def teardown(self) -> None:
        async def leave() -> None:
            for job in self.jobs:
                job.cancel()
            await asyncio.gather(*self.jobs, return_exceptions=True)

        self.runner.run(leave())
        self.runner.close()
        self.unpaced.stop()

    def connect(self, _: str | None) -> Pipe:
        self.agent = Agent(self.clears, self.tells, session=self.agent.session, clock=self.agent.clock)
        self.pipe = Pipe(self.agent)
        return self.pipe

    def look(self) -> None:
        """Remember what was in the transcript, for a session that is left takes it along."""
        for entry in self.conversation.session.entries:
            if isinstance(entry, UserEntry):
                self.seen[entry.key] = entry.text
            elif isinstance(entry, BashEntry):
                self.seen[entry.key] = entry.command

    def does(self, act: Callable[[], object]) -> None:
        """What happens in the program, until it waits again."""

        async def inside() -> None:
            act()
            await settled()

        self.runner.run(inside())

    def spawn(self, job: Coroutine[Any, Any, object]) -> asyncio.Task[object]:
        task = asyncio.ensure_future(job)
        self.jobs.add(task)
        return task

    def launch(self) -> None:
        self.life = self.spawn(self.conversation.run())

    # The person

    @rule()
    def types(self) -> None:
        word = f"<w{len(self.typed):03}>"
        self.typed.add(word)
        self.field.type(word)

    @rule(kind=st.sampled_from([QueueKind.STEER, QueueKind.FOLLOW_UP]))
    def is_answered(self, kind: QueueKind) -> None:
        self.types()
        self.sends(kind)
        self.everything_arrives()

    @rule(kind=st.sampled_from([QueueKind.STEER, QueueKind.FOLLOW_UP]))
    def sends(self, kind: QueueKind) -> None:
        text = self.field.submit()
        if text is not None:
            self.does(lambda: self.spawn(self.send(text, kind)))

    async def send(self, text: str, kind: QueueKind) -> None:
        if await self.conversation.outbox.prompt(text, (), kind) and self.field.under_way == text:
            self.field.accepted()

    @rule(kinds=st.lists(st.sampled_from([QueueKind.STEER, QueueKind.FOLLOW_UP]), min_size=1, max_size=4))
    def has_several_prompts_taken(self, kinds: list[QueueKind]) -> None:
        """Much of what can go wrong needs a queue: this makes one at once."""
        for kind in kinds:
            self.types()
            self.sends(kind)
            self.everything_arrives()
            if self.agent.prompt is not None:
                self.the_agent_works()

    @rule()
    def runs_a_shell_command(self) -> None:
        word = f"<w{len(self.typed):03}>"
        self.typed.add(word)
        self.does(lambda: self.conversation.outbox.shell(f"!{word}"))

    @rule()
    def compacts(self) -> None:
        self.does(self.conversation.outbox.compact)

    @rule(name=st.sampled_from(["/ext", "/ext later"]))
    def runs_a_command_of_an_extension(self, name: str) -> None:
        self.does(lambda: self.spawn(self.conversation.outbox.prompt(name)))

    @precondition(lambda self: bool(waiting(self.conversation.session)))
    @rule(deed=st.sampled_from([Deed.EDIT, Deed.DROP, Deed.MOVE, Deed.PROMOTE]), by=st.sampled_from([-1, 1]),
          late=st.booleans(), data=st.data())
    def changes_the_queue(self, deed: Deed, by: int, late: bool, data: st.DataObject) -> None:
        """`late`: the agent takes another step before it reads what we ask of it."""
        row = data.draw(st.sampled_from(waiting(self.conversation.session)))
        self.does(lambda: self.conversation.outbox.change(Change(deed, row.item, by)))
        if late:
            self.the_agent_works()
            self.the_agent_is_heard(6)

    @rule()
    def takes_the_queue_back(self) -> None:
        self.does(lambda: self.conversation.outbox.change(TAKE_ALL))

    @rule()
    def stops(self) -> None:
        self.does(self.conversation.stop)

    @rule(forbidden=st.booleans())
    def opens_a_new_session(self, forbidden: bool) -> None:
        self.agent.forbids = forbidden
        self.does(lambda: self.spawn(self.conversation.replace(commands.NewSession())))

    @precondition(lambda self: bool(self.conversation.session.dialogs))
    @rule(confirmed=st.booleans())
    def answers_a_question(self, confirmed: bool) -> None:
        dialog = self.conversation.session.dialogs[0]
        self.does(lambda: self.spawn(self.conversation.answer(dialog.id, confirmed=confirmed)))

    @rule()
    def starts_the_agent_again(self) -> None:
        async def again() -> None:
            self.life.cancel()
            await asyncio.gather(self.life, return_exceptions=True)
            self.launch()
            await settled()

        self.runner.run(again())

    # The agent

    @rule(count=st.integers(1, 4))
    def the_agent_reads(self, count: int) -> None:
        for _ in range(count):
            self.agent.read()

    @rule(count=st.integers(1, 6))
    def the_agent_is_heard(self, count: int) -> None:
        self.does(lambda: self.pipe.let_through(count))

    @rule()
    def everything_arrives(self) -> None:
        while self.agent.inbox or self.agent.said:
            self.agent.read()
            self.does(lambda: self.pipe.let_through(1000))

    @rule()
    def the_agent_works(self) -> None:
        self.agent.go_on()

    @rule()
    def the_agent_compacts(self) -> None:
        self.agent.compact_by_itself()

    @rule()
    def an_extension_asks(self) -> None:
        self.agent.ask()

    @rule()
    def the_agent_will_refuse(self) -> None:
        self.agent.refuses = 1

    @rule(again=st.booleans())
    def the_agent_dies(self, again: bool) -> None:
        self.does(self.pipe.end)
        if again:
            self.starts_the_agent_again()
            self.everything_arrives()

    # What holds

    @invariant()
    def every_text_is_in_one_place(self) -> None:
        session, field = self.conversation.session, self.field
        sent = [prompt.text for prompt in session.sent]
        if field.under_way is not None and field.under_way in sent and (field.aside or field.text):
            sent.remove(field.under_way)
        places = [*self.seen.values(), *(row.item.text for row in waiting(session)), *sent, *field.unsent]
        assert Counter(word for text in places for word in WORD.findall(text)) == dict.fromkeys(self.typed, 1)

    @rule()
    def a_quiet_moment_comes(self) -> None:
        """The agent does all there is to do: then nothing is under way any more, and nothing waits but in the queue of
        an old agent that was stopped and cannot give it back.
        """
        self.everything_arrives()
        while self.agent.busy and not self.pipe.ended:
            self.agent.go_on()
            self.everything_arrives()
        session = self.conversation.session
        assert (session.clearing, session.sent, self.field.under_way) == (None, (), None)
        assert session.run.state is RunState.EXITED or not waiting(session) or not self.clears


Queueing.TestCase.settings = settings(
    max_examples=150, stateful_step_count=50, deadline=None, suppress_health_check=list(HealthCheck)
)
TestQueueing = Queueing.TestCase
