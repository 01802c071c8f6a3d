"""A resumed session is on the screen what the live one was, cell for cell; and no word of any session is missing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import pytest
from rich.segment import Segment

from pitui.render.entries import gap, render_entry
from pitui.render.lines import ThinkingView, View
from pitui.rpc.events import MessageEnd
from pitui.rpc.messages import (
    AnyMessage,
    AssistantMessage,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    ToolResultMessage,
    UserMessage,
)
from pitui.rpc.stored import StoredMessage
from pitui.rpc.wire import JsonObject
from pitui.session.files import read_session_file
from pitui.session.history import active_path
from pitui.session.local import HistoryLoaded, MessagesLoaded, SessionReplaced
from pitui.session.reducer import reduce
from pitui.session.state import Entry, Session
from tests.catalog.files import answered, header, lines, message, said
from tests.render.kinds import look
from tests.render.reading import WORD, read
from tests.session.recorded import ALL, STORED, picture, timed
from tests.session.test_resume import WATCHED, data, watched

FILES = sorted((Path(__file__).parents[1] / "session" / "files").glob("*.jsonl"))
VIEWS = {
    "folded": look(80), "unfolded": look(80, tools_open=True, thinking=ThinkingView.FULL, show_meta=True),
    "wide": look(200, tools_open=True),
}


def cells(entries: Iterable[Entry], view: View) -> list[list[Segment]]:
    """Every row with its styles, runs of one style joined."""
    rows: list[list[Segment]] = []
    above: Entry | None = None
    for entry in picture(entries):
        drawn = render_entry(entry, view)
        if drawn:
            rows += [[] for _ in range(gap(above, entry))] + [list(Segment.simplify(line.segments)) for line in drawn]
            above = entry
    return rows


@pytest.mark.parametrize("look_at", VIEWS)
@pytest.mark.parametrize(("name", "number"), WATCHED, ids=lambda value: str(value))
def test_a_resumed_session_looks_cell_for_cell_like_the_live_one(name: str, number: int, look_at: str) -> None:
    live, _ = watched(name, number)
    answer = data(name, number)
    history = HistoryLoaded(STORED.validate_python(answer["entries"]), answer["leafId"])
    resumed = reduce(Session(run=live.run), history, 0)
    assert cells(live.entries, VIEWS[look_at]) == cells(resumed.entries, VIEWS[look_at])


def words_of(text: str) -> Iterator[str]:
    """The words of a text without what steers a terminal, of which nothing is shown."""
    text = re.sub("\x1b(?:\\[[0-?]*[ -/]*[@-~]|\\][^\x07\x1b]*(?:\x07|\x1b\\\\)?|.)", " ", text)
    for line in text.split("\n"):
        yield from WORD.findall(line.rstrip("\r").rpartition("\r")[2])


def texts_of(spoken: AnyMessage) -> Iterator[str]:
    """All text of a message of the person, the model or a tool."""
    match spoken:
        case UserMessage():
            yield from (block.text for block in spoken.content if isinstance(block, TextBlock))
        case ToolResultMessage():
            yield from (block.text for block in spoken.content if isinstance(block, TextBlock))
        case AssistantMessage():
            for block in spoken.content:
                if isinstance(block, TextBlock):
                    yield block.text
                elif isinstance(block, ThinkingBlock):
                    yield block.thinking
                elif isinstance(block, ToolCallBlock) and isinstance(command := block.arguments.get("command"), str):
                    yield command


AGENTS_OWN = re.compile(
    r"Successfully (?:wrote|replaced) [^\n]*|Read image file [^\n]*|Script completed\nWall time [^\n]*\nOutput:"
    r"|<skill name=[^>]*>|</skill>|Command (?:exited with code|aborted|timed out)[^\n]*"
    r"|\[Showing [^\n]*Full output: [^\n]*\]"
)
"""What the agent puts around results and skills, which a row says in words of its own."""

UNFOLDED = look(100, tools_open=True, thinking=ThinkingView.FULL, show_meta=True, whole=True)


def lost(entries: Sequence[Entry], spoken: Iterable[AnyMessage]) -> list[str]:
    """The words of messages that stand nowhere in the unfolded picture of the conversation."""
    shown = "\n".join(read(render_entry(entry, UNFOLDED)) for entry in entries)
    texts = [AGENTS_OWN.sub(" ", text) for message in spoken for text in texts_of(message)]
    return [word for text in texts for word in words_of(text) if word not in shown]


def ended(name: str) -> tuple[Session, list[AnyMessage]]:
    """A conversation at its end, and all messages of the session it ended in."""
    session, spoken = Session(), list[AnyMessage]()
    for now, event in timed(name):
        if isinstance(event, (SessionReplaced, HistoryLoaded, MessagesLoaded)):
            spoken.clear()
        elif isinstance(event, MessageEnd):
            spoken.append(event.message)
        session = reduce(session, event, now)
    return session, spoken


@pytest.mark.parametrize("name", ALL)
def test_no_word_of_a_recorded_conversation_is_missing(name: str) -> None:
    session, spoken = ended(name)
    assert lost(session.entries, spoken) == []


def test_recorded_conversations_have_words() -> None:
    assert sum(len([*texts_of(message)]) for name in ALL for message in ended(name)[1]) > 1_000


def stored_words(source: bytes) -> tuple[list[str], int]:
    """The words that a session file's picture lacks, and how many texts were looked for."""
    stored = read_session_file(source)
    path, _ = active_path(stored.entries, stored.leaf_id)
    spoken = [entry.message for entry in path if isinstance(entry, StoredMessage)]
    session = reduce(Session(), HistoryLoaded(stored.entries, stored.leaf_id, stored.cut), 0)
    return lost(session.entries, spoken), sum(len([*texts_of(message)]) for message in spoken)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_no_word_of_a_session_file_is_missing(file: Path) -> None:
    missing, texts = stored_words(file.read_bytes())
    assert missing == []
    assert texts


