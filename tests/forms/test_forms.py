"""Every form of every instruction with every type: printed, parsed, verified, traced, executed; docs/coverage.md.

The column of the SYCL backend is in test_sycl.py.
"""

from __future__ import annotations

import copy
import itertools
import re
from collections.abc import Callable
from typing import Annotated, Any

import numpy as np
import pytest
from tracing_kit import functions

import pytl
from pytl.ir.registry import all_instructions

from . import yateto
from .rows import Row, normal, wide
from .table import COLUMNS, PAGE, all_rows, devices_of, proved_by, render

pytestmark = pytest.mark.at_most(60)

ROWS = all_rows()


FORMS = {
    f"{chapter}: {form}": list(rows)
    for (chapter, form), rows in itertools.groupby(ROWS, lambda row: (row.chapter, row.form))
}
"""The rows of each form: a test each would take half as long again."""


@pytest.mark.at_most(40)
@pytest.mark.parametrize("rows", FORMS.values(), ids=FORMS)
def test_form(rows: list[Row], record_property: Any) -> None:
    """Each column that a row passes is recorded; docs/coverage.md is made of what was."""
    wrong: dict[str, Exception] = {}
    for row in rows:
        try:
            prove(row, lambda column, row=row: record_property("coverage", [row.chapter, row.name, column]))
        except Exception as error:
            wrong[row.name] = error
    if wrong:
        raise AssertionError(f"wrong: {', '.join(wrong)}; the first:") from next(iter(wrong.values()))


def prove(row: Row, passed: Callable[[str], None]) -> None:
    """Try one row, and tell of each column that it passes."""
    text = row.module_text
    module = pytl.parse(text, strict=True)
    passed("parsed")
    assert str(module) == text
    passed("printed")
    pytl.verify(module)
    passed("verified")
    execute(pytl.compile(module)["f"], row)
    passed("reference")
    kernel = functions(row.source, Annotated=Annotated)["f"]
    traced = str(kernel)
    assert normal(row.line) in {normal(line) for line in traced.splitlines()}, traced
    execute(kernel, row)
    passed("traced")


def execute(kernel: Any, row: Row) -> None:
    """Launch, and compare every array with what NumPy computes."""
    arguments = row.arguments()
    expected = copy.deepcopy(arguments) | row.expected(copy.deepcopy(arguments))
    kernel[row.groups](*arguments.values(), backend="reference")
    for name, value in arguments.items():
        for actual, wanted in zip(*((v if isinstance(v, list) else [v]) for v in (value, expected[name])), strict=True):
            if isinstance(actual, np.ndarray):
                same(actual, wanted, row.tolerance)


def same(actual: np.ndarray, wanted: Any, tolerance: float | None) -> None:
    # what was computed is rounded as the array's type rounds; integers wrap
    wanted = np.asarray(wanted).astype(actual.dtype)
    if tolerance is None:
        np.testing.assert_array_equal(wide(actual), wide(wanted))
    else:
        np.testing.assert_allclose(wide(actual), wide(wanted), rtol=tolerance)


def test_rows_are_different() -> None:
    names = [(row.chapter, row.name) for row in ROWS]
    assert len(set(names)) == len(names)


def test_the_columns_are_those_of_the_page() -> None:
    found: list[str] = []
    prove(ROWS[0], found.append)
    assert {*found} == {*COLUMNS} - {"sycl", "own", "mlir", "arm_sme", "xegpu"}  # which are in test_sycl.py and others


INEXACT = {f"v04.math.{function}" for function in ("sin", "cos", "log", "log2")}
"""Backends have errors of their own: tests/backends/test_math_since_04.py."""


@pytest.mark.additions
def test_every_word_of_the_language_has_a_row() -> None:
    words = {word for space in (None, "v03", "v04") for cls in all_instructions(space) for word in cls.words()}
    missing = words - {word for row in ROWS for word in words if row.form.startswith(word)} - INEXACT
    assert not missing, f"add rows of {', '.join(sorted(missing))} to a module of tests/forms that table.py lists"


def test_the_page_is_read_as_it_is_written() -> None:
    some = {(row.chapter, row.name, column) for row in ROWS[::7] for column in ("printed", "own")}
    some |= {(row.chapter, row.name, "sycl") for row in list(yateto.rows())[::3]}
    assert proved_by(render(some, ["a device"])) == some


@pytest.mark.additions
def test_the_page_has_no_empty_cell() -> None:
    """It is written by the tests that ran; where all pass, this is what they write.

    Those of one maker of SPIR-V run on another Python, and may not know the youngest rows yet.
    """
    everything = [(row.chapter, row.name, column) for row in ROWS for column in COLUMNS if column != "own"]
    everything += [(row.chapter, row.name, column) for row in yateto.rows() for column in yateto.COLUMNS]
    page = PAGE.read_text()
    devices = devices_of(page)
    page = re.sub(r"PYTL-3201(?= \|)", "✓", page)  # this rule of Intel's GPUs refuses a form
    everything += [entry for entry in proved_by(page) if entry[2] == "own"]
    assert devices and page == render(everything, devices), "run: pytest tests/forms --update-coverage"
