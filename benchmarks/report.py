"""Tables and plots of what was measured, and their place in docs/performance.md."""

from __future__ import annotations

import argparse
import importlib.util
import math
import re
import statistics
import sys
from collections.abc import Iterable, Sequence
from datetime import datetime, timezone
from pathlib import Path

from measure import Cell, core_counts, in_process, machine_name, versions

PAGE = Path(__file__).resolve().parents[1] / "docs" / "performance.md"
SHORT = {"float32": "f32", "float64": "f64"}


def peers_of(cells: Sequence[Cell]) -> list[str]:
    """All who took part in any cell, as they come."""
    return [name for name in dict.fromkeys(name for cell in cells for name in cell.seconds) if name != "pytl"]


def mean_ratio(cells: Sequence[Cell], peer: str) -> float | None:
    """The geometric mean of the ratios to a peer, of the cells in which it took part."""
    found = [ratio for cell in cells if (ratio := cell.ratio(peer)) is not None]
    return statistics.geometric_mean(found) if found else None


def _number(value: float | None, form: str = ".2f") -> str:
    return "–" if value is None else format(value, form)


def table(cells: Sequence[Cell]) -> str:
    """A table in Markdown: pytl's rate, its share of the peak, and how many times as fast as each peer it is.

    Who is missing stands below it, with what installs it.
    """
    peers = peers_of(cells)
    head = ["", "type", "pytl, GFLOP/s", "of the FMA peak", *(f"beside {peer}" for peer in peers)]
    rows = [
        [cell.row, SHORT[cell.dtype], f"{cell.rate:.1f}", f"{cell.share:.0%}", *(_number(cell.ratio(p)) for p in peers)]
        for cell in cells
    ]
    if len(cells) > 1:
        for dtype in dict.fromkeys(cell.dtype for cell in cells):
            some = [cell for cell in cells if cell.dtype == dtype]
            means = [_number(mean_ratio(some, peer)) for peer in peers]
            rows.append(["geometric mean", SHORT[dtype], "", "", *means])
    lines = [head, ["---"] * 2 + ["---:"] * (len(head) - 2), *rows]
    text = "".join(f"| {' | '.join(line)} |\n" for line in lines)
    absent = dict.fromkeys(reason for cell in cells for reason in cell.absent)
    return text + "".join(f"\n{reason}.\n" for reason in absent)


def tables(cells: Sequence[Cell]) -> dict[str, list[Cell]]:
    """The cells of each table, the tables as they come."""
    found: dict[str, list[Cell]] = {}
    for cell in cells:
        found.setdefault(cell.table, []).append(cell)
    return found


def plot(cells: Sequence[Cell], file: Path) -> None:
    """Bars of the ratios, on a logarithmic scale around one: above it pytl is faster."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    found = tables(cells)
    colours = {peer: f"C{number}" for number, peer in enumerate(peers_of(cells))}
    figure, all_axes = plt.subplots(len(found), 1, figsize=(12, 3.2 * len(found)), squeeze=False, layout="constrained")
    for axes, (name, some) in zip(all_axes[:, 0], found.items()):
        peers = peers_of(some)
        width = 0.8 / len(peers)
        for number, peer in enumerate(peers):
            places = [place + (number - (len(peers) - 1) / 2) * width for place in range(len(some))]
            heights = [math.log2(cell.ratio(peer) or 1) for cell in some]
            axes.bar(places, heights, width, label=peer, color=colours[peer])
        axes.axhline(0, color="black", linewidth=0.8)
        low, high = (math.floor(axes.get_ylim()[0]), math.ceil(axes.get_ylim()[1]))
        axes.set_yticks(range(low, high + 1), [f"{2.0**power:g}" for power in range(low, high + 1)])
        names = [f"{cell.row}\n{SHORT[cell.dtype]}" for cell in some]
        axes.set_xticks(range(len(some)), names, rotation=90 if len(some) > 10 else 0, fontsize=8)
        axes.set_title(name, fontsize=10)
        axes.set_ylabel("times as fast as")
        axes.legend(fontsize=7, ncols=len(peers))
    file.parent.mkdir(exist_ok=True)
    figure.savefig(file, dpi=70)
    plt.close(figure)


def with_part(page: str, name: str, text: str) -> str:
    """A page with the text between its two comments of that name replaced."""
    begin, end = f"<!-- {name}: written by a run with --write -->\n", f"<!-- end of {name} -->"
    pattern = re.compile(re.escape(begin) + ".*?" + re.escape(end), re.DOTALL)
    if len(pattern.findall(page)) != 1:
        raise SystemExit(f"the page has no part {begin.strip()!r} that ends by {end!r}")
    return pattern.sub(lambda _: f"{begin}\n{text}\n{end}", page)


def machine_lines(cells: Sequence[Cell], bandwidth: str, machine: str) -> str:
    """What the run was made on."""
    peaks = {(c.cores, c.dtype): c.peak for c in cells}
    listed = ", ".join(
        f"{SHORT[dtype]} {peak:.0f} on {cores} {'core' if cores == 1 else 'cores'}"
        for (cores, dtype), peak in sorted(peaks.items())
    )
    day = datetime.now(timezone.utc).strftime("%Y-%m-%d")
    return f"{machine}; {versions()}; {day}.\nFMA peak, GFLOP/s: {listed}. {bandwidth}\n"


def arguments(description: str | None, kinds: Iterable[str] = ()) -> argparse.Namespace:
    """The options that all workloads have; `--cores` is a process's own."""
    parser = argparse.ArgumentParser(description=(description or "").partition("\n")[0])
    if kinds:
        parser.add_argument("--only", choices=list(kinds), help="the one kind to measure, all if left out")
    parser.add_argument("--budget", type=float, default=1.0, help="seconds for a cell of the tables")
    parser.add_argument("--write", action="store_true", help="put tables and plots into docs/performance.md")
    parser.add_argument("--cores", type=int, help=argparse.SUPPRESS)
    return parser.parse_args()


def main(name: str, script: str, options: argparse.Namespace, *more: str) -> None:
    """Measure a workload on one core and on two, and print its tables; with `--write`, write them, too."""
    if importlib.util.find_spec("numba_dpex") is None:
        sys.exit("numba-dpex is not installed here, so there is nothing to compare with")
    from peers.native import Machine

    machine = machine_name()
    rates = Machine().bandwidth()
    bandwidth = f"Memory, all cores, GB/s: triad {rates['triad']:.1f}, reading {rates['read']:.1f}."
    passed = ["--budget", str(options.budget), *more]
    found = [cell for cores in core_counts() for cell in in_process(script, cores, passed)]
    parts = [machine_lines(found, bandwidth, machine)]
    if options.write:
        file = PAGE.with_suffix("") / f"{name}.png"
        plot(found, file)
        parts.append(f"![{name}: how many times as fast as each peer pytl is]({file.relative_to(PAGE.parent)})\n")
    for title, some in tables(found).items():
        parts.append(f"### {title[0].upper()}{title[1:]}\n\n{table(some)}")
    text = "\n".join(parts)
    sys.stdout.write(text)
    if options.write:
        PAGE.write_text(with_part(PAGE.read_text(encoding="utf-8"), name, text), encoding="utf-8")
