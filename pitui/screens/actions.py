"""What each command of the table does: each a few lines that call the conversation, the transcript or the host."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from functools import partial

import anyio

from pitui.commands import Slash, parse_shell, parse_slash
from pitui.render import report
from pitui.render.bars import one_line
from pitui.render.entries import plain_text
from pitui.rpc import commands as ask
from pitui.rpc.messages import ImageBlock
from pitui.screens.choosing import Choosing
from pitui.screens.picker import PickerScreen
from pitui.session import local
from pitui.session.state import Entry, Level, QueueKind, RunState, UserEntry
from pitui.widgets.composer import Composer
from pitui.widgets.dialogs import DialogDock
from pitui.widgets.queuestrip import QueueStrip
from pitui.widgets.searchbar import SearchBar
from pitui.widgets.transcript import Transcript

TWICE = 1.0
"""Seconds within which a second Ctrl+C quits."""

DOUBLE = 0.5
"""Seconds within which a second Escape is a double one, as in pi."""

STUBBORN = 5.0
"""Seconds an agent has to stop before another Escape ends it."""

PATIENCE = 1.0
"""Seconds the agent has for giving its queue back before pitui ends; what it keeps is saved as it was last seen."""


class ChatActions(Choosing):
    """The actions of the chat screen, apart from its painting."""

    transcript: Transcript
    composer: Composer
    dock: DialogDock
    queue: QueueStrip
    search_bar: SearchBar
    _quit_armed: float = -TWICE
    _stop_asked: float = -STUBBORN
    _escaped: float = -DOUBLE

    # -- sending -----------------------------------------------------------------------------------------------

    def submit(self, text: str, images: Sequence[ImageBlock], kind: QueueKind) -> None:
        """What Enter does with a text: a command of ours, a shell command, or a prompt."""
        pictures = tuple(images)
        if parse_shell(text) is not None:
            self._let_go(pictures)
            self.transcript.follow()
            self.conversation.outbox.shell(text)
            return
        slash = self._slash(text)
        if slash is None or slash.known:
            self._send_off(text, pictures, kind, slash)
        elif slash.command is not None:
            self._let_go(pictures)
            self.run_command(slash.command.id, slash.argument)
        else:
            self.spawn(partial(self._look_again, text, pictures, kind))

    def _slash(self, text: str) -> Slash | None:
        return parse_slash(text, [command.name for command in self.conversation.session.commands])

    def _send_off(self, text: str, images: tuple[ImageBlock, ...], kind: QueueKind, slash: Slash | None) -> None:
        self._warn_of_blindness(images)
        if slash is not None:
            self._let_go_soon()
        self.spawn(partial(self.send, text, images, kind))

    async def _look_again(self, text: str, images: tuple[ImageBlock, ...], kind: QueueKind) -> None:
        """The agent may not have told its commands yet, or have new ones."""
        if self.conversation.alive:
            await self.conversation.facts.load_commands()
        slash = self._slash(text)
        if slash is not None and not slash.known:
            self._ask_unknown(slash.name, text, images, kind)
        else:
            self._send_off(text, images, kind, slash)

    def _let_go(self, images: tuple[ImageBlock, ...]) -> None:
        """A command is no prompt: it leaves the composer, and images stay there for the next one."""
        self.composer.accepted()
        if images:
            self.composer.take_back("", images)

    def run_command(self, command_id: str, argument: str) -> None:
        """Do what the table names; commands without an argument ignore one."""
        action = getattr(self, f"action_{command_id}")
        result = action(argument) if argument and command_id in WITH_ARGUMENT else action()
        if isinstance(result, Awaitable):
            self.spawn(lambda: _await(result))

    def _ask_unknown(self, name: str, text: str, images: tuple[ImageBlock, ...], kind: QueueKind) -> None:
        def chosen(index: int | None) -> None:
            if index == 1:
                self.spawn(partial(self.send, text, images, kind))
            else:
                self.composer.refused()

        rows = ("Keep it in the composer", "Send it to the model as text")
        self.app.push_screen(PickerScreen(f"There is no command /{one_line(name)}", rows, self.palette), chosen)

    def _warn_of_blindness(self, images: tuple[ImageBlock, ...]) -> None:
        model = self.conversation.session.model
        if images and model is not None and model.input and "image" not in model.input:
            self._say(f"{one_line(model.name or model.id)} takes no images: it will not see them", Level.WARNING)

    def _let_go_soon(self) -> None:
        """An extension's command answers only when it is done, dialogs included: the composer must not wait for it."""
        self.composer.accepted()

    async def send(self, text: str, images: tuple[ImageBlock, ...], kind: QueueKind) -> None:
        """Send a prompt; the composer lets go of it when the agent has it, and keeps it when the agent refuses."""
        self.transcript.follow()
        prompt = self.composer.under_way
        if await self.conversation.outbox.prompt(text, images, kind) and prompt is not None:
            self.composer.accepted(prompt)

    # -- the agent ---------------------------------------------------------------------------------------------

    def action_interrupt(self) -> None:
        """Close what is open; else take the queue back and stop; asked again of an agent that does not stop, end it."""
        if self.search_bar.display:
            self.search_bar.action_close()
            return
        state, now = self.conversation.session.run.state, self.conversation.clock()
        if state is RunState.ABORTING and now - self._stop_asked > STUBBORN:
            self._say("The agent did not stop and was ended; f5 starts it again", Level.WARNING)
            self.conversation.kill()
            return
        if state is not RunState.ABORTING:
            self._stop_asked = now
        idle = state is RunState.IDLE and not self.composer.draft
        double, self._escaped = idle and now - self._escaped <= DOUBLE, now if idle else -DOUBLE
        if double:
            self._double_escape()
        else:
            self.conversation.stop()

    def _double_escape(self) -> None:
        """What pi's setting `doubleEscapeAction` says: the tree, the prompts to fork from, or nothing."""
        self._escaped = -DOUBLE
        wanted = self.host.agent_settings().double_escape_action
        if wanted != "none":
            self.run_command(wanted, "")

    def action_take_back(self) -> None:
        self.conversation.take_back()

    def action_queue(self) -> None:
        """To the prompts that wait, and back."""
        if self.queue.has_focus:
            self.composer.focus()
        elif self.queue.waiting:
            self.queue.focus()
        else:
            self._say("Nothing waits to be sent")

    def action_compact(self, instructions: str = "") -> None:
        self.conversation.outbox.compact(instructions)

    async def action_toggle_auto_compaction(self) -> None:
        wanted = not self.conversation.session.modes.auto_compaction
        if await self.conversation.done(ask.SetAutoCompaction(wanted)):
            self.conversation.fold(local.ModesChanged(auto_compaction=wanted))
            self._say(f"Compacts by itself: {'yes' if wanted else 'no'}")

    async def action_toggle_auto_retry(self) -> None:
        wanted = not self.conversation.session.modes.auto_retry
        if await self.conversation.done(ask.SetAutoRetry(wanted)):
            self.conversation.fold(local.ModesChanged(auto_retry=wanted))
            self._say(f"Retries by itself: {'yes' if wanted else 'no'}")

    async def action_steering_mode(self) -> None:
        mode = _other_mode(self.conversation.session.modes.steering)
        if await self.conversation.done(ask.SetSteeringMode(mode)):
            self.conversation.fold(local.ModesChanged(steering=mode))
            self._say(f"Steering messages are delivered {_mode_words(mode)}")

    async def action_follow_up_mode(self) -> None:
        mode = _other_mode(self.conversation.session.modes.follow_up)
        if await self.conversation.done(ask.SetFollowUpMode(mode)):
            self.conversation.fold(local.ModesChanged(follow_up=mode))
            self._say(f"Follow-ups are delivered {_mode_words(mode)}")

    def action_restart(self) -> None:
        self.host.start_agent()

    def action_restart_bare(self) -> None:
        self.host.start_agent(extensions=False)

    def action_demo(self) -> None:
        self.host.start_agent(demo=True)

    def action_diagnostics(self) -> None:
        self.host.show_text("Diagnostics", report.diagnostics(
            self.host.command_line(), self.conversation.stderr_tail(), self.conversation.oddities))

    def action_reload(self) -> None:
        self._say("Starting the agent again on this session: its RPC mode has no reload")
        self.host.start_agent()

    def action_trust(self) -> None:
        self.host.ask_trust()

    # -- sessions ----------------------------------------------------------------------------------------------

    async def action_new_session(self) -> None:
        await self.conversation.replace(ask.NewSession())

    def action_resume(self) -> None:
        self.host.pick_session()

    async def action_name_session(self, name: str = "") -> None:
        if not name:
            current = self.conversation.session.identity.name
            self._say(f"This session is called {one_line(current)!r}" if current else "/name <name> names this session")
            return
        await self.conversation.done(ask.SetSessionName(name))

    async def action_session_info(self) -> None:
        stats = await self.conversation.ask(ask.GetSessionStats())
        entries = await self.conversation.ask(ask.GetEntries())
        if stats is not None:
            text = report.session(self.conversation.session, stats, entries.entries if entries else ())
            self.host.show_text("Session", text)

    def action_tree(self) -> None:
        self.host.show_tree()

    async def action_fork(self) -> None:
        found = await self.conversation.ask(ask.GetForkMessages())
        if found is None:
            return
        if not found.messages:
            self._say("There is no prompt to fork from yet")
            return

        def chosen(index: int | None) -> None:
            if index is not None:
                self.spawn(partial(self.conversation.fork, found.messages[index].entry_id))

        rows = [message.text for message in found.messages]
        self.app.push_screen(PickerScreen("Fork from", rows, self.palette, current=len(rows) - 1), chosen)

    async def action_clone(self) -> None:
        if await self.conversation.replace(ask.Clone()):
            self._say("This is a copy of the session; the other one stays as it was")

    def action_export(self, target: str = "") -> None:
        """By the ending of the file: HTML by the agent, Markdown and JSONL by us."""
        if target:
            self.host.export_session(target)
            return

        def chosen(index: int | None) -> None:
            if index is not None:
                self.host.export_session(EXPORTS[index][1])

        self.app.push_screen(PickerScreen("Export as", [title for title, _ in EXPORTS], self.palette), chosen)

    def action_import_session(self, source: str = "") -> None:
        if source:
            self.host.import_session(source)
        else:
            self._say("/import <file> opens a copy of a session file")

    def action_share(self) -> None:
        self._say(SHARE)

    async def action_copy_last(self) -> None:
        if selected := self.transcript.selected_text:
            self._say(self.host.copy_text(selected))
            return
        found = await self.conversation.ask(ask.GetLastAssistantText())
        if found is not None:
            self._say(self.host.copy_text(found.text) if found.text else "There is no answer to copy yet")

    # -- the transcript ----------------------------------------------------------------------------------------

    def action_toggle_tools(self) -> None:
        self.transcript.toggle_tools()

    def action_toggle_thinking(self) -> None:
        self.transcript.toggle_thinking()

    def action_toggle_source(self) -> None:
        entry = self.transcript.cursor_entry
        entries = self.conversation.session.entries
        key = entry.key if entry is not None else entries[-1].key if entries else ""
        self.transcript.toggle_source(key)

    def action_toggle_meta(self) -> None:
        view = self.transcript.view
        self.transcript.set_view(replace(view, show_meta=not view.show_meta))

    def action_search(self, query: str = "") -> None:
        self.search_bar.open(query)

    def action_page_up(self) -> None:
        self.transcript.move_pages(-1)

    def action_page_down(self) -> None:
        self.transcript.move_pages(1)

    def action_half_page_up(self) -> None:
        self.transcript.move_pages(-0.5)

    def action_half_page_down(self) -> None:
        self.transcript.move_pages(0.5)

    def action_line_up(self) -> None:
        self.transcript.move_rows(-1)

    def action_line_down(self) -> None:
        self.transcript.move_rows(1)

    def action_top(self) -> None:
        self.transcript.go_top()

    def action_bottom(self) -> None:
        self.transcript.follow()

    def action_previous_prompt(self) -> None:
        self.transcript.go_prompt(-1)

    def action_next_prompt(self) -> None:
        self.transcript.go_prompt(1)

    def action_previous_error(self) -> None:
        if not self.transcript.go_error(-1):
            self._say("No error above")

    def action_next_error(self) -> None:
        if not self.transcript.go_error(1):
            self._say("No error below")

    def action_browse(self) -> None:
        """To the block cursor, and back to the composer."""
        if self.transcript.has_focus:
            self.composer.focus()
        else:
            self.transcript.focus()
            self.transcript.action_cursor(-1)

    # -- pitui -------------------------------------------------------------------------------------------------

    def action_settings(self) -> None:
        self.host.show_settings()

    def action_hotkeys(self) -> None:
        self.host.show_help()

    def action_changelog(self) -> None:
        self.host.show_changes()

    def action_bug(self) -> None:
        self._say("For pi: /bug in pi's own screen. For pitui: /diagnostics has what a report needs")

    def action_mouse(self) -> None:
        self.host.toggle_mouse()

    def action_suspend(self) -> None:
        self.app.action_suspend_process()

    def action_external_editor(self) -> None:
        self.spawn(self._edit_outside)

    async def _edit_outside(self) -> None:
        edited = await self.host.edit_text(self.composer.text)
        if edited is not None:
            self.composer.edited(edited)

    def action_clear(self) -> None:
        """Clear the composer; with nothing in it, a second time within a second quits."""
        now = self.conversation.clock()
        if self.composer.text:
            self.composer.set_aside_to_stash()
            return
        if now - self._quit_armed <= TWICE:
            self.action_leave()
            return
        self._quit_armed = now
        self.app.notify("ctrl+c again quits", timeout=TWICE, markup=False)

    def action_exit(self) -> None:
        if not self.composer.text:
            self.action_leave()

    def action_leave(self) -> None:
        self.host.leave()

    async def last_words(self) -> None:
        """Stop first: agents before 1.6.0 lose an unfinished answer when they are closed in the middle of it."""
        with anyio.move_on_after(PATIENCE):
            await self.conversation.outbox.empty()
        await self.conversation.finish()

    def show_menu(self, entry: Entry) -> None:
        """What can be done with one entry."""
        deeds: list[tuple[str, Callable[[], object]]] = [
            ("Copy", lambda: self._say(self.host.copy_text(plain_text(entry)))),
            ("Quote into the composer", lambda: self.post_message(Transcript.QuoteRequested(plain_text(entry)))),
            ("Show in full", lambda: self.host.show_entry("in full", entry)),
            ("Rendered or source", lambda: self.transcript.toggle_source(entry.key)),
        ]
        if isinstance(entry, UserEntry) and entry.stored_id:
            fork = partial(self.conversation.fork, entry.stored_id)
            deeds.append(("New session from here", lambda: self.spawn(fork)))

        def chosen(index: int | None) -> None:
            if index is not None:
                deeds[index][1]()

        self.app.push_screen(PickerScreen("This entry", [title for title, _ in deeds], self.palette), chosen)


SHARE = (
    "/export session.html writes the session as a page that can be passed on; with GitHub's gh,"
    " !!gh gist create session.html puts it online. pi's own screen can share, too: pi --session, then /share"
)

WITH_ARGUMENT = frozenset({
    "compact", "login", "logout", "name_session", "export", "import_session", "models", "thinking", "search",
})


EXPORTS = (("HTML, by pi", "session.html"), ("Markdown", "session.md"), ("JSONL, this branch", "session.jsonl"))


def _other_mode(mode: str) -> ask.QueueMode:
    return "all" if mode == "one-at-a-time" else "one-at-a-time"


def _mode_words(mode: str) -> str:
    return "all together" if mode == "all" else "one at a time"


async def _await(result: Awaitable[object]) -> None:
    await result
