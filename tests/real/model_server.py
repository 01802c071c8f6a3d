"""A scripted model on the loopback interface, so that the real agent can hold a whole conversation with no model.

It speaks two streaming dialects: POST /v1/chat/completions (OpenAI style) and POST /v1/messages (Anthropic style).
Each request takes the first reply that is not used up and whose `when` holds; with none left, `default` is played.

A reply is `{"steps": [...], "finish"?, "usage"?, "when"?: {"user"|"system"|"any": regex}, "repeat"?, "no_finish"?}` or
an HTTP error `{"status": 529, "error": {"message": ...}, "headers"?}`. A step is one of
`{"text"|"thinking": ..., "chunk"?, "rate"?, "burst"?}`, `{"tool": {id, name, arguments}}`, `{"tools": [...]}`,
`{"pause_ms"}`, `{"hang": true}`, `{"drop": true}`, `{"error_event": {...}}`. `rate` is in events a second. Text may be
`{"repeat": "abc ", "times": 1000}`; arguments may be a string, sent as it is.
"""

from __future__ import annotations

import json
import re
import select
import socket
import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Json = dict[str, Any]  # a script is free-form JSON that only this file reads
DEFAULT_REPLY: Json = {"steps": [{"text": "OK."}]}
DEFAULT_USAGE: Json = {"input": 120, "output": 30, "cached": 0, "reasoning": 0}


class Dropped(Exception):
    """The script asked to cut the connection."""


def pieces(text: str, size: int) -> list[str]:
    return [text[at : at + size] for at in range(0, len(text), max(1, size))] or [""]


def text_of(value: str | Json) -> str:
    return value if isinstance(value, str) else str(value["repeat"]) * int(value["times"])


def arguments_of(tool: Json) -> str:
    arguments = tool.get("arguments", {})
    return arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)


def message_text(message: Json) -> str:
    content = message.get("content")
    if isinstance(content, list):
        return "\n".join(str(block.get("text", "")) for block in content if isinstance(block, dict))
    return str(content or "")


class Script:
    """The replies still to be played; safe between threads."""

    def __init__(self, replies: Iterable[Json], default: Json) -> None:
        self.replies = [dict(reply) for reply in replies]
        self.default = default
        self.used: set[int] = set()
        self.lock = threading.Lock()

    def take(self, body: Json) -> Json:
        messages = body.get("messages") or []
        users = [message for message in messages if message.get("role") == "user"]
        seen = {
            "user": message_text(users[-1]) if users else "",
            "system": json.dumps(
                body.get("system") or [m for m in messages if m.get("role") in ("system", "developer")]
            ),
            "any": json.dumps(body, ensure_ascii=False),
        }
        with self.lock:
            for index, reply in enumerate(self.replies):
                conditions: Mapping[str, str] = reply.get("when", {})
                if index in self.used or any(not re.search(rule, seen[key]) for key, rule in conditions.items()):
                    continue
                if not reply.get("repeat"):
                    self.used.add(index)
                return reply
        return self.default


class Completions:
    """chat.completion.chunk events."""

    def __init__(self, handler: Handler, body: Json) -> None:
        self.handler = handler
        self.model = body.get("model", "model")
        self.tool_index = 0

    def _event(self, delta: Json | None = None, finish: str | None = None, usage: Json | None = None) -> str:
        chunk: Json = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": self.model,
                       "choices": []}
        if delta is not None or finish is not None:
            chunk["choices"] = [{"index": 0, "delta": delta or {}, "finish_reason": finish}]
        if usage is not None:
            chunk["usage"] = usage
        return f"data: {json.dumps(chunk)}\n\n"

    def begin(self, usage: Json) -> None:
        self.handler.emit(self._event({"role": "assistant", "content": ""}))

    def block(self, kind: str, text: str, step: Json) -> None:
        key = "content" if kind == "text" else "reasoning_content"
        self.handler.play([self._event({key: piece}) for piece in pieces(text, step.get("chunk", 4))], step)

    def _tool_events(self, tool: Json, chunk: int) -> list[str]:
        index, self.tool_index = self.tool_index, self.tool_index + 1
        function = {"name": tool["name"], "arguments": ""}
        head = {"index": index, "id": tool["id"], "type": "function", "function": function}
        return [self._event({"tool_calls": [head]})] + [
            self._event({"tool_calls": [{"index": index, "function": {"arguments": piece}}]})
            for piece in pieces(arguments_of(tool), chunk)
        ]

    def tools(self, tools: Sequence[Json], step: Json) -> None:
        lists = [self._tool_events(tool, step.get("chunk", 6)) for tool in tools]
        merged: list[str] = []
        while any(lists):
            merged += [one.pop(0) for one in lists if one]
        self.handler.play(merged, step)

    def error(self, error: Json) -> None:
        self.handler.emit(f"data: {json.dumps({'error': error})}\n\n")

    def end(self, reply: Json, usage: Json) -> None:
        if not reply.get("no_finish"):
            self.handler.emit(self._event({}, reply.get("finish") or ("tool_calls" if self.tool_index else "stop")))
        self.handler.emit(self._event(usage={
            "prompt_tokens": usage["input"], "completion_tokens": usage["output"],
            "total_tokens": usage["input"] + usage["output"],
            "prompt_tokens_details": {"cached_tokens": usage["cached"]},
            "completion_tokens_details": {"reasoning_tokens": usage["reasoning"]}}))
        self.handler.emit("data: [DONE]\n\n")


