"""The session's tree: look around in every branch, fork from what was said."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, VerticalScroll
from textual.screen import Screen
from textual.widgets import Input, Static

from pitui.keys.keymap import bind
from pitui.render.bars import rule_line
from pitui.render.lines import Palette, ThinkingView, View
from pitui.render.text import clip, count, sanitize
from pitui.rpc.stored import AnyStored
from pitui.session.history import entries_of
from pitui.session.tree import NodeKind, SessionTree, TreeFilter, TreeRow
from pitui.widgets.glimpse import entries_text
from pitui.widgets.rowlist import QueryInput, RowList
from pitui.widgets.treerow import TreeLook, tree_row

PREVIEW_FROM = 100
"""Columns from which the preview is shown."""
KEYS = "enter forks · ctrl+x copies · ctrl+←→ folds · ctrl+d/t/u/l/a views · esc closes"
VIEWS = {
    TreeFilter.DEFAULT: "conversation", TreeFilter.NO_TOOLS: "no tools", TreeFilter.USER: "your messages",
    TreeFilter.LABELLED: "bookmarks", TreeFilter.ALL: "everything",
}


@dataclass(frozen=True, slots=True)
class Fork:
    """Begin a new session that ends before this message; its text is for the composer."""

    entry_id: str
    text: str


TreeAction = Fork
"""What the person decided. Moving within the file will be another member."""


class TreeScreen(Screen[TreeAction | None]):
    """Dismisses with what to do, or None. `entries` are all of the session's, from any source, with `leaf_id` where it
    stands. `copy` gets the text of an entry to put on the clipboard.
    """

    BINDINGS = [
        bind("tui.select.up"),
        bind("tui.select.down"),
        bind("tui.select.pageUp"),
        bind("tui.select.pageDown"),
        bind("tui.select.confirm"),
        bind("tui.select.cancel"),
        Binding("ctrl+home", "move(-1000000)", show=False),
        Binding("ctrl+end", "move(1000000)", show=False),
        bind("app.tree.foldOrUp"),
        bind("app.tree.unfoldOrDown"),
        bind("app.tree.filter.default"),
        bind("app.tree.filter.noTools"),
        bind("app.tree.filter.userOnly"),
        bind("app.tree.filter.labeledOnly"),
        bind("app.tree.filter.all"),
        bind("app.tree.filter.cycleForward"),
        bind("app.tree.filter.cycleBackward"),
        bind("app.message.copy"),
    ]
    DEFAULT_CSS = """
    TreeScreen #head, TreeScreen #foot, TreeScreen #status { height: 1; }
    TreeScreen #preview { width: 45%; display: none; padding: 0 1 0 2; scrollbar-size-vertical: 1; }
    TreeScreen.-wide #preview { display: block; }
    TreeScreen #preview-text { height: auto; }
    """

    def __init__(
        self,
        entries: Sequence[AnyStored],
        leaf_id: str | None,
        palette: Palette,
        *,
        view: TreeFilter = TreeFilter.DEFAULT,
        copy: Callable[[str], None] | None = None,
    ) -> None:
        super().__init__()
        self._head, self._note, self._foot = Static(id="head"), Static(id="status"), Static(id="foot")
        self._query = QueryInput("filter: words", id="query")
        self._list = RowList(palette, id="list")
        self._preview_text = Static(id="preview-text")
        self._preview_pane = VerticalScroll(self._preview_text, id="preview", can_focus=False)
        self.tree_now = SessionTree(entries, leaf_id)
        self.view = view
        self.folded: frozenset[str] = frozenset()
        self.rows: list[TreeRow] = []
        self._palette = palette
        self._copy = copy
        self._status = ""

    def compose(self) -> ComposeResult:
        yield self._head
        yield self._query
        yield Horizontal(self._list, self._preview_pane)
        yield self._note
        yield self._foot

    def on_mount(self) -> None:
        self._query.focus()
        self._arrange()
        here = next((number for number, row in enumerate(self.rows) if row.here), len(self.rows) - 1)
        self._list.cursor = here

    def on_resize(self) -> None:
        self.set_class(self.size.width >= PREVIEW_FROM, "-wide")
        self._frame()
        self.call_after_refresh(self._preview)

    @property
    def query_text(self) -> str:
        return self._query.value

    @property
    def chosen(self) -> TreeRow | None:
        """The row under the cursor."""
        at = self._list.cursor
        return self.rows[at] if at < len(self.rows) else None

    def _arrange(self) -> None:
        """Work the rows out anew, with the cursor on the entry it was on or the nearest above it."""
        chosen = self.chosen
        self.rows = self.tree_now.rows(self.view, self.query_text, self.folded)
        at = self._place_of(chosen)
        self._list.show(len(self.rows), self._draw, self._list.cursor if at is None else at, "nothing matches")
        self._frame()

    def _place_of(self, chosen: TreeRow | None) -> int | None:
        """Where an entry stands now; when it is not shown, the nearest shown one on its way up."""
        places = {id(row.node): number for number, row in enumerate(self.rows)}
        for node in self.tree_now.way_up(chosen.node) if chosen is not None else ():
            if (place := places.get(id(node))) is not None:
                return place
        return None

    def _draw(self, number: int, width: int) -> Text:
        return tree_row(self.rows[number], width, TreeLook(self._palette, bool(self.query_text)))

    def _frame(self) -> None:
        right = f"{VIEWS[self.view]} · {count(len(self.rows), 'entry', 'entries')}"
        palette, width = self._palette, self.size.width
        head = rule_line("the session's tree", right, width, palette.accent, palette)
        self._head.update(head, layout=False)
        self._note.update(Text(f" {self._status}", palette.warning, no_wrap=True), layout=False)
        self._foot.update(Text(clip(f" {KEYS}", width), palette.muted, no_wrap=True), layout=False)

    def _say(self, words: str) -> None:
        self._status = words
        self._frame()

    def _preview(self) -> None:
        if not self.has_class("-wide"):
            return
        row = self.chosen
        place = self._preview_pane
        view = View(max(20, place.scrollable_content_region.width), self._palette, True, ThinkingView.FULL)
        text = entries_text(entries_of([row.node.entry]), view) if row is not None else Text()
        self._preview_text.update(text or Text(sanitize(row.node.text) if row else ""))
        place.scroll_home(animate=False)

    def on_row_list_moved(self) -> None:
        self._preview()

    def on_row_list_chosen(self) -> None:
        self.action_select_confirm()

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        self._status = ""
        self._arrange()

    def action_select_up(self) -> None:
        self._list.move(-1)

    def action_select_down(self) -> None:
        self._list.move(1)

    def action_select_page_up(self) -> None:
        self._list.move(-self._list.page)

    def action_select_page_down(self) -> None:
        self._list.move(self._list.page)

    def action_move(self, by: int) -> None:
        self._list.move(by)

    def action_select_confirm(self) -> None:
        row = self.chosen
        if row is None:
            return
        if row.node.kind is NodeKind.USER:
            self.dismiss(Fork(row.node.entry.id, row.node.text))
        else:
            self._say("only your own messages can be forked from")

    def action_select_cancel(self) -> None:
        self.dismiss(None)

    def action_copy_message(self) -> None:
        if (row := self.chosen) is not None and self._copy is not None:
            self._copy(row.node.text)
            self._say("copied")

    def action_tree_fold(self) -> None:
        """Fold this branch; when there is nothing to fold, go to the start of the branch."""
        row, at = self.chosen, self._list.cursor
        if row is None:
            return
        below = self.rows[at + 1] if at + 1 < len(self.rows) else None
        if row.start and not row.hidden and below is not None and self.tree_now.is_below(below.node, row.node):
            self.folded |= {row.node.entry.id}
            self._arrange()
            return
        self._list.cursor = next((n for n in range(at - 1, -1, -1) if self.rows[n].start), 0)

    def action_tree_unfold(self) -> None:
        """Unfold this branch; when it is not folded, go to the start of the next, or to the end."""
        row, at = self.chosen, self._list.cursor
        if row is not None and row.hidden:
            self.folded -= {row.node.entry.id}
            self._arrange()
            return
        last = max(0, len(self.rows) - 1)
        self._list.cursor = next((n for n in range(at + 1, len(self.rows)) if self.rows[n].start), last)

    def _show_view(self, view: TreeFilter, toggle: bool = True) -> None:
        self.view = TreeFilter.DEFAULT if toggle and view is self.view else view
        self._arrange()

    def action_tree_filter_default(self) -> None:
        self._show_view(TreeFilter.DEFAULT)

    def action_tree_filter_no_tools(self) -> None:
        self._show_view(TreeFilter.NO_TOOLS)

    def action_tree_filter_user(self) -> None:
        self._show_view(TreeFilter.USER)

    def action_tree_filter_labelled(self) -> None:
        self._show_view(TreeFilter.LABELLED)

    def action_tree_filter_all(self) -> None:
        self._show_view(TreeFilter.ALL)

    def action_tree_filter_next(self, by: int = 1) -> None:
        order = list(TreeFilter)
        self._show_view(order[(order.index(self.view) + by) % len(order)], toggle=False)

    def action_tree_filter_previous(self) -> None:
        self.action_tree_filter_next(-1)
