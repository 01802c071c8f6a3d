"""A tool call is one row, and below it what matters of its result."""

from __future__ import annotations

import json
import tracemalloc
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.color import Color

from pitui.render.body import Body
from pitui.render.entries import fold_keys, plain_text, render_entry
from pitui.render.lines import TargetKind
from pitui.render.subagents import Task, read_tasks
from pitui.rpc.messages import AnyBlock, ImageBlock, TextBlock
from pitui.rpc.wire import JsonObject
from pitui.session.state import BashEntry, Entry, ToolEntry, ToolState
from tests.render.kinds import PNG, check_lines, copied, look, shown
from tests.session.recorded import folded

LINES = "".join(f"line {number}\n" for number in range(1, 31))


def tool(
    name: str, arguments: JsonObject, result: str | tuple[AnyBlock, ...] = (), state: ToolState = ToolState.DONE,
    details: object = None, milliseconds: float | None = None,
) -> ToolEntry:
    content = (TextBlock(text=result),) if isinstance(result, str) else result
    return ToolEntry("k", "call", name, arguments, None, state, content, details, None, milliseconds)


def rendered(entry: ToolEntry, width: int = 60, **options: Any) -> str:  # noqa: ANN401  # any field of a view by name
    return shown(render_entry(entry, look(width, **options)))


def row(entry: ToolEntry, width: int = 60) -> str:
    return rendered(entry, width, now=14.0).split("\n")[0]


@pytest.mark.parametrize(
    ("name", "arguments", "title"),
    [
        ("bash", {"command": "pytest -q"}, "bash    pytest -q"),
        ("bash", {"command": "cd /tmp\nls\npwd"}, "bash    cd /tmp … +2 lines"),
        ("read", {"path": "/w/reader/src/a.py"}, "read    src/a.py"),
        ("read", {"path": "/w/reader/src/a.py", "offset": 5, "limit": 10}, "read    src/a.py:5-14"),
        ("read", {"path": "/home/u/.bashrc", "offset": 7}, "read    ~/.bashrc:7-"),
        ("read", {"path": "/w/readers/a.py"}, "read    /w/readers/a.py"),
        ("read", {"path": "/w/reader"}, "read    ."),
        ("read", {"file_path": "C:\\x y\\漢字.txt"}, "read    C:\\x y\\漢字.txt"),
        ("grep", {"pattern": "a|b", "path": "src", "glob": "*.py"}, "grep    a|b in src (*.py)"),
        ("find", {"pattern": "*.py"}, "find    *.py"),
        ("ls", {}, "ls      ."),
        ("linear__create", {"title": "Drops records", "n": 3}, "linear__create Drops records"),
        ("weather", {"days": 3, "units": ["C"]}, 'weather days=3  units=["C"]'),
        ("weather", {}, "weather"),
        ("", {}, "tool"),
    ],
)
def test_the_row_shows_the_argument_that_matters(name: str, arguments: JsonObject, title: str) -> None:
    assert row(tool(name, arguments, state=ToolState.WRITING)) == f" ○ {title}"


@pytest.mark.parametrize(
    ("entry", "facts"),
    [
        (tool("bash", {"command": "x"}, state=ToolState.WAITING), "○ bash    x waiting"),
        (tool("bash", {"command": "x"}, "a\nb\n", milliseconds=1240.0), "● bash    x 2 lines   1.2 s"),
        (tool("bash", {"command": "x"}, "", milliseconds=7.0), "● bash    x no output"),
        (tool("bash", {"command": "x"}, "a\n\n\nCommand exited with code 3", ToolState.FAILED), "✗ bash    x exit 3"),
        (tool("bash", {"command": "x"}, "Command timed out after 5 seconds", ToolState.FAILED),
         "✗ bash    x timed out after 5 seconds"),
        (tool("bash", {"command": "x"}, "a\n\n\nCommand aborted", ToolState.STOPPED), "⊘ bash    x stopped"),
        (tool("read", {"path": "x"}, "ENOENT", ToolState.FAILED), "✗ read    x failed"),
        (tool("grep", {"pattern": "x"}, "a:1: x"), "● grep    x 1 match"),
        (tool("find", {"pattern": "x"}, "a\nb"), "● find    x 2 files"),
        (tool("write", {"path": "x", "content": "a\nb\n"}), "● write   x 2 lines"),
        (tool("edit", {"path": "x", "oldText": "a\nb", "newText": "a\nc\nd"}), "● edit    x +2 -1"),
        (tool("edit", {"path": "x", "oldText": "a", "newText": "  a"}), "● edit    x white space  +1 -1"),
    ],
)
def test_the_row_ends_in_what_came_of_it(entry: ToolEntry, facts: str) -> None:
    line = render_entry(entry, look())[0]
    assert " ".join(line.text.split()) == " ".join(facts.split())
    assert [(target.kind, target.value) for target in line.targets] == [(TargetKind.FOLD, "k")]


