"""Where the agent works, as a person names it: the folder from home, and the git branch."""

from __future__ import annotations

from pathlib import Path


def short(folder: Path, home: Path | None = None) -> str:
    """The folder's path, with `~` for home."""
    folder, home = folder.absolute(), (home or Path.home()).absolute()
    if folder == home:
        return "~"
    return f"~/{folder.relative_to(home)}" if folder.is_relative_to(home) else str(folder)


def branch(folder: Path) -> str:
    """The git branch checked out in `folder`, a short commit id when none is, or nothing outside a repository.

    Read from `.git/HEAD` rather than by git: it is asked for at every start, and git need not be there.
    """
    for parent in (folder.absolute(), *folder.absolute().parents):
        try:
            return _head(parent / ".git")
        except OSError:
            continue
    return ""


def _head(git: Path) -> str:
    if git.is_file():  # A worktree or submodule: `gitdir: <folder>`.
        git = (git.parent / git.read_text("utf-8", "replace").partition(":")[2].strip()).resolve()
    head = (git / "HEAD").read_text("utf-8", "replace").strip()
    return head.removeprefix("ref: refs/heads/") if head.startswith("ref:") else head[:8]


def context_files(folder: Path) -> tuple[str, ...]:
    """The instructions the agent reads by itself in `folder`: AGENTS.md, or CLAUDE.md."""
    return tuple(name for name in ("AGENTS.md", "CLAUDE.md") if (folder / name).is_file())
