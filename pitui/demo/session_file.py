"""Session files: version 3 JSONL, a header and then one entry a line."""

from __future__ import annotations

import json
from pathlib import Path

from pitui.demo.records import Record, iso_time, session_id, text_field


def new_header(cwd: str, parent: str | None = None, identity: str | None = None) -> Record:
    """The first line of a session. `parent` is the path of the session it came from."""
    header: Record = {
        "type": "session", "version": 3, "id": identity or session_id(), "timestamp": iso_time(), "cwd": cwd,
    }
    if parent:
        header["parentSession"] = parent
    return header


def file_name(header: Record) -> str:
    """The name a session's file has in its folder: its time and its id."""
    stamp = str(header["timestamp"]).replace(":", "-").replace(".", "-")
    return f"{stamp}_{header['id']}.jsonl"


def read(path: Path) -> tuple[Record | None, list[Record]]:
    """The header and the entries of a file; lines that are no JSON objects are passed over, as the real agent does.

    Raises OSError when the file is there but cannot be read.
    """
    if not path.exists():
        return None, []
    records = [_parsed(line) for line in path.read_bytes().split(b"\n") if line.strip()]
    good = [record for record in records if record]
    header = next((record for record in good if record.get("type") == "session"), None)
    return header, [entry for entry in good if entry.get("type") != "session" and text_field(entry, "id")]


def _parsed(line: bytes) -> Record:
    try:
        value = json.loads(line.decode("utf-8", "replace"))
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def append(path: Path, records: list[Record]) -> None:
    """Write records to the end of a file, making it and its folder when needed. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as file:
        file.write(b"".join(json.dumps(record).encode() + b"\n" for record in records))


def newest(folder: Path) -> Path | None:
    """The session in `folder` that was written to last."""
    files = list(folder.glob("*.jsonl"))
    return max(files, key=lambda path: path.stat().st_mtime_ns, default=None)


def find(folder: Path | None, wanted: str) -> Path:
    """The file `wanted` means: a path, or the start of the id of a session in `folder`."""
    looks_like_path = "/" in wanted or wanted.endswith(".jsonl")
    if folder is None or looks_like_path:
        return Path(wanted)
    matches = sorted(folder.glob(f"*_{wanted}*.jsonl"))
    return matches[0] if matches else Path(wanted)
