"""SPIR-V of each form for a processor and for each preset of a GPU is valid in the words of its own validator, and asks
for no more than these devices have: with one of its types in between, with each at night.

Most rows have the same code for several devices, which is compiled once.
"""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from backends.test_spirv_valid import assert_valid, source_and_text, source_for
from differential.cases import NEEDS_SYCL, Batch
from sampling import at_night

import pytl
from pytl.passes.targets.spmd import DEVICES

from .rows import Row
from .test_sycl import ROWS, batches, case_of, named

DEVICE_NAMES = (None, *DEVICES)
"""A processor, and each preset."""

pytestmark = [NEEDS_SYCL, pytest.mark.needs_spirv_val]


def row_of_each_form() -> list[Row]:
    """A row of each form, with its types in turn."""
    forms = itertools.groupby(ROWS, lambda row: (row.chapter, row.form))
    found = (list(group) for _, group in forms)
    return [group[turn % len(group)] for turn, group in enumerate(found)]


def rows_by_device(rows: list[Row]) -> dict[str | None, list[Row]]:
    """The rows whose code for a device is that of none before it, but for how sub-groups wait: each way is in many."""
    devices = list({code_of(rows, device): device for device in reversed(DEVICE_NAMES)}.values())[::-1]
    found: dict[str | None, list[Row]] = {None: rows}
    for row in rows if len(devices) > 1 else []:
        seen = {code_of([row], None)}
        for device in devices[1:]:
            code = code_of([row], device)
            if code not in seen:
                seen.add(code)
                found.setdefault(device, []).append(row)
    return found


def code_of(rows: list[Row], device: str | None) -> tuple[object, ...]:
    """What is compiled of rows for a device."""
    source, text = source_and_text(kernel_of(rows), device)
    return source.text.replace("subgroup_fence()", "subgroup_barrier()"), source.subgroup_size, text


def kernel_of(rows: list[Row]) -> pytl.Kernel:
    return Batch("rows", [case_of(row) for row in rows], rows[0].groups, rows[0].attributes.strip("{}")).kernel


@pytest.mark.parametrize("rows", [*batches(row_of_each_form(), 16), *at_night(batches(ROWS))], ids=named)
def test_rows_of_each_device(rows: list[Row], tmp_path: Path) -> None:
    for device, own in rows_by_device(rows).items():
        assert_valid(source_for(kernel_of(own), device), tmp_path / f"{device}.spv")


def test_each_form_has_a_row() -> None:
    rows = row_of_each_form()
    assert {(row.chapter, row.form) for row in rows} == {(row.chapter, row.form) for row in ROWS}
    assert len(rows) == len({(row.chapter, row.form) for row in ROWS})
