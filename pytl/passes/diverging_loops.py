"""Loops of a `foreach` that points leave one after the other, and whether these gain there as lanes of vectors.

    for i in foreach(64):
        s = f64(0.0)
        for k in range(i + 1):
            s = s + L[i, k] * x[k]
        y[i] = s

A vector executes the iterations of all its points, in which those that have left the loop, or have not yet entered it,
are inactive. So it is with loops that end early, as by a `break`. Elements that lie apart are loaded one by one for the
lanes, so that only what is computed gains.
"""

from __future__ import annotations

from ..ir.values import Region
from ..ops import ArithBinary, ArithUnary, Compare, For, Foreach, Math
from .analysis.early_end import continue_condition
from .analysis.uniformity import Variation
from .cpu_items import counted
from .targets.costs import ItemCosts
from .targets.interleaved import accesses_apart

COMPUTE = (ArithBinary, ArithUnary, Compare, Math)
"""What computes numbers."""


def gain_as_lanes(op: Foreach, variation: Variation, costs: ItemCosts, lanes: int) -> bool:
    """Whether so many points gain as lanes in each loop which they leave one after the other."""
    loops = [each for each in op.body.walk() if isinstance(each, For) and _differs(each, variation)]
    return all(computes_enough(each.body, variation, costs.min_computed_apart, costs.unknown, lanes) for each in loops)


def _differs(loop: For, variation: Variation) -> bool:
    """Whether points have other bounds, or other ends, of a loop."""
    flag = continue_condition(loop)
    return variation.vary(loop.bounds) or (flag is not None and variation.is_varying(flag))


def computes_enough(region: Region, variation: Variation, least: float, unknown: int, lanes: int) -> bool:
    """Whether a region executes so many operations on numbers, at least, for each element that is loaded or stored by
    itself for a lane. A function like an exponential is enough for any number of elements.
    """
    lie_apart = accesses_apart(region, variation, lanes)
    computed, apart = 0, 0
    for op, times in counted(region, 1, unknown):
        if not variation.vary(op.operands):
            continue
        if isinstance(op, Math):
            return True
        if isinstance(op, COMPUTE):
            computed += times
        elif op in lie_apart:
            apart += times
    return computed >= least * apart
