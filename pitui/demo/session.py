"""A session: entries that form a tree, the leaf we are at, and the file they are kept in, if any."""

from __future__ import annotations

from pathlib import Path

from pitui.demo import session_file
from pitui.demo.records import Record, entry_id, iso_time, object_field, text_field


class Session:
    """Entries in the order they were made. With `path` None nothing is written anywhere."""

    def __init__(self, header: Record, path: Path | None, entries: list[Record] | None = None) -> None:
        self.header = header
        self.path = path
        self.entries: list[Record] = []
        self.by_id: dict[str, Record] = {}
        self.leaf: str | None = None
        for entry in entries or []:
            self._keep(entry)

    @classmethod
    def create(cls, cwd: str, folder: Path | None, parent: str | None = None, identity: str | None = None) -> Session:
        """A new, empty session; its file lies in `folder`, or nowhere when that is None."""
        header = session_file.new_header(cwd, parent, identity)
        session = cls(header, folder / session_file.file_name(header) if folder else None)
        session._save([header])
        return session

    @classmethod
    def open(cls, path: Path, cwd: str) -> Session:
        """The session in the file at `path`; a missing file becomes an empty session there. Raises OSError."""
        header, entries = session_file.read(path)
        session = cls(header or session_file.new_header(cwd), path, entries)
        if header is None:
            session._save([session.header])
        return session

    @property
    def id(self) -> str:
        return str(self.header["id"])

    @property
    def folder(self) -> Path | None:
        return self.path.parent if self.path else None

    def append(self, kind: str, **fields: object) -> Record:
        """Add an entry of type `kind` under the leaf and make it the leaf. Raises OSError when it cannot be saved."""
        entry: Record = {"type": kind, "id": entry_id(), "parentId": self.leaf, "timestamp": iso_time(), **fields}
        self._keep(entry)
        self._save([entry])
        return entry

    def append_message(self, message: Record) -> Record:
        return self.append("message", message=message)

    def branch(self, leaf: str | None = None) -> list[Record]:
        """The entries from a root to `leaf` (the session's own when None)."""
        path: list[Record] = []
        seen: set[str] = set()
        current = self.by_id.get(leaf or self.leaf or "")
        while current and str(current["id"]) not in seen:
            seen.add(str(current["id"]))
            path.append(current)
            current = self.by_id.get(text_field(current, "parentId") or "")
        return path[::-1]

    @property
    def name(self) -> str | None:
        names = [text_field(entry, "name") for entry in self.branch() if entry.get("type") == "session_info"]
        return names[-1] if names else None

    def last_of(self, kind: str) -> Record | None:
        """The newest entry of type `kind` on the branch."""
        return next((entry for entry in reversed(self.branch()) if entry.get("type") == kind), None)

    def messages(self) -> list[Record]:
        """Every message of the branch, in or out of context."""
        return [object_field(entry, "message") for entry in self.branch() if entry.get("type") == "message"]

    def copy_to(self, target: Session, leaf: str | None) -> None:
        """Put the branch up to `leaf` into the empty session `target`; None copies nothing."""
        entries = self.branch(leaf) if leaf else []
        for entry in entries:
            target._keep(entry)
        target._save(entries)

    def _keep(self, entry: Record) -> None:
        self.entries.append(entry)
        self.by_id[str(entry["id"])] = entry
        self.leaf = str(entry["id"])

    def _save(self, records: list[Record]) -> None:
        if self.path and records:
            session_file.append(self.path, records)
