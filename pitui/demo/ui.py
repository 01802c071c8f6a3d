"""What an extension can do in the client's window: ask and show."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from pitui.demo.records import Record, dialog_id, text_field


class Ui:
    """Questions wait for their answer, however long it takes; neither an abort nor a timeout is told to the client."""

    def __init__(self, emit: Callable[[Record], None], speed: float) -> None:
        self._emit = emit
        self._speed = speed
        self._open: dict[str, asyncio.Future[Record]] = {}

    async def select(self, title: str, options: list[str], timeout: float | None = None) -> str | None:
        """The option chosen, or None. `timeout` is in seconds."""
        return text_field(await self._ask("select", timeout, title=title, options=options), "value")

    async def confirm(self, title: str, message: str, timeout: float | None = None) -> bool:
        return (await self._ask("confirm", timeout, title=title, message=message)).get("confirmed") is True

    async def input(self, title: str, placeholder: str | None = None, timeout: float | None = None) -> str | None:
        more: Record = {} if placeholder is None else {"placeholder": placeholder}
        return text_field(await self._ask("input", timeout, title=title, **more), "value")

    async def editor(self, title: str, prefill: str | None = None) -> str | None:
        more: Record = {} if prefill is None else {"prefill": prefill}
        return text_field(await self._ask("editor", None, title=title, **more), "value")

    def notify(self, message: str, kind: str = "info") -> None:
        """`kind` is info, warning or error."""
        self._show("notify", message=message, notifyType=kind)

    def set_status(self, key: str, text: str | None) -> None:
        self._show("setStatus", statusKey=key, **({} if text is None else {"statusText": text}))

    def set_widget(self, key: str, lines: list[str] | None, below: bool = False) -> None:
        """Lines above the editor, or below it; None takes them away."""
        fields: Record = {} if lines is None else {"widgetLines": lines}
        if below and lines is not None:
            fields["widgetPlacement"] = "belowEditor"
        self._show("setWidget", widgetKey=key, **fields)

    def set_title(self, title: str) -> None:
        self._show("setTitle", title=title)

    def set_editor_text(self, text: str) -> None:
        self._show("set_editor_text", text=text)

    def answer(self, record: Record) -> None:
        """Take a client's answer; one that fits no open question is ignored."""
        waiting = self._open.pop(str(record.get("id")), None)
        if waiting and not waiting.done():
            waiting.set_result(record)

    def cancel_all(self) -> None:
        """Give every open question up, as when the session it belongs to goes away."""
        for identity in list(self._open):
            self.answer({"id": identity, "cancelled": True})

    async def _ask(self, method: str, timeout: float | None, **fields: object) -> Record:
        identity = dialog_id()
        waiting: asyncio.Future[Record] = asyncio.get_running_loop().create_future()
        self._open[identity] = waiting
        if timeout is None:
            self._show(method, identity, **fields)
            return await waiting
        seconds = timeout / self._speed
        self._show(method, identity, **fields, timeout=round(seconds * 1000))
        done, _ = await asyncio.wait([waiting], timeout=seconds)
        self._open.pop(identity, None)
        return waiting.result() if done else {}

    def _show(self, method: str, identity: str | None = None, **fields: object) -> None:
        self._emit({"type": "extension_ui_request", "id": identity or dialog_id(), "method": method, **fields})
