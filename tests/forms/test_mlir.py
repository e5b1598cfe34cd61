"""Every row on the backends that go through MLIR: they leave in memory what the reference backend does.

Two columns of docs/coverage.md. Many rows are compiled together, since the tools take longer to start than to compile,
and are not optimized; the differential tests of tests/backends are.
"""

from __future__ import annotations

from typing import Any

import pytest

from pytl.backends.registry import find_backend

from .rows import Row
from .table import all_rows
from .test_sycl import batches, differences, named

ROWS_TOGETHER = 96
"""Of instructions that are short; of others a quarter."""
BACKENDS = [pytest.param(name, marks=pytest.mark.tools_of(name)) for name in ("mlir", "arm_sme")]


@pytest.mark.parametrize("rows", list(batches(all_rows(), ROWS_TOGETHER)), ids=named)
@pytest.mark.parametrize("backend", BACKENDS)
def test_rows(backend: str, rows: list[Row], record_property: Any) -> None:
    found = differences(rows, backend, opt_level=0)
    record_property("coverage of device", find_backend(backend).describe()[-1].partition(" in ")[0])
    for row in rows:
        if not found[row.name]:
            record_property("coverage", [row.chapter, row.name, backend])
    assert not {name: lines for name, lines in found.items() if lines}
