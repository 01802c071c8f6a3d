"""Scenes with tools. Nothing is touched: files and output are part of the script."""

from __future__ import annotations

from collections.abc import Iterator

from pitui.demo.messages import text_block
from pitui.demo.scenes import files
from pitui.demo.script import Call, Output, Say, Scene, Think, Turn, turn
from pitui.demo.stage import Stage, ToolStage


def bash_output(text: str, seconds: float, code: int = 0) -> Output:
    """What the real agent gives back for a shell command."""
    structured: dict[str, object] = {
        "output": text, "truncated": False, "exit_code": code, "wall_time_seconds": round(seconds, 1),
    }
    shown = text or "(no output)"
    if code:
        shown += f"\n\nCommand exited with code {code}"
    return Output([text_block(shown)], structured=structured, is_error=code != 0)


async def read_file(tool: ToolStage) -> Output:
    await tool.sleep(0.15)
    text = files.READER
    return Output([text_block(text)], structured=text)


async def run_tests(tool: ToolStage) -> Output:
    """Coloured output that grows line by line, with a bar that redraws itself."""
    tool.update()
    text = "\x1b[1m=== demo test run ===\x1b[0m\n"
    for index, name in enumerate(files.TESTS):
        await tool.sleep(0.18)
        good = name != "test_crlf"
        text += f"tests/{name}.py \x1b[{32 if good else 31}m{'PASSED' if good else 'FAILED'}\x1b[0m\n"
        tool.update(text + files.progress_bar((index + 1) / len(files.TESTS)))
    for step in range(0, 101, 4):
        await tool.sleep(0.05)
        tool.update(text + f"\x1b[2mcoverage\x1b[0m {step:3d}%\r\x1b[36m{'━' * (step // 4):<25}\x1b[0m {step:3d}%")
    text += "\x1b[31;1m1 failed\x1b[0m, \x1b[32m7 passed\x1b[0m in 2.74s\n"
    tool.update(text)
    return bash_output(text, 2.7, code=1)


async def pass_tests(tool: ToolStage) -> Output:
    tool.update()
    await tool.sleep(0.7)
    text = "\x1b[32m........\x1b[0m [100%]\n\x1b[32;1m8 passed\x1b[0m in 0.61s\n"
    tool.update(text)
    return bash_output(text, 0.7)


async def edit_file(tool: ToolStage) -> Output:
    await tool.sleep(0.2)
    done = text_block(f"Successfully replaced {len(files.EDITS)} block(s) in {files.READER_PATH}.")
    return Output([done], details=files.edit_details())


async def write_file(tool: ToolStage) -> Output:
    await tool.sleep(0.1)
    return Output([text_block(f"Successfully wrote to {tool.arguments['path']}")])


READ: dict[str, object] = {"path": files.READER_PATH}
TEST: dict[str, object] = {"command": "python -m pytest -q --color=yes tests"}
EDIT: dict[str, object] = {
    "path": files.READER_PATH, "edits": [{"oldText": old, "newText": new} for old, new in files.EDITS],
}
WRITE: dict[str, object] = {"path": "tests/test_crlf.py", "content": files.NEW_TEST}


def _tools(stage: Stage) -> Iterator[Turn]:
    yield turn(
        Think("First look at the reader, then run its tests."),
        Say("I look at the reader first. (Nothing on your disk is touched: this is the demo.)"),
        Call("read", READ, read_file),
    )
    yield turn(Say("Now its tests."), Call("bash", TEST, run_tests))
    yield turn(
        Think("`splitlines` also cuts at U+2028 and form feeds, and a last record without LF is lost."),
        Say("`splitlines` cuts at more than LF. I keep a buffer instead."),
        Call("edit", EDIT, edit_file),
    )
    yield turn(Say("A test that keeps it so:"), Call("write", WRITE, write_file, pace=0.5))
    yield turn(Call("bash", TEST, pass_tests))
    yield turn(Say(
        "Done, as far as a demo can be:\n\n"
        f"1. `{files.READER_PATH}` splits at LF only and keeps an unfinished record\n"
        "2. `tests/test_crlf.py` holds it to that\n\nAll **8 tests** pass."
    ))


async def _slow_build(tool: ToolStage) -> Output:
    tool.update()
    text = ""
    for number in range(1, 7):
        await tool.sleep(0.45)
        text += f"[{number}/6] compiling module_{number}\n"
        tool.update(text)
    return bash_output(text, 2.7)


async def _lint(tool: ToolStage) -> Output:
    tool.update()
    await tool.sleep(0.8)
    text = "All checks passed!\n"
    tool.update(text)
    return bash_output(text, 0.8)


def _parallel(stage: Stage) -> Iterator[Turn]:
    yield turn(
        Think("Three things that do not depend on each other."),
        Say("Three at once; the last one called is done first."),
        Call("bash", {"command": "make all"}, _slow_build),
        Call("bash", {"command": "ruff check ."}, _lint),
        Call("read", READ, read_file),
    )
    yield turn(Say("All three are done. The file came first, then the linter, then the build."))


SCENES = (
    Scene("tools", "read, a failing test run, an edit with its diff, a new file",
          ("tool", "tools", "fix", "edit", "test", "tests", "bug"), _tools),
    Scene("parallel", "three tool calls side by side, done in another order", ("parallel",), _parallel),
)
