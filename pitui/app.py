"""The program around a conversation: themes, keys, terminal, clipboard, the agent's start, and the screens on top."""

from __future__ import annotations

import gc
import os
import shlex
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import platformdirs
from textual.app import SystemCommand
from textual.binding import Binding
from textual.screen import Screen

from pitui import changes, program, theme
from pitui.agent.conversation import Conversation
from pitui.agent.launch import Launcher
from pitui.catalog.folders import agent_dir
from pitui.cli import USAGE_ERROR, Options
from pitui.commands import COMMANDS
from pitui.keys import keymap
from pitui.program import TerminalApp
from pitui.render.bars import one_line
from pitui.render.text import sanitize
from pitui.rpc.commands import ExportHtml, GetEntries
from pitui.rpc.messages import Model
from pitui.screens.chat import ChatScreen
from pitui.screens.opening import Opening
from pitui.screens.settings import AGENTS, SettingsScreen, next_value
from pitui.session.effects import Effect
from pitui.session.state import Entry, Level
from pitui.store.jsonfile import FileTrouble
from pitui.store.settings import (
    PiSettings,
    Settings,
    load_pi_settings,
    load_settings,
    save_pi_settings,
    save_settings,
    settings_path,
)
from pitui.terminal.driver import unfit
from pitui.terminal.parser import BackgroundTold
from pitui.warmth import warm_up

LINKS = ("http://", "https://", "mailto:", "file:")


