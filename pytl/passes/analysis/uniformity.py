"""How the values of a `foreach` vary among the points that a vector stands for, and of a `parallel` among work-items.

The points that differ in the first variable alone become the lanes of vectors. A value *varies* if it may differ among
them. An integer has a *step* if it grows by one known number from lane to lane, as `n - 1 - i` and `2 * i + c` do; it
is *consecutive* if that is 1, so that lanes may be contiguous.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ...ir.operation import Operation
from ...ir.types import ScalarType, index
from ...ir.values import Region, Value
from ...ops.arith import ArithBinary, ArithUnary, Cast
from ...ops.constants import constant_of, wrap
from ...ops.control import For, If, Yield
from ...ops.regions import Foreach


@dataclass
class Variation:
    """How the values of a region vary."""

    varying: set[Value] = field(default_factory=set)
    steps: dict[Value, int] = field(default_factory=dict)
    """By how much values grow from lane to lane, where that is known; it is not 0."""
    known_uniform: frozenset[Value] = frozenset()
    """What does not vary though it is computed from what does."""
    are_in_step: bool = True
    """Whether all execute an iteration of a loop at the same time, though some leave the loop before others."""

    def is_varying(self, value: Value) -> bool:
        return value in self.varying

    def is_consecutive(self, value: Value) -> bool:
        return self.steps.get(value) == 1

    def step_of(self, value: Value) -> int | None:
        """By how much a value grows from lane to lane; None where that is not known."""
        return self.steps.get(value) if value in self.varying else 0

    def vary(self, values: Sequence[Value]) -> bool:
        return any(value in self.varying for value in values)


def variation_of(op: Foreach) -> Variation:
    """How values vary in a `foreach` along its first variable."""
    variation = Variation({op.variables[0]}, {op.variables[0]: 1})
    _follow(op.body, variation)
    return variation


def variation_among_groups(region: Region, numbers: set[Value]) -> Variation:
    """How values vary in what work-groups do that follow each other, whose `numbers` the region finds."""
    variation = Variation(set(numbers), dict.fromkeys(numbers, 1))
    _follow(region, variation)
    return variation


def variation_along(op: For) -> Variation:
    """How values vary in a loop among its iterations, of which each begins anew with what is carried."""
    variation = Variation({op.variable, *op.carried}, {op.variable: 1})
    _follow(op.body, variation)
    return variation


def variation_among_items(region: Region, varying: set[Value], known_uniform: frozenset[Value]) -> Variation:
    """How values vary in a region that work-items execute, beginning with some that do.

    `known_uniform` are results that are the same for all of them whatever they are computed from.
    """
    variation = Variation(set(varying), known_uniform=known_uniform, are_in_step=False)
    _follow(region, variation)
    return variation


def _follow(region: Region, variation: Variation) -> None:
    for op in region.operations:
        if isinstance(op, For):
            _follow_loop(op, variation)
        elif isinstance(op, Foreach):
            if variation.vary((*op.start, *op.stop)):
                variation.varying.update(op.variables)
            _follow(op.body, variation)
        elif isinstance(op, If):
            _follow_branches(op, variation)
        elif op.differs or variation.vary(op.operands):
            variation.varying.update(set(op.results) - variation.known_uniform)
            for result in op.results:
                step = _step(op, variation)
                if step is not None and wrap(step, index) != 0:
                    variation.steps[result] = wrap(step, index)
                else:  # in a loop's first iteration less may vary than in the next
                    variation.steps.pop(result, None)


def _step(op: Operation, variation: Variation) -> int | None:
    """By how much the result of an instruction grows from lane to lane."""
    if isinstance(op, Cast):
        source, target = op.operand.type, op.result.type
        # in narrow types a sum might wrap and has no step; the variable itself has
        if not isinstance(source, ScalarType) or not isinstance(target, ScalarType) or not target.is_integer:
            return None
        return variation.step_of(op.operand) if target.size >= source.size else None
    if isinstance(op, ArithUnary):
        step = variation.step_of(op.a) if op.variant == "neg" and _is_wide(op.result) else None
        return None if step is None else -step
    if not isinstance(op, ArithBinary) or not _is_wide(op.result):
        return None
    a, b = variation.step_of(op.a), variation.step_of(op.b)
    if a is None or b is None:
        return None
    if op.variant in ("add", "sub"):
        return a + b if op.variant == "add" else a - b
    if op.variant == "mul" and 0 in (a, b):
        factor = constant_of(op.b if b == 0 else op.a)
        return None if factor is None else (a or b) * int(factor)
    return None


def _is_wide(value: Value) -> bool:
    return isinstance(value.type, ScalarType) and value.type.is_integer and value.type.size == 8


def _follow_loop(op: For, variation: Variation) -> None:
    before = -1
    while before != len(variation.varying):  # what one iteration hands on may make more vary in the next
        before = len(variation.varying)
        if variation.vary(op.bounds):
            variation.varying.update((*op.carried, *op.results))
            if not _has_one_variable(op, variation):
                variation.varying.add(op.variable)
                if op.start in variation.steps:
                    variation.steps[op.variable] = variation.steps[op.start]
        for carried, result, first in zip(op.carried, op.results, op.inits):
            if variation.vary((first, carried)):
                variation.varying.update((carried, result))
        _follow(op.body, variation)
        variation.varying.update(carried for carried, last in zip(op.carried, op.yielded) if variation.is_varying(last))


def _has_one_variable(op: For, variation: Variation) -> bool:
    """Whether a loop whose bounds vary has the same variable for all that execute an iteration.

    Those that begin one behind the other do not begin together, if they end together. Any others do begin together.
    """
    if not variation.are_in_step or not variation.is_varying(op.start):
        return variation.are_in_step
    step = 1 if op.step is None else constant_of(op.step)
    return step == 1 and abs(variation.steps.get(op.start, 0)) == 1 and not variation.is_varying(op.stop)


def _follow_branches(op: If, variation: Variation) -> None:
    yielded = []
    for region in op.regions:
        _follow(region, variation)
        last = region.operations[-1] if region.operations else None
        yielded.append(last.yielded if isinstance(last, Yield) else [])
    for result, *values in zip(op.results, *yielded):
        if variation.vary((op.condition, *values)):
            variation.varying.add(result)
