"""What code for Arm's matrix extension does about the processor's modes: it enters them in front of all work-groups."""

from __future__ import annotations

import re

import pytest
from differential.cases import Batch
from forms.rows import Row
from forms.table import all_rows
from forms.test_sycl import batches, case_of, named, sample
from sampling import at_night

pytestmark = pytest.mark.tools_of("arm_sme")

TOGETHER = 96
"""Rows of a kernel, as tests/forms/test_mlir.py has them."""
IN_CI = 24
SUPPORT = re.compile(r"__arm_(tpidr2_save|sc_mem\w+)|pytl_\w+|_*mlir\w*")
"""What code may call without leaving a mode."""


def changes_of_mode(rows: list[Row]) -> list[str]:
    """What the function that executes work-groups of some rows does about its modes, and its calls of the C library."""
    batch = Batch("rows", [case_of(row) for row in rows], attributes=rows[0].attributes.strip("{}"))
    assembly = batch.kernel.emit("arm_sme", stage="asm")
    body = assembly[assembly.index("\npytl_f_groups:") :].partition("\n.Lfunc_end")[0]
    found = re.findall(r"^\t(?:(smstart|smstop)\s+(\w+)|bl\t([\w.]+))", body, re.M)
    return [f"{word} {mode}".strip() or name for word, mode, name in found if SUPPORT.fullmatch(name) is None]


@pytest.mark.parametrize("rows", [next(batches(sample(), IN_CI)), *at_night(batches(all_rows(), TOGETHER))], ids=named)
def test_streaming_mode_is_left_for_the_c_library_alone(rows: list[Row]) -> None:
    """The caller is in streaming mode already, and ZA is turned on once."""
    found = changes_of_mode(rows)
    modes = {"smstart", "smstop"}
    assert found.count("smstart za") <= 1 and found.count("smstop za") <= 1
    sequence = [word for word in found if word.partition(" ")[2] != "za"]
    for before, after in zip(["", *sequence], [*sequence, ""]):
        if before == "smstop sm" or after == "smstart sm":
            assert before.partition(" ")[0] not in modes or after.partition(" ")[0] not in modes, sequence
    assert sequence.count("smstart sm") == sequence.count("smstop sm")
