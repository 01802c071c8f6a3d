"""Scenes at the edges: what a view has to survive rather than to show off."""

from __future__ import annotations

from collections.abc import Iterator

from pitui.demo.messages import text_block
from pitui.demo.scenes.work import bash_output
from pitui.demo.script import Call, Output, Say, Scene, Turn, turn
from pitui.demo.stage import Stage, ToolStage

HOSTILE = (
    "[bold red]markup[/] [@click=app.quit]click[/] list[int] [/etc/passwd]\n"
    "ESC: \x1b[31mred?\x1b[0m \x1b]0;a title\x07 \x1b[2J bell \x07 backspace abc\x08\x08\x08xyz\n"
    "C1: \x9b31mred?\x9b0m, NUL \x00, direction \u202eesrever\u202c, separators a\u2028b\u2029c\u0085d\x0ce\n"
)


async def _print_much(tool: ToolStage) -> Output:
    tool.update()
    lines: list[str] = []
    for block in range(20):
        lines += [f"{number:05d} \x1b[2m{'.' * (number % 60)}\x1b[0m a line of output" for number in
                  range(block * 100, block * 100 + 100)]
        tool.update("\n".join(lines) + "\n")
        await tool.sleep(0.1)
    return bash_output("\n".join(lines) + "\n", 2.0)


async def _print_hostile(tool: ToolStage) -> Output:
    tool.update(HOSTILE)
    await tool.sleep(0.2)
    return Output([text_block(HOSTILE)], details={"note": HOSTILE})


def _output(stage: Stage) -> Iterator[Turn]:
    yield turn(Say("2000 lines of output."), Call("bash", {"command": "seq -f 'a line of output' 2000"}, _print_much))
    yield turn(Say("All 2000 are there."))


def _hostile(stage: Stage) -> Iterator[Turn]:
    yield turn(
        Say(f"Text that tries to be more than text:\n\n{HOSTILE}\n\n```\n{HOSTILE}```\n"),
        Call("bash\x1b[31m", {"command": f"printf '{HOSTILE}'"}, _print_hostile),
    )
    yield turn(Say("If you can read this and nothing moved, all is well."))


SCENES = (
    Scene("output", "two thousand lines from a tool", ("output",), _output),
    Scene("hostile", "control codes, markup and other tricks in text", ("hostile",), _hostile),
)
