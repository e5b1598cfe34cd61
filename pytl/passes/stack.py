"""stack-layout: where in the work-group's local memory each alloca lies.

An alloca gets the lowest place at which no alloca lies that lives at the same time; it lives from its instruction
to the lifetime_stop in its region, or to the region's end. The place is written on the alloca as the attribute
"stack.offset", the whole size on the function as "stack.size", both in bytes.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..ir.types import MemrefType
from ..ir.values import Function, Region, Value
from ..ops import Alloca, LifetimeStop
from ..ops.memory import DEFAULT_ALIGNMENT, STACK_OFFSET, STACK_SIZE
from ..ops.views import root_of
from .manager import Pass, register


@register
@dataclass(frozen=True)
class StackLayout(Pass):
    """Places allocas in local memory; those that are dead make room for later ones."""

    name = "stack-layout"

    def run(self, function: Function) -> None:
        size = _place(function.body, {})
        if size:
            function.attributes[STACK_SIZE] = size
        else:
            function.attributes.pop(STACK_SIZE, None)


def extent_of(alloca: Alloca) -> tuple[int, int]:
    """The bytes `[begin, end)` of local memory that a placed alloca takes."""
    begin = alloca.attributes[STACK_OFFSET]
    return begin, begin + bytes_of(alloca.result.type)


def bytes_of(type_: MemrefType) -> int:
    """The size in bytes of a static memref, gaps between its columns included."""
    return type_.span * type_.element.size


def _place(region: Region, live: dict[Value, tuple[int, int]]) -> int:
    """Place the allocas of a region beside those that live around it; returns the size of all that was needed."""
    live = dict(live)
    top = 0
    for op in region.operations:
        if isinstance(op, Alloca):
            begin, end = _lowest_gap(list(live.values()), bytes_of(op.result.type), _alignment(op))
            op.attributes[STACK_OFFSET] = begin
            live[op.result] = (begin, end)
            top = max(top, end)
        elif isinstance(op, LifetimeStop):
            live.pop(root_of(op.tensor), None)
        for inner in op.regions:
            top = max(top, _place(inner, live))
    return top


def _alignment(alloca: Alloca) -> int:
    return max(alloca.attributes.get("alignment", DEFAULT_ALIGNMENT), alloca.result.type.element.size)


def _lowest_gap(taken: list[tuple[int, int]], size: int, alignment: int) -> tuple[int, int]:
    begin = 0
    for other_begin, other_end in sorted(taken):
        if begin + size <= other_begin:
            break
        begin = max(begin, -(-other_end // alignment) * alignment)
    return begin, begin + size