class Messages:
    """Anthropic message stream events: blocks open and close one after another."""

    def __init__(self, handler: Handler, body: Json) -> None:
        self.handler = handler
        self.model = body.get("model", "model")
        self.index = 0
        self.called = False

    @staticmethod
    def _event(data: Json) -> str:
        return f"event: {data['type']}\ndata: {json.dumps(data)}\n\n"

    def begin(self, usage: Json) -> None:
        self.handler.emit(self._event({"type": "message_start", "message": {
            "id": "msg_1", "type": "message", "role": "assistant", "model": self.model,
            "content": [], "stop_reason": None, "stop_sequence": None,
            "usage": {"input_tokens": usage["input"], "output_tokens": 1,
                      "cache_read_input_tokens": usage["cached"], "cache_creation_input_tokens": 0}}}))

    def _block(self, start: Json, deltas: Sequence[Json], step: Json) -> None:
        index, self.index = self.index, self.index + 1
        self.handler.play([
            self._event({"type": "content_block_start", "index": index, "content_block": start}),
            *(self._event({"type": "content_block_delta", "index": index, "delta": delta}) for delta in deltas),
            self._event({"type": "content_block_stop", "index": index}),
        ], step)

    def block(self, kind: str, text: str, step: Json) -> None:
        parts = pieces(text, step.get("chunk", 4))
        if kind == "text":
            self._block({"type": "text", "text": ""}, [{"type": "text_delta", "text": part} for part in parts], step)
            return
        deltas: list[Json] = [{"type": "thinking_delta", "thinking": part} for part in parts]
        deltas.append({"type": "signature_delta", "signature": "c2lnbmF0dXJl"})
        self._block({"type": "thinking", "thinking": "", "signature": ""}, deltas, step)

    def tools(self, tools: Sequence[Json], step: Json) -> None:
        self.called = True
        for tool in tools:
            deltas = [{"type": "input_json_delta", "partial_json": piece}
                      for piece in pieces(arguments_of(tool), step.get("chunk", 6))]
            self._block({"type": "tool_use", "id": tool["id"], "name": tool["name"], "input": {}}, deltas, step)

    def error(self, error: Json) -> None:
        self.handler.emit(self._event({"type": "error", "error": error}))

    def end(self, reply: Json, usage: Json) -> None:
        if reply.get("no_finish"):
            return
        finish = reply.get("finish") or ("tool_calls" if self.called else "stop")
        reason = {"stop": "end_turn", "tool_calls": "tool_use", "length": "max_tokens"}.get(finish, finish)
        self.handler.emit(self._event({"type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": None},
                                       "usage": {"output_tokens": usage["output"]}}))
        self.handler.emit(self._event({"type": "message_stop"}))


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # an event leaves when it is its turn
    server: ModelServer

    def log_message(self, format: str, *args: object) -> None:
        """Quiet: the tests read `ModelServer.requests`."""

    def emit(self, text: str) -> None:
        data = text.encode("utf-8", "surrogatepass")
        self.wfile.write(b"%x\r\n" % len(data) + data + b"\r\n")

    def play(self, events: Sequence[str], step: Json) -> None:
        if step.get("burst"):
            for at in range(0, len(events), 200):
                self.emit("".join(events[at : at + 200]))
            return
        start, rate = time.monotonic(), step.get("rate")
        for number, event in enumerate(events, 1):
            if rate:
                self.wait(start + number / rate - time.monotonic())
            self.emit(event)
        if rate:
            self.server.rates.append(len(events) / (time.monotonic() - start))

    def wait(self, seconds: float) -> None:
        """Pass time, and raise when the client goes away meanwhile."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            readable, _, _ = select.select([self.connection], [], [], left)
            if readable and self.connection.recv(1, socket.MSG_PEEK) == b"":
                raise ConnectionResetError("client closed")

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        body: Json = json.loads(raw or b"{}")
        self.server.requests.append(body)
        reply = self.server.script.take(body)
        try:
            if "status" in reply:
                self._refuse(reply)
            else:
                self._stream(body, reply)
        except (Dropped, BrokenPipeError, ConnectionResetError, ConnectionAbortedError):
            self.close_connection = True

    def _refuse(self, reply: Json) -> None:
        data = json.dumps({"error": reply.get("error") or {"message": "error"}}).encode()
        self.send_response(reply["status"])
        for key, value in (reply.get("headers") or {}).items():
            self.send_header(key, str(value))
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _stream(self, body: Json, reply: Json) -> None:
        messages = self.path.split("?")[0].endswith("/messages")
        dialect = Messages(self, body) if messages else Completions(self, body)
        usage = DEFAULT_USAGE | (reply.get("usage") or {})
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        dialect.begin(usage)
        for step in reply.get("steps", []):
            self._step(dialect, step)
        dialect.end(reply, usage)
        self.emit("")

    def _step(self, dialect: Completions | Messages, step: Json) -> None:
        if "pause_ms" in step:
            self.wait(step["pause_ms"] / 1000)
        elif step.get("hang"):
            self.wait(3600)
        elif step.get("drop"):
            raise Dropped
        elif "error_event" in step:
            dialect.error(step["error_event"])
        elif "tool" in step or "tools" in step:
            dialect.tools(step.get("tools") or [step["tool"]], step)
        else:
            kind = "text" if "text" in step else "thinking"
            dialect.block(kind, text_of(step[kind]), step)


class ModelServer(ThreadingHTTPServer):
    """`with ModelServer([reply, ...]) as server:` serves on `server.port` until the block ends.

    `requests` holds every request's body, in order; `rates` the events a second that each step with a `rate` reached.
    """

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, replies: Iterable[Json] = (), default: Json = DEFAULT_REPLY) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.script = Script(replies, default)
        self.requests: list[Json] = []
        self.rates: list[float] = []

    @property
    def port(self) -> int:
        return int(self.server_address[1])

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that goes away is normal here."""

    def __enter__(self) -> ModelServer:
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.shutdown()
        self.server_close()
