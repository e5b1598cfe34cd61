"""Merges two variables of a `foreach` into one, where everything that they index is contiguous in memory.

A vector then continues in the next column, and there is one remainder for all columns instead of one per column.
"""

from __future__ import annotations

from ..ir.operation import Operation
from ..ir.values import Value
from ..ops import Constant, Foreach, Fuse, Load, Store
from ..ops.constants import constant_of

Access = Load | Store


def flattened(op: Foreach) -> list[Operation]:
    """The instruction with its first variables merged as often as possible, and views in front of it."""
    views: list[Operation] = []
    while len(op.variables) > 1 and _is_flat(op):
        views += _flatten(op)
    return [*views, op]


def _is_flat(op: Foreach) -> bool:
    """Whether every use of the first two variables indexes a tensor whose columns follow each other without a gap."""
    first, second = op.variables[:2]
    bounds = [constant_of(value) for value in (*op.start[:2], *op.stop[:2])]
    if None in bounds or bounds[:2] != [0, 0] or min(bounds) < 0:
        return False
    rows, columns = bounds[2:]
    if max(rows, columns, rows * columns) >= 1 << (op.variables[0].type.bits - 1):
        return False
    inside = {value for inner in op.body.walk() for value in inner.results}
    pair = {first, second}
    for inner in op.body.walk():
        if pair.isdisjoint(inner.operands):
            continue
        if not isinstance(inner, Access) or inner.tensor in inside:
            return False
        elsewhere = [*inner.indices[2:], *([inner.data] if isinstance(inner, Store) else [])]
        type_ = inner.tensor.type
        is_index_pair = inner.indices[0] is first and len(inner.indices) > 1 and inner.indices[1] is second
        if not is_index_pair or not pair.isdisjoint(elsewhere):
            return False
        if (type_.shape[0], type_.shape[1]) != (rows, columns):
            return False
        if not isinstance(type_.strides[0], int) or type_.strides[1] != rows * type_.strides[0]:
            return False
    return True


def _flatten(op: Foreach) -> list[Operation]:
    first, _, *others = op.variables
    size = constant_of(op.stop[0]) * constant_of(op.stop[1])
    variable = Value(first.type, first.name, first.location)
    stop = Constant(op.location, [first.type], literal=size)
    views: dict[Value, Operation] = {}
    for inner in op.body.walk():
        if isinstance(inner, Access) and inner.indices and inner.indices[0] is first:
            if inner.tensor not in views:
                views[inner.tensor] = Fuse(op.location, tensor=inner.tensor, first=0, last=1)
            inner.tensor = views[inner.tensor].result
            inner.indices = [variable, *inner.indices[2:]]
    op.body.arguments = [variable, *others]
    op.start, op.stop = op.start[1:], [stop.result, *op.stop[2:]]
    return [*views.values(), stop]
