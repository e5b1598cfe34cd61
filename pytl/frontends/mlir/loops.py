"""scf and affine: sequential loops, branches, accesses by affine maps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...ir.types import bool_
from ...ir.values import Value
from ...mlirtext import Operation
from . import affine_values, rules, scalars
from .context import Context, Handler, like, parts_of
from .memory import store_checked
from .values import Result, Vec

Bounds = tuple[Value, Value, Value]
"""Start, stop and step of a loop."""


# Sequential loops.


def _for(ctx: Context, op: Operation) -> Sequence[Result]:
    bounds = [ctx.number(op, number) for number in range(3)]
    if len({str(value.type) for value in bounds}) > 1 or bounds[0].type == bool_:
        ctx.fail(op, rules.OPERANDS, "its bounds and step are integers of one type")
    if op.attributes.get("unsignedCmp"):
        return _unsigned(ctx, op, bounds)
    return _sequential(ctx, op, (bounds[0], bounds[1], bounds[2]), 3)


def _unsigned(ctx: Context, op: Operation, bounds: list[Value]) -> Sequence[Result]:
    """A loop whose bounds are compared as unsigned integers: over the numbers of its iterations."""
    start, stop, step = bounds
    at = ctx.builder
    rounds = scalars.rounded_up_unsigned(at, at.arith("sub", stop, start), step)
    is_empty = scalars.below_unsigned(at, "ge", start, stop)
    zero, one = at.constant(start.type, 0), at.constant(start.type, 1)
    rounds = scalars.select(at, is_empty, zero, rounds)

    def variable(number: Value) -> Value:
        return ctx.builder.arith("add", start, ctx.builder.arith("mul", number, step))

    return _sequential(ctx, op, (zero, rounds, one), 3, variable)


def _sequential(
    ctx: Context, op: Operation, bounds: Bounds, first: int, variable: Callable[[Value], Value] | None = None
) -> Sequence[Result]:
    """A loop with what it carries, whose initial values are the operands from one on."""
    block = ctx.block(op)
    inits = [ctx.operand(op, number) for number in range(first, len(op.operands))]
    if len(block.arguments) != 1 + len(inits) or len(op.result_types) != len(inits):
        ctx.fail(
            op, rules.STRUCTURE, "its body has an argument for the loop's variable, and one for each carried value"
        )
    for name, each in zip(op.operands[first:], inits):
        if not parts_of(each):
            ctx.fail(op, rules.OPERANDS, f"{name} is neither a number nor a vector, and is carried")
    flat = [value for each in inits for value in parts_of(each)]

    def body(at: Value, values: list[Value]) -> Sequence[Value]:
        with ctx.scope():
            ctx.bind(block.arguments[0][0], variable(at) if variable else at, op.place)
            for (name, _), each in zip(block.arguments[1:], unflattened(inits, values)):
                ctx.bind(name, each, op.place)
            last = ctx.operations(block.operations)
            return flattened(ctx, op, ctx.yielded(op, last, len(inits)), inits)

    results = ctx.loop(bounds, flat, body, block.arguments[0][0])
    return unflattened(inits, results)


def unflattened(forms: Sequence[Result], values: Sequence[Value]) -> list[Result]:
    """Numbers and vectors of the forms of others, from the values that they are made of."""
    found: list[Result] = []
    rest = list(values)
    for form in forms:
        count = len(parts_of(form))
        found.append(like(form, rest[:count]))
        rest = rest[count:]
    return found


def flattened(ctx: Context, op: Operation, given: Sequence[Result], forms: Sequence[Result]) -> list[Value]:
    """The values of numbers and vectors, which have the forms of others."""
    found: list[Value] = []
    for each, form in zip(given, forms):
        values, wanted = parts_of(each), parts_of(form)
        if [value.type for value in values] != [value.type for value in wanted] or isinstance(each, Vec) != isinstance(
            form, Vec
        ):
            ctx.fail(op, rules.STRUCTURE, "its regions give values of the types of its results")
        found += values
    return found


def _affine_bound(ctx: Context, op: Operation, name: str, operands: range, word: str) -> Value:
    """The largest or smallest result of a map."""
    map_ = ctx.map(op, op.attributes.get(name), len(operands))
    given = ctx.indices(op, operands.start, len(operands))
    if not map_.results:
        ctx.fail(op, rules.MAP, f"{name} has no results")
    return affine_values.extreme(ctx, word, affine_values.results(ctx, map_, given))


def checked_step(ctx: Context, op: Operation, step: Any) -> Value:
    """The step of a loop, which is positive."""
    if not isinstance(step, int) or step <= 0:
        ctx.fail(op, rules.OPERANDS, f"the step is {step}, and not positive")
    return ctx.constant(step)


def _affine_for(ctx: Context, op: Operation) -> Sequence[Result]:
    groups = ctx.segments(op, ("lower", "upper", "inits"))
    start = _affine_bound(ctx, op, "lowerBoundMap", groups["lower"], "max")
    stop = _affine_bound(ctx, op, "upperBoundMap", groups["upper"], "min")
    step = checked_step(ctx, op, op.attributes.get("step", 1))
    return _sequential(ctx, op, (start, stop, step), groups["inits"].start)


# Branches.


def _if(ctx: Context, op: Operation) -> Sequence[Result]:
    condition = ctx.number(op, 0)
    if condition.type != bool_:
        ctx.fail(op, rules.OPERANDS, "its condition is an i1")
    return _branch(ctx, op, condition)


def _affine_if(ctx: Context, op: Operation) -> Sequence[Result]:
    set_ = ctx.set(op, op.attributes.get("condition"))
    given = ctx.indices(op, 0)
    if len(given) != len(set_.dimensions) + len(set_.symbols):
        ctx.fail(op, rules.MAP, f"the set {set_} is applied to {len(given)} operands")
    return _branch(ctx, op, affine_values.holds(ctx, set_, given))


def _branch(ctx: Context, op: Operation, condition: Value) -> Sequence[Result]:
    forms: list[Result] = []
    count = len(op.result_types)

    def write(number: int) -> Callable[[], Sequence[Value]]:
        def body() -> Sequence[Value]:
            with ctx.scope():
                block = ctx.block(op, number)
                given = ctx.yielded(op, ctx.operations(block.operations), count)
            if not forms:
                forms.extend(given)
            return flattened(ctx, op, given, forms)

        return body

    from ...ops import If

    then = ctx.region("mixed", [], write(0))
    has_else = len(op.regions) > 1 and bool(op.regions[1].blocks)
    if count and not has_else:
        ctx.fail(op, rules.STRUCTURE, "it gives values, but has no else")
    other = ctx.region("mixed", [], write(1)) if has_else else None
    types = [value.type for form in forms for value in parts_of(form)]
    made = If(op.place, types, condition=condition, then_body=then, else_body=other)
    return unflattened(forms, ctx.builder.add(made).results)


# Values of affine maps.


def _apply(ctx: Context, op: Operation) -> Sequence[Result]:
    map_ = ctx.map(op, op.attributes.get("map"), len(op.operands))
    if len(map_.results) != 1:
        ctx.fail(op, rules.MAP, f"the map {map_} has {len(map_.results)} results, and not one")
    return affine_values.results(ctx, map_, ctx.indices(op, 0))


def _extreme(word: str) -> Handler:
    def write(ctx: Context, op: Operation) -> Sequence[Result]:
        map_ = ctx.map(op, op.attributes.get("map"), len(op.operands))
        if not map_.results:
            ctx.fail(op, rules.MAP, f"the map {map_} has no results")
        return [affine_values.extreme(ctx, word, affine_values.results(ctx, map_, ctx.indices(op, 0)))]

    return write


def mapped(ctx: Context, op: Operation, first: int) -> list[Value]:
    """The indices of an access by the map of an operation, applied to its operands from one on."""
    map_ = ctx.map(op, op.attributes.get("map"), len(op.operands) - first)
    return affine_values.results(ctx, map_, ctx.indices(op, first))


def _affine_load(ctx: Context, op: Operation) -> Sequence[Result]:
    view = ctx.view(op, 0)
    indices = mapped(ctx, op, 1)
    if len(indices) != len(view.sizes):
        ctx.fail(op, rules.MAP, f"the map has {len(indices)} results, but {view.type} {len(view.sizes)} dimensions")
    return [ctx.load(view, indices)]


def _affine_store(ctx: Context, op: Operation) -> None:
    value, view = ctx.number(op, 0), ctx.view(op, 1)
    indices = mapped(ctx, op, 2)
    if len(indices) != len(view.sizes):
        ctx.fail(op, rules.MAP, f"the map has {len(indices)} results, but {view.type} {len(view.sizes)} dimensions")
    store_checked(ctx, op, value, view, indices)


HANDLERS: dict[str, Handler] = {
    "scf.for": _for,
    "scf.if": _if,
    "affine.for": _affine_for,
    "affine.if": _affine_if,
    "affine.apply": _apply,
    "affine.min": _extreme("min"),
    "affine.max": _extreme("max"),
    "affine.load": _affine_load,
    "affine.store": _affine_store,
}
