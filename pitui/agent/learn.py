"""What the agent's answers mean for the session: results of commands as events of this side. Pure.

Used for the answers to our own requests and, in a replay, for those that the recorded client got.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pydantic import ValidationError

from pitui.rpc import commands
from pitui.rpc.commands import PiCommand
from pitui.rpc.events import CommandSent, Event, LateResponse, Response
from pitui.rpc.results import AgentState, BashResult, Commands, CycledModel, Forked, Replaced, SessionStats
from pitui.session import local
from pitui.session.local import LocalEvent
from pitui.session.state import Context, SlashCommand, Stats


def state(answer: AgentState) -> local.StateLoaded:
    return local.StateLoaded(
        answer.model, answer.thinking_level, answer.is_streaming, answer.is_compacting, answer.steering_mode,
        answer.follow_up_mode, answer.session_file, answer.session_id, answer.session_name,
        answer.auto_compaction_enabled,
    )


def stats(answer: SessionStats) -> local.StatsLoaded:
    usage, tokens = answer.context_usage, answer.tokens
    context = Context(usage.tokens, usage.context_window or None, usage.percent) if usage else Context()
    if tokens is None:
        return local.StatsLoaded(Stats(cost=answer.cost, context=context))
    return local.StatsLoaded(
        Stats(tokens.input, tokens.output, tokens.cache_read, tokens.cache_write, answer.cost, context)
    )


def slash_commands(answer: Commands) -> local.CommandsLoaded:
    return local.CommandsLoaded(tuple(
        SlashCommand(item.name, item.description or "", item.source, item.path, item.scope or "")
        for item in answer.commands
    ))


def bash(command_id: str, answer: BashResult) -> local.BashFinished:
    return local.BashFinished(
        command_id, answer.output, answer.exit_code, answer.cancelled, answer.truncated, answer.full_output_path
    )


def replayed(event: Event) -> LocalEvent | None:
    """What a recorded command or answer meant for the client it was recorded from; None for nothing."""
    if isinstance(event, CommandSent):
        return _sent(event.record)
    if isinstance(event, LateResponse) and event.response.success:
        return _answered(event.response)
    return None


def _answered(response: Response) -> LocalEvent | None:
    try:
        if response.command == "bash":
            return bash(str(response.id), commands.Bash("").read(response.data))
        command, meaning = _ANSWERS[response.command or ""]
        return meaning(command.read(response.data))
    except (KeyError, ValidationError):
        return None  # Nothing we show, or nothing that could be read.


def _sent(record: Mapping[str, object]) -> LocalEvent | None:
    match record.get("type"):
        case "bash":
            return local.BashStarted(
                str(record.get("id")), str(record.get("command")), bool(record.get("excludeFromContext"))
            )
        case "extension_ui_response":
            return local.DialogClosed(str(record.get("id")))
        case "abort":
            return local.AbortRequested()
    return None


def _cycled(done: CycledModel | None) -> LocalEvent | None:
    return local.ModelChosen(done.model, done.thinking_level) if done is not None and done.model is not None else None


def _replaced(done: Replaced | Forked) -> LocalEvent | None:
    return None if done.cancelled else local.SessionReplaced()


_ANSWERS: Mapping[str, tuple[PiCommand[Any], Callable[[Any], LocalEvent | None]]] = {
    "get_state": (commands.GetState(), state),
    "get_session_stats": (commands.GetSessionStats(), stats),
    "get_commands": (commands.GetCommands(), slash_commands),
    "get_available_models": (commands.GetAvailableModels(), lambda found: local.ModelsLoaded(found.models)),
    "get_entries": (commands.GetEntries(), lambda found: local.HistoryLoaded(found.entries, found.leaf_id)),
    "get_messages": (commands.GetMessages(), lambda found: local.MessagesLoaded(found.messages)),
    "set_model": (commands.SetModel("", ""), local.ModelChosen),
    "cycle_model": (commands.CycleModel(), _cycled),
    "new_session": (commands.NewSession(), _replaced),
    "switch_session": (commands.SwitchSession(""), _replaced),
    "fork": (commands.Fork(""), _replaced),
    "clone": (commands.Clone(), _replaced),
}
