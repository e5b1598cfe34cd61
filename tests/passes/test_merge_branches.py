"""Branches on one condition."""

from __future__ import annotations

import pytest
from passes_kit import assert_meaning_kept, checked

from pytl.ops import If, Math
from pytl.passes import Canonicalize, Pipeline

HEAD = """func @f(%x: memref<f32x4x?>, %c: bool, %d: bool, %y: memref<f32x4x?>) {
%i = constant 1 : index
%g = builtin.group_id : index
"""
LOADED = "%a = load %x[%i, %g] : f32\n"


def branch(name: str, value: str, other: str = "%a", condition: str = "c") -> str:
    return f"%{name} = if %{condition} -> (f32) {{\n{value} yield (%v)\n}} else {{\nyield ({other})\n}}\n"


def merged(body: str) -> str:
    text = f"{HEAD}{LOADED}{body}}}"
    assert_meaning_kept(text, Canonicalize())
    (function,) = Pipeline([Canonicalize()]).run(checked(text)).functions
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


def test_branches_in_a_branch() -> None:
    inner = branch("r", EXP) + branch("s", DOUBLED) + STORE
    assert merged(f"if %d {{\n{inner}}}\n") == "2 1"
