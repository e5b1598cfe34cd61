"""What MLIR's own tests compute on a processor: the same as NumPy, and as MLIR's tools; and the notes' table of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from frontends.mlir.cases import execute
from frontends.mlir.host import Host
from frontends.mlir.integration import TRIED, Tried, table
from frontends.mlir.test_mistakes import told
from launch_kit import needs_sycl

import pytl

pytestmark = pytest.mark.at_most(4)

NOTES = Path(__file__).parents[3] / "docs" / "notes" / "mlir.md"
EXECUTED = [pytest.param(each, id=each.about) for each in TRIED if not each.code]
REFUSED = [pytest.param(each, id=each.about) for each in TRIED if each.code]


@pytest.mark.parametrize("each", EXECUTED)
def test_it_computes_what_numpy_does(each: Tried) -> None:
    execute(each.case.text, each.case, "reference")


@pytest.mark.at_most(1)
@needs_sycl
@pytest.mark.parametrize("each", EXECUTED)
def test_on_a_device(each: Tried) -> None:
    execute(each.case.text, each.case, "sycl")
    if each.becomes:
        assert each.becomes in pytl.from_mlir(each.case.text)["f"].ir("raised")


@pytest.mark.at_most(1)
@pytest.mark.tools_of("mlir")
@pytest.mark.parametrize("each", EXECUTED)
def test_it_computes_what_the_tools_of_mlir_do(each: Tried) -> None:
    mine, theirs = (each.case.given(np.random.default_rng(3)) for _ in range(2))
    pytl.from_mlir(each.case.text)["f"][...](*mine.values(), backend="reference")
    Host(each.case.text).call("f", list(theirs.values()))
    for name, value in mine.items():
        if isinstance(value, np.ndarray):
            np.testing.assert_allclose(value, theirs[name], rtol=1e-5, atol=1e-6, err_msg=name)


@pytest.mark.parametrize("each", REFUSED)
def test_it_is_refused_at_its_operation(each: Tried) -> None:
    assert each.code in [code for code, _, _ in told(each.case.text)]


def test_the_notes_have_this_table(request: pytest.FixtureRequest) -> None:
    text = NOTES.read_text(encoding="utf-8")
    begin, end = text.index("| test of MLIR |"), text.index("\n\n", text.index("| test of MLIR |"))
    if request.config.getoption("--update-golden") and text[begin:end] != table():
        NOTES.write_text(text[:begin] + table() + text[end:], encoding="utf-8")
        return
    assert text[begin:end] == table()
