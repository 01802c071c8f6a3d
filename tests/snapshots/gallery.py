"""Entries of every kind as a person meets them, and an app that hangs them all on one wall."""

from __future__ import annotations

from base64 import b64encode
from io import BytesIO

from PIL import Image
from textual.app import App, ComposeResult

from pitui import theme
from pitui.render.lines import ThinkingView, View
from pitui.rpc.messages import ImageBlock, TextBlock, ThinkingBlock, Usage
from pitui.rpc.wire import JsonObject
from pitui.session.state import (
    AssistantEntry,
    BashEntry,
    BlockKind,
    CustomEntry,
    Entry,
    Level,
    LiveBlock,
    LiveMessage,
    MessageMeta,
    Notice,
    NoticeEntry,
    SentPrompt,
    SummaryEntry,
    SummaryKind,
    ToolEntry,
    ToolState,
    UnknownEntry,
    UserEntry,
)
from pitui.widgets.transcript import Transcript

NOW = 1_000.0
"""The event clock's seconds in every picture."""

COLOURS = {colours.name: colours for colours in theme.shipped()}


def view(width: int, colours: str, unfolded: bool, **options: object) -> View:
    """A view as the program makes it, at a standstill."""
    base = View(width=width, palette=COLOURS[colours].palette(), home="/home/u", cwd="/home/u/reader", now=NOW)
    thinking = ThinkingView.FULL if unfolded else ThinkingView.FIRST_LINE
    fields = {"tools_open": unfolded, "thinking": thinking, "show_meta": unfolded, **options}
    return View(**{name: getattr(base, name) for name in View.__slots__} | fields)


class Wall(App[None]):
    """A transcript as tall as what hangs on it."""

    CSS = "Screen { background: $background; }"

    def __init__(
        self,
        look: View,
        colours: str,
        entries: tuple[Entry, ...],
        live: LiveMessage | None = None,
        sent: tuple[SentPrompt, ...] = (),
    ) -> None:
        super().__init__()
        self.colours = COLOURS[colours]
        self.transcript = Transcript(look)
        self.shown = entries, live, sent

    def compose(self) -> ComposeResult:
        yield self.transcript

    def on_mount(self) -> None:
        self.register_theme(self.colours.textual())
        self.theme = self.colours.name
        self.transcript.show(*self.shown)

    @property
    def height(self) -> int:
        """Rows of all that is shown."""
        return self.transcript._viewport.total


def said(text: str) -> tuple[TextBlock, ...]:
    return (TextBlock(text=text),)


def tool(
    name: str,
    arguments: JsonObject,
    result: str = "",
    state: ToolState = ToolState.DONE,
    details: object = None,
    milliseconds: float | None = 20.0,
    **more: object,
) -> ToolEntry:
    """A call whose key is made of what it is."""
    key = f"tool:{name}:{sorted(map(str, arguments.values()))}:{state.value}:{len(result)}"
    content = said(result) if result else ()
    fields: dict[str, object] = {"content": content, "details": details, "duration_ms": milliseconds, **more}
    started = NOW - 12.4 if state is ToolState.RUNNING else None
    return ToolEntry(key, key, name, arguments, None, state, started=started, **fields)  # type: ignore[arg-type]  # fields by name


