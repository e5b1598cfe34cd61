"""raise-products: programs on tiles as gemms, and those that have to stay as they are; all against NumPy."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from passes_kit import assert_printed_and_read
from sampling import at_night

import pytl
from pytl import Memref, bf16, c32, coop, f16, f32, f64, group_id, i8, i32, index, parallel, tile
from pytl.ops.scalars import dtype_of
from pytl.passes import ExecutionStrategy, LowerTiles, Pipeline, RaiseProducts

M, N, K = 48, 32, 40


def raised(kernel: Any) -> Any:
    """The module after the pass."""
    module = Pipeline([LowerTiles(), ExecutionStrategy(), RaiseProducts()]).run(pytl.parse(str(kernel)))
    assert_printed_and_read(module)
    return module


def gemms(text: str) -> list[str]:
    """The gemms of a text, each with the loops around it in front."""
    found, loops = [], []
    for line in text.splitlines():
        depth = len(line) - len(line.lstrip())
        loops = [each for each in loops if each < depth]
        if line.lstrip().startswith("for "):
            loops.append(depth)
        if gemm := re.search(r"gemm\S*", line):
            found.append("for " * len(loops) + gemm.group())
    return found


def loops_over(m: int, n: int, k: int, a_type: Any = f32, c_type: Any = f32, turned: bool = False) -> Any:
    shape = (k, m) if turned else (m, k)

    @pytl.kernel
    def product(
        A: Memref[a_type, k if turned else m, m if turned else k], B: Memref[a_type, k, n], C: Memref[c_type, m, n]
    ):
        with parallel():
            for i in range(0, m, 16):
                for j in range(0, n, 16):
                    c = tile.init(C, (i, j), shape=(16, 16))
                    total = tile.load(c)
                    for p in range(0, k, 8):
                        if turned:
                            a = tile.load(tile.init(A, (p, i), shape=(8, 16)), transpose=True)
                        else:
                            a = tile.load(tile.init(A, (i, p), shape=(16, 8)))
                        total = tile.mma(a, tile.load(tile.init(B, (p, j), shape=(8, 16))), total)
                    tile.store(total, c)

    return product


@pytl.kernel
def moving(A: Memref[f32, M, K], B: Memref[f32, K, N], C: Memref[f32, M, N]):
    with parallel():
        for i in range(0, M, 16):
            for j in range(0, N, 16):
                a, b = tile.init(A, (i, 0), shape=(16, 8)), tile.init(B, (0, j), shape=(8, 16))
                c = tile.init(C, (i, j), shape=(16, 16))
                total = tile.load(c)
                for _ in range(0, K, 8):
                    tile.prefetch(tile.update_offset(a, 0, 8))
                    total = tile.mma(tile.load(a), tile.load(b), total)
                    a, b = tile.update_offset(a, 0, 8), tile.update_offset(b, 8, 0)
                tile.store(total, c)


@pytl.kernel
def pipelined(A: Memref[f32, M, K], B: Memref[f32, K, N], C: Memref[f32, M, N]):
    """Two tiles ahead, and the last ones behind the loop."""
    with parallel():
        for j in range(0, N, 16):
            c = tile.init(C, (0, j), shape=(M, 16))
            total = tile.load(c)
            a0, a1 = tile.load(tile.init(A, (0, 0), shape=(M, 8))), tile.load(tile.init(A, (0, 8), shape=(M, 8)))
            b0, b1 = tile.load(tile.init(B, (0, j), shape=(8, 16))), tile.load(tile.init(B, (8, j), shape=(8, 16)))
            for k in range(16, K, 8):
                total = tile.mma(a0, b0, total)
                a0, a1 = a1, tile.load(tile.init(A, (0, k), shape=(M, 8)))
                b0, b1 = b1, tile.load(tile.init(B, (k, j), shape=(8, 16)))
            total = tile.mma(a1, b1, tile.mma(a0, b0, total))
            tile.store(total, c)


@pytl.kernel
def new(A: Memref[f32, M, K], B: Memref[f32, K, N], C: Memref[f32, M, N]):
    with parallel():
        for i in range(0, M, 16):
            c = tile.init(C, (i, 0), shape=(16, N))
            total = tile.mma(
                tile.load(tile.init(A, (i, 0), shape=(16, 8))), tile.load(tile.init(B, (0, 0), shape=(8, N)))
            )
            for k in range(8, K, 8):
                a, b = tile.init(A, (i, k), shape=(16, 8)), tile.init(B, (k, 0), shape=(8, N))
                total = tile.mma(tile.load(a), tile.load(b), total)
            tile.store(total, c)


@pytl.kernel
def unrolled(A: Memref[f32, M, K], B: Memref[f32, K, N], C: Memref[f32, M, N]):
    """Two sums at a time, each of two slices a step."""
    with parallel():
        for j in range(0, N, 8):
            upper, lower = tile.init(C, (0, j), shape=(24, 8)), tile.init(C, (24, j), shape=(24, 8))
            first, second = tile.load(upper), tile.load(lower)
            for k in range(0, K, 8):
                for half in range(0, 8, 4):
                    b = tile.load(tile.init(B, (k + half, j), shape=(4, 8)))
                    first = tile.mma(tile.load(tile.init(A, (0, k + half), shape=(24, 4))), b, first)
                    second = tile.mma(tile.load(tile.init(A, (24, k + half), shape=(24, 4))), b, second)
            tile.store(first, upper)
            tile.store(second, lower)


def of_groups(m: int) -> Any:
    @pytl.kernel
    def product(A: Memref[f32, m, K], B: Memref[f32, K, N], C: Memref[f32, m, N]):
        g = group_id()
        with parallel():
            for j in range(0, N, 16):
                c = tile.init(C, (16 * g, j), shape=(16, 16))
                total = tile.load(c)
                for k in range(0, K, 8):
                    a, b = tile.init(A, (g * 16, k), shape=(16, 8)), tile.init(B, (k, j), shape=(8, 16))
                    total = tile.mma(tile.load(a), tile.load(b), total)
                tile.store(total, c)

    return product


@pytl.kernel
def of_views(A: Memref[f32, M, K, 2], B: Memref[f32, K, N, 2], C: Memref[f32, M, N, 2]):
    """The views are made where they are used, and are the same each time."""
    g = group_id() % 2
    with parallel():
        for i in range(0, M, 16):
            for j in range(0, N, 16):
                total = tile.load(tile.init(C[:, :, g], (i, j), shape=(16, 16)))
                for k in range(0, K, 8):
                    a = tile.init(A[:, :, g], (i, k), shape=(16, 8))
                    total = tile.mma(tile.load(a), tile.load(tile.init(B[:, :, g], (k, j), shape=(8, 16))), total)
                tile.store(total, tile.init(C[:, :, g], (i, j), shape=(16, 16)))


@pytl.kernel(work_group_size=(16, 4), subgroup_size=16)
def by_subgroups(A: Memref[f32, M, K], B: Memref[f32, K, N], C: Memref[f32, M, N]):
    with parallel():
        a, b = tile.init(A, (0, 0), shape=(M, 8)), tile.init(B, (0, 0), shape=(8, N))
        c = tile.init(C, (0, 0), shape=(M, N), sg_layout=(2, 2), sg_data=(24, 16))
        total = tile.load(c)
        for _ in range(0, K, 8):
            total = tile.mma(tile.load(a), tile.load(b), total)
            a, b = tile.update_offset(a, 0, 8), tile.update_offset(b, 8, 0)
        tile.store(total, c)


@pytl.kernel
def so_many(A: Memref[f32, M, K], B: Memref[f32, K, N], C: Memref[f32, M, N], steps: index):
    with parallel():
        total = coop.load(C, 0, 0, shape=(M, N), use="matrix_acc")
        for k in range(steps):
            a = coop.load(A, 0, 8 * k, shape=(M, 8), use="matrix_a")
            total = coop.mul_add(a, coop.load(B, 8 * k, 0, shape=(8, N), use="matrix_b"), total)
        coop.store(total, C, 0, 0)


RAISED: dict[str, tuple[Any, list[str]]] = {
    "loops": (loops_over(M, N, K), ["gemm.n.n"]),
    "turned": (loops_over(M, N, K, turned=True), ["gemm.t.n"]),
    "remainders": (loops_over(21, 19, 29), ["gemm.n.n"]),
    "remainders, turned": (loops_over(21, 19, 29, turned=True), ["gemm.t.n"]),
    "f64": (loops_over(17, 33, 8, f64, f64), ["gemm.n.n"]),
    "bf16": (loops_over(17, 33, 12, bf16, f32), ["gemm.n.n"]),
    "i8": (loops_over(17, 33, 12, i8, i32), ["gemm.n.n"]),
    # a sum in f16 is rounded after each product
    "f16": (loops_over(M, N, K, f16, f16), ["for gemm.n.n"]),
    "moving": (moving, ["gemm.n.n"]),
    "pipelined": (pipelined, ["gemm.n.n"]),
    "new": (new, ["gemm.n.n"]),
    "unrolled": (unrolled, ["for gemm.n.n", "for gemm.n.n"]),
    "of groups": (of_groups(M), ["gemm.n.n"]),
    "of groups, remainders": (of_groups(M - 7), ["gemm.n.n", "gemm.n.n"]),
    "of views": (of_views, ["gemm.n.n"]),
    "by sub-groups": (by_subgroups, ["for gemm.n.n"]),
    "so many": (so_many, ["for gemm.n.n"]),
}


GROUPS = {"of groups": 5, "of groups, remainders": 5, "of views": 2}


def launched(kernels: list[Any], groups: int, adds: bool, backend: str) -> None:
    """Launch kernels on the same numbers; each gives what NumPy does."""
    parameters = kernels[0].function.parameters
    random = np.random.default_rng(1)
    arrays = []
    for parameter in parameters[:3]:
        numbers = random.integers(-3, 4, parameter.type.shape)
        arrays.append(np.asfortranarray(numbers.astype(dtype_of(parameter.type.element))))
    a, b, c = (array.astype(np.float64) for array in arrays)
    if a.ndim > 2:
        a, b, c = (array.transpose(2, 0, 1) for array in (a, b, c))
    a = a.T if a.shape[0] != c.shape[0] else a
    expected = (c if adds else 0) + a @ b
    expected = expected.transpose(1, 2, 0) if a.ndim > 2 else expected
    numbers = [K // 8] if len(parameters) > 3 else []
    for kernel in kernels:
        target = arrays[2].copy(order="F")
        kernel[groups](*arrays[:2], target, *numbers, backend=backend)
        np.testing.assert_array_equal(target.astype(np.float64), expected)


@pytest.mark.at_most(10)
@pytest.mark.parametrize("name", RAISED)
def test_raised(name: str) -> None:
    kernel, expected = RAISED[name]
    module = raised(kernel)
    assert gemms(str(module)) == expected
    assert "parallel" not in str(module) and "coopmatrix" not in str(module)
    (after,) = pytl.compile(str(module).replace('"cpu.matrix"="vectors"', '"x"=0')).values()
    launched([kernel, after], GROUPS.get(name, 1), kernel is not new, "reference")


@pytest.mark.at_most(1)
@pytest.mark.parametrize(
    "name", ["of groups, remainders", "f16", *at_night(["remainders, turned", "pipelined", "new", "so many"])]
)
def test_raised_on_the_device(name: str) -> None:
    kernel, _ = RAISED[name]
    launched([kernel], GROUPS.get(name, 1), kernel is not new, "sycl")


@pytl.kernel
def of_any_size(A: Memref[f32, ..., ...], B: Memref[f32, ..., ...], C: Memref[f32, ..., ...]):
    g = group_id()
    with parallel():
        a, b = tile.init(A, (16 * g, 0), shape=(16, 8)), tile.init(B, (0, 0), shape=(8, 16))
        c = tile.init(C, (16 * g, 0), shape=(16, 16))
        total = tile.load(c)
        for _ in range(0, A.shape[1], 8):
            total = tile.mma(tile.load(a), tile.load(b), total)
            a, b = tile.update_offset(a, 0, 8), tile.update_offset(b, 8, 0)
        tile.store(total, c)


@pytest.mark.at_night
def test_raised_for_the_sizes_of_a_launch() -> None:
    assert gemms(str(raised(of_any_size))) == []
    special = of_any_size.specialize(A=(37, 21), B=(21, 9), C=(37, 9))
    assert gemms(str(raised(special))) == ["gemm.n.n", "gemm.n.n"]
    launched([special], 3, True, "reference")
    launched([special], 3, True, "sycl")


# What stays.


def _stays(make: Callable[..., Any], n: int = 16, element: Any = f32, **attributes: Any) -> Any:
    @pytl.kernel(**attributes)
    def kept(A: Memref[element, n, 16], B: Memref[element, 16, 16], C: Memref[element, 16, 16]):
        with parallel():
            make(A, B, C)

    return kept


def _whole(M: Any) -> Any:
    return tile.init(M, (0, 0), shape=(16, 16))


def _plain(A: Any, B: Any, C: Any) -> None:
    tile.store(tile.mma(tile.load(_whole(A)), tile.load(_whole(B)), tile.load(_whole(C))), _whole(C))


def _computed(A: Any, B: Any, C: Any) -> None:
    a = tile.load(_whole(A))
    tile.store(tile.mma(a + a, tile.load(_whole(B)), tile.load(_whole(C))), _whole(C))


def _scaled(A: Any, B: Any, C: Any) -> None:
    total = tile.mma(tile.load(_whole(A)), tile.load(_whole(B)))
    tile.store(total + total, _whole(C))


def _into_factor(A: Any, B: Any, C: Any) -> None:
    tile.store(tile.mma(tile.load(_whole(A)), tile.load(_whole(B))), _whole(B))


def _elsewhere(A: Any, B: Any, C: Any) -> None:
    tile.store(tile.mma(tile.load(_whole(A)), tile.load(_whole(B)), tile.load(_whole(B))), _whole(C))


def _loaded_once(A: Any, B: Any, C: Any) -> None:
    before = tile.load(_whole(C))
    for _ in range(2):
        tile.store(tile.mma(tile.load(_whole(A)), tile.load(_whole(B)), before), _whole(C))


def _two_of_one(A: Any, B: Any, C: Any) -> None:
    first, second = tile.load(_whole(C)), tile.load(_whole(C))
    a, b = tile.load(_whole(A)), tile.load(_whole(B))
    tile.store(tile.mma(a, b, first), _whole(C))
    tile.store(tile.mma(a, b, second), _whole(C))


def _padded(A: Any, B: Any, C: Any) -> None:
    a = tile.load(tile.init(A, (0, 8), shape=(16, 16)), padding=1.0)
    tile.store(tile.mma(a, tile.load(_whole(B)), tile.load(_whole(C))), _whole(C))


def _unequal(A: Any, B: Any, C: Any) -> None:
    # A's columns end before B's rows do, which may be infinite
    a = tile.load(tile.init(A, (0, 8), shape=(16, 16)))
    tile.store(tile.mma(a, tile.load(_whole(B)), tile.load(_whole(C))), _whole(C))


STAYS: dict[str, Any] = {
    "a factor is computed": _stays(_computed),
    "the sum is computed with": _stays(_scaled),
    "the target is a factor": _stays(_into_factor),
    "the sum begins elsewhere": _stays(_elsewhere),
    "the sum is loaded before a loop": _stays(_loaded_once),
    "two sums of one tile": _stays(_two_of_one),
    "a padding": _stays(_padded),
    "factors that end differently": _stays(_unequal),
    "too few rows": _stays(_plain, n=15),
    "complex numbers": _stays(_plain, element=c32),
    "two sub-groups": _stays(_plain, work_group_size=(16, 2), subgroup_size=16),
}


def test_what_several_sub_groups_would_store_alike_is_computed_once() -> None:
    def new(A: Any, B: Any, C: Any) -> None:
        tile.store(tile.mma(tile.load(_whole(A)), tile.load(_whole(B))), _whole(C))

    assert gemms(str(raised(_stays(new, work_group_size=(16, 2), subgroup_size=16)))) == ["gemm.n.n"]


def test_raised_where_nothing_is_in_the_way() -> None:
    assert gemms(str(raised(_stays(_plain)))) == ["gemm.n.n"]


@pytest.mark.parametrize("name", STAYS)
def test_stays(name: str) -> None:
    lowered = Pipeline([LowerTiles(), ExecutionStrategy()]).run(pytl.parse(str(STAYS[name])))
    assert str(raised(STAYS[name])) == str(lowered)


# Arrays that overlap.


@pytl.kernel
def in_place(A: Memref[f32, 32, 32], B: Memref[f32, 32, 32], C: Memref[f32, 32, 32]):
    with parallel():
        for j in range(0, 32, 16):
            c = tile.init(C, (0, j), shape=(32, 16))
            tile.store(
                tile.mma(
                    tile.load(tile.init(A, (0, 0), shape=(32, 32))), tile.load(tile.init(B, (0, j), shape=(32, 16)))
                ),
                c,
            )


@pytest.mark.at_night
@pytest.mark.parametrize("shift", [8, *at_night([0, 32])])
def test_overlapping_arrays_have_code_of_their_own(shift: int) -> None:
    random = np.random.default_rng(1)
    memory = np.asfortranarray(random.integers(-3, 4, (32, 64)).astype(np.float32))
    B = np.asfortranarray(random.integers(-3, 4, (32, 32)).astype(np.float32))
    bound, repeated, expected = (memory.copy(order="F") for _ in range(3))
    for j in (0, 16):
        expected[:, shift + j : shift + j + 16] = expected[:, :32] @ B[:, j : j + 16]
    apart = np.zeros((32, 32), np.float32, order="F")
    in_place[1](memory[:, :32], B, apart, backend="sycl")  # a plan for arrays that are apart
    np.testing.assert_array_equal(apart, memory[:, :32] @ B)
    in_place[1](repeated[:, :32], B, repeated[:, shift : shift + 32], backend="sycl")
    np.testing.assert_array_equal(repeated, expected)
    in_place[1].bind(bound[:, :32], B, bound[:, shift : shift + 32], backend="sycl")()
    np.testing.assert_array_equal(bound, expected)
