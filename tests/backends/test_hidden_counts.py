"""Loops with known counts that call OpenCL's functions, which Intel's driver of 2026 cannot make vectors of."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import pytl
from pytl import coop
from pytl.backends.numba_dpex.emit.hidden_counts import with_hidden_counts

pytestmark = pytest.mark.at_most(4)

LOOP = """
  %end{count} = constant {count} : index
  for %i = %begin, %end{count} {{
    %x = load %A{count}[%i] : {type}
    %y = {operation} : {type}
    store %y, %A{count}[%i]
  }}
"""
KERNEL = """
func @k({parameters}) {{
  %begin = constant 0 : index
  %c = constant 0.5 : {type}
  {loops}
}}
"""
DTYPES = {"f32": np.float32, "f64": np.float64}
OPERATIONS: dict[str, Callable[[Any], Any]] = {
    "math.exp %x": np.exp,
    "arith.max %x, %c": lambda x: np.maximum(x, x.dtype.type(0.5)),
    "arith.rem %x, %c": lambda x: np.fmod(x, x.dtype.type(0.5)),
    "arith.abs %x": np.abs,
}


COUNTS = (43, 44, 56, 100, 101, 103, 1000)


@pytest.mark.at_most(1)
@pytest.mark.parametrize("counts", [COUNTS, (56,)], ids=["several", "one"])
@pytest.mark.parametrize("type_", ["f32", "f64"])
@pytest.mark.parametrize("operation", OPERATIONS)
def test_loops_of_any_count_call_functions(operation: str, type_: str, counts: tuple[int, ...]) -> None:
    """Without a hidden count, the driver of 2026 ends the process for most of these."""
    loops = "\n".join(LOOP.format(type=type_, count=count, operation=operation) for count in counts)
    parameters = ", ".join(f"%A{count}: memref<{type_}x{count}>" for count in counts)
    kernel = pytl.compile(KERNEL.format(type=type_, parameters=parameters, loops=loops))["k"]
    arrays = [np.linspace(-2, 2, count).astype(DTYPES[type_]) for count in counts]
    expected = [OPERATIONS[operation](array) for array in arrays]
    kernel[1](*arrays, backend="sycl")
    for array, right in zip(arrays, expected):
        np.testing.assert_allclose(array, right, rtol=1e-6)


def test_private_memory_between_two_loops() -> None:
    @pytl.kernel
    def twice(A: pytl.Memref[pytl.f32, 100], B: pytl.Memref[pytl.f32, 100]):
        t = pytl.alloca(pytl.f32, 100)
        for i in range(100):
            t[i] = pytl.exp(A[i])
        for i in range(100):
            B[i] = pytl.exp(t[i])

    A, B = np.linspace(-2, 1, 100, dtype=np.float32), np.zeros(100, np.float32)
    twice[1](A, B, backend="sycl")
    np.testing.assert_allclose(B, np.exp(np.exp(A)), rtol=1e-5)


def test_counts_are_hidden_where_they_have_to_be() -> None:
    loop = LOOP.format(type="f32", count=100, operation="math.exp %x")
    loop = re.sub(r"store (%\w+), (%\w+)\[%i\]", r"store \1, \2[%begin]", loop)  # iterations that keep their order
    text = KERNEL.format(type="f32", parameters="%A100: memref<f32x100>", loops=loop)
    assert "in range(100 + uniform_zero()):" in pytl.compile(text)["k"].emit("numba_dpex")
    assert "in range(8):" in pytl.compile(text.replace("100", "8"))["k"].emit("numba_dpex")
    product = text.replace("math.exp %x", "arith.mul %x, %c")
    assert "uniform_zero" not in pytl.compile(product)["k"].emit("numba_dpex")


def test_a_loop_around_one_with_a_hidden_count_keeps_its_own() -> None:
    source = """\
for i in range(n):
    y = x[i]
    for j in range(i, n):
        if y:
            t[j] = fmax(y, x[j])
for k in range(40):
    # exp(k)
    t[k] = y
if y:
    t[0] = exp(y)"""
    assert with_hidden_counts(source) == source.replace("range(i, n)", "range(i, n + uniform_zero())")


def test_a_short_loop_belongs_to_the_one_around_it() -> None:
    source = "for i in range(2, 90, 2):\n    for j in range(4):\n        t[i] = native_log2(x[j])\n"
    assert with_hidden_counts(source) == source.replace("90,", "90 + uniform_zero(),")


def test_a_short_loop_with_branches_is_a_loop() -> None:
    source = "for i in range(2, 90):\n    for j in range(3):\n        if x[i]:\n            t[i] = exp(x[j])\n"
    assert with_hidden_counts(source) == source.replace("range(3)", "range(3 + uniform_zero())")
    one = source.replace("range(3)", "range(1)")
    assert with_hidden_counts(one) == one.replace("90)", "90 + uniform_zero())")


def test_branches_of_matrices() -> None:
    """The driver of 2026 ends the process where the inner loop, of three iterations, keeps its count."""

    @pytl.kernel(strategy="one-item")
    def some(A: pytl.Memref[pytl.f32, 32, 3], B: pytl.Memref[pytl.f32, 32, 3]):
        with pytl.parallel():
            a = coop.load(A, 0, 0, (32, 3), "matrix_acc")
            coop.store(coop.apply(lambda i, j, v: pytl.exp(v) if i >= j else -v, a, indices=True), B, 0, 0)

    A = np.asfortranarray(np.linspace(-1, 1, 96, dtype=np.float32).reshape(32, 3))
    B = np.zeros_like(A)
    some[1](A, B, backend="sycl")
    i, j = np.indices(A.shape)
    np.testing.assert_allclose(B, np.where(i >= j, np.exp(A), -A), rtol=1e-6)


def test_points_that_work_items_share_keep_their_count() -> None:
    source = "for i in range(local_id(), 90, local_count()):\n    t[i] = exp(x[i])\n"
    assert with_hidden_counts(source) == source
