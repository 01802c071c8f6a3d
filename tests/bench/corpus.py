"""What is measured with: invented markdown, the records that stream it, and long conversations. Always the same."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator

from pitui.rpc.messages import TextBlock
from pitui.session.state import AssistantEntry, Entry, ToolEntry, ToolState, UserEntry

_TEXT = (
    "a reader holds the row it reads while new text comes in below and old cards fold above so nothing moves but "
    "what was asked to move frame budget cursor anchor width height cache palette fence table heading nested item "
    "queue prompt model token window summary branch session record delta event client socket buffer retry abort"
)
_WORDS = _TEXT.split()
_WHEN = "2026-01-01T00:00:00.000Z"
_USAGE = {
    "input": 1042, "output": 12, "cacheRead": 0, "cacheWrite": 0, "totalTokens": 1054,
    "cost": {"input": 0.003, "output": 0.0, "cacheRead": 0, "cacheWrite": 0, "total": 0.003},
}


def sentence(dice: random.Random) -> str:
    words = [dice.choice(_WORDS) for _ in range(dice.randint(7, 18))]
    at = dice.randrange(len(words))
    word = words[at]
    link = f"[{word}](https://example.com/{word})"
    words[at] = dice.choice([word, word, f"`{word}()`", f"**{word}**", f"*{word}*", link])
    if dice.random() < 0.03:
        words.append("漢字 “é”")
    return " ".join(words).capitalize() + "."


def _code(dice: random.Random, number: int) -> str:
    body = "\n".join(
        f"    {name} = await {call}(record, limit={dice.randint(1, 99)})  # {remark}"
        for name, call, remark in (dice.choices(_WORDS, k=3) for _ in range(dice.randint(4, 12)))
    )
    return f'```python\nasync def step_{number}(records: list[bytes]) -> None:\n    """Step {number}."""\n{body}\n```'


def _table(dice: random.Random) -> str:
    rows = [f"| {dice.choice(_WORDS)} | {dice.randint(1, 9999)} | `{dice.choice(_WORDS)}` |" for _ in range(5)]
    return "\n".join(["| what | before | after |", "|:-----|-------:|:-----:|", *rows])


def _blocks(dice: random.Random) -> Iterator[str]:
    number = 0
    while True:
        number += 1
        yield f"{'#' * dice.choice([2, 2, 3])} {sentence(dice)[:-1]}"
        for _ in range(dice.randint(1, 3)):
            yield " ".join(sentence(dice) for _ in range(dice.randint(2, 5)))
        match number % 5:
            case 0:
                yield "\n".join(f"- {sentence(dice)}" for _ in range(5))
            case 1:
                yield _code(dice, number)
            case 2:
                yield "\n".join(f"{n}. {sentence(dice)}\n   - {sentence(dice)}" for n in range(1, 5))
            case 3:
                yield _table(dice)
            case _:
                yield f"> {sentence(dice)}\n> {sentence(dice)}"


def markdown(size: int, seed: int = 5) -> str:
    """About what models write: headings, prose, lists, code, tables, quotes; `size` characters."""
    parts: list[str] = []
    total = 0
    for block in _blocks(random.Random(seed)):
        parts.append(block)
        total += len(block) + 2
        if total >= size:
            break
    return "\n\n".join(parts)[:size]


def prose(size: int) -> str:
    dice = random.Random(6)
    parts: list[str] = []
    while sum(map(len, parts)) < size:
        parts.append(" ".join(sentence(dice) for _ in range(4)))
    return "\n\n".join(parts)[:size]


def table(size: int) -> str:
    """One table of `size` characters."""
    row = "| first cell | 1234 | `third` cell of some words |\n"
    return "| what | number | words |\n|:--|--:|:--|\n" + row * (size // len(row))


def nested_list(size: int) -> str:
    dice = random.Random(7)
    lines: list[str] = []
    while sum(map(len, lines)) < size:
        lines.append("  " * (len(lines) % 8) + f"- {sentence(dice)}")
    return "\n".join(lines)


def fence(size: int) -> str:
    """One code block of `size` characters."""
    line = "    value = await reader.take(record, limit=99)  # a remark of some words\n"
    return "```python\n" + line * (size // len(line)) + "```\n"


def deltas(text: str, seed: int = 3) -> Iterator[str]:
    """`text` in pieces of 4 to 20 characters, as models send it."""
    dice = random.Random(seed)
    at = 0
    while at < len(text):
        size = dice.randint(4, 20)
        yield text[at : at + size]
        at += size


def _record(**fields: object) -> bytes:
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _message(text: str, when: int = 1767225600000) -> dict[str, object]:
    return {
        "role": "assistant", "content": [{"type": "text", "text": text}] if text else [], "api": "openai-completions",
        "provider": "stub", "model": "stub-1", "usage": _USAGE, "stopReason": "stop", "timestamp": when,
    }


def streamed(text: str) -> Iterator[bytes]:
    """The records of one run that answers `text`, each with its LF: the shape of pi 1.6.0."""
    user = {"role": "user", "content": [{"type": "text", "text": "go"}], "timestamp": 1767225600000}
    yield _record(type="agent_start")
    yield _record(type="turn_start")
    yield _record(type="message_start", message=user)
    yield _record(type="message_end", message=user)
    yield _record(type="message_start", message=_message(""))
    yield _record(type="message_update", usage=_USAGE, assistantMessageEvent={"type": "text_start", "contentIndex": 0})
    for delta in deltas(text):
        event = {"type": "text_delta", "contentIndex": 0, "delta": delta}
        yield _record(type="message_update", usage=_USAGE, assistantMessageEvent=event)
    yield _record(type="message_end", message=_message(text))
    yield _record(type="turn_end", message=_message(text), toolResults=[])
    yield _record(type="agent_end", messages=[])
    yield _record(type="agent_settled")


def stored(count: int, cwd: str, end: str) -> Iterator[bytes]:
    """A session file of `count` messages as `conversation` has them; the last one's text ends with `end`."""
    yield _record(type="session", version=3, id="bench-session", timestamp=_WHEN, cwd=cwd)
    for number, entry in enumerate(conversation(count)):
        last = number == count - 1
        above = f"{number - 1:08x}" if number else None
        message = _stored_message(entry, f"\n\n{end}" if last else "", 1767225600000 + number)
        yield _record(type="message", id=f"{number:08x}", parentId=above, timestamp=_WHEN, message=message)


