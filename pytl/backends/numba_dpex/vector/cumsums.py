"""cumsum along the contiguous mode: a scan over the lanes of each vector, plus the sum of all vectors before it."""

from __future__ import annotations

from llvmlite import ir

from ....ops import Cumsum
from ....passes.targets.cpu import Kernel
from ....passes.targets.cpu_attributes import LANES, decided
from . import access, numbers
from .access import Index
from .context import Context, Number
from .lanes import Lanes
from .rows import for_each_carrying
from .updates import ElementRange, Result


def write(context: Context, op: Cumsum, kernel: Kernel) -> None:
    """The instruction, in vectors along the first mode."""
    count = decided(kernel, LANES)
    result = Result(context, op)
    source = context.values[op.A]
    builder = context.builder

    def others(mode: int, chosen: tuple[Index, ...]) -> None:
        if mode:

            def body(i: Number, _: object) -> tuple[()]:
                others(mode - 1, (Index(i, 0), *chosen))
                return ()

            context.loop(0, source.shape[mode], 1, [], body)
            return

        def vector(first: Number, active_lanes: Lanes, before: list[ir.Value]) -> list[ir.Value]:
            element = (Index(first, 1), *chosen)
            value = result.convert(access.load(context, source, element, active_lanes), source)
            total = numbers.of_parts(builder, tuple(before))
            sums = numbers.binary(builder, "add", _within(builder, result, value, count), total, result.type)
            result.update([ElementRange(element, active_lanes)], [sums])
            last = numbers.shuffled(builder, sums, sums, [count - 1] * count)
            return list(numbers.parts_of(builder, last))

        nothing = numbers.spread(builder, numbers.literal(0, result.type), count)
        for_each_carrying(context, source.shape[0], count, list(numbers.parts_of(builder, nothing)), vector)

    others(len(source.shape) - 1, ())


def _within(builder: ir.IRBuilder, result: Result, value: ir.Value, count: int) -> ir.Value:
    """The inclusive scan over the lanes."""
    zero = numbers.nothing_like(value)
    step = 1
    while step < count:
        moved = numbers.shuffled(builder, value, zero, [k - step if k >= step else count for k in range(count)])
        value = numbers.binary(builder, "add", value, moved, result.type)
        step *= 2
    return value
