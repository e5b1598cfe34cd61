"""Loops of a `foreach` whose bounds differ among points, and whether points gain there as lanes of vectors.

    for i in foreach(64):
        s = f64(0.0)
        for k in range(i + 1):
            s = s + L[i, k] * x[k]
        y[i] = s

A vector executes the iterations of all its points, in which those that have left the loop, or have not yet entered it,
are inactive. Elements that lie apart are loaded one by one for the lanes, so that only what is computed gains.
"""

from __future__ import annotations

from ..ops import ArithBinary, ArithUnary, Compare, For, Foreach, Load, Math, Store
from .analysis.uniformity import Variation
from .cpu_items import counted
from .targets.costs import ItemCosts
from .targets.interleaved import has_vectors, is_line, values_inside

COMPUTE = (ArithBinary, ArithUnary, Compare, Math)
"""What computes numbers."""


def gain_as_lanes(op: Foreach, variation: Variation, costs: ItemCosts, lanes: int) -> bool:
    """Whether so many points gain as lanes in each loop whose bounds differ among them."""
    loops = [each for each in op.body.walk() if isinstance(each, For) and variation.vary(each.bounds)]
    if not loops:
        return True
    inside = values_inside(op.body)

    def computes_enough(loop: For) -> bool:
        computed, apart = 0, 0
        for each, times in counted(loop.body, 1, costs.unknown):
            if not variation.vary(each.operands):
                continue
            if isinstance(each, Math):
                return True
            if isinstance(each, COMPUTE):
                computed += times
            elif isinstance(each, (Load, Store)) and not is_line(each, variation):
                apart += 0 if has_vectors(each, variation, inside, lanes) else times
        return computed >= costs.min_computed_apart * apart

    return all(map(computes_enough, loops))
