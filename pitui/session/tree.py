"""The tree of a session's entries as rows to look at, from the flat list: no recursion, however deep it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from pitui.rpc.messages import (
    AnyMessage,
    AssistantMessage,
    BashExecutionMessage,
    TextBlock,
    ToolCallBlock,
    ToolResultMessage,
    UserMessage,
)
from pitui.rpc.stored import (
    AnyStored,
    StoredBranchSummary,
    StoredCompaction,
    StoredCustomMessage,
    StoredLabel,
    StoredMessage,
    StoredModelChange,
    StoredSessionInfo,
    StoredThinkingLevel,
)


class TreeFilter(Enum):
    """Which entries are shown; values as in the agent's setting `treeFilterMode`."""

    DEFAULT = "default"
    NO_TOOLS = "no-tools"
    USER = "user-only"
    LABELLED = "labeled-only"
    ALL = "all"


class NodeKind(Enum):
    """`SETTING` is bookkeeping: model changes, labels, names, data of extensions."""

    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"
    SHELL = "shell"
    COMPACTION = "compaction"
    BRANCH = "branch summary"
    CUSTOM = "message"
    SETTING = "setting"


@dataclass(frozen=True, slots=True)
class TreeNode:
    """An entry of the tree. `text`: what it says, foreign and whole. `label`: the bookmark on it, if any.

    `bare`: an answer without words that ended as it should; its calls speak for it.
    """

    entry: AnyStored
    kind: NodeKind
    text: str
    label: str | None = None
    bare: bool = False


class Trunk(NamedTuple):
    """The lines at the left of a row, shared by all rows below a branch: whether the branch goes on, and the rest."""

    more: bool
    outer: Trunk | None
    depth: int


class Joint(Enum):
    """How a row hangs on its branching: not at all, with others to follow, or as the last."""

    NONE = "none"
    TEE = "tee"
    CORNER = "corner"


@dataclass(frozen=True, slots=True)
class TreeRow:
    """A visible node. `start`: the first of its branch, which can be folded. `hidden`: rows folded away below it.

    `active`: on the way to where the session stands; `here`: the nearest row to that.
    """

    node: TreeNode
    trunk: Trunk | None = None
    joint: Joint = Joint.NONE
    start: bool = False
    hidden: int = 0
    active: bool = False
    here: bool = False


def levels(trunk: Trunk | None, limit: int) -> tuple[bool, ...]:
    """The innermost `limit` levels of a trunk, the outermost first."""
    found: list[bool] = []
    while trunk is not None and len(found) < limit:
        found.append(trunk.more)
        trunk = trunk.outer
    return tuple(reversed(found))


