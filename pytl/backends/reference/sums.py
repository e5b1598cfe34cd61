"""Execution of the sums of the work-group along modes."""

from __future__ import annotations

import numpy as np

from ...ops import Cumsum, Sum
from .collectives import demand, demand_shape, operand, total, update
from .machine import Machine, Results, executes


@executes(Sum)
def sum_(machine: Machine, op: Sum) -> Results:
    a = operand(machine, op, op.A, op.b.type.element, op.transpose)
    if a.ndim == 2:
        demand(machine, op, "rows(op(A))", a.shape[0], "rows(b)", machine[op.b].shape[0], op.b)
    # in its own type, because NumPy sums narrow integers in a wider one
    update(machine, op, total(a.sum(axis=-1, dtype=a.dtype)), op.b)
    return ()


@executes(Cumsum)
def cumsum(machine: Machine, op: Cumsum) -> Results:
    a = operand(machine, op, op.A, op.B.type.element)
    demand_shape(machine, op, "A", a.shape, "B", op.B)
    update(machine, op, total(np.cumsum(a, axis=op.mode, dtype=a.dtype)), op.B)
    return ()
