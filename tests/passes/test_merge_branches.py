"""Branches on one condition."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from passes_kit import assert_meaning_kept, checked

import pytl
from pytl import Memref, cos, f64, foreach, sin
from pytl.ir.operation import Operation
from pytl.ir.values import Function
from pytl.ops import If, Math
from pytl.passes import Canonicalize, Pass, Pipeline
from pytl.passes.merge_branches import merge_branches

HEAD = """func @f(%x: memref<f32x4x?>, %c: bool, %d: bool, %y: memref<f32x4x?>) {
%i = constant 1 : index
%g = builtin.group_id : index
"""
LOADED = "%a = load %x[%i, %g] : f32\n"


def branch(name: str, value: str, other: str = "%a", condition: str = "c") -> str:
    return f"%{name} = if %{condition} -> (f32) {{\n{value} yield (%v)\n}} else {{\nyield ({other})\n}}\n"


@dataclass(frozen=True)
class Merge(Pass):
    name = "merge-branches-of-tests"
    kept: tuple[type[Operation], ...] = ()

    def run(self, function: Function) -> None:
        merge_branches(function.body, lambda region: {op for op in region.operations if isinstance(op, self.kept)})


def merged(body: str, *kept: type[Operation]) -> str:
    text = f"{HEAD}{LOADED}{body}}}"
    passes = [Merge(kept), Canonicalize()]
    assert_meaning_kept(text, *passes)
    (function,) = Pipeline(passes).run(checked(text)).functions
    operations = list(function.walk())
    branches, exponentials = (sum(isinstance(op, kind) for op in operations) for kind in (If, Math))
    return f"{branches} {exponentials}"


EXP, DOUBLED = "%v = math.exp %a : f32\n", "%e = math.exp %a : f32\n%v = arith.add %e, %e : f32\n"
STORE = "%i0 = constant 0 : index\nstore %r, %y[%i0, %g]\nstore %s, %y[%i, %g]\n"


@pytest.mark.parametrize(
    ("between", "second", "found"),
    [
        ("", branch("s", DOUBLED), "1 1"),  # what both compute is computed once
        ("", branch("s", DOUBLED, condition="d"), "2 2"),
        ("%b = arith.mul %a, %a : f32\n", branch("s", DOUBLED, "%b"), "1 1"),  # which is moved in front
        ("%b = arith.mul %r, %a : f32\n", branch("s", DOUBLED), "1 1"),  # which is not
        ("%b = arith.mul %r, %a : f32\n", branch("s", DOUBLED, "%b"), "2 2"),  # it needs the first one's result
        ("%b = load %y[%i, %g] : f32\n", branch("s", DOUBLED, "%b"), "2 2"),  # not moved past other accesses
        ("", branch("s", "%w = load %x[%i, %g] : f32\n" + DOUBLED.replace("%a", "%w")), "2 2"),
    ],
)
def test_branches_of_one_condition(between: str, second: str, found: str) -> None:
    use = "store %b, %x[%i, %g]\n" if between.startswith("%b = arith") else ""
    assert merged(branch("r", EXP) + between + second + use + STORE) == found


def test_three_become_one() -> None:
    body = branch("r", EXP) + branch("s", DOUBLED) + branch("t", EXP.replace("exp", "native_exp"))
    assert merged(f"{body}store %t, %x[%i, %g]\n{STORE}") == "1 2"


def test_a_third_one_that_needs_the_first_stays() -> None:
    body = branch("r", EXP) + branch("s", DOUBLED) + branch("t", EXP.replace("%a", "%r"))
    assert merged(f"{body}store %t, %x[%i, %g]\n{STORE}") == "2 2"


def test_branches_in_a_branch() -> None:
    inner = branch("r", EXP) + branch("s", DOUBLED) + STORE
    assert merged(f"if %d {{\n{inner}}}\n") == "2 1"


def test_what_is_kept_stays() -> None:
    body = branch("r", EXP) + branch("s", DOUBLED) + STORE
    assert (merged(body), merged(body, If)) == ("1 1", "2 2")


@pytl.kernel
def of_sine(X: Memref[f64, 64], Y: Memref[f64, 64]):
    for i in foreach(64):
        Y[i] = sin(X[i])


@pytl.kernel
def of_both(X: Memref[f64, 64], Y: Memref[f64, 64]):
    for i in foreach(64):
        Y[i] = sin(X[i]) + cos(X[i])


def test_sine_and_cosine_of_f64_reduce_an_angle_once() -> None:
    """As many tests whether a lane takes a branch as for one of them."""
    one, both = (kernel.ir("vectorize").count("vector.reduce.or") for kernel in (of_sine, of_both))
    assert one == both > 0
