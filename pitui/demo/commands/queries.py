"""Commands that only look."""

from __future__ import annotations

from pitui.demo import context, slash
from pitui.demo.agent import Agent
from pitui.demo.commands.answer import Answer, Handler
from pitui.demo.models import MODELS
from pitui.demo.records import Record, Refused, text_field


def _state(agent: Agent, _: Record) -> Answer:
    session = agent.session
    state: Record = {
        "model": agent.model.record(), "thinkingLevel": agent.thinking_level, "isStreaming": agent.run is not None,
        "isCompacting": agent.compaction is not None, "steeringMode": agent.queue.steering_mode,
        "followUpMode": agent.queue.follow_up_mode,
    }
    if session.path:
        state["sessionFile"] = str(session.path)
    state["sessionId"] = session.id
    if session.name:
        state["sessionName"] = session.name
    return state | {
        "autoCompactionEnabled": agent.auto_compaction,
        "messageCount": len(context.context_messages(session)), "pendingMessageCount": len(agent.queue),
    }


def _entries(agent: Agent, record: Record) -> Answer:
    entries = agent.session.entries
    since = text_field(record, "since")
    if since is not None:
        if since not in agent.session.by_id:
            raise Refused(f"Entry not found: {since}")
        entries = entries[entries.index(agent.session.by_id[since]) + 1:]
    return {"entries": entries, "leafId": agent.session.leaf}


def _last_text(agent: Agent, _: Record) -> Answer:
    text = context.last_answer(agent.session)
    return {} if text is None else {"text": text}


QUERIES: dict[str, Handler] = {
    "get_state": _state,
    "get_messages": lambda agent, _: {"messages": context.context_messages(agent.session)},
    "get_entries": _entries,
    "get_tree": lambda agent, _: {"tree": context.tree(agent.session), "leafId": agent.session.leaf},
    "get_fork_messages": lambda agent, _: {"messages": context.fork_points(agent.session)},
    "get_last_assistant_text": _last_text,
    "get_session_stats": lambda agent, _: context.session_stats(agent.session, agent.model),
    "get_available_models": lambda agent, _: {"models": [model.record() for model in MODELS]},
    "get_available_thinking_levels": lambda agent, _: {"levels": list(agent.model.levels)},
    "get_commands": lambda agent, _: {"commands": slash.listing()},
}
