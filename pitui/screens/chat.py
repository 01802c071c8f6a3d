"""The chat screen: composes the widgets, paints the session's latest value, and turns what the person wants into calls.

It is the only place that knows both the conversation and the widgets. Everything it shows comes from
`conversation.session`; everything a person can do is an `action_` (see `actions`) named in the command table.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import Screen
from textual.timer import Timer

from pitui import place as places
from pitui.commands import COMMANDS
from pitui.conversation import Conversation
from pitui.render import bars
from pitui.render.bars import one_line
from pitui.render.lines import Palette, View
from pitui.rpc.messages import ImageBlock
from pitui.screens.actions import ChatActions
from pitui.session.effects import Bell, Effect, ReturnText, SetComposerText, SetTitle
from pitui.session.state import BashEntry, QueueKind, RunState, ToolEntry, ToolState
from pitui.settings import Settings
from pitui.trouble import Trouble, exited, no_model
from pitui.widgets.bars import Activity, Panels, QueueStrip, Rule, Statuses, StatusBar
from pitui.widgets.composer import Composer
from pitui.widgets.dialogs import Answered, DialogDock
from pitui.widgets.search import SearchState
from pitui.widgets.searchbar import SearchBar
from pitui.widgets.transcript import Transcript
from pitui.widgets.troubles import TroubleBar

FRAME = 1 / 30
"""Seconds between two paints at least; a first change is painted at once."""

BEAT = 0.1
"""Seconds between two frames of what runs."""


class ChatScreen(ChatActions, Screen[None]):
    """One conversation."""

    AUTO_FOCUS = "Composer"
    BINDINGS: list[BindingType] = [
        *(
            Binding(command.keys, command.id, command.title, show=False, id=command.id, priority=command.priority)
            for command in COMMANDS
            if command.keys
        ),
        Binding("enter,escape", "stray_key", show=False, priority=True),
    ]

    def __init__(self, conversation: Conversation, settings: Settings, palette: Palette, cwd: Path) -> None:
        super().__init__()
        self.conversation = conversation
        self.settings = settings
        self.palette = palette
        self.place = bars.Place(places.short(cwd), places.branch(cwd))
        self.cwd = cwd
        self.trouble: Trouble | None = None
        self.frame = 0
        self.first_message = ""
        self._painted = 0.0
        self._paint_timer: Timer | None = None
        self._beat: Timer | None = None
        self._last_shown: object = None
        self._quit_armed = 0.0

    # -- composing ---------------------------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        self.transcript = Transcript(self._view())
        self.trouble_bar = TroubleBar()
        self.above, self.below = Panels(id="above"), Panels(id="below")
        self.activity, self.queue, self.dock = Activity(), QueueStrip(), DialogDock()
        self.search_bar = SearchBar()
        self.rule, self.composer = Rule(), Composer()
        self.statuses, self.status = Statuses(), StatusBar()
        yield self.transcript
        with Vertical(id="foot"):
            yield from (self.trouble_bar, self.above, self.activity, self.queue, self.dock, self.search_bar,
                        self.rule, self.composer, self.below, self.statuses, self.status)

    def on_mount(self) -> None:
        self._beat = self.set_interval(BEAT, self._tick, pause=True)
        self.paint()
        self.composer.focus()

    def _view(self) -> View:
        settings = self.settings
        return View(
            width=80, palette=self.palette, tools_open=settings.tools_open, thinking=settings.thinking,
            prose_width=settings.prose_width, side_by_side=settings.side_by_side, show_meta=settings.show_meta,
            home=str(Path.home()), cwd=str(self.cwd), now=self.conversation.clock(),
        )

    # -- painting ----------------------------------------------------------------------------------------------

    def changed(self) -> None:
        """Something happened: paint now if the last frame is long enough ago, else once it is."""
        if self._paint_timer is not None or not self.is_mounted:
            return
        wait = self._painted + FRAME - self.conversation.clock()
        if wait <= 0:
            self.paint()
        else:
            self._paint_timer = self.set_timer(wait, self.paint)

    def paint(self) -> None:
        """Bring every widget up to the session's latest value; each redraws only what differs."""
        self._paint_timer = None
        now = self._painted = self.conversation.clock()
        session, palette = self.conversation.session, self.palette
        self.transcript.show(session.entries, session.live, session.sent)
        self.above.show(tuple(panel for panel in session.panels if not panel.below), palette)
        self.below.show(tuple(panel for panel in session.panels if panel.below), palette)
        self.queue.show(session.queue, palette)
        self.statuses.show(session.statuses, palette)
        self.dock.show(session.dialogs, now, palette)
        self.composer.alt_enter = "follow_up" if session.run.state.busy else "newline"
        self._paint_trouble()
        self._paint_moving(now)
        self._keep_beating()

    def _paint_moving(self, now: float) -> None:
        """What changes by itself while time passes."""
        session, palette = self.conversation.session, self.palette
        self.activity.show(session, now, self.frame, palette)
        self.status.show(session, self.place, now, self.frame, palette)
        level = session.thinking_level
        colour = palette.levels.get(level) or palette.muted
        right = f"{level} thinking" if level and level != "off" else ""
        hint = bars.hints(session, bool(self.composer.text.strip()), dialog=self.dock.panel is not None)
        if self._below:
            hint = f"↓ {self._below} new line{'s' if self._below > 1 else ''} · ctrl+end" + f" · {hint}" * bool(hint)
        self.rule.show(hint, right, colour, palette)

    def _paint_trouble(self) -> None:
        session = self.conversation.session
        run, model = session.run, session.model
        if run.state is RunState.EXITED and run.exit is not None:
            if self.trouble is None:
                command = " ".join(self.command_line())
                self.trouble = exited(
                    run.exit.code, run.exit.stderr, bool(session.identity.id), session_had_dialog(run), command
                )
        elif run.state is not RunState.STARTING and model is not None and model.is_placeholder:
            self.trouble = no_model()
        elif run.state is not RunState.STARTING or (self.trouble is not None and self.conversation.alive):
            self.trouble = None
        self.trouble_bar.show(self.trouble, self.palette, roomy=not session.entries)

    def _keep_beating(self) -> None:
        """The clock runs only while something on the screen moves with it."""
        session = self.conversation.session
        moving = (
            session.run.state.busy
            or session.run.state is RunState.STARTING and self.conversation.alive
            or any(dialog.expires is not None for dialog in session.dialogs)
            or any(
                isinstance(entry, ToolEntry) and entry.state is ToolState.RUNNING
                or isinstance(entry, BashEntry) and entry.running
                for entry in session.entries[-64:]
            )
        )
        if self._beat is not None:
            if moving:
                self._beat.resume()
            else:
                self._beat.pause()

    def _tick(self) -> None:
        now = self.conversation.clock()
        if not self.settings.reduced_motion:
            self.frame += 1
        self.transcript.tick(now, self.frame)
        self.dock.show(self.conversation.session.dialogs, now, self.palette)
        self._paint_moving(now)

    # -- what the agent wants of the screen --------------------------------------------------------------------

    def perform(self, effect: Effect) -> None:
        """Carry out an effect that is the screen's."""
        if isinstance(effect, SetTitle):
            self.app.set_window_title(one_line(effect.title))
        elif isinstance(effect, SetComposerText):
            self.composer.prefill(effect.text)
        elif isinstance(effect, ReturnText):
            self.composer.take_back(effect.text, effect.images)
        elif isinstance(effect, Bell):
            self.app.attention(effect.reason)

    # -- what the person does in the widgets -------------------------------------------------------------------

    @on(Composer.Submitted)
    def _submitted(self, event: Composer.Submitted) -> None:
        kind = QueueKind.FOLLOW_UP if event.kind == "follow_up" else QueueKind.STEER
        self.submit(event.text, event.images, kind)

    @on(Composer.Changed)
    def _typed(self) -> None:
        if self.dock.waiting:
            self.dock.stray_key(self.conversation.clock())
        self._paint_moving(self.conversation.clock())

    async def send(self, text: str, images: tuple[ImageBlock, ...], kind: QueueKind) -> None:
        """Send a prompt; the composer lets go of it when the agent has it, and keeps it when the agent refuses."""
        self.transcript.follow()
        if await self.conversation.prompt(text, images, kind):
            self.composer.accepted()
        else:
            self.composer.refused()

    @on(Answered)
    def _answered(self, event: Answered) -> None:
        self.spawn(partial(self.conversation.answer, event.id, event.value, event.confirmed))

    @on(DialogDock.Closed)
    @on(SearchBar.Closed)
    def _back_to_composer(self) -> None:
        self.composer.focus()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "stray_key":
            return self.dock.waiting
        return super().check_action(action, parameters)

    def action_stray_key(self) -> None:
        """Enter and Escape pressed just as a question comes up were meant for something else."""
        self.dock.stray_key(self.conversation.clock())

    def on_resize(self, event: events.Resize) -> None:
        self.call_after_refresh(self.paint)

    def use(self, palette: Palette) -> None:
        """Draw with another palette from now on."""
        self.palette = palette
        self.transcript.set_view(replace(self.transcript.view, palette=palette))
        self.paint()
