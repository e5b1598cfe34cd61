"""Copies of what a collective instruction would overwrite too early.

`C := alpha A B + beta C` means the A and B of before, and so it does where C overlaps one of them; but the work is
distributed among the work-items, some of which write before others read. A factor that may overlap the target in the
same memory is copied to an alloca first. There is none of a dynamic size, so that such a factor stays (PYTL-3026,
PYTL-4019). Different parameters are apart: a launch sees to that (PYTL-2030).
"""

from __future__ import annotations

from typing import Any

from ..ir.operation import Operation
from ..ir.values import Value
from ..ops import Update
from .builder import Builder


def separated(op: Update) -> list[Operation]:
    """An instruction, with copies in front of it and computing from these, where it needs any."""
    copies: dict[Value, Value] = {}
    builder = Builder(op.location)
    for name in op.hindering_factors:
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

    def element(at: Builder, points: list[Value]) -> None:
        at.store(at.load(tensor, points[:order]), copy, points[:order])

    builder.foreach(stops, element)
    return copy
