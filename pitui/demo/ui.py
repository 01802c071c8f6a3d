"""What an extension can do in the client's window: ask and show."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Mapping

from pitui.demo.records import Record, random_uuid, text_field


class Ui:
    """Questions wait for their answer, however long it takes; neither an abort nor a timeout is told to the client.

    A question's `limit` is in seconds. It shrinks with the speed, but not when there are to be no delays at all: then
    nobody could answer in time.
    """

    def __init__(self, emit: Callable[[Record], None], speed: float) -> None:
        self._emit = emit
        self._speed = 1.0 if math.isinf(speed) else speed
        self._open: dict[str, asyncio.Future[Record]] = {}

    async def select(self, title: str, options: list[str], limit: float | None = None) -> str | None:
        """The option chosen, or None."""
        return text_field(await self._ask("select", {"title": title, "options": options}, limit), "value")

    async def confirm(self, title: str, message: str, limit: float | None = None) -> bool:
        answer = await self._ask("confirm", {"title": title, "message": message}, limit)
        return answer.get("confirmed") is True

    async def input(self, title: str, placeholder: str | None = None, limit: float | None = None) -> str | None:
        fields: Record = {"title": title, **({} if placeholder is None else {"placeholder": placeholder})}
        return text_field(await self._ask("input", fields, limit), "value")

    async def editor(self, title: str, prefill: str | None = None) -> str | None:
        fields: Record = {"title": title, **({} if prefill is None else {"prefill": prefill})}
        return text_field(await self._ask("editor", fields, None), "value")

    def notify(self, message: str, kind: str = "info") -> None:
        """`kind` is info, warning or error."""
        self._show("notify", {"message": message, "notifyType": kind})

    def set_status(self, key: str, text: str | None) -> None:
        self._show("setStatus", {"statusKey": key} | ({} if text is None else {"statusText": text}))

    def set_widget(self, key: str, lines: list[str] | None, below: bool = False) -> None:
        """Lines above the editor, or below it; None takes them away."""
        fields: Record = {"widgetKey": key}
        if lines is not None:
            fields |= {"widgetLines": lines} | ({"widgetPlacement": "belowEditor"} if below else {})
        self._show("setWidget", fields)

    def set_title(self, title: str) -> None:
        self._show("setTitle", {"title": title})

    def set_editor_text(self, text: str) -> None:
        self._show("set_editor_text", {"text": text})

    def answer(self, record: Record) -> None:
        """Take a client's answer; one that fits no open question is ignored."""
        waiting = self._open.pop(str(record.get("id")), None)
        if waiting and not waiting.done():
            waiting.set_result(record)

    def cancel_all(self) -> None:
        """Give every open question up, as when the session it belongs to goes away."""
        for identity in list(self._open):
            self.answer({"id": identity, "cancelled": True})

    async def _ask(self, method: str, fields: Record, limit: float | None) -> Record:
        identity = random_uuid()
        waiting: asyncio.Future[Record] = asyncio.get_running_loop().create_future()
        self._open[identity] = waiting
        seconds = None if limit is None else limit / self._speed
        if seconds is not None:
            fields["timeout"] = round(seconds * 1000)
        self._show(method, fields, identity)
        done, _ = await asyncio.wait([waiting], timeout=seconds)
        self._open.pop(identity, None)
        return waiting.result() if done else {}

    def _show(self, method: str, fields: Mapping[str, object], identity: str | None = None) -> None:
        self._emit({"type": "extension_ui_request", "id": identity or random_uuid(), "method": method, **fields})
