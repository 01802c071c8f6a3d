"""The files of a project, for completion: an index that respects gitignore and needs no other program."""

from __future__ import annotations

import os
import re
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from pitui.matching import best_paths

MOST_FILES = 200_000
_GROUP_NAME = re.compile(r"\(\?P<\w+>")
# git means all that is inside of the folder; pathspec the folder as well.
_INSIDE = re.compile(r"/\*\*\s*$")
_ALWAYS_SKIPPED = frozenset({".git", ".hg", ".svn"})


@dataclass(frozen=True, slots=True)
class _Rules:
    """One ignore file. `base`: its folder relative to the root, with a slash at the end, or empty; of a file above the
    root, NUL and the root relative to its folder. `patterns` match whole paths, the last one first, and tell whether
    they ignore. `any` matches what any of them does: nearly no path, and one match is quicker than a dozen.
    """

    base: str
    patterns: tuple[tuple[re.Pattern[str], bool], ...]
    any: re.Pattern[str]

    def verdict(self, path: str) -> bool | None:
        """Whether the file ignores `path`; None when it says nothing of it."""
        relative = self.base[1:] + path if self.base.startswith("\0") else path[len(self.base) :]
        if not self.any.fullmatch(relative):
            return None
        return next((ignores for pattern, ignores in self.patterns if pattern.fullmatch(relative)), None)


def walk(root: Path, limit: int = MOST_FILES, stop: threading.Event | None = None) -> Iterator[str]:
    """Files and folders under `root` that git would not ignore, relative to it with forward slashes; folders end in
    one. Links to folders are named, never entered. What can't be read is left out.
    """
    left = limit
    waiting: list[tuple[str, tuple[_Rules, ...]]] = [("", _outer_rules(root))]
    while waiting and not (stop and stop.is_set()):
        base, rules = waiting.pop()
        rules = _with_own(root, base, rules)
        for entry in _entries(root, base):
            leads_to_folder = _is_folder(entry)
            path = base + entry.name + ("/" if leads_to_folder else "")
            if entry.name in _ALWAYS_SKIPPED or _ignored(path, rules):
                continue
            yield path
            left -= 1
            if left <= 0:
                return
            if leads_to_folder and not entry.is_symlink():
                waiting.append((path, rules))


def _entries(root: Path, base: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(root / base) as entries:
            return sorted(
                (entry for entry in entries if entry.name.isprintable()), key=lambda entry: entry.name, reverse=True
            )
    except OSError:
        return []


def _is_folder(entry: os.DirEntry[str]) -> bool:
    """Whether it is a folder or a link to one; a link in a circle is neither."""
    try:
        return entry.is_dir()
    except OSError:
        return False


def _outer_rules(root: Path) -> tuple[_Rules, ...]:
    """Rules from outside the tree: git's own exclude file, and ignore files of folders above in the same checkout."""
    found: list[_Rules] = []
    top = next((folder for folder in (root, *root.parents) if (folder / ".git").exists()), None)
    if top is None:
        return ()
    above = [folder for folder in (root, *root.parents) if folder != root and folder.is_relative_to(top)]
    for folder in reversed(above):
        found += _read_rules(folder / ".gitignore", f"\0{root.relative_to(folder).as_posix()}/")
    below = "" if top == root else f"\0{root.relative_to(top).as_posix()}/"
    return (*_read_rules(top / ".git" / "info" / "exclude", below), *found)


def _with_own(root: Path, base: str, rules: tuple[_Rules, ...]) -> tuple[_Rules, ...]:
    return (*rules, *_read_rules(root / base / ".gitignore", base))


def _read_rules(file: Path, base: str) -> list[_Rules]:
    """The rules of an ignore file, none when it can't be read. Pathspec reads the patterns; which one decides is told
    here, since the folders above a path were asked before it.
    """
    from pathspec import GitIgnoreSpec
    from pathspec.pattern import RegexPattern

    try:
        lines = [_INSIDE.sub("/**/*", line) for line in file.read_text("utf-8", "replace").split("\n")]
        spec = GitIgnoreSpec.from_lines(lines)
    except (OSError, ValueError):
        return []
    patterns = tuple(
        (re.compile(_whole(pattern.regex.pattern)), bool(pattern.include))
        for pattern in reversed(list(spec.patterns))
        if isinstance(pattern, RegexPattern) and pattern.regex
    )
    joined = "|".join(f"(?:{pattern.pattern})" for pattern, _ in patterns)
    return [_Rules(base, patterns, re.compile(joined))] if patterns else []


def _whole(pattern: str) -> str:
    """Pathspec's expression for a whole path. Group names may stand only once when such are joined."""
    pattern = _GROUP_NAME.sub("(?:", pattern)
    return pattern if pattern.startswith("^") else f".*{pattern}"


def _ignored(path: str, rules: tuple[_Rules, ...]) -> bool:
    """The deepest file that says anything about `path` decides."""
    return next((verdict for rule in reversed(rules) if (verdict := rule.verdict(path)) is not None), False)


@dataclass(slots=True)
class FileIndex:
    """The project's paths, read in a thread of their own. `find` works with what is there so far."""

    root: Path
    limit: int = MOST_FILES
    _paths: list[str] = field(default_factory=list)
    _thread: threading.Thread | None = None
    _read_at: float = -3_600.0
    _stop: threading.Event = field(default_factory=threading.Event)

    def refresh(self) -> None:
        """Read the tree again, in the background; nothing when that is going on already."""
        if self.reading:
            return
        self._stop.clear()
        self._thread = threading.Thread(target=self._read, name="file index", daemon=True)
        self._thread.start()

    def refresh_if_old(self, seconds: float = 10.0) -> None:
        """Read again when the last reading is older than that."""
        if time.monotonic() - self._read_at > seconds:
            self.refresh()

    def _read(self) -> None:
        first = not self._paths
        paths: list[str] = self._paths if first else []
        paths.extend(walk(self.root, self.limit, self._stop))
        self._paths = paths
        self._read_at = time.monotonic()

    def close(self) -> None:
        """Stop reading."""
        self._stop.set()

    @property
    def reading(self) -> bool:
        """The tree is being read right now."""
        return self._thread is not None and self._thread.is_alive()

    def wait(self) -> None:
        """Until the index is whole."""
        if self._thread:
            self._thread.join()

    @property
    def paths(self) -> list[str]:
        """All paths so far."""
        return self._paths[:]

    def find(self, query: str, limit: int) -> list[str]:
        """The paths that match best."""
        return best_paths(query, self.paths, limit)


def list_paths(typed: str, cwd: Path, home: Path | None, limit: int) -> list[str]:
    """What the path being typed may become, in the same style it is typed in (`~/`, relative or absolute)."""
    name = typed.rpartition("/")[2]
    shown = typed[: len(typed) - len(name)]
    if shown.startswith("~/") and home is not None:
        place = home / shown[2:]
    elif typed == "~":
        return ["~/"]
    else:
        place = cwd / (shown or ".")
    found: list[str] = []
    try:
        with os.scandir(place) as entries:
            for entry in entries:
                fits = entry.name.startswith(name) and (name or not entry.name.startswith("."))
                if fits and entry.name.isprintable():
                    found.append(shown + entry.name + ("/" if _is_folder(entry) else ""))
    except OSError:
        return []
    return sorted(found)[:limit]
