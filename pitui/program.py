"""What an app of ours has to do with its terminal: take it, lend it, and give it back, whatever happens."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shlex
import signal
import sys
import tempfile
from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import anyio
from textual.app import App

from pitui.agent.conversation import Conversation
from pitui.catalog.folders import agent_dir
from pitui.render.images import Size
from pitui.render.placeholders import Picture
from pitui.render.text import sanitize
from pitui.session.state import Level
from pitui.store.settings import Settings, load_pi_settings
from pitui.terminal import clipboard, leaving
from pitui.terminal.driver import TerminalDriver
from pitui.terminal.parser import BackgroundTold
from pitui.terminal.pictures import cell_size, draws_pictures
from pitui.widgets.rows import RowScreen

NOT_FOUND = 127
"""Exit status of a program that could not be started, as a shell gives it."""

TITLE_LENGTH = 200


class TerminalApp(App[int], inherit_bindings=False):
    """An app with one conversation in one terminal.

    `environ` is the environment it was started in, `cwd` where other programs are run.
    """

    conversation: Conversation
    settings: Settings
    environ: Mapping[str, str]
    cwd: Path

    def __init__(self) -> None:
        super().__init__(driver_class=TerminalDriver)
        self.deadline: leaving.Deadline | None = None
        self._focused = True
        self._leaving = False
        self._title = ""
        self._mouse_ours = True

    # -- the end -----------------------------------------------------------------------------------------------

    @abstractmethod
    async def last_words(self) -> None:
        """What is to be said to the agent before it is closed; may be cut short."""

    async def live(self) -> int:
        """Run to the end; the exit status. The agent and all it started are gone then."""
        try:
            status = await self.run_async(mouse=self.settings.mouse)
            return status or self.return_code or 0
        finally:
            self._limit(self.return_code or 0)
            await self._end_agent()
            if driver := self.terminal:
                driver.restore_now()

    def leave(self, status: int = 0) -> None:
        """End in order. May be called in any thread and in a signal handler; the second time nothing is waited for."""
        self._limit(status)
        if self._loop is None:
            raise SystemExit(status)
        with contextlib.suppress(RuntimeError):  # The loop has ended: so shall we.
            self._loop.call_soon_threadsafe(self._leave, status)

    def _limit(self, status: int) -> None:
        """Only a program of our own has a deadline: inside another, such as a test, its end is not ours to force."""
        if self.deadline is not None:
            self.deadline.start(status)

    def _leave(self, status: int) -> None:
        again, self._leaving = self._leaving, True
        with self._context():
            if again or not self.is_running:
                self.exit(status)
            else:
                self.run_worker(self._finish(status), exit_on_error=True)

    async def _finish(self, status: int) -> None:
        with anyio.move_on_after(leaving.LAST_WORDS):
            await self.last_words()
        self.exit(status)

    async def _end_agent(self) -> None:
        """Its input is closed already; what does not end by that is made to."""
        for number in (signal.SIGTERM, signal.SIGKILL):
            if await self.conversation.ended(leaving.GRACE):
                return
            self.conversation.signal(number)
        await self.conversation.ended(leaving.GRACE)

    def last_resort(self, status: int) -> None:
        """Something hangs. In a thread of its own."""
        self.conversation.kill()
        if driver := self.terminal:
            driver.restore_now()
        os._exit(status)

    # -- the terminal ------------------------------------------------------------------------------------------

    @property
    def terminal(self) -> TerminalDriver | None:
        """The terminal; None in a test without one."""
        return self._driver if isinstance(self._driver, TerminalDriver) else None

    @property
    def asks_background(self) -> bool:
        """Whether it matters how bright the terminal's background is: `on_background_told` gets it."""
        return False

    def on_background_told(self, event: BackgroundTold) -> None:
        """The terminal said how bright it is, at any time or never."""

    def terminal_gone(self) -> None:
        """The window was closed, or the line is dead. In any thread."""
        self.leave(128 + signal.SIGHUP)

    def terminal_back(self) -> None:
        """Somebody else has drawn on it."""
        for screen in self.screen_stack:
            if isinstance(screen, RowScreen):
                screen.repaint()
        self._write_title()
        self.refresh(layout=True)

    def write_to_terminal(self, sequence: str) -> None:
        """Write a control sequence of our own making; it is dropped while the terminal is not ours."""
        if self._driver is not None:
            self._driver.write(sequence)
            self._driver.flush()

    @property
    def cell(self) -> Size | None:
        """The pixels of a cell, where the terminal draws pictures itself; their ids are colours, which must not change.
        """
        able = draws_pictures(self.environ) and self.console.color_system == "truecolor"
        return cell_size(sys.__stdout__.fileno()) if able and sys.__stdout__ is not None else None

    def show_pictures(self, needed: Iterable[Picture]) -> None:
        """See `TerminalDriver.show_pictures`."""
        if driver := self.terminal:
            driver.show_pictures(needed)

    def set_window_title(self, title: str) -> None:
        """Show `title` until the end, when the terminal gets back its own."""
        title = sanitize(title)[:TITLE_LENGTH]
        if title != self._title:
            self._title = title
            self._write_title()

    def _write_title(self) -> None:
        self.write_to_terminal(f"\x1b]2;{self._title}\x07")

    def attention(self, reason: str) -> None:
        """Ring, as the settings say: never, only while the terminal is not in front, or always."""
        if self.settings.bell == "always" or (self.settings.bell == "unfocused" and not self._focused):
            self.bell()
        if self.settings.notify == "always" or (self.settings.notify == "unfocused" and not self._focused):
            words = {"settled": "done", "dialog": "has a question", "error": "stopped with an error"}
            self.write_to_terminal(f"\x1b]9;pi {words.get(reason, 'needs you')}\x07")

    def on_app_focus(self) -> None:
        self._focused = True

    def on_app_blur(self) -> None:
        self._focused = False

    def toggle_mouse(self) -> None:
        """Give the mouse to the terminal, so that its own selection works, or take it back."""
        self._mouse_ours = not self._mouse_ours
        if driver := self.terminal:
            driver.take_mouse(self._mouse_ours)
        self.conversation.notice("The mouse is pitui's" if self._mouse_ours else "The mouse is the terminal's")

    def copy_text(self, text: str) -> str:
        """Copy to the clipboard; says what became of it."""
        return clipboard.copy(text, self.environ, self.write_to_terminal)

    def copy_to_clipboard(self, text: str) -> None:
        """What Textual's own widgets copy."""
        self._clipboard = text
        self.notify(self.copy_text(text), markup=False)

    # -- lending it --------------------------------------------------------------------------------------------

    def action_suspend_process(self) -> None:
        """Stop until the shell continues us; the agent goes on."""
        if (driver := self.terminal) is None:
            return
        if driver.has_shell:
            driver.stop_process()
        else:
            self.conversation.notice("There is no shell here to go back to", Level.WARNING)

    async def run_in_terminal(self, command: Sequence[str]) -> int:
        """Lend the terminal to a program and wait for it; its exit status. Meanwhile the conversation goes on."""
        with self._lent() as tty:
            try:
                process = await asyncio.create_subprocess_exec(*command, cwd=self.cwd, env=self.environ, stdin=tty)
            except OSError as error:
                self.conversation.notice(f"{command[0]}: {error.strerror or error}", Level.ERROR)
                return NOT_FOUND
            try:
                return await process.wait()
            finally:
                if process.returncode is None:
                    process.terminate()

    def _lent(self) -> contextlib.AbstractContextManager[int | None]:
        return driver.lent() if (driver := self.terminal) else contextlib.nullcontext()

    def editor(self) -> str:
        """The person's own editor: the agent's setting, else $VISUAL or $EDITOR. A project's setting is not asked: it
        would run what a stranger wrote.
        """
        settings, _ = load_pi_settings(agent_dir(self.environ), self.cwd, trusted=False)
        return settings.external_editor or self.environ.get("VISUAL") or self.environ.get("EDITOR") or ""

    async def edit_text(self, text: str) -> str | None:
        """The text after the person's own editor; None when there is no editor or it failed."""
        editor = self.editor()
        try:
            command = shlex.split(editor)
        except ValueError as error:
            self.conversation.notice(f"The editor {editor!r} makes no sense: {error}", Level.WARNING)
            return None
        if not command:
            self.conversation.notice("Set VISUAL or EDITOR to write in your own editor", Level.WARNING)
            return None
        with tempfile.TemporaryDirectory(prefix="pitui-") as folder:
            file = anyio.Path(folder, "prompt.md")
            await file.write_text(text, "utf-8")
            status = await self.run_in_terminal([*command, str(file)])
            if status:
                self.conversation.notice(f"{editor} ended with status {status}: nothing changed", Level.WARNING)
                return None
            try:
                return (await file.read_text("utf-8", "replace")).removesuffix("\n")
            except OSError as error:
                self.conversation.notice(f"{editor} left no text: {error.strerror}", Level.WARNING)
                return None


def run(app: TerminalApp) -> int:
    """Run `app` to its end, which signals bring about, too; its exit status."""
    app.deadline = leaving.Deadline(app.last_resort)
    with leaving.signals(app.leave):
        return asyncio.run(app.live())
