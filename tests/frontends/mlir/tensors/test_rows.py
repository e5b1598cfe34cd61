"""Programs on tensors compute what NumPy does, on each backend, and mlir-opt accepts them."""

from __future__ import annotations

import subprocess

import pytest
from frontends.mlir.tensors.host_rows import HOST_ROWS
from frontends.mlir.tensors.linalg_rows import LINALG_ROWS
from frontends.mlir.tensors.rows import Row, check
from frontends.mlir.tensors.tensor_rows import TENSOR_ROWS
from launch_kit import needs_sycl

import pytl

ROWS = [*TENSOR_ROWS, *LINALG_ROWS]
NAMED = [pytest.param(each, id=each.name) for each in ROWS]


@pytest.mark.parametrize("row", [pytest.param(each, id=each.name) for each in HOST_ROWS])
def test_the_host_executes_what_is_known_on_the_way_alone(row: Row) -> None:
    assert type(pytl.from_mlir(row.text)["f"]).__name__ == "HostFunction"
    check(row, "reference")


@pytest.mark.at_most(2)
@needs_sycl
@pytest.mark.parametrize("row", [pytest.param(each, id=each.name) for each in HOST_ROWS])
def test_the_host_launches_on_a_device(row: Row) -> None:
    check(row, "sycl")


@pytest.mark.at_most(1)
@pytest.mark.tools_of("mlir")
@pytest.mark.parametrize("row", [pytest.param(each, id=each.name) for each in HOST_ROWS])
def test_the_host_launches_what_mlir_compiles(row: Row) -> None:
    check(row, "mlir")


@pytest.mark.at_most(150)
@pytest.mark.parametrize("row", NAMED)
def test_it_computes_what_numpy_does(row: Row) -> None:
    check(row, "reference")


@pytest.mark.at_most(4)
@needs_sycl
@pytest.mark.parametrize("row", NAMED)
def test_on_a_device(row: Row) -> None:
    check(row, "sycl")


@pytest.mark.at_most(2)
@pytest.mark.tools_of("mlir")
@pytest.mark.parametrize("row", NAMED)
def test_on_the_host_through_mlir(row: Row) -> None:
    check(row, "mlir")


@pytest.mark.tools_of("mlir")
def test_mlir_accepts_the_programs() -> None:
    text = "// -----\n".join(each.text for each in (*ROWS, *HOST_ROWS))
    done = subprocess.run(["mlir-opt-22", "--split-input-file"], input=text, text=True, capture_output=True)
    assert done.returncode == 0, done.stderr
