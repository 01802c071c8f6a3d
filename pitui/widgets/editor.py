"""The text field of the composer: Textual's TextArea with the agent's keys, paste markers and whole characters."""

from __future__ import annotations

from collections.abc import Callable

from rich.text import Text
from textual import events
from textual.actions import SkipAction
from textual.binding import Binding, BindingsMap
from textual.document._document import EditResult, Location, Selection
from textual.document._edit import Edit
from textual.dom import DOMNode
from textual.geometry import Region
from textual.strip import Strip
from textual.widgets import TextArea

from pitui.keys.keymap import bind
from pitui.widgets.clusters import cluster_around
from pitui.widgets.killring import KillRing
from pitui.widgets.latebytes import LateBytes
from pitui.widgets.marking import style_line
from pitui.widgets.paste import MARKER, Pastes, clean, is_large, is_too_large, looks

_PLAIN_MODIFIERS = {"shift"}


class Editor(TextArea, inherit_bindings=False):
    """Marked text (see paste.py) under the cursor. Sends nothing and knows no files: its composer does.

    The composer sets `owner` (itself: its bindings come first), `pasted` (clean text came in), `set_aside` (an edit is
    about to happen; True when the text was replaced) and `undone` (the text before and after an undo or redo).
    """

    BINDINGS = [
        bind("tui.editor.cursorUp"),
        bind("tui.editor.cursorDown"),
        bind("tui.editor.cursorLeft"),
        bind("tui.editor.cursorRight"),
        bind("tui.editor.cursorWordLeft"),
        bind("tui.editor.cursorWordRight"),
        bind("tui.editor.cursorLineStart"),
        bind("tui.editor.cursorLineEnd"),
        bind("tui.editor.jumpForward"),
        bind("tui.editor.jumpBackward"),
        Binding("ctrl+pageup", "cursor_page_up", show=False, id="tui.editor.pageUp"),
        Binding("ctrl+pagedown", "cursor_page_down", show=False, id="tui.editor.pageDown"),
        bind("tui.editor.deleteCharBackward"),
        bind("tui.editor.deleteCharForward"),
        bind("tui.editor.deleteWordBackward"),
        bind("tui.editor.deleteWordForward"),
        bind("tui.editor.deleteToLineStart"),
        bind("tui.editor.deleteToLineEnd"),
        bind("tui.editor.yank"),
        bind("tui.editor.yankPop"),
        bind("tui.editor.undo"),
        bind("tui.input.newLine"),
        bind("tui.input.copy"),
        bind("pitui.editor.redo"),
        bind("pitui.editor.selectLeft"),
        bind("pitui.editor.selectRight"),
        bind("pitui.editor.selectUp"),
        bind("pitui.editor.selectDown"),
        bind("pitui.editor.selectWordLeft"),
        bind("pitui.editor.selectWordRight"),
        bind("pitui.editor.selectLineStart"),
        bind("pitui.editor.selectLineEnd"),
        bind("pitui.editor.selectAll"),
        bind("pitui.editor.openPaste"),
    ]

    COMPONENT_CLASSES = {
        "editor--marker", "editor--code", "editor--heading", "editor--strong", "editor--mention", "editor--command",
    }

    DEFAULT_CSS = """
    Editor {
        height: auto;
        min-height: 1;
        max-height: 33vh;
        border: none;
        padding: 0;
        background: transparent;
        scrollbar-size-vertical: 1;

        &:focus { border: none; }
        & .editor--marker { text-style: reverse; }
        & .editor--code { color: $text-accent; }
        & .editor--heading { text-style: bold; }
        & .editor--strong { text-style: bold; }
        & .editor--mention { color: $text-primary; }
        & .editor--command { color: $text-primary; }
    }
    """

    def __init__(self, *, placeholder: str = "", id: str | None = None) -> None:
        super().__init__(soft_wrap=True, highlight_cursor_line=False, placeholder=placeholder, id=id, compact=True)
        self.cursor_blink = False
        self.match_cursor_bracket = False
        self.pastes = Pastes()
        self.kills = KillRing()
        self.owner: DOMNode | None = None
        self.pasted: Callable[[str], None] = self.paste
        self.set_aside: Callable[[], bool] = lambda: False
        self.undone: Callable[[str, str], None] = lambda _before, _after: None
        self._late = LateBytes()
        self._chain = self._doing = ""
        self._jump: bool | None = None
        self._keys: dict[DOMNode, BindingsMap] = {}
        self._keys_of: object = None

    # Keys

    async def _on_key(self, event: events.Key) -> None:
        """Run the key here and now. Textual would run its binding in the app's own time, after letters typed later."""
        event.prevent_default()
        # Textual's name for Enter when it comes as xterm's modifyOtherKeys sequence.
        event.key = event.key.replace("\r", "enter")
        self._chain, self._doing = self._doing, ""
        character = _typed(event)
        verdict = self._late.feed(event.key, character, event.time)
        if verdict.take_back:
            row, column = self.cursor_location
            self.edit(Edit("", (row, max(0, column - verdict.take_back)), (row, column), False))
        if verdict.stop:
            event.stop()
            if verdict.text:
                self.type(self.pastes.admit(verdict.text))
            return
        if self._jump is not None:
            self._finish_jump(event, character)
            return
        if character is not None:
            event.stop()
            self.type(self.pastes.admit(character))
        elif await self._run_binding(event.key):
            event.stop()

    async def _run_binding(self, key: str) -> bool:
        for node, bindings in self._bindings_in_force().items():
            for binding in bindings.key_to_bindings.get(key, ()):
                if await self.app.run_action(binding.action, node):
                    return True
        return False

    def _bindings_in_force(self) -> dict[DOMNode, BindingsMap]:
        """The composer's bindings and our own, as the app's keymap has them."""
        keymap = self.app._keymap
        if self._keys_of is not keymap:
            self._keys_of = keymap
            self._keys = {}
            for node in (self.owner, self):
                if node is not None:
                    bindings = node._bindings.copy()
                    bindings.apply_keymap(keymap)
                    self._keys[node] = bindings
        return self._keys

    def type(self, marked: str) -> EditResult | None:
        """Put marked text in place of the selection, as typing does."""
        return self._replace_via_keyboard(marked, *self.selection)

    # Pasting

    async def _on_paste(self, event: events.Paste) -> None:
        event.prevent_default()
        event.stop()
        self._late.pasted(event.time)
        if text := clean(event.text):
            self.pasted(text)

    def paste(self, text: str) -> None:
        """Insert clean text, folded when it is large."""
        self._doing = ""
        self.history.checkpoint()
        self.type(self.pastes.fold(text) if is_large(text) else self.pastes.admit(text))

    def action_open_paste(self) -> None:
        """Put the whole text in place of the marker at the cursor."""
        row, column = self.cursor_location
        for match in MARKER.finditer(self.document.get_line(row)):
            if match.start() <= column <= match.end():
                self.open_marker(row, match.start(), match.end())
                return
        raise SkipAction

    def open_marker(self, row: int, start: int, end: int) -> None:
        """Open the marker at these columns, unless its text would freeze the editor."""
        text = self.pastes.expand(self.document.get_line(row)[start:end])
        if is_too_large(text):
            self.notify("Too large to open here: use the external editor", severity="warning")
            return
        self.history.checkpoint()
        self.edit(Edit(self.pastes.admit(text), (row, start), (row, end), False))

    async def _on_click(self, event: events.Click) -> None:
        if event.chain == 2:
            row, column = self.get_target_document_location(event)
            for match in MARKER.finditer(self.document.get_line(row)):
                if match.start() <= column <= match.end():
                    self.open_marker(row, match.start(), match.end())

    # Whole characters and whole markers

    def edit(self, edit: Edit) -> EditResult:
        """As TextArea's, but never through the middle of a character or marker. While a prompt is on its way the
        first edit finds an empty text.
        """
        top, bottom = edit.top, edit.bottom
        if self.set_aside():
            edit.from_location = edit.to_location = (0, 0)
        elif top != bottom:
            edit.from_location, edit.to_location = self._edge(top, forwards=False), self._edge(bottom, forwards=True)
        return super().edit(edit)

    def _validate_selection(self, selection: Selection) -> Selection:
        valid = super()._validate_selection(selection)
        old = self.selection
        return Selection(
            self._edge(valid.start, forwards=valid.start > old.start),
            self._edge(valid.end, forwards=valid.end > old.end),
        )

    def _edge(self, location: Location, *, forwards: bool) -> Location:
        """`location`, or the end of the marker or character it is inside of."""
        row, column = location
        line = self.document.get_line(row) if row < self.document.line_count else ""
        for match in MARKER.finditer(line):
            if match.start() < column < match.end():
                return row, match.end() if forwards else match.start()
        start, end = cluster_around(line, column)
        return row, end if forwards else start

    def get_line(self, line_index: int) -> Text:
        """The line as it is drawn: markers with brackets, markdown lightly coloured."""
        line = self.document.get_line(line_index)
        text = Text(looks(line), end="", no_wrap=True)
        style_line(text, line, line_index, self.document.lines, self.get_component_rich_style)
        return text

    def render_lines(self, crop: Region) -> list[Strip]:
        """Also keeps the terminal's own cursor at the caret, where input methods open their window."""
        if self.has_focus:
            self.app.cursor_position = self.cursor_screen_offset
        return super().render_lines(crop)

    # Moving

    def get_cursor_line_start_location(self, smart_home: bool = False) -> Location:
        return self.cursor_location[0], 0

    def get_cursor_line_end_location(self) -> Location:
        row = self.cursor_location[0]
        return row, len(self.document.get_line(row))

    @property
    def at_first_row(self) -> bool:
        """The cursor is on the first row of cells."""
        return self.wrapped_document.location_to_offset(self.cursor_location).y == 0

    @property
    def at_last_row(self) -> bool:
        """The cursor is on the last row of cells."""
        return self.wrapped_document.location_to_offset(self.cursor_location).y >= self.wrapped_document.height - 1

    def action_jump_forward(self) -> None:
        """Wait for a character and go to its next place."""
        self._jump = True

    def action_jump_backward(self) -> None:
        """Wait for a character and go to its previous place."""
        self._jump = False

    @property
    def jumping(self) -> bool:
        """The next character is where to jump."""
        return self._jump is not None

    def _finish_jump(self, event: events.Key, character: str | None) -> None:
        forwards, self._jump = self._jump, None
        event.stop()
        if character is None:
            return
        text, index = self.text, self.cursor_index
        found = text.find(character, index + 1) if forwards else text.rfind(character, 0, index)
        if found >= 0:
            self.move_cursor(self._location(text, found))

    # Cutting and yanking

    def _kill(self, start: Location, end: Location) -> None:
        start, end = sorted((start, end))
        start, end = self._edge(start, forwards=False), self._edge(end, forwards=True)
        backwards = end == self.cursor_location
        self.kills.kill(self.get_text_range(start, end), joins=self._chain == "kill", backwards=backwards)
        self._doing = "kill"
        self._delete_via_keyboard(start, end)

    def _kill_to(self, target: Location) -> None:
        if self.selection.is_empty:
            self._kill(self.cursor_location, target)
        else:
            self._kill(*self.selection)

    def action_kill_word_left(self) -> None:
        self._kill_to(self.get_cursor_word_left_location() if not self.cursor_at_start_of_text else (0, 0))

    def action_kill_word_right(self) -> None:
        self._kill_to(self.document.end if self.cursor_at_end_of_text else self.get_cursor_word_right_location())

    def action_kill_line_start(self) -> None:
        at_start = self.cursor_at_start_of_line and not self.cursor_at_start_of_text
        self._kill_to(self.get_cursor_left_location() if at_start else self.get_cursor_line_start_location())

    def action_kill_line_end(self) -> None:
        at_end = self.cursor_at_end_of_line and not self.cursor_at_end_of_text
        self._kill_to(self.get_cursor_right_location() if at_end else self.get_cursor_line_end_location())

    def action_delete_right(self) -> None:
        """Delete; with no text at all the key is the app's."""
        if not self.text:
            raise SkipAction
        super().action_delete_right()

    def action_yank(self) -> None:
        self._yank(self.kills.yank())

    def action_yank_pop(self) -> None:
        if self._chain == "yank" and self.kills.texts:
            self.undo()
            self._yank(self.kills.turn())

    def _yank(self, marked: str) -> None:
        self._doing = "yank"
        if marked:
            self.history.checkpoint()
            self.type(marked)
            self.history.checkpoint()

    def action_newline(self) -> None:
        self.type("\n")

    def action_copy_selection(self) -> None:
        """Copy what is selected, pastes in full."""
        if self.selection.is_empty:
            raise SkipAction
        self.app.copy_to_clipboard(self.pastes.expand(self.selected_text))

    def undo(self) -> None:
        """As TextArea's; the composer hears of it."""
        before = self.text
        super().undo()
        self.undone(before, self.text)

    def redo(self) -> None:
        """As TextArea's; the composer hears of it."""
        before = self.text
        super().redo()
        self.undone(before, self.text)

    # Whole texts

    @property
    def cursor_index(self) -> int:
        """Where the cursor is in `text`."""
        row, column = self.cursor_location
        return sum(len(line) + 1 for line in self.document.lines[:row]) + column

    def replace_all(self, marked: str, cursor: int | None = None) -> None:
        """Another text, undoable. `cursor`: index in it, at its end by default."""
        self.history.checkpoint()
        self.edit(Edit(marked, (0, 0), self.document.end, False))
        self.history.checkpoint()
        if cursor is not None:
            self.move_cursor(self._location(marked, cursor))

    def reset(self, marked: str = "", cursor: int | None = None) -> None:
        """Another text, with nothing to undo."""
        self.load_text(marked)
        self.move_cursor(self._location(marked, len(marked) if cursor is None else cursor))

    @staticmethod
    def _location(text: str, index: int) -> Location:
        head = text[:index]
        return head.count("\n"), len(head) - head.rfind("\n") - 1


def _typed(event: events.Key) -> str | None:
    """What a key types, or None. Alt with a letter has a character too, but types nothing."""
    *modifiers, name = event.key.split("+")
    if not set(modifiers) <= _PLAIN_MODIFIERS:
        return None
    if event.character is not None and event.character.isprintable():
        return event.character
    return " " if name == "space" else None
