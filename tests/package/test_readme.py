"""The README says what the program does."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from tests.readme import README, filled


def test_the_readme_has_the_keys_and_commands_in_force() -> None:
    text = README.read_text("utf-8")
    assert text == filled(text)


def test_ci_runs_the_readmes_test_command() -> None:
    script = README.with_name(".ci") / "run"
    found = re.search(r"<!-- test command -->\n```sh\n(.*)\n```\n<!-- end -->", README.read_text("utf-8"))
    assert found is not None
    taken = subprocess.run(
        ["bash", "-c", r"sed -n '/<!-- test command -->/,/<!-- end -->/p' README.md | grep -v -e '<!--' -e '```'"],
        capture_output=True, text=True, check=True, cwd=README.parent,
    )
    assert taken.stdout.strip() == found[1]
    assert "sed -n '/<!-- test command -->/,/<!-- end -->/p' README.md" in script.read_text("utf-8")


@pytest.mark.parametrize("option", ["--session", "--continue", "--resume", "--agent", "--record", "--replay", "--demo"])
def test_help_lists(option: str) -> None:
    shown = subprocess.run([sys.executable, "-m", "pitui", "--help"], capture_output=True, text=True, check=True)
    assert option in shown.stdout
