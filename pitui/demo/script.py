"""The words scenes are written in: what the pretended model says and does, turn by turn."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pitui.demo.records import Record

if TYPE_CHECKING:
    from pitui.demo.stage import Stage, ToolStage


@dataclass(frozen=True, slots=True)
class Think:
    """A thinking block; left out while the thinking level is off."""

    text: str
    pace: float = 1.0


@dataclass(frozen=True, slots=True)
class Say:
    """A text block. `pace` 2 writes it twice as slowly."""

    text: str
    pace: float = 1.0


@dataclass(frozen=True, slots=True)
class Output:
    """What a tool gave back. `details` and `structured` are left out when None."""

    content: list[Record]
    details: Record | None = None
    structured: object = None
    is_error: bool = False
    nested: Record | None = None
    timed: bool = True


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call and what running it does."""

    name: str
    arguments: Record
    run: Callable[[ToolStage], Awaitable[Output]]
    pace: float = 1.0


@dataclass(frozen=True, slots=True)
class Failure:
    """The provider's error that ends a turn, after whatever was said before it."""

    message: str
    retryable: bool = False


Part = Think | Say | Call


@dataclass(frozen=True, slots=True)
class Turn:
    """One answer of the pretended model."""

    parts: list[Part] = field(default_factory=list)
    failure: Failure | None = None
    stop_reason: str = "stop"

    @property
    def calls(self) -> list[Call]:
        return [part for part in self.parts if isinstance(part, Call)]


def turn(*parts: Part, failure: Failure | None = None, stop_reason: str = "stop") -> Turn:
    return Turn(list(parts), failure, stop_reason)


Play = Callable[["Stage"], Iterator[Turn]]


@dataclass(frozen=True, slots=True)
class Scene:
    """A scene by its name, what it shows, the words in a prompt that call it, and the script."""

    name: str
    about: str
    words: tuple[str, ...]
    play: Play
