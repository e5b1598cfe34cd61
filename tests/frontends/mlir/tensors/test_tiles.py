"""Functions on large tensors are dealt out to work-groups, and products in them are instructions."""

from __future__ import annotations

import pickle
import subprocess
from typing import Any

import numpy as np
import pytest
from frontends.mlir.tensors.rows import Row, check
from frontends.mlir.tensors.tile_rows import TILE_ROWS, product, relu
from launch_kit import needs_sycl

import pytl
from pytl.ops import Alloca

NAMED = [pytest.param(each, id=each.name) for each in TILE_ROWS]
BY_NAME = {each.name: each for each in TILE_ROWS}


@pytest.mark.at_most(4)
@pytest.mark.parametrize("row", NAMED)
def test_it_computes_what_numpy_does(row: Row) -> None:
    check(row, "reference")


@pytest.mark.at_most(2)
@needs_sycl
@pytest.mark.parametrize("row", NAMED)
def test_on_a_device(row: Row) -> None:
    check(row, "sycl")


@pytest.mark.at_most(1)
@pytest.mark.tools_of("mlir")
@pytest.mark.parametrize("row", NAMED)
def test_on_the_host_through_mlir(row: Row) -> None:
    check(row, "mlir")


@pytest.mark.tools_of("mlir")
def test_mlir_accepts_the_programs() -> None:
    text = "// -----\n".join(each.text for each in TILE_ROWS)
    done = subprocess.run(["mlir-opt-22", "--split-input-file"], input=text, text=True, capture_output=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("name", "grid", "instruction"),
    [
        ("linalg.matmul by tiles", "tiles of 64 x 64 iterations d0, d1 of linalg.matmul", "gemm"),
        ("linalg.matmul of unknown sizes, by tiles", "tiles of 64 x 64 iterations d0, d1 of linalg.matmul", "gemm"),
        ("linalg.matmul two layers", "tiles of 48 iterations d0 of linalg.matmul", "gemm"),
        ("linalg.matmul of a product that each row needs", "one work-group", "gemm"),
        ("linalg.conv_2d_nhwc_hwcf by lines", "tiles of 1 x 1 iterations d0, d1 of linalg.conv_2d_nhwc_hwcf", "gemm"),
        (
            "linalg.generic elements backwards, and their places",
            "tiles of 12500 iterations d0 of linalg.generic",
            "foreach",
        ),
        ("linalg.generic layer norm by rows", "tiles of 25 iterations d0 of linalg.generic", "sum"),
    ],
)
def test_which_iterations_are_dealt_out(name: str, grid: str, instruction: str) -> None:
    kernel = pytl.from_mlir(BY_NAME[name].text)["f"]
    assert kernel.grid == grid  # type: ignore[attr-defined]
    assert instruction in str(kernel)


@pytest.mark.parametrize(
    ("name", "grid"),
    [
        ("linalg.reduce to one number, by partial results", "parts of linalg.reduce, then {one}"),
        (
            "linalg.reduce to one number that is read by all",
            "parts of linalg.reduce, then {one}, then tiles of 64 iterations d0 of linalg.generic, then {one}",
        ),
        (
            "linalg.reduce of integers to a number, by partial results",
            "parts of linalg.reduce, then {one}",
        ),
        ("linalg.dot of long vectors", "parts of linalg.dot, then {one}"),
        ("linalg.reduce of an unknown number of elements, a sum", "parts of linalg.reduce, then {one}"),
        (
            "linalg.dot of vectors of unknown length, scaled by all",
            "parts of linalg.dot, then {one}, then tiles of 16384 iterations d0 of linalg.generic",
        ),
        (
            "linalg.pack of a tensor that is computed, and unpacked again",
            "tiles of 16 iterations d0 of linalg.square, then tiles of 1 iterations d0 of linalg.generic,"
            " then tiles of 16 iterations d0 of linalg.generic",
        ),
        (
            "tensor.gather of rows that are computed",
            "tiles of 32 iterations d0 of linalg.square, then tiles of 32 iterations d0 of linalg.generic",
        ),
    ],
)
def test_which_launches_follow_each_other(name: str, grid: str) -> None:
    row = BY_NAME[name]
    kernel: Any = pytl.from_mlir(row.text)["f"]
    assert kernel.grid == grid.format(one="one work-group")
    assert len(kernel.steps) == grid.count("then") + 1


def test_launches_that_follow_each_other_have_any_number_of_work_groups() -> None:
    row = BY_NAME["linalg.dot of long vectors"]
    x, y = row.given(np.random.default_rng(1))
    kernel: Any = pytl.from_mlir(row.text, raise_loops=False)["f"]
    again = pickle.loads(pickle.dumps(kernel))
    assert len(again.steps) == 2
    for each, groups in ((kernel, 1), (again, 3)):
        np.testing.assert_allclose(each[groups](x, y, backend="reference"), np.dot(x, y), rtol=1e-4)


def test_any_number_of_work_groups_executes_all() -> None:
    row = BY_NAME["linalg.matmul by tiles that do not divide it"]
    x, y = row.given(np.random.default_rng(1))
    kernel = pytl.from_mlir(row.text)["f"]
    for groups in (1, 3, 100):
        np.testing.assert_allclose(kernel[groups](x, y, backend="reference"), x @ y, rtol=1e-4, atol=1e-5)


