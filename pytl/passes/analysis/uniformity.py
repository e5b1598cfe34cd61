"""How the values of a `foreach` vary among the points that a vector stands for, and of a `parallel` among work-items.

The points that differ in the first variable alone become the lanes of vectors. A value *varies* if it may differ among
them; an index is *consecutive* if it is the variable plus what does not vary, so that lanes may be contiguous.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ...ir.operation import Operation
from ...ir.types import ScalarType
from ...ir.values import Region, Value
from ...ops.arith import ArithBinary, Cast
from ...ops.control import For, If, Yield
from ...ops.regions import Foreach


@dataclass
class Variation:
    """How the values of a region vary."""

    varying: set[Value] = field(default_factory=set)
    consecutive: set[Value] = field(default_factory=set)
    known_uniform: frozenset[Value] = frozenset()
    """What does not vary though it is computed from what does."""

    def is_varying(self, value: Value) -> bool:
        return value in self.varying

    def vary(self, values: Sequence[Value]) -> bool:
        return any(value in self.varying for value in values)


def variation_of(op: Foreach) -> Variation:
    """How values vary in a `foreach` along its first variable."""
    variation = Variation({op.variables[0]}, {op.variables[0]})
    _follow(op.body, variation)
    return variation


def variation_among_groups(region: Region, numbers: set[Value]) -> Variation:
    """How values vary in what work-groups do that follow each other, whose `numbers` the region finds."""
    variation = Variation(set(numbers), set(numbers))
    _follow(region, variation)
    return variation


def variation_along(op: For) -> Variation:
    """How values vary in a loop among its iterations, of which each begins anew with what is carried."""
    variation = Variation({op.variable, *op.carried}, {op.variable})
    _follow(op.body, variation)
    return variation


def variation_among_items(region: Region, varying: set[Value], known_uniform: frozenset[Value]) -> Variation:
    """How values vary in a region that work-items execute, beginning with some that do.

    `known_uniform` are results that are the same for all of them whatever they are computed from.
    """
    variation = Variation(set(varying), known_uniform=known_uniform)
    _follow(region, variation)
    return variation


def _follow(region: Region, variation: Variation) -> None:
    for op in region.operations:
        if isinstance(op, For):
            _follow_loop(op, variation)
        elif isinstance(op, If):
            _follow_branches(op, variation)
        elif op.differs or variation.vary(op.operands):
            variation.varying.update(set(op.results) - variation.known_uniform)
            # in a loop's first iteration less may vary than in the next
            change = (
                variation.consecutive.update
                if _is_consecutive(op, variation)
                else variation.consecutive.difference_update
            )
            change(op.results)


def _is_consecutive(op: Operation, variation: Variation) -> bool:
    if isinstance(op, Cast):
        source, target = op.operand.type, op.result.type
        # in narrow types a sum might wrap and is not consecutive; the variable itself is
        return op.operand in variation.consecutive and target.is_integer and target.size >= source.size
    if isinstance(op, ArithBinary) and op.variant in ("add", "sub") and _is_wide(op.result):
        pairs = [(op.a, op.b)] if op.variant == "sub" else [(op.a, op.b), (op.b, op.a)]
        return any(a in variation.consecutive and b not in variation.varying for a, b in pairs)
    return False


def _is_wide(value: Value) -> bool:
    return isinstance(value.type, ScalarType) and value.type.is_integer and value.type.size == 8


def _follow_loop(op: For, variation: Variation) -> None:
    before = -1
    while before != len(variation.varying):  # what one iteration hands on may make more vary in the next
        before = len(variation.varying)
        if variation.vary([bound for bound in (op.start, op.stop, op.step) if bound is not None]):
            variation.varying.update((*op.body.arguments, *op.results))
        for carried, result, first in zip(op.carried, op.results, op.inits):
            if variation.vary((first, carried)):
                variation.varying.update((carried, result))
        _follow(op.body, variation)
        variation.varying.update(carried for carried, last in zip(op.carried, op.yielded) if variation.is_varying(last))


def _follow_branches(op: If, variation: Variation) -> None:
    yielded = []
    for region in op.regions:
        _follow(region, variation)
        last = region.operations[-1] if region.operations else None
        yielded.append(last.yielded if isinstance(last, Yield) else [])
    for result, *values in zip(op.results, *yielded):
        if variation.vary((op.condition, *values)):
            variation.varying.add(result)
