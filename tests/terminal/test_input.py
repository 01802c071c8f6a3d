"""What a terminal says by itself reaches no text, however slowly it comes; Alt keys are no Escapes."""

from __future__ import annotations

import time

import pytest

from tests.terminal.conftest import READY, Open
from tests.terminal.terminal import Terminal


def trickle(terminal: Terminal, data: str, pause: float) -> None:
    """Send a byte, wait `pause` seconds, send the next: a slow line."""
    for character in data:
        terminal.send(character)
        end = time.monotonic() + pause
        while time.monotonic() < end:
            terminal.pump(0.01)


@pytest.mark.parametrize("pause", [0.0, 0.07, 0.15])
@pytest.mark.parametrize(
    "reply",
    ["[?61;6;7c", "[>1;10;0c", "[?2026;2$y", "[?1u", "]11;rgb:1e1e/1e1e/1e1e\x1b\\", "P1+r544e\x1b\\", "[<35;12;10M"],
)
def test_a_reply_that_trickles_in_types_nothing(open_terminal: Open, reply: str, pause: float) -> None:
    terminal = open_terminal()
    terminal.send("ab")
    # Escape itself must be told from the key in time; the rest has longer.
    terminal.send("\x1b" + reply[0])
    trickle(terminal, reply[1:], pause)
    terminal.send("cd")
    terminal.wait_for("› abcd")


@pytest.mark.parametrize("pause", [0.05, 0.08])
def test_keys_that_trickle_in_are_still_those_keys(open_terminal: Open, pause: float) -> None:
    terminal = open_terminal()
    terminal.send("ab")
    trickle(terminal, "\x1b[D", pause)
    terminal.send("x")
    terminal.wait_for("› axb")


def test_escape_and_enter_within_80_ms_are_alt_enter_and_stop_nothing(open_terminal: Open) -> None:
    terminal = open_terminal()
    terminal.send("/demo long\r")
    terminal.wait_for("Part 1 of")
    terminal.send("and then this")
    trickle(terminal, "\x1b\r", 0.08)
    terminal.wait_for("and then this")
    terminal.wait_for("long answer")
    terminal.wait_for(READY)
    assert "aborted" not in terminal.text.lower()


def test_escape_alone_comes_through(open_terminal: Open) -> None:
    terminal = open_terminal()
    terminal.send("/demo long\r")
    terminal.wait_for("Part 1 of")
    terminal.send("\x1b")
    terminal.wait_for(READY)
    assert "long answer" not in terminal.text


def test_an_escape_stops_and_keeps_what_is_written(open_terminal: Open) -> None:
    terminal = open_terminal()
    terminal.send("/demo long\r")
    terminal.wait_for("Part 1 of")
    terminal.send("half a thought")
    terminal.wait_for("half a thought")
    terminal.send("\x1b")
    terminal.wait_for(READY)
    assert "half a thought" in terminal.text
    assert "long answer" not in terminal.text

