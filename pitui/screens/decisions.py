"""Questions that come before an agent starts: is the project trusted, and what if a session's folder is gone."""

from __future__ import annotations

from enum import Enum
from pathlib import Path

from pitui.agent.trust import Decision, TrustChoice, choices, question
from pitui.catalog.cards import SessionCard
from pitui.render.lines import Palette
from pitui.screens.ask import AskScreen


def trust_screen(decision: Decision, palette: Palette) -> AskScreen[TrustChoice]:
    """Asks about a folder; the answer that allows nothing and stays nowhere is under the cursor."""
    answers = [(choice.label, choice) for choice in choices(decision)]
    return AskScreen("do you trust this folder?", question(decision), answers, palette, cursor=len(answers) - 1)


class MissingFolder(Enum):
    """What to do with a session whose folder is gone: open it here this once, or copy it into a new session here."""

    CONTINUE = "continue"
    FORK = "fork"


def missing_folder_screen(card: SessionCard, here: Path, palette: Palette) -> AskScreen[MissingFolder]:
    """Asks the agent's own question; None stays where one is."""
    body = f"The session ran in {card.cwd}, which does not exist any more."
    answers = [
        (f"Continue in {here} (asks again next time)", MissingFolder.CONTINUE),
        (f"Fork into {here} (a new session, the original stays)", MissingFolder.FORK),
    ]
    return AskScreen("the session's folder is gone", body, answers, palette)
