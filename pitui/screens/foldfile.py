"""What a reader folded in a session, kept on disk: one small file a session."""

from __future__ import annotations

import json
from pathlib import Path

from pitui.render.lines import ThinkingView
from pitui.store.drafts import draft_file
from pitui.store.jsonfile import FileTrouble, read_object, write_text
from pitui.widgets.folds import Folds

MOST = 2_000
"""Fold keys kept of each kind; a session with more has been folded by rule, not by hand."""


def save(directory: Path, session_id: str, folds: Folds) -> None:
    """Keep `folds`. Raises OSError."""
    path = draft_file(directory, session_id)
    if folds == Folds():
        path.unlink(missing_ok=True)
        return
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    write_text(path, json.dumps({
        "toolsOpen": folds.tools_open, "thinking": folds.thinking.value,
        "open": sorted(folds.open)[:MOST], "shut": sorted(folds.shut)[:MOST], "sources": sorted(folds.sources)[:MOST],
    }))


def load(directory: Path, session_id: str) -> Folds | None:
    """What was kept, or None; a file that cannot be read is as good as none."""
    path = draft_file(directory, session_id)
    try:
        kept = read_object(path)
    except FileTrouble:
        return None
    if not kept:
        return None
    thinking = kept.get("thinking")
    return Folds(
        kept.get("toolsOpen") is True,
        next((view for view in ThinkingView if view.value == thinking), ThinkingView.FIRST_LINE),
        _keys(kept.get("open")), _keys(kept.get("shut")), _keys(kept.get("sources")),
    )


def _keys(value: object) -> frozenset[str]:
    return frozenset(item for item in value if isinstance(item, str)) if isinstance(value, list) else frozenset()
