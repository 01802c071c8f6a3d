"""A demo agent for each test, and one long conversation with everything in it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.demo.driving import Demo


@pytest.fixture
def demo(tmp_path: Path) -> Iterator[Demo]:
    """The agent without delays, its session in memory."""
    with Demo(tmp_path) as agent:
        yield agent


@pytest.fixture
def calm(tmp_path: Path) -> Iterator[Demo]:
    """The agent at a speed that leaves time to interrupt it."""
    with Demo(tmp_path, speed="3") as agent:
        agent.answer_dialogs = False
        yield agent
