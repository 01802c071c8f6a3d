"""The table of the README, from what was measured in one run."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.bench.program import Numbers

README = Path(__file__).resolve().parents[2] / "README.md"
PART = re.compile("(<!-- bench -->\n).*?(<!-- end bench -->)", re.DOTALL)
Medians = Mapping[str, Numbers]


@dataclass(frozen=True, slots=True)
class Row:
    """One line: `measure` and `number` say what was measured, over `base` of another measure if that is given.
    `limit` is the most it may be, in the same unit, or None where there is none.
    """

    title: str
    measure: str
    number: str
    limit: float | None
    unit: str = ""
    base: str = ""

    def value(self, found: Medians) -> float | None:
        """None when it was not measured."""
        if self.measure not in found or (self.base and self.base not in found):
            return None
        value = found[self.measure][self.number]
        return value / max(1e-9, found[self.base][self.number]) if self.base else value


_KEYS = (
    ("an empty transcript", "keys, empty"), ("10,000 entries", "keys, 10,000 entries"),
    ("500 deltas/s, 10 entries", "keys, 10 entries, 500/s"),
    ("500 deltas/s, 10,000 entries", "keys, 10,000 entries, 500/s"),
)
ROWS = (
    Row("pi's own TUI without its agent's share = 1: 100 KB at full speed", "rivals",
        "pitui / pi's TUI net of its agent", 1.0, "×"),
    Row("pi's own TUI = 1: pitui and its agent together, 100 KB at full speed", "rivals", "pitui and agent / pi's TUI",
        None, "×"),
    Row("pi's own TUI = 1: pitui and its agent together, 100 KB at 500 deltas/s", "rivals at 500/s",
        "pitui and agent / pi's TUI", 0.45, "×"),
    Row("processor time of 100 KB of markdown at full speed", "stream 100 KB", "cpu s", 0.5, " s"),
    Row("1 MB against 100 KB", "stream 1 MB", "cpu s", 12.0, "×", "stream 100 KB"),
    Row("share of a core, 20 KB at 500 deltas/s", "stream 20 KB at 500/s", "core %", 25.0, " %"),
    Row("one 100 KB table against as much prose", "huge: table", "cpu s", 10.0, "×", "huge: prose"),
    Row("one 100 KB nested list against as much prose", "huge: nested list", "cpu s", 10.0, "×", "huge: prose"),
    Row("one 1 MB fence against 100 KB of prose", "huge: fence 1 MB", "cpu s", 100.0, "×", "huge: prose"),
    *(Row(f"key to its echo, {title}, {number}", measure, f"{number} ms", limit, " ms")
      for title, measure in _KEYS for number, limit in (("p50", 10.0), ("p99", 33.0))),
    Row("the same in pi's own TUI, 500 deltas/s, p50", "keys, pi's TUI, 500/s", "p50 ms", None, " ms"),
    Row("the same in pi's own TUI, 500 deltas/s, p99", "keys, pi's TUI, 500/s", "p99 ms", None, " ms"),
    Row("key to its echo, 1 MB at full speed, p99", "keys, 1 MB at full speed", "p99 ms", 100.0, " ms"),
    Row("10,000 messages on the screen, from spawn", "open 10,000 messages", "on the screen ms", 1000.0, " ms"),
    Row("their first screen, once in memory, processor time", "first screen", "its cpu ms", 100.0, " ms"),
    Row("memory then", "open 10,000 messages", "rss MB", 150.0, " MB"),
    Row("a page up, processor time", "open 10,000 messages", "page cpu ms", 10.0, " ms"),
    Row("another width, to the right screen", "open 10,000 messages", "resize ms", 100.0, " ms"),
    Row("decode and fold against `json.loads`", "decode and fold", "x json.loads", 2.0, "×"),
    Row("start to first paint, against a bare Textual app with the same imports", "start", "x bare with its imports",
        1.5, "×"),
    Row("the same, against a bare Textual app", "start", "x bare", None, "×"),
    Row("wake-ups a second while nothing moves", "idle", "wakeups/s", 0.0, ""),
)


def table(found: Medians) -> str:
    """What was measured, with its limits, as Markdown."""
    lines = ["| What | Measured | Limit | Measured / limit |", "| :--- | ---: | ---: | ---: |"]
    for row in ROWS:
        value = row.value(found)
        if value is not None:
            limit = "" if row.limit is None else f"{row.limit:g}{row.unit}"
            share = f"{value / row.limit:.2f}" if row.limit else ""
            lines.append(f"| {row.title} | {_number(value)}{row.unit} | {limit} | {share} |")
    return "\n".join(lines)


def _number(value: float) -> str:
    return f"{value:.0f}" if value >= 20 else f"{value:.1f}" if value >= 2 else f"{value:.2f}"


def machine(found: Medians) -> str:
    """Where it was measured."""
    speed = found["calibration"]["cpu s"] if "calibration" in found else 0.0
    return (
        f"{os.cpu_count()} cores of a {_processor()}, {platform.system()}, Python {platform.python_version()}, a "
        f"terminal of 120x40; counting the digits of a million numbers took {speed:.2f} s, other work going on beside. "
        "Medians of runs in turn."
    )


def _processor() -> str:
    try:
        names = re.findall(r"^model name\s*:\s*(.+)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    except OSError:
        names = []
    return str(names[0]) if names else platform.processor() or platform.machine()


def write(found: Medians) -> None:
    """Put the table into the README, between its marks."""
    text = README.read_text("utf-8")
    fresh = f"{machine(found)}\n\n{table(found)}\n"
    README.write_text(PART.sub(lambda part: part[1] + fresh + part[2], text), "utf-8")
