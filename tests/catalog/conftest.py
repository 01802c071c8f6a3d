"""The trash of a test is its own: send2trash works out where the trash is once, when it is imported."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def trash(own_home: None, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of this test's trash; the home it is in has to exist."""
    data = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("HOME", str(data))
    monkeypatch.setenv("XDG_DATA_HOME", str(data))
    monkeypatch.setattr("send2trash.plat_other.XDG_DATA_HOME", os.fsencode(data))
    monkeypatch.setattr("send2trash.plat_other.HOMETRASH_B", os.fsencode(data / "Trash"))
    return data / "Trash"


@pytest.fixture
def no_trash(trash: Path) -> None:
    """A trash nothing can be put into."""
    trash.touch()