def gradient(width: int, height: int) -> ImageBlock:
    """A picture: a sky over hills, and a sun."""
    image = Image.new("RGB", (width, height))
    for y in range(height):
        for x in range(width):
            sun = (x - width * 0.7) ** 2 + (y - height * 0.3) ** 2 < (height * 0.13) ** 2
            hill = y > height * (0.72 - 0.12 * ((x / width * 3.2) % 1 - 0.5) ** 2 * 4)
            colour = (
                (250, 210, 90)
                if sun
                else (60, 120 - y * 40 // height, 70)
                if hill
                else (90 + y * 120 // height, 150 + y * 60 // height, 220)
            )
            image.putpixel((x, y), colour)
    data = BytesIO()
    image.save(data, "PNG")
    return ImageBlock(data=b64encode(data.getvalue()).decode("ascii"), mime_type="image/png")


META = MessageMeta(
    "anthropic",
    "claude-sonnet-4",
    None,
    "medium",
    Usage.model_validate({"input": 2000, "output": 1400, "cacheRead": 10_000, "cost": {"total": 0.083}}),
    "stop",
    None,
    41_000.0,
)
OVERLOADED = '529 {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"},"request_id":"req_011"}'
THOUGHT = "The reader splits on universal newlines, so a lone U+2028 inside a string ends the record.\n\nThe fix is to \
search for LF bytes only, and to keep what is left over for the next chunk."
ANSWER = """The reader uses `readline`, which splits on more than LF. Two places matter:

1. `framing.py` cuts at every separator
2. the last record has no LF and is *never* flushed

I'll fix both; see [the notes](https://example.test/notes)."""
SKILL = (
    '<skill name="review" location="/s/SKILL.md">\n# Review\n\nRead the diff twice.\n\n- correctness\n- names\n</skill>\
\n\nonly framing.py'
)


def failed(key: str, message: str, reason: str = "error", retried: bool = False, text: str = "") -> AssistantEntry:
    return AssistantEntry(
        key, said(text) if text else (), MessageMeta(stop_reason=reason, error_message=message), retried
    )


TALK: tuple[Entry, ...] = (
    UserEntry("u1", "Why does the parser drop the last record?\nIt only happens with CRLF files."),
    AssistantEntry("a1", (ThinkingBlock(thinking=THOUGHT, redacted=False), *said(ANSWER)), META),
    UserEntry("u2", SKILL),
    AssistantEntry("a2", (ThinkingBlock(thinking="", redacted=True), *said("Looks good.")), META),
    UserEntry("u3", "And this screenshot?", (gradient(640, 400), ImageBlock(data="!!", mime_type="image/png"))),
    failed("a3", OVERLOADED, retried=True, text="The picture shows"),
    failed("a4", "terminated", retried=True),
    failed("a5", OVERLOADED),
    failed("a6", "Connection error."),
    AssistantEntry("a7", said("The picture shows a hill and"), MessageMeta(stop_reason="length")),
    AssistantEntry("a8", said("A hill, a"), MessageMeta(stop_reason="aborted")),
    AssistantEntry("a9", said("Later."), MessageMeta(stop_reason="deferred")),
)

MARKDOWN = """# Plan for the reader

Split on **LF only**; keep what is left. A ~~quick~~ careful change in `framing.py`, *then* the tests.

## Steps

- [x] find the cause
- [ ] fix it
  - bytes, not text
  - a buffer of our own
1. First
2. Second with a very long line that has to be wrapped because it says far more than fits into one row of the screen

> A record ends at LF, and nowhere else.
> > Not even at U+2028.

```python
def feed(self, chunk: bytes) -> Iterator[bytes]:
    self.buffer += chunk
    while (end := self.buffer.find(b"\\n")) >= 0:   # LF only
        yield self.buffer[:end]
        del self.buffer[: end + 1]
```

| case | before | after |
|:-----|-------:|:-----:|
| CRLF | lost the last record of every file that has no line break at its end | all records |
| 漢字 and emoji 👩‍👩‍👧 | cut | whole |

---

Math stays source: $O(n)$, and so does HTML: <b>bold</b>. An image: ![the flow](https://example.test/flow.png)

```mermaid
graph LR; A-->B
```
"""
PROSE: tuple[Entry, ...] = (AssistantEntry("m1", said(MARKDOWN), META),)

CODE = (
    '"""Records."""\n\nimport json\n\n\ndef read(path: str) -> list[object]:\n\
    """All records of a file."""\n    with \
open(path, "rb") as file:\n        return [json.loads(line) for line in file.read().split(b"\\n") if line]\n'
)
LISTING = "".join(f"src/reader/part_{number}.py\n" for number in range(1, 13))
MATCHES = "".join(f"src/reader/part_{number}.py:{number * 7}: chunk.splitlines()\n" for number in range(1, 9))
MISSING = "ENOENT: no such file or directory, access '/home/u/reader/missing.txt'"
READING: tuple[Entry, ...] = (
    tool("read", {"path": "/home/u/reader/src/records.py"}, CODE),
    tool("read", {"path": "src/records.py", "offset": 120, "limit": 40}, CODE * 4),
    tool("read", {"path": "VERSION"}, "2.1.0\n"),
    tool("read", {"path": "missing.txt"}, MISSING, ToolState.FAILED),
    tool("ls", {}, "README.md\nsrc/\ntests/\n"),
    tool("ls", {"path": "src"}, LISTING),
    tool("find", {"pattern": "*.py", "path": "src"}, LISTING),
    tool("grep", {"pattern": "splitlines", "path": "src", "glob": "*.py"}, MATCHES),
    tool("grep", {"pattern": "nowhere"}, "", milliseconds=1_400.0),
)

COLOURED = (
    "\x1b[1m===== test session starts =====\x1b[0m\ncollected 4 items\n\ntests/test_framing.py \x1b[32m..\x1b[31mF\
\x1b[32m.\x1b[0m\n\n\x1b[31m\
E   assert 2 == 3\x1b[0m\nE    +  where 2 = len(records)\n\n\x1b[31m1 failed\x1b[0m, \x1b[32m\
3 passed\x1b[0m in 0.12s\n\nCommand exited with code 1"
)
PROGRESS = "resolving\rdownloading  10%\rdownloading  61%\rdownloading 100%\ndone\n"
SHELL: tuple[Entry, ...] = (
    tool("bash", {"command": "pytest -q tests/test_framing.py"}, COLOURED, ToolState.FAILED, milliseconds=1_240.0),
    tool("bash", {"command": "pip download thing"}, PROGRESS, milliseconds=75_000.0),
    tool(
        "bash", {"command": "cd src\nfor f in *.py; do\n  wc -l $f\ndone"}, "  12 a.py\n 130 b.py\n", milliseconds=90.0
    ),
    tool("bash", {"command": "true"}),
    tool(
        "bash",
        {"command": "seq 90000"},
        "".join(f"{n}\n" for n in range(89_000, 89_030)),
        milliseconds=310.0,
        details={"fullOutputPath": "/home/u/tmp/pi-bash-1.log", "truncation": {"totalLines": 90_000}},
    ),
    tool("bash", {"command": "pytest -q"}, "....................  [ 61%]\n", ToolState.RUNNING),
    tool("bash", {"command": "sleep 60"}, "Command aborted", ToolState.STOPPED),
    tool("bash", {"command": "make all"}, "", ToolState.WAITING, milliseconds=None),
    BashEntry("b1", "git status --short", " M src/framing.py\n?? notes.md\n", 0),
    BashEntry("b2", "make deploy", "building\n\x1b[31mno rule\x1b[0m\n", 2, excluded=True),
    BashEntry("b3", "tail -f log", "".join(f"line {n}\n" for n in range(40)), running=True, started=NOW - 75),
    BashEntry("b4", "sleep 99", "", cancelled=True),
    BashEntry("b5", "cat big", "the end\n", 0, truncated=True, full_output_path="/home/u/tmp/pi-bash-2.log"),
)

PATCH = """@@ -38,9 +38,12 @@
 class Framer:
     buffer = bytearray()
~
     def feed(self, chunk: bytes) -> Iterator[bytes]:
-        for line in chunk.splitlines():
-            yield line
+        self.buffer += chunk
+        while (end := self.buffer.find(b"\\n")) >= 0:
+            yield bytes(self.buffer[:end])
+            del self.buffer[: end + 1]
~
     def close(self) -> bytes:
-        return b""
+        return bytes(self.buffer)
@@ -90,3 +93,4 @@
 def main() -> None:
-    run(sys.stdin)
+    run(sys.stdin.buffer)
+    flush()
""".replace("~", " ")
CHANGES: tuple[Entry, ...] = (
    tool("edit", {"path": "src/framing.py"}, "Successfully replaced 3 blocks.", details={"patch": PATCH}),
    tool(
        "edit",
        {"path": "src/a.py", "oldText": "x = 1", "newText": "x = 2"},
        "Could not find the exact text in src/a.py",
        ToolState.FAILED,
    ),
    tool(
        "edit",
        {"path": "src/b.py", "edits": [{"oldText": "timeout = 10\n", "newText": "timeout = 30\n"}]},
        "",
        ToolState.WAITING,
        milliseconds=None,
    ),
    tool(
        "write",
        {"path": "notes/CHANGES.md", "content": "# Changes\n\n- records end at LF\n"},
        "Successfully wrote 31 bytes",
    ),
    tool("write", {"path": "src/records.py", "content": CODE * 3}, "Successfully wrote 900 bytes"),
    tool(
        "write",
        {"path": "/etc/hosts", "content": "x"},
        "EACCES: permission denied, open '/etc/hosts'",
        ToolState.FAILED,
    ),
)

AGENTS = {"mode": "parallel", "results": [
    {"agent": "scout", "task": "Find readers", "exitCode": 0, "usage": {"turns": 3, "output": 1200, "cost": 0.02},
     "messages": [{"role": "assistant", "content": [{"type": "text", "text": "Found three readers"}]}]},
    {"agent": "reviewer", "exitCode": -1, "messages": [{"role": "assistant", "content": [
        {"type": "toolCall", "name": "bash", "arguments": {"command": "git diff"}}]}]},
    {"agent": "writer", "exitCode": 1, "stopReason": "error", "errorMessage": "no key"},
]}  # fmt: skip
SCRIPT = "const files = await tools.ls({path: 'src'});\nreturn files.length;"
OTHERS: tuple[Entry, ...] = (
    tool(
        "codemode",
        {"code": SCRIPT},
        "Script completed\nWall time 0.4 seconds\nOutput:\n12\n",
        milliseconds=400.0,
        children=(tool("ls", {"path": "src"}, LISTING), tool("bash", {"command": "wc -l x"}, "12 x\n")),
    ),
    tool("subagent", {"task": "review all"}, "Three readers.", details=AGENTS, milliseconds=64_000.0),
    tool(
        "mcp__issues__search",
        {"query": "CRLF", "limit": 5, "labels": ["bug", "parser"]},
        '[{"id": 7, "title": "Last record lost", "open": true}, {"id": 9, "title": "CRLF", "open": false}]',
    ),
    tool("fetch_page", {"url": "https://example.test/a"}, "# A page\n\nwith text\n\nand more\n\nof it, and an end\n"),
    tool("screenshot", {}, "", content=(*said("The page"), gradient(320, 200), *said("after the image"))),
    ToolEntry("bad", "bad", "bash", {}, "Unterminated string in JSON at position 20", ToolState.FAILED),
    tool("mystery", {}, "", ToolState.STOPPED),
)

SUMMARY = (
    "## Goal\n\nFix the reader.\n\n## Done\n\n- `framing.py` splits on LF only\n- tests\n\n## Next\n\nThe changelog."
)
CARDS: tuple[Entry, ...] = (
    SummaryEntry("s1", SummaryKind.COMPACTION, SUMMARY, 150_000, 32_000),
    SummaryEntry("s2", SummaryKind.COMPACTION, "Older talk about the reader."),
    SummaryEntry("s3", SummaryKind.BRANCH, "Tried a regex.\nIt was slow."),
    CustomEntry("c1", "plan-mode", said("**Plan**\n\n1. read\n2. write"), {"step": 1}),
    CustomEntry("c2", "report", said("\n\n".join(f"Paragraph {n}." for n in range(1, 12)))),
    UnknownEntry("x1", "hologram", {"content": "?", "depth": 3}),
    NoticeEntry(
        "n1",
        (
            Notice(Level.INFO, "12 files indexed", "indexer"),
            Notice(Level.WARNING, "Two prompts in a row were the same"),
            Notice(Level.ERROR, "The extension failed: TypeError: x is not a function", "deploy"),
        ),
    ),
    UserEntry("u", "go on"),
    NoticeEntry("n2", tuple(Notice(Level.INFO, f"file {n}", "indexer") for n in range(9)), dropped=5),
)


def streamed(kind: BlockKind, text: str, index: int, done: bool = False, name: str = "") -> LiveBlock:
    return LiveBlock(kind, [text], 1, done, f"call{index}" if name else "", name, index)


LIVE = LiveMessage(
    "live",
    (
        streamed(BlockKind.THINKING, THOUGHT, 0, done=True),
        streamed(BlockKind.TEXT, "I'll write it now:\n\n- a buffer\n- **LF only**\n\n```python\ndef feed(", 1),
        streamed(BlockKind.TOOL_CALL, '{"path": "src/records.py"}', 2, done=True, name="read"),
        streamed(
            BlockKind.TOOL_CALL,
            '{"path": "src/framing.py", "edits": [{"oldText": "a = 1\\n", "newText": "a = 2\\nb',
            3,
            name="edit",
        ),
        streamed(BlockKind.TOOL_CALL, '{"command": "pytest -q te', 4, name="bash"),
        streamed(
            BlockKind.TOOL_CALL,
            '{"path": "src/records.py", "content": "' + "import json\\n" * 14 + "impo",
            5,
            name="write",
        ),
    ),
)
SENT = (SentPrompt("t", "and check the Windows case too"),)
WALLS: dict[str, tuple[Entry, ...]] = {
    "talk": TALK,
    "markdown": PROSE,
    "reading": READING,
    "shell": SHELL,
    "changes": CHANGES,
    "tools": OTHERS,
    "cards": CARDS,
    "live": (UserEntry("u", "Fix it."),),
}
