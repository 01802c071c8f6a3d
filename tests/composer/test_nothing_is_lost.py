"""Whatever is typed, pasted, sent, refused, recalled, put aside or crashed: every text is in exactly one place."""

from __future__ import annotations

import asyncio
import tempfile
from collections import Counter
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from pitui.store.drafts import Draft, load, save
from pitui.widgets.composer import Composer
from tests.composer.hands import Hands, hands


class Composing(RuleBasedStateMachine):
    """A person, an agent that takes or refuses prompts, extensions that put text in, and crashes.

    Every text is a word of its own, so that it can be counted: in the field, on its way, in the stash, sent.
    """

    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.folder = tempfile.TemporaryDirectory()
        self.file = Path(self.folder.name) / "draft.json"
        self.open: AbstractAsyncContextManager[Hands] | None = None
        self.words = 0
        self.mine: set[str] = set()
        self.sent: set[str] = set()

    @initialize()
    def start(self) -> None:
        self.open = hands()
        self.person = self.runner.run(self.open.__aenter__())
        self.does(lambda composer: composer.recall.seed([Draft("earlier"), Draft("older\nprompt")]))

    def teardown(self) -> None:
        if self.open is not None:
            self.runner.run(self.open.__aexit__(None, None, None))
        self.runner.close()
        self.folder.cleanup()

    def keys(self, *keys: str) -> None:
        self.runner.run(self.person.keys(*keys))

    def does(self, act: Callable[[Composer], None]) -> None:
        """What a screen does to its composer."""

        async def inside() -> None:
            act(self.person.composer)
            await self.person.pilot.pause()

        self.runner.run(inside())

    def word(self) -> str:
        """A text nobody used yet."""
        self.words += 1
        return f"<w{self.words:03}>"

    def settle(self) -> None:
        """Type only behind the last word: a word split in two would be another word."""
        self.keys("ctrl+e")

    @rule()
    def types(self) -> None:
        word = self.word()
        self.mine.add(word)
        self.settle()
        self.runner.run(self.person.type(word))

    @rule(lines=st.integers(1, 30))
    def pastes(self, lines: int) -> None:
        word = self.word()
        self.mine.add(word)
        self.settle()
        self.runner.run(self.person.paste(word + "\nx" * lines))

    @rule()
    def sends(self) -> None:
        self.keys("enter")

    @rule()
    def sends_an_earlier_prompt(self) -> None:
        self.keys("up", "enter")

    @precondition(lambda self: self.person.composer.sending)
    @rule()
    def is_accepted(self) -> None:
        text, _ = self.person.app.sent[-1]
        self.sent.update(self.found_in(text))
        self.does(Composer.accepted)

    @precondition(lambda self: self.person.composer.sending)
    @rule()
    def is_refused(self) -> None:
        self.does(Composer.refused)

    @rule(key=st.sampled_from(["up", "down", "ctrl+s", "ctrl+c", "left"]))
    def goes_about(self, key: str) -> None:
        self.keys(key)

    @rule()
    def gets_a_queued_text_back(self) -> None:
        word = self.word()
        self.mine.add(word)
        self.does(lambda composer: composer.take_back(word))

    @rule()
    def an_extension_fills_the_field(self) -> None:
        word = self.word()
        self.mine.add(word)
        self.does(lambda composer: composer.prefill(word))

    @rule()
    def puts_aside_and_undoes(self) -> None:
        """Undo right after a clearing brings the draft out of the stash again."""
        if not self.person.composer.sending and self.person.composer.shown:
            self.keys("ctrl+c", "ctrl+underscore")

    @rule()
    def crashes(self) -> None:
        """What was saved comes up in a new process; a prompt on its way is a draft again."""
        save(self.file, self.person.composer.kept)
        kept = load(self.file)
        self.teardown_app()
        self.start()
        self.does(lambda composer: setattr(composer, "kept", kept))

    def teardown_app(self) -> None:
        if self.open is not None:
            self.runner.run(self.open.__aexit__(None, None, None))

    def found_in(self, text: str) -> list[str]:
        return [f"<w{piece[:3]}>" for piece in text.split("<w")[1:]]

    @invariant()
    def every_text_is_in_one_place(self) -> None:
        kept = self.person.composer.kept
        places = Counter(word for draft in (kept.draft, *kept.stash) for word in self.found_in(draft.text))
        # A prompt that was sent may be recalled as often as one likes.
        unsent = {word: count for word, count in places.items() if word not in self.sent}
        assert unsent == {word: 1 for word in self.mine if word not in self.sent}


Composing.TestCase.settings = settings(
    max_examples=12, stateful_step_count=25, deadline=None, suppress_health_check=list(HealthCheck)
)
TestComposing = Composing.TestCase
