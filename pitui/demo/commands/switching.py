"""Commands that leave the session for another, or write it out."""

from __future__ import annotations

import os
from collections.abc import Coroutine
from pathlib import Path

from pitui.demo import context
from pitui.demo.agent import Agent
from pitui.demo.commands.answer import Answer, Handler, needed_text
from pitui.demo.messages import message_text
from pitui.demo.opening import fresh_from
from pitui.demo.records import Record, Refused, object_field, text_field
from pitui.demo.session import Session


async def _new(agent: Agent, record: Record) -> Answer:
    parent = text_field(record, "parentSession")
    await agent.replace_session(lambda: fresh_from(agent.session, parent))
    return {"cancelled": False}


async def _switch(agent: Agent, path: Path) -> Answer:
    await agent.replace_session(lambda: Session.open(path, str(Path.cwd())))
    return {"cancelled": False}


async def _branch_off(agent: Agent, leaf: str | None) -> None:
    """Go on in a new session that holds the branch up to `leaf`."""
    def build() -> Session:
        source = agent.session
        session = fresh_from(source, str(source.path) if source.path else None)
        source.copy_to(session, leaf)
        return session

    await agent.replace_session(build)


async def _fork(agent: Agent, entry: Record) -> Answer:
    text = message_text(object_field(entry, "message"))
    await _branch_off(agent, text_field(entry, "parentId"))
    return {"text": text, "cancelled": False}


async def _clone(agent: Agent) -> Answer:
    await _branch_off(agent, agent.session.leaf)
    return {"cancelled": False}


def _begin_switch(agent: Agent, record: Record) -> Coroutine[object, None, Answer]:
    path = Path(needed_text(record, "sessionPath", "startsWith")).absolute()
    return _switch(agent, path)


def _begin_fork(agent: Agent, record: Record) -> Coroutine[object, None, Answer]:
    points = {point["entryId"] for point in context.fork_points(agent.session)}
    wanted = text_field(record, "entryId")
    if wanted not in points:
        raise Refused("Invalid entry ID for forking")
    return _fork(agent, agent.session.by_id[str(wanted)])


def _begin_clone(agent: Agent, _: Record) -> Coroutine[object, None, Answer]:
    if not agent.session.messages():
        raise Refused("This session has not been saved yet. Send a message before cloning or forking it.")
    return _clone(agent)


def _export(agent: Agent, record: Record) -> Answer:
    from pitui.demo import export  # here, as the process has to start at once and seldom needs it

    session = agent.session
    if not session.messages():
        raise Refused("Nothing to export yet - start a conversation first")
    path = text_field(record, "outputPath") or f"pitui-demo-session-{session.id}.html"
    try:
        Path(path).write_text(export.page(session, agent.model), encoding="utf-8", errors="replace")
    except OSError as error:
        raise Refused(f"Cannot write {path}: {os.strerror(error.errno or 0)}") from error
    return {"path": path}


SWITCHES: dict[str, Handler] = {
    "new_session": _new,
    "switch_session": _begin_switch,
    "fork": _begin_fork,
    "clone": _begin_clone,
    "export_html": _export,
}
