"""The real agent, in the versions the tests are about."""

from __future__ import annotations

import pytest

from tests.real.agents import VERSIONS


@pytest.fixture(params=VERSIONS)
def version(request: pytest.FixtureRequest) -> str:
    """Every test runs on each of these versions of the agent."""
    return str(request.param)
