"""Every key action by id: the agent's own ids with the keys its users know, and pitui's additions."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Place(Enum):
    """Where a key is listened to. Two actions of one place can't share a key; the main screen has three places."""

    EDITOR = "editor"
    TRANSCRIPT = "transcript"
    APP = "app"
    SEARCH = "search"
    LIST = "list"
    RESUME = "resume"
    MODELS = "models"
    SCOPED = "scoped models"
    TREE = "tree"


@dataclass(frozen=True, slots=True)
class KeyAction:
    """One thing a key can do. `keys` in the agent's notation (`ctrl+pageUp`); `windows` replaces them on Windows and
    WSL, `wsl` on WSL alone. `action` is pitui's action id; `reason` says why there is none.
    """

    id: str
    keys: tuple[str, ...]
    description: str
    place: Place
    action: str = ""
    windows: tuple[str, ...] | None = None
    wsl: tuple[str, ...] | None = None
    reason: str = ""


def _rows(place: Place, *rows: tuple[str, str, str, str]) -> tuple[KeyAction, ...]:
    """Rows of id, keys (space separated), action and description."""
    return tuple(KeyAction(id, tuple(keys.split()), text, place, action) for id, keys, action, text in rows)


# Ids, default keys and their Windows/WSL variants: the agent's docs/keybindings.md, version 1.6.0.
_EDITOR = (
    *_rows(
        Place.EDITOR,
        ("tui.editor.cursorUp", "up", "cursor_up", "Cursor up; older prompts at the first line"),
        ("tui.editor.cursorDown", "down", "cursor_down", "Cursor down; newer prompts at the last line"),
        ("tui.editor.historyPrevious", "", "history_previous", "Older prompt, wherever the cursor is"),
        ("tui.editor.historyNext", "", "history_next", "Newer prompt, wherever the cursor is"),
        ("tui.editor.cursorLeft", "left ctrl+b", "cursor_left", "Cursor left"),
        ("tui.editor.cursorRight", "right ctrl+f", "cursor_right", "Cursor right"),
        ("tui.editor.cursorWordLeft", "alt+left ctrl+left alt+b", "cursor_word_left", "Word left"),
        ("tui.editor.cursorWordRight", "alt+right ctrl+right alt+f", "cursor_word_right", "Word right"),
        ("tui.editor.cursorLineStart", "home ctrl+a", "cursor_line_start", "Start of the line"),
        ("tui.editor.cursorLineEnd", "end ctrl+e", "cursor_line_end", "End of the line"),
        ("tui.editor.jumpForward", "ctrl+]", "jump_forward", "Jump to the next given character"),
        ("tui.editor.jumpBackward", "ctrl+alt+]", "jump_backward", "Jump to the previous given character"),
        ("tui.editor.pageUp", "pageUp ctrl+pageUp", "cursor_page_up", "Page up in the text"),
        ("tui.editor.pageDown", "pageDown ctrl+pageDown", "cursor_page_down", "Page down in the text"),
        ("tui.editor.deleteCharBackward", "backspace", "delete_left", "Delete to the left"),
        ("tui.editor.deleteCharForward", "delete ctrl+d", "delete_right", "Delete to the right"),
        ("tui.editor.deleteWordBackward", "ctrl+w alt+backspace", "kill_word_left", "Cut the word to the left"),
        ("tui.editor.deleteWordForward", "alt+d alt+delete", "kill_word_right", "Cut the word to the right"),
        ("tui.editor.deleteToLineStart", "ctrl+u", "kill_line_start", "Cut to the start of the line"),
        ("tui.editor.deleteToLineEnd", "ctrl+k", "kill_line_end", "Cut to the end of the line"),
        ("tui.editor.yank", "ctrl+y", "yank", "Insert what was cut last"),
        ("tui.editor.yankPop", "alt+y", "yank_pop", "After that: what was cut before it"),
        ("tui.input.newLine", "shift+enter ctrl+j", "newline", "New line"),
        ("tui.input.submit", "enter", "submit", "Send; steer while the agent works"),
        ("tui.input.tab", "tab", "complete", "Complete a path, a command or a file"),
        ("tui.input.copy", "ctrl+c", "copy_selection", "Copy the selection"),
    ),
    KeyAction("tui.editor.undo", ("ctrl+-",), "Undo", Place.EDITOR, "undo", windows=("ctrl+z",), wsl=("alt+z",)),
)

