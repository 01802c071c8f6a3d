"""What is new: pitui's change log, and the agent's, which its package brings along."""

from __future__ import annotations

import re
import shutil
from collections.abc import Sequence
from pathlib import Path

NAME = "CHANGELOG.md"

LIMIT = 40_000
"""Characters of the agent's change log that are shown; it has hundreds of thousands."""


def text(program: Sequence[str], path: str | None) -> str:
    """Both in one text of markdown. `program`: the words that start the agent; `path`: $PATH as it has it."""
    parts = [own()]
    file = agents(program, path)
    if file is not None:
        parts.append(f"# The agent\n\n{newest(file.read_text('utf-8', 'replace'), file)}")
    return "\n\n".join(part for part in parts if part)


def own() -> str:
    package = Path(__file__).parent
    for file in (package / NAME, package.parent / NAME):
        if file.is_file():
            return file.read_text("utf-8")
    return ""


def agents(program: Sequence[str], path: str | None) -> Path | None:
    """The change log of the package in which one of the words lies, whatever links lead there."""
    for word in reversed(program):
        found = Path(shutil.which(word, path=path) or word)
        if not found.is_file():
            continue
        for folder in found.resolve().parents:
            if (folder / "package.json").is_file() and (folder / NAME).is_file():
                return folder / NAME
    return None


def newest(log: str, file: Path) -> str:
    """The newest releases of a change log, whole ones, and where the others are."""
    log = re.sub(r"\A#\s+Change ?log\s*\n", "", log, flags=re.IGNORECASE).strip()
    if len(log) <= LIMIT:
        return log
    cut = log.rfind("\n## ", 0, LIMIT)
    return f"{log[: cut if cut > 0 else LIMIT].rstrip()}\n\nOlder releases are in `{file}`."
