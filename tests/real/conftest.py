"""The real agent, in the versions the tests are about, and what their recordings must hold."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.real.agents import VERSIONS
from tests.real.coverage import ROWS, names_on


@pytest.fixture(params=VERSIONS)
def version(request: pytest.FixtureRequest) -> str:
    """Every test runs on each of these versions of the agent."""
    return str(request.param)


@pytest.fixture(autouse=True)
def everything_ascribed_to_the_test_was_on_the_wire(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[None]:
    """The table of `coverage` must not claim more than its tests do."""
    yield
    name = request.node.originalname if isinstance(request.node, pytest.Function) else ""
    claimed = {(row.part, row.name) for row in ROWS if row.function == name and row.seen}
    seen = {found for wire in tmp_path.rglob("wire*.jsonl*") for found in names_on(wire)}
    assert claimed <= seen, f"never on the wire: {sorted(name for _, name in claimed - seen)}"