ISSUES = json.dumps([{"id": number, "title": "Drops records"} for number in range(3)])


@pytest.mark.parametrize(
    ("name", "result", "size"),
    [
        ("issues", ISSUES, "14 lines"),
        ("issues", "\n" + ISSUES + "\n", "14 lines"),
        ("codemode", "Script completed\nWall time 0.1 seconds\nOutput:\n" + ISSUES, "14 lines"),
        ("bash", ISSUES * 20, "2.2 KB"),
        ("issues", json.dumps(["x" * 30_000]), "29 KB"),
        ("issues", "漢" * 1_000, "2.9 KB"),
        ("issues", "One short sentence.", "1 line"),
        ("grep", "a.py:1: " + "x" * 400, "1 match"),
    ],
    ids=["json", "with breaks", "codemode", "shell", "long json", "long line", "line", "match"],
)
def test_the_size_of_a_result_is_that_of_what_is_shown(name: str, result: str, size: str) -> None:
    assert row(tool(name, {}, result)).split("  ")[-1].strip() == size


def test_a_running_call_tells_how_long_it_has_been_running() -> None:
    entry = ToolEntry("k", "c", "bash", {"command": "sleep 99"}, started=2.0, state=ToolState.RUNNING)
    assert row(entry, 40) == " ⠋ bash sleep 99                    12 s"
    assert rendered(entry, 40, now=14.0, spinner=3).startswith(" ⠸ bash")


def test_facts_stand_in_columns_and_give_way_on_narrow_screens() -> None:
    timed = tool("bash", {"command": "x"}, "a", milliseconds=100.0)
    untimed = tool("bash", {"command": "x"}, "a")
    assert row(timed).index("1 line") == row(untimed).index("1 line")
    assert row(timed, 39) == " ● bash x"


def test_a_folded_command_shows_its_end_and_unfolded_everything() -> None:
    entry = tool("bash", {"command": "seq 30"}, LINES)
    assert rendered(entry).split("\n")[1:] == [
        "   │ … 25 earlier lines · ctrl+o", *(f"   │ line {number}" for number in range(26, 31)),
    ]
    assert copied(render_entry(entry, look(tools_open=True))[1:]) == LINES.rstrip("\n")
    assert rendered(entry, open=frozenset({"k"})) == rendered(entry, tools_open=True)
    assert rendered(entry, tools_open=True, shut=frozenset({"k"})) == rendered(entry)


def test_one_line_too_many_is_no_reason_to_fold() -> None:
    assert "ctrl+o" not in rendered(tool("bash", {"command": "x"}, "1\n2\n3\n4\n5\n6\n"))


def test_a_progress_bar_shows_its_last_state_and_colours_stay() -> None:
    entry = tool("bash", {"command": "x"}, "10%\r50%\r100%\n\x1b[31mred\x1b[0m \x1b[2Jplain", ToolState.RUNNING)
    lines = render_entry(entry, look())
    assert [line.text for line in lines[1:]] == ["   │ 100%", "   │ red plain"]
    red = next(segment for segment in lines[2].segments if segment.text == "red")
    assert red.style is not None
    assert red.style.color == Color.from_ansi(1)


