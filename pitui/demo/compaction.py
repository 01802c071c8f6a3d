"""Compaction: older messages give way to a summary, after a while."""

from __future__ import annotations

from collections.abc import Callable

from pitui.demo.context import context_tokens, estimated_context
from pitui.demo.messages import Usage, message_text
from pitui.demo.models import Model
from pitui.demo.pace import Aborted, Pace
from pitui.demo.records import Record, Refused, object_field, text_field
from pitui.demo.session import Session

SECONDS = 4.0
RESERVED_SHARE = 0.8


class Compaction:
    """One compaction of `session`; `pace.stop` cancels it."""

    def __init__(self, session: Session, model: Model, emit: Callable[[Record], None], speed: float) -> None:
        self._session = session
        self._model = model
        self._emit = emit
        self.pace = Pace(speed)

    async def run(self, reason: str, instructions: str | None = None) -> Record:
        """Compact; the result that is also in `compaction_end`. Raises Refused when it fails or is cancelled."""
        self._emit({"type": "compaction_start", "reason": reason})
        try:
            kept = self._first_kept(forced=reason != "manual")
            await self.pace.sleep(SECONDS)
        except Refused as error:
            self._end(reason, errorMessage=f"Compaction failed: {error}")
            raise
        except Aborted:
            self._end(reason, aborted=True)
            raise Refused("Compaction cancelled") from None
        result = self._write(kept, instructions)
        self._end(reason, result=result)
        return result

    def _first_kept(self, forced: bool) -> Record:
        branch = self._session.branch()
        if branch and branch[-1].get("type") == "compaction":
            raise Refused("Already compacted")
        start = next((i for i in range(len(branch) - 1, -1, -1) if branch[i].get("type") == "compaction"), 0)
        users = [entry for entry in branch[start:] if _role(entry) == "user"]
        answers = [entry for entry in branch[start:] if _role(entry) == "assistant"]
        if len(users) > 1:
            return users[-1]
        if forced and answers:
            return answers[-1]
        raise Refused("Nothing to compact (session too small)")

    def _write(self, kept: Record, instructions: str | None) -> Record:
        session = self._session
        summary = self._summary(instructions)
        before = context_tokens(session) or estimated_context(session)
        usage = Usage(self._model, input=before, output=len(summary) // 4, final=True).record()
        system = next((m for m in session.messages() if m.get("role") == "system"), None)
        entry = session.append(
            "compaction", summary=summary, firstKeptEntryId=kept["id"], tokensBefore=before,
            details={"readFiles": ["src/reader.py"], "modifiedFiles": []}, usage=usage, fromHook=False,
            **({"systemMessage": system} if system else {}),
        )
        return {
            "summary": summary, "firstKeptEntryId": kept["id"], "tokensBefore": before,
            "estimatedTokensAfter": estimated_context(session), "usage": usage, "details": entry["details"],
        }

    def _summary(self, instructions: str | None) -> str:
        prompts = [message_text(m) for m in self._session.messages() if m.get("role") == "user"]
        lines = "\n".join(f"- [x] {' '.join(prompt.split())[:80]}" for prompt in prompts[-8:])
        focus = f"\n\n## Focus\n{instructions}" if instructions else ""
        return f"## Goal\nSee what the demo can show.\n\n## Progress\n{lines or '- nothing yet'}{focus}"

    def _end(self, reason: str, aborted: bool = False, **fields: object) -> None:
        self._emit({"type": "compaction_end", "reason": reason, "aborted": aborted, "willRetry": False, **fields})


def too_full(session: Session, model: Model) -> bool:
    """Whether the context has grown so far that the agent compacts by itself."""
    return (context_tokens(session) or 0) > model.context_window * RESERVED_SHARE


def _role(entry: Record) -> str | None:
    return text_field(object_field(entry, "message"), "role")
