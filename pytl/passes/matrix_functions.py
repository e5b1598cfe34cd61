"""What passes write for functions of matrices' components: the region's instructions for one component."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..ir.clone import clone_operation
from ..ir.values import Value
from ..ops import CooperativeMatrixApply, Yield
from ..ops.builder import Builder


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
