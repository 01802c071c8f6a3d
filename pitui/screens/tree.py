"""The session's tree: look around in every branch, fork from what was said."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rich.text import Text
from textual.widgets import Input

from pitui.keys.keymap import bind
from pitui.render.lines import Palette, ThinkingView, View
from pitui.render.text import count, sanitize
from pitui.rpc.stored import AnyStored
from pitui.screens.listing import ListScreen
from pitui.session.history import entries_of
from pitui.session.tree import NodeKind, SessionTree, TreeFilter, TreeRow
from pitui.widgets.glimpse import entries_text
from pitui.widgets.treerow import TreeLook, tree_row

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


class TreeScreen(ListScreen[TreeRow, TreeAction]):
    """Dismisses with what to do, or None. `entries` are all of the session's, from any source, with `leaf_id` where it
    stands. `copy` gets the text of an entry to put on the clipboard.
    """

    BINDINGS = [
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

    def __init__(
        self,
        entries: Sequence[AnyStored],
        leaf_id: str | None,
        palette: Palette,
        *,
        view: TreeFilter = TreeFilter.DEFAULT,
        copy: Callable[[str], None] | None = None,
    ) -> None:
        super().__init__(palette, "words")
        self.tree_now = SessionTree(entries, leaf_id)
        self.view = view
        self.folded: frozenset[str] = frozenset()
        self._copy = copy

    def on_mount(self) -> None:
        self._arrange()
        here = next((number for number, row in enumerate(self.rows) if row.here), len(self.rows) - 1)
        self._list.cursor = here

    @property
    def query_text(self) -> str:
        return self._query.value

    def _arrange(self) -> None:
        """Work the rows out anew, with the cursor on the entry it was on or the nearest above it."""
        rows = self.tree_now.rows(self.view, self.query_text, self.folded)
        self._show(rows, self._place_of(self.row_now, rows), "nothing matches")

    def _place_of(self, chosen: TreeRow | None, rows: Sequence[TreeRow]) -> int | None:
        """Where an entry stands in `rows`; when it is not there, the nearest on its way up that is."""
        places = {id(row.node): number for number, row in enumerate(rows)}
        for node in self.tree_now.way_up(chosen.node) if chosen is not None else ():
            if (place := places.get(id(node))) is not None:
                return place
        return None

    def _draw(self, number: int, width: int) -> Text:
        return tree_row(self.rows[number], width, TreeLook(self._palette, bool(self.query_text)))

    def _frame(self) -> None:
        right = f"{VIEWS[self.view]} · {count(len(self.rows), 'entry', 'entries')}"
        self._surround("the session's tree", right, self._status, KEYS)

    def _preview(self) -> None:
        row = self.row_now
        view = View(self._preview_width, self._palette, True, ThinkingView.FULL)
        text = entries_text(entries_of([row.node.entry]), view) if row is not None else Text()
        self._preview_text.update(text or Text(sanitize(row.node.text) if row else ""))
        self._preview_pane.scroll_home(animate=False)

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        self._status = ""
        self._arrange()

    def action_select_confirm(self) -> None:
        row = self.row_now
        if row is None:
            return
        if row.node.kind is NodeKind.USER:
            self.dismiss(Fork(row.node.entry.id, row.node.text))
        else:
            self._say("only your own messages can be forked from")

    def action_copy_message(self) -> None:
        if (row := self.row_now) is not None and self._copy is not None:
            self._copy(row.node.text)
            self._say("copied")

    def action_tree_fold(self) -> None:
        """Fold this branch; when there is nothing to fold, go to the start of the branch."""
        row, at = self.row_now, self._list.cursor
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
        row, at = self.row_now, self._list.cursor
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
