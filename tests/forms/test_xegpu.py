"""Every row on the interpreter of xegpu's text: what is printed leaves in memory what the reference backend does.

A column of docs/coverage.md, which is made at night; in between, every other form is tried. Where a rule of the
hardware refuses a row, the column has its code. Matrices are the matrix unit's where it takes them, or work-items'
numbers, and at night all are either. The text is the same for all chips, and MLIR lowers it for each.
"""

from __future__ import annotations

import re
from typing import Any

import pytest
from differential import cases
from sampling import at_night

from pytl.passes.targets.xe import CHIPS

from .rows import Row
from .table import all_rows
from .test_sycl import batches, case_of, differences, named, sample
from .test_work_items import with_subgroups

ROWS_TOGETHER = 24
SUBGROUP_SIZE = 16
"""Of rows that name one of 8, which these processors have not."""
REFUSED = re.compile(r"\s*error\[(PYTL-32[01]\d)\]")

pytestmark = [pytest.mark.tools_of("mlir"), pytest.mark.at_most(10)]


@pytest.fixture(autouse=True)
def compared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cases, "OTHERS", (*cases.OTHERS, "xegpu"))


def is_of_size(row: Row) -> bool:
    """Whether the form of a row is that of sub-groups of a size that these processors have not."""
    return row.name.startswith("attributes{subgroup_size=8}")


def has_other_size(row: Row) -> bool:
    return "subgroup_size=8" in row.attributes and not is_of_size(row)


def outcomes(rows: list[Row], matrices: str) -> dict[str, str]:
    """For each row nothing, where it computes what it should; the code of the rule that refuses it; or what differs."""
    rows = [with_subgroups(row, SUBGROUP_SIZE) if has_other_size(row) else row for row in rows]
    found = differences(rows, "xegpu", matrices=matrices, blocks="preferred", interpreted=True)
    told = {name: "\n".join(lines) for name, lines in found.items()}
    return {name: code[1] if (code := REFUSED.match(text)) else text for name, text in told.items()}


SAMPLE = list(batches(list(sample())[::2], ROWS_TOGETHER))
NIGHT = at_night(batches(all_rows(), ROWS_TOGETHER))


@pytest.mark.parametrize("rows", [*SAMPLE, *NIGHT], ids=named)
def test_rows(rows: list[Row], record_property: Any) -> None:
    found = outcomes(rows, "auto")
    for row in rows:
        outcome = found[row.name]
        assert outcome == ("PYTL-3201" if is_of_size(row) else ""), f"{row.name}: {outcome}"
        record_property("coverage", [row.chapter, row.name, f"xegpu {outcome}".strip()])


@pytest.mark.at_most(1)
@pytest.mark.parametrize("rows", [*SAMPLE, *NIGHT], ids=named)
def test_rows_are_verified_and_lowered_for_each_chip(rows: list[Row]) -> None:
    rows = [with_subgroups(row, SUBGROUP_SIZE) if has_other_size(row) else row for row in rows if not is_of_size(row)]
    if rows:
        case = cases.Batch("rows", list(map(case_of, rows)), rows[0].groups, rows[0].attributes.strip("{}"))
        assert len({case.kernel.emit("xegpu", chip=chip, blocks="preferred") for chip in CHIPS}) == 1
        for chip in CHIPS:
            assert "spir_kernel" in case.kernel.emit("xegpu", chip=chip, blocks="preferred", stage="llvm")


@pytest.mark.at_most(1)
@pytest.mark.parametrize("matrices", ["dpas", *at_night(["lanes"])])
@pytest.mark.parametrize("rows", [*SAMPLE[:2], *NIGHT], ids=named)
def test_rows_with_either_kind_of_matrices(rows: list[Row], matrices: str) -> None:
    found = outcomes(rows, matrices)
    assert not {name: text for name, text in found.items() if text and not re.fullmatch(r"PYTL-32[01]\d", text)}