_LIST = _rows(
    Place.LIST,
    ("tui.select.up", "up", "select_up", "Up in a list"),
    ("tui.select.down", "down", "select_down", "Down in a list"),
    ("tui.select.pageUp", "pageUp", "select_page_up", "Page up in a list"),
    ("tui.select.pageDown", "pageDown", "select_page_down", "Page down in a list"),
    ("tui.select.confirm", "enter", "select_confirm", "Choose"),
    ("tui.select.cancel", "escape ctrl+c", "select_cancel", "Close without choosing"),
)

_TRANSCRIPT = (
    *_rows(
        Place.TRANSCRIPT,
        ("tui.altScreen.pageUp", "pageUp", "transcript_page_up", "Transcript: page up"),
        ("tui.altScreen.pageDown", "pageDown", "transcript_page_down", "Transcript: page down"),
        ("tui.altScreen.halfPageUp", "", "transcript_half_page_up", "Transcript: half a page up"),
        ("tui.altScreen.halfPageDown", "", "transcript_half_page_down", "Transcript: half a page down"),
        ("tui.altScreen.lineUp", "", "transcript_line_up", "Transcript: line up"),
        ("tui.altScreen.lineDown", "", "transcript_line_down", "Transcript: line down"),
        ("tui.altScreen.top", "ctrl+home", "transcript_top", "Transcript: to the beginning"),
        ("tui.altScreen.bottom", "ctrl+end", "transcript_bottom", "Transcript: to the end, and follow"),
    ),
    KeyAction(
        "tui.altScreen.previousPrompt", ("ctrl+shift+up", "ctrl+up"), "Transcript: previous prompt",
        Place.TRANSCRIPT, "previous_prompt", windows=("ctrl+up",),
    ),
    KeyAction(
        "tui.altScreen.nextPrompt", ("ctrl+shift+down", "ctrl+down"), "Transcript: next prompt",
        Place.TRANSCRIPT, "next_prompt", windows=("ctrl+down",),
    ),
    KeyAction(
        "tui.altScreen.search", ("ctrl+shift+f",), "Search the transcript",
        Place.TRANSCRIPT, "search_transcript", windows=("ctrl+f",),
    ),
)

_SEARCH = _rows(
    Place.SEARCH,
    ("tui.altScreen.searchNext", "enter ctrl+g", "search_next", "Next match"),
    ("tui.altScreen.searchPrevious", "shift+enter ctrl+shift+g", "search_previous", "Previous match"),
    ("tui.altScreen.searchClose", "escape", "search_close", "Close the search"),
)

