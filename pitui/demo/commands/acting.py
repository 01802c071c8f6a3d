"""Commands that make the agent work, and those that stop it."""

from __future__ import annotations

from collections.abc import Coroutine

from pitui.demo import slash
from pitui.demo.agent import Agent
from pitui.demo.commands.answer import Answer, Handler, Nothing, needed_text
from pitui.demo.messages import user_message
from pitui.demo.records import Record, Refused, list_field, now_ms, objects, text_field

BUSY = "Agent is already processing. Specify streamingBehavior ('steer' or 'followUp') to queue the message."
COMPACTING = "Cannot submit a prompt while compaction is in progress. Wait for compaction to finish and retry."


def _prompt(agent: Agent, record: Record) -> Answer:
    text = needed_text(record, "message", "startsWith")
    if slash.is_command(text):
        slash.run(agent, text)
        return {"disposition": "handled"}
    message = user_message(slash.expanded(text), _images(record))
    if agent.run:
        behavior = record.get("streamingBehavior")
        if behavior is None:
            raise Refused(BUSY)
        agent.queue.add(message, follow_up=behavior == "followUp")
        return {"disposition": "queued"}
    if agent.is_compacting:
        raise Refused(COMPACTING)
    agent.start_run(message)
    return {"disposition": "started"}


def _images(record: Record) -> list[Record]:
    return [image for image in objects(list_field(record, "images")) if text_field(image, "data")]


def _queue(agent: Agent, record: Record, follow_up: bool) -> Answer:
    text = needed_text(record, "message", "startsWith")
    if slash.is_command(text):
        raise Refused(f'Extension command "{text.split()[0]}" cannot be queued. Use prompt() or execute the command '
                      "when not streaming.")
    agent.queue.add(user_message(slash.expanded(text), _images(record)), follow_up)
    return {"disposition": "queued"}


async def _abort(agent: Agent, _: Record) -> Answer:
    await agent.stop()
    return Nothing.HERE


def _begin_abort(agent: Agent, record: Record) -> Answer | Coroutine[object, None, Answer]:
    return _abort(agent, record) if agent.run or agent.is_compacting else Nothing.HERE


def _abort_retry(agent: Agent, _: Record) -> Answer:
    if agent.run:
        agent.run.give_up_retrying()
    return Nothing.HERE


async def _compact(agent: Agent, record: Record) -> Answer:
    return await agent.compact(text_field(record, "customInstructions"))


def _bash(agent: Agent, record: Record) -> Coroutine[object, None, Answer]:
    command = text_field(record, "command")
    command = "undefined" if command is None else command
    identity: Record = {"id": record["id"]} if "id" in record else {}
    work = agent.shell.run(
        command, lambda delta: agent.emit({"type": "bash_execution_update", **identity, "delta": delta}),
    )
    return _keep(agent, command, bool(record.get("excludeFromContext")), work)


async def _keep(agent: Agent, command: str, exclude: bool, work: Coroutine[object, None, Record]) -> Answer:
    result = await work
    message: Record = {"role": "bashExecution", "command": command, **result, "timestamp": now_ms()}
    if exclude:
        message["excludeFromContext"] = True
    agent.keep_bash_result(message)
    return result


def _abort_bash(agent: Agent, _: Record) -> Answer:
    agent.shell.abort()
    return Nothing.HERE


ACTIONS: dict[str, Handler] = {
    "prompt": _prompt,
    "steer": lambda agent, record: _queue(agent, record, follow_up=False),
    "follow_up": lambda agent, record: _queue(agent, record, follow_up=True),
    "clear_queue": lambda agent, _: agent.queue.clear(),
    "abort": _begin_abort,
    "abort_retry": _abort_retry,
    "compact": _compact,
    "bash": _bash,
    "abort_bash": _abort_bash,
}
