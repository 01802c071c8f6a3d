"""What leaves pitui: a branch as a session file, a conversation as Markdown."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from pitui.export import branch_of, export_jsonl, export_markdown, fenced, markdown
from pitui.rpc.wire import JsonObject
from pitui.session.files import read_session_file
from pitui.session.history import active_path, entries_of
from pitui.session.state import Entry
from tests.catalog.files import answered, entry, header, lines, message, said, write

FILES = Path(__file__).parent.parent / "session" / "files"


def entries(records: list[JsonObject | str]) -> tuple[Entry, ...]:
    session = read_session_file(lines([header(), *records]).encode())
    return entries_of(active_path(session.entries, session.leaf_id)[0])


def exported(tmp_path: Path, records: list[JsonObject | str], leaf: str | None = None) -> list[JsonObject]:
    source = write(tmp_path / "source.jsonl", records)
    export_jsonl(source, tmp_path / "out" / "target.jsonl", 0.0, leaf)
    return [json.loads(line) for line in (tmp_path / "out" / "target.jsonl").read_text().splitlines()]


def test_only_the_active_branch_is_written_each_entry_below_the_last_with_all_its_fields(tmp_path: Path) -> None:
    records: list[JsonObject | str] = [
        header("id", "/srv/x", parentSession="/p"), said("a", None, "q"), answered("b", "a", "left"),
        said("c", "a", "right") | {"strange": [1, {"deep": True}]}, "garbage", entry("new_kind", "d", "c", x="y"),
    ]
    first, *rest = exported(tmp_path, records)
    assert first == {
        "type": "session", "version": 3, "id": "id", "timestamp": "1970-01-01T00:00:00.000Z", "cwd": "/srv/x"
    }
    assert rest == [records[1], records[3], records[5]]


def test_another_leaf_may_be_asked_for(tmp_path: Path) -> None:
    records: list[JsonObject | str] = [header(), said("a", None, "q"), answered("b", "a", "1"), said("c", "a", "2")]
    assert [record.get("id") for record in exported(tmp_path, records, "b")[1:]] == ["a", "b"]


def test_a_branch_whose_parent_is_lost_begins_below_the_cut(tmp_path: Path) -> None:
    records: list[JsonObject | str] = [header(), said("a", "lost", "q"), answered("b", "a", "1")]
    _, *rest = exported(tmp_path, records)
    assert [(record["id"], record["parentId"]) for record in rest] == [("a", None), ("b", "a")]


def test_entries_that_are_each_others_parents_end() -> None:
    branch = branch_of([said("a", "b", "1"), said("b", "a", "2")])
    assert [record["id"] for record in branch] == ["a", "b"]


def test_a_version_1_file_becomes_a_version_3_file(tmp_path: Path) -> None:
    old: list[JsonObject | str] = [
        header() | {"version": 1},
        {"type": "message", "message": {"role": "user", "content": "q"}},
        {"type": "message", "message": {"role": "hookMessage", "content": "h", "customType": "x"}},
        {"type": "compaction", "summary": "s", "firstKeptEntryIndex": 2},
    ]
    _, first, second, third = exported(tmp_path, old)
    assert (first["parentId"], second["parentId"], third["parentId"]) == (None, first["id"], second["id"])
    assert (second["message"], third["firstKeptEntryId"]) == (
        {"role": "custom", "content": "h", "customType": "x"}, second["id"]
    )
    assert "firstKeptEntryIndex" not in third


@pytest.mark.parametrize("name", ["all-entry-types.jsonl", "all-entry-types-branched.jsonl"])
def test_an_exported_branch_reads_as_the_same_conversation(tmp_path: Path, name: str) -> None:
    session = read_session_file((FILES / name).read_bytes())
    export_jsonl(FILES / name, tmp_path / "out.jsonl", 0.0)
    copy = read_session_file((tmp_path / "out.jsonl").read_bytes())
    path, cut = active_path(session.entries, session.leaf_id)
    assert not cut
    assert entries_of(copy.entries) == entries_of(path)


def test_a_conversation_as_markdown(tmp_path: Path) -> None:
    conversation = entries([
        said("a", None, "Read *it*"),
        message("b", "a", "assistant", [
            {"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "I look."},
            {"type": "toolCall", "id": "t", "name": "read", "arguments": {"path": "x.md"}},
        ], stopReason="toolUse"),
        message("c", "b", "toolResult", "a\n```\ncode\n```\n", toolCallId="t", toolName="read"),
        answered("d", "c", "It says **code**."),
    ])
    target = tmp_path / "notes" / "x.md"
    export_markdown(conversation, target, "My\nsession")
    assert target.read_text() == (
        "# My session\n\n## User\n\nRead *it*\n\n## Assistant\n\n"
        "<details>\n<summary>Thinking</summary>\n\nhm\n\n</details>\n\nI look.\n\n"
        '<details>\n<summary>read (done)</summary>\n\n```json\n{\n  "path": "x.md"\n}\n```\n\n'
        "````\na\n```\ncode\n```\n\n````\n\n</details>\n\nIt says **code**.\n"
    )


def test_every_kind_of_entry_has_its_place() -> None:
    session = read_session_file((FILES / "all-entry-types.jsonl").read_bytes())
    text = markdown(entries_of(session.entries), "t")
    assert "## User" in text
    assert "## Assistant" in text
    assert "First question 🧪 日本語" in text
    assert "## Compaction" in text


@pytest.mark.parametrize("text", ["```", "a ````` b", "``", "x\x1b[31my"])
def test_nothing_in_a_code_block_can_close_it(text: str) -> None:
    (token,) = MarkdownIt().parse(fenced(text))
    assert (token.type, token.content) == ("fence", text.replace("\x1b[31m", "") + "\n")


def test_a_tools_name_is_no_markup() -> None:
    conversation = entries([
        message("b", None, "assistant", [{"type": "toolCall", "id": "t", "name": "<script>", "arguments": {}}]),
    ])
    assert "<summary>&lt;script&gt; (stopped)</summary>" in markdown(conversation, "t")
