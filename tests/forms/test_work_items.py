"""Rows by many work-items, whose sub-groups have 8, 16 and 32 of them, through SYCL and OpenCL, and by the oracle.

The driver for processors executes them; what the passes write for GPUs, the oracle executes with its checks and its
race detector. At night every row is executed with each size, and in between some.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import chain

import pytest
from differential.cases import BOUNDS, EXACT, NEEDS_OPENCL, NEEDS_SYCL, OPENCL, clone, spans
from properties.barriers import barriers_alone_order
from properties.execution import differences as differences_of_memory
from properties.work_items import SUBGROUP_SIZES, TARGETS
from sampling import at_night

import pytl
from pytl.backends.registry import find_backend
from pytl.ops.launch_defaults import DEFAULT_SUBGROUP_SIZE
from pytl.passes import Pipeline

from .matrix_components import SHAPE
from .rows import Row
from .test_sycl import IN_TURN, ROWS, batches, bound_of, differences, named

_NAMED = re.compile(r"\{(?:subgroup_size=(\d+))?(?:, )?(?:work_group_size=\[(\d+),(\d+)\])?\}")
_BY_SUBGROUP = re.compile(r"x8x4>$")
"""The end of the type of arrays with a number for each work-item of four sub-groups."""
_BY_ITEM = re.compile(r"x16>$")
"""The end of the type of arrays with a number for each work-item, where sub-groups have 16."""


def with_subgroups(row: Row, size: int) -> Row:
    """The same row with sub-groups of another size, as many as it has."""
    if not row.attributes:
        return replace(_with_items(row, size), attributes=f"{{subgroup_size={size}}}")
    before, rows, columns = _NAMED.fullmatch(row.attributes).groups()
    work_group = (
        ""
        if rows is None
        else f", work_group_size=[{int(rows) // int(before or DEFAULT_SUBGROUP_SIZE) * size},{columns}]"
    )
    parameters = row.parameters
    if any(word in row.text for word in ("%lx", "%gx")):
        parameters = {name: _BY_SUBGROUP.sub(f"x{size}x4>", type_) for name, type_ in parameters.items()}
    return replace(row, attributes=f"{{subgroup_size={size}{work_group}}}", parameters=parameters)


def _with_items(row: Row, size: int) -> Row:
    """The same row with as many rows of a matrix for each work-item, where the row is about these."""
    if f"x{SHAPE}," not in row.text:
        return row
    rows, columns = map(int, SHAPE.split("x"))
    shape = f"x{rows * size // DEFAULT_SUBGROUP_SIZE}x{columns}"
    parameters = {
        name: _BY_ITEM.sub(f"x{size}>", type_).replace(f"x{SHAPE}", shape) for name, type_ in row.parameters.items()
    }
    return replace(row, text=row.text.replace(f"x{SHAPE}", shape), parameters=parameters)


def by_size(rows: list[Row]) -> list[list[Row]]:
    """Batches of rows for sub-groups of each size."""
    sized = (batches([with_subgroups(row, size) for row in rows]) for size in SUBGROUP_SIZES)
    return list(chain.from_iterable(sized))


def in_turn(rows: list[Row], first: int) -> list[list[Row]]:
    """Batches of rows, each for sub-groups of one of the sizes."""
    count = len(SUBGROUP_SIZES)
    sized = [with_subgroups(row, SUBGROUP_SIZES[(first + place) % count]) for place, row in enumerate(rows)]
    return list(batches(sized))


STACKS = [pytest.param("many-items", marks=NEEDS_SYCL), pytest.param(OPENCL[1], marks=NEEDS_OPENCL)]


def named_with_size(rows: list[Row]) -> str:
    return f"{named(rows)} {rows[0].attributes}"


@pytest.mark.at_most(2)
@pytest.mark.parametrize("way", STACKS)
@pytest.mark.parametrize("rows", [*in_turn(IN_TURN[1::12], 0), *at_night(by_size(list(ROWS)))], ids=named_with_size)
def test_rows_by_many_work_items(rows: list[Row], way: str) -> None:
    assert not {name: lines for name, lines in differences(rows, way).items() if lines}


def assert_the_oracle_agrees(row: Row, number: int) -> None:
    """Execute a row before and after the passes for one of the devices, where barriers alone order what is after."""
    backend, target = find_backend("sycl"), TARGETS[number % len(TARGETS)]
    passes = backend.passes(backend.complete_options({"strategy": "many-items", **target}, None))
    module = pytl.parse(row.module_text)
    after = Pipeline(passes).run(module)
    left = []
    for each in (module, after):
        given = [clone(argument) for argument in row.arguments().values()]
        kernel = pytl.Kernel(module=each)
        with barriers_alone_order():
            kernel[row.groups, {}](*given, backend="reference")
        left.append([span for argument in given for span in spans(argument)])
    expected, actual = left
    is_exact = bound_of(row) in (EXACT, BOUNDS["complex abs"])
    found = differences_of_memory(actual, expected, None if is_exact else [1e-2] * len(expected))
    assert not found, f"{target}: {found}\n{after}"


ORACLE = list(enumerate(IN_TURN[2::4]))
AT_NIGHT = [
    (number + size // SUBGROUP_SIZES[0], with_subgroups(row, size))
    for number, row in enumerate(ROWS)
    for size in SUBGROUP_SIZES
]


@pytest.mark.parametrize(
    ("number", "row"),
    [*((number, with_subgroups(row, SUBGROUP_SIZES[number % 3])) for number, row in ORACLE), *at_night(AT_NIGHT)],
    ids=lambda value: f"{value.name} {value.attributes}" if isinstance(value, Row) else None,
)
def test_rows_behind_the_passes_for_each_device(number: int, row: Row) -> None:
    assert_the_oracle_agrees(row, number)
