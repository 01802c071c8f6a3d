"""Scenes with images, and with tools inside tools."""

from __future__ import annotations

import base64
import json
import struct
import zlib
from collections.abc import Iterator

from pitui.demo.messages import text_block
from pitui.demo.records import Record
from pitui.demo.scenes.work import READ, bash_output, read_file
from pitui.demo.script import Call, Output, Say, Scene, Think, Turn, turn
from pitui.demo.stage import Stage, ToolStage


def png(width: int, height: int) -> bytes:
    """A small picture: a colour gradient with a bright disc in it."""
    rows = bytearray()
    for y in range(height):
        rows.append(0)
        for x in range(width):
            inside = (2 * x - width) ** 2 + (2 * y - height) ** 2 < (min(width, height) * 0.6) ** 2
            rows += bytes((250, 220, 90)) if inside else bytes((40 + 120 * x // width, 60, 90 + 140 * y // height))
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    data = _chunk(b"IHDR", header) + _chunk(b"IDAT", zlib.compress(bytes(rows), 9)) + _chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + data


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


async def read_image(tool: ToolStage) -> Output:
    await tool.sleep(0.3)
    note = "Read image file [image/png]"
    image: Record = {"type": "image", "data": base64.b64encode(png(96, 64)).decode(), "mimeType": "image/png"}
    return Output([text_block(note), image], structured={**image, "note": note})


def _images(stage: Stage) -> Iterator[Turn]:
    yield turn(Say("I read a picture."), Call("read", {"path": "docs/sun.png"}, read_image))
    yield turn(Say("A yellow disc before a gradient from blue to violet, 96 by 64 pixels. The demo drew it itself."))


CODE = """const files = await tools.bash({command: "ls src"});
const reader = await tools.read({path: "src/reader.py"});
return files.output.length + reader.length;"""


async def _list_files(tool: ToolStage) -> Output:
    tool.update()
    await tool.sleep(0.6)
    text = "reader.py\nwriter.py\n"
    tool.update(text)
    return bash_output(text, 0.6)


async def _codemode(tool: ToolStage) -> Output:
    """A script that calls two tools, one after the other."""
    steps = [Call("bash", {"command": "ls src"}, _list_files), Call("read", READ, read_file)]
    shown: list[Record] = []
    stored: list[Record] = []
    tool.update(details={"calls": []})
    await tool.sleep(0.2)
    for number, step in enumerate(steps, 1):
        name, arguments = step.name, step.arguments
        child = tool.child(number, name, arguments)
        child.start()
        call: Record = {"id": f"{tool.call_id}/?", "name": name, "args": json.dumps(arguments), "status": "running"}
        tool.update(details={"calls": [*shown, call]})
        duration = child.end(await step.run(child))
        shown.append(call | {"id": child.call_id, "status": "ok", "durationMs": duration})
        stored.append({"id": child.call_id, "name": name, "status": "ok", "arguments": arguments,
                       "durationMs": duration})
        tool.update(details={"calls": list(shown)})
    head = "Script completed\nWall time 1.0 seconds\nOutput:\n"
    return Output([text_block(head), text_block("512")], details={"calls": shown},
                  nested={"calls": stored, "complete": True})


def _nested(stage: Stage) -> Iterator[Turn]:
    yield turn(
        Think("One script can do both steps."),
        Say("One script calls two tools."),
        Call("codemode", {"code": CODE}, _codemode, pace=0.6),
    )
    yield turn(Say("The script saw both results and gave back one number."))


async def _subagent(tool: ToolStage) -> Output:
    """A helper's work, told in partial results and kept in the details, as sub-agent extensions do."""
    steps = (
        ("Reading the module", "read src/reader.py"), ("Looking for callers", "bash grep -rn Reader src"),
        ("Checking the tests", "bash pytest -q"), ("Writing it up", "done"),
    )
    messages: list[Record] = []
    for number, (what, call) in enumerate(steps, 1):
        messages.append({"role": "assistant", "content": [text_block(f"{what}: {call}")]})
        tool.update(f"{what}…", details={"agent": "demo-scout", "step": number, "of": len(steps),
                                         "messages": list(messages)})
        await tool.sleep(0.8)
    text = "The reader has two callers and eight tests. Only `feed` needs a change."
    details: Record = {"agent": "demo-scout", "task": tool.arguments.get("task"), "messages": messages,
                       "usage": {"input": 5200, "output": 410, "turns": len(steps)}}
    return Output([text_block(text)], details=details)


def _sub(stage: Stage) -> Iterator[Turn]:
    yield turn(
        Say("I send a scout ahead."),
        Call("subagent", {"agent": "demo-scout", "task": "Find out who uses Reader, and how it is tested"}, _subagent),
    )
    yield turn(Say("The scout is back: **two callers, eight tests**, and only `feed` needs a change."))


SCENES = (
    Scene("images", "a picture that a tool gives back", ("image", "images", "picture"), _images),
    Scene("nested", "a script that calls tools itself", ("nested", "codemode"), _nested),
    Scene("subagent", "a helper with its own progress", ("subagent", "scout"), _sub),
)
