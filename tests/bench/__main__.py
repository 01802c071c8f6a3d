"""`python -m tests.bench [--runs N] [--json FILE] [--readme] [--parts] [WORD ...]`: measure, and print a table.

A WORD picks the measures whose names hold it. Each is run N times in turn with the others; medians are given. Without
`--parts` the whole program is measured, with pi's own interface beside it where it is installed; with it, what it is
made of. `--readme` puts the table into the README.
"""

from __future__ import annotations

import argparse
import json
import statistics
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from tests.bench import corpus, measures, program, readme, rivals
from tests.bench.measures import Numbers, Workbench, workbench
from tests.bench.program import Program

Measure = Callable[[], Numbers]


def whole(pitui: Program, bench: Workbench) -> dict[str, Measure]:
    """What a person notices."""
    markdown = partial(corpus.markdown, 100_000)
    million = partial(corpus.markdown, 1_000_000)
    stream = partial(program.streaming, pitui)
    beside = partial(program.typing_beside, pitui)
    found: dict[str, Measure] = {
        "calibration": partial(measures.calibration, bench),
        "start": partial(program.starting, pitui),
        "decode and fold": partial(measures.decoding, bench),
        "stream 100 KB": partial(stream, "markdown", markdown),
        "stream 1 MB": partial(stream, "markdown 1 MB", million),
        "stream 20 KB at 500/s": partial(stream, "markdown 20 KB", partial(corpus.markdown, 20_000), 500.0),
        "huge: prose": partial(stream, "prose", partial(corpus.prose, 100_000)),
        "huge: table": partial(stream, "table", partial(corpus.table, 100_000)),
        "huge: nested list": partial(stream, "list", partial(corpus.nested_list, 100_000)),
        "huge: fence 1 MB": partial(stream, "fence", partial(corpus.fence, 1_000_000)),
        "keys, empty": partial(program.typing, pitui),
        "keys, 10,000 entries": partial(program.typing, pitui, program.MESSAGES),
        "keys, 10 entries, 500/s": lambda: beside(pitui.markdown, 500.0, 10),
        "keys, 10,000 entries, 500/s": lambda: beside(pitui.markdown, 500.0, program.MESSAGES),
        "keys, 1 MB at full speed": lambda: beside(pitui.answer("markdown 1 MB", million), 0.0, keys=20),
        "open 10,000 messages": partial(program.opening, pitui, program.MESSAGES),
        "first screen": partial(measures.opening, bench, program.MESSAGES),
        "idle": partial(program.idling, pitui),
    }
    if rivals.script() is not None:
        found["rivals"] = rivals.streaming
        found["rivals at 500/s"] = partial(rivals.streaming, 500.0)
        found["keys, pi's TUI, 500/s"] = partial(rivals.typing, 500.0)
    return found


def parts(bench: Workbench) -> dict[str, Measure]:
    """The transcript alone, on records fed to it."""
    stream = partial(measures.streaming, bench)
    kinds = {
        "prose": corpus.prose, "table": corpus.table, "nested list": corpus.nested_list, "markdown": corpus.markdown,
    }
    return {
        "calibration": partial(measures.calibration, bench),
        "decode and fold": partial(measures.decoding, bench),
        **{f"{name} 100 KB": partial(stream, name, partial(kind, 100_000)) for name, kind in kinds.items()},
        "markdown 100 KB at 500/s": partial(stream, "markdown", partial(corpus.markdown, 100_000), 500.0),
        "the same, rows not compared": partial(stream, "markdown", partial(corpus.markdown, 100_000), 500.0, False),
        "open 100 entries": partial(measures.opening, bench, 100),
        "open 10,000 entries": partial(measures.opening, bench, 10_000),
        "resize, 10,000 entries": partial(measures.resizing, bench, 10_000),
        "keys while streaming, 10,000 entries": partial(measures.typing, bench, 10_000),
        "idle": partial(measures.idling, bench),
        "start": partial(measures.starting, bench),
    }


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench")
    parser.add_argument("words", nargs="*")
    parser.add_argument("--runs", type=int, default=2)
    parser.add_argument("--json", type=Path, default=Path("bench.json"))
    parser.add_argument("--readme", action="store_true")
    parser.add_argument("--parts", action="store_true")
    options = parser.parse_args()
    with workbench() as bench:
        known = parts(bench) if options.parts else whole(Program(bench.folder), bench)
        chosen = [name for name in known if not options.words or any(word in name for word in options.words)]
        runs: dict[str, list[Numbers]] = {name: [] for name in chosen}
        for _ in range(options.runs):
            for name in chosen:
                runs[name].append(known[name]())
                print(f"{name:36}", _said(runs[name][-1]), flush=True)
    medians = {name: _medians(found) for name, found in runs.items()}
    options.json.write_text(json.dumps({"medians": medians, "runs": runs}, indent=1))
    print()
    for name, numbers in medians.items():
        print(f"{name:36}", _said(numbers))
    if not options.parts:
        print(f"\n{readme.machine(medians)}\n\n{readme.table(medians)}")
    if options.readme:
        readme.write(medians)


def _said(numbers: Mapping[str, float]) -> str:
    return "   ".join(f"{what} {value:,.2f}" for what, value in numbers.items())


def _medians(runs: list[Numbers]) -> Numbers:
    return {what: statistics.median(run[what] for run in runs) for what in runs[0]}


if __name__ == "__main__":
    main()
