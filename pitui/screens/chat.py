"""The chat screen: composes the widgets, paints the session's latest value, and turns what the person wants into calls.

It is the only place that knows both the conversation and the widgets. Everything it shows comes from
`conversation.session`; everything a person can do is an `action_` (see `actions`) named in the command table.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.timer import Timer

from pitui import place as places
from pitui.agent.conversation import Conversation
from pitui.agent.trouble import Trouble, exited, no_model
from pitui.commands import COMMANDS
from pitui.keys.keymap import bind
from pitui.render import bars
from pitui.render.bars import one_line
from pitui.render.images import Size
from pitui.render.lines import View
from pitui.render.welcome import welcome_lines
from pitui.screens import foldfile
from pitui.screens.actions import ChatActions
from pitui.screens.desk import Desk
from pitui.screens.host import Host
from pitui.session.effects import Bell, EditText, Effect, ReturnText, SetComposerText, SetTitle, StashText
from pitui.session.queue import waiting
from pitui.session.state import BashEntry, Level, NoticeEntry, QueueKind, RunState, ToolEntry, ToolState
from pitui.store.jsonfile import FileTrouble
from pitui.store.settings import Settings
from pitui.theme import Colours
from pitui.widgets.bars import Activity, Lines, Panels, Rule, StatusBar, Statuses
from pitui.widgets.composer import Composer
from pitui.widgets.dialogs import Answered, DialogDock, EditorPanel
from pitui.widgets.editor import Editor
from pitui.widgets.keychain import KeyChainScreen
from pitui.widgets.queuestrip import QueueStrip
from pitui.widgets.rows import RowScreen
from pitui.widgets.search import SearchState
from pitui.widgets.searchbar import SearchBar
from pitui.widgets.transcript import Transcript
from pitui.widgets.troubles import TroubleBar

FRAME = 1 / 30
"""Seconds between two paints at least; a first change is painted at once."""

BEAT = 0.1
"""Seconds between two frames of what runs."""


class ChatScreen(ChatActions, KeyChainScreen[None], RowScreen[None]):
    """One conversation."""

    AUTO_FOCUS = "Composer"
    VERTICAL_BREAKPOINTS = [(0, "-short"), (32, "-tall")]
    BINDINGS: ClassVar[list[BindingType]] = [
        *(
            bind(command.pi, command.id)
            if command.pi
            else Binding(command.keys, command.id, command.title, show=False, id=command.key_id)
            for command in COMMANDS
            if command.pi or command.keys
        ),
        Binding("enter,escape", "stray_key", show=False, priority=True),
    ]

    def __init__(
        self, conversation: Conversation, host: Host, settings: Settings, colours: Colours, cwd: Path, state_dir: Path
    ) -> None:
        super().__init__()
        self.compare_rows = settings.row_compare
        self.conversation = conversation
        self.state_dir = state_dir
        self.host = host
        self.settings = settings
        self.colours = colours
        self.palette = colours.palette(settings.ascii_only)
        self.place = bars.Place(places.short(cwd), places.branch(cwd))
        self.cwd = cwd
        self.resources = places.context_files(cwd)
        self.trouble: Trouble | None = None
        self.frame = 0
        self._asked = False
        self._folded = ""
        self._painted = 0.0
        self._paint_timer: Timer | None = None
        self._beat: Timer | None = None

    # -- composing ---------------------------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        self.transcript = Transcript(self._view(), show_pictures=self.host.show_pictures)
        self.trouble_bar = TroubleBar()
        self.above, self.below = Panels(id="above"), Panels(id="below")
        self.activity, self.queue, self.dock = Activity(), QueueStrip(), DialogDock()
        self.search_bar = SearchBar()
        self.rule, self.composer = Rule(), Composer()
        self.statuses, self.status = Statuses(), StatusBar()
        self.desk = Desk(
            self.composer, lambda: self.conversation.session, self.state_dir, self.cwd, self.conversation.notice
        )
        self.welcome = Lines(id="welcome")
        yield self.welcome
        yield self.transcript
        self.foot = Vertical(id="foot")
        with self.foot:
            yield from (self.trouble_bar, self.above, self.activity, self.queue, self.dock, self.search_bar,
                        self.rule, self.composer, self.below, self.statuses, self.status)

    def on_mount(self) -> None:
        self._beat = self.set_interval(BEAT, self._tick, pause=True)
        self.watch(self.transcript, "search_state", self._show_hits, init=False)
        self.watch(self.transcript, "new_below", lambda _: self._paint_moving(self.conversation.clock()), init=False)
        self.desk.open()
        self.paint()
        self.composer.focus()

    def on_unmount(self) -> None:
        self.desk.close()
        self._keep_folds()

    def _view(self) -> View:
        settings = self.settings
        return View(
            width=80, palette=self.palette, tools_open=settings.tools_open, thinking=settings.thinking,
            prose_width=settings.prose_width, side_by_side=settings.side_by_side, show_meta=settings.show_meta,
            show_images=settings.show_images != "off", cell=self._cell(settings),
            home=str(Path.home()), cwd=str(self.cwd), now=self.conversation.clock(),
            fold_key=self.host.key_hint("app.tools.expand"), model_key=self.host.key_hint("app.model.select"),
        )

    def _cell(self, settings: Settings) -> Size | None:
        """See `View.cell`."""
        return None if settings.show_images == "blocks" else self.host.cell

    # -- painting ----------------------------------------------------------------------------------------------

    def changed(self) -> None:
        """Something happened: paint now if the last frame is long enough ago, else once it is. Another session does
        not wait for that: what is typed before the frame is for it.
        """
        if not self.is_mounted:
            return
        if self.conversation.session.identity.id != self.desk.session_id:
            self.desk.follow()
        if self._paint_timer is not None:
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
        self._follow_session()
        self._paint_conversation()
        self.above.show(tuple(panel for panel in session.panels if not panel.below), palette)
        self.below.show(tuple(panel for panel in session.panels if panel.below), palette)
        self.queue.show(waiting(session), palette)
        self.statuses.show(session.statuses, palette)
        self.dock.show(session.dialogs, now, palette)
        if session.run.state is not RunState.EXITED:
            self._asked = bool(session.dialogs)
        self.desk.follow()
        self.composer.alt_enter = "follow_up" if session.run.state.busy else "newline"
        self._paint_trouble()
        self._paint_title()
        self._paint_moving(now)
        self._keep_beating()

    def _follow_session(self) -> None:
        """Another session is folded as it was left."""
        session_id = self.conversation.session.identity.id
        if session_id and session_id != self._folded:
            self._keep_folds()
            self._folded = session_id
            if (folds := foldfile.load(self.state_dir / "folds", session_id)) is not None:
                self.transcript.folds = folds

    def _keep_folds(self) -> None:
        if self._folded:
            try:
                foldfile.save(self.state_dir / "folds", self._folded, self.transcript.folds)
            except (OSError, FileTrouble) as error:
                self.conversation.notice(f"What is folded cannot be kept: {error}", Level.WARNING)

    def _paint_title(self) -> None:
        """The window is called what an extension called it, else by the session's name or folder."""
        session = self.conversation.session
        name = one_line(session.title) or f"pi · {one_line(session.identity.name or self.cwd.name)}"
        self.host.set_window_title(name)

    def _paint_conversation(self) -> None:
        """The transcript, or the welcome while there is nothing in it."""
        session = self.conversation.session
        empty = not (session.entries or session.live or session.sent)
        if empty != self.welcome.display:
            self.transcript.display = not empty
        rows = []
        if empty:
            height = max(0, self.size.height - self.foot.size.height)
            rows = welcome_lines(session, self.place, self.resources, self.size.width, height, self.palette)
        self.welcome.draw(rows)
        if not empty:
            self.transcript.show(session.entries, session.live, session.sent)

    def _paint_moving(self, now: float) -> None:
        """What changes by itself while time passes."""
        session, palette = self.conversation.session, self.palette
        self.activity.show(session, now, self.frame, palette)
        self.status.show(session, self.place, now, self.frame, palette)
        level = session.thinking_level
        colour = self.colours.tokens.get(f"level-{level}", self.colours.tokens["muted"])
        right = f"{level} thinking" if level and level != "off" else ""
        hint = bars.hints(session, not self.composer.is_blank, dialog=self.dock.panel is not None)
        if below := self.transcript.new_below:
            hint = f"↓ {below} new line{'s' if below > 1 else ''} · ctrl+end · {hint}"
        self.rule.show(hint, right, colour, palette)

    def _paint_trouble(self) -> None:
        session = self.conversation.session
        run, model = session.run, session.model
        if run.state is RunState.EXITED and run.exit is not None:
            if self.trouble is None:
                self.trouble = exited(
                    run.exit.code, run.exit.stderr, bool(session.identity.id), self._asked,
                    " ".join(self.host.command_line()),
                )
        elif run.state is not RunState.STARTING and model is not None and model.is_placeholder:
            self.trouble = no_model()
        elif run.state is not RunState.STARTING or (self.trouble is not None and self.conversation.alive):
            self.trouble = None
        roomy = all(isinstance(entry, NoticeEntry) for entry in session.entries[:8])
        self.trouble_bar.show(self.trouble, self.palette, roomy)

    def _keep_beating(self) -> None:
        """The clock runs only while something on the screen moves with it."""
        session = self.conversation.session
        moving = (
            session.run.state.busy
            or (session.run.state is RunState.STARTING and self.conversation.alive)
            or any(dialog.expires is not None for dialog in session.dialogs)
            or any(
                (isinstance(entry, ToolEntry) and entry.state is ToolState.RUNNING)
                or (isinstance(entry, BashEntry) and entry.running)
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
        """Carry out an effect that is the screen's. A text is for the session there is now, painted or not."""
        self.desk.follow()
        if isinstance(effect, SetTitle):
            self._paint_title()
        elif isinstance(effect, SetComposerText):
            self.composer.prefill(effect.text)
        elif isinstance(effect, EditText):
            self.composer.prefill(effect.text, effect.images)
            self.composer.focus()
        elif isinstance(effect, StashText):
            self.composer.put_aside(effect.text, effect.images)
        elif isinstance(effect, ReturnText):
            self._give_back(effect)
        elif isinstance(effect, Bell):
            self.host.attention(effect.reason)

    def _give_back(self, effect: ReturnText) -> None:
        """A text that was not sent: the composer still has it, or gets it under what was typed since."""
        prompt = self.composer.under_way
        if prompt is not None and (prompt.text, prompt.images) == (effect.text, effect.images):
            self.composer.refused()
        else:
            self.composer.take_back(effect.text, effect.images)
        if effect.reason:
            self.conversation.notice(one_line(effect.reason), Level.ERROR)

    # -- what the person does in the widgets -------------------------------------------------------------------

    @on(Composer.Submitted)
    def _submitted(self, event: Composer.Submitted) -> None:
        self.host.reload_keys()
        self.desk.sent(event.draft)
        kind = QueueKind.FOLLOW_UP if event.kind == "follow_up" else QueueKind.STEER
        self.submit(event.text, event.images, kind)

    @on(Composer.Settled)
    def _settled(self) -> None:
        self.desk.save()

    @on(Composer.Edited)
    def _typed(self) -> None:
        if self.dock.waiting:
            self.dock.stray_key(self.conversation.clock())
        self._paint_moving(self.conversation.clock())

    async def send_first(self, text: str) -> None:
        """The message of the command line: held until the agent is up."""
        await self.conversation.outbox.prompt(text)

    @on(Answered)
    def _answered(self, event: Answered) -> None:
        self.spawn(partial(self.conversation.answer, event.id, event.value, event.confirmed))

    @on(EditorPanel.ExternalEditor)
    def _edit_answer(self, event: EditorPanel.ExternalEditor) -> None:
        event.stop()
        self.spawn(partial(self._edit_area, event.area, event.text))

    async def _edit_area(self, area: Editor, before: str) -> None:
        """Write a dialog's answer in the person's own editor; keep what was written if the question is gone by then."""
        text = await self.host.edit_text(before)
        if text is None or text == before:
            return
        if area.is_attached:
            area.load_text(text)
            area.focus()
        else:
            self.composer.take_back(text)
            self.conversation.notice("The question is gone: what was written for it is in the composer", Level.WARNING)

    @on(DialogDock.Closed)
    def _back_to_composer(self) -> None:
        self.composer.focus()

    @on(SearchBar.Asked)
    def _search(self, event: SearchBar.Asked) -> None:
        self.transcript.search(event.query)

    @on(SearchBar.Stepped)
    def _search_on(self, event: SearchBar.Stepped) -> None:
        self.transcript.search_next(event.direction)

    @on(SearchBar.Closed)
    def _searched(self) -> None:
        self.transcript.search_clear()
        self.composer.focus()

    def _show_hits(self, state: SearchState) -> None:
        self.search_bar.show(state.current, state.total, not state.complete)

    def on_text_selected(self) -> None:
        """The mouse let go of a selection."""
        if self.settings.copy_on_select and (text := self.get_selected_text()):
            self.notify(self.host.copy_text(text), timeout=2, markup=False)

    @on(Transcript.LinkClicked)
    def _link(self, event: Transcript.LinkClicked) -> None:
        self.host.open_link(event.url)

    @on(Transcript.ViewRequested)
    def _view_entry(self, event: Transcript.ViewRequested) -> None:
        entry = next((entry for entry in self.conversation.session.entries if entry.key == event.key), None)
        if entry is not None:
            self.host.show_entry("in full", entry)

    @on(Transcript.Copied)
    def _copied(self, event: Transcript.Copied) -> None:
        self.notify(self.host.copy_text(event.text), markup=False)

    @on(Transcript.QuoteRequested)
    def _quote(self, event: Transcript.QuoteRequested) -> None:
        self.composer.quote(event.text)
        self.composer.focus()

    @on(Transcript.MenuRequested)
    def _menu(self, event: Transcript.MenuRequested) -> None:
        self.show_menu(event.entry)

    @on(QueueStrip.Wanted)
    def _change_queue(self, event: QueueStrip.Wanted) -> None:
        self.conversation.outbox.change(event.change)

    @on(QueueStrip.Closed)
    def _leave_queue(self) -> None:
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

    def use(self, settings: Settings, colours: Colours) -> None:
        """Draw by other settings from now on; what was folded by hand stays."""
        self.settings, self.colours = settings, colours
        self.compare_rows = settings.row_compare
        self.palette = palette = colours.palette(settings.ascii_only)
        self.transcript.set_view(replace(
            self.transcript.view, palette=palette, tools_open=settings.tools_open, thinking=settings.thinking,
            prose_width=settings.prose_width, side_by_side=settings.side_by_side, show_meta=settings.show_meta,
            show_images=settings.show_images != "off", cell=self._cell(settings),
        ))
        self.paint()

    def work_in(self, cwd: Path) -> None:
        """The agent works in another folder from now on."""
        self.cwd = cwd
        self.place = bars.Place(places.short(cwd), places.branch(cwd))
        self.resources = places.context_files(cwd)
        self.transcript.set_view(replace(self.transcript.view, cwd=str(cwd)))
