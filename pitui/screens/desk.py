"""What lies around the composer: completions, earlier prompts, and the draft that each session keeps on disk."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from pitui.commands import COMMANDS
from pitui.files import FileIndex
from pitui.matching import score
from pitui.render.bars import one_line
from pitui.session.queue import waiting
from pitui.session.state import Session, UserEntry
from pitui.store import drafts, prompts
from pitui.store.drafts import Draft, Kept
from pitui.widgets.completion import Completion, Sources
from pitui.widgets.composer import Composer

NEW = "new session of "
"""A session without an id yet keeps its draft under the folder's name."""


class Desk:
    """Keeps one composer supplied. `state_dir` is where drafts and prompts live; `complain` gets a sentence when the
    disk refuses. `session` gives the latest value.
    """

    def __init__(
        self, composer: Composer, session: Callable[[], Session], state_dir: Path, cwd: Path,
        complain: Callable[[str], None],
    ) -> None:
        self.composer = composer
        self._session = session
        self._drafts = state_dir / "drafts"
        self._prompts = prompts.prompts_file(state_dir / "prompts", cwd)
        self._complain = complain
        self._complained = False
        self.session_id = ""
        """The session whose draft is in the composer; empty while it has no id yet."""
        self._path: str | None = None
        self._learned = ""
        self._waiting: tuple[object, ...] = ((), None, (), ())
        self._fallback = NEW + str(cwd)
        self._files = FileIndex(cwd)
        composer.sources = Sources(self._commands, self._arguments, self._files, cwd, Path.home())

    def open(self) -> None:
        """Bring back the draft left behind, and the project's earlier prompts; begin to list its files."""
        self._files.refresh()
        self._try(lambda: self.composer.recall.seed(prompts.read(self._prompts)))
        self._try(lambda: self._show(drafts.load(self._file(""))))

    def close(self) -> None:
        self.save()
        self._files.close()

    def follow(self) -> None:
        """Another session has another draft; what was typed before its id was known comes along, and so does it when
        an agent that had to be started again begins the same file anew.
        """
        session = self._session()
        if (session.queue, session.clearing, session.moving, session.sent) != self._waiting:
            self.save()
        identity = session.identity
        if session.entries and identity.id and self._learned != identity.id:
            self._learned = identity.id
            self._learn()
        if identity.id == self.session_id:
            return
        if not identity.id:
            self._part()
            return
        same = not self.session_id or (identity.file is not None and identity.file == self._path)
        carried = self.composer.kept if same else Kept()
        self._try(lambda: drafts.save(self._file(self.session_id), self.composer.kept))
        before, self.session_id, self._path = self.session_id, identity.id, identity.file
        if not before:
            self._try(lambda: drafts.save(self._file(""), Kept()))
        self._try(lambda: self._show(drafts.load(self._file(self.session_id)), carried))

    def _part(self) -> None:
        """The session is left and the next has no id yet: what is typed from now on is for that one."""
        self._try(lambda: drafts.save(self._file(self.session_id), self.composer.kept))
        self.session_id, self._path, self.composer.kept = "", None, Kept()

    def _learn(self) -> None:
        """Prompts of a resumed session can be recalled, too."""
        known = {entry.text for entry in self.composer.recall.entries}
        for entry in self._session().entries:
            if isinstance(entry, UserEntry) and entry.text not in known:
                self.composer.recall.add(Draft(entry.text))

    def save(self) -> None:
        """The draft, and all that is on its way: a crash of ours takes the agent and its queue along."""
        session, kept = self._session(), self.composer.kept
        self._waiting = (session.queue, session.clearing, session.moving, session.sent)
        under_way = self.composer.under_way
        texts = [(row.item.text, row.item.images) for row in waiting(session)]
        texts += [(prompt.text, prompt.images) for prompt in session.sent]
        if under_way is not None and (under_way.text, under_way.images) in texts:
            texts.remove((under_way.text, under_way.images))
        unsent = tuple(Draft(text, (), len(text), images) for text, images in texts)
        self._try(lambda: drafts.save(self._file(self.session_id), Kept(kept.draft, (*kept.stash, *unsent))))

    def sent(self, draft: Draft) -> None:
        """Remember a prompt that was handed over."""
        self._try(lambda: prompts.append(self._prompts, draft))

    def _show(self, kept: Kept, typed: Kept | None = None) -> None:
        typed = typed or Kept()
        if kept.draft or kept.stash or not typed.draft:
            self.composer.kept = Kept(typed.draft.below(kept.draft), (*kept.stash, *typed.stash))

    def _file(self, session_id: str) -> Path:
        return drafts.draft_file(self._drafts, session_id or self._fallback)

    def _try(self, job: Callable[[], object]) -> None:
        """A disk that is full or forbids must not keep anybody from typing; it is said once."""
        try:
            job()
        except OSError as error:
            if not self._complained:
                self._complained = True
                self._complain(f"Drafts and earlier prompts cannot be kept: {error.strerror or error}")

    # -- completions -------------------------------------------------------------------------------------------

    def _commands(self) -> Sequence[Completion]:
        ours = [
            Completion(command.slash, description=command.title, source="pitui", hint=command.argument)
            for command in COMMANDS
            if command.slash
        ]
        agents = [
            Completion(item.name, description=one_line(item.description), source=item.source)
            for item in self._session().commands
        ]
        return [*ours, *agents]

    def _arguments(self, command: str, typed: str) -> Sequence[Completion]:
        session = self._session()
        offers: list[Completion] = []
        if command == "model":
            offers = [
                Completion(f"{model.provider}/{model.id}", description=one_line(model.name)) for model in session.models
            ]
        elif command == "thinking":
            offers = [Completion(level) for level in session.thinking_levels]
        elif command in ("login", "logout"):
            offers = [Completion(provider) for provider in PROVIDERS]
        if not typed:
            return offers
        return sorted(
            (offer for offer in offers if score(typed, offer.value) > 0), key=lambda offer: -score(typed, offer.value)
        )


PROVIDERS = (
    "anthropic", "openai", "openai-codex", "github-copilot", "google", "openrouter", "xai", "groq", "mistral",
    "deepseek", "cerebras", "zai", "zai-coding-cn", "moonshotai", "moonshotai-cn", "kimi-coding", "minimax",
    "minimax-cn", "meta", "radius", "opencode", "opencode-go", "vercel-ai-gateway", "cloudflare-ai-gateway",
    "cloudflare-workers-ai", "amazon-bedrock", "azure", "google-vertex", "huggingface", "fireworks", "together",
    "baseten", "nvidia", "ant-ling", "typesafe", "qwen-token-plan", "qwen-token-plan-cn",
    "qwen-token-plan-individual", "qwen-token-plan-individual-cn",
    "xiaomi", "xiaomi-token-plan-cn", "xiaomi-token-plan-ams", "xiaomi-token-plan-sgp",
)
"""Names /login completes; the agent takes others, too, and says so when it does not know one."""
