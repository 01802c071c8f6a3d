"""The command line of the real agent, as far as the demo cares."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

WITH_VALUE = frozenset({
    "--provider", "--model", "--api-key", "--system-prompt", "--append-system-prompt", "--mode", "--session",
    "--session-id", "--fork", "--session-dir", "--name", "-n", "--models", "--tools", "-t", "--exclude-tools", "-xt",
    "--thinking", "--extension", "-e", "--skill", "--prompt-template", "--theme", "--use-theme", "--tui-mode",
})
FLAGS = frozenset({
    "--print", "-p", "--continue", "-c", "--resume", "-r", "--no-session", "--no-tools", "-nt", "--no-builtin-tools",
    "-nbt", "--no-extensions", "-ne", "--no-mcp", "--no-skills", "-ns", "--no-prompt-templates", "-np", "--no-themes",
    "--no-context-files", "-nc", "--verbose", "--approve", "-a", "--no-approve", "-na", "--offline", "--",
    "--help", "-h", "--version", "-v",
})


@dataclass
class Options:
    """What the demo does with its arguments. Nothing is written to disk unless one of the paths is given."""

    session: str | None = None
    session_id: str | None = None
    session_dir: Path | None = None
    fork: str | None = None
    no_session: bool = False
    resume_newest: bool = False
    name: str | None = None
    model: str | None = None
    thinking: str | None = None
    show_version: bool = False
    show_help: bool = False


def parse(arguments: list[str], warn: Callable[[str], None]) -> Options:
    """Read the arguments; those unknown, and messages, are passed over with a word to `warn`."""
    options = Options()
    rest = iter(arguments)
    for argument in rest:
        name, equals, value = argument.partition("=")
        if name in WITH_VALUE:
            _set(options, name, value if equals else next(rest, ""))
        elif argument in FLAGS:
            _switch(options, argument)
        elif argument.startswith("-"):
            warn(f"unknown option ignored: {argument}")
        else:
            warn("messages on the command line are ignored in RPC mode")
    return options


def _set(options: Options, name: str, value: str) -> None:
    match name:
        case "--session":
            options.session = value
        case "--session-id":
            options.session_id = value
        case "--session-dir":
            options.session_dir = Path(value)
        case "--fork":
            options.fork = value
        case "--name" | "-n":
            options.name = value.strip() or None
        case "--model":
            options.model = value
        case "--thinking":
            options.thinking = value


def _switch(options: Options, name: str) -> None:
    match name:
        case "--no-session":
            options.no_session = True
        case "--continue" | "-c" | "--resume" | "-r":
            options.resume_newest = True
        case "--version" | "-v":
            options.show_version = True
        case "--help" | "-h":
            options.show_help = True
