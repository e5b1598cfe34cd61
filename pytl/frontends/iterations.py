"""What bounds the iterations of a `while`, so that it becomes a loop of the language, which is counted.

That is a number that goes on in each iteration by one of some constants, all up or all down, and is compared with
another one that stays the same; or a number that is multiplied, divided or shifted in each iteration.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field

from ..ir.clone import clone_operation
from ..ir.operation import Operation
from ..ir.types import ScalarType, bool_, index
from ..ir.values import Value
from ..ops import ArithBinary, ArithUnary, Cast, Compare, Constant, If, Size
from ..ops.builder import Builder
from ..ops.constants import constant_of
from ..ops.control import terminator
from ..passes.analysis.linear import Linear, linear_of
from ..process.records import dataclass
from . import unsigned as numbers

_TURNED = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le", "ne": "ne"}
MAX_DEPTH = 8
"""A bound is computed in front of the loop where it is made of not more operations within each other."""
MAX_STEPS = 64
"""A number that is not 0 has left each interval after so many multiplications, divisions or shifts, or stays there."""


@dataclass(frozen=True)
class Iteration:
    """An iteration of a loop: instructions on values that stand for what the loop carries."""

    inits: Sequence[Value]
    carried: Sequence[Value]
    condition: Value
    """That the iteration is executed."""
    next: Sequence[Value]
    operations: Iterable[Operation]
    continue_condition: Value | None = None
    """False where the iteration is the last one for another reason."""
    inner: set[Value] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.inner.update(value for op in self.operations for value in defined(op))
        self.inner.update(self.carried)


def defined(op: Operation) -> Iterator[Value]:
    """The values that an instruction and those inside of it define."""
    yield from op.results
    for region in op.regions:
        yield from region.arguments
        for inside in region.operations:
            yield from defined(inside)


@dataclass(frozen=True)
class Count:
    """That the loop goes on only as long as a carried number, which grows by a step, stands so to a bound.

    Without a bound, the number of iterations is at most `MAX_STEPS`.
    """

    number: int
    step: int
    """The smallest of the steps, which all go one way."""
    is_exact: bool
    """Whether this is all that ends the loop, so that `rounds` is the number of iterations, and not just a bound."""
    variant: str
    unsigned: bool
    bound: Value | None


def counted(builder: Builder, loop: Iteration) -> Count | None:
    """What bounds the iterations; None where nothing is known that does. The bound is computed before the loop."""
    for condition in _all_of(loop.condition):
        count = _counted(builder, loop, condition)
        if count is not None:
            return count
    return None


def _all_of(condition: Value) -> Iterator[Value]:
    """The conditions of which all have to hold."""
    pending, seen = [condition], set[Value]()
    while pending:
        value = pending.pop()
        if value in seen:
            continue
        seen.add(value)
        yield value
        op = value.owner
        if isinstance(op, ArithBinary) and op.variant == "and" and op.a.type == bool_:
            pending += [op.b, op.a]
        elif isinstance(op, If) and op.else_body is not None and constant_of(_yields(op, value)[1]) is False:
            pending += [_yields(op, value)[0], op.condition]


def _yields(op: If, value: Value) -> list[Value]:
    """What both branches give for a result."""
    ends = [terminator(region) for region in op.regions]
    return [end.yielded[op.results.index(value)] for end in ends if end is not None]


def _counted(builder: Builder, loop: Iteration, condition: Value) -> Count | None:
    """What a condition says of the number of iterations."""
    op = condition.owner
    if not isinstance(op, Compare) or not (isinstance(op.a.type, ScalarType) and op.a.type.is_integer):
        return None
    a, b, unsigned = op.a, op.b, False
    if (low := _unsigned(a)) is not None and (lower := _unsigned(b)) is not None:
        a, b, unsigned = low, lower, True
    is_all = condition is loop.condition and loop.continue_condition is None
    for left, right, variant in ((a, b, op.variant), (b, a, _TURNED.get(op.variant, ""))):
        found = _by_steps(builder, loop, left, right, variant, unsigned, is_all)
        if found is not None:
            return found
    for value in (a, b):
        if value in loop.carried and _is_scaled(loop, value):
            return Count(loop.carried.index(value), 0, False, op.variant, unsigned, None)
    return None


def _unsigned(value: Value) -> Value | None:
    """The number of which a comparison of unsigned integers is made (`unsigned.below_unsigned`)."""
    op = value.owner
    if not isinstance(op, ArithBinary) or op.variant != "xor" or not isinstance(shift := op.b.owner, ArithBinary):
        return None
    is_lowest = shift.variant == "shl" and constant_of(shift.a) == 1 and constant_of(shift.b) == value.type.bits - 1
    return op.a if is_lowest else None


def _by_steps(
    builder: Builder, loop: Iteration, value: Value, bound: Value, variant: str, unsigned: bool, is_all: bool
) -> Count | None:
    form = linear_of(value, {})
    for number, each in enumerate(loop.carried):
        if form.terms != ((each, 1),):
            continue
        ends = [
            linear_of(end, {}).plus(Linear.of(each), -1) for end in _ends(loop.next[number], loop.continue_condition)
        ]
        steps = {end.constant for end in ends}
        if variant not in _TURNED or 0 in steps or not all(end.is_constant for end in ends):
            return None
        is_up = variant in ("lt", "le") or (variant == "ne" and max(steps) > 0)
        if any((step > 0) != is_up for step in steps) or (variant == "ne" and len(steps) > 1):
            return None
        if variant == "ne":
            variant = "lt" if is_up else "gt"
        outside = _outside(builder, loop, bound)
        if outside is None:
            return None
        if form.constant:
            outside = builder.arith("sub", outside, numbers.integer(builder, value.type, form.constant))
        step = min(steps, key=abs)
        return Count(number, step, is_all and len(steps) == 1, variant, unsigned, outside)
    return None


def _ends(value: Value, continue_condition: Value | None) -> Iterator[Value]:
    """The values that a value may be at the end of an iteration that is not the last one."""
    pending, seen = [(value, continue_condition)], set[tuple[Value, Value | None]]()
    while pending:  # branches may follow each other in long chains
        at = pending.pop()
        end, flag = at
        op = end.owner
        if at in seen or (flag is not None and constant_of(flag) is False):
            continue
        seen.add(at)
        if not isinstance(op, If) or op.else_body is None:
            yield end
        elif flag is not None and flag in op.results:
            pending += zip(_yields(op, end), _yields(op, flag), strict=True)
        else:
            pending += [(each, flag) for each in _yields(op, end)]


def _outside(builder: Builder, loop: Iteration, value: Value, depth: int = 0) -> Value | None:
    """A value in front of the loop that is the same in each iteration; None where it is not, or is much to compute."""
    if depth > MAX_DEPTH:
        return None
    if value not in loop.inner:
        return value
    if value in loop.carried:
        number = loop.carried.index(value)
        return loop.inits[number] if loop.next[number] is value else None
    op = value.owner
    if not isinstance(op, (ArithBinary, ArithUnary, Cast, Constant, Size)):
        return None
    known: dict[Value, Value] = {}
    for operand in op.operands:
        outside = known.get(operand) or _outside(builder, loop, operand, depth + 1)
        if outside is None:
            return None
        known[operand] = outside
    return builder.add(clone_operation(op, known)).results[0]


def _is_scaled(loop: Iteration, value: Value) -> bool:
    """Whether each iteration multiplies, divides or shifts a carried number by a constant."""
    return all(_scales(end, value) for end in _ends(loop.next[loop.carried.index(value)], loop.continue_condition))


def _scales(end: Value, value: Value) -> bool:
    op = end.owner
    if isinstance(op, ArithBinary) and op.variant == "and" and isinstance(op.a.owner, ArithBinary):
        op = op.a.owner  # a shift that fills in zeros
    if not isinstance(op, ArithBinary) or op.a is not value:
        return False
    by = constant_of(op.b)
    least = {"mul": 2, "div": 2, "shl": 1, "shr": 1}.get(op.variant)
    return by is not None and least is not None and by >= least


def rounds(builder: Builder, start: Value, count: Count) -> Value:
    """How many iterations there are, or the most that there are, as an index."""
    if count.bound is None:
        return builder.constant(index, MAX_STEPS)
    up = count.variant in ("lt", "le")
    low, high = (start, count.bound) if up else (count.bound, start)
    distance = builder.arith("sub", high, low)
    if count.variant in ("lt", "gt"):
        distance = builder.arith("sub", distance, numbers.integer(builder, start.type, 1))
    if abs(count.step) > 1:
        by = numbers.integer(builder, start.type, abs(count.step))
        known = constant_of(low)
        # from 0 on, no distance that counts is beyond the signed numbers
        is_signed = known is not None and known >= 0 and not count.unsigned
        distance = builder.arith("div", distance, by) if is_signed else numbers.quotient_unsigned(builder, distance, by)
    whole = numbers.extended_unsigned(builder, distance, index)
    compare = numbers.below_unsigned if count.unsigned else type(builder).compare
    holds = compare(builder, count.variant, start, count.bound)
    return numbers.select(
        builder, holds, builder.arith("add", whole, builder.constant(index, 1)), builder.constant(index, 0)
    )
