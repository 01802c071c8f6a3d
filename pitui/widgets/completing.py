"""The composer's completions: when the list opens, what its keys do, and what they leave alone."""

from __future__ import annotations

import asyncio

from textual import on, work
from textual.actions import SkipAction
from textual.widget import Widget

from pitui.widgets.completion import (
    Completion,
    Kind,
    Request,
    Sources,
    common_start,
    insertion,
    path_at,
    request_at,
)
from pitui.widgets.editor import Editor
from pitui.widgets.popup import CompletionPopup

_LOOK_AGAIN = 0.25
"""Seconds between two looks at an index that is being read."""


class Completing(Widget):
    """Part of the composer. `sources` is filled by its screen."""

    editor: Editor

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.sources = Sources()
        self.popup = CompletionPopup()
        self._dismissed: tuple[Kind, int, int] | None = None

    def _request(self) -> Request | None:
        row, column = self.editor.cursor_location
        return request_at(self.editor.document.get_line(row), row, column) if self.editor.has_focus else None

    def refresh_completion(self) -> None:
        """Offer what fits the cursor now."""
        if self.popup.request is not None and self.popup.request.kind is Kind.PATH:
            self._narrow_paths(self.popup.request)
            return
        request = self._request()
        key = (request.kind, request.row, request.start) if request else None
        if key is None or key != self._dismissed:
            self._dismissed = None
        if request is None or self._dismissed:
            self.close_completion()
        elif request.kind is Kind.FILE:
            self._offer_files(request)
        else:
            self._offer(request, self.sources.find(request))

    def _narrow_paths(self, request: Request) -> None:
        """Typing goes on while paths are listed."""
        row, column = self.editor.cursor_location
        now = path_at(self.editor.document.get_line(row), row, column)
        goes_on = (now.row, now.start) == (request.row, request.start) and now.query
        self.popup.show(now, [item for item in self.popup.items if goes_on and item.value.startswith(now.query)])

    def _offer(self, request: Request, items: list[Completion]) -> None:
        done = len(items) == 1 and items[0].value == request.query and request.kind is Kind.ARGUMENT
        self.popup.show(request, () if done else items)

    @work(exclusive=True, group="completion", exit_on_error=False)
    async def _offer_files(self, request: Request) -> None:
        files = self.sources.files
        if files is None:
            return
        files.refresh_if_old()
        reading = True
        while reading and request == self._request():
            reading = files.reading
            items = await asyncio.to_thread(self.sources.find, request)
            if request == self._request():
                self._offer(request, items)
            if reading:
                await asyncio.sleep(_LOOK_AGAIN)

    def close_completion(self) -> None:
        """Show no list."""
        if self.popup.is_open:
            self.popup.close()

    def _opened(self) -> CompletionPopup:
        if not self.popup.is_open:
            raise SkipAction
        return self.popup

    def action_select_up(self) -> None:
        self._opened().move(-1)

    def action_select_down(self) -> None:
        self._opened().move(1)

    def action_select_page_up(self) -> None:
        self._opened().move(-self.popup.rows)

    def action_select_page_down(self) -> None:
        self._opened().move(self.popup.rows)

    def action_select_cancel(self) -> None:
        """Close the list and leave it closed for this word."""
        request = self._opened().request
        if request:
            self._dismissed = (request.kind, request.row, request.start)
        self.close_completion()

    def _catch_up(self) -> None:
        """Keys of one read come before the list has followed the text: an offer for an older text is not meant."""
        request = self._request()
        if request is not None and request.kind is Kind.COMMAND and request != self.popup.request:
            self.refresh_completion()
        elif self.popup.request is not None and self.popup.request != self._under_cursor(self.popup.request.kind):
            self.close_completion()

    def _under_cursor(self, kind: Kind) -> Request | None:
        row, column = self.editor.cursor_location
        return path_at(self.editor.document.get_line(row), row, column) if kind is Kind.PATH else self._request()

    def action_select_confirm(self) -> None:
        """Enter: takes the choice if a person made one, or completes a command that is begun; then it is sent, unless
        it needs arguments. In every other case Enter is not the list's.
        """
        popup = self.popup
        self._catch_up()
        if popup.is_open and popup.navigated:
            self._accept()
            return
        request, chosen = popup.request, popup.chosen
        if request is None or chosen is None or request.kind is not Kind.COMMAND:
            raise SkipAction
        exact = any(item.value == request.query for item in popup.items)
        if exact or not request.query or not chosen.value.startswith(request.query):
            raise SkipAction
        self._accept()
        if not chosen.hint.startswith("<"):
            raise SkipAction

    async def action_complete(self) -> None:
        """Tab: the highlighted item, else the path before the cursor. Never leaves the field."""
        self._catch_up()
        if self.popup.is_open:
            self._accept()
            return
        row, column = self.editor.cursor_location
        request = path_at(self.editor.document.get_line(row), row, column)
        if request.query:
            self._complete_path(request, self.editor.text)

    @work(exclusive=True, group="completion", exit_on_error=False)
    async def _complete_path(self, request: Request, text: str) -> None:
        found = await asyncio.to_thread(self.sources.find, request)
        row, column = self.editor.cursor_location
        if self.editor.text != text or (row, column) != (request.row, request.end) or not found:
            return
        start = common_start(found)
        if len(found) == 1 or len(start) > len(request.query):
            self._insert(request, Completion(start))
        if len(found) > 1:
            row, column = self.editor.cursor_location
            self.popup.show(path_at(self.editor.document.get_line(row), row, column), found)

    def _accept(self) -> None:
        request, chosen = self.popup.request, self.popup.chosen
        self.close_completion()
        if request is not None and chosen is not None:
            self._insert(request, chosen)

    def _insert(self, request: Request, completion: Completion) -> None:
        row, column = self.editor.cursor_location
        self.editor.history.checkpoint()
        self.editor.replace(
            self.editor.pastes.admit(insertion(request, completion)), (request.row, request.start), (row, column),
            maintain_selection_offset=False,
        )
        self.editor.history.checkpoint()

    @on(CompletionPopup.Picked)
    def _picked(self, event: CompletionPopup.Picked) -> None:
        event.stop()
        self._accept()
        self.editor.focus()
