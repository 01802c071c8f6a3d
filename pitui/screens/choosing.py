"""What is chosen from lists: models, the models to cycle through, thinking levels, providers to sign in to."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from functools import partial

from textual.screen import Screen

from pitui.agent.conversation import Conversation
from pitui.render import report
from pitui.render.bars import one_line
from pitui.render.lines import Palette
from pitui.rpc import commands as ask
from pitui.rpc.messages import Model
from pitui.screens.desk import PROVIDERS
from pitui.screens.host import Host
from pitui.screens.picker import PickerScreen
from pitui.session import local
from pitui.session.state import Level

SCOPE_TITLE = "Models to cycle through, from the next start"

THINKING_LEVELS = ("off", "minimal", "low", "medium", "high", "xhigh", "max")


class Choosing(Screen[None]):
    """Those actions of the chat screen that open a list or step through one."""

    conversation: Conversation
    host: Host
    palette: Palette

    def spawn(self, job: Callable[[], Coroutine[None, None, object]]) -> None:
        """Run a coroutine beside the screen; it belongs to the screen and ends with it."""
        self.run_worker(job(), exit_on_error=True)

    def _say(self, text: str, level: Level = Level.INFO) -> None:
        self.conversation.notice(text, level)

    # -- signing in --------------------------------------------------------------------------------------------

    def action_login(self, provider: str = "") -> None:
        self._auth("login", provider)

    def action_logout(self, provider: str = "") -> None:
        self._auth("logout", provider)

    def _auth(self, what: str, provider: str) -> None:
        if provider:
            self.spawn(partial(self._run_auth, what, provider))
            return
        names, ready = providers(self.conversation.session.models)

        def chosen(index: int | None) -> None:
            if index is not None:
                self.spawn(partial(self._run_auth, what, names[index]))

        rows = [f"{one_line(name)}  has models" if name in ready else one_line(name) for name in names]
        title = "Sign in to" if what == "login" else "Sign out of"
        self.app.push_screen(PickerScreen(title, rows, self.palette), chosen)

    async def _run_auth(self, what: str, provider: str) -> None:
        status = await self.host.run_agents_own(("auth", what, provider))
        if status:
            self._say(f"pi auth {what} ended with status {status}", Level.ERROR)
        else:
            self._say(f"pi auth {what} {one_line(provider)} is done; starting the agent again")
            self.host.start_agent()

    # -- models and thinking -----------------------------------------------------------------------------------

    async def action_models(self, query: str = "") -> None:
        found = await self.conversation.ask(ask.GetAvailableModels())
        if found is None:
            return
        if not found.models:
            self._say("The agent has no model: /login signs in to a provider", Level.WARNING)
            return
        self.conversation.fold(local.ModelsLoaded(found.models))
        current = self.conversation.session.model
        models = sorted(found.models, key=lambda model: not _same_model(model, current))

        def chosen(index: int | None) -> None:
            if index is not None:
                self.spawn(partial(self._set_model, models[index]))

        def save(index: int) -> None:
            self._say(self.host.save_default_model(models[index], self.conversation.session.thinking_level))

        rows = [report.model_row(model, _same_model(model, current)) for model in models]
        self.app.push_screen(PickerScreen("Model", rows, self.palette, query=query, save=save), chosen)

    async def _set_model(self, model: Model) -> None:
        chosen = await self.conversation.ask(ask.SetModel(model.provider, model.id))
        if chosen is not None:
            self.conversation.fold(local.ModelChosen(chosen))
            await self.conversation.facts.load_levels()

    async def action_next_model(self) -> None:
        cycled = await self.conversation.ask(ask.CycleModel())
        if cycled is not None and cycled.model is not None:
            self.conversation.fold(local.ModelChosen(cycled.model, cycled.thinking_level or None))
            await self.conversation.facts.load_levels()
        elif self.conversation.alive:
            self._say("There is only one model")

    async def action_previous_model(self) -> None:
        """The protocol cycles forward only: the one before is chosen from the list."""
        models, current = self.conversation.session.models, self.conversation.session.model
        at = next((index for index, model in enumerate(models) if _same_model(model, current)), 0)
        if len(models) < 2:
            self._say("There is only one model")
            return
        await self._set_model(models[at - 1])

    def action_scoped_models(self) -> None:
        self.spawn(self._choose_scope)

    async def _choose_scope(self) -> None:
        """A row after another is switched until the person closes the list; each time pi's settings are written."""
        found = await self.conversation.ask(ask.GetAvailableModels())
        row: int | None = 0 if found is not None else None
        changed = False
        while found is not None and row is not None:
            scope = self.host.agent_settings().enabled_models
            rows = scope_rows(found.models, scope)
            titles = [title for title, _ in rows]
            row = await self.app.push_screen_wait(PickerScreen(SCOPE_TITLE, titles, self.palette, current=row))
            if row is not None:
                wanted = toggled(scope, rows[row][1])
                if problem := self.host.save_scope(wanted):
                    self._say(problem, Level.ERROR)
                    return
                changed = True
                row = _row_of(rows[row][1], scope_rows(found.models, wanted))
        if changed:
            self._say("The models to cycle through hold from the agent's next start: /reload")

    def action_thinking(self, level: str = "") -> None:
        levels = self.conversation.session.thinking_levels or THINKING_LEVELS
        if level:
            if level in levels:
                self.spawn(partial(self._set_level, level))
            else:
                self._say(f"There is no thinking level {one_line(level)!r}: {', '.join(levels)}", Level.WARNING)
            return
        current = self.conversation.session.thinking_level

        def chosen(index: int | None) -> None:
            if index is not None:
                self.spawn(partial(self._set_level, levels[index]))

        at = levels.index(current) if current in levels else 0
        self.app.push_screen(PickerScreen("Thinking", levels, self.palette, current=at), chosen)

    async def _set_level(self, level: str) -> None:
        if await self.conversation.done(ask.SetThinkingLevel(level)):
            await self.conversation.facts.refresh("state")

    async def action_next_thinking(self) -> None:
        cycled = await self.conversation.ask(ask.CycleThinkingLevel())
        if cycled is None:
            self._say("This model has no thinking levels")


