"""Which functions a work-item executes by itself: their calls need nothing of the kernel around them."""

from __future__ import annotations

from ..ir.operation import Operation
from ..ir.types import BoolType, GroupType, MemrefType, ScalarType
from ..ir.values import Function
from ..ops import (
    ArithBinary,
    ArithUnary,
    Bitcast,
    Call,
    Cast,
    Compare,
    Constant,
    Expand,
    Expandc2r,
    For,
    Fuse,
    If,
    Load,
    Math,
    MathSince04,
    Size,
    Store,
    Subview,
    Yield,
)

_SEQUENTIAL = (
    ArithBinary,
    ArithUnary,
    Bitcast,
    Call,
    Cast,
    Compare,
    Constant,
    Expand,
    Expandc2r,
    For,
    Fuse,
    If,
    Load,
    Math,
    MathSince04,
    Size,
    Store,
    Subview,
    Yield,
)
_TYPES = (BoolType, GroupType, MemrefType, ScalarType)


def is_sequential(function: Function, known: dict[Function, bool]) -> bool:
    """Whether a function only computes numbers, and accesses memory that it is passed; `known` keeps those it calls.

    Local memory of its own, atomic instructions, and what asks for the place of a work-group or work-item need the
    kernel around them.
    """
    if function not in known:
        known[function] = all(isinstance(value.type, _TYPES) for value in function.parameters) and all(
            _is_sequential(op, known) for op in function.walk()
        )
    return known[function]


def _is_sequential(op: Operation, known: dict[Function, bool]) -> bool:
    if not isinstance(op, _SEQUENTIAL) or (isinstance(op, Store) and op.flag):
        return False
    if op.callee is not None and not is_sequential(op.callee, known):
        return False
    return all(isinstance(value.type, _TYPES) for value in op.results)
