"""Whether a project's own settings and extensions may load: the agent never asks over RPC, so pitui does, before.

The rules are the agent's (docs/security.md, 1.6.0): what a project brings, whom its `trust.json` trusts, then the
global setting `defaultProjectTrust`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from pitui.rpc.wire import JsonObject
from pitui.store.jsonfile import FileTrouble, read_object, update_object
from pitui.store.settings import PiSettings

RESOURCES = (
    "settings.json", "mcp.json", "extensions", "skills", "prompts", "themes", "SYSTEM.md", "APPEND_SYSTEM.md",
)
"""What in a project's `.pi` needs trust; `.agents/skills` does too, in the project or above it."""


class Verdict(Enum):
    """`NOTHING`: the project brings nothing that needs trust. Only after `ASK` must the agent be told the answer."""

    NOTHING = "nothing"
    APPROVE = "approve"
    DECLINE = "decline"
    ASK = "ask"


@dataclass(frozen=True, slots=True)
class Decision:
    """What is known about a folder. `saved`: the folder whose saved answer applies. `resources`: what needs trust.

    `problem`: why saved answers cannot be read or written, in words.
    """

    cwd: Path
    verdict: Verdict
    resources: tuple[Path, ...] = ()
    saved: Path | None = None
    problem: str = ""


@dataclass(frozen=True, slots=True)
class TrustChoice:
    """One answer. `updates`: what it writes to `trust.json`; None removes a folder. Nothing for this session only."""

    label: str
    trusted: bool
    updates: tuple[tuple[Path, bool | None], ...] = ()

    @property
    def flag(self) -> str:
        """The agent's option that says so for one process (0.79 and later)."""
        return "--approve" if self.trusted else "--no-approve"


def trust_path(agent_dir: Path) -> Path:
    return agent_dir / "trust.json"


def canonical(path: Path) -> Path:
    return Path(os.path.realpath(path))


def resources_of(cwd: Path, home: Path) -> tuple[Path, ...]:
    """What in `cwd` needs trust. The skills in `home` are the person's own, even when `cwd` is their home."""
    here = canonical(cwd)
    found = [path for name in RESOURCES if (path := here / ".pi" / name).exists()]
    own = canonical(home) / ".agents" / "skills"
    skills = [folder / ".agents" / "skills" for folder in (here, *here.parents)]
    return (*found, *(path for path in skills if path != own and path.exists()))


def read_trust(agent_dir: Path) -> dict[str, bool]:
    """Saved answers by folder. Raises FileTrouble for a file the agent would refuse as well."""
    path = trust_path(agent_dir)
    return {folder: answer for folder, answer in _checked(read_object(path), path).items() if answer is not None}


def _checked(data: JsonObject, path: Path) -> dict[str, bool | None]:
    checked: dict[str, bool | None] = {}
    for folder, answer in data.items():
        if answer is not None and not isinstance(answer, bool):
            raise FileTrouble(f"{path}: the answer for {folder} is neither true, false nor null")
        checked[folder] = answer
    return checked


def nearest(saved: Mapping[str, bool], cwd: Path) -> tuple[Path, bool] | None:
    """The saved answer for `cwd` or the closest folder above it. `cwd` must be canonical."""
    for folder in (cwd, *cwd.parents):
        if (answer := saved.get(str(folder))) is not None:
            return folder, answer
    return None


def judge(needed: bool, saved: bool | None, default: str) -> Verdict:
    """The rule itself: `saved` is the nearest saved answer, `default` the global setting."""
    if not needed:
        return Verdict.NOTHING
    if saved is not None:
        return Verdict.APPROVE if saved else Verdict.DECLINE
    return {"always": Verdict.APPROVE, "never": Verdict.DECLINE}.get(default, Verdict.ASK)


def decide(cwd: Path, agent_dir: Path, settings: PiSettings, home: Path | None = None) -> Decision:
    """What is to be done about `cwd` before an agent is started there. Never raises."""
    here = canonical(cwd)
    resources = resources_of(here, home or Path.home())
    try:
        saved, problem = nearest(read_trust(agent_dir), here), ""
    except FileTrouble as error:
        saved, problem = None, str(error)
    verdict = judge(bool(resources), saved[1] if saved else None, settings.default_project_trust)
    return Decision(here, verdict, resources, saved[0] if saved else None, problem)


def choices(decision: Decision) -> tuple[TrustChoice, ...]:
    """The agent's own answers, in its order; only those for this session when none can be saved."""
    here = decision.cwd
    once = (
        TrustChoice("Trust, this session only", True),
        TrustChoice("Do not trust, this session only", False),
    )
    if decision.problem:
        return once
    above = [] if here.parent == here else [
        TrustChoice(f"Trust the folder above ({here.parent})", True, ((here.parent, True), (here, None)))
    ]
    return (
        TrustChoice("Trust", True, ((here, True),)), *above, once[0],
        TrustChoice("Do not trust", False, ((here, False),)), once[1],
    )


def question(decision: Decision) -> str:
    """What is asked, and what it is about."""
    shown = [str(path) for path in decision.resources[:8]]
    more = len(decision.resources) - len(shown)
    lines = [
        str(decision.cwd), "",
        "Trusting it lets the agent load what the folder brings: settings, packages, prompts, and extensions that run "
        "as programs on this machine.", "", *shown, *([f"… and {more} more"] if more else []),
    ]
    return "\n".join([*lines, "", decision.problem] if decision.problem else lines)


def save_trust(agent_dir: Path, updates: Sequence[tuple[Path, bool | None]]) -> None:
    """Write answers under the agent's own lock, as it would. Raises FileTrouble, and then nothing is changed."""
    path = trust_path(agent_dir)

    def change(data: JsonObject) -> JsonObject:
        answers = _checked(data, path)
        for folder, answer in updates:
            answers.pop(str(canonical(folder)), None)
            if answer is not None:
                answers[str(canonical(folder))] = answer
        return dict(sorted(answers.items()))

    if updates:
        update_object(path, change)
