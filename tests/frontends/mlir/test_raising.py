"""Loops that are products, sums and copies become the instructions for them, and compute the same."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from launch_kit import needs_sycl

import pytl
from pytl.ir.types import MemrefType

pytestmark = pytest.mark.at_most(6)

HEAD = "%A: memref<5x6xf32>, %B: memref<6x7xf32>, %C: memref<5x7xf32>, %x: memref<6xf32>, %y: memref<5xf32>, %s: f32"
TYPES = {
    "A": "memref<5x6xf32>",
    "B": "memref<6x7xf32>",
    "C": "memref<5x7xf32>",
    "x": "memref<6xf32>",
    "y": "memref<5xf32>",
}
SIZES = {"i": 5, "k": 6, "j": 7}


def nest(order: str, body: str) -> str:
    """Loops in an order around statements in which `X[i,k]` stands for a load, or behind `=`, in front of it a store."""
    lines = [f"affine.for %{letter} = 0 to {SIZES[letter]} {{" for letter in order]
    count = [0]
    for statement in body.split("; "):
        target, _, value = statement.partition(" = ")
        words: list[str] = []

        def load(found: re.Match[str], words: list[str] = words) -> str:
            name, indices = found[1], ", ".join(f"%{letter}" for letter in found[2])
            count[0] += 1
            words.append(f"%l{count[0]} = affine.load %{name}[{indices}] : {TYPES[name]}")
            return f"%l{count[0]}"

        value = re.sub(r"([A-Za-z])\[(\w+)\]", load, value)
        *steps, last = value.split(" | ")
        words += [f"{step} : f32" for step in steps]
        name, indices = target[0], ", ".join(f"%{letter}" for letter in target[2:-1])
        words.append(f"affine.store {last}, %{name}[{indices}] : {TYPES[name]}")
        lines += words
    return "\n".join([*lines, "}" * len(order)])


PRODUCT = "C[ij] = %p = arith.mulf A[ik], B[kj] | %t = arith.addf C[ij], %p | %t"
CASES: dict[str, tuple[str, list[str], Callable[..., Any]]] = {
    **{
        f"gemm in the order {order}": (nest(order, PRODUCT), ["gemm.n.n"], lambda A, B, C, x, y, s: {"C": C + A @ B})
        for order in ("ijk", "ikj", "kij", "kji", "jik", "jki")
    },
    "gemm that subtracts": (
        nest("ijk", PRODUCT.replace("addf", "subf")), ["gemm.n.n"], lambda A, B, C, x, y, s: {"C": C - A @ B}),
    "gemm with a factor": (
        nest("ijk", "C[ij] = %q = arith.mulf %s, A[ik] | %p = arith.mulf %q, B[kj] | %t = arith.addf C[ij], %p | %t"),
        ["gemm.n.n"], lambda A, B, C, x, y, s: {"C": C + s * A @ B}),
    "gemv": (nest("ik", "y[i] = %p = arith.mulf A[ik], x[k] | %t = arith.addf y[i], %p | %t"), ["gemv"],
             lambda A, B, C, x, y, s: {"y": y + A @ x}),
    "gemv of the transposed": (nest("ik", "x[k] = %p = arith.mulf A[ik], y[i] | %t = arith.addf x[k], %p | %t"), ["gemv"],
             lambda A, B, C, x, y, s: {"x": x + y @ A}),
    "ger": (nest("ik", "A[ik] = %p = arith.mulf y[i], x[k] | %t = arith.addf A[ik], %p | %t"), ["ger"],
            lambda A, B, C, x, y, s: {"A": A + np.outer(y, x)}),
    "sum": (nest("ik", "y[i] = %t = arith.addf y[i], A[ik] | %t"), ["sum"], lambda A, B, C, x, y, s: {"y": y + A.sum(1)}),
    "axpby": (nest("k", "x[k] = %p = arith.mulf %s, x[k] | %p"), [], lambda A, B, C, x, y, s: {"x": s * x}),
    "copy": (nest("i", "y[i] = %p = arith.mulf %s, x[i] | %t = arith.addf %p, y[i] | %t"), ["axpby"],
             lambda A, B, C, x, y, s: {"y": y + s * x[:5]}),
    "zeros and a product": (
        "%z = arith.constant 0.0 : f32\n" + nest("ij", "C[ij] = %z").rstrip("}") + "affine.for %k = 0 to 6 {\n"
        + nest("", PRODUCT) + "}}}", ["gemm.n.n"], lambda A, B, C, x, y, s: {"C": A @ B}),
}  # fmt: skip


def kernel(body: str, **options: Any) -> pytl.Kernel:
    return pytl.from_mlir(f"func.func @f({HEAD}) {{\n{body}\nreturn\n}}", **options)["f"]


def arguments() -> dict[str, Any]:
    rng = np.random.default_rng(1)
    shapes = {"A": (5, 6), "B": (6, 7), "C": (5, 7), "x": (6,), "y": (5,)}
    return {name: rng.uniform(-1, 1, shape).astype(np.float32) for name, shape in shapes.items()} | {"s": 0.75}


@pytest.mark.at_most(4)
@pytest.mark.parametrize("backend", ["reference", pytest.param("sycl", marks=needs_sycl)])
@pytest.mark.parametrize("body, words, expected", CASES.values(), ids=list(CASES))
def test_a_nest(body: str, words: list[str], expected: Callable[..., Any], backend: str) -> None:
    made = kernel(body)
    raised = made.ir("raised")
    for word in words:
        assert f"{word}" in raised and " for %i" not in raised and " for %k" not in raised, raised
    given = arguments()
    wanted = expected(**{n: v.copy() if isinstance(v, np.ndarray) else v for n, v in given.items()})
    made[...](*given.values(), backend=backend)
    for name, value in wanted.items():
        np.testing.assert_allclose(given[name], value, rtol=1e-5, atol=1e-6)


STAYS = {
    "a product of itself": nest("ik", "A[ik] = %p = arith.mulf A[ik], A[ik] | %t = arith.addf A[ik], %p | %t"),
    "a recurrence": "affine.for %k = 1 to 6 { %l = affine.load %x[%k - 1] : memref<6xf32>\n"
    "affine.store %l, %x[%k] : memref<6xf32> }",
    "a value that is loaded before it is overwritten": nest("k", "x[k] = B[kk]; B[kk] = x[k]"),
}


@pytest.mark.parametrize("body", STAYS.values(), ids=list(STAYS))
def test_what_is_no_product_stays(body: str) -> None:
    raised = kernel(body).ir("raised")
    assert not any(word in raised for word in ("gemm", "gemv", "ger ", "sum.", "yateto")), raised


def test_a_recurrence_is_no_foreach() -> None:
    assert "for %k" in kernel(STAYS["a recurrence"]).ir("raised")


def test_values_that_are_exchanged() -> None:
    """Two statements, of which the second takes what the first has overwritten: they are not taken apart."""
    body = "affine.for %k = 0 to 5 {\n%a = affine.load %x[%k] : memref<6xf32>\n%b = affine.load %y[%k] : memref<5xf32>\n" \
           "affine.store %b, %x[%k] : memref<6xf32>\naffine.store %a, %y[%k] : memref<5xf32>\n}"  # fmt: skip
    given = arguments()
    x, y = given["x"].copy(), given["y"].copy()
    for backend in ("reference", "mlir") if pytl_has("mlir") else ("reference",):
        kernel(body)[...](*given.values(), backend=backend)
        x[:5], y[:] = y.copy(), x[:5].copy()
        np.testing.assert_array_equal(given["x"], x)
        np.testing.assert_array_equal(given["y"], y)


def pytl_has(backend: str) -> bool:
    from pytl.backends.registry import find_backend

    return find_backend(backend).is_available if hasattr(find_backend(backend), "is_available") else False


@needs_sycl
def test_arrays_that_overlap_are_computed_as_written() -> None:
    """A product of loops takes arrays apart; a launch with others executes the loops."""
    made = kernel(nest("i", "y[i] = %p = arith.mulf %s, x[i] | %t = arith.addf %p, y[i] | %t"))
    for backend in ("reference", "sycl"):
        given = arguments()
        memory = np.arange(8, dtype=np.float32)
        wanted = memory.copy()
        for i in range(5):
            wanted[i + 1] += np.float32(0.75) * wanted[i]
        given["x"], given["y"] = memory[:6], memory[1:6]
        made[...](*given.values(), backend=backend)
        np.testing.assert_allclose(memory, wanted, rtol=1e-6)


def test_sums_stay_in_their_order_where_it_is_asked_for() -> None:
    made = kernel(nest("ijk", PRODUCT), raise_loops=False)
    assert "gemm" not in made.ir("raised") and "raise_loops" not in str(made)


def test_halves_are_not_summed_with_other_rounding() -> None:
    text = f"func.func @f({HEAD}) {{\n{nest('ijk', PRODUCT)}\nreturn\n}}".replace("f32", "f16")
    assert "gemm" not in pytl.from_mlir(text)["f"].ir("raised")


def test_dynamic_sizes() -> None:
    text = """func.func @f(%m: index, %n: index, %A: memref<?x?xf32>, %x: memref<?xf32>, %y: memref<?xf32>) {
  affine.for %i = 0 to %m {
    affine.for %j = 0 to %n {
      %a = affine.load %A[%i, %j] : memref<?x?xf32>
      %b = affine.load %x[%j] : memref<?xf32>
      %c = affine.load %y[%i] : memref<?xf32>
      %p = arith.mulf %a, %b : f32
      %s = arith.addf %c, %p : f32
      affine.store %s, %y[%i] : memref<?xf32>
    }
  }
  return
}"""
    made = pytl.from_mlir(text)["f"]
    assert "gemv" in made.ir("raised")
    assert all(isinstance(p.type, MemrefType) == (p.name in "Axy") for p in made.function.parameters)
    rng = np.random.default_rng(2)
    A, x, y = (rng.uniform(-1, 1, shape).astype(np.float32) for shape in ((5, 4), (4,), (5,)))
    for m, n in ((5, 4), (3, 2), (0, 4), (5, 0), (-1, 3)):
        wanted = y.copy()
        wanted[: max(m, 0)] += A[: max(m, 0), : max(n, 0)] @ x[: max(n, 0)]
        made[...](m, n, A, x, y, backend="reference")
        np.testing.assert_allclose(y, wanted, rtol=1e-5, atol=1e-6)


BEYOND = {
    "a loop that is too long": ("%k = 0 to 6 ", "%k = 0 to 7 ", "index %k = 6 is out of bounds"),
    "a loop that begins too early": ("%k = 0 to 6 ", "%k = -1 to 6 ", "index %k = -1 is out of bounds"),
    "an index that is moved": ("%A[%i, %k]", "%A[%i + 1, %k]", "index 5 is out of bounds in mode 1 of %A"),
}


@needs_sycl
@pytest.mark.parametrize("what", BEYOND)
def test_loops_beyond_a_memref_stay_and_are_told_where_they_leave_it(what: str) -> None:
    old, new, message = BEYOND[what]
    text = f"func.func @f({HEAD}) {{\n{nest('ijk', PRODUCT)}\nreturn\n}}".replace(old, new)
    assert new in text
    kernel = pytl.from_mlir(text)["f"]
    assert "gemm" not in kernel.ir("raised")
    given = [np.ones(size, np.float32) for size in [(5, 6), (6, 7), (5, 7), (6,), (5,)]]
    with pytest.raises(pytl.PytlError, match=re.escape(message)):
        kernel[...](*given, 1.0, backend="reference")
    with pytest.raises(
        pytl.LaunchError, match=r"PYTL-2060\]: mode \d of A has size \d, but f takes index -?\d in an iter"
    ):
        kernel[...](*given, 1.0, backend="sycl")


@pytest.mark.tools_of("mlir")
def test_work_items_share_a_raised_product_on_xegpu() -> None:
    text = """func.func @product(%A: memref<8x4xf32>, %B: memref<4x16xf32>, %C: memref<8x16xf32>) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 16 {
      affine.for %k = 0 to 4 {
        %a = affine.load %A[%i, %k] : memref<8x4xf32>
        %b = affine.load %B[%k, %j] : memref<4x16xf32>
        %c = affine.load %C[%i, %j] : memref<8x16xf32>
        %p = arith.mulf %a, %b : f32
        %s = arith.addf %c, %p : f32
        affine.store %s, %C[%i, %j] : memref<8x16xf32>
      }
    }
  }
  return
}"""
    kernel = pytl.from_mlir(text)["product"]
    assert "math.fma" in kernel.emit("xegpu")  # of blocks of C
    assert "math.fma" not in pytl.from_mlir(text, raise_loops=False)["product"].emit("xegpu")
    rng = np.random.default_rng(0)
    a, b, c = (rng.uniform(-1, 1, shape).astype(np.float32) for shape in ((8, 4), (4, 16), (8, 16)))
    expected = c + a @ b
    kernel[1, {"interpreted": True}](a, b, c, backend="xegpu")
    np.testing.assert_allclose(c, expected, rtol=1e-5, atol=1e-6)
