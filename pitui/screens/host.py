"""What the chat screen needs of the app it runs in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from pitui.render.images import Size
from pitui.render.placeholders import Picture
from pitui.rpc.messages import Model
from pitui.session.state import Entry
from pitui.store.settings import PiSettings


class Host(Protocol):
    """The program around a conversation: processes, terminal, clipboard, files."""

    def command_line(self) -> tuple[str, ...]:
        """The command that starts the agent."""

    def key_hint(self, key_id: str) -> str:
        """The first key bound to an id of the key table."""

    def reload_keys(self) -> None:
        """Read the key files again if they changed."""

    def start_agent(self, extensions: bool = True, demo: bool = False) -> None:
        """Start the agent (again), on the same session when there is one."""

    def agent_settings(self) -> PiSettings:
        """The agent's own settings as they hold in this folder."""

    def copy_text(self, text: str) -> str:
        """Copy to the clipboard; says what became of it."""

    @property
    def cell(self) -> Size | None:
        """The pixels of a cell, where the terminal draws pictures itself."""

    def show_pictures(self, needed: Iterable[Picture]) -> None:
        """Let the terminal hold the pictures on the screen; called before they are drawn."""

    def set_window_title(self, title: str) -> None: ...

    def attention(self, reason: str) -> None:
        """Tell a person who is looking elsewhere."""

    def leave(self, status: int = 0) -> None:
        """End pitui, in order, with this exit status."""

    async def edit_text(self, text: str) -> str | None:
        """The text after the person's own editor; None when there is no editor or it failed."""

    async def run_agents_own(self, command: Sequence[str]) -> int:
        """Give the terminal to a sub-command of the agent's and wait for it; its exit status."""

    def open_link(self, url: str) -> None: ...

    def pick_session(self) -> None:
        """Show the list of sessions and open the chosen one."""

    def show_tree(self) -> None: ...

    def show_settings(self) -> None: ...

    def show_help(self) -> None: ...

    def show_changes(self) -> None:
        """The change log."""

    def show_text(self, title: str, text: str) -> None:
        """A text in markdown, with search and copy."""

    def show_entry(self, title: str, entry: Entry) -> None:
        """One entry in full, with search and copy."""

    def save_default_model(self, model: Model, thinking_level: str) -> str:
        """Make it the agent's default; says what became of it."""

    def save_scope(self, patterns: Sequence[str]) -> str:
        """Make them the models the agent cycles through; says why not, if it could not be done."""

    def ask_trust(self) -> None: ...

    def export_session(self, target: str) -> None: ...

    def import_session(self, source: str) -> None: ...

    def toggle_mouse(self) -> None: ...
