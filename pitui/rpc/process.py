"""The agent as a process of the operating system. Standard library only, so that it can be started before all else."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ProcessExit:
    """How an agent ended: its exit code (negative: a signal's number, None: unknown) and the last of its stderr."""

    code: int | None
    stderr: tuple[str, ...] = ()
