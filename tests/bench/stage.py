"""The program that is measured at component level: a transcript, a status line, and records fed from a file.

Run in a terminal as `python -m tests.bench.stage SCENARIO`, a JSON object; what it measured goes to the file `result`.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from textual.app import App, ComposeResult
from textual.events import Key, Resize
from textual.screen import Screen
from textual.widgets import Static

from pitui.render.lines import View
from pitui.render.palette import default_palette
from pitui.rpc.events import Event, Response
from pitui.rpc.protocol import decode
from pitui.session.reducer import fold
from pitui.session.state import Entry, Session
from pitui.widgets.rows import RowScreen
from pitui.widgets.transcript import Transcript
from tests.bench.corpus import conversation

FRAME = 1 / 30
SLICE = 4_096
"""Bytes folded before others get a turn."""


@dataclass(slots=True)
class Scenario:
    """`records`: a file to stream, at `rate` records a second (0: as fast as possible), below `entries` entries.

    `pages`: page ups to do. `stay`: go on until a `q` is typed. `compare`: compare rows with the terminal's.
    """

    result: str
    records: str = ""
    rate: float = 0.0
    entries: int = 0
    pages: int = 0
    stay: bool = False
    compare: bool = True


@dataclass(slots=True)
class Measured:
    cpu: float = 0.0
    wall: float = 0.0
    opened: float = 0.0
    opened_cpu: float = 0.0
    page: float = 0.0
    rss: float = 0.0


class PlainScreen(Screen[None]):
    pass


class Stage(App[None]):
    CSS = "Static { height: 1; }"

    def __init__(self, scenario: Scenario) -> None:
        super().__init__()
        self.scenario = scenario
        self.measured = Measured()
        self.session = Session()
        self.before: tuple[Entry, ...] = conversation(scenario.entries)
        self.transcript = Transcript(View(width=80, palette=default_palette(True)))
        self.line = Static("", markup=False)
        self.keys = self.columns = self.lines = 0
        self.painted = asyncio.Event()

    def get_default_screen(self) -> Screen[None]:
        return RowScreen[None]() if self.scenario.compare else PlainScreen()

    def compose(self) -> ComposeResult:
        yield self.transcript
        yield self.line

    def post_display_hook(self) -> None:
        self.painted.set()

    def on_ready(self) -> None:
        self.run_worker(self.play(), exit_on_error=True)

    def on_key(self, event: Key) -> None:
        if event.key == "q":
            self.exit()
            return
        self.keys += 1
        self.tell()

    def on_resize(self, event: Resize) -> None:
        self.columns, self.lines = event.size
        self.tell()

    def tell(self) -> None:
        """Put on the status line what a watcher of the terminal waits for."""
        self.line.update(f"<{self.keys} {self.columns}x{self.lines}>")

    def show(self) -> None:
        entries = (*self.before, *self.session.entries) if self.before else self.session.entries
        self.transcript.show(entries, self.session.live, self.session.sent)

    async def next_paint(self) -> None:
        self.painted.clear()
        await self.painted.wait()

    async def play(self) -> None:
        scenario, measured = self.scenario, self.measured
        start, cpu = time.perf_counter(), time.process_time()
        self.show()
        if scenario.entries:
            await self.next_paint()
        measured.opened, measured.opened_cpu = time.perf_counter() - start, time.process_time() - cpu
        measured.rss = resident()
        self.tell()
        await self.turn_pages()
        start, cpu = time.perf_counter(), time.process_time()
        if scenario.records:
            await self.stream(read(scenario.records))
        measured.cpu, measured.wall = time.process_time() - cpu, time.perf_counter() - start
        keep(scenario.result, measured)
        if not scenario.stay:
            self.exit()

    async def turn_pages(self) -> None:
        if not self.scenario.pages:
            return
        cpu, turned = time.process_time(), 0
        while turned < self.scenario.pages and self.transcript.scroll_y > 0:
            self.transcript.move_pages(-1)
            await self.next_paint()
            turned += 1
        self.measured.page = (time.process_time() - cpu) / max(1, turned)
        self.transcript.follow()

    async def stream(self, data: bytes) -> None:
        records = data.split(b"\n")[:-1]
        start = last = time.perf_counter()
        at = 0
        while at < len(records):
            if self.scenario.rate:
                await asyncio.sleep(max(0.0, last + FRAME - time.perf_counter()))
                stop = min(len(records), int((time.perf_counter() - start) * self.scenario.rate))
            else:
                await asyncio.sleep(0)
                stop = at + max(1, SLICE * 16 // max(1, len(records[at])))
            at = self.take(records, at, stop)
            if time.perf_counter() - last >= FRAME or at >= len(records):
                last = time.perf_counter()
                self.show()
        await self.next_paint()

    def take(self, records: list[bytes], at: int, stop: int) -> int:
        self.session = fold(self.session, events(records[at:stop]), time.monotonic())
        return max(at, stop)


def events(records: Iterable[bytes]) -> Iterator[Event]:
    return (event for event in map(decode, records) if not isinstance(event, Response))


def read(path: str) -> bytes:
    return Path(path).read_bytes()


def keep(path: str, measured: Measured) -> None:
    Path(path).write_text(json.dumps(asdict(measured)))


def resident() -> float:
    """Resident memory of this process in MB."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


if __name__ == "__main__":
    Stage(Scenario(**json.loads(sys.argv[1]))).run()