def _stored_message(entry: Entry, more: str, when: int) -> dict[str, object]:
    match entry:
        case UserEntry():
            return {"role": "user", "content": [{"type": "text", "text": entry.text + more}], "timestamp": when}
        case ToolEntry():
            text = "".join(block.text for block in entry.content if isinstance(block, TextBlock))
            content = [{"type": "text", "text": text + more}]
            return {"role": "toolResult", "toolCallId": entry.call_id, "toolName": entry.name, "content": content,
                    "isError": False, "timestamp": when}
        case AssistantEntry():
            return _message("".join(block.text for block in entry.blocks if isinstance(block, TextBlock)) + more, when)
        case _:
            raise TypeError(entry)


def conversation(count: int) -> tuple[Entry, ...]:
    """`count` entries in turn: a prompt, an answer of about 1.5 KB of markdown, a tool result of about 2 KB."""
    dice = random.Random(21)
    blocks = markdown(400_000, 99).split("\n\n")
    entries: list[Entry] = []
    at = 0
    for number in range(count):
        if number % 3 == 0:
            entries.append(UserEntry(f"user:{number}", " ".join(sentence(dice) for _ in range(3))))
        elif number % 3 == 1:
            parts: list[str] = []
            while sum(map(len, parts)) < 1_500:
                parts.append(blocks[at % len(blocks)])
                at += 1
            entries.append(AssistantEntry(f"answer:{number}", (TextBlock(text="\n\n".join(parts)),)))
        else:
            words = [dice.choices(_WORDS, k=7) for _ in range(32)]
            lines = [f"{n:4}  src/{name}.py:{n}: {' '.join(rest)}" for n, (name, *rest) in enumerate(words)]
            output = TextBlock(text="\n".join(lines))
            arguments: dict[str, object] = {"command": f"rg {dice.choice(_WORDS)} src"}
            entries.append(
                ToolEntry(f"tool:{number}", str(number), "bash", arguments, state=ToolState.DONE, content=(output,))
            )
    return tuple(entries)
