"""Tiles that a layout spreads over the sub-groups of a work-group, against NumPy on every backend of this machine."""

from __future__ import annotations

import re
from itertools import product as product_of
from typing import Any

import numpy as np
import pytest
from sampling import at_night

import pytl
from pytl import Memref, bf16, coop, f32, i8, i32, parallel, tile
from pytl.ir import types
from pytl.ops.scalars import dtype_of

pytestmark = pytest.mark.at_most(4)

ONE_OF_FOUR = {"work_group_size": (8, 4), "subgroup_size": 8}
BACKENDS = ("reference", "sycl", "many-items", "mlir", "arm_sme")
M, N, K = 21, 27, 13


NONE = (None, None)


def product(c_layout: Any, a_layout: Any = NONE, types: Any = (f32, f32), turned: bool = False) -> Any:
    """C += A B, a tile of 32×32 per work-group, with remainders in all sizes; a layout is sg_layout and sg_data."""
    a_type, c_type = types
    rows, columns = (K, M) if turned else (M, K)
    a_shape, (down, right) = ((8, 32), (8, 0)) if turned else ((32, 8), (0, 8))
    (a_groups, a_data), (c_groups, c_data) = a_layout, c_layout

    @pytl.kernel(**ONE_OF_FOUR)
    def spread(A: Memref[a_type, rows, columns], B: Memref[a_type, K, N], C: Memref[c_type, M, N]):
        with parallel():
            a = tile.init(A, (0, 0), shape=a_shape, sg_layout=a_groups, sg_data=a_data)
            b = tile.init(B, (0, 0), shape=(8, 32))
            c = tile.init(C, (0, 0), shape=(32, 32), sg_layout=c_groups, sg_data=c_data)
            total = tile.load(c)
            for _ in range(0, K, 8):
                tile.prefetch(a)
                total = tile.mma(tile.load(a, transpose=turned), tile.load(b), total)
                a, b = tile.update_offset(a, down, right), tile.update_offset(b, 8, 0)
            tile.store(total, c)

    return spread


PRODUCTS = {
    "a block each": product(((2, 2), (16, 16))),
    "several blocks": product(((2, 2), (4, 8)), ((4, 1), (8, 8))),
    "in rows": product(((4, 1), (8, 32)), types=(bf16, f32)),
    "in columns": product(((1, 4), (32, 4)), types=(i8, i32)),
    "turned": product(((2, 2), (8, 16)), turned=True),
    "shared blocks": product(((4, 1), (16, 32))),
}


def launched(kernel: Any, *arrays: np.ndarray, backend: str) -> None:
    if backend == "many-items":
        kernel[1, {"strategy": backend}](*arrays, backend="sycl")
    else:
        kernel[1](*arrays, backend=backend)


ALWAYS = [
    *((name, "reference") for name in PRODUCTS),
    *(("several blocks", "mlir"), ("turned", "arm_sme"), ("in columns", "sycl"), ("a block each", "many-items")),
]
"""Compilers take some seconds for each of the others."""
FURTHER = [pair for pair in product_of(PRODUCTS, BACKENDS) if pair not in ALWAYS]
TOOLS = {name: [pytest.mark.tools_of(name)] for name in ("mlir", "arm_sme")}


@pytest.mark.at_most(1)
@pytest.mark.parametrize(
    ("name", "backend"), [pytest.param(*pair, marks=TOOLS.get(pair[1], ())) for pair in (*ALWAYS, *at_night(FURTHER))]
)
def test_products(name: str, backend: str) -> None:
    kernel = PRODUCTS[name]
    random = np.random.default_rng(1)
    types = [parameter.type for parameter in kernel.function.parameters]
    A, B, C = (
        np.asfortranarray(random.integers(-3, 4, type_.shape).astype(dtype_of(type_.element))) for type_ in types
    )
    a, b, c = (array.astype(np.int64) for array in (A, B, C))
    expected = c + (a.T if a.shape[0] != M else a) @ b
    launched(kernel, A, B, C, backend=backend)
    np.testing.assert_array_equal(C.astype(np.int64), expected)


@pytest.mark.tools_of("mlir")
def test_blocks_of_gpus() -> None:
    @pytl.kernel(work_group_size=(16, 4), subgroup_size=16)
    def spread(A: Memref[bf16, 48, 32], B: Memref[bf16, 32, 56], C: Memref[f32, 48, 56]):
        with parallel():
            a, b = tile.init(A, (0, 0), shape=(64, 16)), tile.init(B, (0, 0), shape=(16, 64))
            c = tile.init(C, (0, 0), shape=(64, 64), sg_layout=(2, 2), sg_data=(32, 32))
            total = tile.load(c)
            for _ in range(0, 32, 16):
                tile.prefetch(a)
                total = tile.mma(tile.load(a), tile.load(b), total)
                a, b = tile.update_offset(a, 0, 16), tile.update_offset(b, 16, 0)
            tile.store(total, c)

    random = np.random.default_rng(1)
    A, B = (random.integers(-3, 4, shape) for shape in ((48, 32), (32, 56)))
    C = np.zeros((48, 56), np.float32, order="F")
    a, b = (np.asfortranarray(array.astype(dtype_of(types.bf16))) for array in (A, B))
    spread[1, {"interpreted": True}](a, b, C, backend="xegpu")
    np.testing.assert_array_equal(C, A @ B)


