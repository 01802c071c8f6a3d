"""The one table of what a person can do: bindings, slash menu, palette, help and the README come from it.

A command's behaviour is `action_<id>` of the chat screen; a test holds the two against each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum


class Group(Enum):
    AGENT = "Agent"
    SESSION = "Session"
    MODEL = "Model and thinking"
    TRANSCRIPT = "Transcript"
    APP = "pitui"


@dataclass(frozen=True, slots=True)
class Command:
    """`pi` is the id in the agent's keybindings.json, whose default keys it then has (see `keytable`); `keys` are those
    of a command that pi does not have, in Textual's names, separated by commas.

    `slash` is its name behind a `/`, with `argument` as a hint when it takes one.
    """

    id: str
    title: str
    group: Group
    keys: str = ""
    slash: str = ""
    argument: str = ""
    pi: str = ""

    @property
    def key_id(self) -> str:
        """The id under which people may bind other keys to it."""
        return self.pi or f"pitui.{self.id}"


COMMANDS: tuple[Command, ...] = (
    Command("interrupt", "Cancel, take the queue back and stop", Group.AGENT, pi="app.interrupt"),
    Command("take_back", "Take the queue back into the composer", Group.AGENT, pi="app.message.dequeue"),
    Command("queue", "Edit what waits to be sent", Group.AGENT, "alt+w", slash="queue"),
    Command("compact", "Compact the conversation", Group.AGENT, slash="compact", argument="[instructions]"),
    Command("toggle_auto_compaction", "Compact by itself, or not", Group.AGENT, slash="auto-compact"),
    Command("toggle_auto_retry", "Retry by itself, or not", Group.AGENT, slash="auto-retry"),
    Command("steering_mode", "Steering messages: all or one at a time", Group.AGENT, slash="steering-mode"),
    Command("follow_up_mode", "Follow-ups: all or one at a time", Group.AGENT, slash="follow-up-mode"),
    Command("restart", "Start the agent again on the same session", Group.AGENT, "f5", slash="restart"),
    Command("restart_bare", "Start the agent without extensions", Group.AGENT, "f6"),
    Command("demo", "Try the demo agent", Group.AGENT, "f9"),
    Command("diagnostics", "What the agent said on its stderr, and what could not be read", Group.AGENT, "f8",
            slash="diagnostics"),
    Command("reload", "Read extensions, skills and settings again", Group.AGENT, slash="reload"),
    Command("trust", "Trust this project's resources, or not", Group.AGENT, slash="trust"),
    Command("login", "Sign in to a provider", Group.AGENT, slash="login", argument="[provider]"),
    Command("logout", "Sign out of a provider", Group.AGENT, slash="logout", argument="[provider]"),
    Command("new_session", "Start a new session", Group.SESSION, slash="new", pi="app.session.new"),
    Command("resume", "Open another session", Group.SESSION, slash="resume", pi="app.session.resume"),
    Command("name_session", "Name this session", Group.SESSION, slash="name", argument="<name>"),
    Command("session_info", "Messages, tokens and cost of this session", Group.SESSION, slash="session"),
    Command("tree", "The session's tree", Group.SESSION, slash="tree", pi="app.session.tree"),
    Command("fork", "New session from an earlier prompt", Group.SESSION, slash="fork", pi="app.session.fork"),
    Command("clone", "Copy this session and go on in the copy", Group.SESSION, slash="clone"),
    Command("export", "Write the session as HTML, Markdown or JSONL", Group.SESSION, slash="export",
            argument="[file]"),
    Command("import_session", "Open a copy of a session file", Group.SESSION, slash="import", argument="<file>"),
    Command("share", "Share the session", Group.SESSION, slash="share"),
    Command("copy_last", "Copy the last answer, or the selection", Group.SESSION, slash="copy",
            pi="app.message.copy"),
    Command("models", "Choose a model", Group.MODEL, slash="model", argument="[search]",
            pi="app.model.select"),
    Command("next_model", "Next model", Group.MODEL, pi="app.model.cycleForward"),
    Command("previous_model", "Previous model", Group.MODEL, pi="app.model.cycleBackward"),
    Command("scoped_models", "Which models to cycle through", Group.MODEL, slash="scoped-models"),
    Command("thinking", "Choose a thinking level", Group.MODEL, slash="thinking", argument="[level]"),
    Command("next_thinking", "Next thinking level", Group.MODEL, pi="app.thinking.cycle"),
    Command("toggle_tools", "Fold or unfold tool output", Group.TRANSCRIPT, pi="app.tools.expand"),
    Command("toggle_thinking", "Show thinking: hidden, first line, full", Group.TRANSCRIPT,
            pi="app.thinking.toggle"),
    Command("toggle_source", "Rendered or source", Group.TRANSCRIPT, "alt+s"),
    Command("toggle_meta", "Model, tokens, cost and time under answers", Group.TRANSCRIPT, "alt+m"),
    Command("search", "Search the transcript", Group.TRANSCRIPT, slash="search",
            argument="[text]", pi="tui.altScreen.search"),
    Command("page_up", "Page up", Group.TRANSCRIPT, pi="tui.altScreen.pageUp"),
    Command("page_down", "Page down", Group.TRANSCRIPT, pi="tui.altScreen.pageDown"),
    Command("half_page_up", "Half a page up", Group.TRANSCRIPT, pi="tui.altScreen.halfPageUp"),
    Command("half_page_down", "Half a page down", Group.TRANSCRIPT, pi="tui.altScreen.halfPageDown"),
    Command("line_up", "A line up", Group.TRANSCRIPT, pi="tui.altScreen.lineUp"),
    Command("line_down", "A line down", Group.TRANSCRIPT, pi="tui.altScreen.lineDown"),
    Command("top", "Top of the transcript", Group.TRANSCRIPT, pi="tui.altScreen.top"),
    Command("bottom", "End of the transcript, and follow it", Group.TRANSCRIPT, pi="tui.altScreen.bottom"),
    Command("previous_prompt", "Previous prompt", Group.TRANSCRIPT,
            pi="tui.altScreen.previousPrompt"),
    Command("next_prompt", "Next prompt", Group.TRANSCRIPT,
            pi="tui.altScreen.nextPrompt"),
    Command("previous_error", "Previous error", Group.TRANSCRIPT, "alt+e"),
    Command("next_error", "Next error", Group.TRANSCRIPT, "alt+shift+e"),
    Command("browse", "Move through the transcript entry by entry", Group.TRANSCRIPT, "f2"),
    Command("settings", "Settings", Group.APP, slash="settings"),
    Command("hotkeys", "Keys and commands", Group.APP, "f1", slash="hotkeys"),
    Command("changelog", "What is new", Group.APP, slash="changelog"),
    Command("bug", "Report a problem", Group.APP, slash="bug"),
    Command("mouse", "Give the mouse to the terminal, or take it", Group.APP, slash="mouse"),
    Command("suspend", "Suspend pitui", Group.APP, pi="app.suspend"),
    Command("external_editor", "Write in an external editor", Group.APP, pi="app.editor.external"),
    Command("clear", "Clear the composer; twice quits", Group.APP, pi="app.clear"),
    Command("exit", "Quit when the composer is empty", Group.APP, pi="app.exit"),
    Command("leave", "Quit", Group.APP, slash="quit"),
)

BY_ID: Mapping[str, Command] = {command.id: command for command in COMMANDS}
BY_SLASH: Mapping[str, Command] = {command.slash: command for command in COMMANDS if command.slash}

AGENTS_OWN = frozenset({"mcp", "llama"})
"""Slash commands that look built in and are the agent's own extensions: they go to the agent as prompts."""


@dataclass(frozen=True, slots=True)
class Slash:
    """What a line that starts with a slash means."""

    name: str
    argument: str
    command: Command | None = None
    known: bool = False
    """The agent knows the name: an extension's command, a template or a skill."""


def parse_shell(text: str) -> tuple[str, bool] | None:
    """The command of `!command`, and whether `!!` keeps it from the model; None when it is a prompt."""
    if not text.startswith("!") or not text.strip("! \n"):
        return None
    excluded = text.startswith("!!")
    return text[2 if excluded else 1 :].strip(), excluded


def parse_slash(text: str, agent_names: Iterable[str]) -> Slash | None:
    """The command in `text`; None when it is a prompt, as a path in the first word is (`/home/me/x.py explain`)."""
    if not text.startswith("/"):
        return None
    words = text[1:].split(None, 1) if text[1:2].strip() else []
    name, argument = (*words, "", "")[:2]
    if not name or "/" in name or "." in name:
        return None
    command = None if name in AGENTS_OWN else BY_SLASH.get(name)
    known = command is None and (name in AGENTS_OWN or name in frozenset(agent_names))
    return Slash(name, argument.strip(), command, known)
