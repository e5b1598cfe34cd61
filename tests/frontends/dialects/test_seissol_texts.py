"""Whole kernels as YATeTo prints them for SeisSol, in the dialects 0.3 and 0.4: they are read, run, and come back."""

from __future__ import annotations

import copy

import numpy as np
import pytest
from sampling import crossed
from seissol_kit import WORKLOADS, arguments

import pytl
from pytl.frontends.registry import find_frontend

pytestmark = pytest.mark.at_most(4)

CASES = crossed(WORKLOADS, (3, 4, 6), ("f32", "f64"), ("0.3", "0.4"), ("reference", "sycl"))


@pytest.mark.parametrize(("name", "order", "element", "dialect", "backend"), CASES)
def test_a_kernel_computes_what_numpy_does(name: str, order: int, element: str, dialect: str, backend: str) -> None:
    workload, count = WORKLOADS[name](order, element), 3
    kernel = pytl.compile(workload.text(dialect, element), language=dialect)["kernel"]
    given, own = arguments(workload, element, count)
    wanted = copy.deepcopy(own)
    for each in wanted:
        workload.compute(each)
    kernel[count](*given, backend=backend)
    for found, expected in zip(own, wanted):
        for parameter in workload.parameters:
            np.testing.assert_array_equal(found[parameter.name], expected[parameter.name], parameter.name)


@pytest.mark.parametrize("dialect", ["0.3", "0.4"])
@pytest.mark.parametrize("name", WORKLOADS)
def test_both_dialects_say_the_same(name: str, dialect: str) -> None:
    """A kernel in one dialect, written in the other, has the instructions of the kernel that is printed in it."""
    workload = WORKLOADS[name](5, "f64")
    other = {"0.3": "0.4", "0.4": "0.3"}[dialect]
    module = pytl.parse(workload.text(dialect, "f64"), language=dialect)
    pytl.verify(module)
    shown = find_frontend(other, "").write(module)
    again = pytl.parse(workload.text(other, "f64"), language=other)
    modules = (again, pytl.parse(shown, language=other))
    words = [[op.word for op in module["kernel"].walk() if op.word != "constant"] for module in modules]
    assert words[0] == words[1]
