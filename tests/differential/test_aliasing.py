"""Collective instructions whose target overlaps a factor: factors are as they were before, on every backend."""

from __future__ import annotations

import numpy as np
import pytest
from differential.cases import NEEDS_SYCL, STRATEGIES, Batch, Case, batches, each_way, small

import pytl

pytestmark = pytest.mark.at_most(5)

RNG = np.random.default_rng(5)
MATRIX = {"A": ("memref<f32x4x8>", small(RNG, "f32", 4, 8)), "x": ("f32", 2.0)}
VECTOR = {"v": ("memref<bf16x6>", small(RNG, "bf16", 6)), "o": ("index", 1), "x": ("bf16", 0.5)}
SQUARE = {"w": ("memref<i32x5x5>", small(RNG, "i32", 5, 5)), "x": ("i32", 3)}
HALVES = """
    %left = subview %A[0:4, 0:4] : memref<f32x4x4>
    %right = subview %A[0:4, 3:4] : memref<f32x4x4>
"""
SLICES = """
    %zero = constant 0 : index
    %p = subview %v[%zero:3] : memref<bf16x3>
    %q = subview %v[%o:3] : memref<bf16x3>
"""
COLUMN = "%r = subview %w[0:5, 2] : memref<i32x5>"
CASES = [
    Case("gemm, itself", SQUARE, "gemm.n.t %x, %w, %w, %x, %w"),
    Case("gemm, shifted", MATRIX, f"{HALVES} gemm.n.n %x, %left, %right, %x, %right"),
    Case("gemm, one factor", MATRIX, f"{HALVES} gemm.t.n %x, %left, %left, %x, %right"),
    Case("axpby.t, itself", SQUARE, "axpby.t %x, %w, %x, %w"),
    Case("axpby.n, in place", SQUARE, "axpby.n %x, %w, %x, %w"),
    Case("axpby.n, shifted at run time", VECTOR, f"{SLICES} axpby.n %x, %p, %x, %q"),
    Case("axpby.n, atomic", SQUARE, f"%one = constant 1 : i32 {COLUMN} axpby.n.atomic %x, %r, %one, %r"),
    Case("hadamard, one shifted", VECTOR, f"{SLICES} hadamard %x, %q, %p, %x, %q"),
    Case("gemv", SQUARE, f"{COLUMN} gemv.t %x, %w, %r, %x, %r"),
    Case("ger", SQUARE, f"{COLUMN} ger %x, %r, %r, %x, %w"),
    Case("sum", SQUARE, f"{COLUMN} sum.n %x, %w, %x, %r"),
    Case("sum to a scalar", SQUARE, f"{COLUMN} %s = subview %r[1] : memref<i32> sum.n %x, %r, %x, %s"),
    Case("cumsum, in place", SQUARE, "cumsum %x, %w, 0, %x, %w cumsum %x, %w, 1, %x, %w"),
    Case("cumsum, shifted", VECTOR, f"{SLICES} cumsum %x, %p, 0, %x, %q"),
]


@pytest.mark.at_night
@NEEDS_SYCL
@each_way(batches("aliasing", CASES), STRATEGIES)
def test_factors_are_as_they_were_before(batch: Batch, case: Case, way: str) -> None:
    assert batch.differences(case, way) == []


def test_what_a_transposition_in_place_leaves() -> None:
    kernel = pytl.compile("func @f(%w: memref<f32x3x3>, %x: f32, %y: f32) { axpby.t %x, %w, %y, %w }")["f"]
    given = np.arange(9, dtype=np.float32).reshape(3, 3, order="F")
    w = given.copy("F")
    kernel[1](w, 1.0, 2.0, backend="reference")
    assert np.array_equal(w, given.T + 2 * given)


def copies(body: str, parameters: str) -> int:
    """How many factors the lowering copies."""
    (kernel,) = pytl.compile(f"func @f({parameters}, %x: f32) {{ {body} }}").values()
    return kernel.ir("lower-collectives").count("alloca")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("gemm.n.n %x, %l, %l, %x, %r", 0),
        ("gemm.n.n %x, %B, %B, %x, %l", 0),
        ("gemm.n.n %x, %l, %l, %x, %m", 1),
        ("gemm.n.n %x, %l, %r, %x, %m", 2),
        ("axpby.n %x, %l, %x, %l", 0),
        ("axpby.n %x, %l, %x, %m", 1),
        ("axpby.n %x, %l, %x, %s", 1),
        ("axpby.n %x, %s, %x, %l", 1),
        ("axpby.t %x, %l, %x, %r", 0),
        ("gemm.n.n %x, %d, %B, %x, %e", 1),
        ("axpby.n %x, %d, %x, %d", 0),
    ],
)
def test_copied_is_what_may_overlap_and_nothing_else(body: str, expected: int) -> None:
    views = """
    %l = subview %A[0:4, 0:4] : memref<f32x4x4>
    %r = subview %A[0:4, 4:4] : memref<f32x4x4>
    %m = subview %A[0:4, 2:4] : memref<f32x4x4>
    %s = subview %A[0:4, 3:4] : memref<f32x4x4>
    %d = subview %A[0:4, %n:4] : memref<f32x4x4>
    %e = subview %A[0:4, %k:4] : memref<f32x4x4>
    """
    parameters = "%A: memref<f32x4x8>, %B: memref<f32x4x4>, %n: index, %k: index"
    assert copies(views + body, parameters) == expected


# What cannot be copied.

