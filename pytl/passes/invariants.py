"""What instructions with regions read and do, for passes that move them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..ir.operation import Operation
from ..ir.values import Value
from ..ops import ArithBinary, If, Math, MathSince04, Yield

_COSTLY = ("div", "rem")


def inner_operations(op: Operation) -> list[Operation]:
    """The instructions in the regions of one."""
    return [inner for region in op.regions for inner in region.walk()]


def operands_of(op: Operation) -> set[Value]:
    """What an instruction reads, or those in it, that is computed outside of it."""
    whole = [op, *inner_operations(op)]
    inside = {value for each in whole for value in each.results}
    inside |= {value for each in whole for region in each.regions for value in region.arguments}
    return {value for each in whole for value in each.operands} - inside


def has_no_effect(op: Operation) -> bool:
    """Whether an instruction gives values that depend on its operands alone: it is pure, or a branch of what is."""
    if isinstance(op, If):
        return all(each.pure or isinstance(each, (If, Yield)) for each in inner_operations(op))
    return op.pure


def needed_for(values: Iterable[Value], among: Sequence[Operation]) -> list[Operation]:
    """The instructions, of some in order, that compute values or what these are computed from."""
    needed, found = set(values), list[Operation]()
    for op in reversed(among):
        if needed.intersection(op.results):
            found.append(op)
            needed |= operands_of(op)
    return found[::-1]


def is_costly(op: Operation) -> bool:
    """Whether an instruction takes several times as long as a sum."""
    if isinstance(op, ArithBinary):
        return op.variant in _COSTLY
    return isinstance(op, (Math, MathSince04, If))