_APP = (
    *_rows(
        Place.APP,
        ("app.interrupt", "escape", "interrupt", "Stop the agent"),
        ("app.clear", "ctrl+c", "clear", "Clear the text (it goes to the stash); twice quits"),
        ("app.exit", "ctrl+d", "exit_when_empty", "Quit when the text is empty"),
        ("app.editor.external", "ctrl+g", "external_editor", "Edit the text in your editor"),
        ("app.session.new", "", "new_session", "New session"),
        ("app.session.tree", "", "session_tree", "Session tree"),
        ("app.session.fork", "", "fork_session", "Fork from an earlier prompt"),
        ("app.session.resume", "", "resume_session", "Open another session"),
        ("app.model.select", "ctrl+l", "select_model", "Choose the model"),
        ("app.model.cycleForward", "ctrl+p", "next_model", "Next model"),
        ("app.thinking.cycle", "shift+tab", "cycle_thinking", "Next thinking level"),
        ("app.thinking.toggle", "ctrl+t", "toggle_thinking", "Show or fold the thinking"),
        ("app.tools.expand", "ctrl+o", "toggle_tools", "Show or fold tool output"),
        ("app.message.copy", "ctrl+x", "copy_message", "Copy the selection, else the last answer"),
    ),
    KeyAction("app.suspend", ("ctrl+z",), "Suspend to the shell", Place.APP, "suspend", windows=(), wsl=("ctrl+z",)),
    KeyAction(
        "app.clipboard.pasteImage", ("ctrl+v",), "Paste an image, a file or text",
        Place.APP, "paste_clipboard", windows=("alt+v", "ctrl+v"),
    ),
    KeyAction(
        "app.model.cycleBackward", ("ctrl+shift+p",), "Previous model",
        Place.APP, "previous_model", windows=("alt+p",),
    ),
    KeyAction(
        "app.message.followUp", ("alt+enter",), "Queue for when the agent is done",
        Place.APP, "follow_up", windows=("ctrl+q",),
    ),
    KeyAction(
        "app.message.dequeue", ("alt+up",), "Take the queue back into the text",
        Place.APP, "take_queue_back", windows=("alt+q",),
    ),
)

_RESUME = _rows(
    Place.RESUME,
    ("app.session.togglePath", "ctrl+p", "toggle_session_path", "Show paths"),
    ("app.session.toggleSort", "ctrl+s", "toggle_session_sort", "Other order"),
    ("app.session.toggleNamedFilter", "ctrl+n", "toggle_named_sessions", "Named sessions only"),
    ("app.session.rename", "ctrl+r", "rename_session", "Rename"),
    ("app.session.delete", "ctrl+d", "delete_session", "Delete"),
    ("app.session.deleteNoninvasive", "ctrl+backspace", "delete_session_when_no_query", "Delete, with an empty query"),
)

_MODELS = _rows(
    Place.MODELS,
    ("app.thinking.save", "ctrl+s", "save_thinking", "Thinking picker: save as default"),
) + _rows(
    Place.SCOPED,
    ("app.models.save", "ctrl+s", "save_models", "Save as default"),
    ("app.models.enableAll", "ctrl+a", "enable_all_models", "Enable all that match"),
    ("app.models.clearAll", "ctrl+x", "clear_all_models", "Disable all that match"),
    ("app.models.toggleProvider", "ctrl+p", "toggle_model_provider", "Toggle the provider's models"),
    ("app.models.reorderUp", "alt+up", "move_model_up", "Earlier in the cycle"),
    ("app.models.reorderDown", "alt+down", "move_model_down", "Later in the cycle"),
)

_TREE = _rows(
    Place.TREE,
    ("app.tree.foldOrUp", "ctrl+left alt+left", "tree_fold", "Fold, or to the start of the branch before"),
    ("app.tree.unfoldOrDown", "ctrl+right alt+right", "tree_unfold", "Unfold, or to the next branch"),
    ("app.tree.editLabel", "shift+l", "tree_label", "Edit the label"),
    ("app.tree.toggleLabelTimestamp", "shift+t", "tree_label_times", "Show when labels were set"),
    ("app.tree.filter.default", "ctrl+d", "tree_filter_default", "Default view"),
    ("app.tree.filter.noTools", "ctrl+t", "tree_filter_no_tools", "Hide tool results"),
    ("app.tree.filter.userOnly", "ctrl+u", "tree_filter_user", "Your messages only"),
    ("app.tree.filter.labeledOnly", "ctrl+l", "tree_filter_labelled", "Labelled entries only"),
    ("app.tree.filter.all", "ctrl+a", "tree_filter_all", "All entries"),
    ("app.tree.filter.cycleForward", "ctrl+o", "tree_filter_next", "Next view"),
    ("app.tree.filter.cycleBackward", "ctrl+shift+o", "tree_filter_previous", "Previous view"),
)

PI_ACTIONS: tuple[KeyAction, ...] = (
    *_EDITOR, *_LIST, *_TRANSCRIPT, *_SEARCH, *_APP, *_RESUME, *_MODELS, *_TREE,
)

