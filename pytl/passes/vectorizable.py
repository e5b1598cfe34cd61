"""Which instructions can be vectorised, and with how many lanes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..ir.operation import Operation
from ..ir.types import DYNAMIC, BoolType, Extent, MemrefType, ScalarType
from ..ir.values import Region, Value
from ..ops import (
    ArithBinary,
    ArithUnary,
    Axpby,
    Cast,
    Compare,
    Constant,
    Cumsum,
    Expand,
    For,
    Foreach,
    Fuse,
    Gemv,
    If,
    Load,
    Math,
    Size,
    Store,
    Subview,
    Sum,
    Update,
    Yield,
)
from ..ops.constants import constant_of
from ..ops.updates import TURNS
from ..ops.variation import Variation, variation_of
from .tiles import Machine, lanes_for

if TYPE_CHECKING:
    from typing import TypeGuard

_NUMBERS = (Constant, ArithBinary, ArithUnary, Cast, Compare, Math)
_VIEWS = (Subview, Expand, Fuse, Size)
_FARTHEST = 2**62
"""Up to here, a 64-bit loop variable has room for one more step."""


# What can be vectorised.


def lanes_of(op: Foreach, machine: Machine) -> int:
    """How many points of a `foreach` make a vector; 0 if it has to stay a scalar loop."""
    first, last = constant_of(op.start[0]), constant_of(op.stop[0])
    rows: Extent = DYNAMIC if first is None or last is None else last - first
    if rows is not DYNAMIC and rows < 2:
        return 0
    found = variation_of(op)
    if not _can(op.body, found):
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
    return len(which) == 1 and access.indices[which[0]] in found.in_step and access.tensor.type.strides[which[0]] == 1


def _can(region: Region, found: Variation) -> bool:
    return all(_can_do(op, found) for op in region.operations)


def _can_do(op: Operation, found: Variation) -> bool:
    if any(not isinstance(v.type, (ScalarType, BoolType, MemrefType)) for v in (*op.operands, *op.results)):
        return False
    if isinstance(op, Store):
        return op.flag == ""
    if isinstance(op, _VIEWS):
        return not found.vary(op.operands)
    if isinstance(op, For):
        return not found.vary(_bounds(op)) and _has_room(op) and _can(op.body, found)
    if isinstance(op, If):
        return all(_can(inner, found) for inner in op.regions)
    return isinstance(op, (*_NUMBERS, Load, Yield))


def _bounds(op: For) -> list[Value]:
    return [value for value in (op.start, op.stop, op.step) if value is not None]


def _has_room(op: For) -> bool:
    """Whether 64 bits hold the loop's variable, which takes one step beyond the end, and the step is known."""
    step = 1 if op.step is None else constant_of(op.step)
    if step is None or not 0 < step <= _FARTHEST:
        return False
    stop = constant_of(op.stop)
    return step == 1 or op.variable.type.size < 8 or (stop is not None and stop + step <= _FARTHEST)


def lanes_for_rows(op: Update, machine: Machine) -> int:
    """The lanes of vectors along the first mode of a collective instruction's first factor."""
    tensors = [op.updated, *(getattr(op, name) for name in op.factors)]
    rows: Extent = tensors[1].type.shape[0]
    return max(min(lanes_for(machine, tensor.type.element, rows) for tensor in tensors), 2)


# Collective instructions that have vector code of their own.


def stays(op: Operation) -> TypeGuard[Update]:
    """Whether a collective instruction does not become a `foreach`, because it has better vector code of its own."""
    if isinstance(op, Axpby):
        is_turned = TURNS[op.transpose] and op.A.type.order == 2
        return is_turned and not op.atomic and op.A.type.strides[0] == 1 and op.B.type.strides[0] == 1
    if isinstance(op, Cumsum):
        return op.mode == 0 and not op.atomic and op.A.type.strides[0] == 1 and op.B.type.strides[0] == 1
    if isinstance(op, (Gemv, Sum)) and not op.atomic:
        contiguous = [op.A]
        is_of_rows = op.A.type.order == 2 and not TURNS[op.transpose]
        if is_of_rows:
            contiguous.append(op.updated)
        elif isinstance(op, Gemv):
            contiguous.append(op.b)
        return all(tensor.type.strides[0] == 1 for tensor in contiguous)
    return False