def test_the_whole_of_a_cut_output_is_named_once_and_opens() -> None:
    entry = next(entry for entry in folded("1.6.0/huge_output").entries if isinstance(entry, ToolEntry))
    lines = render_entry(entry, look())
    assert "78,125 lines" in lines[0].text
    assert lines[-1].text.startswith("   │ full output: ~/tmp/pi-bash-") or "/tmp/pi-bash-" in lines[-1].text
    assert lines[-1].text.endswith(" · v opens")
    assert [target.kind for target in lines[-1].targets] == [TargetKind.VIEW]
    assert "[Showing lines" not in shown(render_entry(entry, look(tools_open=True)))


def test_reading_shows_nothing_until_it_is_unfolded() -> None:
    entry = tool("read", {"path": "a.py", "offset": 9}, "def f():\n\treturn 1\n\nx = 2")
    assert rendered(entry).count("\n") == 0
    assert rendered(entry, tools_open=True).split("\n")[1:] == [
        "   │  9  def f():", "   │ 10      return 1", "   │ 11", "   │ 12  x = 2",
    ]


def test_code_that_was_read_copies_without_its_numbers() -> None:
    code = "def f(argument):\n    return " + "argument + " * 12 + "1\n\nx = 2"
    assert copied(render_entry(tool("read", {"path": "a.py"}, code), look(60, tools_open=True))[1:]) == code


def test_a_picture_is_one_row_and_never_its_data() -> None:
    blocks = (TextBlock(text="before"), ImageBlock(data=PNG, mime_type="image/png"), TextBlock(text="after the image"))
    text = rendered(tool("screenshot", {}, blocks))
    assert text.split("\n")[1:] == ["   │ before", "   │ ▣ image/png · 1×1 · 67 B", "   │ after the image"]
    read = rendered(tool("read", {"path": "a.png"}, (TextBlock(text="Read image file [image/png]"), blocks[1])))
    assert read.split("\n")[1:] == ["   │ ▣ image/png · 1×1 · 67 B"]


def test_what_is_written_is_shown_while_it_is_being_written() -> None:
    content = "".join(f"x{number} = {number}\n" for number in range(1, 20))
    entry = tool("write", {"path": "a.py", "content": content}, state=ToolState.WRITING)
    assert rendered(entry).split("\n")[1:3] == ["   │ … 11 earlier lines · ctrl+o", "   │ 12  x12 = 12"]
    long = tool("write", {"content": content * 90}, state=ToolState.WRITING)
    assert len(render_entry(long, look(tools_open=True))) < 45
    done = tool("write", {"path": "a.py", "content": content}, "Successfully wrote to a.py")
    assert rendered(done).split("\n")[1:3] == ["   │  1  x1 = 1", "   │  2  x2 = 2"]
    assert rendered(done).split("\n")[-1] == "   │ … 14 more lines · ctrl+o"


def test_a_folded_diff_begins_at_its_first_change_and_ends_in_a_row() -> None:
    context = "".join(f" c{number}\n" for number in range(1, 21))
    added = "+new\n" * 11
    patch = f"@@ -1,20 +1,31 @@\n{context}{added}@@ -50,1 +61,2 @@\n z\n+end\n"
    rows = rendered(tool("edit", {"path": "x"}, details={"patch": patch})).split("\n")
    assert [rows[1], rows[2], rows[-2], rows[-1]] == [
        "   │ 20   c20", "   │ 21 + new", "   │ 31 + new", "   │ … 22 more lines · ctrl+o",
    ]


def test_an_error_shows_its_first_lines_and_wraps() -> None:
    message = "ENOENT: no such file or directory, access '/home/user/x'\n"
    entry = tool("read", {"path": "x"}, message * 9, ToolState.FAILED)
    rows = rendered(entry, 50).split("\n")
    assert rows[1:3] == ["   │ ENOENT: no such file or directory, access", "   │ '/home/user/x'"]
    assert rows[-1].startswith("   │ … 3 more lines")


def test_broken_arguments_are_told() -> None:
    entry = ToolEntry("k", "c", "bash", {}, "Unterminated string in JSON at position 20", ToolState.FAILED)
    assert "   │ arguments could not be read: Unterminated string in JSON at position 20" in rendered(entry, 90)


