"""Functions that ask whether parameters were passed, as functions that know it."""

from __future__ import annotations

from collections.abc import Collection

from .. import passes
from ..ir.clone import clone_function
from ..ir.operation import Operation
from ..ir.types import bool_
from ..ir.values import Function, Value
from ..ops import Associated, Constant
from .analysis.uses import Roots, replace_uses


def optional_parameters(function: Function) -> frozenset[int]:
    """The positions of the parameters of which a function asks whether they were passed."""
    roots = Roots()
    tested = {roots.of(op.tensor) for op in function.walk() if isinstance(op, Associated)}
    return frozenset(number for number, value in enumerate(function.parameters) if value in tested)


def uses_associated(function: Function) -> bool:
    """Whether a function asks whether anything was passed."""
    return any(isinstance(op, Associated) for op in function.walk())


def without_absent_parameters(function: Function, absent: Collection[int]) -> tuple[Function, dict[Value, Operation]]:
    """A copy that knows which parameters are passed, and has no others.

    Also what is absent and used nevertheless, each with an instruction that uses it; there must be none.
    """
    copy = clone_function(function)
    missing = {copy.parameters[number] for number in absent}
    roots = Roots()
    replaced: dict[Value, Value] = {}
    for region in [copy.body, *(region for op in copy.walk() for region in op.regions)]:
        for number, op in enumerate(region.operations):
            if isinstance(op, Associated):
                answer = Constant(op.location, [bool_], literal=roots.of(op.tensor) not in missing)
                replaced[op.result] = answer.result
                region.operations[number] = answer
    replace_uses(copy.body, replaced)
    if missing:
        passes.Canonicalize().run(copy)
    used: dict[Value, Operation] = {}
    for op in copy.walk():
        for value in op.operands:
            if value in missing:
                used.setdefault(value, op)
    copy.parameters = [value for value in copy.parameters if value not in missing or value in used]
    return copy, used
