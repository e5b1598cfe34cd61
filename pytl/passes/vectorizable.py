"""Which instructions can be made vector code of, and how their values vary among the points that a vector stands for.

The points of a `foreach` that differ in its first variable alone become the lanes of vectors. A value *varies* if it may
differ among them; and an index is *in step* if it is the variable plus what does not vary, so that lanes are neighbours.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

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
from .tiles import Machine, lanes_for

_NUMBERS = (Constant, ArithBinary, ArithUnary, Cast, Compare, Math)
_VIEWS = (Subview, Expand, Fuse, Size)
_FARTHEST = 2**62
"""Up to here, a loop's variable of 64 bits has room for one more step."""


@dataclass
class Variation:
    """How the values of a region vary."""

    varying: set[Value] = field(default_factory=set)
    in_step: set[Value] = field(default_factory=set)

    def is_varying(self, value: Value) -> bool:
        return value in self.varying

    def vary(self, values: Sequence[Value]) -> bool:
        return any(value in self.varying for value in values)


def variation_of(op: Foreach) -> Variation:
    """How values vary in a `foreach` along its first variable."""
    found = Variation({op.variables[0]}, {op.variables[0]})
    _follow(op.body, found)
    return found


def _follow(region: Region, found: Variation) -> None:
    for op in region.operations:
        if isinstance(op, For):
            _follow_loop(op, found)
        elif isinstance(op, If):
            _follow_branches(op, found)
        elif found.vary(op.operands):
            found.varying.update(op.results)
            if _is_in_step(op, found):
                found.in_step.update(op.results)


def _is_in_step(op: Operation, found: Variation) -> bool:
    if isinstance(op, Cast):
        source, target = op.operand.type, op.result.type
        # of the narrow types no sums are in step, which might wrap, but the variable itself is
        return op.operand in found.in_step and target.is_integer and target.size >= source.size
    if isinstance(op, ArithBinary) and op.variant in ("add", "sub") and _is_wide(op.result):
        pairs = [(op.a, op.b)] if op.variant == "sub" else [(op.a, op.b), (op.b, op.a)]
        return any(a in found.in_step and b not in found.varying for a, b in pairs)
    return False


def _is_wide(value: Value) -> bool:
    return isinstance(value.type, ScalarType) and value.type.is_integer and value.type.size == 8


def _follow_loop(op: For, found: Variation) -> None:
    before = -1
    while before != len(found.varying):  # what one iteration hands on may make more vary in the next
        before = len(found.varying)
        for carried, result, first in zip(op.carried, op.results, op.inits):
            if found.vary((first, carried)):
                found.varying.update((carried, result))
        _follow(op.body, found)
        found.varying.update(carried for carried, last in zip(op.carried, op.yielded) if found.is_varying(last))


def _follow_branches(op: If, found: Variation) -> None:
    given = []
    for region in op.regions:
        _follow(region, found)
        last = region.operations[-1] if region.operations else None
        given.append(last.yielded if isinstance(last, Yield) else [])
    for result, *values in zip(op.results, *given):
        if found.vary((op.condition, *values)):
            found.varying.add(result)


# What can be done.


def lanes_of(op: Foreach, machine: Machine) -> int:
    """How many points of a `foreach` make a vector; 0 if it has to stay a loop over points."""
    first, last = constant_of(op.start[0]), constant_of(op.stop[0])
    rows: Extent = DYNAMIC if first is None or last is None else last - first
    if rows is not DYNAMIC and rows < 2:
        return 0
    found = variation_of(op)
    if not _can(op.body, found):
        return 0
    accesses = [inner for inner in op.body.walk() if isinstance(inner, (Load, Store)) and found.vary(inner.indices)]
    is_worth_it = any(map(lambda a: is_contiguous(a, found), accesses)) or any(
        isinstance(inner, Math) and found.vary(inner.operands) for inner in op.body.walk()
    )
    if not accesses or not is_worth_it:
        return 0
    return max(min(lanes_for(machine, access.tensor.type.element, rows) for access in accesses), 2)


def is_contiguous(access: Load | Store, found: Variation) -> bool:
    """Whether the lanes of an access are neighbours in memory."""
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
    """Whether 64 bits hold the loop's variable, which takes one step too many, and the step is known."""
    step = 1 if op.step is None else constant_of(op.step)
    if step is None or step > _FARTHEST:
        return False
    stop = constant_of(op.stop)
    return step == 1 or op.variable.type.size < 8 or (stop is not None and stop + step <= _FARTHEST)


def lanes_for_rows(op: Update, machine: Machine) -> int:
    """The lanes of vectors along the first mode of a collective instruction's first factor."""
    tensors = [op.updated, *(getattr(op, name) for name in op.factors)]
    rows: Extent = tensors[1].type.shape[0]
    return max(min(lanes_for(machine, tensor.type.element, rows) for tensor in tensors), 2)


# Collective instructions that are made vector code of as they are.


def stays(op: Operation) -> bool:
    """Whether a collective instruction is not made a `foreach`, for there is better vector code for it."""
    if isinstance(op, Axpby):
        is_turned = op.transpose == "t" and op.A.type.order == 2
        return is_turned and not op.atomic and op.A.type.strides[0] == 1 and op.B.type.strides[0] == 1
    if isinstance(op, (Gemv, Sum)) and not op.atomic:
        contiguous = [op.A]
        is_of_rows = op.A.type.order == 2 and op.transpose == "n"
        if is_of_rows:
            contiguous.append(op.updated)
        elif isinstance(op, Gemv):
            contiguous.append(op.b)
        return all(tensor.type.strides[0] == 1 for tensor in contiguous)
    return False
