"""What the model would see of a session, and the numbers about it."""

from __future__ import annotations

from datetime import datetime

from pitui.demo.messages import estimate_tokens, message_text
from pitui.demo.models import Model
from pitui.demo.records import Record, int_field, list_field, object_field, objects, text_field
from pitui.demo.session import Session


def context_messages(session: Session) -> list[Record]:
    """The model's messages: after a compaction its summary and what was kept, without entries edited away."""
    branch = session.branch()
    edits = [entry for entry in branch if entry.get("type") == "context_edit"]
    edited = {str(edit.get("targetId")) for edit in edits if edit.get("replacement") is None}
    compaction = next((entry for entry in reversed(branch) if entry.get("type") == "compaction"), None)
    head: list[Record] = []
    if compaction:
        head = [message for entry in branch if (message := _message(entry)) and message.get("role") == "system"][:1]
        head.append(_summary(compaction))
        branch = _kept(branch, compaction)
    messages = [m for entry in branch if str(entry["id"]) not in edited and (m := _message(entry))]
    return head + messages


def _kept(branch: list[Record], compaction: Record) -> list[Record]:
    ids = [str(entry["id"]) for entry in branch]
    first = str(compaction.get("firstKeptEntryId"))
    start = ids.index(first) if first in ids else ids.index(str(compaction["id"]))
    return [entry for entry in branch[start:] if _role(entry) != "system"]


def _role(entry: Record) -> str | None:
    return text_field(object_field(entry, "message"), "role")


def _message(entry: Record) -> Record | None:
    if entry.get("type") == "message":
        return object_field(entry, "message")
    if entry.get("type") == "custom_message":
        message: Record = {"role": "custom", "customType": entry.get("customType"), "content": entry.get("content"),
                           "display": entry.get("display")}
        return message | ({"details": entry["details"]} if "details" in entry else {}) | {"timestamp": _stamp(entry)}
    if entry.get("type") == "branch_summary":
        return {"role": "branchSummary", "summary": entry.get("summary"), "fromId": entry.get("fromId"),
                "timestamp": _stamp(entry)}
    return None


def _summary(compaction: Record) -> Record:
    return {"role": "compactionSummary", "summary": compaction.get("summary"),
            "tokensBefore": compaction.get("tokensBefore"), "timestamp": _stamp(compaction)}


def _stamp(entry: Record) -> int:
    try:
        return int(datetime.fromisoformat(str(entry.get("timestamp"))).timestamp() * 1000)
    except ValueError:
        return 0


def context_tokens(session: Session) -> int | None:
    """Tokens in the context by the last answer's own count; None right after a compaction, 0 before any answer."""
    for entry in reversed(session.branch()):
        if entry.get("type") == "compaction":
            return None
        message = object_field(entry, "message")
        usage = object_field(message, "usage")
        if message.get("role") == "assistant" and int_field(usage, "totalTokens"):
            return int_field(usage, "totalTokens")
    return 0


def estimated_context(session: Session) -> int:
    return sum(estimate_tokens(message) for message in context_messages(session))


def session_stats(session: Session, model: Model) -> Record:
    """The answer to `get_session_stats`."""
    messages = session.messages()
    roles = [message.get("role") for message in messages]
    assistants = [message for message in messages if message.get("role") == "assistant"]
    usages = [object_field(message, "usage") for message in assistants]
    usages += [object_field(entry, "usage") for entry in session.branch() if entry.get("type") == "compaction"]
    tokens = {name: sum(int_field(usage, name) for usage in usages)
              for name in ("input", "output", "cacheRead", "cacheWrite")}
    calls = sum(block.get("type") == "toolCall" for m in assistants for block in objects(list_field(m, "content")))
    used = context_tokens(session)
    return _file(session) | {
        "sessionId": session.id, "userMessages": roles.count("user"), "assistantMessages": len(assistants),
        "toolCalls": calls, "toolResults": roles.count("toolResult"), "totalMessages": len(messages),
        "tokens": tokens | {"total": sum(tokens.values())},
        "cost": sum(_cost(usage) for usage in usages),
        "contextUsage": {"tokens": used, "contextWindow": model.context_window,
                         "percent": None if used is None else used * 100 / model.context_window},
    }


def _file(session: Session) -> Record:
    return {"sessionFile": str(session.path)} if session.path else {}


def _cost(usage: Record) -> float:
    total = object_field(usage, "cost").get("total")
    return float(total) if isinstance(total, (int, float)) else 0.0


def last_answer(session: Session) -> str | None:
    """The text of the newest answer in the context that has any; an answer cut off without text does not count."""
    for message in reversed(context_messages(session)):
        if message.get("role") == "assistant":
            return message_text(message) or None
    return None


def fork_points(session: Session) -> list[Record]:
    """Every user message of the branch with its entry's id."""
    return [{"entryId": entry["id"], "text": message_text(object_field(entry, "message"))}
            for entry in session.branch() if _role(entry) == "user"]


def tree(session: Session) -> list[Record]:
    """All entries as nested nodes."""
    nodes: dict[str, tuple[Record, list[Record]]] = {}
    roots: list[Record] = []
    for entry in session.entries:
        children: list[Record] = []
        node: Record = {"entry": entry, "children": children}
        parent = nodes.get(text_field(entry, "parentId") or "")
        (parent[1] if parent else roots).append(node)
        nodes[str(entry["id"])] = (node, children)
    for entry in session.entries:
        target = nodes.get(str(entry.get("targetId")))
        if entry.get("type") == "label" and target and entry.get("label"):
            target[0].update(label=entry["label"], labelTimestamp=entry["timestamp"])
    return roots
