"""What passes write for functions of matrices' components: instructions on one component."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ..ir.clone import clone_operation
from ..ir.operation import Operation
from ..ir.values import Value
from ..ops import ArithBinary, ArithUnary, Cast, CooperativeMatrixApply, CooperativeMatrixScale, Yield
from ..ops.builder import Builder

Compute = Callable[..., Value]
"""What computes a component, given a builder and what it is computed of."""


def by_component(op: Operation, scalar: Callable[[Value], Value]) -> tuple[list[Value], Compute] | None:
    """The matrices that an instruction computes component by component, and how; None for another one.

    `scalar` maps other operands to their replacements.
    """
    if isinstance(op, ArithBinary):
        return [op.a, op.b], lambda on, a, b: on.arith(op.variant, a, b)
    if isinstance(op, ArithUnary):
        return [op.a], lambda on, a: on.unary(op.variant, a)
    if isinstance(op, Cast):
        return [op.operand], lambda on, a: on.cast(a, op.result.type.component)
    if isinstance(op, CooperativeMatrixScale):
        factor = scalar(op.scalar)
        return [op.matrix], lambda on, a: on.arith("mul", factor, a)
    return None


def apply_to(
    builder: Builder,
    op: CooperativeMatrixApply,
    row_and_column: Sequence[Value],
    components: Sequence[Value],
    outside: Mapping[Value, Value],
) -> Value:
    """The function of one component: `row_and_column` are its own, of type i32.

    `outside` maps what the region uses of what is defined outside of it.
    """
    mapping = {**outside, **dict(zip(op.body.arguments, (*row_and_column, *components), strict=True))}
    for inner in op.body.operations:
        if not isinstance(inner, Yield):
            builder.add(clone_operation(inner, mapping))
    return mapping.get(op.yielded, op.yielded)
