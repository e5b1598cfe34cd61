"""Short loops of points over numbers that all points share, as the weights of a window, written out.

    foreach (%i) = (%0), (%n) {                     %w0 = load %W[%0]  …  %w2 = load %W[%2]
      %s = for %k = %0, %3 init(%t = %zero) {       foreach (%i) = (%0), (%n) {
        %w = load %W[%k]                              %x0 = load %X[%i]
        %j = arith.add %i, %k                   →     %y0 = arith.mul %w0, %x0
        %x = load %X[%j]                              …
        …                                           }

In a loop, each vector of points would load them again, for what the points store may be the same memory to a compiler.
"""

from __future__ import annotations

from ..ir.clone import clone_operation
from ..ir.operation import Operation
from ..ir.values import Value
from ..ops import Constant, For, Foreach, If, Load, Store, Yield
from ..ops.constants import constant_of
from .analysis.early_end import continue_condition
from .analysis.overlap import may_share
from .analysis.uniformity import Variation, variation_among_groups, variation_of
from .analysis.uses import replace_uses
from .cpu_items import counted
from .targets.interleaved import is_contiguous
from .targets.vector_forms import has_vector_points

MOST_WRITTEN = 400
"""Instructions of a loop that is written out, at most."""
MOST_SHARED = 26
"""Shared numbers at most: they stay in registers, beside what is summed."""


def write_out_windows(op: Foreach, are_apart: bool) -> None:
    """Write out such loops of a `foreach`. `are_apart` says that different parameters share no memory."""
    loops = [each for each in op.body.operations if isinstance(each, For)]
    if not loops:
        return
    variation, stored = variation_of(op), stored_by(op)
    if not has_vector_points(op, variation):
        return
    of_points = variation_among_groups(op.body, set(op.variables))
    chosen = [each for each in loops if _is_window(each, variation, of_points, stored, are_apart)]
    replaced: dict[Value, Value] = {}
    operations: list[Operation] = []
    for each in op.body.operations:
        if isinstance(each, For) and each in chosen:
            written, results = _written_out(each)
            operations += written
            replaced.update(zip(each.results, results))
        else:
            operations.append(each)
    op.body.operations = operations
    replace_uses(op.body, replaced)


def stored_by(op: Foreach) -> list[Value]:
    """The tensors that a `foreach` stores to."""
    return [each.tensor for each in op.body.walk() if isinstance(each, Store)]


def _is_window(loop: For, variation: Variation, of_points: Variation, stored: list[Value], are_apart: bool) -> bool:
    """Whether a loop reads few numbers that all points share beside some that lie side by side for points.

    `variation` is that along the first variable, and `of_points` that among all points.
    """
    inside = [loop, *loop.body.walk()]
    if any(isinstance(each, (Store, If)) for each in inside) or not all(map(_is_short, inside)):
        return False
    executed = list(counted(loop.body, loop.trips or 0, 0))
    if sum(times for _, times in executed) > MOST_WRITTEN:
        return False
    loads = [(each, times) for each, times in executed if isinstance(each, Load)]
    shared = [
        times for each, times in loads if not of_points.vary(each.operands) and not is_stored(each, stored, are_apart)
    ]
    return 1 < sum(shared) <= MOST_SHARED and any(is_contiguous(each, variation) for each, _ in loads)


def is_stored(load: Load, stored: list[Value], are_apart: bool) -> bool:
    """Whether what is loaded may be stored, to some tensors."""
    return any(may_share(load.tensor, each, are_apart) for each in stored)


def _is_short(op: Operation) -> bool:
    """Whether an instruction is no loop, or one whose iterations are known."""
    return not isinstance(op, For) or (bool(op.trips) and continue_condition(op) is None)


def _written_out(loop: For) -> tuple[list[Operation], list[Value]]:
    """The iterations of a loop, one behind the other, and its results."""
    step = 1 if loop.step is None else int(constant_of(loop.step))
    first = int(constant_of(loop.start))
    written, carried = list[Operation](), list(loop.inits)
    for number in range(first, first + step * (loop.trips or 0), step):
        at = Constant(loop.location, [loop.variable.type], literal=number)
        values = {loop.variable: at.result, **dict(zip(loop.carried, carried))}
        written.append(at)
        for each in loop.body.operations:
            if isinstance(each, Yield):
                continue
            copy = clone_operation(each, values)
            if isinstance(copy, For):
                inner, results = _written_out(copy)
                written += inner
                values.update(zip(each.results, results))
            else:
                written.append(copy)
        carried = [values.get(value, value) for value in loop.yielded]
    return written, carried