PITUI_ACTIONS: tuple[KeyAction, ...] = _rows(
    Place.EDITOR,
    ("pitui.editor.redo", "ctrl+shift+z alt+shift+z", "redo", "Redo"),
    ("pitui.editor.selectLeft", "shift+left", "cursor_left(True)", "Select to the left"),
    ("pitui.editor.selectRight", "shift+right", "cursor_right(True)", "Select to the right"),
    ("pitui.editor.selectUp", "shift+up", "cursor_up(True)", "Select upwards"),
    ("pitui.editor.selectDown", "shift+down", "cursor_down(True)", "Select downwards"),
    ("pitui.editor.selectWordLeft", "ctrl+shift+left", "cursor_word_left(True)", "Select the word to the left"),
    ("pitui.editor.selectWordRight", "ctrl+shift+right", "cursor_word_right(True)", "Select the word to the right"),
    ("pitui.editor.selectLineStart", "shift+home", "cursor_line_start(True)", "Select to the start of the line"),
    ("pitui.editor.selectLineEnd", "shift+end", "cursor_line_end(True)", "Select to the end of the line"),
    ("pitui.editor.selectAll", "f7", "select_all", "Select all"),
    ("pitui.editor.openPaste", "alt+o", "open_paste", "Open the folded paste at the cursor"),
    ("pitui.editor.stash", "ctrl+s", "stash", "Put the text aside; with no text: bring it back"),
    ("pitui.editor.searchHistory", "ctrl+r", "search_history", "Search earlier prompts"),
    ("pitui.editor.removeImage", "alt+i", "remove_image", "Remove the last image"),
)

# Ids of versions before namespaces, still found in people's files: the agent's change log, 0.62.
OLD_IDS: dict[str, str] = {
    **{
        name: f"tui.editor.{name}"
        for name in (
            "cursorUp", "cursorDown", "cursorLeft", "cursorRight", "cursorWordLeft", "cursorWordRight",
            "cursorLineStart", "cursorLineEnd", "jumpForward", "jumpBackward", "pageUp", "pageDown",
            "deleteCharBackward", "deleteCharForward", "deleteWordBackward", "deleteWordForward",
            "deleteToLineStart", "deleteToLineEnd", "yank", "yankPop", "undo",
        )
    },
    **{name: f"tui.input.{name}" for name in ("newLine", "submit", "tab", "copy")},
    **{f"select{name}": f"tui.select.{name[0].lower()}{name[1:]}" for name in (
        "Up", "Down", "PageUp", "PageDown", "Confirm", "Cancel"
    )},
    **{name: f"app.{name}" for name in ("interrupt", "clear", "exit", "suspend")},
    "cycleThinkingLevel": "app.thinking.cycle",
    "toggleThinking": "app.thinking.toggle",
    "cycleModelForward": "app.model.cycleForward",
    "cycleModelBackward": "app.model.cycleBackward",
    "selectModel": "app.model.select",
    "expandTools": "app.tools.expand",
    "externalEditor": "app.editor.external",
    "followUp": "app.message.followUp",
    "dequeue": "app.message.dequeue",
    "pasteImage": "app.clipboard.pasteImage",
    "newSession": "app.session.new",
    "tree": "app.session.tree",
    "fork": "app.session.fork",
    "resume": "app.session.resume",
    "toggleSessionNamedFilter": "app.session.toggleNamedFilter",
    "toggleSessionPath": "app.session.togglePath",
    "toggleSessionSort": "app.session.toggleSort",
    "renameSession": "app.session.rename",
    "deleteSession": "app.session.delete",
    "deleteSessionNoninvasive": "app.session.deleteNoninvasive",
    "treeFoldOrUp": "app.tree.foldOrUp",
    "treeUnfoldOrDown": "app.tree.unfoldOrDown",
    "treeEditLabel": "app.tree.editLabel",
    "treeToggleLabelTimestamp": "app.tree.toggleLabelTimestamp",
}
