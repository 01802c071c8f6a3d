"""Slash commands: the demo's own, a prompt template and a skill."""

from __future__ import annotations

from pitui.demo import scenes
from pitui.demo.agent import Agent
from pitui.demo.messages import user_message
from pitui.demo.records import Record

EXTENSION = "demo"
TEMPLATE = "demo-explain"
SKILL = "skill:demo-notes"
SOURCE = "pitui-demo"


def listing() -> list[Record]:
    """The commands in the answer to `get_commands`."""
    return [
        _command(EXTENSION, "Demo: list the scenes, or play one (/demo tour)", "extension"),
        _command(TEMPLATE, "Demo: a prompt template that explains its arguments", "prompt"),
        _command(SKILL, "Demo: a skill that does nothing but be listed", "skill"),
    ]


def _command(name: str, description: str, source: str) -> Record:
    info: Record = {"path": f"builtin:{SOURCE}", "source": "builtin", "scope": "temporary", "origin": "top-level"}
    return {"name": name, "description": description, "source": source, "sourceInfo": info}


def is_command(text: str) -> bool:
    """Whether `text` calls the extension's command, which never goes to the model."""
    return text.split(maxsplit=1)[:1] == [f"/{EXTENSION}"] and text.startswith("/")


def run(agent: Agent, text: str) -> None:
    """Carry the command out: list the scenes, or have the agent asked to play one."""
    wanted = text.split()[1:]
    if wanted and scenes.by_name(wanted[0]):
        message = user_message(f"demo {wanted[0]}")
        if agent.run or agent.is_compacting:
            agent.queue.add(message, follow_up=True)
        else:
            agent.start_run(message)
        return
    if wanted:
        agent.ui.notify(f"The demo has no scene called {wanted[0]}", "warning")
    names = ", ".join(scene.name for scene in scenes.SCENES if scene.words)
    agent.ui.notify(f"Demo scenes: {names}. Play one with /demo NAME.")
    agent.show_custom("pitui-demo", scenes.overview())


def expanded(text: str) -> str:
    """The text as the model gets it: templates and skills are spelled out."""
    name, _, arguments = text.partition(" ")
    if name == f"/{TEMPLATE}":
        return f"Explain in plain words: {arguments or 'what this demo is'}."
    if name == f"/{SKILL}":
        body = "# Demo notes\n\nThis skill is part of the demo and does nothing."
        skill = f'<skill name="demo-notes" location="builtin:{SOURCE}">\n{body}\n</skill>'
        return f"{skill}\n\n{arguments}" if arguments else skill
    return text
