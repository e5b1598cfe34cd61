"""How long passes take for large kernels: functions of Python are counted, of which there are about as many in each
pass as a kernel has instructions.
"""

from __future__ import annotations

import sys
from typing import Any

import pytest
from passes_kit import checked, sycl_passes

import pytl
from pytl import Memref, cos, f64, group_id, sin, static_range


def to_elements_of(tensor: str) -> Any:
    """Points that add to elements, each to so many of them: one by one, or of an index that they load."""

    def text(count: int) -> str:
        each = "%c# = constant # : index\nstore.atomic_add %x, " + tensor
        return """func @f(%X: memref<f64x1000>, %I: memref<indexx1000>, %E: memref<f64x1000>, %F: memref<f64x4>) {
          %zero = constant 0 : index
          %all = constant 1000 : index
          foreach (%i) = (%zero), (%all) {
            %x = load %X[%i] : f64
            %j = load %I[%i] : index
            """ + "\n".join([*(each.replace("#", str(n)) for n in range(count)), "}\n}"])  # fmt: skip

    return text


def kepler(count: int) -> str:
    """So many steps of Newton's method, each with a sine and a cosine."""

    @pytl.kernel
    def solve(M: Memref[f64, ...], e: Memref[f64, ...], Y: Memref[f64, ...]):
        g = group_id()
        E = M[g]
        for _ in static_range(count):
            E = E - (E - e[g] * sin(E) - M[g]) / (1.0 - e[g] * cos(E))
        Y[g] = E

    return str(solve)


def calls_of(stage: str, text: str) -> int:
    """How many functions of Python a pass calls."""
    count = 0

    def called(frame: Any, event: str, argument: Any) -> None:
        nonlocal count
        count += event == "call"

    module, before = checked(text), sys.getprofile()
    for step in sycl_passes():
        sys.setprofile(called if step.name == stage else before)
        try:
            step.run_module(module)
        finally:
            sys.setprofile(before)
        if step.name == stage:
            return count
    raise AssertionError(stage)


@pytest.mark.at_most(2)
@pytest.mark.parametrize(
    ("stage", "text", "few", "many"),
    [
        ("atomic-updates", to_elements_of("%E[%c#]"), 50, 400),
        ("atomic-updates", to_elements_of("%F[%j]"), 50, 400),
        ("vectorize", kepler, 2, 8),
    ],
    ids=["sums", "local memory", "functions"],
)
def test_time_is_linear(stage: str, text: Any, few: int, many: int) -> None:
    calls_of(stage, text(1))  # with all that is imported once
    first, second = (calls_of(stage, text(count)) for count in (few, many))
    assert second < 1.4 * first * many / few
