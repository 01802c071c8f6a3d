"""What was typed and not sent: one small file a session, safe against a crash at any moment."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from pitui.rpc.messages import ImageBlock

STASH_LIMIT = 50


@dataclass(frozen=True, slots=True)
class Draft:
    """Unsent text. `text` is whole, pastes included; `folds` are the (start, end) stretches of it that are shown as a
    paste marker, in order; `cursor` is an index into `text`.
    """

    text: str = ""
    folds: tuple[tuple[int, int], ...] = ()
    cursor: int = 0
    images: tuple[ImageBlock, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.text.strip() or self.images)

    def below(self, other: Draft) -> Draft:
        """Both in one, `other` first and this one's text under it; the cursor stays in this one."""
        if not other:
            return self
        if not self:
            return other
        head = other.text.rstrip("\n") + "\n\n"
        shift = len(head)
        folds = tuple((start, min(end, shift)) for start, end in other.folds if start < shift)
        return Draft(
            head + self.text,
            folds + tuple((start + shift, end + shift) for start, end in self.folds),
            self.cursor + shift,
            other.images + self.images,
        )


@dataclass(frozen=True, slots=True)
class Kept:
    """A session's draft and what its person put aside, newest last."""

    draft: Draft = Draft()
    stash: tuple[Draft, ...] = ()


def draft_file(directory: Path, session_id: str) -> Path:
    """The file for a session. The id comes from the agent, so it never becomes part of a path as it is."""
    digest = hashlib.sha256(session_id.encode("utf-8", "surrogatepass")).hexdigest()
    return directory / f"{digest[:32]}.json"


def save(path: Path, kept: Kept) -> None:
    """Write `kept` so that a reader sees the old or the new file, whole. Nothing to keep: the file goes.

    Raises OSError.
    """
    if not kept.draft and not kept.stash:
        path.unlink(missing_ok=True)
        return
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    data = json.dumps({
        "draft": draft_to_json(kept.draft),
        "stash": [draft_to_json(draft) for draft in kept.stash[-STASH_LIMIT:]],
    })
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".draft-")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise


def load(path: Path) -> Kept:
    """What was kept, or nothing. A damaged file is put beside under `.damaged`, never overwritten unseen.

    Raises OSError other than for a missing file.
    """
    try:
        data = json.loads(path.read_bytes())
        return Kept(draft_from_json(data["draft"]), tuple(draft_from_json(item) for item in data["stash"]))
    except FileNotFoundError:
        return Kept()
    except (ValueError, KeyError, TypeError):
        path.replace(path.with_suffix(".damaged"))
        return Kept()


def draft_to_json(draft: Draft) -> dict[str, object]:
    """`draft` as plain JSON values; what is empty is left out."""
    values: dict[str, object] = {
        "text": draft.text,
        "cursor": draft.cursor,
        "folds": [list(fold) for fold in draft.folds],
        "images": [{"data": image.data, "mimeType": image.mime_type} for image in draft.images],
    }
    return {key: value for key, value in values.items() if value or (key == "cursor" and draft.text)}


def draft_from_json(data: object) -> Draft:
    """The draft `draft_to_json` wrote. Raises ValueError for anything else."""
    if not isinstance(data, Mapping):
        raise ValueError("a draft is an object")
    text = data.get("text", "")
    if not isinstance(text, str):
        raise ValueError("a draft's text is a string")
    cursor = data.get("cursor", len(text))
    return Draft(
        text,
        _folds_in(text, data.get("folds", [])),
        max(0, min(cursor, len(text))) if isinstance(cursor, int) else len(text),
        tuple(_image(item) for item in data.get("images", [])),
    )


def _folds_in(text: str, folds: object) -> tuple[tuple[int, int], ...]:
    if not isinstance(folds, list):
        raise ValueError("folds are a list")
    found: list[tuple[int, int]] = []
    for fold in folds:
        if not (isinstance(fold, list) and len(fold) == 2 and all(isinstance(end, int) for end in fold)):
            raise ValueError("a fold is two numbers")
        start, end = fold
        if (found[-1][1] if found else 0) <= start < end <= len(text):
            found.append((start, end))
    return tuple(found)


def _image(data: object) -> ImageBlock:
    try:
        return ImageBlock.model_validate({"type": "image", **data} if isinstance(data, dict) else data)
    except ValidationError as error:
        raise ValueError("an image is data and mimeType") from error
