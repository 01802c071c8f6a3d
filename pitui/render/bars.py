"""The lines around the transcript: status, activity, queue and key hints. Pure text, fitted to a width in cells."""

from __future__ import annotations

from dataclasses import dataclass

from rich.style import Style
from rich.text import Text

from pitui.render import text as texts
from pitui.render.lines import Palette
from pitui.session.queries import routed_to
from pitui.session.state import Context, QueuedPrompt, QueueKind, RunState, Session

SPINNER = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
SPINNER_ASCII = "|/-\\"
GAUGE = "▁▂▃▄▅▆▇█"

Span = tuple[str, Style]


@dataclass(frozen=True, slots=True)
class Place:
    """Where the agent works: a folder as a person writes it, and the git branch, if any."""

    folder: str = ""
    branch: str = ""


@dataclass(frozen=True, slots=True)
class _Part:
    """A piece of a bar. The one with the highest `rank` is the first to go when there is no room."""

    spans: list[Span]
    rank: int
    right: bool = False

    @property
    def cells(self) -> int:
        return sum(texts.width_of(text) for text, _ in self.spans)


def one_line(text: str) -> str:
    """Foreign text as one harmless line: every run of blanks and breaks is one blank."""
    return " ".join(texts.sanitize(text).split())


def elapsed_text(seconds: float) -> str:
    """Whole seconds, so that it changes once a second: `4 s`, `1m 15s`."""
    whole = max(0, int(seconds))
    return f"{whole} s" if whole < 60 else texts.seconds(whole)


def spinner(frame: int, palette: Palette) -> str:
    frames = SPINNER_ASCII if palette.ascii_only else SPINNER
    return frames[frame % len(frames)]


def status_line(session: Session, place: Place, now: float, frame: int, width: int, palette: Palette) -> Text:
    """The status bar: parts are dropped by priority and it never wraps."""
    muted, sep = palette.muted, "  "
    parts = [_Part(_run(session, now, frame, palette), 0, right=True)]
    if session.model is not None and session.model.id:
        name = "no model" if session.model.is_placeholder else session.model.name or session.model.id
        spans = [(texts.clip(one_line(name), 32), palette.text)]
        if other := routed_to(session):
            spans.append((f" {'->' if palette.ascii_only else '→'} {texts.clip(one_line(other), 32)}", palette.muted))
        parts.append(_Part(spans, 1, right=True))
    if context := context_text(session.stats.context, palette):
        parts.append(_Part(context, 2, right=True))
    if place.folder:
        parts.append(_Part([(texts.clip_left(one_line(place.folder), 40), palette.text)], 3))
    if place.branch:
        parts.append(_Part([(texts.clip(one_line(place.branch), 24), muted)], 6))
    if session.identity.name:
        parts.append(_Part([(texts.clip(one_line(session.identity.name), 32), palette.accent)], 4))
    stats = session.stats
    if stats.input or stats.output:
        parts.append(_Part([(f"↑{texts.tokens(stats.input)} ↓{texts.tokens(stats.output)}", muted)], 7, right=True))
    if stats.cost:
        parts.append(_Part([(texts.money(stats.cost), muted)], 5, right=True))
    return _fit(parts, width, sep, muted)


def _fit(parts: list[_Part], width: int, sep: str, style: Style) -> Text:
    kept = [part for part in parts if part.cells]
    room = width - 2

    def needed() -> int:
        return sum(part.cells for part in kept) + len(sep) * max(0, len(kept) - 1)

    while len(kept) > 1 and needed() > room:
        kept.remove(max(kept, key=lambda part: part.rank))
    order = {1: 3, 2: 2, 5: 1, 7: 0, 0: 4}
    left = [part for part in kept if not part.right]
    right = sorted((part for part in kept if part.right), key=lambda part: order[part.rank])
    line = Text(" ", no_wrap=True, overflow="crop", end="")
    for index, part in enumerate(left):
        line.append(sep if index else "", style)
        _extend(line, part.spans)
    gap = width - 2 - sum(part.cells for part in kept) - len(sep) * (max(0, len(left) - 1) + max(0, len(right) - 1))
    line.append(" " * max(0, gap))
    for index, part in enumerate(right):
        line.append(sep if index else "", style)
        _extend(line, part.spans)
    line.truncate(width, overflow="crop")
    return line


def _extend(line: Text, spans: list[Span]) -> None:
    for text, style in spans:
        line.append(text, style)


def context_text(context: Context, palette: Palette) -> list[Span]:
    """How full the window is; unknown is a question mark, never a zero."""
    if not context.window:
        return []
    window = texts.tokens(context.window)
    if context.percent is None:
        known = f"~{texts.tokens(context.tokens)}" if context.tokens is not None else "?"
        return [(f"{known} of {window}", palette.muted)]
    percent = max(0.0, context.percent)
    style = palette.error if percent >= 90 else palette.warning if percent >= 70 else palette.muted
    gauge = "" if palette.ascii_only else GAUGE[min(7, int(percent / 12.5))] + " "
    return [(f"{gauge}{'~' if context.estimated else ''}{percent:.0f}% of {window}", style)]


