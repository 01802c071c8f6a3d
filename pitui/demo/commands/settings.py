"""Commands that change the model and the settings."""

from __future__ import annotations

from pitui.demo.agent import Agent
from pitui.demo.commands.answer import Answer, Handler, Nothing, needed_text
from pitui.demo.models import MODELS, find_model
from pitui.demo.records import Record, Refused, text_field


def _set_model(agent: Agent, record: Record) -> Answer:
    provider, model_id = text_field(record, "provider"), text_field(record, "modelId")
    model = find_model(provider, model_id)
    if model is None:
        raise Refused(f"Model not found: {provider or 'undefined'}/{model_id or 'undefined'}")
    agent.use_model(model)
    return model.record()


def _cycle_model(agent: Agent, _: Record) -> Answer:
    agent.use_model(MODELS[(MODELS.index(agent.model) + 1) % len(MODELS)])
    return {"model": agent.model.record(), "thinkingLevel": agent.thinking_level, "isScoped": False}


def _set_level(agent: Agent, record: Record) -> Answer:
    agent.use_level(text_field(record, "level") or "undefined")
    return Nothing.HERE


def _cycle_level(agent: Agent, _: Record) -> Answer:
    levels = agent.model.levels
    if len(levels) < 2:
        return None
    agent.use_level(levels[(levels.index(agent.thinking_level) + 1) % len(levels)])
    return {"level": agent.thinking_level}


def _set_steering_mode(agent: Agent, record: Record) -> Answer:
    agent.queue.steering_mode = text_field(record, "mode") or "one-at-a-time"
    return Nothing.HERE


def _set_follow_up_mode(agent: Agent, record: Record) -> Answer:
    agent.queue.follow_up_mode = text_field(record, "mode") or "one-at-a-time"
    return Nothing.HERE


def _set_auto_compaction(agent: Agent, record: Record) -> Answer:
    agent.auto_compaction = bool(record.get("enabled"))
    return Nothing.HERE


def _set_auto_retry(agent: Agent, record: Record) -> Answer:
    agent.auto_retry = bool(record.get("enabled"))
    return Nothing.HERE


def _set_name(agent: Agent, record: Record) -> Answer:
    name = needed_text(record, "name", "trim").strip()
    if not name:
        raise Refused("Session name cannot be empty")
    agent.session.append("session_info", name=name)
    agent.emit({"type": "session_info_changed", "name": name})
    return Nothing.HERE


SETTINGS: dict[str, Handler] = {
    "set_model": _set_model,
    "cycle_model": _cycle_model,
    "set_thinking_level": _set_level,
    "cycle_thinking_level": _cycle_level,
    "set_steering_mode": _set_steering_mode,
    "set_follow_up_mode": _set_follow_up_mode,
    "set_auto_compaction": _set_auto_compaction,
    "set_auto_retry": _set_auto_retry,
    "set_session_name": _set_name,
}