def providers(models: Sequence[Model]) -> tuple[tuple[str, ...], frozenset[str]]:
    """All that one can sign in to, those first whose models the agent has; and which these are."""
    ready = frozenset(model.provider for model in models if not model.is_placeholder)
    others = (name for name in PROVIDERS if name not in ready)
    return (*sorted(ready), *others), ready


def scope_rows(models: Sequence[Model], scope: Sequence[str]) -> list[tuple[str, str | None]]:
    """Title and pattern of each row: all models, patterns that name no model of the agent's as it is, then the models.

    `scope`: the patterns of pi's setting `enabledModels`, in the order in which they are cycled through.
    """
    names = {_name(model): model for model in models}
    ordered = [*(name for name in scope if name in names), *(name for name in names if name not in scope)]
    return [
        (f"{_box(not scope)} all models", None),
        *((f"{_box(True)} {one_line(pattern)}", pattern) for pattern in scope if pattern not in names),
        *((f"{_box(name in scope)} {report.model_row(names[name], False).strip()}", name) for name in ordered),
    ]


def toggled(scope: Sequence[str], pattern: str | None) -> tuple[str, ...]:
    """The patterns after a row was chosen; `None` is the row of all models."""
    if pattern is None:
        return ()
    if pattern in scope:
        return tuple(each for each in scope if each != pattern)
    return (*scope, pattern)


def _row_of(pattern: str | None, rows: Sequence[tuple[str, str | None]]) -> int:
    return next((at for at, (_, each) in enumerate(rows) if each == pattern), 0)


def _box(on: bool) -> str:
    return "[x]" if on else "[ ]"


def _name(model: Model) -> str:
    return f"{model.provider}/{model.id}"


def _same_model(model: Model, other: Model | None) -> bool:
    return other is not None and (model.provider, model.id) == (other.provider, other.id)
