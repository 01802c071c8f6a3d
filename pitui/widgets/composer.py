"""The composer: where a prompt is written, completed, recalled and handed over."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from typing import Literal

from textual import on
from textual.actions import SkipAction
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.reactive import var
from textual.timer import Timer
from textual.widgets import Static, TextArea

from pitui.keys.keymap import bind
from pitui.rpc.messages import ImageBlock
from pitui.store.drafts import Draft, Kept
from pitui.terminal.parser import prepare
from pitui.widgets.attaching import Attaching
from pitui.widgets.completing import Completing
from pitui.widgets.editor import Editor
from pitui.widgets.paste import clean
from pitui.widgets.recall import Recall
from pitui.widgets.searching import HistorySearch
from pitui.widgets.stash import Stash

# Where there is a composer, Alt keys must be told apart, whatever app it is in.
prepare()

SubmitKind = Literal["enter", "follow_up"]

_SETTLE = 0.4
"""Seconds without a change after which the draft is worth saving."""


class Composer(Completing, Attaching, Vertical):
    """The text field with its completions, images, earlier prompts and stash.

    A prompt goes out as `Submitted`; the text stays until `accepted()` or `refused()` says what became of it, and
    what is typed meanwhile is a new draft. `alt_enter` is what Alt+Enter does now, `glyph` stands before the text.
    The class `-bash` is set while the text begins with `!`.
    """

    BINDINGS = [
        bind("tui.select.cancel"),
        bind("tui.select.up"),
        bind("tui.select.down"),
        bind("tui.select.pageUp"),
        bind("tui.select.pageDown"),
        bind("tui.select.confirm"),
        bind("tui.editor.historyPrevious"),
        bind("tui.editor.historyNext"),
        bind("tui.editor.cursorUp", "history_up"),
        bind("tui.editor.cursorDown", "history_down"),
        bind("tui.editor.deleteCharBackward", "remove_image_before"),
        bind("app.clear"),
        bind("tui.input.submit"),
        bind("app.message.followUp"),
        bind("tui.input.tab"),
        bind("app.clipboard.pasteImage"),
        bind("pitui.editor.stash"),
        bind("pitui.editor.searchHistory"),
        bind("pitui.editor.removeImage"),
    ]

    DEFAULT_CSS = """
    Composer {
        height: auto;

        & > Horizontal { height: auto; }
        & .composer--glyph { width: 2; color: $text-muted; }
        & Editor { width: 1fr; }
    }
    """

    alt_enter: var[Literal["newline", "follow_up"]] = var("newline")
    glyph: var[str] = var("›", init=False)

    class Submitted(Message):
        """A person sends this. Answer with `accepted()` or `refused()`. `draft` is the same with its folds."""

        def __init__(self, draft: Draft, kind: SubmitKind) -> None:
            super().__init__()
            self.text = draft.text
            self.images = draft.images
            self.draft = draft
            self.kind: SubmitKind = kind

    class Edited(Message):
        """The text changed."""

    class Settled(Message):
        """The draft or the stash changed and is worth saving: `composer.kept`."""

    def __init__(self, *, placeholder: str = "", id: str | None = None) -> None:
        super().__init__(id=id)
        self.editor = Editor(placeholder=placeholder)
        self.editor.owner = self
        self.editor.pasted = self.paste
        self.editor.set_aside = self._set_aside
        self.editor.undone = self._undone
        self.recall = Recall()
        self.stash = Stash()
        self._sending: Draft | None = None
        self._next: tuple[tuple[Draft, SubmitKind], ...] = ()
        self._aside = False
        self._left = Draft()
        self._settling: Timer | None = None

    def compose(self) -> ComposeResult:
        yield self.popup
        yield self.chips
        with Horizontal():
            yield Static(self.glyph, classes="composer--glyph", markup=False)
            yield self.editor

    def watch_glyph(self, glyph: str) -> None:
        self.query_one(".composer--glyph", Static).update(glyph)

    # What is written

    @property
    def shown(self) -> Draft:
        """What stands in the field."""
        return replace(self.editor.pastes.pack(self.editor.text, self.editor.cursor_index), images=self.images)

    @property
    def text(self) -> str:
        """The whole text in the field, pastes included."""
        return self.editor.pastes.expand(self.editor.text)

    @property
    def is_blank(self) -> bool:
        """Nothing but blanks stands in the field; costs next to nothing, however long the text is."""
        return not any(map(str.strip, self.editor.document.lines))

    @property
    def draft(self) -> Draft:
        """All that isn't known to be sent: the field, and above it the prompts still on their way."""
        return self._with_those_on_their_way() if self._sending and self._aside else self.shown

    @draft.setter
    def draft(self, draft: Draft) -> None:
        """Show another draft, as for another session; nothing of the old one is kept here."""
        self._sending, self._next, self._aside, self._left = None, (), False, Draft()
        self.recall.leave()
        self.editor.reset()
        self.editor.pastes.forget(self.editor.kills.texts)
        self._show(draft)

    @property
    def kept(self) -> Kept:
        """The draft and all that was put aside, to be saved; also set from what was saved. Drafts that wait behind
        an earlier prompt on show are among them: a crash must not take them.
        """
        waiting = (*self.recall.waiting, *((self._left,) if self._left else ()))
        return Kept(self.draft, (*self.stash.drafts, *waiting))

    @kept.setter
    def kept(self, kept: Kept) -> None:
        self.stash.drafts = kept.stash
        self.draft = kept.draft

    def _show(self, draft: Draft) -> None:
        self.editor.reset(*self.editor.pastes.unpack(draft))
        self.images = draft.images
        self.close_completion()

    def focus(self, scroll_visible: bool = True) -> Composer:
        """Give the text field the focus."""
        self.editor.focus(scroll_visible)
        return self

    # Sending

    @property
    def sending(self) -> bool:
        """A prompt is on its way: another one goes after it."""
        return self._sending is not None

    def submit(self, kind: SubmitKind = "enter") -> None:
        """Hand over what is written; nothing when there is nothing new. One at a time: what is sent while a prompt is
        on its way goes once that is accepted.
        """
        draft = self.shown
        if not draft or (self._sending is not None and not self._aside):
            return
        self.close_completion()
        left, changed = self.recall.leave()
        for earlier in changed:
            self.stash.push(earlier)
        if self._sending is not None:
            self._next = (*self._next, (draft, kind))
            self._show(left)
            self._changed()
            return
        self._sending, self._aside, self._left = draft, False, left
        self.post_message(self.Submitted(draft, kind))

    def _with_those_on_their_way(self) -> Draft:
        drafts = [draft for draft, _ in self._next]
        return reduce(Draft.below, reversed([*([self._sending] if self._sending else []), *drafts]), self.shown)

    @property
    def under_way(self) -> Draft | None:
        """The prompt that is on its way."""
        return self._sending

    def accepted(self, prompt: Draft | None = None) -> None:
        """The prompt is the agent's (or the queue's) now: it leaves the field. What was typed since stays.

        `prompt` tells which one it is about, when another one may be on its way by now.
        """
        if self._sending is None or (prompt is not None and prompt is not self._sending):
            return
        sent, self._sending = self._sending, None
        self.recall.add(sent)
        left, self._left = self._left, Draft()
        if not self._aside:
            self._show(left)
            self.editor.pastes.forget([self.editor.text, *self.editor.kills.texts])
        elif left:
            self.stash.push(left)
        self._aside = bool(self._next)
        if self._next:
            (self._sending, kind), *after = self._next
            self._next = tuple(after)
            self.post_message(self.Submitted(self._sending, kind))
        self._changed()

    def refused(self) -> None:
        """The prompt wasn't taken: it stands in the field, above what was to go after it and what was typed since."""
        if self._sending is None:
            return
        if self._left:
            self.stash.push(self._left)
            self._left = Draft()
        if self._aside:
            self._show(self._with_those_on_their_way())
        self._sending, self._next, self._aside = None, (), False
        self._changed()

    def _set_aside(self) -> bool:
        """Called before every edit: the first one after sending starts a new draft. True when it did."""
        if self._sending is None or self._aside:
            return False
        self._aside = True
        self._show(Draft())
        return True

    # Text that comes back or in

    def take_back(self, text: str, images: tuple[ImageBlock, ...] = ()) -> None:
        """Put a text that was sent or queued under what is written."""
        self._set_aside()
        own = self.shown
        whole = Draft(clean(text), (), len(text), images).below(own)
        self._replace(replace(whole, cursor=own.cursor) if own else whole)

    def prefill(self, text: str, images: tuple[ImageBlock, ...] = ()) -> None:
        """Another text, as an extension asks for: the old draft goes to the stash and comes back with undo."""
        self._set_aside()
        self.set_aside_to_stash()
        text = clean(text)
        self._replace(Draft(text, (), len(text), images))

    def put_aside(self, text: str, images: tuple[ImageBlock, ...] = ()) -> None:
        """A text that is not wanted now goes to the stash, from where it can be got back."""
        self.stash.push(Draft(text, (), len(text), images))
        self._changed()

    def insert(self, text: str) -> None:
        """Put text at the cursor."""
        self.editor.paste(clean(text))

    def quote(self, text: str) -> None:
        """Put text as a markdown quote where the cursor is, on lines of its own, and the cursor below for a comment.
        Quotes in a row make one message.
        """
        row, column = self.editor.cursor_location
        above = "\n\n" if self.editor.document.get_line(row)[:column].strip() else ""
        lines = "\n".join(f"> {line}".rstrip() for line in clean(text).strip("\n").split("\n"))
        self.editor.history.checkpoint()
        self.editor.type(self.editor.pastes.admit(f"{above}{lines}\n\n"))
        self.editor.history.checkpoint()

    def edited(self, text: str) -> None:
        """The text as it came back from another editor, undoable."""
        text = clean(text)
        self._replace(Draft(text, (), len(text), self.images))

    def _replace(self, draft: Draft) -> None:
        self.editor.replace_all(*self.editor.pastes.unpack(draft))
        self.images = draft.images
        self.close_completion()

    # Stash

    def set_aside_to_stash(self) -> None:
        """Empty the field into the stash; undo takes it back out. A prompt on its way is no draft to put aside."""
        if (draft := self.shown) and (self._sending is None or self._aside):
            self.stash.push(draft, self.editor.text)
            self._replace(Draft())
            self._changed()

    def _undone(self, before: str, after: str) -> None:
        """An undo or redo: a draft must not be in the stash and in the field, nor in neither."""
        if (back := self.stash.take_out(after)) is not None:
            self.images = back.images
        elif self.stash.put_back(before):
            self.images = ()
        self._changed()

    def action_stash(self) -> None:
        """Put the draft aside; with none, bring the last one back. Not while a prompt on its way stands there."""
        if self.sending and not self._aside:
            raise SkipAction
        if self.shown:
            self.set_aside_to_stash()
        elif (draft := self.stash.pop()) is not None:
            self._set_aside()
            self._show(draft)
            self._changed()

    def action_clear(self) -> None:
        """Clear the text into the stash; with a selection or nothing to clear the key means something else."""
        if (self.sending and not self._aside) or not self.shown or not self.editor.selection.is_empty:
            raise SkipAction
        self.set_aside_to_stash()

    # Keys

    def action_submit(self) -> None:
        """Send, or make a line of a backslash at the cursor."""
        row, column = self.editor.cursor_location
        if self.editor.document.get_line(row)[:column].endswith("\\") and self.editor.selection.is_empty:
            self.editor.replace("\n", (row, column - 1), (row, column), maintain_selection_offset=False)
            return
        self.submit()

    def action_follow_up(self) -> None:
        if self.alt_enter == "newline":
            self.editor.action_newline()
        else:
            self.submit("follow_up")

    # Earlier prompts

    def action_history_up(self) -> None:
        if not self.editor.at_first_row or not self._recall(older=True):
            raise SkipAction

    def action_history_down(self) -> None:
        if not self.editor.at_last_row or not self._recall(older=False):
            raise SkipAction

    def action_history_previous(self) -> None:
        self._recall(older=True)

    def action_history_next(self) -> None:
        self._recall(older=False)

    def _recall(self, *, older: bool) -> bool:
        if self.sending and not self._aside:
            return False
        prompt = self.recall.older(self.shown) if older else self.recall.newer(self.shown)
        if prompt is None:
            return False
        self._show(prompt)
        if older and self.recall.browsing:
            self.editor.move_cursor((0, len(self.editor.document.get_line(0))))
        return True

    def action_search_history(self) -> None:
        """Search the earlier prompts; the draft waits behind the last of them."""

        def chosen(index: int | None) -> None:
            if index is not None and index < len(self.recall.entries):
                self._set_aside()
                self._show(self.recall.go(self.shown, index))

        self.app.push_screen(HistorySearch(self.recall.entries), chosen)

    # Changes

    @on(TextArea.Changed)
    def _text_changed(self, event: TextArea.Changed) -> None:
        event.stop()
        self.set_class(self.editor.text.startswith("!"), "-bash")
        self.post_message(self.Edited())
        self.refresh_completion()
        self._changed()

    @on(TextArea.SelectionChanged)
    def _cursor_moved(self, event: TextArea.SelectionChanged) -> None:
        event.stop()
        if self.popup.is_open:
            self.refresh_completion()

    def on_descendant_blur(self) -> None:
        """The keys go elsewhere now."""
        self.close_completion()

    def _changed(self) -> None:
        if self._settling is not None:
            self._settling.stop()
        self._settling = self.set_timer(_SETTLE, self._settle)

    def _settle(self) -> None:
        self._settling = None
        self.post_message(self.Settled())
