"""The recorded conversations, as a client of them would have folded them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from pitui.rpc.events import Response
from pitui.rpc.messages import AnyMessage, Message
from pitui.rpc.protocol import decode
from pitui.rpc.stored import AnyStored, StoredEntry
from pitui.session import local
from pitui.session.local import AnyEvent
from pitui.session.reducer import reduce
from pitui.session.state import Entry, NoticeEntry, QueueKind, Session

TRACES = Path(__file__).parent.parent / "traces"
VERSIONS = ("0.74.0", "0.80.10", "0.84.1", "0.87.1", "1.0.3", "1.6.0")
ALL = tuple(sorted(path.relative_to(TRACES).with_suffix("").as_posix() for path in TRACES.glob("*/*.jsonl")))
QUIET = 0.15
KINDS = {"steer": QueueKind.STEER, "followUp": QueueKind.FOLLOW_UP, "follow_up": QueueKind.FOLLOW_UP}

STORED: TypeAdapter[tuple[AnyStored, ...]] = TypeAdapter(tuple[StoredEntry, ...])
MESSAGES: TypeAdapter[tuple[AnyMessage, ...]] = TypeAdapter(tuple[Message, ...])


def of(scenario: str, *versions: str) -> list[str]:
    """The traces of a scenario, of all versions that have it or of those named."""
    return [name for name in ALL if name.endswith(f"/{scenario}") and (not versions or name.split("/")[0] in versions)]


@cache
def lines(name: str) -> tuple[dict[str, Any], ...]:
    """The lines of a trace, such as `1.6.0/tools`."""
    return tuple(json.loads(line) for line in (TRACES / f"{name}.jsonl").read_bytes().split(b"\n") if line)


@cache
def is_cut(name: str) -> bool:
    """Long strings were cut after recording, so that deltas and final texts do not add up."""
    return "…[cut, " in json.dumps(lines(name), ensure_ascii=False)


@cache
def timed(name: str) -> tuple[tuple[float, AnyEvent], ...]:
    """Every event of a conversation with its time."""
    events: list[tuple[float, AnyEvent]] = []
    spoke = 0.0
    for line in lines(name):
        if line["t"] - spoke >= QUIET:
            events.append((spoke + QUIET, local.Quiet()))
        if line["dir"] == "out":
            spoke = line["t"]
        events += [(line["t"], event) for event in events_of(line)]
    return tuple(events)


def folded(name: str, session: Session | None = None) -> Session:
    """The session after a whole conversation."""
    return fold_all(timed(name), session)


def before_exit(name: str) -> Session:
    """The session after a whole conversation, but for the end of the process."""
    return fold_all((now, event) for now, event in timed(name) if not isinstance(event, local.AgentExited))


def fold_all(events: Iterable[tuple[float, AnyEvent]], session: Session | None = None) -> Session:
    session = session or Session()
    for now, event in events:
        session = reduce(session, event, now)
    return session


def picture(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """The conversation itself: without the lines that are ours."""
    return tuple(entry for entry in entries if not isinstance(entry, NoticeEntry))


def events_of(line: dict[str, Any]) -> Iterator[AnyEvent]:
    """What one line of a trace means for the client."""
    record = line["record"]
    if line["dir"] == "in":
        yield from _asked(record)
    elif line["dir"] == "out":
        event = decode(json.dumps(record).encode())
        if isinstance(event, Response):
            yield from _answered(event)
        else:
            yield event
    elif "exit" in record:
        yield local.AgentExited(record["exit"])


def _asked(record: dict[str, Any]) -> Iterator[AnyEvent]:
    match record:
        case {"type": "prompt", "message": str(text), "id": str(token)}:
            yield local.PromptSent(token, text, KINDS.get(record.get("streamingBehavior", "")))
        case {"type": "steer" | "follow_up" as kind, "message": str(text), "id": str(token)}:
            yield local.PromptSent(token, text, KINDS[kind])
        case {"type": "bash", "command": str(command)}:
            yield local.BashStarted(str(record.get("id")), command, bool(record.get("excludeFromContext")))
        case {"type": "extension_ui_response", "id": str(token)}:
            yield local.DialogClosed(token)
        case {"type": "new_session" | "switch_session" | "fork" | "clone"}:
            yield local.SessionReplacing()
        case {"type": "abort"}:
            yield local.AbortRequested()


def _answered(response: Response) -> Iterator[AnyEvent]:
    data = response.data if isinstance(response.data, dict) else {}
    match response.command:
        case "prompt" | "steer" | "follow_up":
            yield local.PromptAnswered(str(response.id), data.get("disposition"), response.error)
        case "new_session" | "switch_session" | "fork" | "clone" if response.success and not data.get("cancelled"):
            yield local.SessionReplaced()
        case "bash":
            yield local.BashFinished(
                str(response.id), data.get("output", ""), data.get("exitCode"), data.get("cancelled", False),
                data.get("truncated", False), data.get("fullOutputPath"), response.error,
            )
        case "get_state" if response.success:
            yield local.AgentReady()
