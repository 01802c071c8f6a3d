"""What all tests share: async tests run on asyncio, snapshots live in `snapshots/`, and nobody's home is touched."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings
from pytest_textual_snapshot import SVGImageExtension
from syrupy.assertion import SnapshotAssertion
from syrupy.location import PyTestLocation

from tests import quiet

quiet.install()

# CI tries the same examples every time; a person's own runs go on looking for new ones.
settings.register_profile("ci", derandomize=True)
if os.environ.get("CI"):
    settings.load_profile("ci")

ROOT = Path(__file__).resolve().parents[1]


class SnapshotsAtTheTop(SVGImageExtension):  # type: ignore[misc]  # the plugin has no types
    """Keeps every picture in the top-level `snapshots/`, by the names of its test's file and of its test."""

    @classmethod
    def dirname(cls, *, test_location: PyTestLocation) -> str:
        return str(ROOT / "snapshots" / test_location.basename)


@pytest.fixture
def snapshot(snapshot: SnapshotAssertion) -> SnapshotAssertion:
    return snapshot.use_extension(SnapshotsAtTheTop)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A home, agent folder, settings and caches of the test's own."""
    for name in ("HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "person" / name.lower()))
    monkeypatch.setenv("PI_CODING_AGENT_DIR", str(tmp_path / "person" / "agent"))
    monkeypatch.delenv("PI_CODING_AGENT_SESSION_DIR", raising=False)
    monkeypatch.setenv("TEXTUAL_ANIMATIONS", "none")
