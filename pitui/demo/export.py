"""The session as one self-contained HTML page."""

from __future__ import annotations

import json
from html import escape

from pitui.demo.context import context_messages
from pitui.demo.messages import message_text
from pitui.demo.models import Model
from pitui.demo.records import Record, list_field, objects
from pitui.demo.session import Session

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 48rem; margin: 2rem auto; padding: 0 1rem; color: #222; }
article { border-left: 3px solid #ccc; margin: 1rem 0; padding: 0 1rem; }
article.user { border-color: #36c; }
h2 { font-size: 0.8rem; color: #666; margin: 0; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font: inherit; margin: 0.25rem 0; }
pre.call, .toolResult pre { font: 0.85rem/1.4 ui-monospace, monospace; }
""".strip()


def page(session: Session, model: Model) -> str:
    """An HTML document with every message of the context; all text in it is escaped."""
    title = escape(f"{session.name or 'session'} · {model.name}")
    articles = "\n".join(_article(message) for message in context_messages(session) if message.get("role") != "system")
    return (
        f"<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{title}</title>\n"
        f"<style>\n{STYLE}\n</style>\n</head>\n<body>\n<h1>{title}</h1>\n{articles}\n</body>\n</html>\n"
    )


def _article(message: Record) -> str:
    role = escape(str(message.get("role")))
    text = message_text(message) or str(message.get("summary") or message.get("output") or "")
    calls = [block for block in objects(list_field(message, "content")) if block.get("type") == "toolCall"]
    body = f"<pre>{escape(text)}</pre>" if text else ""
    for call in calls:
        shown = f"{call.get('name')} {json.dumps(call.get('arguments'), ensure_ascii=False)}"
        body += f"<pre class=\"call\">{escape(shown)}</pre>"
    return f"<article class=\"{role}\"><h2>{role}</h2>{body}</article>"