def _chain(head: str, destination: str) -> str:
    first = product("128", "48", "64", "p", "x", "y").replace("tensor.empty() : tensor<128x64xf32>", destination)
    constants = "  %zero = arith.constant 0.0 : f32"
    return f"""func.func @f({head}) -> tensor<128x64xf32> {{
{constants}{first}{relu("128", "64", "r", "p", "b")}
  return %r : tensor<128x64xf32>
}}
"""


HEAD = "%x: tensor<128x48xf32>, %y: tensor<48x64xf32>, %b: tensor<64xf32>"


def test_a_chain_with_a_destination_has_no_copy() -> None:
    text = _chain(f"{HEAD}, %o: tensor<128x64xf32>", "").replace("%p_e = \n", "").replace("%p_e", "%o")
    text = "\n".join(line for line in text.splitlines() if not line.strip().endswith("= "))
    kernel = pytl.from_mlir(text)["f"]
    assert "alloca" not in str(kernel)
    assert len(kernel.function.parameters) == 4
    assert "axpby" not in str(kernel) and str(kernel).count("store") == 1
    rng = np.random.default_rng(2)
    x, y, b = (rng.uniform(-1, 1, shape).astype(np.float32) for shape in ((128, 48), (48, 64), 64))
    o = np.empty((128, 64), np.float32)
    assert kernel(x, y, b, o, backend="reference") is o
    np.testing.assert_allclose(o, np.maximum(x @ y + b, 0), rtol=1e-4, atol=1e-5)


def test_a_chain_without_one_writes_its_result() -> None:
    kernel = pytl.from_mlir(_chain(HEAD, "tensor.empty() : tensor<128x64xf32>"))["f"]
    assert "alloca" not in str(kernel)
    assert [each.name for each in kernel.function.parameters] == ["x", "y", "b", "result"]
    assert "axpby" not in str(kernel) and str(kernel).count("store") == 1


SOFTMAX = """func.func @f(%x: tensor<4096x64xf32>) -> tensor<4096x64xf32> {
  %e = tensor.empty() : tensor<4096x64xf32>
  %r = linalg.softmax dimension(1) ins(%x : tensor<4096x64xf32>) outs(%e : tensor<4096x64xf32>) -> tensor<4096x64xf32>
  return %r : tensor<4096x64xf32>
}"""


def test_what_is_known_of_a_row_has_memory_of_its_tile_alone() -> None:
    kernel: Any = pytl.from_mlir(SOFTMAX)["f"]
    assert [each.name for each in kernel.bufferized.hidden] == []
    assert [value.name for value in kernel.function.parameters] == ["x", "result"]
    allocated = [op.result.type for op in kernel.function.walk() if isinstance(op, Alloca)]
    assert allocated
    assert all(4096 not in type_.shape for type_ in allocated)


def test_a_temporary_that_no_tile_has_room_for_is_passed() -> None:
    wide = (
        SOFTMAX.replace("4096x64", "64x16384")
        .replace(
            "return",
            """%y = linalg.exp ins(%r : tensor<64x16384xf32>)
    outs(%x : tensor<64x16384xf32>) -> tensor<64x16384xf32>
  %z = linalg.add ins(%y, %r : tensor<64x16384xf32>, tensor<64x16384xf32>)
    outs(%e : tensor<64x16384xf32>) -> tensor<64x16384xf32>
  return""",
        )
        .replace("return %r", "return %z")
    )
    kernel: Any = pytl.from_mlir(wide)["f"]
    assert len(kernel.bufferized.hidden) == 1
    assert len(kernel.function.parameters) == 3


@pytest.mark.at_most(4)
@needs_sycl
@pytest.mark.parametrize("columns", [40, 200])
def test_rows_of_a_softmax(columns: int) -> None:
    text = SOFTMAX.replace("4096x64", f"512x{columns}")
    x = np.random.default_rng(1).standard_normal((512, columns)).astype(np.float32)
    x[3, 5] = np.nan
    raised = np.exp(x - x.max(1, keepdims=True))
    np.testing.assert_allclose(
        pytl.from_mlir(text)["f"](x),
        raised / raised.sum(1, keepdims=True),
        rtol=1e-5,  # type: ignore[operator]
    )


def test_constants_are_those_of_all_tiles() -> None:
    """Each work-group has them, and no tile has a part of its own, as of temporaries."""
    numbers = ", ".join(f"{n}.0" for n in range(192))
    text = f"""func.func @f(%x: tensor<192x512xf32>) -> tensor<192x512xf32> {{
  %k = arith.constant dense<[{numbers}]> : tensor<192xf32>
  %e = tensor.empty() : tensor<192x512xf32>
  %b = linalg.broadcast ins(%k : tensor<192xf32>) outs(%e : tensor<192x512xf32>) dimensions = [1]
  %r = arith.addf %x, %b : tensor<192x512xf32>
  return %r : tensor<192x512xf32>
}}"""
    kernel = pytl.from_mlir(text)["f"]
    assert kernel.grid == "tiles of 16 iterations d0 of linalg.generic"
    found = kernel(np.ones((192, 512), np.float32), backend="mlir")
    np.testing.assert_array_equal(found, np.broadcast_to(np.arange(1, 193, dtype=np.float32)[:, None], (192, 512)))
