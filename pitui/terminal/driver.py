"""The terminal taken and given back. Textual's driver for Unix, with what it forgets on the way out.

Measured of Textual 8.2.8: its input thread wakes up ten times a second for nothing; it leaves mouse pixels and an open
synchronized update behind; late mouse reports reach the shell; a terminal that is gone blocks it for ever; a SIGCONT it
did not expect starts it twice.
"""

from __future__ import annotations

import codecs
import contextlib
import os
import select
import signal
import sys
import termios
import time
from collections.abc import Callable, Iterable, Iterator
from io import TextIOWrapper
from queue import Full
from types import FrameType
from typing import Protocol, cast

from textual.app import App
from textual.drivers.linux_driver import LinuxDriver

from pitui.render.placeholders import Picture
from pitui.terminal.parser import TerminalParser
from pitui.terminal.pictures import Pictures

LEAVE = (
    "\x1b[?2026l"  # A frame that was cut short.
    "\x1b[?2004l\x1b[?1004l"
    "\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?1015l\x1b[?1016l"
    "\x1b[?2048l\x1b[?7h\x1b[0m\x1b[r"
    "\x1b[<u"  # The kitty keyboard protocol was pushed on the alternate screen, which has a stack of its own.
    "\x1b[?1049l\x1b[?25h"
)
"""Undoes all that is ever switched on, in one write."""

SAVE_TITLE, RESTORE_TITLE = "\x1b[22;2t", "\x1b]2;\x07\x1b[23;2t"
"""Terminals without a stack of titles are left with an empty one."""

ASK_BACKGROUND = "\x1b]11;?\x1b\\"
MUTE = frozenset({"dumb", "linux"})
"""Terminals (TERM) that print a question they do not know."""

QUIET, QUIET_AT_MOST = 0.04, 0.25
"""Seconds without input after which, and seconds after which anyway, nothing more is expected of a mouse let go."""

STUCK = 0.5
"""Seconds a terminal has to take what is written at the end."""


def unfit(reads_stdin: bool) -> str:
    """Why this is no place to run, in a sentence; empty when it is. `reads_stdin`: standard input is a file to read."""
    if os.environ.get("TERM") == "dumb":
        return "this terminal cannot place text (TERM=dumb)"
    if sys.__stdout__ is None or not sys.__stdout__.isatty():
        return "standard output is not a terminal"
    if not reads_stdin and (sys.__stdin__ is None or not sys.__stdin__.isatty()):
        return "standard input is not a terminal"
    try:
        os.close(_open_keys())
    except OSError:
        return "there is no terminal to read keys from"
    return ""


def _open_keys() -> int:
    """A descriptor of our own of the terminal that keys come from."""
    if sys.__stdin__ is not None and sys.__stdin__.isatty():
        return os.dup(sys.__stdin__.fileno())
    return os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY)


class Line:
    """The way to the terminal, as a file: UTF-8, unbuffered. When the terminal is gone it takes everything and calls
    `gone` once.
    """

    def __init__(self, fd: int, gone: Callable[[], None]) -> None:
        self._fd = fd
        self._gone = gone
        self._broken = False

    def write(self, text: str) -> int:
        data = memoryview(text.encode("utf-8", "replace"))
        while data and not self._broken:
            try:
                data = data[os.write(self._fd, data) :]
            except BlockingIOError:  # Some other program made the terminal non-blocking.
                select.select([], [self._fd], [])
            except OSError:
                self._broken = True
                self._gone()
        return len(text)

    def flush(self) -> None:
        """Nothing is kept back."""

    def fileno(self) -> int:
        return self._fd

    @property
    def ready(self) -> bool:
        """A few bytes can be written without waiting."""
        return not self._broken and bool(select.select([], [self._fd], [], STUCK)[1])


class Owner(Protocol):
    """What a terminal's app answers to."""

    @property
    def asks_background(self) -> bool:
        """Whether to ask the terminal for its background."""

    def terminal_gone(self) -> None:
        """There is no terminal any more. Called in any thread."""

    def terminal_back(self) -> None:
        """The terminal is ours again, and others have drawn on it. Called in the loop's thread."""


