"""Prompts of a project, kept on disk for recall: one JSON record a line, written by any number of processes."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pitui.store.drafts import Draft, draft_from_json, draft_to_json

KEPT = 1_000
"""Prompts that survive when the file is shortened."""

MOST_BYTES = 4 * 1024 * 1024
"""Bytes of a file from which on it is shortened."""

_LARGEST = 1024 * 1024


def prompts_file(directory: Path, project: Path) -> Path:
    """The file of a project's prompts."""
    digest = hashlib.sha256(os.fsencode(project)).hexdigest()
    return directory / f"{digest[:32]}.jsonl"


def append(file: Path, draft: Draft) -> None:
    """Add a prompt; one of more than 1 MiB isn't kept. Images are not kept. Raises OSError."""
    record = {key: value for key, value in draft_to_json(draft).items() if key in {"text", "folds"}}
    line = json.dumps(record).encode("ascii") + b"\n"
    if not draft.text.strip() or len(line) > _LARGEST:
        return
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with _locked(file):
        handle = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(handle, line)
            grown = os.fstat(handle).st_size
        finally:
            os.close(handle)
        if grown > MOST_BYTES:
            _shorten(file)


def read(file: Path, limit: int = KEPT) -> list[Draft]:
    """The newest prompts, oldest first. Lines that can't be read are passed over. Raises OSError but for no file."""
    try:
        data = file.read_bytes()
    except FileNotFoundError:
        return []
    found = (_prompt(line) for line in data.split(b"\n")[-limit - 1 :])
    return [prompt for prompt in found if prompt is not None]


def _prompt(line: bytes) -> Draft | None:
    try:
        prompt = draft_from_json(json.loads(line))
    except ValueError:
        return None
    return prompt if prompt.text else None


def _shorten(file: Path) -> None:
    """Keep the newest prompts, at most half of the allowed size. The file is locked."""
    kept: list[bytes] = []
    left = MOST_BYTES // 2
    for line in reversed(file.read_bytes().split(b"\n")[-KEPT - 1 :]):
        left -= len(line) + 1
        if left < 0:
            break
        if line:
            kept.append(line)
    handle, name = tempfile.mkstemp(dir=file.parent, prefix=".prompts-")
    with os.fdopen(handle, "wb") as new:
        new.write(b"".join(line + b"\n" for line in reversed(kept)))
    Path(name).replace(file)


@contextmanager
def _locked(file: Path) -> Iterator[None]:
    """Nobody else writes meanwhile: without it a record appended during a shortening would go with the old file."""
    with file.with_suffix(".lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
