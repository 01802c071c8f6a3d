"""An agent that exists only as a value: it does one thing at a time, when the test says so, in the real one's order.

It knows what bears on prompts: runs, the queue, compactions, dialogs, sessions, and its end. What it writes lies in a
pipe until the test lets it through; what is written to it lies there until the test lets it read.
"""

from __future__ import annotations

import json
from collections import deque
from dataclasses import dataclass, field

import anyio

from pitui.rpc.process import ProcessExit
from pitui.rpc.transport import TransportClosed

Record = dict[str, object]

COMPACTING = "Cannot submit a prompt while compaction is in progress."
DELIVERY = ("message_start", "message_end")
QUIET_ANSWERS: dict[str, Record] = {
    "get_commands": {"commands": [{"name": "ext", "source": "extension", "sourceInfo": {}}]},
    "get_available_models": {"models": []},
    "get_available_thinking_levels": {"levels": ["off"]},
    "get_entries": {"entries": [], "leafId": None},
    "get_session_stats": {"sessionId": "s", "tokens": {}, "cost": 0},
}


@dataclass
class Agent:
    """`clears`: it knows clear_queue (0.84.4). `tells`: it says what became of a prompt (0.99)."""

    clears: bool = True
    tells: bool = True
    inbox: deque[Record] = field(default_factory=deque)
    said: deque[Record] = field(default_factory=deque)
    steering: list[str] = field(default_factory=list)
    follow_up: list[str] = field(default_factory=list)
    session: int = 1
    prompt: str | None = None
    running: bool = False
    compacting: Record | None = None
    automatic: bool = False
    refuses: int = 0
    forbids: bool = False
    clock: int = 0

    @property
    def busy(self) -> bool:
        return self.running or self.compacting is not None

    # What the test makes it do

    def read(self) -> None:
        """Take the oldest command and answer it."""
        if not self.inbox:
            return
        command = self.inbox.popleft()
        kind = str(command["type"])
        if kind in QUIET_ANSWERS:
            self.answer(command, QUIET_ANSWERS[kind])
        elif kind != "extension_ui_response":
            getattr(self, f"do_{kind}")(command)

    def go_on(self) -> None:
        """One step of the run: start it, deliver what waits, or end it."""
        if self.compacting is not None:
            self.end_compaction()
        elif self.prompt is not None:
            self.say(type="agent_start")
            self.say(type="turn_start")
            self.deliver(self.prompt)
            self.prompt = None
        elif self.running:
            self.take_waiting()

    def take_waiting(self) -> None:
        waiting = self.steering or self.follow_up
        if waiting:
            text = waiting.pop(0)
            self.announce()
            self.deliver(text)
        else:
            self.end_run()

    def compact_by_itself(self) -> None:
        if self.running and self.prompt is None and self.compacting is None:
            self.automatic = True
            self.compacting = {}
            self.say(type="compaction_start", reason="threshold")

    def ask(self) -> None:
        """A dialog of an extension."""
        self.clock += 1
        self.say(type="extension_ui_request", id=f"d{self.clock}", method="confirm", title="Sure?", message="")

    # What it does

    def say(self, **record: object) -> None:
        self.said.append(record)

    def answer(self, command: Record, data: Record | None = None) -> None:
        self.say(id=command["id"], type="response", command=command["type"], success=True, data=data)

    def refuse(self, command: Record, error: str) -> None:
        self.say(id=command["id"], type="response", command=command["type"], success=False, error=error)

    def deliver(self, text: str) -> None:
        self.clock += 1
        message = {"role": "user", "content": [{"type": "text", "text": text}], "timestamp": self.clock}
        self.say(type="message_start", message=message)
        self.say(type="message_end", message=message)

    def announce(self) -> None:
        self.say(type="queue_update", steering=[*self.steering], followUp=[*self.follow_up])

    def end_run(self) -> None:
        if self.running:
            if self.prompt is not None:
                self.go_on()
            self.running = False
            self.say(type="agent_end", messages=[], willRetry=False)
            self.say(type="agent_settled", aborted=False)

    def end_compaction(self, aborted: bool = False) -> None:
        command, self.compacting = self.compacting, None
        reason = "threshold" if self.automatic else "manual"
        result = None if aborted else {"summary": "s", "firstKeptEntryId": "e", "tokensBefore": 1}
        self.say(type="compaction_end", reason=reason, aborted=aborted, willRetry=False, result=result)
        if not self.automatic and command is not None:
            if aborted:
                self.refuse(command, "Compaction cancelled")
            else:
                self.answer(command, result)
        self.automatic = False

    def disposed(self, command: Record, disposition: str) -> None:
        self.answer(command, {"disposition": disposition} if self.tells else None)

    def do_prompt(self, command: Record) -> None:
        text = str(command["message"])
        if text.startswith("/ext"):
            self.disposed(command, "handled")
        elif self.refuses:
            self.refuses -= 1
            self.refuse(command, "No")
        elif self.compacting is not None and not self.automatic:
            self.refuse(command, COMPACTING)
        elif self.running:
            (self.follow_up if command["streamingBehavior"] == "followUp" else self.steering).append(text)
            self.announce()
            self.disposed(command, "queued")
        else:
            self.running, self.prompt = True, text
            self.disposed(command, "started")

    def do_clear_queue(self, command: Record) -> None:
        if not self.clears:
            self.refuse(command, "Unknown command: clear_queue")
            return
        dropped: Record = {"steering": [*self.steering], "followUp": [*self.follow_up]}
        self.steering.clear()
        self.follow_up.clear()
        self.announce()
        self.answer(command, dropped)

    def do_abort(self, command: Record) -> None:
        if self.compacting is not None:
            self.end_compaction(aborted=True)
        self.end_run()
        self.answer(command)

    def do_abort_bash(self, command: Record) -> None:
        self.answer(command)

    def do_abort_retry(self, command: Record) -> None:
        self.answer(command)

    def do_bash(self, command: Record) -> None:
        self.answer(command, {"output": "", "exitCode": 0, "cancelled": False, "truncated": False})

    def do_compact(self, command: Record) -> None:
        self.end_run()
        self.compacting, self.automatic = command, False
        self.say(type="compaction_start", reason="manual")

    def do_new_session(self, command: Record) -> None:
        if self.forbids:
            self.forbids = False
            self.answer(command, {"cancelled": True})
            return
        if self.compacting is not None:
            self.end_compaction(aborted=True)
        self.end_run()
        self.steering.clear()
        self.follow_up.clear()
        self.session += 1
        self.answer(command, {"cancelled": False})

    def do_get_state(self, command: Record) -> None:
        self.answer(command, {
            "model": None, "thinkingLevel": "off", "isStreaming": self.running, "isCompacting": bool(self.compacting),
            "steeringMode": "all", "followUpMode": "all", "sessionId": f"s{self.session}",
            "sessionFile": f"/sessions/s{self.session}.jsonl", "autoCompactionEnabled": True, "messageCount": 0,
            "pendingMessageCount": len(self.steering) + len(self.follow_up),
        })


class Pipe:
    """The transport of such an agent. Nothing moves but by `let_through` and `end`."""

    live = True

    def __init__(self, agent: Agent) -> None:
        self.agent = agent
        self.ended = False
        self._ready: deque[bytes] = deque()
        self._news = anyio.Event()

    def let_through(self, count: int) -> None:
        """The next records reach the client. A delivery is three of them that the agent writes at once."""
        said = self.agent.said
        through: list[Record] = []
        while said and (len(through) < count or said[0]["type"] in DELIVERY):
            through.append(said.popleft())
        if through:
            self._ready.append(b"".join(json.dumps(record).encode() + b"\n" for record in through))
            self._news.set()

    def end(self) -> None:
        """The process dies; what it has written can still be read."""
        self.let_through(len(self.agent.said))
        self.ended = True
        self._news.set()

    async def receive(self) -> bytes:
        while not self._ready:
            if self.ended:
                return b""
            self._news = anyio.Event()
            await self._news.wait()
        return self._ready.popleft()

    async def send(self, data: bytes) -> None:
        if self.ended:
            raise TransportClosed("gone")
        self.agent.inbox.append(json.loads(data))

    async def close(self) -> ProcessExit:
        self.ended = True
        return ProcessExit(1)
