"""One run of the agent: from a prompt until there is nothing left to do."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from pitui.demo.compaction import too_full
from pitui.demo.context import context_messages, estimated_context
from pitui.demo.messages import SYSTEM_TOKENS, Answer, Usage, message_text, system_message, text_block
from pitui.demo.pace import Aborted, wait_for
from pitui.demo.records import Record, list_field, now_ms, objects
from pitui.demo.scenes import scene_for, steered
from pitui.demo.script import Call, Output, Say, Turn, turn
from pitui.demo.speaker import Speaker
from pitui.demo.stage import Stage, ToolStage

if TYPE_CHECKING:
    from pitui.demo.agent import Agent

MAX_RETRIES = 3
RETRY_SECONDS = 2.0
FIRST_TOKEN_SECONDS = 0.5
ABORTED_BEFORE_START = "This operation was aborted"
ABORTED_MIDWAY = "Request was aborted"


class Run:
    """Plays scenes for a prompt and for what is queued meanwhile, in the real agent's order of events."""

    def __init__(self, agent: Agent, prompt: Record) -> None:
        self._agent = agent
        self._incoming = [prompt]
        self._follow_up_due = False
        self._new: list[Record] = []
        self._script: Iterator[Turn] = iter(())
        self._stage: Stage | None = None
        self._attempt = 0
        self._give_up = asyncio.Event()
        self._retrying = False
        self._aborted = False
        self.answer: Answer | None = None

    async def play(self) -> None:
        agent = self._agent
        agent.pace.stop.clear()
        self._start()
        while await self._step():
            pass
        agent.run = None
        agent.emit({"type": "agent_settled", "aborted": self._aborted})

    def give_up_retrying(self) -> None:
        """Stop waiting for the next attempt, if that is what the run does."""
        if not self._retrying:
            return
        self._retrying = False
        self._end_retries(False, finalError="Retry cancelled")
        self._give_up.set()

    async def _step(self) -> bool:
        """One turn and what follows from it; whether there is more."""
        try:
            message = await self._turn()
        except Aborted:
            self._aborted = True
            self._finish()
            return False
        if message["stopReason"] == "error":
            return await self._after_error(str(message["errorMessage"]))
        if message["stopReason"] == "toolUse":
            return True
        if self._has_more():
            return True
        self._finish()
        return await self._compact_if_full()

    def _has_more(self) -> bool:
        queue = self._agent.queue
        self._follow_up_due = bool(queue.follow_up) and not queue.steering
        return len(queue) > 0

    def _start(self) -> None:
        self._new = []
        self._agent.emit({"type": "agent_start"})

    def _finish(self, will_retry: bool = False) -> None:
        self._agent.emit({"type": "agent_end", "messages": self._new, "willRetry": will_retry})
        if not will_retry:
            self._agent.store_bash_results()

    async def _compact_if_full(self) -> bool:
        agent = self._agent
        wanted = self._stage is not None and self._stage.compact_after
        if self._stage:
            self._stage.compact_after = False
        if not wanted and not (agent.auto_compaction and too_full(agent.session, agent.model)):
            return False
        self._aborted = not await agent.compact_by_itself()
        if self._aborted or not len(agent.queue):
            return False
        self._start()
        return self._has_more()

    async def _after_error(self, error: str) -> bool:
        agent = self._agent
        retryable = self._stage is not None and self._stage.noted.pop("retryable", "") == "yes"
        if not (retryable and agent.auto_retry and self._attempt < MAX_RETRIES):
            self._finish()
            if self._attempt:
                self._end_retries(False, finalError=error)
            return False
        self._attempt += 1
        self._finish(will_retry=True)
        delay = RETRY_SECONDS * 2 ** (self._attempt - 1)
        self._retrying = True
        agent.emit({"type": "auto_retry_start", "attempt": self._attempt, "maxAttempts": MAX_RETRIES,
                    "delayMs": agent.pace.scaled_ms(delay), "errorMessage": error})
        failed = agent.session.leaf
        agent.emit({"type": "entry_appended",
                    "entry": agent.session.append("context_edit", targetId=failed, replacement=None)})
        if await wait_for(self._give_up, delay / agent.speed):
            self._aborted = agent.pace.stop.is_set()
            agent.store_bash_results()
            return False
        self._retrying = False
        self._start()
        return True

    def _end_retries(self, success: bool, **fields: object) -> None:
        self._agent.emit({"type": "auto_retry_end", "success": success, "attempt": self._attempt, **fields})
        self._attempt = 0

    async def _turn(self) -> Record:
        """One answer with its tools; the assistant's message. Raises Aborted when the run is over."""
        agent = self._agent
        agent.emit({"type": "turn_start"})
        script = self._next_turn(self._deliver())
        answer, ids = self._new_answer(), [_call_id() for _ in script.calls]
        if agent.pace.stop.is_set():
            self._end_turn(self._say_whole(answer, "aborted", ABORTED_BEFORE_START), [])
            raise Aborted
        message = await self._speak(answer, script, ids)
        results = await self._run_tools(script.calls, ids) if message["stopReason"] == "toolUse" else []
        if self._attempt and message["stopReason"] != "error":
            self._end_retries(True)
        self._end_turn(message, results)
        if message["stopReason"] == "aborted":
            raise Aborted
        return message

    def _end_turn(self, message: Record, results: list[Record]) -> None:
        self._agent.emit({"type": "turn_end", "message": message, "toolResults": results})

    def _deliver(self) -> list[Record]:
        """Put the messages that are due into the conversation: the prompt and steering, or else follow-ups."""
        agent = self._agent
        if not any(message.get("role") == "system" for message in context_messages(agent.session)):
            self._say(system_message(str(Path.cwd())))
        delivered, self._incoming = self._incoming, []
        for message in delivered:
            self._say(message)
        follow_up = self._follow_up_due and not agent.queue.steering
        self._follow_up_due = False
        if follow_up or agent.queue.steering:
            for message in agent.queue.deliver(follow_up):
                self._say(message)
                delivered.append(message)
        return delivered

    def _next_turn(self, delivered: list[Record]) -> Turn:
        agent = self._agent
        for message in delivered:
            text, images = message_text(message), _has_images(message)
            scene = scene_for(text, images)
            following = next(self._script, None)
            if following and scene.name == "reply":
                self._script = chain([steered(text, following)], self._script)
            else:
                self._stage = Stage(text, agent.ui, agent.pace, images)
                self._script = scene.play(self._stage)
        return next(self._script, None) or turn(Say("That was all the demo had to say."))

    def _new_answer(self) -> Answer:
        agent = self._agent
        tokens = estimated_context(agent.session)
        cached = min(tokens, SYSTEM_TOKENS)
        return Answer(agent.model, agent.thinking_level, Usage(agent.model, tokens - cached, 0, cached))

    async def _speak(self, answer: Answer, script: Turn, ids: list[str]) -> Record:
        agent = self._agent
        failure = script.failure
        if failure and self._stage:
            self._stage.noted["retryable"] = "yes" if failure.retryable else "no"
        try:
            await agent.pace.sleep(FIRST_TOKEN_SECONDS)
        except Aborted:
            return self._say_whole(answer, "aborted", ABORTED_MIDWAY)
        if failure and not script.parts:
            return self._say_whole(answer, "error", failure.message)
        answer.response_id = f"demo-{os.urandom(4).hex()}"
        self.answer = answer
        agent.emit({"type": "message_start", "message": answer.pending()})
        reason, error = "toolUse" if script.calls else script.stop_reason, None
        try:
            await Speaker(answer, agent.emit, agent.pace).speak(script, ids)
        except Aborted:
            reason, error = "aborted", ABORTED_MIDWAY
        if failure and reason != "aborted":
            reason, error = "error", failure.message
        self.answer = None
        message = answer.finished(reason, error)
        self._commit(message)
        return message

    async def _run_tools(self, calls: list[Call], ids: list[str]) -> list[Record]:
        agent = self._agent
        stages = [ToolStage(identity, call.name, call.arguments, agent.emit, agent.pace, agent.ui)
                  for call, identity in zip(calls, ids, strict=True)]
        for stage in stages:
            stage.start()
        results = await asyncio.gather(*[_run_tool(c, s) for c, s in zip(calls, stages, strict=True)])
        for result in results:
            result["timestamp"] = now_ms()
            self._say(result)
        return results

    def _say_whole(self, answer: Answer, reason: str, error: str) -> Record:
        message = answer.finished(reason, error)
        self._say(message)
        return message

    def _say(self, message: Record) -> None:
        """A message that is whole when it starts."""
        self._agent.emit({"type": "message_start", "message": message})
        self._commit(message)

    def _commit(self, message: Record) -> None:
        self._agent.emit({"type": "message_end", "message": message})
        self._agent.session.append_message(message)
        self._new.append(message)


async def _run_tool(call: Call, stage: ToolStage) -> Record:
    try:
        output = await call.run(stage)
    except Aborted:
        output = aborted_output(stage)
    duration = stage.end(output)
    message: Record = {"role": "toolResult", "toolCallId": stage.call_id, "toolName": stage.name,
                       "content": output.content}
    if output.details is not None:
        message["details"] = output.details
    message["isError"] = output.is_error
    if duration is not None:
        message["durationMs"] = duration
    if output.nested is not None:
        message["nestedCalls"] = output.nested
    return message


def aborted_output(stage: ToolStage) -> Output:
    """What a stopped tool leaves: what it had shown, or only that it was stopped."""
    if stage.name == "bash" and stage.shown:
        return Output([text_block(f"{stage.shown}\n\nCommand aborted")], details={}, is_error=True)
    return Output([text_block("Operation aborted")], details={}, is_error=True, timed=False)


def _call_id() -> str:
    return f"call_{os.urandom(6).hex()}"


def _has_images(message: Record) -> bool:
    return any(block.get("type") == "image" for block in objects(list_field(message, "content")))