def test_calls_made_inside_a_call_stand_indented_below_it() -> None:
    entry = next(entry for entry in folded("1.6.0/codemode").entries if isinstance(entry, ToolEntry))
    text = rendered(entry, 80)
    assert text.split("\n")[1].startswith("   ● bash    echo nested")
    assert "Script completed" not in text
    assert '   │   "output": "nested\\n",' in text
    assert fold_keys(entry) == ("tool:call_cm", "tool:call_cm/1")


def test_calls_nested_without_end_are_drawn_to_a_depth() -> None:
    entry = tool("codemode", {})
    for _ in range(300):
        entry = ToolEntry("k", "c", "codemode", children=(entry,))
    assert 3 < len(render_entry(entry, look())) < 20


def test_an_unknown_tool_shows_what_was_asked_and_what_came_back() -> None:
    entry = tool("lookup", {"query": "x", "tags": ["a", "b"], "text": "one\ntwo"}, '{"id": 7, "ok": true}')
    assert rendered(entry, tools_open=True).split("\n")[1:] == [
        "   │ query  x", '   │ tags   ["a", "b"]', "   │ text", "   │   one", "   │   two", "   │",
        "   │ {", '   │   "id": 7,', '   │   "ok": true', "   │ }",
    ]
    assert rendered(tool("lookup", {}, "[not json]")).split("\n")[1:] == ["   │ [not json]"]


SUBAGENTS = {"mode": "parallel", "results": [
    {"agent": "scout", "task": "Find\nreaders", "exitCode": 0, "usage": {"turns": 3, "output": 1200, "cost": 0.02},
     "messages": [{"role": "assistant", "content": [{"type": "text", "text": "Found 3"}]}, {"role": "toolResult"}]},
    {"agent": "reviewer", "exitCode": -1, "messages": [{"role": "assistant", "content": [
        {"type": "toolCall", "name": "bash", "arguments": {"command": "git diff"}}]}]},
    {"agent": "writer", "exitCode": 1, "stopReason": "error", "errorMessage": "no key"},
]}  # fmt: skip


def test_agents_started_by_a_tool_are_a_list_of_what_they_do() -> None:
    text = rendered(tool("subagent", {}, "long report", details=SUBAGENTS), 70)
    assert text.split("\n")[1:] == [
        "   │ ● scout · Find readers · 3 turns  1.2k tokens  $0.02", "   │   Found 3",
        "   │ ○ reviewer", "   │   bash git diff",
        "   │ ✗ writer", "   │   no key",
    ]


@pytest.mark.parametrize(
    "details", [None, 3, [], {}, {"results": []}, {"results": ["x"]}, {"diff": "x"}, {"messages": 3}],
)
def test_other_details_are_no_agents(details: object) -> None:
    assert read_tasks(details) == []


def test_progress_without_results_is_one_agent() -> None:
    assert read_tasks({"progress": ["reading", "writing"]}) == [Task("agent", latest="writing")]


def peak(entry: ToolEntry, **options: Any) -> int:  # noqa: ANN401  # any field of a view by name
    """The most memory, in bytes, that drawing the entry took at any time."""
    tracemalloc.start()
    try:
        render_entry(entry, look(**options))
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("name", ["bash", "read", "mcp", "grep", "write"])
def test_of_a_huge_result_only_the_preview_is_laid_out(name: str) -> None:
    text = "0123456789abcdef\n" * 20_000
    entry = tool(name, {"content": text}, text, ToolState.FAILED if name == "read" else ToolState.DONE)
    assert len(render_entry(entry, look())) <= 12
    assert peak(entry) < 5 * len(text) < 10 * len(text) < peak(entry, tools_open=True, whole=True)


@pytest.mark.parametrize(("name", "limit"), [("bash", 5), ("mcp", 4), ("grep", 4), ("write", 5)])
def test_no_row_stands_for_one_or_two_lines(name: str, limit: int) -> None:
    for number, rows in ((limit, limit), (limit + 2, limit + 2), (limit + 3, limit + 1)):
        text = LINES[: LINES.index(f"line {number + 1}\n")]
        entry = tool(name, {"content": text} if name == "write" else {}, "Successfully x" if name == "write" else text)
        assert len(render_entry(entry, look())) == 1 + rows


