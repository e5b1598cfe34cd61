"""Bounds and variables of loops in MLIR, whose loops count index values upwards."""

from __future__ import annotations

from collections.abc import Callable

from ...ir.values import Value
from ...ops import For
from ...ops.constants import constant_of
from .builder import Builder

AsIndex = Callable[[Value], str]
"""Gives the name of an integer as an index."""


def bounds(to: Builder, as_index: AsIndex, op: For) -> tuple[str, str, str]:
    """Bounds of index values such that the loop's variable never exceeds the largest number of its type.

    For a step that is not the constant 1, the trip count is computed first: the loop then runs over iteration
    numbers, and `count` computes the variable. A step that is not positive gives no iterations.
    """
    start, stop = (as_index(value) for value in (op.start, op.stop))
    one, zero = to.constant(1), to.constant(0)
    if op.step is None or constant_of(op.step) == 1:
        return start, stop, one
    step = as_index(op.step)
    distance = to.op(f"arith.subi {stop}, {start} : index")
    up = to.op(f"arith.cmpi slt, {start}, {stop} : index")
    forward = to.op(f"arith.cmpi sgt, {step}, {zero} : index")
    runs = to.op(f"arith.andi {up}, {forward} : i1")
    divisor = to.op(f"arith.select {forward}, {step}, {one} : index")
    rounds = to.op(f"arith.ceildivui {distance}, {divisor} : index", "rounds")
    return zero, to.op(f"arith.select {runs}, {rounds}, {zero} : index", "rounds"), one


def count(to: Builder, as_index: AsIndex, op: For, at: str) -> str:
    """The loop's variable, as an index."""
    if op.step is not None and constant_of(op.step) != 1:
        far = to.op(f"arith.muli {at}, {as_index(op.step)} : index")
        at = to.op(f"arith.addi {as_index(op.start)}, {far} : index", op.variable.name or "i")
    return at
