"""Messages that wait for their turn."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from pitui.demo.messages import message_text
from pitui.demo.records import Record


class Queue:
    """Steering messages go in after the step that runs, follow-ups when the agent would stop."""

    def __init__(self, emit: Callable[[Record], None]) -> None:
        self._emit = emit
        self.steering: list[Record] = []
        self.follow_up: list[Record] = []
        self.steering_mode = "one-at-a-time"
        self.follow_up_mode = "one-at-a-time"

    def __len__(self) -> int:
        return len(self.steering) + len(self.follow_up)

    def add(self, message: Record, follow_up: bool) -> None:
        (self.follow_up if follow_up else self.steering).append(message)
        self.announce()

    def deliver(self, follow_up: bool) -> Iterator[Record]:
        """The messages of one kind that are due by its mode; each is announced as gone just before it is given."""
        waiting = self.follow_up if follow_up else self.steering
        count = len(waiting) if (self.follow_up_mode if follow_up else self.steering_mode) == "all" else 1
        for _ in range(min(count, len(waiting))):
            message = waiting.pop(0)
            self.announce()
            yield message

    def clear(self) -> Record:
        """Drop everything; the texts dropped."""
        dropped = self.texts()
        self.drop()
        self.announce()
        return dropped

    def drop(self) -> None:
        """Drop everything and tell nobody."""
        self.steering.clear()
        self.follow_up.clear()

    def texts(self) -> Record:
        return {
            "steering": [message_text(message) for message in self.steering],
            "followUp": [message_text(message) for message in self.follow_up],
        }

    def announce(self) -> None:
        self._emit({"type": "queue_update", **self.texts()})
