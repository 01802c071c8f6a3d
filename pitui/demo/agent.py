"""The demo agent itself: its session and settings, and what it is busy with."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine

from pitui.demo.compaction import Compaction
from pitui.demo.messages import custom_message
from pitui.demo.models import MODELS, PROVIDER, Model, clamp_level, find_model, match_model
from pitui.demo.opening import DEFAULT_NAME
from pitui.demo.options import Options
from pitui.demo.pace import Pace
from pitui.demo.queued import Queue
from pitui.demo.records import Record, Refused, text_field
from pitui.demo.run import Run
from pitui.demo.session import Session
from pitui.demo.shell import Shell
from pitui.demo.ui import Ui

DEFAULT_LEVEL = "medium"


class Agent:
    """Everything a command can change. `emit` writes one record to the client."""

    def __init__(self, session: Session, options: Options, emit: Callable[[Record], None], speed: float) -> None:
        self.emit = emit
        self.speed = speed
        self.pace = Pace(speed)
        self.ui = Ui(emit, speed)
        self.queue = Queue(emit)
        self.shell = Shell()
        self.auto_compaction = True
        self.auto_retry = True
        self.run: Run | None = None
        self.compaction: Compaction | None = None
        self.bash_results: list[Record] = []
        self.failed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._tasks: set[asyncio.Task[None]] = set()
        self._work: set[asyncio.Task[None]] = set()
        self.model: Model = MODELS[0]
        self.thinking_level = DEFAULT_LEVEL
        self.wanted_level = options.thinking or DEFAULT_LEVEL
        self.session = session
        self.take_over(session, match_model(options.model or "") if options.model else None, options.name)

    def take_over(self, session: Session, model: Model | None = None, name: str | None = None) -> None:
        """Make `session` the current one, with the model and level it says, or else those in use."""
        self.session = session
        last_model, last_level = session.last_of("model_change"), session.last_of("thinking_level_change")
        saved = last_model and find_model(text_field(last_model, "provider"), text_field(last_model, "modelId"))
        self.model = model or saved or self.model
        level = text_field(last_level, "thinkingLevel") if last_level else None
        self.thinking_level = clamp_level(self.model, level or self.wanted_level)
        if last_model is None:
            session.append("model_change", provider=PROVIDER, modelId=self.model.id)
            session.append("thinking_level_change", thinkingLevel=self.thinking_level)
            session.append("session_info", name=name or DEFAULT_NAME)
        elif name:
            session.append("session_info", name=name)

    def spawn(self, work: Coroutine[None, None, None]) -> asyncio.Task[None]:
        """Let `work` run by itself; an error in it becomes the outcome of `failed`."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def work_on(self, work: Coroutine[None, None, None]) -> None:
        """As `spawn`, for what an abort has to wait for."""
        task = self.spawn(work)
        self._work.add(task)
        task.add_done_callback(self._work.discard)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error and not self.failed.done():
            self.failed.set_exception(error)

    @property
    def is_compacting(self) -> bool:
        return self.compaction is not None

    def start_run(self, message: Record) -> None:
        """Begin a run for a user's message; the agent must be idle."""
        self.run = Run(self, message)
        self.work_on(self.run.play())

    async def stop(self) -> None:
        """Stop the run or compaction and wait until it has ended; open questions have to be answered first."""
        if self.compaction:
            self.compaction.pace.stop.set()
        if self.run:
            self.pace.stop.set()
            self.run.give_up_retrying()
        working = [task for task in self._work if task is not asyncio.current_task()]
        if working:
            await asyncio.wait(working)

    async def compact(self, instructions: str | None) -> Record:
        """Compact on the user's command. Raises Refused."""
        if self.run or self.compaction:
            await self.stop()
        return await self._compact("manual", instructions)

    async def compact_by_itself(self) -> bool:
        """Compact because the context is full; False when that was stopped."""
        try:
            await self._compact("threshold", None)
        except Refused as error:
            return str(error) != "Compaction cancelled"
        return True

    async def _compact(self, reason: str, instructions: str | None) -> Record:
        self.compaction = Compaction(self.session, self.model, self.emit, self.speed)
        try:
            return await self.compaction.run(reason, instructions)
        finally:
            self.compaction = None

    async def replace_session(self, build: Callable[[], Session]) -> None:
        """Leave the current session, after stopping what runs in it, for the one that `build` makes."""
        self.ui.cancel_all()
        await self.stop()
        self.queue.drop()
        self.take_over(build())

    def use_model(self, model: Model) -> None:
        """Change the model; the thinking level follows what it can do."""
        self.model = model
        self.session.append("model_change", provider=PROVIDER, modelId=model.id)
        self._set_level(clamp_level(model, self.wanted_level))

    def use_level(self, level: str) -> None:
        """Change the thinking level, clamped to the model."""
        clamped = clamp_level(self.model, level)
        if self.model.reasoning:
            self.wanted_level = clamped
        self._set_level(clamped)

    def _set_level(self, level: str) -> None:
        if level == self.thinking_level:
            return
        self.thinking_level = level
        self.session.append("thinking_level_change", thinkingLevel=level)
        self.emit({"type": "thinking_level_changed", "level": level})

    def keep_bash_result(self, message: Record) -> None:
        """Put a shell result into the session, after the run if one is going on."""
        self.bash_results.append(message)
        if not self.run:
            self.store_bash_results()

    def store_bash_results(self) -> None:
        for message in self.bash_results:
            self.session.append_message(message)
        self.bash_results.clear()

    def show_custom(self, custom_type: str, content: str) -> None:
        """A message of an extension, outside of any run."""
        message = custom_message(custom_type, content)
        self.session.append("custom_message", customType=custom_type, content=content, display=True)
        self.emit({"type": "message_start", "message": message})
        self.emit({"type": "message_end", "message": message})

    def close(self) -> None:
        """Before the process ends: keep a half-written answer and kill the shell's children."""
        self.shell.abort()
        answer = self.run.answer if self.run else None
        if answer:
            self.session.append_message(answer.finished("aborted", "Request was aborted"))
