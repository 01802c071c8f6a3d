"""Questions from extensions, docked above the composer: the transcript stays readable and the draft stays visible."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from time import monotonic
from typing import ClassVar

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.fuzzy import Matcher
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Input, Static

from pitui.render import text as texts
from pitui.render.bars import one_line, rule_line
from pitui.render.lines import Palette
from pitui.rpc.events import UiConfirm, UiEditor, UiInput, UiSelect
from pitui.session.state import Dialog
from pitui.widgets.editor import Editor

GRACE = 0.4
"""Seconds without a key before a new question takes any: keys in flight were meant for the composer."""

COUNTDOWN = "▁▂▃▄▅▆▇█"


@dataclass
class Answered(Message):
    """The person answered: exactly one of `value` and `confirmed` is set, or neither for a cancel."""

    id: str
    value: str | None = None
    confirmed: bool | None = None

    @property
    def cancelled(self) -> bool:
        return self.value is None and self.confirmed is None


def countdown(dialog: Dialog, now: float) -> str:
    """What is left of a question's time, in words and as a shrinking bar; empty for one that waits for ever."""
    if dialog.expires is None:
        return ""
    left = max(0.0, dialog.expires - now)
    share = left / max(0.001, dialog.expires - dialog.asked)
    return f"{left:.0f} s left " + "▆" * round(4 * share) + "▁" * (4 - round(4 * share))


