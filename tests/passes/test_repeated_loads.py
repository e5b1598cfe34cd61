"""Loads of what was loaded or stored just before."""

from __future__ import annotations

import numpy as np
import pytest
from passes_kit import assert_meaning_kept, checked, sycl_passes

import pytl
from pytl import Group, Memref, f32, foreach, group_id
from pytl.ops import Load
from pytl.passes.repeated_loads import merge_repeated_loads

HEAD = """func @f(%x: memref<f32x8>, %y: memref<f32x8>, %c: bool) {
  %none = constant 0 : index
  %one = constant 1 : index
  %end = constant 7 : index
  %own = alloca : memref<f32x8,local>
"""
LOAD = "%{name} = load %{tensor}[%{index}] : f32\n"


def load(name: str, tensor: str = "x", index: str = "one") -> str:
    return LOAD.format(name=name, tensor=tensor, index=index)


USE = "%s = arith.add %a, %b : f32\nstore %s, %y[%none]\n"


def loads(body: str, are_apart: bool) -> int:
    """How many loads a function has left."""
    (function,) = checked(f"{HEAD}{body}}}").functions
    merge_repeated_loads(function.body, are_apart)
    assert all(op in [*function.walk()] for each in function.walk() for op in [v.owner for v in each.operands] if op)
    return sum(isinstance(op, Load) for op in function.walk())


@pytest.mark.parametrize(
    ("between", "apart", "otherwise"),
    [
        ("", 1, 1),
        (load("z", index="none"), 2, 2),
        ("store %a, %y[%none]\n", 1, 2),
        ("store %a, %own[%none]\n", 1, 1),
        ("store %a, %x[%none]\n", 2, 2),
        ("if %c {\nstore %a, %x[%none]\n}\n", 2, 2),
        ("for %k = %none, %end {\nstore %a, %y[%k]\n}\n", 1, 2),
        ("barrier.global\n", 2, 2),
    ],
)
def test_what_is_between_two_loads(between: str, apart: int, otherwise: int) -> None:
    body = load("a") + between + load("b") + USE
    assert (loads(body, True), loads(body, False)) == (apart, otherwise)


def test_what_was_stored_is_not_loaded() -> None:
    body = load("a", index="none") + "store %a, %x[%one]\n" + load("b") + USE
    assert loads(body, True) == loads(body, False) == 1


def test_what_a_branch_or_a_loop_loads_is_known_in_it_alone() -> None:
    inside = load("d") + load("e") + "%t = arith.add %d, %e : f32\nstore %t, %own[%none]\n"
    assert loads(f"if %c {{\n{inside}}}\n" + load("a") + load("b") + USE, True) == 2
    assert loads(load("a") + f"for %k = %none, %end {{\n{inside}}}\n" + load("b") + USE, True) == 1
    assert loads(load("a") + f"for %k = %none, %end {{\n{inside}store %t, %x[%k]\n}}\n" + load("b") + USE, True) == 3


def test_the_meaning_stays() -> None:
    body = "foreach (%i) = (%none), (%end) {\n" + load("a", index="i, %g") + "store %a, %y[%i, %g]\n"
    body += load("b", index="i, %g") + load("d", "y", "i, %g")
    body += "%s = arith.add %b, %d : f32\n%t = arith.mul %s, %a : f32\nstore %t, %y[%i, %g]\n}\n"
    head = HEAD.replace("f32x8>, ", "f32x8x?>, ").replace("%none =", "%g = builtin.group_id : index\n%none =", 1)
    code = str(assert_meaning_kept(f"{head}{body}}}", *sycl_passes()))
    assert code.count("vector.load") <= code.count("vector.store")


@pytl.kernel
def of_groups(A: Group[f32, 2, 16], C: Group[f32, 2, 16], B: Memref[f32, 2, 16]):
    g = group_id()
    a, c = A[g], C[g]
    for i in foreach(16):
        x, y = a[0, i], B[1, i]
        c[0, i] = a[1, i] + 1.0
        c[1, i] = a[0, i] + x * y + B[1, i]


@pytest.mark.parametrize("backend", ["sycl", pytest.param("mlir", marks=pytest.mark.tools_of("mlir"))])
def test_items_of_groups_may_be_one_array(backend: str) -> None:
    """Launches do not compare them, so that what was stored is loaded again, and components are loaded one by one."""
    found = [np.asfortranarray(np.arange(32, dtype=np.float32).reshape(2, 16)) for _ in range(2)]
    for array, where in zip(found, ("reference", backend)):
        of_groups[1]([array], [array], array, backend=where)
    assert np.array_equal(*found)
