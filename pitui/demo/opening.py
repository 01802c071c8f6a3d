"""Which session the demo opens with."""

from __future__ import annotations

from pathlib import Path

from pitui.demo import session_file
from pitui.demo.options import Options
from pitui.demo.session import Session

DEFAULT_NAME = "demo"


def open_session(options: Options) -> Session:
    """The session the options ask for; without a path it lives in memory. Raises OSError."""
    cwd = str(Path.cwd())
    folder = None if options.no_session else options.session_dir
    folder = folder.absolute() if folder else None
    if options.no_session:
        return Session.create(cwd, None, identity=options.session_id)
    if options.session:
        return Session.open(session_file.find(folder, options.session).absolute(), cwd)
    if options.fork:
        return _forked(session_file.find(folder, options.fork).absolute(), folder, cwd)
    if folder and options.session_id and (existing := session_file.find(folder, options.session_id)).exists():
        return Session.open(existing, cwd)
    if folder and options.resume_newest and (newest := session_file.newest(folder)):
        return Session.open(newest, cwd)
    return Session.create(cwd, folder, identity=options.session_id)


def _forked(source: Path, folder: Path | None, cwd: str) -> Session:
    original = Session(*_header_of(source, cwd))
    session = Session.create(cwd, folder, parent=str(source))
    original.copy_to(session, original.leaf)
    return session


def _header_of(source: Path, cwd: str) -> tuple[dict[str, object], None, list[dict[str, object]]]:
    header, entries = session_file.read(source)
    return header or session_file.new_header(cwd), None, entries


def fresh_from(session: Session, parent: str | None = None) -> Session:
    """A new session beside `session`: in its folder, or in memory when it is."""
    return Session.create(str(Path.cwd()), session.folder, parent=parent)
