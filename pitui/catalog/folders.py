"""Where the agent keeps sessions, and which file a name on the command line means."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from pitui.catalog.records import read_header, text_of
from pitui.store.settings import PiSettings

DEPTH = 5
"""Levels of sub-folders that are searched: sub-agents leave sessions below those of their parent."""
FOLDERS = 20_000
"""Most folders looked into, should somebody keep sessions in a source tree."""
_NEVER = frozenset({"node_modules", "__pycache__"})


class SessionNotFound(Exception):
    """No session, or more than one, is meant; the message says so in plain words."""


@dataclass(frozen=True, slots=True)
class SessionFolders:
    """`here`: where new sessions of `cwd` go. `root`: what "all" looks through. `shared`: `here` serves every cwd."""

    cwd: Path
    here: Path
    root: Path
    shared: bool

    def owns(self, path: Path, cwd: str) -> bool:
        """Whether the session at `path`, begun in `cwd`, counts as one of this folder, as the agent lists them."""
        if cwd and same_folder(cwd, self.cwd):
            return True
        return not self.shared and path.is_relative_to(self.here)


def same_folder(left: str, right: Path) -> bool:
    return os.path.realpath(left) == os.path.realpath(right)


def agent_dir(environ: Mapping[str, str]) -> Path:
    """The agent's own folder: `PI_CODING_AGENT_DIR`, or `~/.pi/agent`."""
    chosen = environ.get("PI_CODING_AGENT_DIR")
    return _expanded(chosen, Path.cwd(), environ) if chosen else _home(environ) / ".pi" / "agent"


def _home(environ: Mapping[str, str]) -> Path:
    return Path(environ["HOME"]) if environ.get("HOME") else Path.home()


def _expanded(path: str, cwd: Path, environ: Mapping[str, str]) -> Path:
    """`path` with a leading `~`, relative to `cwd`."""
    if path == "~" or path.startswith("~/"):
        return _home(environ) / path[2:]
    return cwd / path


def session_folders(
    cwd: Path, environ: Mapping[str, str], settings: PiSettings, session_dir: str | None = None
) -> SessionFolders:
    """Where the sessions of `cwd` are: `session_dir` (the option), then the environment, then the setting (the
    project's too, trusted or not), then a folder of its own in the agent's.
    """
    chosen = session_dir or environ.get("PI_CODING_AGENT_SESSION_DIR") or settings.session_dir
    if chosen:
        folder = Path(os.path.normpath(_expanded(chosen, cwd, environ)))
        return SessionFolders(cwd, folder, folder, shared=True)
    root = agent_dir(environ) / "sessions"
    return SessionFolders(cwd, root / encoded(cwd), root, shared=False)


def encoded(cwd: Path) -> str:
    """The name of a folder's session folder (docs/session-format.md): the agent sees the real path of its cwd."""
    path = re.sub(r"^[/\\]", "", os.path.realpath(cwd))
    return "--" + re.sub(r"[/\\:]", "-", path) + "--"


def session_files(root: Path) -> Iterator[os.DirEntry[str]]:
    """Every `.jsonl` file at or below `root`; folders that are links, hidden or unreadable are passed over."""
    waiting, seen = [(str(root), 0)], 0
    while waiting and seen < FOLDERS:
        folder, depth = waiting.pop()
        seen += 1
        for item in _entries(folder):
            if item.name.endswith(".jsonl"):
                yield item
            elif depth < DEPTH and _enters(item):
                waiting.append((item.path, depth + 1))


def _entries(folder: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as items:
            return list(items)
    except OSError:
        return []


def _enters(item: os.DirEntry[str]) -> bool:
    return not item.name.startswith(".") and item.name not in _NEVER and item.is_dir(follow_symlinks=False)


def newest_first(root: Path) -> list[tuple[Path, os.stat_result]]:
    """Session files at or below `root` with what the disk says of them, last written first."""
    found: list[tuple[Path, os.stat_result]] = []
    for item in session_files(root):
        try:
            status = item.stat()
        except OSError:
            continue
        found.append((Path(item.path), status))
    found.sort(key=lambda file: file[1].st_mtime_ns, reverse=True)
    return found


def latest_session(folders: SessionFolders) -> Path | None:
    """What `--continue` opens: the session of this folder that was written last; sub-agents' do not count."""
    for path, _ in newest_first(folders.here):
        header = read_header(path) if path.parent == folders.here else None
        if header is not None and (not folders.shared or folders.owns(path, text_of(header, "cwd"))):
            return path
    return None


@dataclass(frozen=True, slots=True)
class Found:
    """`here`: the session belongs to this folder. When not, the agent would offer to fork it into it."""

    path: Path
    id: str
    cwd: str
    here: bool


def find_session(wanted: str, folders: SessionFolders) -> Found:
    """The session `wanted` names: a path, an id, or the beginning of one. Raises SessionNotFound.

    A path that does not exist is an error here: the agent would quietly start an empty session there.
    """
    if "/" in wanted or "\\" in wanted or wanted.endswith(".jsonl"):
        return _at_path(_expanded(wanted, folders.cwd, os.environ), folders)
    if not wanted:
        raise SessionNotFound("No session is named.")
    matches = [found for found in _headers(folders) if found.id.startswith(wanted)]
    for near in ([found for found in matches if found.here], matches):
        exact = [found for found in near if found.id == wanted]
        if exact or len(near) == 1:
            return (exact or near)[0]
        if near:
            ids = ", ".join(sorted(found.id for found in near)[:3])
            raise SessionNotFound(f"{len(near)} sessions begin with {wanted}: {ids}{' …' if len(near) > 3 else ''}.")
    raise SessionNotFound(f"No session begins with {wanted} under {folders.root}.")


def _at_path(path: Path, folders: SessionFolders) -> Found:
    if not path.exists():
        raise SessionNotFound(f"There is no session file {path}.")
    if not path.is_file():
        raise SessionNotFound(f"{path} is not a file.")
    header = read_header(path)
    if header is None:
        raise SessionNotFound(f"{path} is not a session file: it does not begin with a session header.")
    cwd = text_of(header, "cwd")
    return Found(path, text_of(header, "id"), cwd, folders.owns(path, cwd))


def _headers(folders: SessionFolders) -> Iterator[Found]:
    for path, _ in newest_first(folders.root):
        header = read_header(path)
        if header is not None:
            cwd = text_of(header, "cwd")
            yield Found(path, text_of(header, "id"), cwd, folders.owns(path, cwd))


def fresh_path(folder: Path, session_id: str, now: float) -> Path:
    """A name in `folder` no file has, made as the agent makes them. `now` in seconds since 1970."""
    stamp = datetime.fromtimestamp(now, UTC).isoformat(timespec="milliseconds").removesuffix("+00:00")
    stem = f"{re.sub('[:.]', '-', stamp)}Z_{re.sub('[^A-Za-z0-9._-]', '-', session_id) or 'session'}"
    path, count = folder / f"{stem}.jsonl", 1
    while path.exists():
        count += 1
        path = folder / f"{stem}-{count}.jsonl"
    return path


def missing_folder(cwd: str) -> str | None:
    """The folder a session wants when it is not there: the agent then refuses to open the session over RPC."""
    return cwd if cwd and not Path(cwd).is_dir() else None
