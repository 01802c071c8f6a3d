"""A tool call in one row: its name, the argument that matters, and what came of it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping

from pitui.render.lines import Palette, View
from pitui.render.text import Span, count, sanitize, seconds, size
from pitui.session.state import ToolEntry, ToolState

TITLE = 400
"""Characters of an argument looked at for a title; a row never shows more."""
LONG_LINE = 200
"""Characters from which the size of a single line tells more than that it is one."""
SLOWEST_INSTANT = 0.05
"""Seconds; what took less has no time worth showing."""

_EXIT = re.compile(r"\s*(?:Command exited with code (-?[0-9]{1,9})|Command (aborted|timed out[^\n]{0,80}))\s*$")
_FOOTER = re.compile(r"\s*\[Showing [^\n]*Full output: [^\n]*\]\s*$")
_PATHS = ("path", "file_path", "file")
_TELLING = (*_PATHS, "command", "query", "pattern", "url", "prompt", "task", "name", "title", "code")


def ellipsis(palette: Palette) -> str:
    """What stands for something left out."""
    return "..." if palette.ascii_only else "…"


def dot(palette: Palette) -> str:
    """What stands between two facts."""
    return " - " if palette.ascii_only else " · "


def one_line(value: object) -> str:
    """Any value as harmless text without line breaks, as long as a row may need."""
    if isinstance(value, str):
        text = value[:TITLE]
    else:
        text = compact_json(value)[:TITLE]
    return " ".join(sanitize(text).split())


def compact_json(value: object) -> str:
    """A JSON value in one line; values JSON has no form for as Python writes them."""
    try:
        return json.dumps(value, ensure_ascii=False, default=str)
    except (ValueError, RecursionError):
        return "(too deep)"


def shown_path(path: str, view: View) -> str:
    """A path as a person would write it here: relative inside the working folder, `~` for home."""
    for root, short in ((view.cwd, ""), (view.home, "~/")):
        if len(root) > 1 and path.startswith(root.rstrip("/") + "/"):
            return short + path[len(root.rstrip("/")) + 1 :] or short or "."
        if path == root:
            return "." if root == view.cwd else "~"
    return path


def path_spans(value: object, view: View) -> list[Span]:
    """A path with its folder muted."""
    if not isinstance(value, str) or not value:
        return []
    path = one_line(shown_path(value, view))
    at = path.rstrip("/").rfind("/") + 1
    return [(path[:at], view.palette.muted), (path[at:], view.palette.text)]


def _whole(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def path_argument(arguments: Mapping[str, object]) -> str:
    """The file a call is about, under any of the names agents gave it; empty if there is none."""
    for name in _PATHS:
        value = arguments.get(name)
        if isinstance(value, str):
            return value
    return ""


def first_line_number(arguments: Mapping[str, object]) -> int:
    """The number of the first line a read returns."""
    offset = _whole(arguments.get("offset"))
    return offset if offset is not None and offset > 0 else 1


def _read(arguments: Mapping[str, object], view: View) -> list[Span]:
    spans = path_spans(path_argument(arguments), view)
    offset, limit = _whole(arguments.get("offset")), _whole(arguments.get("limit"))
    if offset is None and limit is None:
        return spans
    first = first_line_number(arguments)
    last = "" if limit is None else str(first + limit - 1)
    return [*spans, (f":{first}-{last}", view.palette.muted)]


def _path(arguments: Mapping[str, object], view: View) -> list[Span]:
    return path_spans(path_argument(arguments), view)


def _ls(arguments: Mapping[str, object], view: View) -> list[Span]:
    return _path(arguments, view) or [(".", view.palette.text)]


def _first_of(name: str) -> Callable[[Mapping[str, object], View], list[Span]]:
    def title(arguments: Mapping[str, object], view: View) -> list[Span]:
        value = arguments.get(name)
        text = value.strip() if isinstance(value, str) else ""
        more = text.count("\n")
        spans = [(one_line(text.split("\n", 1)[0]), view.palette.text)]
        return [*spans, (f" {ellipsis(view.palette)} +{count(more, 'line')}", view.palette.muted)] if more else spans

    return title


def _search(arguments: Mapping[str, object], view: View) -> list[Span]:
    spans = [(one_line(arguments.get("pattern", "")), view.palette.text)]
    where = _path(arguments, view)
    spans += [(" in ", view.palette.muted), *where] if where else []
    glob = one_line(arguments.get("glob", ""))
    return [*spans, (f" ({glob})", view.palette.muted)] if glob else spans


def _any(arguments: Mapping[str, object], view: View) -> list[Span]:
    for name in _TELLING:
        value = arguments.get(name)
        if isinstance(value, str) and value.strip():
            return _path({"path": value}, view) if name in _PATHS else _first_of(name)(arguments, view)
    spans: list[Span] = []
    for name, value in list(arguments.items())[:6]:
        spans += [("  ", view.palette.muted)] if spans else []
        spans += [(f"{one_line(name)}=", view.palette.muted), (one_line(value)[:60], view.palette.text)]
    return spans


_TITLES: dict[str, Callable[[Mapping[str, object], View], list[Span]]] = {
    "bash": _first_of("command"), "read": _read, "write": _path, "edit": _path, "grep": _search, "find": _search,
    "ls": _ls, "codemode": _first_of("code"),
}


def title_spans(entry: ToolEntry, view: View) -> list[Span]:
    """The argument that tells most about the call."""
    return [(text, style) for text, style in _TITLES.get(entry.name, _any)(entry.arguments, view) if text]


def glyph(entry: ToolEntry, view: View) -> Span:
    """The state of a call as one character."""
    palette = view.palette
    ascii_only = palette.ascii_only
    match entry.state:
        case ToolState.WRITING | ToolState.WAITING:
            return ("o" if ascii_only else "○", palette.muted)
        case ToolState.RUNNING:
            return (spinner(view), palette.accent)
        case ToolState.DONE:
            return ("*" if ascii_only else "●", palette.success)
        case ToolState.FAILED:
            return ("x" if ascii_only else "✗", palette.error)
        case ToolState.STOPPED:
            return ("-" if ascii_only else "⊘", palette.warning)


def spinner(view: View) -> str:
    """The present frame of the animation."""
    frames = "|/-\\" if view.palette.ascii_only else "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
    return frames[view.spinner % len(frames)]


def elapsed(duration_ms: float | None, started: float | None, running: bool, view: View) -> str:
    """How long it took or has been running; empty when nobody knows or it was an instant."""
    if running:
        return "" if started is None else seconds(max(0.0, view.now - started) // 1).replace(".0", "")
    if duration_ms is None or not duration_ms / 1000 >= SLOWEST_INSTANT:
        return ""
    return seconds(duration_ms / 1000)


def line_count(text: str) -> int:
    """How many lines a reader sees in the text; a final line break starts no new one."""
    return text.count("\n") + (not text.endswith("\n")) if text else 0


def extent(text: str) -> str:
    """How much a text is: its lines, or the bytes of a single long one; empty for none."""
    lines = line_count(text)
    if lines == 1 and len(text) > LONG_LINE:
        return size(len(text.encode("utf-8", "surrogatepass")))
    return count(lines, "line") if lines else ""


def split_exit(text: str) -> tuple[str, str]:
    """A shell result without the agent's closing remark, and that remark in short: `exit 3`, `aborted`, or empty."""
    match = _EXIT.search(text, max(0, len(text) - 200))
    if match is None:
        return text, ""
    return text[: match.start()] + "\n" * (match.start() > 0), f"exit {match[1]}" if match[1] else match[2]


def without_footer(text: str) -> str:
    """A result cut by the agent without its last line, which says what `details` say better."""
    match = _FOOTER.search(text, max(0, len(text) - 2000))
    return text[: match.start()] + "\n" if match else text