MOVE = """func @move(%n: index, %x: memref<f32x?>) {
  %zero = constant 0 : index
  %one = constant 1 : index
  %a = constant 1.0 : f32
  %b = constant 0.0 : f32
  %from = subview %x[%zero:%n] : memref<f32x?>
  %to = subview %x[%one:%n] : memref<f32x?>
  axpby.n %a, %from, %b, %to
}"""


def test_a_factor_of_dynamic_size_is_not_overlapped() -> None:
    (kernel,) = pytl.compile(MOVE).values()
    with pytest.raises(pytl.ExecutionError) as caught:
        kernel[1](4, np.ones(5, np.float32), backend="reference")
    (found,) = caught.value.diagnostics
    assert (found.code, found.message) == (
        "PYTL-4019",
        "axpby: B, %to, shares elements with A, %from, of dynamic size (work-group 0)",
    )
    kernel[1](1, np.ones(5, np.float32), backend="reference")


@NEEDS_SYCL
def test_what_certainly_overlaps_a_factor_of_dynamic_size_is_refused() -> None:
    (kernel,) = pytl.compile("func @f(%A: memref<f32x?x?>, %x: f32) { axpby.t %x, %A, %x, %A }").values()
    with pytest.raises(pytl.PlatformError) as caught:
        kernel[1](np.ones((2, 2), np.float32, order="F"), 1.0, backend="sycl")
    (found,) = caught.value.diagnostics
    assert (found.code, found.message) == ("PYTL-3026", "axpby: B overlaps A, which is memref<f32x?x?>")


# Arrays that are passed for two parameters.

PRODUCT = "func @f(%A: memref<f32x3x3>, %B: memref<f32x3x3>, %C: memref<f32x3x3>, %x: f32) { %s }"
ITEMS = """func @f(%A: memref<f32x3x3x?>, %C: memref<f32x3x3x?>, %x: f32) {
  %g = builtin.group_id : index
  %a = subview %A[0:3, 0:3, %g] : memref<f32x3x3>
  %c = subview %C[0:3, 0:3, %g] : memref<f32x3x3>
  %s
}"""
GROUPS = """func @f(%A: group<memref<f32x3x3>x?>, %C: group<memref<f32x3x3>x?>, %x: f32) {
  %g = builtin.group_id : index
  %a = load %A[%g] : memref<f32x3x3>
  %c = load %C[%g] : memref<f32x3x3>
  %s
}"""


def matrices(*shape: int) -> np.ndarray:
    return np.ones(shape, np.float32, order="F")


def launch(text: str, instruction: str, *arguments: object, backend: str = "reference") -> None:
    (kernel,) = pytl.compile(text.replace("%s", instruction)).values()
    for _ in range(2):  # the second time on the fast path
        kernel[1](*arguments, 1.0, backend=backend)


@pytest.mark.parametrize(
    ("text", "instruction", "arguments"),
    [
        (PRODUCT, "gemm.n.n %x, %A, %B, %x, %C", lambda m: (m, matrices(3, 3), m)),
        (PRODUCT, "gemm.n.n %x, %A, %B, %x, %C", lambda m: (matrices(3, 3), m, m)),
        (PRODUCT, "axpby.t %x, %A, %x, %C", lambda m: (m, m, m)),
        (ITEMS, "axpby.t %x, %a, %x, %c", lambda m: (m[..., None], m[..., None])),
        (GROUPS, "axpby.t %x, %a, %x, %c", lambda m: ([m, m], [m, m])),
    ],
)
def test_overlapping_arguments_are_refused(text: str, instruction: str, arguments: object) -> None:
    with pytest.raises(pytl.LaunchError) as caught:
        launch(text, instruction, *arguments(matrices(3, 3)))
    assert [found.code for found in caught.value.diagnostics] == ["PYTL-2030"]


def test_the_words_on_overlapping_arguments() -> None:
    m = matrices(3, 3)
    with pytest.raises(pytl.LaunchError) as caught:
        launch(PRODUCT, "gemm.n.n %x, %A, %B, %x, %C", m, matrices(3, 3), m)
    (found,) = caught.value.diagnostics
    assert found.message == "the arrays of C and A share elements, but gemm updates C and computes it from A"
    assert found.help == "pass a copy of one of them"
    assert [label.text for label in found.labels] == ["the instruction"]


def test_the_fast_path_sees_overlaps_too() -> None:
    (kernel,) = pytl.compile(PRODUCT.replace("%s", "gemm.n.n %x, %A, %B, %x, %C")).values()
    a, b, c = (matrices(3, 3) for _ in range(3))
    kernel[1](a, b, c, 1.0, backend="reference")
    with pytest.raises(pytl.LaunchError):
        kernel[1](a, b, a, 1.0, backend="reference")


@pytest.mark.parametrize(
    ("instruction", "arguments"),
    [
        ("axpby.n %x, %A, %x, %C", lambda m: (m, m, m)),
        ("hadamard %x, %A, %B, %x, %C", lambda m: (m, m, m)),
        ("cumsum %x, %A, 0, %x, %C", lambda m: (m, m, m)),
        ("gemm.n.n %x, %A, %B, %x, %C", lambda m: (m, m, matrices(3, 3))),
    ],
)
def test_what_may_be_the_same_array(instruction: str, arguments: object) -> None:
    launch(PRODUCT, instruction, *arguments(matrices(3, 3)))


def test_arrays_between_each_other_do_not_overlap() -> None:
    memory = matrices(6, 3)
    text = PRODUCT.replace("memref<f32x3x3>", "memref<f32x3x3,strided<1,6>>")
    launch(text, "gemm.n.n %x, %A, %B, %x, %C", memory[:3], memory[:3], memory[3:])