class PituiApp(TerminalApp, inherit_bindings=False):
    """One conversation in one terminal. It is the chat screen's host (see `screens.host`)."""

    CSS_PATH = "pitui.tcss"
    TITLE = "pitui"
    COMMAND_PALETTE_BINDING = "alt+x"
    BINDINGS = [Binding("alt+x", "command_palette", "Command palette", show=False, id="pitui.palette")]

    def __init__(
        self,
        options: Options,
        settings: Settings | None = None,
        problems: Sequence[str] = (),
        environ: Mapping[str, str] | None = None,
        state_dir: Path | None = None,
    ) -> None:
        super().__init__()
        self.options = options
        self.settings = settings or Settings()
        self.problems = tuple(problems)
        self.cwd = options.cwd.absolute()
        self.environ = dict(os.environ if environ is None else environ)
        self.launcher = Launcher(options, self.settings, self.cwd, self.environ)
        self.themes = {colours.name: colours for colours in theme.shipped()}
        self.colours = self._first_theme()
        self.conversation = Conversation(
            self.launcher.connect, self._changed, self._perform, options.record
        )
        folder = state_dir or platformdirs.user_state_path("pitui")
        self.chat = ChatScreen(self.conversation, self, self.settings, self.colours, self.cwd, folder)
        self.opening = Opening(
            self, self.conversation, self.launcher, options, self.environ, self.chat.palette, folder
        )
        self.keys = keymap.resolve()
        self._key_stamps: tuple[int, ...] = ()
        self._mouse_ours = self.settings.mouse

    # -- starting ----------------------------------------------------------------------------------------------

    def on_mount(self) -> None:
        for colours in self.themes.values():
            self.register_theme(colours.textual())
        self.theme = self.colours.name
        self.problems += self._load_keys()
        self.push_screen(self.chat)
        self.call_after_refresh(self._begin)

    def _begin(self) -> None:
        for problem in self.problems:
            self.conversation.notice(problem, Level.WARNING)
        if self.options.message:
            self.chat.spawn(partial(self.chat.send_first, self.options.message))
        self.run_worker(self._open(), exclusive=True, group="agent", exit_on_error=True)

    async def _open(self) -> None:
        """The first start: ask what has to be asked, show what is on disk, and start the agent beside it."""
        self.chat.trouble = await self.opening.prepare()
        if self.chat.trouble is not None:
            self.chat.paint()
            return
        if self.launcher.session_file is not None:
            self.run_worker(self._show_from_disk(Path(self.launcher.session_file)), exit_on_error=True)
        else:
            warm_up()
        await self._run_agent()

    async def _show_from_disk(self, path: Path) -> None:
        try:
            await self.conversation.open_file(path)
        except OSError as error:
            self.conversation.notice(f"{path}: {error.strerror or error}", Level.ERROR)
        warm_up()

    def _load_keys(self) -> tuple[str, ...]:
        """Read both key files if either was written since; what is wrong with them, in words."""
        paths = (
            agent_dir(self.environ) / "keybindings.json", platformdirs.user_config_path("pitui") / "keybindings.json",
        )
        stamps = tuple(path.stat().st_mtime_ns if path.exists() else 0 for path in paths)
        if stamps == self._key_stamps:
            return ()
        self._key_stamps = stamps
        files = [keymap.read_keys(path) for path in paths]
        self.keys = keymap.resolve(files, platform=keymap.platform_of(sys.platform, self.environ))
        self.set_keymap(self.keys.textual)
        return self.keys.problems

    def reload_keys(self) -> None:
        """Key files are looked at when the person comes back to the terminal, sends something or asks for help: whoever
        changed one was elsewhere before. Watching them all the time would wake an idle terminal.
        """
        for problem in self._load_keys():
            self.conversation.notice(problem, Level.WARNING)

    def on_app_focus(self) -> None:
        self.reload_keys()

    def _first_theme(self) -> theme.Colours:
        wanted = self.options.theme or self.settings.theme
        if wanted not in self.themes and wanted != "auto":
            self.problems += (f"There is no theme {wanted!r}: {', '.join(sorted(self.themes))}",)
        return self.themes.get(wanted) or self.themes[theme.by_environment(self.environ)]

    @property
    def asks_background(self) -> bool:
        return (self.options.theme or self.settings.theme) == "auto"

    def on_background_told(self, event: BackgroundTold) -> None:
        if self.asks_background:
            self._wear(self.themes[theme.by_light(event.light)])

    def _wear(self, colours: theme.Colours) -> None:
        if colours is not self.colours:
            self.colours, self.theme = colours, colours.name
            self.chat.use(self.settings, colours)

    def on_unmount(self) -> None:
        self.opening.release()

    async def last_words(self) -> None:
        if self.chat.is_running:
            await self.chat.last_words()

    # -- the conversation --------------------------------------------------------------------------------------

    def _changed(self) -> None:
        self.opening.follow(self.conversation.session.identity.file)
        self.chat.changed()

    def _perform(self, effect: Effect) -> None:
        self.chat.perform(effect)

    def command_line(self) -> tuple[str, ...]:
        return self.launcher.command_line()

    def agent_settings(self) -> PiSettings:
        return load_pi_settings(agent_dir(self.environ), self.cwd, trusted=True)[0]

    def copy_to_clipboard(self, text: str) -> None:
        """What the composer's own copy key does."""
        self.notify(self.copy_text(text), timeout=2, markup=False)

    def key_hint(self, key_id: str) -> str:
        return self.keys.hint(key_id)

    def start_agent(self, extensions: bool = True, demo: bool = False) -> None:
        """See `Host`. An agent that still runs is closed first."""
        self.launcher.extensions = extensions
        if demo:
            self.launcher.options = replace(self.launcher.options, demo=True, agent=None, session=None, fork=None)
            self.launcher.session_file = None
        elif self.conversation.session.identity.file:
            self.launcher.session_file = self.conversation.session.identity.file
        if self.chat.trouble is not None and not self.conversation.session.identity.id and not demo:
            self.launcher.session_file = None
            self.run_worker(self._open(), exclusive=True, group="agent", exit_on_error=True)
            return
        self.chat.trouble = None
        self.run_worker(self._run_agent(), exclusive=True, group="agent", exit_on_error=True)

    async def _run_agent(self) -> None:
        try:
            await self.conversation.run()
        except OSError as error:
            self.conversation.notice(f"{error.filename or ''}: {error.strerror or error}", Level.ERROR)

    # -- the terminal and the world ----------------------------------------------------------------------------

    async def run_agents_own(self, command: Sequence[str]) -> int:
        return await self.run_in_terminal([*self.launcher.program(), *command])

    def open_link(self, url: str) -> None:
        import webbrowser

        if url.startswith(LINKS):
            webbrowser.open(url)

    # -- screens on top ----------------------------------------------------------------------------------------

    def show_text(self, title: str, text: str) -> None:
        from pitui.screens.reader import written

        self.show_entry(title, written(text))

    def show_entry(self, title: str, entry: Entry) -> None:
        from pitui.screens.reader import ReaderScreen

        self.push_screen(ReaderScreen(title, entry, self.chat.transcript.view, self.copy_text, self.show_pictures))

    def show_changes(self) -> None:
        self.show_text("What is new", changes.text(self.launcher.program(), self.environ.get("PATH")))

    def show_help(self) -> None:
        from pitui.help import help_text

        self.reload_keys()
        self.show_text("Keys and commands", help_text(self.keys.keys, self.conversation.session.commands))

    def pick_session(self) -> None:
        self.run_worker(self._pick_session(), exit_on_error=True)

    async def _pick_session(self) -> None:
        card = await self.opening.pick()
        if card is not None and await self.opening.open_card(card):
            self._move()

    def _move(self) -> None:
        """Start an agent for another session, in its own folder."""
        self.conversation.leave()
        if self.launcher.session_file is not None:
            self.run_worker(self._show_from_disk(Path(self.launcher.session_file)), exit_on_error=True)
        self.chat.work_in(self.launcher.cwd)
        self.run_worker(self._run_agent(), exclusive=True, group="agent", exit_on_error=True)

    def import_session(self, source: str) -> None:
        self.run_worker(self._import_session(source), exit_on_error=True)

    async def _import_session(self, source: str) -> None:
        card = await self.opening.import_file(source)
        if card is not None and await self.opening.open_card(card):
            self._move()

    def ask_trust(self) -> None:
        self.run_worker(self._ask_trust(), exit_on_error=True)

    async def _ask_trust(self) -> None:
        if await self.opening.ask_trust():
            self.start_agent()

    def show_tree(self) -> None:
        self.run_worker(self._show_tree(), exit_on_error=True)

    async def _show_tree(self) -> None:
        from pitui.screens.tree import TreeScreen

        found = await self.conversation.ask(GetEntries())
        if found is None:
            return
        screen = TreeScreen(found.entries, found.leaf_id, self.chat.palette, copy=self._copy_and_tell)
        chosen = await self.push_screen_wait(screen)
        if chosen is not None:
            await self.conversation.fork(chosen.entry_id)

    def _copy_and_tell(self, text: str) -> None:
        self.notify(self.copy_text(text), markup=False)

    def export_session(self, target: str) -> None:
        self.run_worker(self._export_session(self.cwd / Path(target).expanduser()), exit_on_error=True)

    async def _export_session(self, path: Path) -> None:
        from pitui.export import export_jsonl, export_markdown

        session = self.conversation.session
        try:
            if path.suffix == ".md":
                export_markdown(session.entries, path, session.identity.name or "Session")
            elif path.suffix == ".jsonl":
                if session.identity.file is None:
                    self.conversation.notice("This session is kept in memory: there is no file", Level.WARNING)
                    return
                export_jsonl(Path(session.identity.file), path, time.time(), session.leaf_id)
            else:
                done = await self.conversation.ask(ExportHtml(str(path)))
                if done is None:
                    return
                path = self.cwd / done.path
        except (OSError, ValueError, FileTrouble) as error:
            self.conversation.notice(f"Not exported: {error}", Level.ERROR)
            return
        self.conversation.notice(f"Exported to {path}")

    def save_default_model(self, model: Model, thinking_level: str) -> str:
        changes: dict[tuple[str, ...], object] = {
            ("defaultProvider",): model.provider, ("defaultModel",): model.id,
        }
        if thinking_level:
            changes["defaultThinkingLevel",] = thinking_level
        try:
            save_pi_settings(agent_dir(self.environ), changes)
        except FileTrouble as error:
            return f"Not saved: {error}"
        return f"{one_line(model.name or model.id)} is the default of new sessions"

    def save_scope(self, patterns: Sequence[str]) -> str:
        try:
            save_pi_settings(agent_dir(self.environ), {("enabledModels",): list(patterns) or None})
        except FileTrouble as error:
            return f"Not saved: {error}"
        if self.agent_settings().enabled_models != tuple(patterns):
            return "Saved, but this project's own settings name other models"
        return ""

    def show_settings(self) -> None:
        self.run_worker(self._show_settings(), exit_on_error=True)

    async def _show_settings(self) -> None:
        """A row after another is changed until the person closes the list."""
        row: int | None = 0
        names = list(Settings.model_fields)
        while row is not None:
            row = await self.push_screen_wait(SettingsScreen(self.settings, self.chat.palette, row))
            if row is None:
                return
            if row >= len(names):
                self.chat.run_command(AGENTS[row - len(names)][0], "")
                return
            self._change(names[row])

    def _change(self, name: str) -> None:
        value = next_value(self.settings, name, sorted(self.themes))
        if value is None:
            self.notify(f"“{name}” is written by hand in {settings_path()}", markup=False)
            return
        try:
            self.settings = save_settings({name: value})
        except (ValueError, FileTrouble) as error:
            self.conversation.notice(f"Not saved: {error}", Level.ERROR)
            return
        self.colours = self._first_theme()
        self.theme = self.colours.name
        self.chat.use(self.settings, self.colours)

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """The palette is the command table."""
        for command in COMMANDS:
            yield SystemCommand(
                command.title, f"/{command.slash}" if command.slash else command.group.value,
                partial(self.chat.run_command, command.id, ""),
            )


def collect_rarely() -> None:
    """What is imported stays to the end: no collection need look at it again. With a long conversation in memory the
    usual thresholds take a sixth of the time that streaming takes, and half of that of decoding.
    """
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
    gc.enable()


def run(options: Options) -> int:
    """Run pitui to its end; the exit status of the program."""
    if why := unfit(reads_stdin=options.replay == "-"):
        print(f"pitui: {why}", file=sys.stderr)
        return USAGE_ERROR
    collect_rarely()
    settings, problems = load_settings()
    app = PituiApp(options, settings, problems)
    status = program.run(app)
    if hint := resume_hint(app.conversation.session.identity.file, options.demo):
        print(hint)
    return status


def resume_hint(file: str | None, demo: bool) -> str:
    """How to go on with a session later; empty when there is nothing on disk to go on with."""
    if not file or sanitize(file) != file or not Path(file).is_file():
        return ""
    return f"To go on: pitui {'--demo ' if demo else ''}--session {shlex.quote(file)}"
