"""SPIR-V of rows for each preset of a GPU is valid in the words of its own validator: of all at night, else of some."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from backends.test_spirv_valid import assert_valid
from differential.cases import NEEDS_SYCL, Batch
from sampling import at_night

from pytl.passes.targets.spmd import DEVICES

from .rows import Row
from .test_sycl import IN_TURN, ROWS, batches, case_of, named

PRESETS = {replace(device, name="", description=""): name for name, device in DEVICES.items()}.values()
"""Of those that have the same code one."""

pytestmark = [NEEDS_SYCL, pytest.mark.needs_spirv_val]


@pytest.mark.at_most(2)
@pytest.mark.parametrize("device", list(PRESETS))
@pytest.mark.parametrize("rows", [*batches(IN_TURN[4::48], 8), *at_night(batches(ROWS))], ids=named)
def test_rows_of_each_preset(rows: list[Row], device: str, tmp_path: Path) -> None:
    batch = Batch("rows", [case_of(row) for row in rows], rows[0].groups, rows[0].attributes.strip("{}"))
    assert_valid(batch.kernel, device, tmp_path / "kernel.spv")
