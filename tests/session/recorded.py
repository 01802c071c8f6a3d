"""The recorded conversations, as events to fold."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from pitui.rpc.events import Event, LateResponse, Response, Unknown
from pitui.rpc.protocol import decode
from pitui.session import local
from pitui.session.local import AnyEvent
from pitui.session.reducer import reduce
from pitui.session.state import QueueKind, Session

TRACES = Path(__file__).parent.parent / "traces"
VERSIONS = ("0.74.0", "0.80.10", "0.84.1", "0.87.1", "1.0.3", "1.6.0")
ALL = tuple(sorted(path.relative_to(TRACES).with_suffix("").as_posix() for path in TRACES.glob("*/*.jsonl")))
KINDS = {"steer": QueueKind.STEER, "followUp": QueueKind.FOLLOW_UP, "follow_up": QueueKind.FOLLOW_UP}


@cache
def lines(name: str) -> tuple[dict[str, Any], ...]:
    """The lines of a trace, such as `1.6.0/tools`."""
    text = (TRACES / f"{name}.jsonl").read_bytes()
    return tuple(json.loads(line) for line in text.split(b"\n") if line)


def is_cut(name: str) -> bool:
    """Long strings were cut after recording, so that deltas and final texts do not add up."""
    return b"\\u2026[cut, " in (data := (TRACES / f"{name}.jsonl").read_bytes()) or "…[cut, ".encode() in data


def said(name: str) -> tuple[Event, ...]:
    """What the agent said unasked."""
    return tuple(event for _, event in timed(name) if not isinstance(event, tuple(_LOCAL)))


@cache
def timed(name: str) -> tuple[tuple[float, AnyEvent], ...]:
    """Everything a client of that conversation would have folded, with its time."""
    return tuple((line["t"], event) for line in lines(name) for event in _events(line))


def folded(name: str, session: Session | None = None) -> Session:
    """The session after a whole conversation."""
    *_, last = states(name, session)
    return last


def states(name: str, session: Session | None = None) -> Iterator[Session]:
    """The session before and after each event of a conversation."""
    session = session or Session()
    yield session
    for now, event in timed(name):
        session = reduce(session, event, now)
        yield session


def answers(name: str, command: str) -> list[Any]:
    """The data of the successful responses to a command."""
    return [
        record.get("data") for line in lines(name)
        if line["dir"] == "out" and (record := line["record"]).get("type") == "response"
        and record.get("command") == command and record["success"]
    ]


_LOCAL = (
    local.PromptSent, local.PromptAnswered, local.AbortRequested, local.BashStarted, local.BashFinished,
    local.SessionReplaced, local.SessionReplacing, local.DialogClosed, local.AgentExited, local.AgentReady,
)


def _events(line: dict[str, Any]) -> Iterator[AnyEvent]:
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


__all__ = ["ALL", "VERSIONS", "LateResponse", "Unknown", "answers", "folded", "is_cut", "lines", "states", "timed"]
