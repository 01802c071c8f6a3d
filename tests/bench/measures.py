"""What is measured, one function each; a measure gives numbers by name."""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path

from pitui.app import collect_rarely
from pitui.session.effects import advance
from pitui.session.state import Session
from tests.bench import corpus
from tests.bench.stage import Scenario, events
from tests.bench.terminal import COLUMNS, ROWS, Terminal

ROOT = Path(__file__).resolve().parents[2]
Numbers = dict[str, float]

BATCH = 200
"""Records that one read gives while they stream at full speed: about 64 KB."""


class Workbench:
    """A folder for streams and results; streams are written once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def stream(self, name: str, text: Callable[[], str]) -> str:
        path = self.folder / f"{name}.jsonl"
        if not path.exists():
            path.write_bytes(b"".join(corpus.streamed(text())))
        return str(path)

    @contextmanager
    def stage(self, **options: object) -> Iterator[Terminal]:
        scenario = Scenario(str(self.folder / "result.json"), **options)  # type: ignore[arg-type]  # checked when run
        command = [sys.executable, "-m", "tests.bench.stage", json.dumps(asdict(scenario))]
        with Terminal(command, folder=ROOT) as terminal:
            yield terminal

    def run(self, **options: object) -> Numbers:
        """Run a scenario to its end: what it measured itself, and what it used as seen from outside."""
        with self.stage(**options) as terminal:
            used = terminal.finish()
        measured: Numbers = json.loads((self.folder / "result.json").read_text())
        return {**measured, "written": float(used.written), "rss_peak": used.rss}


def streaming(bench: Workbench, name: str, text: Callable[[], str], rate: float = 0.0, compare: bool = True) -> Numbers:
    """CPU seconds for one streamed answer, its share of a core, and bytes written."""
    found = bench.run(records=bench.stream(name, text), rate=rate, compare=compare)
    return {"cpu s": found["cpu"], "core %": 100 * found["cpu"] / found["wall"], "KB written": found["written"] / 1e3}


def opening(bench: Workbench, entries: int) -> Numbers:
    """From entries in memory to the first painted screen, memory then, and a page up."""
    found = bench.run(entries=entries, pages=40)
    return {
        "first screen ms": 1e3 * found["opened"], "its cpu ms": 1e3 * found["opened_cpu"], "rss MB": found["rss"],
        "page cpu ms": 1e3 * found["page"],
    }


def typing(bench: Workbench, entries: int) -> Numbers:
    """From a key written to the terminal to its echo on the screen, while 500 deltas a second stream in."""
    records = bench.stream("markdown 100 KB", lambda: corpus.markdown(100_000))
    with bench.stage(records=records, rate=500.0, entries=entries, stay=True) as terminal:
        terminal.wait_for(rb"<0 \d+x\d+>")
        terminal.run_for(0.5)
        found = terminal.echoes("x", rb"<%d \d+x\d+>")
        terminal.type("q")
        terminal.finish()
    return found


def resizing(bench: Workbench, entries: int) -> Numbers:
    """From another window size to a screen of that size."""
    times = []
    with bench.stage(entries=entries, stay=True) as terminal:
        terminal.wait_for(rb"<0 \d+x\d+>")
        terminal.run_for(2.0)
        for columns in (100, COLUMNS, 80, COLUMNS, 61):
            terminal.resize(columns, ROWS)
            times.append(terminal.wait_for(rb" %dx%d>" % (columns, ROWS)))
            terminal.run_for(0.5)
        terminal.type("q")
        terminal.finish()
    return {"right screen ms": 1e3 * statistics.median(times)}


def idling(bench: Workbench, seconds: float = 5.0) -> Numbers:
    """Wake-ups, processor time and bytes while nothing happens."""
    with bench.stage(entries=1_000, stay=True) as terminal:
        terminal.wait_for(rb"<0 \d+x\d+>")
        terminal.run_for(3.0)
        before = terminal.wakeups(), terminal.cpu(), terminal.written
        terminal.run_for(seconds)
        after = terminal.wakeups(), terminal.cpu(), terminal.written
        terminal.type("q")
        terminal.finish()
    wakeups, cpu, written = (late - early for late, early in zip(after, before, strict=True))
    return {"wakeups/s": wakeups / seconds, "cpu %": 100 * cpu / seconds, "bytes": float(written)}


def decoding(bench: Workbench, size: int = 1_200_000) -> Numbers:
    """Decoding and folding some 100,000 records, a batch for what one read gives, against `json.loads` of the same;
    both with garbage collected as the program does.
    """
    collect_rarely()
    path = bench.stream("updates", lambda: corpus.markdown(size))
    records = Path(path).read_bytes().split(b"\n")[:-1]
    batches = [records[at : at + BATCH] for at in range(0, len(records), BATCH)]
    advance(Session(), events(batches[0]), 0.0)
    start = time.process_time()
    for record in records:
        json.loads(record)
    loads = time.process_time() - start
    start, session = time.process_time(), Session()
    for batch in batches:
        session, _ = advance(session, events(batch), 0.0)
    ours = time.process_time() - start
    return {"us a record": 1e6 * ours / len(records), "x json.loads": ours / loads}


def starting(bench: Workbench) -> Numbers:
    """From spawn to the first paint: of the stage, and of a Textual app with nothing in it."""
    bare = (
        "from textual.app import App\nfrom textual.widgets import Static\n"
        "class Bare(App):\n"
        "    def compose(self):\n        yield Static('<0 bare>', markup=False)\n"
        "    def on_key(self):\n        self.exit()\n"
        "Bare().run()"
    )
    with Terminal([sys.executable, "-c", bare], folder=ROOT) as terminal:
        plain = terminal.wait_for(b"<0 bare>")
        terminal.type("q")
        terminal.finish()
    with bench.stage(stay=True) as terminal:
        ours = terminal.wait_for(rb"<0 \d+x\d+>")
        terminal.type("q")
        terminal.finish()
    return {"first paint ms": 1e3 * ours, "bare ms": 1e3 * plain, "ratio": ours / plain}


def calibration(bench: Workbench) -> Numbers:
    """How fast this machine is right now: a fixed piece of work."""
    start = time.process_time()
    total = sum(len(str(number)) for number in range(1_000_000))
    return {"cpu s": time.process_time() - start, "checked": float(total == 5_888_890)}


@contextmanager
def workbench() -> Iterator[Workbench]:
    with tempfile.TemporaryDirectory() as folder:
        yield Workbench(Path(folder))