class Choices(Widget, can_focus=True):
    """A list of options drawn line by line, so that hundreds cost no more than those on the screen.

    With `filters`, typing narrows the list, and a digit picks that option at once while nothing has been typed.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1)", show=False),
        Binding("down", "move(1)", show=False),
        Binding("pageup", "move(-8)", show=False),
        Binding("pagedown", "move(8)", show=False),
        Binding("home", "move(-100000)", show=False),
        Binding("end", "move(100000)", show=False),
        Binding("enter", "choose", show=False),
        Binding("backspace", "rub_out", show=False),
    ]
    DEFAULT_CSS = "Choices { height: auto; max-height: 12; }"

    cursor = reactive(0)
    query_text = reactive("")

    @dataclass
    class Chosen(Message):
        """`index` counts the options as they were given."""

        index: int

    def __init__(self, options: Sequence[str], palette: Palette, filters: bool = True) -> None:
        super().__init__()
        self.options = tuple(options)
        self.palette = palette
        self.filters = filters
        self.shown = list(range(len(self.options)))
        self.top = 0

    def get_content_height(self, container: object, viewport: object, width: int) -> int:
        return max(1, len(self.shown)) + (1 if self.query_text else 0)

    def watch_query_text(self, query: str) -> None:
        if query:
            matcher = Matcher(query)
            ranked = [(matcher.match(one_line(option)), index) for index, option in enumerate(self.options)]
            self.shown = [index for score, index in sorted(ranked, key=lambda pair: -pair[0]) if score > 0]
        else:
            self.shown = list(range(len(self.options)))
        self.cursor = self.top = 0
        self.refresh(layout=True)

    def watch_cursor(self) -> None:
        self.refresh()

    def action_move(self, by: int) -> None:
        self.cursor = max(0, min(len(self.shown) - 1, self.cursor + by))

    def action_choose(self) -> None:
        if self.shown:
            self.post_message(self.Chosen(self.shown[self.cursor]))

    def action_rub_out(self) -> None:
        self.query_text = self.query_text[:-1]

    def on_key(self, event: events.Key) -> None:
        if not self.filters or not event.is_printable or event.character is None:
            return
        event.stop()
        if not self.query_text and event.character.isdecimal():
            index = int(event.character) - 1
            if 0 <= index < min(9, len(self.options)):
                self.post_message(self.Chosen(index))
            return
        self.query_text += event.character

    def on_click(self, event: events.Click) -> None:
        row = self.top + event.y - (1 if self.query_text else 0)
        if 0 <= row < len(self.shown):
            self.cursor = row
            self.action_choose()

    def render_line(self, y: int) -> Strip:
        width, palette = self.size.width, self.palette
        if self.query_text:
            if y == 0:
                return self._strip(Text(f"   {one_line(self.query_text)}▏", palette.accent), width)
            y -= 1
        rows = self.size.height - (1 if self.query_text else 0)
        self.top = min(max(self.top, self.cursor - rows + 1), self.cursor)
        row = self.top + y
        if row >= len(self.shown):
            nothing = "" if self.shown else ("nothing matches" if self.options else "no options: esc cancels")
            return self._strip(Text(f"   {nothing}" if y == 0 else "", palette.muted), width)
        index = self.shown[row]
        here = row == self.cursor
        line = Text(" › " if here else "   ", palette.accent)
        if self.filters:
            line.append(f"{index + 1:>2}  " if index < 9 else "    ", palette.muted)
        line.append(texts.clip(one_line(self.options[index]), max(1, width - line.cell_len)), palette.text)
        return self._strip(line, width, palette.selection if here else None)

    def _strip(self, line: Text, width: int, ground: object = None) -> Strip:
        line.truncate(width, overflow="crop", pad=True)
        if ground is not None:
            line.stylize_before(ground)  # type: ignore[arg-type]  # a rich Style
        return Strip(list(line.render(self.app.console, end="")), width).apply_style(self.rich_style)


class DialogPanel(Vertical):
    """One question. It takes no key before `GRACE` seconds have passed without one."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "cancel", "Cancel", show=False, priority=False)]
    KEYS = "esc cancels"
    DEFAULT_CSS = """
    DialogPanel { height: auto; background: $surface; padding: 0; }
    DialogPanel > .dialog-text { height: auto; max-height: 8; padding: 0 1; overflow-y: auto; }
    DialogPanel Input, DialogPanel Input:focus { border: none; height: 1; padding: 0 1; background: $panel; }
    DialogPanel Editor, DialogPanel Editor:focus { min-height: 3; padding: 0 1; background: $panel; }
    """

    def __init__(self, dialog: Dialog, palette: Palette) -> None:
        super().__init__()
        self.dialog = dialog
        self.palette = palette
        self.answered = False
        self.frame: tuple[float, str, bool] = (0.0, "", False)

    def compose(self) -> ComposeResult:
        yield Static(id="dialog-head")
        yield from self.compose_question()
        yield Static(id="dialog-foot")

    def compose_question(self) -> ComposeResult:
        """What is asked below the title; a title alone asks nothing more."""
        yield from ()

    def on_mount(self) -> None:
        self.show(*self.frame)

    def _lines(self, text: str) -> Static:
        """Foreign text, colours kept, never markup."""
        shown = Text("\n").join(
            Text.assemble(*[(run, style) for run, style in spans], no_wrap=False)
            for spans in texts.ansi_spans(text, self.palette.text)
        )
        return Static(shown, classes="dialog-text", markup=False)

    def show(self, now: float, position: str, open_to_keys: bool) -> None:
        """Draw the frame: title at the left, place in line and time left at the right, keys below."""
        width = self.size.width or self.app.size.width
        title, *_ = texts.sanitize(self.dialog.request.title).split("\n")
        right = " · ".join(part for part in (position, countdown(self.dialog, now)) if part)
        edge = self.palette.accent if open_to_keys else self.palette.muted
        self.query_one("#dialog-head", Static).update(
            rule_line(one_line(title) or "a question", right, width, edge, self.palette, self.palette.text)
        )
        keys = self.KEYS if open_to_keys else "a question came up: it takes keys in a moment"
        self.query_one("#dialog-foot", Static).update(Text(f" {keys} · your draft is kept", self.palette.muted))

    def answer(self, value: str | None = None, confirmed: bool | None = None) -> None:
        """Post the answer, once."""
        if not self.answered:
            self.answered = True
            self.post_message(Answered(self.dialog.id, value, confirmed))

    def action_cancel(self) -> None:
        self.answer()

    def take_focus(self) -> None:
        for widget in self.query("*"):
            if widget.focusable:
                widget.focus()
                return


class SelectPanel(DialogPanel):
    KEYS = "↑↓ choose · type to filter · enter answers · esc cancels"

    def __init__(self, dialog: Dialog, request: UiSelect, palette: Palette) -> None:
        super().__init__(dialog, palette)
        self.request = request

    def compose_question(self) -> ComposeResult:
        _, *rest = texts.sanitize(self.request.title).split("\n")
        if rest:
            yield self._lines("\n".join(self.request.title.split("\n")[1:]))
        yield Choices(self.request.options, self.palette)

    def on_choices_chosen(self, event: Choices.Chosen) -> None:
        event.stop()
        self.answer(value=self.request.options[event.index])


class ConfirmPanel(DialogPanel):
    """Yes or no, with No under the cursor: nothing is allowed by a key that was meant for something else."""

    KEYS = "y yes · n no · enter answers · esc cancels"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y,Y", "say(True)", show=False),
        Binding("n,N", "say(False)", show=False),
    ]

    def __init__(self, dialog: Dialog, request: UiConfirm, palette: Palette) -> None:
        super().__init__(dialog, palette)
        self.request = request

    def compose_question(self) -> ComposeResult:
        if self.request.message.strip():
            yield self._lines(self.request.message)
        yield Choices(("No", "Yes"), self.palette, filters=False)

    def action_say(self, yes: bool) -> None:
        self.answer(confirmed=yes)

    def on_choices_chosen(self, event: Choices.Chosen) -> None:
        event.stop()
        self.answer(confirmed=event.index == 1)


