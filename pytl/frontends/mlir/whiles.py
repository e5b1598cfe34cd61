"""scf.while: loops whose iterations something bounds, as loops of the language, which are counted.

`frontends/iterations.py` says what bounds them. Where that comparison is all of the condition, the loop is a `for`,
behind which the condition's region is written once more. Where it is one of several that have to hold, the `for` has
as many iterations as the comparison allows, and does nothing from the end of the loop on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ...ir.clone import clone_operation
from ...ir.operation import Operation as Instruction
from ...ir.types import bool_, index
from ...ir.values import Region, Value
from ...mlir.text import Operation
from ...ops import For, If, Yield
from ..composites import flattened, parts_of, rebuilt
from ..iterations import Count, Iteration, counted, defined, rounds
from . import affine_values, rules, scalars
from .branches import BRANCHES, CONDITION
from .context import AlreadyReported, Context, reads
from .loops import parts_like
from .values import Result


@dataclass
class _Loop:
    """A loop that has been read: its regions, with values that stand for what it carries."""

    op: Operation
    inits: list[Value]
    carried: list[Value]
    before: list[Instruction]
    condition: Value
    results: list[Result]
    """What the condition passes on, to the body and behind the loop."""
    body: list[Instruction]
    next: list[Value]

    @property
    def passed(self) -> list[Value]:
        return flattened(self.results)


@reads("scf.while")
def _while(ctx: Context, op: Operation) -> Sequence[Result]:
    error_count = ctx.diagnostics.count
    loop = _read(ctx, op)
    if ctx.diagnostics.count > error_count:
        raise AlreadyReported
    iteration = Iteration(loop.inits, loop.carried, loop.condition, loop.next, [*loop.before, *loop.body])
    count = counted(ctx.builder, iteration)
    if count is not None:
        return _exact(ctx, loop, count) if count.is_exact else _guarded(ctx, loop, count)
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
    flat = flattened(inits)
    carried = [Value(value.type, None, op.location) for value in flat]
    condition: list[Value] = []
    results: list[Result] = []
    following: list[Value] = []

    def first() -> None:
        for (name, _), each in zip(before.arguments, rebuilt(inits, carried)):
            ctx.bind(name, each, op.location)
        last = ctx.operations(before.operations)
        if last is None or last.name != "scf.condition" or len(last.operands) != 1 + len(op.result_types):
            ctx.fail(op, rules.STRUCTURE, "its first region ends with scf.condition, with a value for each result")
        condition.append(ctx.number(last, 0))
        results.extend(ctx.operand(last, number) for number in range(1, len(last.operands)))
        for name, each in zip(last.operands[1:], results):
            if not parts_of(each):
                ctx.fail(op, rules.OPERANDS, f"{name} is neither a number nor a vector, and is passed on")

    def second() -> None:
        for (name, _), each in zip(after.arguments, results):
            ctx.bind(name, each, op.location)
        last = ctx.operations(after.operations)
        following.extend(parts_like(ctx, op, ctx.yielded(op, last, len(inits)), inits))

    with ctx.names.inner():
        head = ctx.region("mixed", carried, first)
    with ctx.names.inner():
        body = ctx.region("mixed", [], second)
    if condition[0].type != bool_:
        ctx.fail(op, rules.OPERANDS, "its condition is an i1")
    return _Loop(op, flat, carried, head.operations, condition[0], results, body.operations, following)


# Writing.


def _exact(ctx: Context, loop: _Loop, count: Count) -> list[Result]:
    """A loop that ends where a comparison ends it."""
    at, location = ctx.builder, loop.op.location
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
        variable = Value(index, None, location)
        start, stop, step = ctx.constant(0), rounds(at, start, count), None
    body = [*loop.before, *loop.body]
    if following:
        body.append(Yield(location, yielded=following))
    region = Region("mixed", [variable, *carried], body, location)
    made = For(location, [value.type for value in inits], start=start, stop=stop, step=step, inits=inits, body=region)
    known = dict(zip(carried, ctx.builder.add(made).results))
    if variable in loop.carried:
        known[variable] = _last(ctx, start, stop, count.step)
    # the condition is looked at once more than the body is executed
    ctx.add_to_count(loop.op, sum(1 for op in loop.before for _ in defined(op)))
    for op in loop.before:
        at.add(clone_operation(op, known))
    return rebuilt(loop.results, [known.get(value, value) for value in loop.passed])


def _last(ctx: Context, start: Value, stop: Value, step: int) -> Value:
    """The number at which a loop that goes up ends."""
    at = ctx.builder
    if step == 1:
        return affine_values.extreme(ctx, "max", [start, stop])
    by, zero = scalars.integer(at, start.type, step), at.zero(start.type)
    distance = at.arith("max", at.arith("sub", stop, start), zero)
    up = at.arith("add", distance, at.arith("sub", by, at.one(start.type)))
    return at.arith("add", start, at.arith("mul", at.arith("div", up, by), by))


def _guarded(ctx: Context, loop: _Loop, count: Count) -> list[Result]:
    """A loop that may end before a comparison ends it: iterations behind its end do nothing."""
    location, passed = loop.op.location, loop.passed
    state = [*loop.carried, *(Value(value.type, None, location) for value in passed), Value(bool_, None, location)]
    at_first = [*loop.inits, *(ctx.builder.zero(value.type) for value in passed), ctx.builder.constant(bool_, True)]

    def either(condition: Value, then: list[Instruction], then_values: list[Value], else_values: list[Value]) -> If:
        regions = [
            Region("mixed", [], [*operations, Yield(location, yielded=values)], location)
            for operations, values in ((then, then_values), ([], else_values))
        ]
        types = [value.type for value in then_values]
        return If(location, types, condition=condition, then_body=regions[0], else_body=regions[1])

    continue_condition = either(loop.condition, loop.body, loop.next, loop.carried)
    whole = either(
        state[-1], [*loop.before, continue_condition], [*continue_condition.results, *passed, loop.condition], state
    )
    body = Region(
        "mixed", [Value(index, None, location), *state], [whole, Yield(location, yielded=whole.results)], location
    )
    most = ctx.builder.arith("add", rounds(ctx.builder, loop.inits[count.number], count), ctx.constant(1))
    types = [value.type for value in state]
    made = For(location, types, start=ctx.constant(0), stop=most, step=None, inits=at_first, body=body)
    return rebuilt(loop.results, ctx.builder.add(made).results[len(loop.carried) : -1])
