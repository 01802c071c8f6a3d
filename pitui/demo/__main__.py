"""Starts the demo agent: `python -m pitui.demo --mode rpc`."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import threading
from types import FrameType

from pitui.demo.agent import Agent
from pitui.demo.commands import receive
from pitui.demo.opening import open_session
from pitui.demo.options import Options, parse
from pitui.demo.pace import speed_from
from pitui.demo.records import Record

VERSION = "1.6.0"
TREE_DEPTH = 40_000


def emit(record: Record) -> None:
    """Write one record, whole, to stdout. A client that is gone ends the process, as there is nobody left to serve."""
    data = memoryview(json.dumps(record, separators=(",", ":")).encode() + b"\n")
    try:
        while data:
            data = data[os.write(1, data):]
    except BrokenPipeError:
        os._exit(1)


def warn(text: str) -> None:
    sys.stderr.write(f"pitui demo agent: {text}\n")


def read_stdin(loop: asyncio.AbstractEventLoop, lines: asyncio.Queue[bytes | None]) -> None:
    """Give every line to the loop, split at LF alone, and None at the end. Runs in a thread of its own."""
    rest: list[bytes] = []
    while chunk := os.read(0, 65_536):
        *whole, last = chunk.split(b"\n")
        for line in whole:
            rest.append(line)
            loop.call_soon_threadsafe(lines.put_nowait, b"".join(rest))
            rest.clear()
        rest.append(last)
    loop.call_soon_threadsafe(lines.put_nowait, None)


async def serve(options: Options, speed: float) -> None:
    """Answer the client until it closes our stdin."""
    agent = Agent(open_session(options), options, emit, speed)

    def terminate(number: int, _: FrameType | None) -> None:
        agent.close()
        os._exit(128 + number)

    signal.signal(signal.SIGTERM, terminate)
    signal.signal(signal.SIGHUP, terminate)
    lines: asyncio.Queue[bytes | None] = asyncio.Queue()
    threading.Thread(target=read_stdin, args=(asyncio.get_running_loop(), lines), daemon=True).start()
    answering = asyncio.ensure_future(answer_all(agent, lines))
    try:
        await asyncio.wait({answering, agent.failed}, return_when=asyncio.FIRST_COMPLETED)
        if agent.failed.done():
            agent.failed.result()
        else:
            answering.result()
    finally:
        agent.close()


async def answer_all(agent: Agent, lines: asyncio.Queue[bytes | None]) -> None:
    """Answer line after line until there are no more."""
    while (line := await lines.get()) is not None:
        receive(agent, line)


def main() -> None:
    """Run the demo agent. Exits with 0 at the end of stdin and 143 on SIGTERM."""
    options = parse(sys.argv[1:], warn)
    if options.show_version or options.show_help:
        sys.stdout.write(f"{VERSION}\n" if options.show_version else f"{__doc__}\n")
        return
    sys.setrecursionlimit(TREE_DEPTH)
    try:
        asyncio.run(serve(options, speed_from(os.environ.get("PITUI_DEMO_SPEED"))))
    except OSError as error:
        sys.exit(f"pitui demo agent: {error}")
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
