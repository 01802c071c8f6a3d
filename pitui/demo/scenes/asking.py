"""Scenes in which an extension asks and shows."""

from __future__ import annotations

from collections.abc import Iterator

from pitui.demo.messages import text_block
from pitui.demo.scenes.work import bash_output
from pitui.demo.script import Call, Output, Say, Scene, Think, Turn, turn
from pitui.demo.stage import Stage, ToolStage

TIMEOUT = 12.0


def _answered(value: object) -> str:
    return "no answer" if value is None else repr(value)


async def _ask_all(tool: ToolStage) -> Output:
    ui = tool.ui
    colours = ["Amber", "Blue", "Green", "None of these"]
    answers = [("select", _answered(await ui.select("Demo: which colour?\nAny of them will do.", colours)))]
    await tool.sleep(0)
    answers.append(("confirm", _answered(await ui.confirm("Demo: go on?", "There are six more questions."))))
    await tool.sleep(0)
    answers.append(("input", _answered(await ui.input("Demo: a word, please", "anything"))))
    await tool.sleep(0)
    answers.append(("editor", _answered(await ui.editor("Demo: change this text", "First line\nSecond line\n"))))
    await tool.sleep(0)
    late = await ui.select("Demo: quick, pick one", ["Left", "Right"], limit=TIMEOUT)
    answers.append(("select with a timeout", _answered(late)))
    await tool.sleep(0)
    sure = await ui.confirm("Demo: still there?", "This question goes away by itself.", limit=TIMEOUT)
    answers.append(("confirm with a timeout", _answered(sure)))
    await tool.sleep(0)
    word = await ui.input("Demo: one more word", "or wait", limit=TIMEOUT)
    answers.append(("input with a timeout", _answered(word)))
    await tool.sleep(0)
    lines = "\n".join(f"{kind}: {answer}" for kind, answer in answers)
    return Output([text_block(lines)], details={"answers": dict(answers)})


def _dialogs(stage: Stage) -> Iterator[Turn]:
    def keep(output: Output) -> Output:
        stage.noted["answers"] = str(output.content[0]["text"])
        return output

    async def ask(tool: ToolStage) -> Output:
        return keep(await _ask_all(tool))

    yield turn(
        Say("I have seven questions. The last three wait only a few seconds."),
        Call("questionnaire", {"about": "every kind of question"}, ask),
    )
    rows = "\n".join(f"- {line}" for line in stage.noted.get("answers", "nothing").split("\n"))
    yield turn(Say(f"Your answers:\n\n{rows}"))


def _gate(stage: Stage) -> Iterator[Turn]:
    command: dict[str, object] = {"command": "git push --force origin demo"}

    async def guarded(tool: ToolStage) -> Output:
        allowed = await tool.ui.confirm("Allow this command?", f"$ {command['command']}\n\n(The demo runs nothing.)")
        await tool.sleep(0)
        stage.noted["allowed"] = "yes" if allowed else "no"
        if not allowed:
            tool.ui.notify("Command blocked by user", "warning")
            return Output([text_block("Blocked by user")], details={}, is_error=True, timed=False)
        tool.update()
        await tool.sleep(0.8)
        text = "To demo.invalid:reader.git\n + 1a2b3c4...5d6e7f8 demo -> demo (forced update)\n"
        tool.update(text)
        return bash_output(text, 0.8)

    yield turn(
        Think("This one needs permission."),
        Say("I push the branch; the permission gate will ask you first."),
        Call("bash", command, guarded),
    )
    if stage.noted.get("allowed") == "yes":
        yield turn(Say("Pushed, in the demo's imagination."))
    else:
        yield turn(Say("You blocked it, so I leave the branch alone."))


def _status(stage: Stage) -> Iterator[Turn]:
    ui = stage.ui

    async def show(tool: ToolStage) -> Output:
        ui.set_title("pitui · demo at work")
        ui.set_widget("demo-plan", ["\x1b[1mPlan\x1b[0m", "  \x1b[32m✓\x1b[0m look", "  \x1b[33m●\x1b[0m show",
                                    "  \x1b[2m○ tidy up\x1b[0m"])
        ui.set_widget("demo-below", ["\x1b[36mdemo\x1b[0m a widget \x1b[4mbelow\x1b[0m the editor"], below=True)
        for step in range(1, 6):
            ui.set_status("demo-progress", f"\x1b[35m●\x1b[0m step {step} of 5")
            tool.update(f"step {step} of 5")
            await tool.sleep(0.7)
        ui.set_status("demo-progress", None)
        ui.set_status("demo-mood", "\x1b[32m✓ calm\x1b[0m")
        ui.set_widget("demo-plan", None)
        ui.set_title("pitui · demo")
        ui.notify("Demo: an information")
        ui.notify("Demo: a warning", "warning")
        ui.notify("Demo: an error", "error")
        ui.set_editor_text("This text was put here by the demo.")
        return Output([text_block("Shown: statuses, widgets, title, notices and a prefilled editor.")])

    yield turn(Say("Watch the edges of the window."), Call("show_status", {"steps": 5}, show))
    yield turn(Say("One widget below the editor and one status stay, so that you can look at them. "
                   "Your editor has a new text."))


SCENES = (
    Scene("dialogs", "every kind of question, with and without a timeout", ("dialog", "dialogs"),
          _dialogs),
    Scene("gate", "a command that needs your permission", ("gate", "push", "permission"), _gate),
    Scene("status", "status, widgets, title, notices, a prefilled editor", ("status", "widget", "widgets"), _status),
)
