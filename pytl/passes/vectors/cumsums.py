"""cumsum along the contiguous mode: a scan over the lanes of each vector, plus the sum of all vectors before it."""

from __future__ import annotations

from ...ir.values import Value
from ...ops import Cumsum
from ..targets.cpu import Kernel
from ..targets.cpu_attributes import LANES, decided
from .access import Index, Lanes
from .code import Code, Number
from .rows import for_each_carrying
from .updates import ElementRange, Result


def write(code: Code, op: Cumsum, kernel: Kernel) -> None:
    """The instruction, in vectors along the first mode."""
    count = decided(kernel, LANES)
    result = Result(code, op)

    def column(chosen: tuple[Number, ...]) -> None:
        def vector(first: Number, lanes: Lanes, before: list[Value]) -> list[Value]:
            at = (Index(first, 1), *(Index(i, 0) for i in chosen))
            lanes = lanes.with_mask(code)
            sums = code.arith("add", _scan(code, result.load(op.A, at, lanes)), before[0])
            result.update([ElementRange(at, lanes)], [sums])
            return [code.shuffle(sums, sums, [count - 1] * count)]

        for_each_carrying(code, code.size(op.A, 0), count, [code.zeros(result.type, count)], vector)

    others = [code.size(op.A, mode) for mode in reversed(range(1, op.A.type.order))]
    code.nest([(0, size, 1) for size in reversed(others)], column)


def _scan(code: Code, value: Value) -> Value:
    """The inclusive scan over the lanes."""
    count = value.type.lanes
    zero = code.zeros(value.type.element, count)
    step = 1
    while step < count:
        shifted = code.shuffle(value, zero, [k - step if k >= step else count for k in range(count)])
        value = code.arith("add", value, shifted)
        step *= 2
    return value
