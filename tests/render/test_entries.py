"""Every entry becomes lines that are safe, fit, fold, and give their source back when copied."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pitui.render.entries import estimate_height, fold_keys, gap, plain_text, render_entry, sent_lines
from pitui.render.lines import TargetKind, ThinkingView, View
from pitui.rpc.messages import ImageBlock, TextBlock, UnknownBlock, Usage
from pitui.session.state import (
    AssistantEntry,
    BashEntry,
    CustomEntry,
    Entry,
    Level,
    MessageMeta,
    Notice,
    NoticeEntry,
    SentPrompt,
    SummaryEntry,
    SummaryKind,
    ToolEntry,
    UnknownEntry,
    UserEntry,
)
from tests.render.kinds import (
    CONTROLS,
    ENTRIES,
    MARKUP,
    PLAIN,
    PNG,
    VIEWS,
    check_lines,
    copied,
    hostile,
    look,
    shown,
    thought,
)
from tests.session.recorded import folded

OPEN: dict[str, Any] = {
    "tools_open": True, "thinking": ThinkingView.FULL, "open": frozenset({"k", "k/0", "k/1", "k/2"}), "show_meta": True,
}
SKILL = '<skill name="notes" location="/s/SKILL.md">\n# Notes\n\nWrite it down.\n</skill>\n\nabout x'
OVERLOADED = '529 {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"},"request_id":"r"}'


def rendered(entry: Entry, width: int = 80, **options: Any) -> str:  # noqa: ANN401  # any field of a view by its name
    return shown(render_entry(entry, look(width, **options)))


def failed(message: str, reason: str = "error") -> AssistantEntry:
    return AssistantEntry("k", (), MessageMeta(stop_reason=reason, error_message=message))


@settings(deadline=None, max_examples=150, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(ENTRIES, VIEWS)
def test_whatever_an_entry_holds_its_lines_fit_and_hold_no_control(entry: Entry, view: View) -> None:
    lines = render_entry(entry, view)
    check_lines(lines, view.width)
    assert not lines or estimate_height(entry, view) > 0
    assert isinstance(plain_text(entry), str)


@pytest.mark.parametrize("width", [1, 2, 5, 8, 20, 24, 40, 80, 140, 200])
def test_control_sequences_in_every_field_reach_no_segment(width: int) -> None:
    for options in ({}, OPEN):
        for entry in hostile(CONTROLS).values():
            check_lines(render_entry(entry, look(width, **options)), width)


@pytest.mark.parametrize("kind", sorted(set(hostile("x")) - {"x"}))
def test_words_between_control_sequences_stay_readable(kind: str) -> None:
    text = rendered(hostile(CONTROLS)[kind], 200, **OPEN)
    assert "start" in text
    assert "red" in text


@pytest.mark.parametrize("kind", sorted(set(hostile("x")) - {"x"}))
def test_brackets_are_literal(kind: str) -> None:
    assert "[red]x[/red] [/] [@click=app.quit]press[/]" in rendered(hostile(MARKUP)[kind], 200, **OPEN)


@pytest.mark.parametrize("kind", sorted(hostile("needle")))
def test_searching_finds_what_an_entry_shows(kind: str) -> None:
    assert "needle" in plain_text(hostile("needle")[kind])


@pytest.mark.parametrize(
    "name", ["tools", "bash", "blocks", "stop_reasons", "retry_fail", "resources", "unicode", "images"],
)
def test_recorded_conversations_are_drawn_at_every_width(name: str) -> None:
    entries = folded(f"1.6.0/{name}").entries
    assert entries
    for width in (1, 9, 30, 80, 160):
        for entry in entries:
            check_lines(render_entry(entry, look(width)), width)


@pytest.mark.parametrize("tools_open", [False, True])
@pytest.mark.parametrize("name", ["tools", "bash", "parallel_tools", "huge_output", "retry_fail"])
def test_heights_are_guessed_well_enough_for_a_scroll_bar(name: str, tools_open: bool) -> None:
    view = look(100, tools_open=tools_open)
    entries = folded(f"1.6.0/{name}").entries
    guessed = sum(estimate_height(entry, view) for entry in entries)
    exact = sum(len(render_entry(entry, view)) for entry in entries)
    assert 0.7 * exact <= guessed <= 1.4 * exact


def test_a_conversation_reads_like_this() -> None:
    entries = folded("1.6.0/tools").entries
    rows: list[str] = []
    for above, entry in zip((None, *entries), entries, strict=False):
        rows += [""] * gap(above, entry) + [line.text.rstrip() for line in render_entry(entry, look(72))]
    assert rows[5:] == [
        "",
        " ● bash    for i in 1 2 3 4; do echo line $i; sleep 0…   4 lines   1.1 s",
        "   │ line 1",
        "   │ line 2",
        "   │ line 3",
        "   │ line 4",
        "",
        "   Now the file.",
        "",
        " ● read    src/app.py                                    5 lines",
        "",
        " ∴ Thought · add() subtracts. That is the bug.",
        "",
        "   The operator is wrong.",
        "",
        " ● edit    src/app.py                                      +1 -1",
        "   │ 1   def add(a, b):",
        "   │ 2 -     return a - b",
        "   │ 2 +     return a + b",
        "   │ 3",
        "   │ 4",
        "   │ 5   print(add(2, 3))",
        " ● write   notes/CHANGES.md                              3 lines",
        "   │ 1  # Changes",
        "   │ 2",
        "   │ 3  - add() adds",
        " ✗ bash    echo oops >&2; exit 3                          exit 3",
        "   │ oops",
        " ✗ read    missing.txt                                    failed",
        "   │ ENOENT: no such file or directory, access",
        "   │ '/home/user/project/missing.txt'",
        "",
        "   Done: fixed add() in src/app.py and wrote the notes.",
        "",
        " ▲ pitui: The agent ended with exit code 0.",
    ]


def test_tool_rows_stand_together_and_everything_else_apart() -> None:
    user, tool = UserEntry("u", "hi"), ToolEntry("t", "c", "bash")
    assert [gap(None, user), gap(user, tool), gap(tool, tool), gap(tool, user)] == [0, 1, 0, 1]


def test_what_the_person_said_has_a_bar_and_copies_as_typed() -> None:
    text = "Why does *this* fail?\n\n    indented " + "word " * 30 + "end"
    lines = render_entry(UserEntry("k", text), look(60))
    assert all(line.text.startswith(" ▌ ") for line in lines)
    assert all(len(line.text) == 60 for line in lines)
    assert copied(lines) == text


def test_what_the_person_said_is_prose_on_a_wide_screen() -> None:
    first, *rest = render_entry(UserEntry("k", "word " * 60), look(200))
    assert first.text.rstrip() == " ▌ " + ("word " * 20).strip()
    assert rest


def test_pictures_of_the_person_are_chips_that_open() -> None:
    line = render_entry(UserEntry("k", "", (ImageBlock(data=PNG, mime_type="image/png"),)), look())[0]
    assert line.text.rstrip() == " ▌ ▣ image/png · 1×1 · 67 B"
    assert [target.kind for target in line.targets] == [TargetKind.VIEW]


@pytest.mark.parametrize("data", ["!!notbase64!!", "QUJDQUJD", ""])
def test_a_picture_that_cannot_be_read_says_so(data: str) -> None:
    entry = UserEntry("k", "", (ImageBlock(data=data, mime_type="image/png"),))
    assert rendered(entry) == " ▌ ▣ image/png · unreadable image"


def test_an_expanded_skill_is_one_row_and_unfolds() -> None:
    entry = UserEntry("k", SKILL)
    assert rendered(entry, 50) == (
        " ▌ skill notes                             3 lines\n ▌ about x"
    )
    assert "Write it down." in rendered(entry, open=frozenset({"k"}))
    assert fold_keys(entry) == ("k",)


def test_a_prompt_on_its_way_looks_like_it_will_but_muted() -> None:
    view = look()
    sent, said = sent_lines(SentPrompt("t", "hello"), view), render_entry(UserEntry("k", "hello"), view)
    assert shown(sent) == shown(said)
    style = sent[0].segments[-2].style
    assert style is not None
    assert style.color == view.palette.muted.color


@pytest.mark.parametrize(
    ("thinking", "options", "rows"),
    [
        (ThinkingView.HIDDEN, {}, "   Answer"),
        (ThinkingView.FIRST_LINE, {}, " ∴ Thought · First\n\n   Answer"),
        (ThinkingView.FULL, {}, " ∴ Thought\n   **First**\n   Second\n\n   Answer"),
        (ThinkingView.HIDDEN, {"open": frozenset({"k/0"})}, " ∴ Thought\n   **First**\n   Second\n\n   Answer"),
        (ThinkingView.FULL, {"shut": frozenset({"k/0"})}, " ∴ Thought · First\n\n   Answer"),
    ],
)
def test_thinking_is_shown_as_the_view_wants_it(thinking: ThinkingView, options: dict[str, Any], rows: str) -> None:
    entry = AssistantEntry("k", (thought("**First**\nSecond"), TextBlock(text="Answer")))
    assert rendered(entry, thinking=thinking, **options) == rows
    assert fold_keys(entry) == ("k/0",)


def test_redacted_thinking_says_so() -> None:
    entry = AssistantEntry("k", (thought(redacted=True),))
    assert rendered(entry) == " ∴ Thought · redacted by the provider"


def test_nothing_is_drawn_for_a_message_with_nothing_in_it() -> None:
    entry = AssistantEntry("k", (TextBlock(text=" \n"), thought()), MessageMeta(stop_reason="stop"))
    assert render_entry(entry, look()) == []
    assert render_entry(UserEntry("k", ""), look()) == []


def test_an_error_shows_the_providers_words_and_what_to_do_next() -> None:
    entry = failed(OVERLOADED)
    assert rendered(entry) == (
        " ▌ 529: Overloaded\n ▌ send again to retry · ctrl+l picks another model · ctrl+o shows all of it"
    )
    assert "overloaded_error" in rendered(entry, open=frozenset({"k"}))
    assert fold_keys(entry) == ("k",)


def test_a_long_error_is_folded_and_a_short_one_has_nothing_to_unfold() -> None:
    long, short = render_entry(failed("no " * 200), look()), render_entry(failed("terminated"), look())
    assert len(long) == 4
    assert shown(short) == " ▌ terminated\n ▌ send again to retry · ctrl+l picks another model"
    assert all(not line.targets for line in short)
    assert rendered(failed("terminated"), tools_open=True) == shown(short)
    assert fold_keys(failed("terminated")) == ()


def test_an_error_without_words_is_still_an_error() -> None:
    assert rendered(failed("")).startswith(" ▌ the provider gave no reason\n")


@pytest.mark.parametrize(
    ("reason", "row"),
    [
        ("aborted", " ⊘ stopped"),
        ("length", " ⊘ cut off: the answer reached the model's limit of output tokens"),
        ("deferred", " ⊘ deferred by the provider"),
        ("brandNew", " ⊘ ended: brandNew"),
    ],
)
def test_an_unusual_end_is_told(reason: str, row: str) -> None:
    entry = AssistantEntry("k", (TextBlock(text="Half"),), MessageMeta(stop_reason=reason))
    assert rendered(entry) == f"   Half\n{row}"


def test_an_attempt_that_was_retried_is_one_row_and_nothing_of_it_is_lost() -> None:
    attempt = replace(failed(OVERLOADED), retried=True, blocks=(TextBlock(text="Half an answer"),))
    assert rendered(attempt) == " ✗ attempt failed, retried · 529: Overloaded"
    assert "Half an answer" in rendered(attempt, open=frozenset({"k"}))
    assert rendered(replace(attempt, meta=None)) == " ✗ discarded · Half an answer"


def test_what_a_message_cost_is_told_when_asked_for() -> None:
    usage = Usage.model_validate({"input": 2000, "output": 1400, "cacheRead": 10000, "cost": {"total": 0.083}})
    meta = MessageMeta("anthropic", "sonnet", None, "medium", usage, "stop", None, 41000.0)
    entry = AssistantEntry("k", (TextBlock(text="Done."),), meta)
    assert rendered(entry) == "   Done."
    assert rendered(entry, show_meta=True) == (
        "   Done.\n   sonnet · thinking medium · ↑12k · ↓1.4k · $0.08 · 41 s"
    )


def test_the_source_of_a_message_can_be_shown_instead() -> None:
    entry = AssistantEntry("k", (TextBlock(text="**bold**\n\n- item"),))
    assert rendered(entry) == "   bold\n\n   • item"
    assert rendered(entry, sources=frozenset({"k"})) == "   **bold**\n\n   - item"


def test_an_unknown_block_is_shown_by_its_values() -> None:
    block = UnknownBlock.model_validate({"type": "deferredThing", "x": 1})
    assert rendered(AssistantEntry("k", (block,))) == "   type  deferredThing\n   x     1"


def test_a_command_of_the_person_shows_its_output_and_how_it_ended() -> None:
    entry = BashEntry("k", "make deploy", "building\n\x1b[31mno rule\x1b[0m\n", 2, excluded=True)
    assert rendered(entry, 50) == (
        " ✗ $ make deploy                            exit 2\n"
        "   │ not in the agent's context\n   │ building\n   │ no rule"
    )


@pytest.mark.parametrize(
    ("entry", "row"),
    [
        (BashEntry("k", "true", "", 0), " ● $ true                      no output"),
        (BashEntry("k", "sleep 9", "", None, cancelled=True), " ⊘ $ sleep 9                     stopped"),
        (BashEntry("k", "sleep 9", running=True, started=1.0), " ⠋ $ sleep 9                         4 s"),
        (BashEntry("k", "a\nb", "x\n", 0), " ● $ a … +1 line                  1 line\n   │ x"),
    ],
)
def test_the_row_of_a_command_tells_its_state(entry: BashEntry, row: str) -> None:
    assert rendered(entry, 40, now=5.0) == row


def test_the_whole_output_of_a_command_can_be_opened() -> None:
    entry = BashEntry("k", "seq 9999", "9998\n9999\n", 0, truncated=True, full_output_path="/home/u/tmp/pi.log")
    last = render_entry(entry, look())[-1]
    assert last.text == "   │ full output: ~/tmp/pi.log · v opens"
    assert [(target.kind, target.value) for target in last.targets] == [(TargetKind.VIEW, "k")]


def test_a_message_of_an_extension_has_its_type_as_label() -> None:
    entry = CustomEntry("k", "plan-mode", (TextBlock(text="**Plan**"),), {"a": 1})
    assert rendered(entry) == " ◆ plan-mode\n   │ Plan"
    assert rendered(entry, open=frozenset({"k"})) == " ◆ plan-mode\n   │ Plan\n   │\n   │ a  1"


def test_a_compaction_is_a_divider_whose_summary_unfolds() -> None:
    entry = SummaryEntry("k", SummaryKind.COMPACTION, "# Goal", 150_000, 32_000)
    assert rendered(entry, 60) == "── compacted 150k → 32k · ctrl+o shows the summary ─────────\n   Goal"
    assert "Goal" in rendered(entry, open=frozenset({"k"}))
    assert rendered(replace(entry, tokens_before=None, tokens_after=None), 60).startswith("── compacted · ctrl+o")


@pytest.mark.parametrize(
    ("summary", "glimpse"),
    [
        ("We fixed the reader.\nThen the writer.", "We fixed the reader."),
        ("\n## Goal\n\n- Fix the **reader**\n- More", "Goal · Fix the **reader"),
        ("***", ""),
    ],
)
def test_a_folded_compaction_gives_a_glimpse_of_its_summary(summary: str, glimpse: str) -> None:
    rows = rendered(SummaryEntry("k", SummaryKind.COMPACTION, summary)).split("\n")[1:]
    assert [row.strip() for row in rows] == ([glimpse] if glimpse else [])


def test_the_summary_of_a_branch_is_one_row_and_unfolds() -> None:
    entry = SummaryEntry("k", SummaryKind.BRANCH, "Tried a regex.\nIt was slow.")
    assert rendered(entry) == " ↳ left a branch · Tried a regex. It was slow."
    assert "It was slow." in rendered(entry, open=frozenset({"k"})).split("\n", 1)[1]


@pytest.mark.parametrize("kind", ["compaction", "branch", "retried", "custom", "unknown", "bash entry", "bash"])
def test_the_key_for_all_folds_unfolds_it_as_its_own_fold_does(kind: str) -> None:
    entry = hostile("needle\n" * 30)[kind]
    assert rendered(entry, tools_open=True) == rendered(entry, open=frozenset({"k"})) != rendered(entry)


def test_hints_name_the_keys_of_the_reader() -> None:
    keys: dict[str, Any] = {"fold_key": "f2", "model_key": "f3"}
    assert "f3 picks another model · f2 shows all of it" in rendered(failed(OVERLOADED), **keys)
    assert "f2 shows the summary" in rendered(SummaryEntry("k", SummaryKind.COMPACTION, "x"), **keys)


def test_of_many_notices_the_last_are_shown() -> None:
    notices = tuple(Notice(Level.INFO, f"file {number}", "indexer") for number in range(9))
    entry = NoticeEntry("k", notices, dropped=5)
    assert rendered(entry) == (
        "   … 11 earlier notices · ctrl+o\n · indexer: file 6\n · indexer: file 7\n · indexer: file 8"
    )
    assert rendered(entry, open=frozenset({"k"})).count("indexer") == 9


def test_notices_tell_their_level_by_glyph() -> None:
    notices = (Notice(Level.INFO, "a"), Notice(Level.WARNING, "b"), Notice(Level.ERROR, "c", "ext"))
    assert rendered(NoticeEntry("k", notices)) == " · a\n ▲ b\n ✗ ext: c"


def test_something_unknown_is_a_plain_card() -> None:
    entry = UnknownEntry("k", "hologram", {"content": "?", "depth": 3})
    assert rendered(entry) == ' ? hologram  {"content": "?", "depth": 3}'
    assert rendered(entry, tools_open=True) == " ? hologram\n   │ content  ?\n   │ depth    3"


@pytest.mark.parametrize("kind", sorted(set(hostile("x")) - {"x"}))
def test_plain_terminals_get_plain_glyphs(kind: str) -> None:
    entry = hostile("x")[kind]
    for options in ({}, OPEN):
        assert shown(render_entry(entry, replace(look(80, **options), palette=PLAIN))).isascii()


@settings(deadline=None, max_examples=60)
@given(st.text(st.sampled_from("abc \n漢é[]*_`#"), max_size=200), st.integers(12, 60))
def test_what_the_person_said_copies_as_typed_at_any_width(text: str, width: int) -> None:
    lines = render_entry(UserEntry("k", text), look(width))
    typed = "\n".join(line.rstrip(" ") for line in text.strip("\n").split("\n")) if text.strip() else ""
    assert "\n".join(line.rstrip(" ") for line in copied(lines).split("\n")) == typed


@pytest.mark.parametrize("name", sorted(hostile("x")))
def test_every_fold_key_changes_what_is_seen_or_is_not_offered(name: str) -> None:
    entry = hostile("line\n" * 40)["line\n" * 40 if name == "x" else name]
    view = look()
    for key in fold_keys(entry):
        shut = shown(render_entry(entry, replace(view, shut=frozenset({key}))))
        assert shown(render_entry(entry, replace(view, open=frozenset({key})))) != shut


def test_errors_in_json_are_summarised_by_their_message() -> None:
    message = json.dumps({"error": {"message": "context \"x\" is too long"}})
    assert rendered(failed(message)).startswith(' ▌ context "x" is too long\n')
