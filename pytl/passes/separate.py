"""Copies of what a collective instruction would overwrite too early.

`C := alpha A B + beta C` uses the old values of A and B, even where C overlaps one of them. The work, however, is
distributed among the work-items, and some write before others read. A factor that may overlap the target in the same
memory is therefore copied to an alloca first. An alloca has no dynamic size, so that a factor of dynamic size stays
(PYTL-3026,
"""

from __future__ import annotations

from typing import Any

from ..ir.operation import Operation
from ..ir.values import Value
from ..ops import Update
from ..ops.builder import Builder
from .analysis.overlap import aliasing_factors


def separated(op: Update) -> list[Operation]:
    """An instruction that computes from copies, where it needs any, with the copies in front of it."""
    copies: dict[Value, Value] = {}
    builder = Builder(op.location)
    for name in aliasing_factors(op):
        factor = getattr(op, name)
        if factor.type.has_static_shape:
            if factor not in copies:
                copies[factor] = _copy(builder, factor)
            setattr(op, name, copies[factor])
    return [*builder.operations, op]


def _copy(builder: Builder, tensor: Value) -> Value:
    type_: Any = tensor.type
    copy = builder.allocate(type_.element, type_.shape)
    stops = [builder.size(tensor, mode) for mode in range(type_.order)]
    order = type_.order

    def element(builder: Builder, points: list[Value]) -> None:
        builder.store(builder.load(tensor, points[:order]), copy, points[:order])

    builder.foreach(stops, element)
    return copy
