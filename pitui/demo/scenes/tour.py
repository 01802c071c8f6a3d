"""The tour: a little of everything, in about half a minute."""

from __future__ import annotations

from collections.abc import Iterator

from pitui.demo.messages import text_block
from pitui.demo.scenes.media import read_image
from pitui.demo.scenes.trouble import OVERLOADED
from pitui.demo.scenes.work import EDIT, READ, TEST, edit_file, pass_tests, read_file, run_tests
from pitui.demo.script import Call, Failure, Output, Say, Scene, Think, Turn, turn
from pitui.demo.stage import Stage, ToolStage


async def _ask(tool: ToolStage) -> Output:
    tool.ui.set_status("demo-tour", "\x1b[36m● waiting for you\x1b[0m")
    choice = await tool.ui.select("Demo: how do you like the tour?", ["Very much", "Go on", "It will do"], limit=20)
    tool.ui.set_status("demo-tour", None)
    await tool.sleep(0)
    tool.ui.notify(f"Demo: your answer is {choice or 'silence'}")
    return Output([text_block(f"The user answered: {choice or 'nothing'}")])


def _tour(stage: Stage) -> Iterator[Turn]:
    yield turn(
        Think("A tour: thinking, text, tools, a question, a failure and an end. This is the thinking."),
        Say("## The demo's tour\n\nThis is text as it streams, with **bold**, `code` and a list:\n\n"
            "- [x] thinking\n- [ ] tools\n- [ ] a question\n- [ ] an overloaded provider\n\nFirst two tools at once."),
        Call("read", READ, read_file),
        Call("bash", TEST, run_tests),
    )
    yield turn(Say("One test fails. The fix:"), Call("edit", EDIT, edit_file), Call("bash", TEST, pass_tests))
    yield turn(
        Say("```python\nfor record in reader:\n    print(record)\n```\n\nNow a picture and a question."),
        Call("read", {"path": "docs/sun.png"}, read_image),
        Call("ask_user", {"question": "How do you like the tour?"}, _ask),
    )
    yield turn(failure=Failure(OVERLOADED, retryable=True))
    yield turn(Say("That failure was staged too, and the second attempt went through.\n\n"
                   "| Seen | Where more of it is |\n|---|---|\n| tools | `demo tools`, `demo parallel` |\n"
                   "| questions | `demo dialogs`, `demo gate` |\n| trouble | `demo retry`, `demo error` |\n\n"
                   "`/demo` lists all scenes."))


TOUR = Scene("tour", "a little of everything", ("tour", "demo"), _tour)