def test_each_sub_group_computes_its_blocks_alone() -> None:
    text = PRODUCTS["several blocks"].ir("lower-tiles")
    assert len(re.findall(r"mul_add.*coopmatrix<f32x4x8,matrix_acc>", text)) == 4 * 2
    loaded = sorted(re.findall(r"cooperative_matrix_load.*coopmatrix<f32x(\w+),matrix_[ab]>", text))
    assert loaded == ["4x8"] * 4 + ["8x8"] * 2
    assert "coopmatrix<f32x32x32" not in text
    assert text.count("cooperative_matrix_store") == 8


@pytl.kernel(**ONE_OF_FOUR)
def chained(A: Memref[f32, 16, 8], B: Memref[f32, 8, 12], C: Memref[f32, 16, 8]):
    """C = (A B + 1) Bᵀ - A: sub-groups have whole rows of the sum that is a factor."""
    with parallel():
        a = tile.load(tile.init(A, (0, 0), shape=(16, 8), sg_layout=(4, 1), sg_data=(4, 8)))
        c = tile.init(C, (0, 0), shape=(16, 8), sg_layout=(4, 1), sg_data=(4, 8))
        b = tile.init(B, (0, 0), shape=(8, 12))
        s = tile.mma(a, tile.load(b))
        tile.store(tile.mma(s, tile.load(b, transpose=True)) - a, c)


@pytl.kernel(**ONE_OF_FOUR)
def pipelined(A: Memref[f32, 16, 8], B: Memref[f32, 8, 12], C: Memref[f32, 16, 12]):
    """Loops carry the factors, and the sum begins at zero."""
    with parallel():
        a, b = tile.load(tile.init(A, (0, 0), shape=(16, 2))), tile.load(tile.init(B, (0, 0), shape=(2, 12)))
        total = tile.mma(a, b)
        a, b = tile.load(tile.init(A, (0, 2), shape=(16, 2))), tile.load(tile.init(B, (2, 0), shape=(2, 12)))
        for k in range(4, 10, 2):
            total = tile.mma(a, b, total)
            a, b = tile.load(tile.init(A, (0, k), shape=(16, 2))), tile.load(tile.init(B, (k, 0), shape=(2, 12)))
        tile.store(total, tile.init(C, (0, 0), shape=(16, 12), sg_layout=(2, 2), sg_data=(8, 6)))


@pytest.mark.parametrize(
    "backend",
    [pytest.param(name, marks=TOOLS.get(name, ())) for name in ("reference", *at_night(BACKENDS[1:]))],
)
def test_sums_as_factors_and_matrices_that_loops_carry(backend: str) -> None:
    random = np.random.default_rng(1)
    A, B = (np.asfortranarray(random.integers(-3, 4, shape).astype(np.float32)) for shape in ((16, 8), (8, 12)))
    C, D = np.zeros((16, 8), np.float32, order="F"), np.zeros((16, 12), np.float32, order="F")
    launched(chained, A, B, C, backend=backend)
    np.testing.assert_array_equal(C, A @ B @ B.T - A)
    launched(pipelined, A, B, D, backend=backend)
    np.testing.assert_array_equal(D, A @ B)


def test_a_sum_as_factor_of_which_sub_groups_lack_a_part() -> None:
    @pytl.kernel(**ONE_OF_FOUR)
    def torn(A: Memref[f32, 32, 32], C: Memref[f32, 32, 32]):
        with parallel():
            a = tile.init(A, (0, 0), shape=(32, 32), sg_layout=(2, 2), sg_data=(16, 16))
            c = tile.init(C, (0, 0), shape=(32, 32), sg_layout=(2, 2), sg_data=(16, 16))
            s = tile.load(a) + tile.load(a)
            tile.store(tile.mma(s, tile.load(a), tile.load(a)) + s, c)

    with pytest.raises(pytl.PytlError) as raised:
        torn.ir("lower-tiles")
    assert raised.value.code == "PYTL-0647"


def test_as_many_sub_groups_as_the_layout_has() -> None:
    with pytest.raises(pytl.PytlError) as raised:
        str(product(((2, 1), (16, 32))))
    (found,) = raised.value.diagnostics
    assert found.code == "PYTL-0646"
    assert found.message == "the layout is for 2 sub-groups, but a work-group has 4"


def test_functions_of_whole_matrices_in_a_loop_that_carries_tiles() -> None:
    @pytl.kernel
    def steps(A: Memref[f32, 8, 12], C: Memref[f32, 8, 4]):
        with parallel():
            a = tile.init(A, (0, 0), shape=(8, 4))
            total = coop.full(f32, 1.0, (8, 4), "matrix_acc")
            for _ in range(3):
                total = total + coop.apply(lambda v: v + v if v > 0.0 else v, tile.load(a))
                a = tile.update_offset(a, 0, 4)
            tile.store(total, tile.init(C, (0, 0), shape=(8, 4)))

    A = np.asfortranarray(np.random.default_rng(1).integers(-3, 4, (8, 12)).astype(np.float32))
    C = np.zeros((8, 4), np.float32, order="F")
    lowered = pytl.compile(steps.ir("lower-tiles"))["steps"]
    lowered[1](A, C, backend="reference")
    doubled = np.where(A > 0, 2 * A, A)
    np.testing.assert_array_equal(C, 1 + doubled[:, :4] + doubled[:, 4:8] + doubled[:, 8:])
