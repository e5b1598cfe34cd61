"""SPIR-V of rows for a processor and for each preset of a GPU is valid in the words of its own validator, and asks for
no more than these devices have: of all rows at night, in between of some.

Most rows have the same code for several devices, which is compiled once.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from backends.test_spirv_valid import assert_valid, source_for
from differential.cases import NEEDS_SYCL, Batch
from sampling import at_night

import pytl
from pytl.backends.numba_dpex.emit import KernelSource
from pytl.passes.targets.spmd import DEVICES

from .rows import Row
from .test_sycl import IN_TURN, ROWS, batches, case_of, named

DEVICE_NAMES = (None, *DEVICES)
"""A processor, and each preset."""

pytestmark = [NEEDS_SYCL, pytest.mark.needs_spirv_val]


def distinct_sources(kernel: pytl.Kernel) -> Iterator[tuple[str | None, KernelSource]]:
    """The generated source for each device, but for those that have the code of one before; with the device."""
    seen = set()
    for device in DEVICE_NAMES:
        source = source_for(kernel, device)
        code = (source.text, source.subgroup_size, *(str(each.operation) for each in source.kernels.values()))
        if code not in seen:
            seen.add(code)
            yield device, source


@pytest.mark.at_most(8)
@pytest.mark.parametrize("rows", [*batches(IN_TURN[4::9], 8), *at_night(batches(ROWS))], ids=named)
def test_rows_of_each_device(rows: list[Row], tmp_path: Path) -> None:
    batch = Batch("rows", [case_of(row) for row in rows], rows[0].groups, rows[0].attributes.strip("{}"))
    for device, source in distinct_sources(batch.kernel):
        assert_valid(source, tmp_path / f"{device}.spv")
