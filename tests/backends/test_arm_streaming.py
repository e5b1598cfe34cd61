"""What code for Arm's matrix extension does about the processor's modes: it enters them in front of all work-groups."""

from __future__ import annotations

import re

import pytest
from forms.rows import Row
from forms.test_sycl import sample
from sampling import at_night

import pytl

pytestmark = [pytest.mark.tools_of("arm_sme"), pytest.mark.at_most(2)]

TOGETHER = 24
SUPPORT = re.compile(r"__arm_(tpidr2_save|sc_mem\w+)|pytl_\w+|_*mlir\w*")
"""What code may call without leaving a mode."""


def toggles(row: Row) -> dict[str, int] | None:
    """How often the function that executes work-groups of a row enters and leaves each mode.

    None where it calls the C library.
    """
    assembly = pytl.compile(row.module_text)["f"].emit("arm_sme", stage="asm")
    body = assembly[assembly.index("\npytl_f_groups:") :].partition("\n.Lfunc_end")[0]
    if any(SUPPORT.fullmatch(name) is None for name in re.findall(r"^\tbl\t([\w.]+)", body, re.M)):
        return None
    found = re.findall(r"^\t(smstart|smstop)\s+(\w+)", body, re.M)
    return {f"{word} {mode}": found.count((word, mode)) for word in ("smstart", "smstop") for mode in ("sm", "za")}


def rows() -> list[list[Row]]:
    """A row of each form that is in docs/coverage.md, so many together."""
    found = [row for row in sample() if not row.attributes]
    return [found[n : n + TOGETHER] for n in range(0, len(found), TOGETHER)]


@pytest.mark.parametrize("rows", [rows()[0][:3], *at_night(rows())], ids=lambda rows: rows[0].name)
def test_modes_are_entered_once(rows: list[Row]) -> None:
    for row in rows:
        found = toggles(row)
        if found is None:
            continue
        assert found["smstart sm"] == found["smstop sm"] == 0, row.name  # the caller is in streaming mode already
        assert found["smstart za"] <= 1 and found["smstop za"] <= 1, row.name
