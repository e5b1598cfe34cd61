"""Tables and plots of what was measured."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from measure import COUNTS, PER_FMA, PER_GROUP, Cell


def peers_of(cells: Sequence[Cell]) -> list[str]:
    """All who took part in any cell, as they come."""
    return [name for name in dict.fromkeys(name for cell in cells for name in cell.seconds) if name != "pytl"]


def mean_ratio(cells: Sequence[Cell], peer: str) -> float | None:
    """The geometric mean of the ratios to a peer, of the cells in which it took part."""
    found = [ratio for cell in cells if (ratio := cell.ratio(peer)) is not None]
    return statistics.geometric_mean(found) if found else None


def number(value: float | None, form: str = ".2f") -> str:
    return "–" if value is None else format(value, form)


def markdown(head: Sequence[str], rows: Sequence[Sequence[str]], texts: int = 2) -> str:
    """A table of which the first columns are texts, and the others numbers."""
    lines = [head, ["---"] * texts + ["---:"] * (len(head) - texts), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


class Columns:
    """One processor's columns: pytl's rate, its share of the peak, and how many times as fast as each peer it is."""

    def __init__(self, cells: Sequence[Cell], processor: str) -> None:
        self.cells = {(cell.row, cell.dtype): cell for cell in cells}
        self.peers = peers_of(cells)
        self.has_peak = any(cell.peak is not None for cell in cells)
        unit = cells[0].unit
        self.form = {PER_FMA: ".3f", PER_GROUP: ".0f"}.get(unit, ".1f")
        heads = [f"pytl, {unit}" if self.peers else unit, *(["of the FMA peak"] if self.has_peak else [])]
        heads += [f"beside {peer}" for peer in self.peers]
        self.heads = [f"{head}; {processor}" for head in heads] if processor else heads

    def of(self, row: str, dtype: str) -> list[str]:
        """Their texts in a row; dashes where this processor has no such cell."""
        cell = self.cells.get((row, dtype))
        if cell is None:
            return ["–"] * len(self.heads)
        share = [number(cell.share, ".0%")] if self.has_peak else []
        return [number(cell.amount(), self.form), *share, *(number(cell.ratio(peer)) for peer in self.peers)]

    def means(self, dtype: str) -> list[str]:
        """The geometric means of a type's ratios."""
        some = [cell for cell in self.cells.values() if cell.dtype == dtype]
        return ["", *([""] if self.has_peak else []), *(number(mean_ratio(some, peer)) for peer in self.peers)]


def table(runs: Mapping[str, Sequence[Cell]]) -> str:
    """A table in Markdown, with columns for each processor, which is named where there are several.

    Who is missing stands below it, with what installs it, and what else there is to say.
    """
    columns = [Columns(cells, name if len(runs) > 1 else "") for name, cells in runs.items()]
    cells = [cell for some in runs.values() for cell in some]
    keys = list(dict.fromkeys((cell.row, cell.dtype) for cell in cells))
    rows = [[row, dtype, *(text for each in columns for text in each.of(row, dtype))] for row, dtype in keys]
    types = Counter(dtype for _, dtype in keys) if any(each.peers for each in columns) else {}
    rows += [
        ["geometric mean", dtype, *(text for each in columns for text in each.means(dtype))]
        for dtype, number_of_rows in types.items()
        if number_of_rows > 1
    ]
    feet = dict.fromkeys([*(n for cell in cells for n in cell.notes), *(f"{a}." for c in cells for a in c.absent)])
    head = ["", "type", *(head for each in columns for head in each.heads)]
    return markdown(head, rows) + "".join(f"\n{foot}\n" for foot in feet)


def tables(cells: Sequence[Cell]) -> dict[str, list[Cell]]:
    """The cells of each table, the tables as they come."""
    found: dict[str, list[Cell]] = {}
    for cell in cells:
        found.setdefault(cell.table, []).append(cell)
    return found


def _draw_ratios(axes: Any, cells: Sequence[Cell], peers: Sequence[str], colours: dict[str, str]) -> None:
    width = 0.8 / len(peers)
    for position, peer in enumerate(peers):
        places = [place + (position - (len(peers) - 1) / 2) * width for place in range(len(cells))]
        heights = [math.log2(cell.ratio(peer) or 1) for cell in cells]
        axes.bar(places, heights, width, label=peer, color=colours[peer])
    axes.axhline(0, color="black", linewidth=0.8)
    low, high = (math.floor(axes.get_ylim()[0]), math.ceil(axes.get_ylim()[1]))
    axes.set_yticks(range(low, high + 1), [f"{2.0**power:g}" for power in range(low, high + 1)])
    axes.set_ylabel("times as many" if cells[0].unit in COUNTS else "times as fast as")
    axes.legend(fontsize=7, ncols=len(peers))


def plot(cells: Sequence[Cell], file: Path) -> None:
    """Bars of the ratios, on a logarithmic scale around one: above it pytl is faster. Without peers, bars of times."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    found = tables(cells)
    colours = {peer: f"C{place}" for place, peer in enumerate(peers_of(cells))}
    figure, all_axes = plt.subplots(len(found), 1, figsize=(12, 3.2 * len(found)), squeeze=False, layout="constrained")
    for axes, (name, some) in zip(all_axes[:, 0], found.items()):
        if peers := peers_of(some):
            _draw_ratios(axes, some, peers, colours)
        else:
            axes.bar(range(len(some)), [cell.amount() for cell in some], 0.5)
            axes.set_ylabel(some[0].unit)
        names = [f"{cell.row}\n{cell.dtype}" for cell in some]
        axes.set_xticks(range(len(some)), names, rotation=90 if len(some) > 10 else 0, fontsize=8)
        axes.set_title(name, fontsize=10)
    file.parent.mkdir(exist_ok=True)
    figure.savefig(file, dpi=70)
    plt.close(figure)
