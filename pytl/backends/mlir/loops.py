"""Bounds and variables of loops in MLIR, whose loops count index values upwards."""

from __future__ import annotations

from collections.abc import Callable

from ...ir import values
from ...mlir.text.builder import Builder, Value
from ...ops import ArithBinary, For
from ...ops.constants import constant_of
from ...passes.targets.vector import Scale

AsIndex = Callable[[values.Value], Value]
"""Gives an integer as an index."""


def bounds(to: Builder, as_index: AsIndex, op: For) -> tuple[Value, Value, Value]:
    """Bounds of index values such that the loop's variable never exceeds the largest number of its type.

    For a step that is neither the constant 1 nor a length of vectors, the trip count is computed first: the loop then
    runs over iteration numbers, and `count` computes the variable. A step that is not positive gives no iterations.
    """
    start, stop = (as_index(value) for value in (op.start, op.stop))
    one, zero = to.constant(1), to.constant(0)
    if _is_plain(op):
        return start, stop, one if op.step is None else as_index(op.step)
    step = as_index(op.step)
    distance = to.op("arith.subi", stop, start)
    up = to.op("arith.cmpi", start, stop, predicate="slt")
    forward = to.op("arith.cmpi", step, zero, predicate="sgt")
    runs = to.op("arith.andi", up, forward)
    divisor = to.op("arith.select", forward, step, one)
    trip_count = to.op("arith.ceildivui", distance, divisor, hint="rounds")
    return zero, to.op("arith.select", runs, trip_count, zero, hint="rounds"), one


def _is_plain(op: For) -> bool:
    """Whether the step is known to be positive, and too small for the variable to overflow."""
    if op.step is None or constant_of(op.step) == 1:
        return True
    length = op.step.owner
    return isinstance(length, ArithBinary) and length.variant == "mul" and isinstance(length.a.owner, Scale)


def count(to: Builder, as_index: AsIndex, op: For, at: Value) -> Value:
    """The loop's variable, as an index."""
    if not _is_plain(op):
        far = to.op("arith.muli", at, as_index(op.step))
        at = to.op("arith.addi", as_index(op.start), far, hint=op.variable.name or "i")
    return at