class SessionTree:
    """A session's entries in the order they are shown: each before those that follow from it, the branch that leads to
    `leaf_id` first. A parent that is missing makes a root; entries that are each other's parents are shown too.
    """

    def __init__(self, entries: Sequence[AnyStored], leaf_id: str | None) -> None:
        by_id = {entry.id: number for number, entry in enumerate(entries) if entry.id}
        above = [by_id.get(entry.parent_id or "", -1) for entry in entries]
        above = [parent if parent != number else -1 for number, parent in enumerate(above)]
        active = _way_up(by_id.get(leaf_id or "", -1), above)
        order = _preorder(above, active)
        place = {number: position for position, number in enumerate(order)}
        nodes = _nodes(entries)
        self.nodes = [nodes[number] for number in order]
        self._parents = [_earlier(place.get(above[number], -1), at) for at, number in enumerate(order)]
        self._active = [number in active for number in order]
        self._leaf = place.get(by_id.get(leaf_id or "", -1), -1)
        self._places = {id(node): at for at, node in enumerate(self.nodes)}
        self._folded_texts: list[str] | None = None

    def way_up(self, node: TreeNode) -> Iterator[TreeNode]:
        """`node`, its parent, and so on up to its root."""
        at = self._places[id(node)]
        while at >= 0:
            yield self.nodes[at]
            at = self._parents[at]

    def is_below(self, node: TreeNode, above: TreeNode) -> bool:
        """Whether `above` is on the way up from `node`."""
        return any(one is above for one in self.way_up(node))

    def rows(
        self, mode: TreeFilter = TreeFilter.DEFAULT, query: str = "", folded: Set[str] = frozenset()
    ) -> list[TreeRow]:
        """The rows that pass `mode` and hold every word of `query`, less what hangs below the `folded` ids."""
        shown = self._passing(mode, query.casefold().split())
        near = self._nearest(shown)
        here = near[self._leaf] if self._leaf >= 0 else -1
        children: dict[int, list[int]] = {}
        for at, visible in enumerate(shown):
            if visible:
                children.setdefault(self._above(at, near), []).append(at)
        return self._laid_out(children, folded, here)

    def _passing(self, mode: TreeFilter, words: Sequence[str]) -> list[bool]:
        shown = [_passes(node, mode, at == self._leaf) for at, node in enumerate(self.nodes)]
        if not words:
            return shown
        if self._folded_texts is None:
            self._folded_texts = [
                f"{node.kind.value} {node.label or ''} {node.text}".casefold() for node in self.nodes
            ]
        texts = self._folded_texts
        return [visible and all(word in texts[at] for word in words) for at, visible in enumerate(shown)]

    def _nearest(self, shown: Sequence[bool]) -> list[int]:
        """For each node the visible one nearest to it on its way up, or -1."""
        near: list[int] = []
        for at, visible in enumerate(shown):
            parent = self._parents[at]
            near.append(at if visible else near[parent] if parent >= 0 else -1)
        return near

    def _above(self, at: int, near: Sequence[int]) -> int:
        parent = self._parents[at]
        return near[parent] if parent >= 0 else -1

    def _laid_out(self, children: Mapping[int, Sequence[int]], folded: Set[str], here: int) -> list[TreeRow]:
        rows: list[TreeRow] = []
        waiting = list(reversed(list(_hung(children.get(-1, ()), None))))
        while waiting:
            at, trunk, joint = waiting.pop()
            node = self.nodes[at]
            below = children.get(at, ())
            start = joint is not Joint.NONE or not rows or self._parents[at] < 0
            hidden = _size_below(at, children) if start and node.entry.id in folded else 0
            rows.append(TreeRow(node, trunk, joint, start, hidden, self._active[at], at == here))
            if hidden:
                continue
            inner = trunk if joint is Joint.NONE else _under(trunk, joint is Joint.TEE)
            waiting += reversed(list(_hung(below, inner)))
        return rows


def _under(trunk: Trunk | None, more: bool) -> Trunk:
    return Trunk(more, trunk, trunk.depth + 1 if trunk else 1)


def _hung(below: Sequence[int], trunk: Trunk | None) -> Iterator[tuple[int, Trunk | None, Joint]]:
    """One child goes on in its parent's column; several are branches."""
    for number, at in enumerate(below, 1):
        joint = Joint.NONE if len(below) == 1 else Joint.CORNER if number == len(below) else Joint.TEE
        yield at, trunk, joint


def _size_below(at: int, children: Mapping[int, Sequence[int]]) -> int:
    count, waiting = 0, list(children.get(at, ()))
    while waiting:
        count += 1
        waiting += children.get(waiting.pop(), ())
    return count


def _way_up(start: int, above: Sequence[int]) -> set[int]:
    found: set[int] = set()
    while start >= 0 and start not in found:
        found.add(start)
        start = above[start]
    return found


def _preorder(above: Sequence[int], active: Set[int]) -> list[int]:
    """Every entry once, parents first, the active branch first; then those that only circles lead to."""
    children: dict[int, list[int]] = {}
    for number, parent in enumerate(above):
        children.setdefault(parent, []).append(number)
    for below in children.values():
        below.sort(key=lambda number: number not in active)
    order: list[int] = []
    seen: set[int] = set()
    for first in (*children.get(-1, ()), *range(len(above))):
        waiting = [first]
        while waiting:
            number = waiting.pop()
            if number not in seen:
                seen.add(number)
                order.append(number)
                waiting += reversed(children.get(number, ()))
    return order