class InputPanel(DialogPanel):
    KEYS = "enter answers · esc cancels"

    def __init__(self, dialog: Dialog, request: UiInput, palette: Palette) -> None:
        super().__init__(dialog, palette)
        self.request = request

    def compose_question(self) -> ComposeResult:
        yield Input(placeholder=one_line(self.request.placeholder), select_on_focus=False)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.answer(value=event.value)


class EditorPanel(DialogPanel):
    """Several lines of text in the composer's own editor; its Enter makes a new line, so Ctrl+S answers."""

    KEYS = "ctrl+s answers · ctrl+g external editor · esc cancels"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+s", "send", show=False, priority=True),
        Binding("ctrl+g", "external", show=False, priority=True),
        Binding("enter", "newline", show=False),
    ]

    @dataclass
    class ExternalEditor(Message):
        """The person wants `area`'s text, which is `text`, in their own editor."""

        area: Editor
        text: str

    def __init__(self, dialog: Dialog, request: UiEditor, palette: Palette) -> None:
        super().__init__(dialog, palette)
        self.request = request

    def compose_question(self) -> ComposeResult:
        yield Editor()

    def on_mount(self) -> None:
        self.query_one(Editor).load_text(texts.sanitize(self.request.prefill))

    @property
    def written(self) -> str:
        """The text, pastes and all."""
        editor = self.query_one(Editor)
        return editor.pastes.expand(editor.text)

    def action_send(self) -> None:
        self.answer(value=self.written)

    def action_newline(self) -> None:
        self.query_one(Editor).action_newline()

    def action_external(self) -> None:
        self.post_message(self.ExternalEditor(self.query_one(Editor), self.written))


def panel_for(dialog: Dialog, palette: Palette) -> DialogPanel:
    """The panel that asks this question."""
    request = dialog.request
    if isinstance(request, UiSelect):
        return SelectPanel(dialog, request, palette)
    if isinstance(request, UiConfirm):
        return ConfirmPanel(dialog, request, palette)
    if isinstance(request, UiInput):
        return InputPanel(dialog, request, palette)
    return EditorPanel(dialog, request, palette)


class DialogDock(Vertical):
    """Shows the first of the waiting questions. Until the grace is over the keys still belong to the composer."""

    DEFAULT_CSS = "DialogDock { height: auto; max-height: 60vh; }"

    @dataclass
    class Opened(Message):
        """The grace is over: keys go to the question now."""

    @dataclass
    class Closed(Message):
        """No question is left: keys go back to the composer."""

    def __init__(self) -> None:
        super().__init__()
        self.panel: DialogPanel | None = None
        self.opens_at = 0.0
        self.opened = False

    @property
    def waiting(self) -> bool:
        """A question is shown but takes no keys yet."""
        return self.panel is not None and not self.opened

    def show(self, dialogs: tuple[Dialog, ...], now: float, palette: Palette) -> None:
        """Show the head of the line; call it on every paint and whenever a second has passed."""
        head = dialogs[0] if dialogs else None
        if self.panel is not None and (head is None or head.id != self.panel.dialog.id):
            self.panel.remove()
            self.panel, self.opened = None, False
            if head is None:
                self.post_message(self.Closed())
        if head is None:
            return
        if self.panel is None:
            self.panel = panel_for(head, palette)
            self.mount(self.panel)
            self.opens_at = now + GRACE
            self.set_timer(GRACE, self._maybe_open)
        self.panel.frame = (now, f"1 of {len(dialogs)}" if len(dialogs) > 1 else "", self.opened)
        if self.panel.is_mounted:
            self.panel.show(*self.panel.frame)

    def stray_key(self, now: float) -> None:
        """A key came during the grace: wait again."""
        self.opens_at = now + GRACE
        self.set_timer(GRACE, self._maybe_open)

    def _maybe_open(self) -> None:
        if self.panel is None or self.opened:
            return
        if (left := self.opens_at - monotonic()) > 0.005:
            self.set_timer(left, self._maybe_open)
            return
        self.opened = True
        self.panel.take_focus()
        now, position, _ = self.panel.frame
        self.panel.show(now, position, self.opened)
        self.post_message(self.Opened())
