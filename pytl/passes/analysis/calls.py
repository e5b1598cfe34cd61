"""Which calls need nothing of the kernel around them, so that a backend may have a function for them in its code.

A *sequential* function is executed by a work-item by itself, wherever it is called. A *collective* one is executed by
all work-items of a work-group together, and may have local memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ...ir.operation import Operation
from ...ir.types import BoolType, GroupType, MemrefType, ScalarType
from ...ir.values import Function
from ...ops import (
    Alloca,
    Associated,
    Barrier,
    Builtin,
    Call,
    Constant,
    For,
    Foreach,
    If,
    LifetimeStop,
    Load,
    Store,
    SubgroupBroadcast,
    SubgroupBuiltin,
    SubgroupOperation,
    Update,
    Yield,
)
from ...ops.calls import effects_of
from ...ops.contraction import Contraction
from ...ops.views import root_of

_SEQUENTIAL = (Call, For, If, Load, Store, Yield)
"""What a work-item does by itself beside computing results."""
PLACES = ("group_id", "group_size")
"""What a function asks of the launch that its callers can pass to it."""
_TYPES = (BoolType, GroupType, MemrefType, ScalarType)


class Kinds:
    """Which functions are sequential or collective, each looked at once."""

    def __init__(self) -> None:
        self._sequential: dict[Function, bool] = {}
        self._spmd: dict[Function, bool] = {}
        self._collective: dict[Function, bool] = {}

    def is_sequential(self, function: Function) -> bool:
        """Whether a function only computes numbers, and accesses memory that it is passed.

        Local memory of its own, atomic instructions, and what asks for the place of a work-group or work-item need the
        kernel around them.
        """
        return self._all(function, function.walk(), self._sequential, self._is_sequential)

    def is_spmd(self, function: Function) -> bool:
        """Whether a function is sequential but for what the work-items of a sub-group exchange."""
        return self._all(function, function.walk(), self._spmd, self._is_spmd)

    def is_collective(self, function: Function) -> bool:
        """Whether a function is sequential but for local memory, collective instructions on memory that it is passed,
        and the number of the work-group.

        Sub-groups, matrices of theirs, and atomic accesses depend on how the kernel is executed.
        """
        return self._all(function, function.body.operations, self._collective, self._is_collective)

    def _all(
        self,
        function: Function,
        operations: Iterable[Operation],
        known: dict[Function, bool],
        fits: Callable[[Operation], bool],
    ) -> bool:
        if function not in known:
            are_passed = all(isinstance(value.type, _TYPES) for value in function.parameters)
            known[function] = are_passed and all(map(fits, operations))
        return known[function]

    def _is_sequential(self, op: Operation) -> bool:
        if not (isinstance(op, _SEQUENTIAL) or _computes(op)) or (isinstance(op, Store) and op.flag):
            return False
        if op.callee is not None and not self.is_sequential(op.callee):
            return False
        return all(isinstance(value.type, _TYPES) for value in op.results)

    def _is_spmd(self, op: Operation) -> bool:
        if op.callee is not None:
            return self.is_spmd(op.callee)
        # what does not tell work-items apart may be executed by one for all, which the function is not told
        of_subgroup = isinstance(op, (SubgroupBuiltin, SubgroupBroadcast, SubgroupOperation)) and op.depends_on_lane
        return of_subgroup or self._is_sequential(op)

    def _is_collective(self, op: Operation) -> bool:
        if isinstance(op, Update):
            return not op.atomic and not isinstance(op, Contraction)
        if isinstance(op, Foreach):
            return all(self._is_sequential(inner) or _uses_position(inner) for inner in op.body.walk())
        if isinstance(op, (Alloca, Barrier, LifetimeStop)) or _uses_position(op):
            return True
        if op.callee is not None:
            return self.is_collective(op.callee)
        if isinstance(op, (For, If)):
            inner = (each for region in op.regions for each in region.operations)
            return all(isinstance(value.type, _TYPES) for value in op.results) and all(map(self._is_collective, inner))
        return self._is_sequential(op)


def _computes(op: Operation) -> bool:
    """Whether the results follow from the operands: what has none of these asks for a place, unless it is a constant.

    Which arguments are associated is known where all calls are inlined.
    """
    follows = bool(op.operands) or isinstance(op, Constant)
    return op.pure and op.kind == "mixed" and follows and not isinstance(op, Associated)


def _uses_position(op: Operation) -> bool:
    return isinstance(op, Builtin) and op.variant in PLACES


def may_overlap(call: Call) -> bool:
    """Whether a call passes the same memory twice, and the function writes to it.

    A collective instruction of the function would have to read all of it before.
    """
    roots = [root_of(value) if isinstance(value.type, (GroupType, MemrefType)) else None for value in call.arguments]
    return any(roots.count(roots[k]) > 1 for k in effects_of(call.callee, {}).written)
