"""Stores past the caches (non-temporal stores) of vectors that are whole cache lines."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ...ir.operation import Operation
from ...ir.values import Function, Value
from ...ops import Expand, Fuse, Load, Subview
from ...ops.views import root_of
from ..analysis.divisors import Divisors, divisor_of_stride
from ..targets import cpu, vector
from ..targets.cache_lines import fills_lines
from ..targets.cpu_attributes import LINE


def store_past_caches(function: Function, loop: cpu.Items, line: int) -> list[Operation]:
    """Mark the stores of whole lines in a loop's region that prefetches, for parameters whose beginning is known there.

    Returns what is behind the loop then: such stores may be seen later than others.
    """
    assert loop.prefetching is not None
    begins = {op.tensor: op.attributes[LINE] for op in function.body.operations if isinstance(op, cpu.BeginsAtLine)}
    divisors, found = Divisors(function), False
    # code that holds sums in the result loads them again
    loaded = {root_of(op.tensor) for op in loop.prefetching.walk() if isinstance(op, (vector.Load, Load))}
    for op in loop.prefetching.walk():
        if not isinstance(op, vector.Store) or op.mask is not None or op.mode != 0 or root_of(op.tensor) in loaded:
            continue
        begin, type_ = begins.get(root_of(op.tensor)), op.vector.type
        size = type_.lanes * op.tensor.type.element.size // (2 if op.has_parts else 1)
        if not begin or type_.is_scalable or not fills_lines(op.tensor.type, size, line):
            continue
        multiple = min(size, begin)
        if _begin(op, divisors) % multiple == 0:
            op.attributes = {**op.attributes, vector.NON_TEMPORAL: multiple}
            found = True
    return [vector.Fence(loop.location)] if found else []


def _begin(op: vector.Store, divisors: Divisors) -> int:
    """A number of bytes that the distance of a store from the beginning of its parameter is a multiple of."""
    tensor: Value = op.tensor
    distances = [divisors.of(place) * divisor_of_stride(tensor, mode) for mode, place in enumerate(op.indices)]
    while (view := tensor.owner) is not None:
        if isinstance(view, Subview):
            distances += _of_slices(view, divisors)
        elif not isinstance(view, (Expand, Fuse)):
            return 1
        tensor = view.tensor
    return math.gcd(*distances) * tensor.type.element.size


def _of_slices(view: Subview, divisors: Divisors) -> Sequence[int]:
    offsets = [piece.offset for piece in view.slices]
    multiples = [divisors.of(offset) if isinstance(offset, Value) else offset for offset in offsets]
    return [each * divisor_of_stride(view.tensor, mode) for mode, each in enumerate(multiples)]