def talk(version: int, turns: int) -> list[JsonObject]:
    """A session as that version wrote it: 1 knew no ids, 2 and 3 have a tree."""
    records: list[JsonObject] = [header() | {"version": version}]
    parent: str | None = None
    for turn in range(turns):
        call = {
            "type": "toolCall", "id": f"c{turn}", "name": ("bash", "read", "grep", "lookup")[turn % 4],
            "arguments": {"command": f"cmd{turn}"} if turn % 4 == 0 else {"pattern": f"p{turn}"},
        }
        answer = f"# Answer{turn}\n\n| head{turn} |\n|---|\n| cell{turn} |\n\n```py\ncode{turn}\n```"
        result = f"result{turn}\n" * 3 + f"last{turn}"
        rows: list[JsonObject] = [
            said(f"u{turn}", parent, f"question{turn} about *things{turn}*"),
            message(f"a{turn}", f"u{turn}", "assistant", [
                {"type": "thinking", "thinking": f"thought{turn}\n\nmore{turn}"}, {"type": "text", "text": answer},
                call,
            ], stopReason="toolUse"),
            message(f"t{turn}", f"a{turn}", "toolResult", [{"type": "text", "text": result}],
                    toolCallId=f"c{turn}", toolName=call["name"], isError=turn % 5 == 0),
            answered(f"b{turn}", f"t{turn}", f"done{turn}"),
        ]
        parent = f"b{turn}"
        records += [{k: v for k, v in row.items() if version > 1 or k not in ("id", "parentId")} for row in rows]
    return records


@pytest.mark.parametrize("version", [1, 2, 3])
def test_no_word_of_a_generated_session_is_missing(version: int) -> None:
    missing, texts = stored_words(lines(talk(version, 12)).encode())
    assert (missing, texts) == ([], 12 * 5 + 3)
