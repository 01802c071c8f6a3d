"""What can be completed at the cursor, and with what."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

from pitui.files import FileIndex, list_paths
from pitui.matching import score

_LIMIT = 50
_MENTION = re.compile(r"(?:^|(?<=[\s(\[{,;:=]))@(\"[^\"]*|[^\s\"]*)$")
_WORD = re.compile(r"(?:\"[^\"]*|[^\s\"'`(){}\[\]<>,;|]*)$")


@dataclass(frozen=True, slots=True)
class Completion:
    """One offer. `value` goes into the text; `hint` tells the arguments (`<needed>`, `[optional]`)."""

    value: str
    label: str = ""
    description: str = ""
    source: str = ""
    hint: str = ""


class Kind(Enum):
    COMMAND = "command"
    ARGUMENT = "argument"
    FILE = "file"
    PATH = "path"


@dataclass(frozen=True, slots=True)
class Request:
    """What stands at the cursor: `query` fills columns `start` to `end` of line `row`, sigil included."""

    kind: Kind
    query: str
    row: int
    start: int
    end: int
    command: str = ""


def request_at(line: str, row: int, column: int) -> Request | None:
    """What to complete while typing. A path as the first word is no command."""
    head = line[:column]
    if row == 0 and head.startswith("/"):
        name, space, rest = head[1:].partition(" ")
        if not space and "/" not in name:
            return Request(Kind.COMMAND, name, row, 0, column)
        if space and name and "/" not in name and not (match := _MENTION.search(head)):
            return Request(Kind.ARGUMENT, rest, row, len(name) + 2, column, name)
    if match := _MENTION.search(head):
        return Request(Kind.FILE, match[1].lstrip('"'), row, match.start(), column)
    return None


def path_at(line: str, row: int, column: int) -> Request:
    """The path before the cursor, for Tab."""
    match = _WORD.search(line[:column])
    start = match.start() if match else column
    return Request(Kind.PATH, line[start:column].lstrip('"'), row, start, column)


def insertion(request: Request, completion: Completion) -> str:
    """The text to put in place of the request's."""
    value = completion.value
    if request.kind is Kind.COMMAND:
        return f"/{value} "
    if request.kind is Kind.ARGUMENT:
        return value
    quoted = f'"{value}"' if re.search(r"\s", value) else value
    if value.endswith("/"):
        quoted = quoted.rstrip('"')
    if request.kind is Kind.FILE:
        return f"@{quoted}" + ("" if value.endswith("/") else " ")
    return quoted


@dataclass(slots=True)
class Sources:
    """Where completions come from; a screen fills it. `arguments` gets a command's name and what is typed behind it."""

    commands: Callable[[], Sequence[Completion]] = field(default=lambda: ())
    arguments: Callable[[str, str], Sequence[Completion]] = field(default=lambda _command, _typed: ())
    files: FileIndex | None = None
    cwd: Path = field(default_factory=Path)
    home: Path | None = None

    def find(self, request: Request) -> list[Completion]:
        """What fits. Files and paths read the disk: not for the UI's thread."""
        if request.kind is Kind.COMMAND:
            return _ranked(request.query, self.commands())
        if request.kind is Kind.ARGUMENT:
            return list(self.arguments(request.command, request.query))[:_LIMIT]
        if request.kind is Kind.FILE:
            return [Completion(path) for path in self.files.find(request.query, _LIMIT)] if self.files else []
        return [Completion(path) for path in list_paths(request.query, self.cwd, self.home, _LIMIT)]


def _ranked(query: str, completions: Sequence[Completion]) -> list[Completion]:
    if not query:
        return list(completions)
    scored = [(score(query, completion.value), completion) for completion in completions]
    return [completion for points, completion in sorted(scored, key=lambda pair: -pair[0]) if points > 0][:_LIMIT]


def common_start(completions: Sequence[Completion]) -> str:
    """What all values begin with."""
    values = [completion.value for completion in completions]
    first, last = min(values, default=""), max(values, default="")
    length = next((index for index, pair in enumerate(zip(first, last, strict=False)) if pair[0] != pair[1]), None)
    return first[: min(len(first), len(last)) if length is None else length]
