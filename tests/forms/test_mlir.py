"""Every row on the backends that go through MLIR: they leave in memory what the reference backend does.

Two columns of docs/coverage.md, which are made at night; in between, each backend executes a row of each form, each
another. Many rows are compiled together, since the tools take longer to start than to compile, and are not optimized;
the tests of tests/differential are.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from sampling import at_night

from pytl.backends.arm_sme.backend import VECTOR_LENGTHS
from pytl.backends.registry import find_backend

from .rows import Row
from .table import all_rows
from .test_sycl import batches, differences, named, sample

pytestmark = pytest.mark.at_most(16)

ROWS_TOGETHER = 96
"""Of instructions that are short; of others a quarter."""


def tried() -> Iterator[Any]:
    """Each backend with rows that share a program."""
    for turn, backend in enumerate(("mlir", "arm_sme")):
        whole = batches(all_rows(), ROWS_TOGETHER)
        for rows in (*batches(sample(turn), ROWS_TOGETHER), *at_night(whole)):
            yield pytest.param(backend, rows, marks=pytest.mark.tools_of(backend), id=f"{backend}-{named(rows)}")


@pytest.mark.at_most(6)
@pytest.mark.parametrize(("backend", "rows"), list(tried()))
def test_rows(backend: str, rows: list[Row], record_property: Any) -> None:
    found = differences(rows, backend, opt_level=0)
    record_property("coverage of device", find_backend(backend).describe()[-1].partition(" in ")[0])
    for row in rows:
        if not found[row.name]:
            record_property("coverage", [row.chapter, row.name, backend])
    assert not {name: lines for name, lines in found.items() if lines}


@pytest.mark.at_night
@pytest.mark.tools_of("arm_sme")
@pytest.mark.parametrize("length", VECTOR_LENGTHS)
@pytest.mark.parametrize("rows", batches(all_rows(), ROWS_TOGETHER), ids=named)
def test_rows_at_each_vector_length(rows: list[Row], length: int) -> None:
    found = differences(rows, "arm_sme", opt_level=0, vector_length=length)
    assert not {name: lines for name, lines in found.items() if lines}


def with_lengths() -> Iterator[Any]:
    """Rows that share a program, each with another length of vectors than those before."""
    for number, rows in enumerate(batches(all_rows(), ROWS_TOGETHER)):
        length = VECTOR_LENGTHS[number % len(VECTOR_LENGTHS)]
        yield pytest.param(rows, length, id=f"{length}-{named(rows)}")


@pytest.mark.at_night
@pytest.mark.tools_of("arm_sme")
@pytest.mark.needs_sme2
@pytest.mark.parametrize(("rows", "length"), list(with_lengths()))
def test_rows_with_sme2(rows: list[Row], length: int) -> None:
    found = differences(rows, "arm_sme", opt_level=0, vector_length=length, machine="sme2")
    assert not {name: lines for name, lines in found.items() if lines}
