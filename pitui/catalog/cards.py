"""What a picker shows of a session, read from its file in one pass."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from pitui.catalog.records import content_text, object_of, parse_lines, text_of
from pitui.rpc.wire import JsonObject

TITLE = 300
PREVIEW = 600
"""Most characters of a title and of a preview that are kept."""


@dataclass(frozen=True, slots=True)
class SessionCard:
    """One session file. Times in seconds since 1970, `size` in bytes, `cost` in dollars over all of its branches.

    `title`: the first thing the person said, else what comes nearest to it; empty when nobody said anything.
    `messages`: counted as the agent's own picker counts. `preview`: the last thing said. `parent`: the path of the
    session it was forked or spawned from, as its header has it. `modified`: the last message, not the last write.
    `trouble`: why the agent could not open it, in words; empty when it can.
    """

    path: str
    id: str = ""
    cwd: str = ""
    name: str = ""
    title: str = ""
    created: float = 0.0
    modified: float = 0.0
    messages: int = 0
    cost: float = 0.0
    size: int = 0
    parent: str = ""
    preview: str = ""
    trouble: str = ""

    @property
    def label(self) -> str:
        """What to call it: never empty."""
        return self.name or self.title or "(no messages)"


@dataclass(frozen=True, slots=True)
class Reading:
    """A card, and everything said in its session, a message a line: what a search looks through."""

    card: SessionCard
    text: str


def read_session(path: Path, size: int, mtime: float) -> Reading | None:
    """Read the file at `path`; None for a file that is no session (nothing in it, or something else).

    `size` in bytes and `mtime` in seconds since 1970 are what the disk says. Raises OSError.
    """
    with path.open("rb") as file:
        return read_records(parse_lines(file), str(path), size, mtime)


def read_records(records: Iterable[JsonObject], path: str, size: int, mtime: float) -> Reading | None:
    """As `read_session`, of records already parsed."""
    tally = _Tally()
    for record in records:
        tally.add(record)
    return tally.reading(path, size, mtime)


@dataclass(slots=True)
class _Tally:
    """What was seen so far of one session."""

    header: JsonObject | None = None
    count: int = 0
    name: str = ""
    user: str = ""
    other: str = ""
    last: str = ""
    messages: int = 0
    cost: float = 0.0
    active: float = 0.0
    texts: list[str] = field(default_factory=list)

    def add(self, record: JsonObject) -> None:
        kind = record.get("type")
        self.count += 1
        if self.count == 1 and kind == "session":
            self.header = record
        elif kind == "session_info":
            self.name = " ".join(text_of(record, "name").split())
        elif kind == "message":
            self._message(object_of(record, "message"), text_of(record, "timestamp"))
        elif kind == "custom_message":
            self._other(content_text(record.get("content")))
        self.cost += _cost(record)

    def _message(self, message: JsonObject, timestamp: str) -> None:
        self.messages += 1
        self.cost += _cost(message)
        role = message.get("role")
        if role == "bashExecution":
            self._other(f"$ {text_of(message, 'command')}")
        if role not in ("user", "assistant"):
            return
        self.active = max(self.active, _when(message.get("timestamp"), timestamp))
        text = " ".join(content_text(message.get("content")).split())
        if not text:
            return
        self.texts.append(text)
        self.last = text
        if role == "user":
            self.user = self.user or text[:TITLE]
        else:
            self._other(text)

    def _other(self, text: str) -> None:
        self.other = self.other or " ".join(text.split())[:TITLE]

    def reading(self, path: str, size: int, mtime: float) -> Reading | None:
        if self.header is None and not self.messages:
            return None
        header = self.header or {}
        created = _when(None, text_of(header, "timestamp"))
        card = SessionCard(
            path=path, id=text_of(header, "id"), cwd=text_of(header, "cwd"), name=self.name[:TITLE],
            title=self.user or self.other, created=created or mtime, modified=self.active or created or mtime,
            messages=self.messages, cost=self.cost, size=size,
            parent=text_of(header, "parentSession") or text_of(header, "branchedFrom"), preview=self.last[:PREVIEW],
            trouble="" if self.header is not None else "its first line is no session header",
        )
        return Reading(card, "\n".join(self.texts))


def _cost(holder: JsonObject) -> float:
    """Dollars of a message's or entry's `usage`; nothing that is no finite number is added."""
    cost = object_of(object_of(holder, "usage"), "cost").get("total")
    return float(cost) if isinstance(cost, (int, float)) and -1e12 < cost < 1e12 else 0.0


def _when(milliseconds: object, timestamp: str) -> float:
    """Seconds since 1970 of a message: its own time, else its entry's; 0 when neither can be read."""
    if isinstance(milliseconds, (int, float)) and milliseconds is not True and 0 < milliseconds < 1e14:
        return milliseconds / 1000
    try:
        moment = datetime.fromisoformat(timestamp)
    except ValueError:
        return 0.0
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
