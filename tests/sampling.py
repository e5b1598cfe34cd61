"""Which of many cases a run tries: all of them at night, and in between so many that every pair of properties is tried.

Each form of each instruction is tried with each type by the rows of docs/coverage.md, on the reference backend at each
run, on every other at night; in between each form with some types, and each instruction with each kind of types. Other
suites cross these with more axes: layouts, factors, sizes, strategies. Most faults of programs show as soon as one
value is tried, or two together: of those that Kuhn, Wallace and Gallo looked at (IEEE Transactions on Software
Engineering 30, 2004), 70 to 97 %. A sample in which each value of an axis stands beside each kind of value of every
other axis shows these, and takes as many cases as the two longest axes have pairs, however many axes there are. A fault
that needs three values at once is left to `pytest --all-forms`, which the session `nightly` of nox runs.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from heapq import heapify, heappop, heapreplace
from itertools import combinations, product
from random import Random
from typing import Any, TypeVar

import pytest

T = TypeVar("T")
Axes = Callable[[T], tuple[Hashable, ...]]
"""The values of a case."""
KindOf = Callable[[Hashable], Hashable]

_everything = False
WITH_DPNP = ("needs_dpnp",)
WITH_TOOLS = ("tools_of", "needs_spirv_val", *WITH_DPNP)
"""The marks of what `--dpnp-only` and `--tools-only` run."""
_NAMES = {
    WITH_DPNP: re.compile(r"\bneeds_dpnp\b"),
    WITH_TOOLS: re.compile(r"\b(tools_of|needs_dpnp|needs_spirv_val|WAYS|tools)\b"),
}
"""Those marks, and names by which modules share parameters that have them."""
_HELPERS = ("sampling", "differential.cases")


@dataclass(frozen=True)
class Sample:
    """What a module's run in between tries of all its cases, by the values of their axes."""

    module: str
    cases: list[tuple[Hashable, ...]]
    chosen: list[tuple[Hashable, ...]]


samples: list[Sample] = []
"""Of the modules that were imported."""


def try_everything(wanted: bool) -> None:
    """Make `sampled` return all cases: `pytest --all-forms`, before tests are collected."""
    global _everything
    _everything = wanted


def sampled(cases: Iterable[T], axes: Axes[T], kind_of: KindOf = lambda value: value) -> list[T]:
    """The cases that this run tries, in their order: `pairwise`, or all."""
    found = list(cases)
    if _everything:
        return found
    chosen = pairwise(found, axes, kind_of)
    samples.append(Sample(_caller(), list(map(axes, found)), list(map(axes, chosen))))
    return chosen


def alike(value: Hashable) -> Hashable:
    """The kind of values that all stand for each other: each is tried, beside any of the others."""
    return None


def crossed(*axes: Iterable[Any], kind_of: KindOf = lambda value: value) -> list[Any]:
    """Parameters for pytest: of the cases that have a value of each axis, those that this run tries.

    A value with marks is a parameter of pytest itself, and gives its cases its marks.
    """

    def values(case: tuple[Any, ...]) -> tuple[Hashable, ...]:
        return tuple(value for each in case for value in getattr(each, "values", (each,)))

    cases = sampled(product(*axes), values, kind_of)
    return [
        pytest.param(*values(case), marks=[m for each in case for m in getattr(each, "marks", ())]) for case in cases
    ]


def at_night(cases: Iterable[T]) -> list[T]:
    """Cases that only a run of all cases tries, for they take long and others like them are tried always."""
    found = list(cases)
    if _everything:
        return found
    samples.append(Sample(_caller(), [()] * len(found), []))
    return []


