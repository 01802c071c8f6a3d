"""Longer answers as plain markdown text: the session's figures, diagnostics, a model in one row."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from importlib import metadata

from pitui import __version__
from pitui.render import text as texts
from pitui.render.bars import one_line
from pitui.rpc.events import Unknown
from pitui.rpc.messages import AssistantMessage, Model, ToolResultMessage, Usage
from pitui.rpc.results import SessionStats
from pitui.rpc.stored import AnyStored, StoredBranchSummary, StoredCompaction, StoredMessage, StoredUsage
from pitui.session.state import Session


def model_row(model: Model, current: bool) -> str:
    """One model of a picker: name, provider, window, price and what it can do."""
    mark = "●" if current else " "
    parts = [f"{mark} {one_line(model.name or model.id)}", f"{one_line(model.provider)}/{one_line(model.id)}"]
    if model.context_window:
        parts.append(texts.tokens(model.context_window))
    if model.cost is not None and (model.cost.input or model.cost.output):
        parts.append(f"${model.cost.input:g}/${model.cost.output:g} per M")
    parts += [word for word, there in (("thinking", model.reasoning), ("images", "image" in model.input)) if there]
    return "  ".join(parts)


def session(known: Session, stats: SessionStats, entries: Iterable[AnyStored]) -> str:
    """Messages, tokens, context and cost; the cost of each model from the stored entries, other branches included."""
    identity, context = known.identity, stats.context_usage
    lines = [
        f"name      {one_line(identity.name or '–')}",
        f"file      {one_line(stats.session_file or 'kept in memory')}",
        f"id        {one_line(stats.session_id)}",
        "",
        f"messages  {stats.total_messages} ({stats.user_messages} from you, {stats.assistant_messages} answers)",
        f"tools     {stats.tool_calls} calls, {stats.tool_results} results",
    ]
    if (tokens := stats.tokens) is not None:
        lines.append(
            f"tokens    ↑{texts.tokens(tokens.input)} ↓{texts.tokens(tokens.output)}"
            f" cache read {texts.tokens(tokens.cache_read)}, written {texts.tokens(tokens.cache_write)}"
        )
    if context is not None and context.context_window:
        used = texts.tokens(context.tokens) if context.tokens is not None else "unknown"
        share = f" ({context.percent:.0f}%)" if context.percent is not None else ""
        lines.append(f"context   {used} of {texts.tokens(context.context_window)}{share}")
    lines.append(f"cost      {texts.money(stats.cost)}")
    spent = spending(entries)
    if spent:
        lines += ["", "by model"]
        lines += [
            f"  {texts.money(cost):>9}  {calls:>4} calls  ↑{texts.tokens(inputs)} ↓{texts.tokens(outputs)}"
            f"  {one_line(name)}"
            for name, (cost, calls, inputs, outputs) in sorted(spent.items(), key=lambda item: -item[1][0])
        ]
    return fenced("\n".join(lines))


def fenced(text: str) -> str:
    """Text as it stands, inside markdown; no run of backquotes in it can end the fence."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}\n{text}\n{fence}"


def spending(entries: Iterable[AnyStored]) -> dict[str, tuple[float, int, int, int]]:
    """Per model: dollars, calls, input and output tokens."""
    spent: dict[str, tuple[float, int, int, int]] = {}
    for entry in entries:
        name, usage = _usage(entry)
        if usage is not None:
            cost, calls, inputs, outputs = spent.get(name, (0.0, 0, 0, 0))
            price = usage.cost.total if usage.cost else 0.0
            spent[name] = (cost + price, calls + 1, inputs + usage.input, outputs + usage.output)
    return spent


def _usage(entry: AnyStored) -> tuple[str, Usage | None]:
    if isinstance(entry, StoredMessage):
        message = entry.message
        if isinstance(message, AssistantMessage):
            return f"{message.provider}/{message.response_model or message.model}", message.usage
        if isinstance(message, ToolResultMessage):
            return f"tool {message.tool_name}", message.usage
    if isinstance(entry, StoredUsage):
        return f"{entry.provider}/{entry.model} ({entry.kind})", entry.usage
    if isinstance(entry, (StoredCompaction, StoredBranchSummary)):
        return "summaries", entry.usage
    return "", None


def diagnostics(command: Sequence[str], stderr: Sequence[str], oddities: Sequence[Unknown]) -> str:
    """What a report of a problem needs, and what the agent said outside the protocol."""
    lines = [
        f"pitui {__version__}, Textual {metadata.version('textual')}",
        f"agent: {one_line(' '.join(command))}",
        "",
        "stderr, the last lines",
        *(f"  {line}" for text in stderr for line in texts.sanitize(text).split("\n")),
        "",
        f"records that could not be used: {len(oddities)}",
    ]
    lines += [f"  {item.reason}: {one_line(item.record.decode('utf-8', 'replace'))[:200]}" for item in oddities]
    return fenced("\n".join(lines))