class TerminalDriver(LinuxDriver):
    """One terminal, for an app that is an `Owner`."""

    def __init__(
        self, app: App[object], *, debug: bool = False, mouse: bool = True, size: tuple[int, int] | None = None
    ) -> None:
        super().__init__(app, debug=debug, mouse=mouse, size=size)
        self._owner = cast(Owner, app)
        self.fileno = _open_keys()
        self.input_tty = True
        assert sys.__stdout__
        self._line = Line(sys.__stdout__.fileno(), self._owner.terminal_gone)
        self._file = cast(TextIOWrapper, self._line)
        self._pictures = Pictures(self.write)
        self._wake, self._waker = os.pipe()
        self._active = self._over = False
        self._first_attrs: list[int | list[bytes | int]] | None = None
        signal.signal(signal.SIGTSTP, self._asked_to_stop)
        signal.signal(signal.SIGCONT, self._continued)

    # -- in and out --------------------------------------------------------------------------------------------

    @property
    def active(self) -> bool:
        """The terminal is ours."""
        return self._active

    def write(self, data: str) -> None:
        """Write `data`; nothing while the terminal is not ours."""
        if self._writer_thread is not None:
            self._writer_thread.write(data)

    def _get_terminal_size(self) -> tuple[int, int]:
        try:
            width, height = os.get_terminal_size(self._line.fileno())
        except OSError:
            width = height = 0
        return width or 80, height or 24

    def start_application_mode(self) -> None:
        """Take the terminal."""
        super().start_application_mode()  # type: ignore[no-untyped-call]  # Textual wrote no types here
        if self._first_attrs is None:
            self._first_attrs = self.attrs_before
        self._active = True
        self.write(SAVE_TITLE)
        if self._owner.asks_background and os.environ.get("TERM") not in MUTE:
            self.write(ASK_BACKGROUND)

    def stop_application_mode(self) -> None:
        """Give the terminal back, as it was, for good."""
        self._over = True
        self._give_back()

    def suspend_application_mode(self) -> None:
        """Give the terminal back for a while."""
        self._give_back()

    def resume_application_mode(self) -> None:
        """Take it again, unless the program has ended meanwhile."""
        if not self._over and not self._active:
            self.start_application_mode()

    def _give_back(self) -> None:
        if not self._active:
            return
        self._active = False
        self.disable_input()
        self._stop_writer()
        if self._line.ready:
            self._line.write(self._pictures.let_go() + RESTORE_TITLE + LEAVE)
            self._drain()
        self._restore_attributes()

    def close(self) -> None:
        """Stop writing."""
        self._stop_writer()

    def _stop_writer(self) -> None:
        writer, self._writer_thread = self._writer_thread, None
        if writer is not None:
            with contextlib.suppress(Full):
                writer._queue.put(None, timeout=STUCK)
            writer.join(STUCK)

    def _drain(self) -> None:
        """Read what the terminal still sends until it falls silent: it would be typed into the shell."""
        end = time.monotonic() + QUIET_AT_MOST
        while time.monotonic() < end and select.select([self.fileno], [], [], QUIET if self._mouse else 0)[0]:
            try:
                if not os.read(self.fileno, 65_536):
                    return
            except OSError:
                return

    def _restore_attributes(self) -> None:
        with contextlib.suppress(termios.error):
            termios.tcflush(self.fileno, termios.TCIFLUSH)
            if self._first_attrs is not None:
                termios.tcsetattr(self.fileno, termios.TCSANOW, self._first_attrs)

    def restore_now(self) -> None:
        """Give the terminal back at once, from any thread, without waiting for anything that may hang."""
        if self._active:
            self._active = False
            if self._line.ready:
                self._line.write(self._pictures.let_go() + RESTORE_TITLE + LEAVE)
            self._restore_attributes()

    def show_pictures(self, needed: Iterable[Picture]) -> None:
        """Let the terminal hold all pictures on the screen, before the rows that show them are written."""
        if self._active:
            self._pictures.show(needed)

    def take_mouse(self, ours: bool) -> None:
        """Read the mouse, or leave it to the terminal, also after a suspension."""
        self._mouse = True
        if ours:
            self._enable_mouse_support()
        else:
            self._disable_mouse_support()
            self.write("\x1b[?1016l")
        self._mouse = ours

    # -- keys --------------------------------------------------------------------------------------------------

    def disable_input(self) -> None:
        """Stop reading."""
        thread, self._key_thread = self._key_thread, None
        if thread is not None:
            signal.signal(signal.SIGWINCH, signal.SIG_DFL)
            os.write(self._waker, b".")
            thread.join()
            os.read(self._wake, 1)

    def run_input_thread(self) -> None:
        """Read until `disable_input`, waking up only for what comes."""
        parser = TerminalParser(self._debug)
        decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        while True:
            ready, _, _ = select.select([self.fileno, self._wake], [], [], parser.patience)
            if self._wake in ready:
                return
            if ready:
                data = self._read()
                if data is None:
                    self._owner.terminal_gone()
                    return
                if text := decode(data):
                    for event in parser.feed(text):
                        self.process_message(event)
            for event in parser.tick():
                self.process_message(event)

    def _read(self) -> bytes | None:
        """What there is to read; None when the terminal is gone."""
        try:
            return os.read(self.fileno, 65_536) or None
        except BlockingIOError:
            return b""
        except OSError:
            return None

    # -- stopping and going on ---------------------------------------------------------------------------------

    @property
    def can_suspend(self) -> bool:
        return True

    @property
    def has_shell(self) -> bool:
        """Somebody is there to continue us: we are not the terminal's first process."""
        return os.getsid(0) != os.getpid()

    def _asked_to_stop(self, number: int, frame: FrameType | None) -> None:
        if self._active:
            # Not here: the signal may have come while a lock was held that giving back the terminal needs.
            self._loop.call_soon_threadsafe(self.stop_process)
        else:
            _stop_group()

    def stop_process(self) -> None:
        """Give the terminal to the shell and stop until we are in front again."""
        self.suspend_application_mode()
        _stop_group()
        while not self._in_front():
            _stop_group()
        self.resume_application_mode()
        self._owner.terminal_back()

    def _continued(self, number: int, frame: FrameType | None) -> None:
        if self._active:
            self._loop.call_soon_threadsafe(self._take_again)

    def _take_again(self) -> None:
        """We were stopped without being asked, and the shell has used the terminal since."""
        if self._active and self._in_front():
            self.suspend_application_mode()
            self.resume_application_mode()
            self._owner.terminal_back()

    def _in_front(self) -> bool:
        try:
            return os.tcgetpgrp(self.fileno) == os.getpgrp()
        except OSError:
            return True  # No terminal any more: reading will tell.

    @contextlib.contextmanager
    def lent(self) -> Iterator[int]:
        """Lend the terminal to another program, which gets it as the descriptor given."""
        kept = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGQUIT)}
        for number in kept:
            # A handler, not SIG_IGN, which the program would inherit.
            signal.signal(number, lambda *_: None)
        self.suspend_application_mode()
        try:
            yield self.fileno
        finally:
            self.resume_application_mode()
            for number, handler in kept.items():
                signal.signal(number, handler)
            self._owner.terminal_back()


def _stop_group() -> None:
    """Stop, with all that the shell started together with us (such as a `uv run`), so that the shell notices."""
    os.kill(0, signal.SIGSTOP)


