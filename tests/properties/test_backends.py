"""The SYCL backend leaves in memory what the reference backend does, for programs of the whole language."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from differential.cases import NEEDS_SYCL, STRATEGIES, clone, spans
from generator import ELEMENTS, INTEGERS, SEEDS, generate
from generator.bodies import bodies
from hypothesis import given, settings
from hypothesis import strategies as st
from properties.execution import GROUPS, data_for, differences, edges_for, execute, rounding_errors, unlike

import pytl
from pytl.ir.operation import Operation
from pytl.ir.types import component_type
from pytl.ir.values import Function, Module
from pytl.ops import ArithBinary, ArithUnary, CooperativeMatrixMulAdd, CooperativeMatrixScale, Math, SubgroupAdd, Update
from pytl.passes.targets.strategies import operation_needing_many_items

pytestmark = NEEDS_SYCL

EXAMPLES = settings.default.max_examples // 10
"""A tenth of what other properties have, for each has to be built twice, which takes a second each."""
SIZE = 12
"""Statements of a program at most: the time of a build grows with their square."""
LONG = 60
"""Instructions at most of what is one long body."""
MARGIN = 8
"""How often the rounding errors of the reference backend this one may make."""


def may_round_otherwise(op: Operation) -> bool:
    """Whether backends may give other digits: sums have no order, and products of complex numbers several formulas."""
    if isinstance(op, Update):
        return not op.updated.type.element.is_integer
    if isinstance(op, (CooperativeMatrixMulAdd, SubgroupAdd, Math)):
        return not component_type(op.results[0].type).is_integer
    return isinstance(op, (ArithBinary, ArithUnary, CooperativeMatrixScale)) and any(
        getattr(component_type(value.type), "is_complex", False) for value in op.operands
    )


def ways_of(function: Function) -> tuple[str, ...]:
    """The strategies that differ: work-items that look at their sub-group have to be there."""
    return STRATEGIES if operation_needing_many_items(function) is None else STRATEGIES[1:]


def compare(kernel: pytl.Kernel, seed: int) -> None:
    """Execute a program on both backends, in each strategy."""
    sizes = ("never", "always")[seed % 2]  # code for all sizes, and for those of the data
    for way in ways_of(kernel.function):
        assert_leaves_the_same(kernel, seed, {"strategy": way, "specialize": sizes}, "sycl")


def assert_leaves_the_same(kernel: pytl.Kernel, seed: int, options: dict[str, Any], backend: str) -> None:
    """Execute a program on a backend and the reference; without what may round otherwise, all bits are equal."""
    given = data_for(kernel.function, seed)
    actual = [clone(argument) for argument in given]
    kernel[GROUPS, options](*actual, backend=backend)
    found = unlike_the_reference(kernel.module, given, actual)
    assert not found, f"{backend}, {options}: {found}\n{kernel}"


def unlike_the_reference(module: Module, given: Sequence[Any], actual: Sequence[Any]) -> list[str]:
    """Where a program has left other numbers in its arguments than the reference backend leaves."""
    expected = execute(module, given)
    is_exact = not any(map(may_round_otherwise, module.functions[0].walk()))
    left = [span for argument in actual for span in spans(argument)]
    found = differences(left, expected, None if is_exact else [0.0] * len(expected))
    if found and not is_exact:
        errors = rounding_errors(str(module), given, expected)
        found = differences(left, expected, [MARGIN * error for error in errors])
    return found


def assert_has_the_same_bits(text: str, seed: int, options: dict[str, Any], backend: str) -> None:
    """Execute a program of `generator.bodies` on a backend and the reference."""
    (kernel,) = pytl.compile(text).values()
    given = edges_for(kernel.function, seed)
    expected = execute(kernel.module, given)
    actual = [clone(argument) for argument in given]
    kernel[GROUPS, options](*actual, backend=backend)
    found = unlike([span for argument in actual for span in spans(argument)], expected)
    assert not found, f"{backend}, {options}: {found}\n{kernel}"


@settings(max_examples=EXAMPLES // 5)
@given(SEEDS, st.integers(5, LONG))
def test_long_bodies_have_the_same_bits_on_sycl(seed: int, size: int) -> None:
    for way in STRATEGIES:
        assert_has_the_same_bits(bodies(Random(seed), size), seed, {"strategy": way}, "sycl")


@settings(max_examples=EXAMPLES)
@given(SEEDS, st.integers(0, SIZE), st.sampled_from((ELEMENTS, ELEMENTS, INTEGERS)))
def test_the_sycl_backend_computes_what_the_reference_does(seed: int, size: int, elements: tuple[str, ...]) -> None:
    text = generate(Random(seed), safe=True, size=size, elements=elements)
    (kernel,) = pytl.compile(text).values()
    compare(kernel, seed)