def _run(session: Session, now: float, frame: int, palette: Palette) -> list[Span]:
    run = session.run
    turning = spinner(frame, palette)
    elapsed = elapsed_text(now - run.since)
    match run.state:
        case RunState.IDLE:
            return [("● ready" if not palette.ascii_only else "ready", palette.success)]
        case RunState.STARTING:
            return [(f"{turning} starting", palette.muted)]
        case RunState.STREAMING:
            return [(f"{turning} working {elapsed}", palette.accent)]
        case RunState.TOOL:
            return [(f"{turning} {texts.clip(one_line(run.detail), 16) or 'tool'} {elapsed}", palette.accent)]
        case RunState.COMPACTING:
            return [(f"{turning} compacting {elapsed}", palette.accent)]
        case RunState.RETRYING:
            return [(f"{turning} retrying", palette.warning)]
        case RunState.ABORTING:
            return [(f"{turning} stopping", palette.warning)]
        case RunState.EXITED:
            return [("agent gone", palette.error)]


def activity_line(session: Session, now: float, frame: int, width: int, palette: Palette) -> Text | None:
    """What is going on besides an answer, with the key that ends it; None when there is nothing to say."""
    run, turning = session.run, spinner(frame, palette)
    if run.state in (RunState.RETRYING, RunState.COMPACTING) and run.retry is not None:
        retry = run.retry
        left = max(0.0, retry.due - now)
        what = f"attempt {retry.attempt} of {retry.max_attempts} in {left:.0f} s"
        spans = [(f"⟳ {what}", palette.warning), (f" · {one_line(retry.reason)}", palette.muted)]
        return _keyed(spans, " · esc gives up", width, palette)
    if run.state is RunState.COMPACTING:
        tokens = session.stats.context.tokens
        size = f" {texts.tokens(tokens)} tokens" if tokens else ""
        why = {"threshold": "the window is nearly full", "overflow": "the window overflowed"}.get(run.detail, "")
        spans = [(f"{turning} compacting{size}", palette.accent), (f" · {why}" if why else "", palette.muted)]
        return _keyed(spans, " · esc cancels", width, palette)
    if run.state is RunState.ABORTING:
        spans = [(f"{turning} stopping", palette.warning)]
        return _keyed(spans, " · esc ends the agent if it does not", width, palette)
    return None


def _keyed(spans: list[Span], keys: str, width: int, palette: Palette) -> Text:
    """The spans, clipped so that the key hint stays."""
    line = Text(" ", no_wrap=True, overflow="crop", end="")
    room = max(0, width - 2 - texts.width_of(keys))
    for text, style in spans:
        piece = texts.clip(text, room)
        line.append(piece, style)
        room -= texts.width_of(piece)
    line.append(keys, palette.muted)
    line.truncate(width, overflow="crop")
    return line


QUEUE_LABELS = {
    QueueKind.STEER: "after this step",
    QueueKind.FOLLOW_UP: "when done",
    QueueKind.HELD: "once it can be sent",
}


def goes(item: QueuedPrompt) -> str:
    """When a waiting prompt goes, in a few words."""
    if item.kind is QueueKind.HELD and item.then is QueueKind.FOLLOW_UP:
        return "later, when done"
    return QUEUE_LABELS[item.kind]


def queue_line(
    item: QueuedPrompt, width: int, palette: Palette, selected: bool = False, moving: bool = False
) -> Text:
    """One waiting prompt: when it goes, and what it says. `moving`: it is on its way back into the agent's queue."""
    ground = palette.selection if selected else Style()
    mark = "> " if palette.ascii_only else "⤷ "
    line = Text(" ", no_wrap=True, overflow="crop", end="", style=ground)
    line.append(mark, palette.accent)
    line.append(f"{'sending' if moving else goes(item):<20}", palette.muted)
    images = f" +{len(item.images)} image{'s' if len(item.images) > 1 else ''}" if item.images else ""
    line.append(texts.clip(one_line(item.text), max(1, width - 26 - len(images))), palette.text)
    line.append(images, palette.muted)
    line.truncate(width, overflow="crop")
    return line


def rule_line(
    left: str, right: str, width: int, edge: Style, palette: Palette, words: Style | None = None
) -> Text:
    """A rule with a text near each end; `edge` colours the rule and the right text, `words` the left one."""
    dash = "-" if palette.ascii_only else "─"
    right_cells = texts.width_of(right) + 2 if right else 0
    if right_cells > width // 2:
        right, right_cells = "", 0
    left = texts.clip(left, max(0, width - right_cells - 6))
    line = Text(no_wrap=True, overflow="crop", end="")
    line.append(dash * 2, edge)
    line.append(f" {left} " if left else "", words or palette.muted)
    line.append(dash * max(0, width - line.cell_len - right_cells - 2), edge)
    line.append(f" {right} " if right else "", edge)
    line.append(dash * 2, edge)
    line.truncate(width, overflow="crop")
    return line


def hints(session: Session, drafting: bool, dialog: bool = False, scrolled: bool = False) -> str:
    """What Enter, Alt+Enter and Escape do at this moment, and nothing else."""
    if dialog:
        return "your draft"
    state = session.run.state
    if state is RunState.EXITED:
        return "f5 starts the agent again · your draft is kept"
    if state.busy:
        words = ["enter steers", "alt+enter queues"] if drafting else []
        if state is RunState.COMPACTING:
            words = ["enter sends it afterwards"] if drafting else []
        stops = "esc takes the queue back and stops" if session.queue else "esc stops"
        return " · ".join([*words, stops])
    if state is RunState.STARTING:
        return "enter sends it once the agent is up" if drafting else "the agent is starting"
    if any(getattr(entry, "running", False) for entry in session.entries[-8:]):
        return "esc stops the command"
    if drafting:
        return "enter sends · ctrl+j new line"
    return "/ commands · @ files · ! shell · f1 help"
