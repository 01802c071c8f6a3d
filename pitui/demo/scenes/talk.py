"""Scenes that only talk."""

from __future__ import annotations

from collections.abc import Iterator

from pitui.demo.messages import text_block
from pitui.demo.scenes.texts import LONG_PARTS, MARKDOWN
from pitui.demo.script import Call, Output, Say, Scene, Think, Turn, turn
from pitui.demo.stage import Stage, ToolStage


def short(text: str, length: int = 60) -> str:
    """The first words of a text on one line."""
    line = " ".join(text.split())
    return line if len(line) <= length else f"{line[:length - 1]}…"


def _reply(stage: Stage) -> Iterator[Turn]:
    yield turn(
        Think("The user wrote something that is no scene. A short friendly answer will do, "
              "and a hint at what else there is to see."),
        Say("This is the **demo agent**: every answer is scripted, no model is asked. "
            f"You wrote “{short(stage.text)}”.\n\n"
            "Try `/demo` for the list of scenes, or one of these:\n\n"
            "- `demo tour` shows a little of everything\n"
            "- `demo tools` reads, runs and edits\n"
            "- `demo dialogs` asks you questions\n"),
    )


def _seen(stage: Stage) -> Iterator[Turn]:
    yield turn(
        Think("There is an image. I can only say that it arrived."),
        Say("Your image arrived. This is the **demo agent**, so nobody looks at it, but a real model would see it. "
            "`demo images` shows one that comes back from a tool."),
    )


def _thinking(stage: Stage) -> Iterator[Turn]:
    yield turn(
        Think(
            "The user wants to see thinking, so this block is a longer one.\n\n"
            "**Approach.** First I restate the question: how does a reader keep its place while text grows below it? "
            "Anchoring at the bottom is the obvious answer, and wrong as soon as somebody scrolls up.\n\n"
            "So there are two cases. While the last line is visible, follow it. Otherwise hold the line at the top "
            "of the window and let the text grow out of sight.\n\n"
            "What about folding? A fold above the window changes heights there. The offset has to absorb exactly the "
            "difference, or the text jumps under the reader's eyes.\n\n"
            "That is all. I can answer in two sentences.",
            pace=1.2,
        ),
        Say("A view should **follow** only while its last line is visible. Once you scroll up it should hold the line "
            "you read, whatever grows or folds elsewhere.\n\n"
            "(The thinking above is part of the demo. With thinking off, it is left out.)"),
    )


def _markdown(stage: Stage) -> Iterator[Turn]:
    yield turn(Think("A page with everything Markdown has."), Say(MARKDOWN, pace=0.35))


async def _count(tool: ToolStage) -> Output:
    tool.update()
    await tool.sleep(0.6)
    text = "checked\n"
    tool.update(text)
    structured = {"output": text, "truncated": False, "exit_code": 0, "wall_time_seconds": 0.6}
    return Output([text_block(text)], structured=structured)


def _long(stage: Stage) -> Iterator[Turn]:
    last = len(LONG_PARTS)
    for number, part in enumerate(LONG_PARTS, 1):
        opening = f"**Part {number} of {last}.** Steer me, queue something or press Esc.\n\n"
        call = [Call("bash", {"command": f"echo part {number} of {last}"}, _count)] if number < last else []
        yield turn(Say(opening + part, pace=1.6), *call)


REPLY = Scene("reply", "a short answer", (), _reply)
SEEN = Scene("seen", "an answer to an image", (), _seen)
SCENES = (
    Scene("thinking", "a long thinking block before the answer", ("think", "thinking", "reason"), _thinking),
    Scene("markdown", "everything Markdown can hold", ("markdown", "table", "format"), _markdown),
    Scene("long", "a slow, long answer to steer or to stop", ("long", "slow", "steer"), _long),
)
