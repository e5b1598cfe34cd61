"""With how many lanes instructions are vectorised."""

from __future__ import annotations

from ..analysis.uniformity import Variation, variation_of
from ..ir.types import DYNAMIC, Extent
from ..ops import Axpby, Foreach, Load, Math, Store, Update
from ..ops.constants import constant_of
from ..targets.vector_forms import has_vector_points
from .tiles import Machine, lanes_for

WIDEST_TURN = 8
"""Rows of the blocks that are transposed of a matrix whose size is known at run time only."""


def lanes_for_points(op: Foreach, machine: Machine) -> int:
    """How many points of a `foreach` make a vector; 0 if it has to stay a scalar loop."""
    first, last = constant_of(op.start[0]), constant_of(op.stop[0])
    rows: Extent = DYNAMIC if first is None or last is None else last - first
    if rows is not DYNAMIC and rows < 2:
        return 0
    found = variation_of(op)
    if not has_vector_points(op, found):
        return 0
    accesses = [inner for inner in op.body.walk() if isinstance(inner, (Load, Store)) and found.vary(inner.indices)]
    is_worth_it = any(is_contiguous(access, found) for access in accesses) or any(
        isinstance(inner, Math) and found.vary(inner.operands) for inner in op.body.walk()
    )
    if not accesses or not is_worth_it:
        return 0
    return max(min(lanes_for(machine, access.tensor.type.element, rows) for access in accesses), 2)


def is_contiguous(access: Load | Store, found: Variation) -> bool:
    """Whether the lanes of an access are contiguous in memory."""
    which = [mode for mode, value in enumerate(access.indices) if found.is_varying(value)]
    return (
        len(which) == 1 and access.indices[which[0]] in found.consecutive and access.tensor.type.strides[which[0]] == 1
    )


def lanes_for_rows(op: Update, machine: Machine) -> int:
    """The lanes of vectors along the first mode of a collective instruction's first factor."""
    tensors = [op.updated, *(getattr(op, name) for name in op.factors)]
    rows: Extent = tensors[1].type.shape[0]
    lanes = max(min(lanes_for(machine, tensor.type.element, rows) for tensor in tensors), 2)
    is_dynamic_turn = isinstance(op, Axpby) and not op.A.type.has_static_shape
    return min(lanes, WIDEST_TURN) if is_dynamic_turn else lanes
