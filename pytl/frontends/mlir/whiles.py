"""scf.while: loops whose iterations something bounds, as loops of the language, which are counted.

What bounds them is a number that goes on by a constant in each iteration, and is compared with another one that stays
the same, or a number that is multiplied, divided or shifted in each iteration. Where that comparison is all of the
condition, the loop is a `for`, behind which the condition's region is written once more. Where it is one of several
that have to hold, the `for` has as many iterations as the comparison allows, and does nothing from the end of the loop
on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ...analysis.linear import Linear, linear_of
from ...ir.clone import clone_operation
from ...ir.operation import Operation as Instruction
from ...ir.types import ScalarType, bool_, index
from ...ir.values import Region, Value
from ...mlirtext import Operation
from ...ops import ArithBinary, ArithUnary, Cast, Compare, For, If, Yield
from ...ops.constants import constant_of
from . import affine_values, rules, scalars
from .branches import BRANCHES, CONDITION
from .context import Context, Handler, Silent, parts_of
from .loops import flattened, unflattened
from .values import Result

_TURNED = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le", "ne": "ne"}
MOST_DEPTH = 8
"""A bound is computed in front of the loop where it is made of not more operations within each other."""
MOST_STEPS = 64
"""A number that is not 0 has left each interval after so many multiplications, divisions or shifts, or stays there."""


@dataclass
class _Loop:
    """A loop that has been read: its regions, with values that stand for what it carries."""

    op: Operation
    inits: list[Value]
    carried: list[Value]
    before: list[Instruction]
    condition: Value
    given: list[Result]
    """What the condition passes on, to the body and behind the loop."""
    body: list[Instruction]
    next: list[Value]

    def __post_init__(self) -> None:
        self.inner = {value for op in (*self.before, *self.body) for value in _defined(op)} | set(self.carried)

    @property
    def passed(self) -> list[Value]:
        return [value for each in self.given for value in parts_of(each)]


def _defined(op: Instruction) -> Iterator[Value]:
    yield from op.results
    for region in op.regions:
        yield from region.arguments
        for inside in region.operations:
            yield from _defined(inside)


@dataclass(frozen=True)
class _Count:
    """That the loop goes on only as long as a carried number, which grows by a step, stands so to a bound.

    Without a bound, the number of iterations is at most `MOST_STEPS`.
    """

    number: int
    step: int
    variant: str
    unsigned: bool
    bound: Value | None


def _while(ctx: Context, op: Operation) -> Sequence[Result]:
    told = ctx.diagnostics.count
    loop = _read(ctx, op)
    if ctx.diagnostics.count > told:
        raise Silent
    for condition in _all_of(loop.condition):
        count = _counted(ctx, loop, condition)
        if count is None:
            continue
        is_all = condition is loop.condition and count.bound is not None
        return _exact(ctx, loop, count) if is_all else _guarded(ctx, loop, count)
    ctx.fail(
        replace(op, name=CONDITION) if BRANCHES in op.attributes else op,
        rules.WHILE,
        "nothing bounds its iterations",
        "compare a number that each iteration adds a constant to with one that stays the same, and join other "
        "conditions by arith.andi",
    )


# Reading.


def _read(ctx: Context, op: Operation) -> _Loop:
    """Both regions, read once, with values in the place of what is carried."""
    before, after = ctx.block(op), ctx.block(op, 1)
    inits = [ctx.operand(op, number) for number in range(len(op.operands))]
    for name, each in zip(op.operands, inits):
        if not parts_of(each):
            ctx.fail(op, rules.OPERANDS, f"{name} is neither a number nor a vector, and is carried")
    if len(before.arguments) != len(inits) or len(after.arguments) != len(op.result_types):
        ctx.fail(op, rules.STRUCTURE, "its regions have an argument for each operand, and for each result")
    flat = [value for each in inits for value in parts_of(each)]
    carried = [Value(value.type, None, op.place) for value in flat]
    condition: list[Value] = []
    given: list[Result] = []
    following: list[Value] = []

    def first() -> Sequence[Value]:
        for (name, _), each in zip(before.arguments, unflattened(inits, carried)):
            ctx.bind(name, each, op.place)
        last = ctx.operations(before.operations)
        if last is None or last.name != "scf.condition" or len(last.operands) != 1 + len(op.result_types):
            ctx.fail(op, rules.STRUCTURE, "its first region ends with scf.condition, with a value for each result")
        condition.append(ctx.number(last, 0))
        given.extend(ctx.operand(last, number) for number in range(1, len(last.operands)))
        for name, each in zip(last.operands[1:], given):
            if not parts_of(each):
                ctx.fail(op, rules.OPERANDS, f"{name} is neither a number nor a vector, and is passed on")
        return ()

    def second() -> Sequence[Value]:
        for (name, _), each in zip(after.arguments, given):
            ctx.bind(name, each, op.place)
        last = ctx.operations(after.operations)
        following.extend(flattened(ctx, op, ctx.yielded(op, last, len(inits)), inits))
        return ()

    with ctx.scope():
        head = ctx.region("mixed", carried, first)
    with ctx.scope():
        body = ctx.region("mixed", [], second)
    if condition[0].type != bool_:
        ctx.fail(op, rules.OPERANDS, "its condition is an i1")
    return _Loop(op, flat, carried, head.operations, condition[0], given, body.operations, following)


# What bounds the iterations.


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


def _counted(ctx: Context, loop: _Loop, condition: Value) -> _Count | None:
    """What a condition says of the number of iterations."""
    op = condition.owner
    if not isinstance(op, Compare) or not (isinstance(op.a.type, ScalarType) and op.a.type.is_integer):
        return None
    a, b, unsigned = op.a, op.b, False
    if (low := _unsigned(a)) is not None and (lower := _unsigned(b)) is not None:
        a, b, unsigned = low, lower, True
    for left, right, variant in ((a, b, op.variant), (b, a, _TURNED.get(op.variant, ""))):
        found = _by_steps(ctx, loop, left, right, variant, unsigned)
        if found is not None:
            return found
    for value in (a, b):
        number = _multiplied(loop, value)
        if number is not None:
            return _Count(number, 0, op.variant, unsigned, None)
    return None


def _unsigned(value: Value) -> Value | None:
    """The number of which a comparison of unsigned integers is made (`scalars.below_unsigned`)."""
    op = value.owner
    if not isinstance(op, ArithBinary) or op.variant != "xor" or not isinstance(shift := op.b.owner, ArithBinary):
        return None
    is_lowest = shift.variant == "shl" and constant_of(shift.a) == 1 and constant_of(shift.b) == value.type.bits - 1
    return op.a if is_lowest else None


def _by_steps(ctx: Context, loop: _Loop, value: Value, bound: Value, variant: str, unsigned: bool) -> _Count | None:
    form = linear_of(value, {})
    for number, each in enumerate(loop.carried):
        if form.terms != ((each, 1),):
            continue
        step = linear_of(loop.next[number], {}).plus(Linear.of(each), -1)
        toward = step.constant > 0 if variant in ("lt", "le") else step.constant < 0
        if not step.is_constant or step.constant == 0 or variant not in _TURNED or not (toward or variant == "ne"):
            return None
        if variant == "ne":
            variant = "lt" if step.constant > 0 else "gt"
        outside = _outside(ctx, loop, bound)
        if outside is None:
            return None
        if form.constant:
            outside = ctx.builder.arith("sub", outside, scalars.integer(ctx.builder, value.type, form.constant))
        return _Count(number, step.constant, variant, unsigned, outside)
    return None


def _outside(ctx: Context, loop: _Loop, value: Value, depth: int = 0) -> Value | None:
    """A value in front of the loop that is the same in each iteration; None where it is not, or is much to compute."""
    if depth > MOST_DEPTH:
        return None
    if value not in loop.inner:
        return value
    if value in loop.carried:
        number = loop.carried.index(value)
        return loop.inits[number] if loop.next[number] is value else None
    op = value.owner
    if not isinstance(op, (ArithBinary, ArithUnary, Cast)):
        return None
    known: dict[Value, Value] = {}
    for operand in op.operands:
        outside = known.get(operand) or _outside(ctx, loop, operand, depth + 1)
        if outside is None:
            return None
        known[operand] = outside
    return ctx.builder.add(clone_operation(op, known)).results[0]


def _multiplied(loop: _Loop, value: Value) -> int | None:
    """Which carried number is compared that each iteration multiplies, divides or shifts by a constant."""
    if value not in loop.carried:
        return None
    number = loop.carried.index(value)
    op = loop.next[number].owner
    if isinstance(op, ArithBinary) and op.variant == "and" and isinstance(op.a.owner, ArithBinary):
        op = op.a.owner  # a shift that fills in zeros
    if not isinstance(op, ArithBinary) or op.a is not value:
        return None
    by = constant_of(op.b)
    least = {"mul": 2, "div": 2, "shl": 1, "shr": 1}.get(op.variant)
    return number if by is not None and least is not None and by >= least else None


# Writing.


def _rounds(ctx: Context, start: Value, count: _Count) -> Value:
    """How many iterations there are."""
    at = ctx.builder
    if count.bound is None:
        return ctx.constant(MOST_STEPS)
    up = count.variant in ("lt", "le")
    low, high = (start, count.bound) if up else (count.bound, start)
    distance = at.arith("sub", high, low)
    if count.variant in ("lt", "gt"):
        distance = at.arith("sub", distance, scalars.integer(at, start.type, 1))
    if abs(count.step) > 1:
        distance = scalars.quotient_unsigned(at, distance, scalars.integer(at, start.type, abs(count.step)))
    whole = scalars.extended_unsigned(at, distance, index)
    compare = scalars.below_unsigned if count.unsigned else type(at).compare
    holds = compare(at, count.variant, start, count.bound)
    return scalars.select(at, holds, at.arith("add", whole, ctx.constant(1)), ctx.constant(0))


def _exact(ctx: Context, loop: _Loop, count: _Count) -> list[Result]:
    """A loop that ends where a comparison ends it."""
    at, place = ctx.builder, loop.op.place
    start, bound = loop.inits[count.number], count.bound
    assert bound is not None
    inits, carried, following = list(loop.inits), list(loop.carried), list(loop.next)
    if not count.unsigned and count.variant in ("lt", "le") and start.type != bool_:
        # the number itself is the variable
        variable = carried.pop(count.number)
        del inits[count.number], following[count.number]
        one = scalars.integer(at, start.type, 1)
        stop = at.arith("add", bound, one) if count.variant == "le" else bound
        step = None if count.step == 1 else scalars.integer(at, start.type, count.step)
    else:
        variable = Value(index, None, place)
        start, stop, step = ctx.constant(0), _rounds(ctx, start, count), None
    body = [*loop.before, *loop.body]
    if following:
        body.append(Yield(place, yielded=following))
    region = Region("mixed", [variable, *carried], body, place)
    made = For(place, [value.type for value in inits], start=start, stop=stop, step=step, inits=inits, body=region)
    known = dict(zip(carried, ctx.builder.add(made).results))
    if variable in loop.carried:
        known[variable] = _last(ctx, start, stop, count.step)
    # the condition is looked at once more than the body is executed
    ctx.add_to_count(loop.op, sum(1 for op in loop.before for _ in _defined(op)))
    for op in loop.before:
        at.add(clone_operation(op, known))
    return unflattened(loop.given, [known.get(value, value) for value in loop.passed])


def _last(ctx: Context, start: Value, stop: Value, step: int) -> Value:
    """The number at which a loop that goes up ends."""
    at = ctx.builder
    if step == 1:
        return affine_values.extreme(ctx, "max", [start, stop])
    by, zero = scalars.integer(at, start.type, step), at.zero(start.type)
    distance = at.arith("max", at.arith("sub", stop, start), zero)
    up = at.arith("add", distance, at.arith("sub", by, at.one(start.type)))
    return at.arith("add", start, at.arith("mul", at.arith("div", up, by), by))


def _guarded(ctx: Context, loop: _Loop, count: _Count) -> list[Result]:
    """A loop that may end before a comparison ends it: iterations behind its end do nothing."""
    place, passed = loop.op.place, loop.passed
    state = [*loop.carried, *(Value(value.type, None, place) for value in passed), Value(bool_, None, place)]
    at_first = [*loop.inits, *(ctx.builder.zero(value.type) for value in passed), ctx.builder.constant(bool_, True)]

    def either(condition: Value, then: list[Instruction], given: list[Value], otherwise: list[Value]) -> If:
        regions = [
            Region("mixed", [], [*operations, Yield(place, yielded=values)], place)
            for operations, values in ((then, given), ([], otherwise))
        ]
        types = [value.type for value in given]
        return If(place, types, condition=condition, then_body=regions[0], else_body=regions[1])

    goes_on = either(loop.condition, loop.body, loop.next, loop.carried)
    whole = either(state[-1], [*loop.before, goes_on], [*goes_on.results, *passed, loop.condition], state)
    body = Region("mixed", [Value(index, None, place), *state], [whole, Yield(place, yielded=whole.results)], place)
    rounds = ctx.builder.arith("add", _rounds(ctx, loop.inits[count.number], count), ctx.constant(1))
    types = [value.type for value in state]
    made = For(place, types, start=ctx.constant(0), stop=rounds, step=None, inits=at_first, body=body)
    return unflattened(loop.given, ctx.builder.add(made).results[len(loop.carried) : -1])


HANDLERS: dict[str, Handler] = {"scf.while": _while}
