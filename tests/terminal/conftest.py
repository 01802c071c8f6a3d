"""Terminals with pitui in them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Protocol

import pytest

from tests.terminal.terminal import PITUI, Terminal

READY = "● ready"


class Open(Protocol):
    """Opens a terminal that is closed at the end of the test. `ready`: what to wait for on the screen."""

    def __call__(self, *command: str, ready: str = READY, columns: int = 80, rows: int = 24, stdin: Path | None = None,
                 **environ: str) -> Terminal: ...


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """The folder pitui works in."""
    folder = tmp_path / "place"
    folder.mkdir()
    return folder


@pytest.fixture
def open_terminal(place: Path) -> Iterator[Open]:
    with ExitStack() as opened:

        def open_it(*command: str, ready: str = READY, columns: int = 80, rows: int = 24, stdin: Path | None = None,
                    **environ: str) -> Terminal:
            environ = {"PYTHONPATH": str(Path(__file__).parents[2]), "PATH": os.environ["PATH"], **environ}
            terminal = opened.enter_context(Terminal(command or PITUI, environ, columns, rows, place, stdin))
            if ready:
                terminal.wait_for(ready)
            return terminal

        yield open_it
