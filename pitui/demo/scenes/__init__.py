"""The scenes: what the pretended model does with a prompt."""

from __future__ import annotations

import re

from pitui.demo.scenes import asking, edges, media, talk, tour, trouble, work
from pitui.demo.script import Say, Scene, Turn

SCENES: tuple[Scene, ...] = (
    tour.TOUR, *talk.SCENES, *work.SCENES, *asking.SCENES, *trouble.SCENES, *media.SCENES, *edges.SCENES,
)


def by_name(name: str) -> Scene | None:
    return next((scene for scene in SCENES if scene.name == name), None)


def scene_for(text: str, has_images: bool = False) -> Scene:
    """The scene a prompt asks for: `demo NAME`, else the first with one of its words in it, else a plain reply."""
    if named := re.match(r"\s*demo\s+(\w+)", text):
        scene = by_name(named[1].lower())
        if scene:
            return scene
    if has_images:
        return talk.SEEN
    words = set(re.findall(r"[a-z]+", text.lower()))
    return next((scene for scene in SCENES if words & set(scene.words)), talk.REPLY)


def steered(text: str, following: Turn) -> Turn:
    """The scene's next turn, opened by a word on what the user said in between."""
    heard = Say(f"Heard you in between: “{talk.short(text)}”. The demo cannot act on it, so the script goes on.\n\n")
    return Turn([heard, *following.parts], following.failure, following.stop_reason)


def overview() -> str:
    """All scenes with what they show, as Markdown."""
    rows = "\n".join(f"| `/demo {scene.name}` | {scene.about} |" for scene in SCENES)
    return f"**What the demo can play**\n\n| | |\n|---|---|\n{rows}\n\nAny other prompt gets a short scripted answer."
