"""Scenes in which something goes wrong, or the context gets full."""

from __future__ import annotations

from collections.abc import Iterator

from pitui.demo.script import Failure, Say, Scene, Think, Turn, turn
from pitui.demo.stage import Stage

OVERLOADED = '529: {"type":"overloaded_error","message":"Overloaded (demo)"}'
REFUSED = '401: {"message":"invalid api key (demo)","type":"authentication_error"}'
CRASHED = "terminated: other side closed (demo)"


def _retry(stage: Stage) -> Iterator[Turn]:
    yield turn(failure=Failure(OVERLOADED, retryable=True))
    yield turn(Say("The first half of an ans"), failure=Failure(OVERLOADED, retryable=True))
    yield turn(Say("The third attempt worked. Both failures were part of the demo."))


def _overload(stage: Stage) -> Iterator[Turn]:
    while True:
        yield turn(failure=Failure(OVERLOADED, retryable=True))


def _error(stage: Stage) -> Iterator[Turn]:
    yield turn(
        Think("This will not end well."),
        Say("This answer breaks off in the mid"),
        failure=Failure(CRASHED),
    )


def _denied(stage: Stage) -> Iterator[Turn]:
    yield turn(failure=Failure(REFUSED))


def _length(stage: Stage) -> Iterator[Turn]:
    yield turn(Say("This answer reaches its limit before it is"), stop_reason="length")


def _compact(stage: Stage) -> Iterator[Turn]:
    stage.compact_after = True
    yield turn(Say("The context counts as full after this answer, so the agent compacts it by itself. Esc stops that."))


SCENES = (
    Scene("retry", "two overloaded attempts, then an answer", ("retry",), _retry),
    Scene("overload", "an overload that no retry helps", ("overload", "overloaded"), _overload),
    Scene("error", "a provider that breaks off", ("crash",), _error),
    Scene("denied", "a provider that refuses the key", ("denied",), _denied),
    Scene("length", "an answer cut at the model's limit", ("length",), _length),
    Scene("compact", "a compaction by itself after the answer", ("compact", "compaction"), _compact),
)
