"""The 33 commands, and how each line of input is answered."""

from __future__ import annotations

import json
from collections.abc import Coroutine

from pitui.demo.agent import Agent
from pitui.demo.commands.acting import ACTIONS
from pitui.demo.commands.answer import Answer, Handler, Nothing
from pitui.demo.commands.queries import QUERIES
from pitui.demo.commands.settings import SETTINGS
from pitui.demo.commands.switching import SWITCHES
from pitui.demo.records import Record, Refused

COMMANDS: dict[str, Handler] = {**ACTIONS, **QUERIES, **SETTINGS, **SWITCHES}
AWAITED_BY_ABORT = frozenset({"compact"})


def receive(agent: Agent, line: bytes) -> None:
    """Take one line from the client and answer it, at once or when its work is done."""
    try:
        command = json.loads(line.decode("utf-8", "replace"))
    except (ValueError, RecursionError) as error:
        agent.emit({"type": "response", "command": "parse", "success": False,
                    "error": f"Failed to parse command: {error}"})
        return
    record = command if isinstance(command, dict) else {}
    if record.get("type") == "extension_ui_response":
        agent.ui.answer(record)
        return
    handler = COMMANDS.get(str(record.get("type")))
    if handler is None:
        name = record.get("type", "undefined")
        _respond(agent, record, error=f"Unknown command: {name}")
        return
    try:
        result = handler(agent, record)
    except Refused as error:
        _respond(agent, record, error=str(error))
        return
    if isinstance(result, Coroutine):
        start = agent.work_on if record["type"] in AWAITED_BY_ABORT else agent.spawn
        start(_respond_later(agent, record, result))
    else:
        _respond(agent, record, result)


async def _respond_later(agent: Agent, record: Record, work: Coroutine[object, None, Answer]) -> None:
    try:
        result = await work
    except (Refused, OSError) as error:
        _respond(agent, record, error=str(error))
    else:
        _respond(agent, record, result)


def _respond(agent: Agent, record: Record, data: Answer = Nothing.HERE, error: str | None = None) -> None:
    response: Record = {"id": record["id"]} if "id" in record else {}
    response["type"] = "response"
    if "type" in record:
        response["command"] = record["type"]
    response["success"] = error is None
    if error is not None:
        response["error"] = error
    elif not isinstance(data, Nothing):
        response["data"] = data
    agent.emit(response)
