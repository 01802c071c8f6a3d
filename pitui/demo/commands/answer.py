"""What a command's handler is and gives back."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from enum import Enum

from pitui.demo.agent import Agent
from pitui.demo.records import Record, Refused, text_field


class Nothing(Enum):
    """The answer of commands that only succeed; None stands for `data: null`."""

    HERE = 0


Answer = Record | None | Nothing
Handler = Callable[[Agent, Record], Answer | Coroutine[object, None, Answer]]


def needed_text(record: Record, name: str, used: str) -> str:
    """The string in field `name`. Raises Refused the way the real agent does when it calls `used` on a missing one."""
    value = text_field(record, name)
    if value is None:
        raise Refused(f"Cannot read properties of undefined (reading '{used}')")
    return value
