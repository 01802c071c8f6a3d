"""From the command line and the settings to a running agent, or a recording that stands in for one."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from pitui.cli import AGENT, Options
from pitui.rpc.trace import ReplayTransport
from pitui.rpc.transport import ProcessTransport, Transport
from pitui.store.settings import Settings


@dataclass(slots=True)
class Launcher:
    """Starts agents for one conversation. `cwd` is where they work.

    The session named on the command line holds for the first start; later ones name the session that is open. `trust`
    is the agent's option with the person's answer, if they were asked.
    """

    options: Options
    settings: Settings
    cwd: Path
    environ: Mapping[str, str]
    session_file: str | None = None
    fork: str | None = None
    trust: str | None = None
    extensions: bool = True

    def command_line(self) -> tuple[str, ...]:
        """The whole command that `connect` would run now."""
        options = self.options
        if not self.extensions:
            options = replace(options, agent_options=options.without_extensions())
        command = options.argv(self._setting())
        if self.trust is not None and not {"--approve", "--no-approve"} & set(command):
            command = (*command, self.trust)
        if self.session_file is not None:
            command = tuple(word for word in command if word not in ("--continue", "--no-session"))
            return (*command, "--session", self.session_file)
        named = (("--session", options.session), ("--fork", self.fork or options.fork))
        return (*command, *(word for name, value in named if value for word in (name, value)))

    def program(self) -> tuple[str, ...]:
        """The agent without its RPC mode, for its own sub-commands such as `auth login`."""
        words = self.options.agent or self._setting() or AGENT
        cut = next((at for at, word in enumerate(words) if word == "--mode"), len(words))
        return (*words[:cut], *words[cut + 2 :])

    def connect(self, session_file: str | None) -> Transport:
        """Start the agent, or open the recording. Raises SpawnFailed; OSError for a recording that is not there."""
        if self.options.replay is not None:
            source = sys.stdin.buffer if self.options.replay == "-" else Path(self.options.replay)
            return ReplayTransport(source, self.options.speed)
        self.session_file = session_file or self.session_file
        environ = dict(self.environ)
        if self.options.demo:
            environ["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
        return ProcessTransport(self.command_line(), self.cwd, environ)

    def _setting(self) -> tuple[str, ...] | None:
        words = shlex.split(self.settings.agent)
        return (*words, "--mode", "rpc") if words else None
