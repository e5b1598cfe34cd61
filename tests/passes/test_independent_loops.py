"""independent-loops: which loops become a `foreach`, and that all compute the same."""

from __future__ import annotations

import numpy as np
import pytest
from passes_kit import assert_meaning_kept, assert_printed_and_read, sycl_passes

import pytl
from pytl import Group, Memref, f32, group_id
from pytl.ir.values import Module
from pytl.ops import For, Foreach
from pytl.passes.targets import vector

NAME = "independent-loops"


def after(text: str, **options: object) -> Module:
    """A function behind the pass, which has kept its meaning, as all passes behind it do."""
    passes = sycl_passes(**options)
    upto = [step.name for step in passes].index(NAME) + 1
    assert_meaning_kept(text, *passes, groups=3, exact=False)
    module = assert_meaning_kept(text, *passes[:upto], groups=3)
    assert_printed_and_read(module)
    return module


def shape(module: Module) -> list[str]:
    """The loops in order, each `foreach` with its number of variables."""
    found = [op for op in module.functions[0].walk() if isinstance(op, (For, Foreach))]
    return ["for" if isinstance(op, For) else f"foreach {len(op.variables)}" for op in found]


def kernel(body: str, parameters: str = "%x: memref<f32x20x9x?>, %y: memref<f32x20x9x?>, %r: memref<f32x9x?>") -> str:
    return f"""func @f({parameters}) {{
      %g = group_id : index %none = constant 0 : index %one = constant 1 : index %rows = constant 20 : index
      %inner = constant 19 : index %columns = constant 9 : index %zero = constant 0.0 : f32 %n = size %x[0] : index
      {body}
    }}"""


BOTH = "for %j = %none, %columns {{ {0} for %i = %none, %rows {{ {1} }} }}"
BODIES = {
    "all elements": (BOTH.format("", "%e = load %x[%i, %j, %g] : f32 store %e, %y[%i, %j, %g]"), ["foreach 2"]),
    "in place": (
        BOTH.format("", "%e = load %y[%i, %j, %g] : f32 %d = arith.add %e, %e : f32 store %d, %y[%i, %j, %g]"),
        ["foreach 2"],
    ),
    "a loop within": (
        """for %i = %none, %rows {
             %s = for %j = %none, %columns init(%c=%zero) -> (f32) {
               %e = load %x[%i, %j, %g] : f32 %d = arith.add %c, %e : f32 yield (%d) }
             store %s, %y[%i, %none, %g] }""",
        ["foreach 1", "for"],
    ),
    "a number of a column": (
        BOTH.format(
            "%s = load %r[%j, %g] : f32 %h = math.exp %s : f32",
            "%e = load %x[%i, %j, %g] : f32 %d = arith.mul %e, %h : f32 store %d, %y[%i, %j, %g]",
        ),
        ["foreach 1", "for"],  # the outer one, whose points are columns
    ),
    "a triangle": (
        """for %j = %none, %columns { %k = arith.add %j, %one : index for %i = %k, %rows {
             %e = load %x[%i, %j, %g] : f32 store %e, %y[%i, %j, %g] } }""",
        ["for", "foreach 1"],
    ),
    "a branch": (
        BOTH.format(
            "",
            """%e = load %x[%i, %j, %g] : f32 %p = cmp.gt %e, %zero : bool
               if %p { store %e, %y[%i, %j, %g] }""",
        ),
        ["foreach 2"],
    ),
    "steps of a recurrence": (
        BOTH.format(
            "",
            """%a = arith.add %j, %one : index %q = arith.rem %a, %columns : index
            %e = load %y[%i, %j, %g] : f32 store %e, %y[%i, %q, %g]""",
        ),
        ["for", "foreach 1"],
    ),
    "what the iteration before wrote": (
        """for %i = %none, %inner { %k = arith.add %i, %one : index
             %e = load %y[%i, %none, %g] : f32 store %e, %y[%k, %none, %g] }""",
        ["for"],
    ),
    "one element": ("for %i = %none, %rows { %e = load %x[%i, %none, %g] : f32 store %e, %r[%none, %g] }", ["for"]),
    "numbers that are carried": (
        """%s = for %i = %none, %rows init(%c=%zero) -> (f32) { %e = load %x[%i, %none, %g] : f32
             %d = arith.add %c, %e : f32 store %d, %y[%i, %none, %g] yield (%d) } store %s, %r[%none, %g]""",
        ["for"],
    ),
}


@pytest.mark.parametrize("name", BODIES)
def test_loops_whose_iterations_may_be_in_any_order(name: str) -> None:
    body, expected = BODIES[name]
    assert shape(after(kernel(body), processor="sse")) == expected


def test_short_loops_stay() -> None:
    """Less than two vectors of what they store: here work-groups are the lanes."""
    body = BODIES["a number of a column"][0]
    for processor, expected in (("avx2", ["for", "foreach 1"]), ("avx512", ["for", "for"])):
        assert shape(after(kernel(body), processor=processor)) == expected
    assert shape(after(kernel(BODIES["all elements"][0]), processor="avx512")) == ["foreach 2"]


def test_columns_become_one_line_of_vectors() -> None:
    """With AVX2, work-groups were lanes here: they were copied into local memory and back."""
    text = kernel(BODIES["all elements"][0])
    module = assert_meaning_kept(text, *sycl_passes(processor="avx2"), groups=3)
    shown = str(module)
    assert "memref<f32x180x?>" in shown
    assert "alloca" not in shown
    assert any(isinstance(op, vector.Load) for op in module.functions[0].walk())


def test_where_arrays_overlap_loops_stay() -> None:
    text = kernel(BODIES["all elements"][0])
    assert shape(after(text, **{"launch.overlapping": True})) == ["for", "for"]


def test_items_of_two_groups_may_be_one_array() -> None:
    @pytl.kernel
    def moved(A: Group[f32, 65], B: Group[f32, 65]):
        g = group_id()
        a, b = A[g], B[g]
        for i in range(64):
            b[i + 1] = a[i]

    assert "foreach" not in moved.ir(NAME)


def test_items_of_groups_may_be_one_array() -> None:
    @pytl.kernel
    def moved(A: Group[f32, 65]):
        g = group_id()
        a, b = A[g], A[g + 1]
        for i in range(64):
            b[i] = a[i]

    assert "foreach" not in moved.ir(NAME)


@pytest.mark.parametrize("backend", ["sycl", pytest.param("mlir", marks=pytest.mark.tools_of("mlir"))])
def test_a_launch_whose_arrays_overlap_has_the_order_of_the_text(backend: str) -> None:
    """What an iteration stores, the next one loads by another name."""

    @pytl.kernel
    def copied(X: Memref[f32, ...], Y: Memref[f32, ...]):
        for i in range(X.shape[0]):
            Y[i] = X[i] + 1.0

    for n in (3, 40):
        memory = np.arange(n + 1, dtype=np.float32)
        apart = np.zeros(n, np.float32)
        copied[1](memory[:-1], apart, backend=backend)
        np.testing.assert_array_equal(apart, np.arange(1, n + 1))
        for used in ("reference", backend):
            shared = np.full(n + 1, 7, np.float32)
            copied[1](shared[:-1], shared[1:], backend=used)
            np.testing.assert_array_equal(shared, 7 + np.arange(n + 1))
