"""Reductions along contiguous memory: by several partial results, each of every so many elements, which are joined.

A `foreach` over the elements of the output would read memory with the stride of a row in neighbouring work-items.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial as partial_function
from math import prod

from ...ir.types import ScalarType
from ...ir.values import Value
from ...mlir.affine.expressions import Dimension
from ...mlir.text import Operation
from ...process.records import dataclass
from . import affine_values
from .context import AlreadyReported, Context
from .structured import Structured
from .values import View

LANES = 16
AT_ONCE = 4
"""Values that are joined with each other first, and then with a partial result, which waits for the one before."""
MAX_PARTIAL = 4096
"""Elements of local memory for partial results."""
_COMBINERS = frozenset(
    f"arith.{word}"
    for word in (
        *("addf", "mulf", "maximumf", "minimumf", "maxnumf", "minnumf"),
        *("addi", "muli", "andi", "ori", "xori", "maxsi", "minsi", "maxui", "minui"),
    )
)
Apply = Callable[[Structured, dict[int, Value]], Value]
"""The value of an operation's function of elements for indices of its iterations."""


@dataclass(frozen=True)
class Reduction:
    """A reduction of one iteration: what is joined, and how."""

    values: Structured
    """The operation with a function that gives what is joined."""
    combiner: Operation
    iteration: int

    def combined(self, ctx: Context, a: Value, b: Value) -> Value:
        with ctx.names.inner():
            ctx.bind("% so far", a, self.combiner.location)
            ctx.bind("% new", b, self.combiner.location)
            ctx.write(replace(self.combiner, operands=["% so far", "% new"], results=["% joined"]))
            found = ctx.lookup("% joined", self.combiner)
        if not isinstance(found, Value):
            raise AlreadyReported
        return found


def reduction_of(linalg_op: Structured) -> Reduction | None:
    """The reduction along contiguous memory; None where there is none, or it does not take long enough."""
    reduced = [d for d, kind in enumerate(linalg_op.iterators) if kind != "parallel"]
    sizes = [linalg_op.sizes[d] for d in range(len(linalg_op.iterators)) if d not in reduced]
    if len(reduced) != 1 or len(linalg_op.outputs) != 1 or not all(isinstance(size, int) for size in sizes):
        return None
    iteration, count = reduced[0], linalg_op.sizes[reduced[0]]
    outer = prod(size for size in sizes if isinstance(size, int))
    if not isinstance(count, int) or count < 4 * LANES or outer * LANES > MAX_PARTIAL:
        return None
    if not any(_is_along(linalg_op, number, iteration) for number in range(len(linalg_op.inputs))):
        return None
    return split_reduction(linalg_op, iteration)


def _is_along(linalg_op: Structured, number: int, iteration: int) -> bool:
    view, results = linalg_op.inputs[number], linalg_op.maps[number].results
    if not isinstance(view, View) or not view.is_plain or Dimension(iteration) not in results:
        return False
    return view.modes[results.index(Dimension(iteration))] == 0


def split_reduction(linalg_op: Structured, iteration: int) -> Reduction | None:
    """The function of elements as the last operation, which joins the output with a value, and those before it."""
    block, out = linalg_op.block, linalg_op.block.arguments[-1][0]
    if len(block.operations) < 2 or not isinstance(linalg_op.outputs[0].element, ScalarType):
        return None
    *before, combiner, last = block.operations
    is_last = last.operands == combiner.results and combiner.name in _COMBINERS
    if not is_last or len(combiner.operands) != 2 or out not in combiner.operands or linalg_op.outputs[0].holds_truth:
        return None
    value = combiner.operands[1 - combiner.operands.index(out)]
    if value == out or any(out in inner.operands for op in before for inner in op.walk()):
        return None
    given = replace(last, operands=[value], operand_types=combiner.operand_types[:1])
    values = replace(linalg_op, block=replace(block, operations=[*before, given]))
    return Reduction(values, combiner, iteration)


def write_by_lanes(
    ctx: Context, reduction: Reduction, apply: Apply, target: Callable[[dict[int, Value]], list[Value]]
) -> None:
    """Write the partial results, and what they are joined to."""
    linalg_op = reduction.values
    parallel = [d for d, kind in enumerate(linalg_op.iterators) if kind == "parallel"]
    sizes = [size for d in reversed(parallel) if isinstance(size := linalg_op.sizes[d], int)]
    count = linalg_op.sizes[reduction.iteration]
    view = linalg_op.outputs[0]
    assert isinstance(count, int) and isinstance(view.element, ScalarType)
    partial = ctx.builder.allocate(view.element, [LANES, *sizes])
    stops = [ctx.constant(size) for size in sizes]

    def value(at: Sequence[Value], place: Value) -> Value:
        return apply(linalg_op, {**dict(zip(reversed(parallel), at)), reduction.iteration: place})

    def part(at: list[Value]) -> None:
        lane, rest = at[0], at[1:]

        def several(number: Value | None, count: int) -> Value:
            """The values of the lane from a number of steps on, joined."""
            values = []
            for each in range(count):
                first = (
                    ctx.constant(each) if number is None else affine_values.arith(ctx, "+", number, ctx.constant(each))
                )
                place = affine_values.arith(ctx, "+", affine_values.arith(ctx, "*", first, ctx.constant(LANES)), lane)
                values.append(value(rest, place))
            while len(values) > 1:
                values = [reduction.combined(ctx, *pair) for pair in zip(values[::2], values[1::2])]
            return values[0]

        def joined(number: Value, carried: list[Value], at_once: int) -> list[Value]:
            return [reduction.combined(ctx, carried[0], several(number, at_once))]

        steps = count // LANES
        whole = steps // AT_ONCE * AT_ONCE
        total = [several(None, AT_ONCE)]
        for start, stop, at_once in ((AT_ONCE, whole, AT_ONCE), (whole, steps, 1)):
            if start < stop:
                step = None if at_once == 1 else ctx.constant(at_once)
                bounds = ctx.constant(start), ctx.constant(stop), step
                total = ctx.loop(bounds, total, partial_function(joined, at_once=at_once))
        ctx.builder.store(total[0], partial, at)

    ctx.foreach([ctx.constant(LANES), *stops], part)

    def whole(at: list[Value]) -> None:
        places = target(dict(zip(reversed(parallel), at)))

        def of_lanes(lane: Value, carried: list[Value]) -> list[Value]:
            return [reduction.combined(ctx, carried[0], ctx.builder.load(partial, [lane, *at]))]

        def of_rest(place: Value, carried: list[Value]) -> list[Value]:
            return [reduction.combined(ctx, carried[0], value(at, place))]

        total = ctx.loop((ctx.constant(0), ctx.constant(LANES), None), [ctx.load(view, places)], of_lanes)
        first = count // LANES * LANES
        if first < count:
            total = ctx.loop((ctx.constant(first), ctx.constant(count), None), total, of_rest)
        ctx.store(total[0], view, places)

    if stops:
        ctx.foreach(stops, whole)
    else:
        ctx.single(lambda: whole([]))
