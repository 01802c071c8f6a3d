"""What keeps the agent from working, in words a person can act on. Pure."""

from __future__ import annotations

import re
import signal
from dataclasses import dataclass

from pitui.render import text as texts

TAIL = 12
"""Lines of the agent's stderr that are shown."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """`title` says what happened, `advice` what to do, `evidence` what the agent said last on its stderr."""

    title: str
    advice: str
    evidence: tuple[str, ...] = ()


def exited(code: int | None, stderr: tuple[str, ...], started: bool, question: bool, command: str) -> Trouble:
    """The agent ended. `started`: it had answered before; `question`: one of its dialogs was open."""
    tail = _tail(stderr)
    text = "\n".join(tail)
    if code is None:
        return Trouble(f"The agent could not be started: {command}", _not_found(text), tail)
    title = f"The agent ended ({_how(code)})"
    if question:
        title += " while a question of its was open"
    if started:
        return Trouble(title, "Its session, your draft and what was queued are kept.", tail)
    return Trouble(title + " at start", _advice(text), tail)


def no_model() -> Trouble:
    return Trouble(
        "The agent has no model it could use",
        "/login signs in to a provider; or set a provider's API key in the environment and start again.",
    )


def no_session(why: str) -> Trouble:
    return Trouble(why, "pitui --resume lists what there is; without --session a new one begins.")


def held(why: str) -> Trouble:
    return Trouble(why, "Two agents would spoil one file: close it there, or open another session with /resume.")


def _how(code: int) -> str:
    if code in (137, 143, 129, 130):
        code = 128 - code
    if code >= 0:
        return f"exit code {code}"
    try:
        name = signal.Signals(-code).name
    except ValueError:
        return f"signal {-code}"
    return f"signal {-code}, {name}"


def _not_found(text: str) -> str:
    if "not found" in text or "No such file" in text:
        return (
            "Install it with `npm install -g @earendil-works/pi-coding-agent` (Node 22.19 or newer), "
            "or name another with --agent."
        )
    return "Name another agent with --agent, or try the demo."


def _advice(text: str) -> str:
    if re.search(r"SyntaxError|ERR_UNKNOWN_BUILTIN_MODULE|Unsupported engine|requires? Node|styleText", text):
        return "This is often a Node too old for it: pi needs Node 22.19 or newer (node --version tells)."
    if re.search(r"[Ee]xtension", text):
        return "An extension keeps it from starting: start without extensions, or mend the one named below."
    if re.search(r"[Ss]ession", text):
        return "It could not open that session: pitui --resume lists what there is."
    if re.search(r"[Uu]nknown option|[Uu]nexpected argument", text):
        return "It does not know an option it was given: see its --help."
    return "What it said last is below; details are in /diagnostics."


def _tail(stderr: tuple[str, ...]) -> tuple[str, ...]:
    lines = [line.rstrip() for text in stderr for line in texts.sanitize(text).split("\n")]
    return tuple(line for line in lines if line)[-TAIL:]