def test_a_diff_is_not_folded_for_two_rows() -> None:
    for added, rows in ((14, 14), (15, 13)):
        patch = f"@@ -1,0 +1,{added} @@\n" + "+new\n" * added
        assert len(render_entry(tool("edit", {"path": "x"}, details={"patch": patch}), look())) == 1 + rows


@pytest.mark.parametrize("name", ["read", "ls", "find"])
def test_a_glance_of_a_result_is_shown_folded_too(name: str) -> None:
    assert rendered(tool(name, {"path": "x"}, "a\nb\nc")).count("\n") == 3
    assert rendered(tool(name, {"path": "x"}, "a\nb\nc\nd")).count("\n") == 0


@pytest.mark.parametrize(
    ("pictures", "rows", "last"), [(5, 5, "▣ image/png"), (7, 7, "▣ image/png"), (9, 6, "… 4 more")],
)
def test_of_many_pictures_the_first_are_shown(pictures: int, rows: int, last: str) -> None:
    entry = tool("shots", {}, (ImageBlock(data=PNG, mime_type="image/png"),) * pictures)
    drawn = rendered(entry).split("\n")[1:]
    assert len(drawn) == rows
    assert drawn[-1].startswith(f"   │ {last}")
    assert len(render_entry(entry, look(tools_open=True))) == 1 + pictures


@pytest.mark.parametrize("name", ["bash", "read", "mcp", "write", "edit", "bash entry"])
def test_what_is_unfolded_among_other_things_has_an_end_and_a_way_to_all_of_it(name: str) -> None:
    text = "0123456789abcdef\n" * 20_000
    patch = "@@ -0,0 +1,20000 @@\n" + "+x\n" * 20_000
    entry: Entry = tool(name, {"content": text, "path": "a.py"}, text, details={"patch": patch})
    if name == "bash entry":
        entry = BashEntry("k", "seq", text, 0)
    lines = render_entry(entry, look(tools_open=True))
    opener = next(line for line in lines if "v opens all" in line.text)
    assert len(lines) < 900
    assert [(target.kind, target.value) for target in opener.targets] == [(TargetKind.VIEW, "k")]
    whole = render_entry(entry, look(tools_open=True, whole=True))
    assert len(whole) >= 20_000
    assert "v opens all" not in shown(whole)


def test_plain_text_is_what_was_asked_and_all_that_came_back() -> None:
    assert plain_text(tool("bash", {"command": "seq 30"}, LINES)) == f"$ seq 30\n{LINES}"
    assert plain_text(tool("lookup", {"query": "x", "n": [1]}, "found")) == "lookup\nquery: x\nn: [1]\nfound"


def test_results_and_their_calls_match_on_every_recorded_trace() -> None:
    entries = [entry for entry in folded("1.6.0/parallel_tools").entries if isinstance(entry, ToolEntry)]
    texts = [rendered(entry, 70) for entry in entries]
    assert ["slow done" in texts[0], "fast done" in texts[1], "src/app.py" in texts[2]] == [True, True, True]


@settings(deadline=None, max_examples=60)
@given(st.lists(st.text(st.sampled_from("ab 漢\t"), max_size=30), max_size=20), st.integers(0, 8), st.booleans())
def test_shown_and_hidden_lines_add_up(lines: list[str], limit: int, tail: bool) -> None:
    text = "\n".join(line + "x" for line in lines)
    body = Body(look(), "k", limit)
    body.output(text, tail=tail)
    drawn = body.finish()
    check_lines(drawn, 80)
    notes = [line.text for line in drawn if line.decoration]
    hidden = sum(int("".join(filter(str.isdigit, note.split("line")[0]))) for note in notes)
    assert len(drawn) - len(notes) + (hidden if drawn else len(lines)) == len(lines)


def test_json_deeper_than_any_reader_goes_is_shown_as_text() -> None:
    deep = "[" * 5_000 + "]" * 5_000
    check_lines(render_entry(tool("mcp", {}, deep), look()), 80)
    check_lines(render_entry(tool("mcp", {"x": json.loads("[" * 900 + "]" * 900)}, deep), look(tools_open=True)), 80)
