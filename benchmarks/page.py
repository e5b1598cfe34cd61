"""docs/performance.md: what was measured, kept beside it, and the parts of the page that are made of that.

    python benchmarks/page.py

writes the page's tables and plots anew from what the last run of each workload with `--write` has left in
docs/performance/*.json. A run with `--write` does so for its own part, for the summary, and for the
table of what is aimed at.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timezone
from pathlib import Path

from bars import BARS, reached, summary
from measure import Cell, on_cores, versions
from report import plot, table, tables

PAGE = Path(__file__).resolve().parents[1] / "docs" / "performance.md"
SUMMARY, AIMS = "summary", "aims"
"""The page's parts that bars.py makes."""


@dataclass
class Run:
    """The last run of a workload on a kind of processor that was kept."""

    processor: str
    """The kind: its maker's name for it, and its widest vectors; nothing for counts, which are of no processor."""
    made: str
    """What it was made on, and when."""
    cells: list[Cell]

    @classmethod
    def of(cls, cells: list[Cell], processor: str, machine: str, bandwidth: str) -> Run:
        """A run that has just ended."""
        peaks = {(c.cores, c.dtype): c.peak for c in cells if c.peak is not None}
        listed = ", ".join(f"{dtype} {peak:.0f} on {on_cores(cores)}" for (cores, dtype), peak in sorted(peaks.items()))
        day = datetime.now(timezone.utc).strftime("%Y-%m-%d")
        fma = f"FMA peak, GFLOP/s: {listed}. " if listed else ""
        return cls(processor, f"{machine}; {versions()}; {day}.\n{fma}{bandwidth}\n", cells)


def with_part(page: str, name: str, text: str) -> str:
    """A page with the text between its two comments of that name replaced."""
    begin, end = f"<!-- {name}: written by a run with --write -->\n", f"<!-- end of {name} -->"
    pattern = re.compile(re.escape(begin) + ".*?" + re.escape(end), re.DOTALL)
    if len(pattern.findall(page)) != 1:
        raise SystemExit(f"the page has no part {begin.strip()!r} that ends by {end!r}")
    return pattern.sub(lambda _: f"{begin}\n{text}\n{end}", page)


def text_of(name: str, runs: Iterable[Run]) -> str:
    """A workload's part of the page: what it was made on, and its tables, with columns for each kind of processor."""
    listed = list(runs)
    of_titles: dict[str, dict[str, Sequence[Cell]]] = {}
    for run in listed:
        for title, some in tables(run.cells).items():
            of_titles.setdefault(title, {})[run.processor] = some
    made = [f"*{run.processor}*: {run.made}" if len(listed) > 1 else run.made for run in listed]
    plotted = f"![{name}]({PAGE.stem}/{name}.png)\n"
    parts = [f"### {title[0].upper()}{title[1:]}\n\n{table(some)}" for title, some in of_titles.items()]
    return "\n".join([*made, plotted, *parts])


def kept() -> dict[str, dict[str, Run]]:
    """What the last runs of each workload have left, by the kind of processor."""
    found = {}
    for file in sorted(PAGE.with_suffix("").glob("*.json")):
        try:
            content = json.loads(file.read_text(encoding="utf-8"))
            runs = [Run(run["processor"], run["made"], [Cell(**cell) for cell in run["cells"]]) for run in content]
            found[file.stem] = {run.processor: run for run in runs}
        except (ValueError, KeyError, TypeError):
            raise SystemExit(f"{file} holds no run of this version: remove it, and run the workload again") from None
    return found


def keep(name: str, run: Run) -> None:
    """Keep a run, and write its part of the page, the summary and the table of what is aimed at."""
    runs = {**kept().get(name, {}), run.processor: run}
    file = PAGE.with_suffix("") / f"{name}.json"
    file.parent.mkdir(exist_ok=True)
    file.write_text(f"[\n{','.join(map(_json_of, runs.values()))}]\n", encoding="utf-8")
    write([name])


def _json_of(run: Run) -> str:
    """A run, with a line for each cell, so that changes can be read."""
    lines = ",\n".join(json.dumps(asdict(cell), ensure_ascii=False) for cell in run.cells)
    processor, made = (json.dumps(text, ensure_ascii=False) for text in (run.processor, run.made))
    return f'{{"processor": {processor},\n"made": {made},\n"cells": [\n{lines}\n]}}\n'


def by_processor(runs: Mapping[str, Mapping[str, Run]]) -> dict[str, dict[str, Sequence[Cell]]]:
    """The cells of workloads by the kind of processor, those with most cells first."""
    found: dict[str, dict[str, Sequence[Cell]]] = {}
    for name, of_workload in runs.items():
        for run in of_workload.values():
            found.setdefault(run.processor, {})[name] = run.cells
    found.pop("", None)
    return dict(sorted(found.items(), key=lambda pair: (-len(pair[1]), pair[0])))


def write(names: Sequence[str] | None = None) -> None:
    """Write parts of the page, or all, the summary and the table of aims, from the runs that were kept."""
    runs = kept()
    page = PAGE.read_text(encoding="utf-8")
    for name in runs if names is None else names:
        first, *_ = runs[name].values()
        plot(first.cells, PAGE.with_suffix("") / f"{name}.png")
        page = with_part(page, name, text_of(name, runs[name].values()))
    cells = by_processor(runs)
    page = with_part(page, SUMMARY, summary(cells))
    page = with_part(page, AIMS, reached(BARS, cells))
    PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    write()
