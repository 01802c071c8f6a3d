"""`python -m tests.bench [--runs N] [--json FILE] [WORD ...]`: measure, print a table, write the numbers.

A WORD picks the measures whose names hold it. Each is run N times in turn with the others; medians are given.
"""

from __future__ import annotations

import argparse
import json
import statistics
from collections.abc import Callable
from functools import partial
from pathlib import Path

from tests.bench import corpus, measures
from tests.bench.measures import Numbers, Workbench, workbench

MEASURES: dict[str, Callable[[Workbench], Numbers]] = {
    "calibration": measures.calibration,
    "start": measures.starting,
    "decode and fold": measures.decoding,
    "stream 100 KB": partial(
        measures.streaming, name="markdown 100 KB", text=partial(corpus.markdown, 100_000)
    ),
    "stream 1 MB": partial(
        measures.streaming, name="markdown 1 MB", text=partial(corpus.markdown, 1_000_000)
    ),
    "stream 100 KB at 500/s": partial(
        measures.streaming, name="markdown 100 KB", text=partial(corpus.markdown, 100_000), rate=500.0
    ),
    "stream 100 KB at 500/s, rows not compared": partial(
        measures.streaming, name="markdown 100 KB", text=partial(corpus.markdown, 100_000), rate=500.0, compare=False
    ),
    "huge: prose 100 KB": partial(measures.streaming, name="prose", text=partial(corpus.prose, 100_000)),
    "huge: table 100 KB": partial(measures.streaming, name="table", text=partial(corpus.table, 100_000)),
    "huge: nested list 100 KB": partial(measures.streaming, name="list", text=partial(corpus.nested_list, 100_000)),
    "huge: fence 1 MB": partial(measures.streaming, name="fence", text=partial(corpus.fence, 1_000_000)),
    "open 100 entries": partial(measures.opening, entries=100),
    "open 10,000 entries": partial(measures.opening, entries=10_000),
    "resize, 10,000 entries": partial(measures.resizing, entries=10_000),
    "keys while streaming, 10 entries": partial(measures.typing, entries=10),
    "keys while streaming, 10,000 entries": partial(measures.typing, entries=10_000),
    "idle": measures.idling,
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench")
    parser.add_argument("words", nargs="*")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--json", type=Path, default=None)
    options = parser.parse_args()
    chosen = [name for name in MEASURES if not options.words or any(word in name for word in options.words)]
    found: dict[str, list[Numbers]] = {name: [] for name in chosen}
    with workbench() as bench:
        for _ in range(options.runs):
            for name in chosen:
                found[name].append(MEASURES[name](bench))
    medians = {name: _medians(runs) for name, runs in found.items()}
    for name, numbers in medians.items():
        print(f"{name:45}", "   ".join(f"{what} {value:,.2f}" for what, value in numbers.items()), flush=True)
    if options.json is not None:
        options.json.write_text(json.dumps({"medians": medians, "runs": found}, indent=1))


def _medians(runs: list[Numbers]) -> Numbers:
    return {what: statistics.median(run[what] for run in runs) for what in runs[0]}


if __name__ == "__main__":
    main()