def limited(items: list[pytest.Item]) -> tuple[list[pytest.Item], list[pytest.Item]]:
    """The tests that this run tries, and those that are left to the night by their marks.

    A test with the mark `at_night` is left whole. Of a test with the mark `at_most(n)`, which a module can have for
    all of its tests, the `n` cases are tried that have the most values of parameters, and pairs of these.
    """
    if _everything:
        return items, []
    groups: dict[tuple[str, int], list[pytest.Item]] = {}
    left: set[pytest.Item] = set()
    for item in items:
        limit = item.get_closest_marker("at_most")
        if item.get_closest_marker("at_night"):
            left.add(item)
        elif limit is not None and hasattr(item, "callspec"):
            groups.setdefault((item.nodeid.split("[")[0], limit.args[0]), []).append(item)
    for (_, limit), cases in groups.items():
        left |= set(cases) - set(pairwise(cases, _parameters, limit=limit))
    counts: dict[str, list[int]] = {}
    for item in items:
        of_module = counts.setdefault(item.nodeid.split("::")[0], [0, 0])
        of_module[item in left] += 1
    for module, (tried, cut) in counts.items():
        if cut:
            name = module.removeprefix("tests/").removesuffix(".py").replace("/", ".")
            samples.append(Sample(name, [()] * (tried + cut), [()] * tried))
    return [item for item in items if item not in left], [item for item in items if item in left]


def _parameters(item: Any) -> tuple[Hashable, ...]:
    """The numbers of the values of a test's parameters, of which those of one list have the same."""
    return tuple(sorted(item.callspec.indices.items()))


def has_any(item: pytest.Item, marks: Iterable[str]) -> bool:
    """Whether a test has one of some marks."""
    return any(item.get_closest_marker(name) for name in marks)


def may_have(text: str, marks: tuple[str, ...]) -> bool:
    """Whether a test module with this text may have such tests: asked before it is imported."""
    return _NAMES[marks].search(text) is not None


def _caller() -> str:
    """The module that asks for a sample."""
    frame = sys._getframe(1)
    while frame.f_globals["__name__"].removeprefix("tests.") in _HELPERS and frame.f_back:
        frame = frame.f_back
    return str(frame.f_globals["__name__"]).removeprefix("tests.")


def what_is_cut() -> list[str]:
    """A line for each module that was imported: how many cases are left to the night."""
    counts: dict[str, list[int]] = {}
    for sample in samples:
        of_module = counts.setdefault(sample.module, [0, 0])
        of_module[0] += len(sample.cases)
        of_module[1] += len(sample.cases) - len(sample.chosen)
    width = max(map(len, counts), default=0)
    return [
        f"{name:{width}}  {cut:5} of {count:5} cases are left to the night" for name, (count, cut) in counts.items()
    ]


def pairwise(
    cases: Iterable[T], axes: Axes[T], kind_of: KindOf = lambda value: value, limit: int | None = None
) -> list[T]:
    """Cases in which each value occurs, and each pair of kinds of values that some case has on two of its axes; few,
    if not the fewest.

    `axes` gives the values of a case; cases with as many values have the same axes. Values that are computed with by
    the same code, such as those of two integer types, are of one kind: `kind_of`. The case that adds the most pairs
    is taken, again and again; of several any, drawn by a generator that always begins alike. So no value is left out
    wherever there is a choice, and the same cases in the same order give the same sample. With a limit, the first
    cases of these are taken.
    """
    found = list(cases)
    pairs = [_pairs(axes(case), kind_of) for case in found]
    turns = Random(0).sample(range(len(found)), len(found))
    order = [(-len(own), turn, place) for place, (own, turn) in enumerate(zip(pairs, turns))]
    heapify(order)
    seen: set[Hashable] = set()
    chosen = []
    while order and (limit is None or len(chosen) < limit):
        gain, turn, place = order[0]
        left = len(pairs[place] - seen)
        if left == -gain:
            heappop(order)
            chosen.append(place)
            seen |= pairs[place]
        elif left:
            heapreplace(order, (-left, turn, place))
        else:
            heappop(order)
    return [found[place] for place in sorted(chosen)]


def _pairs(values: tuple[Hashable, ...], kind_of: KindOf) -> set[Hashable]:
    """What a case covers: its values, each with its axis, and each two of their kinds; of no axes, the case itself."""
    placed = [(len(values), axis, value) for axis, value in enumerate(values)]
    kinds = [(len(values), axis, kind_of(value)) for axis, value in enumerate(values)]
    return {(len(values),), *placed, *combinations(kinds, 2)}
