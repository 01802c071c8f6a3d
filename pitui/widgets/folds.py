"""What the reader opened and closed: a value to keep with the session."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from pitui.render.lines import ThinkingView, View

_NEXT = {
    ThinkingView.FIRST_LINE: ThinkingView.FULL,
    ThinkingView.FULL: ThinkingView.HIDDEN,
    ThinkingView.HIDDEN: ThinkingView.FIRST_LINE,
}


@dataclass(frozen=True, slots=True)
class Folds:
    """`open` and `shut`: fold keys set by hand against `tools_open` and `thinking`; `sources`: shown as source."""

    tools_open: bool = False
    thinking: ThinkingView = ThinkingView.FIRST_LINE
    open: frozenset[str] = frozenset()
    shut: frozenset[str] = frozenset()
    sources: frozenset[str] = frozenset()


def folds_of(view: View) -> Folds:
    return Folds(view.tools_open, view.thinking, view.open, view.shut, view.sources)


def with_folds(view: View, folds: Folds) -> View:
    return replace(
        view,
        tools_open=folds.tools_open,
        thinking=folds.thinking,
        open=folds.open,
        shut=folds.shut,
        sources=folds.sources,
    )


def opened(view: View, keys: Iterable[str]) -> View:
    keys = frozenset(keys)
    return replace(view, open=view.open | keys, shut=view.shut - keys)


def closed(view: View, key: str) -> View:
    return replace(view, open=view.open - {key}, shut=view.shut | {key})


def with_source(view: View, key: str) -> View:
    """The entry `key` shown as its source, or no longer."""
    return replace(view, sources=view.sources ^ {key})


def with_tools(view: View) -> View:
    """Every tool the other way, whatever was set by hand before."""
    return replace(view, tools_open=not view.tools_open, open=frozenset(), shut=frozenset())


def with_thinking(view: View) -> View:
    """Thinking in its next form: first line, all of it, hidden."""
    return replace(view, thinking=_NEXT[view.thinking], open=frozenset(), shut=frozenset())
