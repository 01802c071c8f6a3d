"""The command line: what a person may write after `pitui`, as one value."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from pitui import __version__

USAGE_ERROR = 2
"""Exit status of a command line that makes no sense."""

AGENT = ("pi", "--mode", "rpc")
"""What is started when nothing else is asked for."""


@dataclass(frozen=True, slots=True)
class Options:
    """One start of pitui. `agent_options` go to the agent as they are, after `agent` (None: the setting, else pi)."""

    message: str = ""
    agent: tuple[str, ...] | None = None
    agent_options: tuple[str, ...] = ()
    cwd: Path = Path()
    demo: bool = False
    record: Path | None = None
    replay: str | None = None
    speed: float = 1.0
    theme: str | None = None
    resume: bool = False
    session: str | None = None
    fork: str | None = None
    session_dir: str | None = None
    continue_last: bool = False
    no_session: bool = False
    approve: bool | None = None

    def argv(self, setting: Sequence[str] | None = None) -> tuple[str, ...]:
        """The agent's command line; `setting` is the person's own agent command, if any."""
        if self.demo:
            return (sys.executable, "-m", "pitui.demo", "--mode", "rpc", *self.agent_options)
        return (*(self.agent or tuple(setting or ()) or AGENT), *self.agent_options)

    def without_extensions(self) -> tuple[str, ...]:
        """`agent_options` for a start without extensions, for when one of them keeps the agent from starting."""
        kept: list[str] = []
        options = iter(self.agent_options)
        for option in options:
            if option == "--extension":
                next(options, None)
            else:
                kept.append(option)
        return (*kept, "--no-extensions")


_PASSED_VALUES = (
    (("--provider",), "NAME", "Model provider."),
    (("--model",), "PATTERN", "Model id or pattern, provider/id, with an optional :thinking."),
    (("--models",), "PATTERNS", "Models to cycle through, separated by commas."),
    (("--thinking",), "LEVEL", "Thinking level: off, minimal, low, medium, high, xhigh or max."),
    (("-n", "--name"), "NAME", "Name of the session."),
    (("--tools",), "NAMES", "Tools to allow, separated by commas."),
    (("--exclude-tools",), "NAMES", "Tools to leave out, separated by commas."),
    (("--system-prompt",), "TEXT", "Replace the system prompt."),
    (("--append-system-prompt",), "TEXT", "Add to the system prompt."),
    (("--api-key",), "KEY", "API key for the provider."),
)
_PASSED_LISTS = (
    (("-e", "--extension"), "FILE", "Load an extension; may be repeated."),
    (("--skill",), "PATH", "Load a skill; may be repeated."),
    (("--prompt-template",), "PATH", "Load a prompt template; may be repeated."),
)
_PASSED_FLAGS = (
    (("--offline",), "No network access at start."),
    (("--no-tools",), "No tools at all."),
    (("--no-extensions",), "Load no extensions but those named with -e."),
    (("--no-skills",), "Load no skills."),
    (("--no-prompt-templates",), "Load no prompt templates."),
    (("--no-context-files",), "Load no AGENTS.md and the like."),
    (("--no-mcp",), "Start no MCP servers."),
)


def _parameters() -> list[click.Parameter]:
    def value(names: tuple[str, ...], metavar: str, text: str, **more: object) -> click.Option:
        return click.Option(names, metavar=metavar, help=text, **more)  # type: ignore[arg-type]  # click's own kwargs

    def flag(names: tuple[str, ...], text: str) -> click.Option:
        return click.Option(names, is_flag=True, help=text)

    folder = click.Path(exists=True, file_okay=False, path_type=Path)
    return [
        click.Argument(["message"], nargs=-1, metavar="[MESSAGE]..."),
        value(("--session",), "FILE|ID", "Open a session by file, id or the start of an id."),
        flag(("-c", "--continue"), "Go on with the last session of this folder."),
        flag(("-r", "--resume"), "Pick a session from a list."),
        value(("--fork",), "FILE|ID", "Start a new session as a copy of another one."),
        flag(("--no-session",), "Keep nothing on disk."),
        value(("--session-dir",), "DIR", "Where sessions are kept."),
        *(value(names, metavar, text) for names, metavar, text in _PASSED_VALUES),
        *(value(names, metavar, text, multiple=True) for names, metavar, text in _PASSED_LISTS),
        click.Option(["--approve/--no-approve"], default=None, help="Trust this project's resources, or do not."),
        *(flag(names, text) for names, text in _PASSED_FLAGS),
        value(("--agent",), "CMD", "The agent's command line, split as a shell would; the options above are appended."),
        click.Option(["--cwd"], type=folder, metavar="DIR", help="Folder to work in.", default=Path()),
        flag(("--demo",), "Talk to the embedded demo agent: no Node, no key, no network."),
        click.Option(["--record"], type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
                     help="Write everything said on the wire to FILE."),
        value(("--replay",), "FILE", "Play a recording, or the output of `pi --mode json` (- for standard input)."),
        click.Option(["--speed"], type=click.FloatRange(min=0), metavar="N", default=1.0, show_default=True,
                     help="Speed of a replay; 0 is as fast as possible."),
        value(("--theme",), "NAME", "Colour theme."),
        click.Option(["--version"], is_flag=True, is_eager=True, expose_value=False, help="Show the version and exit.",
                     callback=_show_version),
    ]


def _show_version(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted:
        click.echo(f"pitui {__version__}")
        context.exit()


def command() -> click.Command:
    """The command line as click sees it; what it returns from `main(standalone_mode=False)` is its parameters."""
    return click.Command(
        "pitui",
        params=_parameters(),
        callback=lambda **given: given,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
        options_metavar="[OPTIONS]",
        help=(
            "A terminal front-end for the coding agent pi.\n\n"
            "MESSAGE is sent as the first prompt. What follows a -- goes to the agent untouched."
        ),
    )


def parse(arguments: Sequence[str]) -> Options | None:
    """The options in `arguments`, or None when they asked for help or the version, which has then been printed.

    Raises click.UsageError with one clear sentence for anything that makes no sense.
    """
    ours, extra = list(arguments), []
    if "--" in ours:
        cut = ours.index("--")
        ours, extra = ours[:cut], ours[cut + 1 :]
    given = command().main(args=ours, prog_name="pitui", standalone_mode=False)
    return _options(given, extra) if isinstance(given, dict) else None


def _options(given: dict[str, object], extra: Sequence[str]) -> Options:
    agent = given["agent"]
    if isinstance(agent, str):
        try:
            words = tuple(shlex.split(agent))
        except ValueError as error:
            raise click.UsageError(f"--agent cannot be split into words: {error}") from error
        if not words:
            raise click.UsageError("--agent is empty")
    else:
        words = None
    chosen = [name for name in ("session", "continue", "resume", "fork", "no_session") if given[name]]
    if len(chosen) > 1 and chosen != ["fork", "no_session"]:
        raise click.UsageError("--" + " and --".join(name.replace("_", "-") for name in chosen) + " exclude each other")
    if given["demo"] and (words or given["replay"]):
        raise click.UsageError("--demo excludes --agent and --replay")
    return Options(
        message=" ".join(_texts(given["message"])),
        agent=words,
        agent_options=(*_passed_on(given), *extra),
        cwd=_path(given["cwd"]),
        demo=bool(given["demo"]),
        record=_path(given["record"]) if given["record"] else None,
        replay=_text(given["replay"]),
        speed=float(str(given["speed"])),
        theme=_text(given["theme"]),
        resume=bool(given["resume"]),
        session=_text(given["session"]),
        fork=_text(given["fork"]),
        session_dir=_text(given["session_dir"]),
        continue_last=bool(given["continue"]),
        no_session=bool(given["no_session"]),
        approve=given["approve"] if isinstance(given["approve"], bool) else None,
    )


def _passed_on(given: dict[str, object]) -> list[str]:
    """The agent's own options. `--session` and `--fork` are not here: pitui finds out first what they mean."""
    words: list[str] = []
    for names, *_ in ((("--session-dir",),), *_PASSED_VALUES):
        if (text := _text(given[_key(names)])) is not None:
            words += [names[-1], text]
    for names, *_ in _PASSED_LISTS:
        for text in _texts(given[_key(names)]):
            words += [names[-1], text]
    words += [names[-1] for names, _ in _PASSED_FLAGS if given[_key(names)]]
    words += [option for option in ("--continue", "--no-session") if given[_key((option,))]]
    if isinstance(given["approve"], bool):
        words.append("--approve" if given["approve"] else "--no-approve")
    return words


def _key(names: tuple[str, ...]) -> str:
    return names[-1].lstrip("-").replace("-", "_")


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _texts(value: object) -> tuple[str, ...]:
    return tuple(str(item) for item in value) if isinstance(value, (tuple, list)) else ()


def _path(value: object) -> Path:
    return value if isinstance(value, Path) else Path()
