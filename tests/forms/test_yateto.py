"""Every form of the immediate language: printed, parsed, verified, lowered, executed; a chapter of docs/coverage.md."""

from __future__ import annotations

import copy
import textwrap
from typing import Any

import numpy as np
import pytest
from differential.cases import NEEDS_SYCL
from sampling import at_night

import pytl
from pytl.frontends.registry import find_frontend
from pytl.frontends.yateto.instructions import READERS

from .table import sycl_column
from .yateto import COLUMNS, ITEMS, Data, DraftRow, by_form, items, rows

pytestmark = pytest.mark.at_most(24)

ROWS = list(rows())
OF_EACH_FORM = [group[turn % len(group)] for turn, group in enumerate(by_form(ROWS))]
"""A row of each form, with its types in turn: what backends that compile are tried with, but at night."""
COMPILED = OF_EACH_FORM + at_night(row for row in ROWS if row not in OF_EACH_FORM)
OPTIONS: dict[str, dict[str, Any]] = {"sycl": {}, "mlir": {"opt_level": 0}, "arm_sme": {"opt_level": 0}}
"""What MLIR's tools make of the rows takes long to optimize."""
BACKENDS = [
    pytest.param("sycl", marks=NEEDS_SYCL),
    *(pytest.param(name, marks=pytest.mark.tools_of(name)) for name in ("mlir", "arm_sme")),
]


def compare(row: DraftRow, prefix: str, given: Data, before: Data) -> None:
    """Compare what the row's groups hold with what NumPy computes; other arguments are as they were."""
    plain = {name.removeprefix(prefix): value for name, value in before.items() if name.startswith(prefix)}
    expected = row.expected(plain)
    for name, value in plain.items():
        now = given[prefix + name]
        if name in expected:
            for actual, wanted in zip(
                items(now) if isinstance(now, list) or now.ndim > 1 else [now], expected[name], strict=True
            ):
                np.testing.assert_array_equal(actual, wanted, err_msg=row.name)
        else:
            np.testing.assert_array_equal(now, value, err_msg=row.name)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_row(row: DraftRow, record_property: Any) -> None:
    def passed(column: str) -> None:
        assert column in COLUMNS
        record_property("coverage", [row.chapter, row.name, column])

    frontend = find_frontend("yateto", "")
    parsed = frontend.read(row.text, "row", strict=True)
    assert not parsed.diagnostics.items
    passed("parsed")
    assert frontend.write(parsed.module) == row.text
    passed("printed")
    pytl.verify(parsed.module)
    passed("verified")
    (kernel,) = pytl.compile(parsed.module).values()
    assert "yateto." not in kernel.ir("loop-over-gemm")
    passed("lowered")
    given = row.arguments()
    before = copy.deepcopy(given)
    kernel[ITEMS](*given.values(), backend="reference")
    compare(row, "", given, before)
    passed("reference")


@pytest.mark.at_night
@pytest.mark.parametrize("backend", BACKENDS)
def test_rows_on_compiling_backends(backend: str, record_property: Any) -> None:
    """The rows in one function, which is built once."""
    renamed = [row.renamed(number) for number, row in enumerate(COMPILED)]
    parameters = ", ".join(f"%{name}: {type_}" for row in renamed for name, type_ in row.parameters.items())
    # each row ends its region, and with it the memory of its allocas
    bodies = "\n".join(f"for i8 %once{n} = 0 to 1 {{\n{row.body}\n}}" for n, row in enumerate(renamed))
    text = f"define @f({parameters}) {{\n{textwrap.indent(bodies, '  ')}\n}}"
    (kernel,) = pytl.compile(text, language="yateto").values()
    given = {name: value for row in renamed for name, value in row.arguments().items()}
    before = copy.deepcopy(given)
    kernel[ITEMS, OPTIONS[backend]](*given.values(), backend=backend)
    for number, row in enumerate(COMPILED):
        compare(row, f"r{number}_", given, before)
        record_property("coverage", [row.chapter, row.name, sycl_column() if backend == "sycl" else backend])


def test_rows_are_different() -> None:
    names = [row.name for row in ROWS]
    assert len(set(names)) == len(names)


def test_every_instruction_has_a_row() -> None:
    assert set(READERS) <= {row.form.partition(" ")[0].partition(":")[0] for row in ROWS}
