"""stack-layout: where in the work-group's local memory each alloca lies.

An alloca gets the lowest place where it overlaps no alloca that is live at the same time. It is live from its
instruction to the lifetime_stop in its region, or to the region's end. The attribute "stack.offset" of the alloca gives
its place, the attribute "stack.size" of the function the whole size, both in bytes. Where an alloca asks for more than
the alignment of a cache line, "stack.alignment" is what the memory has to begin at a multiple of. Functions that are
called have their memory behind that of the caller, from "stack.calls" on.
"""

from __future__ import annotations

import bisect
import math

from ..ir.values import Function, Module, Region, Value
from ..ops import Alloca, LifetimeStop
from ..ops.memory import (
    DEFAULT_ALIGNMENT,
    STACK_ALIGNMENT,
    STACK_CALLS,
    STACK_OFFSET,
    STACK_SIZE,
    bytes_of,
    local_alignment,
)
from ..process.records import dataclass
from .analysis.uses import Roots
from .manager import Pass, register


@register
@dataclass(frozen=True)
class StackLayout(Pass):
    """Places allocas in local memory; memory of dead allocas is reused."""

    name = "stack-layout"
    of_called = True

    def run_module(self, module: Module) -> None:
        for function in dict.fromkeys(each for one in module.functions for each in (*one.callees_first(), one)):
            self.run(function)

    def run(self, function: Function) -> None:
        size = _allocate(function.body, _FreeRanges([(0, _END)]), Roots())
        callees = [op.callee for op in function.calls() if op.callee.attributes.get(STACK_SIZE)]
        alignment = math.lcm(
            DEFAULT_ALIGNMENT,
            *(_alignment(op) for op in function.walk() if isinstance(op, Alloca)),
            *map(local_alignment, callees),
        )
        calls = 0
        if callees:
            # one call ends before the next begins, so that all have the same memory
            calls = -(-size // alignment) * alignment
            size = calls + max(callee.attributes[STACK_SIZE] for callee in callees)
        extra = alignment - DEFAULT_ALIGNMENT
        known = {STACK_SIZE: size and size + extra, STACK_CALLS: calls, STACK_ALIGNMENT: extra and alignment}
        for name, value in known.items():
            function.attributes.pop(name, None)
            if value:
                function.attributes[name] = value


_END = 1 << 128
"""Behind all places: texts may ask for alignments of 63 bits."""


class _FreeRanges:
    """The free places of local memory as intervals `[begin, end)`, in order, none touching the next."""

    def __init__(self, gaps: list[tuple[int, int]]) -> None:
        self._gaps = gaps

    def copy(self) -> _FreeRanges:
        return _FreeRanges(list(self._gaps))

    def allocate(self, size: int, alignment: int) -> tuple[int, int]:
        """The lowest place that is large enough."""
        for number, (begin, end) in enumerate(self._gaps):
            first = -(-begin // alignment) * alignment
            if first + size <= end:
                rest = [(begin, first), (first + size, end)]
                self._gaps[number : number + 1] = [(a, b) for a, b in rest if a < b]
                return first, first + size
        raise AssertionError("the last gap has no end")

    def free(self, begin: int, end: int) -> None:
        number = bisect.bisect(self._gaps, (begin, end))
        if self._gaps[number][0] == end:
            end = self._gaps.pop(number)[1]
        if number and self._gaps[number - 1][1] == begin:
            number -= 1
            begin = self._gaps.pop(number)[0]
        self._gaps.insert(number, (begin, end))


def _allocate(region: Region, free_ranges: _FreeRanges, roots: Roots) -> int:
    """Place the allocas of a region in the free intervals; returns the total size."""
    live: dict[Value, tuple[int, int]] = {}
    top = 0
    for op in region.operations:
        if isinstance(op, Alloca):
            interval = free_ranges.allocate(bytes_of(op.result.type), _alignment(op))
            op.attributes[STACK_OFFSET] = interval[0]
            live[op.result] = interval
            top = max(top, interval[1])
        elif isinstance(op, LifetimeStop):
            freed = live.pop(roots.of(op.tensor), None)
            if freed is not None:
                free_ranges.free(*freed)
        for inner in op.regions:
            top = max(top, _allocate(inner, free_ranges.copy(), roots))
    return top


def _alignment(alloca: Alloca) -> int:
    """What an alloca asks for; without a wish the least that keeps it in as few cache lines as it can be in."""
    alignment: int | None = alloca.attributes.get("alignment")
    if alignment is not None:
        return alignment
    size = bytes_of(alloca.result.type)
    return DEFAULT_ALIGNMENT if size >= DEFAULT_ALIGNMENT else 1 << (size - 1).bit_length()
