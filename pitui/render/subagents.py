"""Agents started by a tool, as far as its details tell: who, what for, how far, and what it did last.

Recognised are the details of the agent's own example extension (`results`, each with `agent`, `task`, `messages`,
`usage`, `exitCode`) and plainer ones with `messages` or `progress`. They can be hundreds of kilobytes: only the last
messages are looked at.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pitui.render.lines import Line, Palette, View
from pitui.render.rows import clipped
from pitui.render.text import Span, count, money, tokens
from pitui.render.titles import dot, one_line

MOST = 16
"""Agents shown; a fan-out is rarely wider."""
LOOKED_AT = 12
"""Messages from the end in which the last activity is sought."""


@dataclass(frozen=True, slots=True)
class Task:
    """One agent at work. `exit_code` None or -1: not finished. `latest`: what it did or said last."""

    agent: str
    task: str = ""
    exit_code: int | None = None
    latest: str = ""
    spent: str = ""
    failed: bool = False


def read_tasks(details: object) -> list[Task]:
    """The agents described by a result's details; none when the details are something else."""
    if not isinstance(details, dict):
        return []
    results = details.get("results")
    if isinstance(results, list):
        found = [_task(result) for result in results[:MOST] if isinstance(result, dict) and _is_task(result)]
        if found:
            return found
    return [_task(details)] if _is_task(details) else []


def _is_task(value: dict[object, object]) -> bool:
    return isinstance(value.get("messages"), list) or isinstance(value.get("agent"), str) or (
        isinstance(value.get("progress"), (list, str)) and bool(value["progress"])
    )


def _task(value: dict[object, object]) -> Task:
    code = value.get("exitCode")
    exit_code = code if isinstance(code, int) and code != -1 else None
    error = value.get("errorMessage")
    stop = value.get("stopReason")
    failed = exit_code not in (None, 0) or stop in ("error", "aborted")
    return Task(
        _text(value.get("agent")) or "agent",
        _text(value.get("task")),
        exit_code,
        _text(error) if failed and error else _latest(value),
        _spent(value.get("usage")),
        failed,
    )


def _text(value: object) -> str:
    return one_line(value) if isinstance(value, str) else ""


def _latest(value: dict[object, object]) -> str:
    messages = value.get("messages")
    if isinstance(messages, list):
        for message in reversed(messages[-LOOKED_AT:]):
            said = _activity(message)
            if said:
                return said
    progress = value.get("progress")
    last = progress[-1] if isinstance(progress, list) and progress else progress
    return one_line(last) if last else ""


def _activity(message: object) -> str:
    if not isinstance(message, dict) or message.get("role") != "assistant":
        return ""
    content = message.get("content")
    if isinstance(content, str):
        return one_line(content)
    for block in reversed(content[-LOOKED_AT:] if isinstance(content, list) else []):
        if not isinstance(block, dict):
            continue
        if block.get("type") == "toolCall":
            arguments = block.get("arguments")
            first = next(iter(arguments.values()), "") if isinstance(arguments, dict) else ""
            return f"{_text(block.get('name'))} {one_line(first)}".strip()
        if block.get("type") == "text" and _text(block.get("text")):
            return _text(block.get("text"))
    return ""


def _spent(usage: object) -> str:
    if not isinstance(usage, dict):
        return ""
    numbers = {name: value for name, value in usage.items() if isinstance(value, (int, float)) and 0 < value < 1e15}
    parts = []
    if "turns" in numbers:
        parts.append(count(int(numbers["turns"]), "turn"))
    if "output" in numbers:
        parts.append(f"{tokens(numbers['output'])} tokens")
    if "cost" in numbers:
        parts.append(money(numbers["cost"]))
    return "  ".join(parts)


def task_lines(tasks: Sequence[Task], view: View, prefix: Sequence[Span]) -> list[Line]:
    """One row for each agent, and one for what it did last."""
    palette = view.palette
    lines: list[Line] = []
    for task in tasks:
        mark, style = _mark(task, palette)
        spans: list[Span] = [(f"{mark} ", style), (task.agent, palette.tool)]
        for words in (task.task, task.spent):
            spans += [(dot(palette), palette.muted), (words, palette.muted)] if words else []
        lines.append(clipped(spans, view.width, prefix, view))
        if task.latest:
            style = palette.error if task.failed else palette.text
            lines.append(clipped([("  ", palette.muted), (task.latest, style)], view.width, prefix, view))
    return lines


def _mark(task: Task, palette: Palette) -> Span:
    if task.failed:
        return ("x" if palette.ascii_only else "✗", palette.error)
    if task.exit_code is None:
        return ("o" if palette.ascii_only else "○", palette.accent)
    return ("*" if palette.ascii_only else "●", palette.success)


