"""The counters of loops over ranges. Those of `range(n - 1, -1, -1)` and `reversed(range(n))` count upwards, too."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any

from ...ir.types import ScalarType, Type, index
from ...ir.values import Value
from ...ops import ArithBinary, Cast
from ...ops.constants import constant_of
from ...process.records import dataclass
from ..lang.traced import is_unknown
from .frame import UNKNOWN, Failed, Frame
from .linear import Bound, difference
from .rules import CALL_ARGUMENTS, LOOP

Check = Callable[[Frame, Any, Type, ast.expr], Value]
"""Makes a bound a value of a type, or reports it."""


@dataclass(frozen=True)
class Counting:
    """The loop's counter, in numbers of one type, and the value of the loop's variable in an iteration."""

    start: Value
    stop: Value
    step: Value | None
    type_: Type
    variable: Callable[[Value], Value] | None = None
    """Computes the loop's variable from the counter, in the body; None where the counter is the variable."""


def range_of(frame: Frame, call: ast.Call) -> tuple[ast.Call, bool]:
    """The range of `range(…)` or `reversed(range(…))`, and whether it is reversed."""
    if frame.known(call.func) is not reversed:
        return call, False
    inner = call.args[0] if len(call.args) == 1 and not call.keywords else None
    if not isinstance(inner, ast.Call) or frame.known(inner.func) is not range:
        argument = ast.unparse(call.args[0]) if call.args else "nothing"
        frame.fail(LOOP, f"{argument} can't be reversed", call, "write for i in reversed(range(n))")
    return inner, True


def counting(
    frame: Frame, call: ast.Call, items: Sequence[Any], type_: Type, check: Check, backwards: bool
) -> Counting:
    """The counter of a loop over `range(start, stop, step)`; `items` are the values of the arguments."""
    nodes: list[ast.expr] = list(call.args)
    if call.keywords or not 1 <= len(items) <= 3:
        frame.fail(CALL_ARGUMENTS, "range takes one to three arguments: start, stop, step", call)
    items = list(items)
    if len(items) == 1:
        items, nodes = [0, *items], [call, *nodes]
    step = items[2] if len(items) == 3 else 1
    constant_step = constant_of(step) if isinstance(step, Value) else step
    is_known = isinstance(constant_step, int) and not isinstance(constant_step, bool) and constant_step != 0
    if is_unknown(step):
        raise Failed
    if not is_known and backwards:
        frame.fail(LOOP, "the step of a reversed range is not known while the kernel is traced", nodes[-1])
    if not is_known or (constant_step > 0 and not backwards):
        start, stop, *rest = (
            check(frame, item, type_, argument_node) for item, argument_node in zip(items, nodes, strict=True)
        )
        return Counting(start, stop, rest[0] if rest else None, type_)
    # the start and the end of the steps; Python integers stay as they are, so that they fold
    ends = [
        item if _is_integer(item) else check(frame, item, type_, argument_node)
        for item, argument_node in zip(items[:2], nodes)
    ]
    if any(is_unknown(end) for end in ends):
        return Counting(UNKNOWN, UNKNOWN, None, type_)
    return _Falling(frame, call, type_, ends, constant_step).counting(backwards)


def _is_integer(item: Any) -> bool:
    return isinstance(item, int) and not isinstance(item, bool)


class _Falling:
    """A range that differs from the loop's counter: `first`, `first + pace`, … for a number of iterations."""

    def __init__(self, frame: Frame, call: ast.Call, type_: Any, ends: Sequence[Bound], step: int) -> None:
        self.frame = frame
        self.call = call
        self.type_: ScalarType = type_
        # numbers of 64 bits, since the distance of the ends of a narrow type may be beyond it
        self.counter = type_ if type_.bits == 64 else index
        self.start, self.stop = (self._widened(end) for end in ends)
        self.step = step

    def counting(self, backwards: bool) -> Counting:
        frame, count = self.frame, self._count()
        first, pace = self.start, self.step
        if backwards:
            first, pace = self._last(count), -pace
        begin = frame.typed(first, self.counter, self.call)

        def variable(counter: Value) -> Value:
            far = counter if abs(pace) == 1 else self._compute("mul", counter, abs(pace))
            result = self._compute("add" if pace > 0 else "sub", begin, far)
            if isinstance(self.start, int) and isinstance(self.stop, int):
                self._learn(result, self.start, self.stop)
            elif self.step < 0:
                self._learn_between(result, self.stop, self.start, 1)
            else:
                self._learn_between(result, self.start, self.stop, 0)
            if self.type_ == self.counter:
                return result
            return frame.compute(Cast, self.call, [self.type_], operand=result)

        zero = frame.typed(0, self.counter, self.call)
        return Counting(zero, frame.typed(count, self.counter, self.call), None, self.counter, variable)

    def _learn(self, result: Value, start: int, stop: int) -> None:
        values = range(start, stop, self.step)
        if values:
            self.frame.builder.intervals.learn(result, min(values[0], values[-1]), max(values[0], values[-1]))

    def _learn_between(self, result: Value, low: Bound, high: Bound, above: int) -> None:
        """Note that the variable lies from `low + above` up to `high + above - 1`."""
        intervals = self.frame.builder.intervals
        minimum = low if isinstance(low, int) else intervals.of(low)[0]
        maximum = high if isinstance(high, int) else intervals.of(high)[1]
        intervals.learn(result, minimum + above, maximum + above - 1)

    def _widened(self, end: Bound) -> Bound:
        if isinstance(end, int) or end.type == self.counter:
            return end
        return self.frame.compute(Cast, self.call, [self.counter], operand=end)

    def _count(self) -> Bound:
        if isinstance(self.start, int) and isinstance(self.stop, int):
            return len(range(self.start, self.stop, self.step))
        far, near = (self.stop, self.start) if self.step > 0 else (self.start, self.stop)
        distance = difference(far, near)
        if distance is None:
            distance = self._compute("sub", far, near)
        if abs(self.step) == 1:
            return distance
        return self._compute("div", self._compute("add", distance, abs(self.step) - 1), abs(self.step))

    def _last(self, count: Bound) -> Bound:
        if isinstance(self.start, int) and isinstance(count, int):
            return self.start + (count - 1) * self.step
        if self.step == 1:
            return self.stop - 1 if isinstance(self.stop, int) else self._compute("sub", self.stop, 1)
        distance = self._compute("mul", self._compute("sub", count, 1), abs(self.step))
        return self._compute("add" if self.step > 0 else "sub", self.start, distance)

    def _compute(self, variant: str, a: Bound, b: Bound) -> Value:
        if isinstance(a, int) and isinstance(b, int):
            number = {"add": a + b, "sub": a - b, "mul": a * b}[variant]
            return self.frame.typed(number, self.counter, self.call)
        first, second = (self.frame.typed(bound, self.counter, self.call) for bound in (a, b))
        return self.frame.compute(ArithBinary, self.call, variant=variant, a=first, b=second)
