"""What pi can do and say, the test that does it through pitui's UI, and how a person does it.

`python -m tests.real.coverage` prints the table of the README. A test's recording must hold all that is ascribed to it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path


class Part(Enum):
    COMMAND = "Commands"
    EVENT = "Events"
    DELTA = "Steps of a message that streams"
    UI = "What extensions ask of the UI"


@dataclass(frozen=True, slots=True)
class Row:
    """`name` on the wire. `test`: file and name of the test. `seen`: the real agent is made to use it there; else
    `does` says why not.
    """

    part: Part
    name: str
    test: str
    does: str
    seen: bool = True

    @property
    def function(self) -> str:
        return self.test.partition("::")[2]


def _rows(part: Part, file: str, *rows: tuple[str, str, str]) -> tuple[Row, ...]:
    return tuple(Row(part, name, f"tests/real/{file}.py::test_{test}", does) for name, test, does in rows)


_COMMANDS = _rows(
    Part.COMMAND, "test_commands",
    ("get_state", "models_are_chosen_from_a_list_and_stepped_through", "The status bar; asked again after each run"),
    ("get_available_models", "models_are_chosen_from_a_list_and_stepped_through", "Ctrl+L or `/model` lists them"),
    ("set_model", "models_are_chosen_from_a_list_and_stepped_through",
     "Enter in the list; Ctrl+Shift+P takes the one before"),
    ("cycle_model", "models_are_chosen_from_a_list_and_stepped_through", "Ctrl+P"),
    ("set_thinking_level", "thinking_levels_are_chosen_and_stepped_through", "`/thinking [level]`"),
    ("cycle_thinking_level", "thinking_levels_are_chosen_and_stepped_through", "Shift+Tab"),
    ("get_available_thinking_levels", "thinking_levels_are_chosen_and_stepped_through", "`/thinking` lists them"),
    ("set_steering_mode", "modes_and_switches_are_the_agents_own_settings", "`/steering-mode`, or in `/settings`"),
    ("set_follow_up_mode", "modes_and_switches_are_the_agents_own_settings", "`/follow-up-mode`, or in `/settings`"),
    ("set_auto_compaction", "modes_and_switches_are_the_agents_own_settings", "`/auto-compact`, or in `/settings`"),
    ("set_auto_retry", "modes_and_switches_are_the_agents_own_settings", "`/auto-retry`, or in `/settings`"),
    ("get_last_assistant_text", "a_session_is_named_counted_copied_and_exported", "Ctrl+X or `/copy`"),
    ("get_session_stats", "a_session_is_named_counted_copied_and_exported",
     "`/session`, with the cost of each model; the status bar"),
    ("set_session_name", "a_session_is_named_counted_copied_and_exported", "`/name <name>`"),
    ("export_html", "a_session_is_named_counted_copied_and_exported",
     "`/export [file]`; Markdown and JSONL are written by pitui"),
    ("get_fork_messages", "sessions_are_forked_cloned_begun_and_resumed", "`/fork` lists the prompts"),
    ("fork", "sessions_are_forked_cloned_begun_and_resumed", "Enter in that list; the prompt is in the composer again"),
    ("clone", "sessions_are_forked_cloned_begun_and_resumed", "`/clone`"),
    ("new_session", "sessions_are_forked_cloned_begun_and_resumed", "`/new`; an extension may forbid it"),
    ("switch_session", "sessions_are_forked_cloned_begun_and_resumed", "`/resume`: list, search, preview, Enter"),
    ("get_entries", "the_tree_is_made_of_entries_and_forks", "The transcript, and `/tree`"),
    ("bash", "shell_commands_run_and_stop", "`!command`; `!!command` keeps it from the model"),
    ("abort_bash", "shell_commands_run_and_stop", "Escape while it runs"),
    ("abort_retry", "a_pause_before_another_attempt_can_be_ended", "Escape during the countdown"),
    ("compact", "a_summary_that_fails_is_tried_again", "`/compact [instructions]`"),
    ("get_commands", "templates_skills_and_extensions_are_in_the_menu_and_run",
     "The `/` menu, each with where it comes from"),
    ("prompt", "a_slash_nobody_knows_is_asked_about_and_a_path_is_a_prompt",
     "Enter; while the agent works Enter steers and Alt+Enter queues"),
) + _rows(
    Part.COMMAND, "test_conversations",
    ("abort", "escape_in_mid_answer_keeps_what_was_said", "Escape"),
    ("clear_queue", "escape_in_mid_tool_brings_the_queue_back", "Alt+Up takes the queue back, and Escape first does"),
) + (
    Row(Part.COMMAND, "steer", "tests/real/test_conversations.py::"
        "test_a_steer_goes_after_the_step_and_a_follow_up_after_the_run",
        "Enter while the agent works: sent as a prompt that steers, which runs even if the work has just ended", False),
    Row(Part.COMMAND, "follow_up", "tests/real/test_conversations.py::"
        "test_a_steer_goes_after_the_step_and_a_follow_up_after_the_run",
        "Alt+Enter while the agent works: sent as a prompt that follows, for the same reason", False),
    Row(Part.COMMAND, "get_messages", "tests/session/test_resume.py::"
        "test_the_messages_of_the_context_make_the_picture_but_for_attempts_that_were_retried",
        "Instead of entries, which agents before 0.80.3 do not have; it lacks other branches and what was compacted",
        False),
    Row(Part.COMMAND, "get_tree", "tests/real/test_commands.py::test_the_tree_is_made_of_entries_and_forks",
        "`/tree` is made of `get_entries`: nested one level an entry, a long tree cannot be read by most parsers",
        False),
)

_RUN = "a_run_is_shown_from_its_first_delta_to_its_end"
_EVENTS = _rows(
    Part.EVENT, "test_events",
    ("agent_start", _RUN, "The status bar counts the seconds"),
    ("turn_start", _RUN, "The agent works"),
    ("message_start", _RUN, "A prompt, an answer or a result begins"),
    ("message_update", _RUN, "It grows as it streams"),
    ("message_end", _RUN, "It is complete"),
    ("turn_end", _RUN, "Tokens, cost and context are brought up to date"),
    ("tool_execution_start", _RUN, "The call runs, with its time"),
    ("tool_execution_update", _RUN, "Its output so far"),
    ("tool_execution_end", _RUN, "Its result, folded"),
    ("queue_update", _RUN, "What waits stands over the composer; Alt+W edits it"),
    ("agent_end", _RUN, "Nothing yet: more may follow"),
    ("agent_settled", _RUN, "Ready; a bell or notification for who looks elsewhere"),
    ("thinking_level_changed", "what_an_extension_changes_in_the_session_is_shown", "The rule over the composer"),
    ("session_info_changed", "what_an_extension_changes_in_the_session_is_shown", "The name in the status bar"),
    ("entry_appended", "what_an_extension_changes_in_the_session_is_shown", "Kept; shown if there is anything to show"),
    ("extension_error", "what_an_extension_changes_in_the_session_is_shown", "A red line with the extension's path"),
) + _rows(
    Part.EVENT, "test_commands",
    ("bash_execution_update", "shell_commands_run_and_stop", "The output streams"),
    ("auto_retry_start", "a_pause_before_another_attempt_can_be_ended", "A countdown with the reason"),
    ("auto_retry_end", "a_pause_before_another_attempt_can_be_ended", "The countdown ends"),
    ("compaction_start", "a_summary_that_fails_is_tried_again", "A line with the size; Escape cancels"),
    ("compaction_end", "a_summary_that_fails_is_tried_again", "A line across, with the summary folded in it"),
    ("summarization_retry_scheduled", "a_summary_that_fails_is_tried_again", "A countdown with the reason"),
    ("summarization_retry_attempt_start", "a_summary_that_fails_is_tried_again", "Compacting goes on"),
    ("summarization_retry_finished", "a_summary_that_fails_is_tried_again", "Compacting goes on"),
) + _rows(
    Part.EVENT, "test_extension_ui",
    ("response", "what_a_later_version_asks_is_answered_and_told_quietly",
     "One nobody waits for is told if it is a refusal"),
) + (
    Row(Part.EVENT, "session", "tests/rpc/test_trace.py::test_the_output_of_json_mode_plays_too",
        "The first line of `pi --mode json`, for `pitui --replay -`; RPC mode does not send it", False),
)

_DELTAS = _rows(
    Part.DELTA, "test_events",
    *((name, _RUN, does) for name, does in (
        ("text_start", "A block of text"), ("text_delta", "grows"), ("text_end", "and is complete"),
        ("thinking_start", "A block of thinking"), ("thinking_delta", "grows"), ("thinking_end", "and is complete"),
        ("toolcall_start", "A call"), ("toolcall_delta", "whose arguments grow"), ("toolcall_end", "and are complete"),
    )),
) + tuple(
    Row(Part.DELTA, name, "tests/session/test_live.py::test_steps_without_content_change_nothing",
        "Documented, never seen on the wire of a real agent; ignored, since the message's end says it all", False)
    for name in ("start", "done", "error")
)

_UI = _rows(
    Part.UI, "test_extension_ui",
    ("select", "questions_are_answered_by_keys", "A list: type to filter, digits pick, Enter"),
    ("confirm", "questions_are_answered_by_keys", "Y or N; No is under the cursor"),
    ("input", "questions_are_answered_by_keys", "One line, Enter"),
    ("editor", "questions_are_answered_by_keys", "Several lines, Ctrl+S; Ctrl+G for your own editor"),
    ("notify", "questions_are_answered_by_keys", "A line in the transcript, by its level"),
    ("setStatus", "statuses_panels_title_and_draft_are_shown", "Under the composer"),
    ("setWidget", "statuses_panels_title_and_draft_are_shown", "A panel over or under the composer"),
    ("setTitle", "statuses_panels_title_and_draft_are_shown", "The terminal's title"),
    ("set_editor_text", "statuses_panels_title_and_draft_are_shown", "In the composer; a draft there is put aside"),
    ("hologram", "what_a_later_version_asks_is_answered_and_told_quietly",
     "A method nobody knows yet: a question is answered as cancelled, so that nothing waits for it"),
)

ROWS: tuple[Row, ...] = (*_COMMANDS, *_EVENTS, *_DELTAS, *_UI)


def names_on(wire: Path) -> Iterator[tuple[Part, str]]:
    """All that is in a recording."""
    for line in wire.read_text("utf-8").splitlines():
        try:
            head = json.loads(line)
        except ValueError:
            continue  # The last line of a recording that was cut.
        record = head["record"]
        name = str(record.get("type"))
        if head["dir"] == "in":
            yield Part.COMMAND, name
        elif name == "extension_ui_request":
            yield Part.UI, str(record.get("method"))
        else:
            yield Part.EVENT, name
            if name == "message_update":
                yield Part.DELTA, str(record["assistantMessageEvent"]["type"])


def table() -> str:
    """For the README: what pi has, and what a person does or sees."""
    parts = []
    for part in Part:
        rows = [f"| {_title(row)} | {row.does} |" for row in ROWS if row.part is part]
        parts.append("\n".join((f"| {part.value} | In pitui |", "| --- | --- |", *rows)))
    return "\n\n".join(parts)


def _title(row: Row) -> str:
    return "any other" if row.name == "hologram" else f"`{row.name}`"


if __name__ == "__main__":
    print(table())
