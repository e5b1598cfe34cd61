"""Rows on the SYCL backend: they leave in memory what the reference backend does; a column of docs/coverage.md.

Every row is executed at night, as the column is made; in between, each form, and each instruction with each kind of
types. Rows are compiled a few at a time, since a build takes longer than a run. Each is executed with the strategy that
is chosen for the device. The tests of tests/differential try both, other sizes, and numbers that are special.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from differential.cases import BOUNDS, EXACT, NEEDS_SYCL, Batch, Bound, Case
from sampling import at_night

import pytl
from pytl.ops.atomics import ORDERS, SCOPES

from . import collective
from .rows import Row
from .table import all_rows, of_this_run, sycl_column

pytestmark = [NEEDS_SYCL, pytest.mark.at_most(16)]

ROWS = all_rows()


def work_of(row: Row) -> int:
    """What part of a batch the row takes, in parts of 32, by the time that numba needs for rows of its kind."""
    loops = row.chapter == collective.CHAPTER or "coopmatrix" in row.text or "foreach" in row.text
    return 4 if loops else 1


def batches(rows: Iterable[Row], size: int = 32) -> Iterator[list[Row]]:
    """The rows that may share a kernel, as many as are compiled in the least time a row."""
    kinds: dict[Any, list[list[Row]]] = {}
    for row in rows:
        found = kinds.setdefault((row.attributes, row.groups, work_of(row)), [[]])
        if sum(map(work_of, found[-1])) + work_of(row) > size:
            found.append([])
        found[-1].append(row)
    yield from itertools.chain(*kinds.values())


def sample(first: int = 0) -> Iterator[Row]:
    """A row of each form, with its types in turn, from the `first` on; of scopes and orders each fourth pair."""
    for turn, ((_, form), group) in enumerate(itertools.groupby(ROWS, lambda row: (row.chapter, row.form)), first):
        found = list(group)
        if turn % 4 == 0 or not {*SCOPES, *ORDERS} & set(form.split(".")):
            yield found[turn % len(found)]


def bound_of(row: Row) -> Bound:
    """Rows compute with small whole numbers, which is exact, but for the zeros' signs where numbers are summed."""
    is_complex = row.types.startswith("c3") or row.types.startswith("c6")
    if row.form.startswith("math."):
        return BOUNDS[row.form.removeprefix("math.")]
    if row.form.startswith("v04.math."):
        return BOUNDS["native functions" if "native" in row.form else "exp2"]
    if row.form in ("arith.abs", "v04.arith.abs") and is_complex:
        return BOUNDS["complex abs"]
    return EXACT


def case_of(row: Row) -> Case:
    given = row.arguments()
    parameters = {name: (type_, given[name]) for name, type_ in row.parameters.items()}
    return Case(row.name, parameters, row.text, bound_of(row), called=row.called)


def differences(rows: list[Row], way: str, **options: Any) -> dict[str, list[str]]:
    """Where a backend disagrees with the reference, for each row."""
    batch = Batch("rows", [case_of(row) for row in rows], rows[0].groups, rows[0].attributes.strip("{}"), options)
    try:
        return {case.name: batch.differences(case, way) for case in batch.cases}
    except pytl.PytlError as error:
        if len(rows) == 1:
            return {rows[0].name: [str(error)]}
        return {name: found for row in rows for name, found in differences([row], way, **options).items()}


def named(rows: list[Row]) -> str:
    """A batch by its first and last row."""
    return " to ".join(dict.fromkeys(row.name for row in (rows[0], rows[-1])))


@functools.cache
def device_class() -> str:
    """The kind of the device that kernels are launched on, which is not the machine's own name for it."""
    import dpctl

    device = dpctl.SyclQueue().sycl_device
    return f"{device.backend.name}:{device.device_type.name} of {device.sycl_platform.name}"


@pytest.mark.at_most(7)
@pytest.mark.parametrize("rows", list(batches(of_this_run())), ids=named)
def test_rows(rows: list[Row], record_property: Any) -> None:
    found = differences(rows, "auto")
    record_property("coverage of device", device_class())
    for row in rows:
        if not found[row.name]:
            record_property("coverage", [row.chapter, row.name, sycl_column()])
    assert not {name: lines for name, lines in found.items() if lines}


IN_TURN = list(sample())


@pytest.mark.at_most(1)
@pytest.mark.parametrize("rows", [*batches(IN_TURN[::3]), *at_night(batches(IN_TURN))], ids=named)
def test_a_row_of_each_form_with_many_work_items(rows: list[Row]) -> None:
    assert not {name: lines for name, lines in differences(rows, "many-items").items() if lines}