def _earlier(parent: int, at: int) -> int:
    """A parent that stands below its child is one of a circle: the circle is cut there."""
    return parent if parent < at else -1


def _passes(node: TreeNode, mode: TreeFilter, is_leaf: bool) -> bool:
    if mode is TreeFilter.ALL:
        return True
    if node.bare and not is_leaf:
        return False
    if mode is TreeFilter.USER:
        return node.kind is NodeKind.USER
    if mode is TreeFilter.LABELLED:
        return node.label is not None
    if mode is TreeFilter.NO_TOOLS and node.kind is NodeKind.TOOL:
        return False
    return node.kind is not NodeKind.SETTING


def _nodes(entries: Sequence[AnyStored]) -> list[TreeNode]:
    labels: dict[str, str | None] = {}
    calls: dict[str, ToolCallBlock] = {}
    for entry in entries:
        if isinstance(entry, StoredLabel):
            labels[entry.target_id] = entry.label or None
        elif isinstance(entry, StoredMessage) and isinstance(entry.message, AssistantMessage):
            calls.update({block.id: block for block in entry.message.content if isinstance(block, ToolCallBlock)})
    return [_node(entry, labels.get(entry.id), calls) for entry in entries]


def _node(entry: AnyStored, label: str | None, calls: Mapping[str, ToolCallBlock]) -> TreeNode:
    match entry:
        case StoredMessage():
            kind, text = _message(entry.message, calls)
            return TreeNode(entry, kind, text, label, _is_bare(entry.message))
        case StoredCompaction():
            return TreeNode(entry, NodeKind.COMPACTION, entry.summary, label)
        case StoredBranchSummary():
            return TreeNode(entry, NodeKind.BRANCH, entry.summary, label)
        case StoredCustomMessage():
            return TreeNode(entry, NodeKind.CUSTOM, f"{entry.custom_type} {_text(entry.content)}", label)
        case StoredLabel():
            words = f"label {entry.label}" if entry.label else "label removed"
        case StoredModelChange():
            words = f"model {entry.provider}/{entry.model_id}"
        case StoredThinkingLevel():
            words = f"thinking {entry.thinking_level}"
        case StoredSessionInfo():
            words = f"name {entry.name}" if entry.name else "name removed"
        case _:
            words = getattr(entry, "custom_type", "") or entry.type
    return TreeNode(entry, NodeKind.SETTING, words, label)


def _message(message: AnyMessage, calls: Mapping[str, ToolCallBlock]) -> tuple[NodeKind, str]:
    match message:
        case UserMessage():
            return NodeKind.USER, _text(message.content)
        case AssistantMessage():
            return NodeKind.ASSISTANT, _text(message.content) or message.error_message or message.stop_reason
        case ToolResultMessage():
            call = calls.get(message.tool_call_id)
            return NodeKind.TOOL, f"{message.tool_name} {_argument(call)}\n{_text(message.content)}"
        case BashExecutionMessage():
            return NodeKind.SHELL, f"$ {message.command}\n{message.output}"
        case _:
            content = getattr(message, "content", ())
            kind = NodeKind.SETTING if message.role == "system" else NodeKind.CUSTOM
            return kind, f"{message.role} {_text(content if isinstance(content, tuple) else ())}"


def _is_bare(message: AnyMessage) -> bool:
    return (
        isinstance(message, AssistantMessage) and not _text(message.content)
        and message.stop_reason in ("", "stop", "toolUse")
    )


def _text(content: Sequence[object]) -> str:
    return "\n".join(block.text for block in content if isinstance(block, TextBlock) and block.text)


def _argument(call: ToolCallBlock | None) -> str:
    """The first text a call was given: mostly a path or a command."""
    values = call.arguments.values() if call is not None else ()
    return next((value for value in values if isinstance(value, str)), "")
