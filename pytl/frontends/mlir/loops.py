"""scf and affine: sequential loops, branches, accesses by affine maps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...ir.types import bool_, index
from ...ir.values import Value
from ...mlir.text import Operation
from ...ops import If
from ..composites import flattened, parts_of, rebuilt
from . import affine_values, rules, scalars
from .context import Context, reads
from .values import Result, Vec

Bounds = tuple[Value, Value, Value]
"""Start, stop and step of a loop."""


# Sequential loops.


@reads("scf.for")
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
    trip_count = scalars.rounded_up_unsigned(at, at.arith("sub", stop, start), step)
    is_empty = scalars.below_unsigned(at, "ge", start, stop)
    zero, one = at.constant(start.type, 0), at.constant(start.type, 1)
    trip_count = scalars.select(at, is_empty, zero, trip_count)

    def variable(number: Value) -> Value:
        return ctx.builder.arith("add", start, ctx.builder.arith("mul", number, step))

    return _sequential(ctx, op, (zero, trip_count, one), 3, variable)


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

    def body(at: Value, values: list[Value]) -> Sequence[Value]:
        with ctx.names.inner():
            ctx.bind(block.arguments[0][0], variable(at) if variable else at, op.location)
            for (name, _), each in zip(block.arguments[1:], rebuilt(inits, values)):
                ctx.bind(name, each, op.location)
            last = ctx.operations(block.operations)
            return parts_like(ctx, op, ctx.yielded(op, last, len(inits)), inits)

    return rebuilt(inits, ctx.loop(bounds, flattened(inits), body, block.arguments[0][0]))


def parts_like(ctx: Context, op: Operation, results: Sequence[Result], forms: Sequence[Result]) -> list[Value]:
    """The parts of numbers and vectors, which have the forms of others."""
    for each, form in zip(results, forms):
        values, expected = parts_of(each), parts_of(form)
        types, wanted = ([value.type for value in own] for own in (values, expected))
        if not values or types != wanted or isinstance(each, Vec) != isinstance(form, Vec):
            ctx.fail(op, rules.STRUCTURE, "its regions give values of the types of its results")
    return flattened(results)


def _affine_bound(ctx: Context, op: Operation, name: str, operands: range, word: str) -> Value:
    """The largest or smallest result of a map."""
    map_ = ctx.map(op, op.attributes.get(name), len(operands))
    indices = ctx.indices(op, operands.start, len(operands))
    if not map_.results:
        ctx.fail(op, rules.MAP, f"{name} has no results")
    return affine_values.extreme(ctx, word, affine_values.results(ctx, map_, indices))


def checked_step(ctx: Context, op: Operation, step: Any) -> Value:
    """The step of a loop, which is positive."""
    if not isinstance(step, int) or step <= 0:
        ctx.fail(op, rules.OPERANDS, f"the step is {step}, and not positive")
    return ctx.constant(step)


@reads("affine.for")
def _affine_for(ctx: Context, op: Operation) -> Sequence[Result]:
    groups = ctx.segments(op, ("lower", "upper", "inits"))
    start = _affine_bound(ctx, op, "lowerBoundMap", groups["lower"], "max")
    stop = _affine_bound(ctx, op, "upperBoundMap", groups["upper"], "min")
    step = checked_step(ctx, op, op.attributes.get("step", 1))
    return _sequential(ctx, op, (start, stop, step), groups["inits"].start)


# Branches.


@reads("scf.if")
def _if(ctx: Context, op: Operation) -> Sequence[Result]:
    condition = ctx.number(op, 0)
    if condition.type != bool_:
        ctx.fail(op, rules.OPERANDS, "its condition is an i1")
    return _if_else(ctx, op, condition)


@reads("affine.if")
def _affine_if(ctx: Context, op: Operation) -> Sequence[Result]:
    set_ = ctx.set(op, op.attributes.get("condition"))
    indices = ctx.indices(op, 0)
    if len(indices) != len(set_.dimensions) + len(set_.symbols):
        ctx.fail(op, rules.MAP, f"the set {set_} is applied to {len(indices)} operands")
    return _if_else(ctx, op, affine_values.holds(ctx, set_, indices))


def _of_region(ctx: Context, op: Operation, number: int) -> Callable[[], list[Result]]:
    """What writes a region of an operation, and gives its values."""

    def write() -> list[Result]:
        with ctx.names.inner():
            block = ctx.block(op, number)
            return ctx.yielded(op, ctx.operations(block.operations), len(op.result_types))

    return write


def _if_else(ctx: Context, op: Operation, condition: Value) -> Sequence[Result]:
    has_else = len(op.regions) > 1 and bool(op.regions[1].blocks)
    if op.result_types and not has_else:
        ctx.fail(op, rules.STRUCTURE, "it gives values, but has no else")
    return _branch(ctx, op, condition, _of_region(ctx, op, 0), _of_region(ctx, op, 1) if has_else else None)


def _branch(
    ctx: Context,
    op: Operation,
    condition: Value,
    then: Callable[[], list[Result]],
    otherwise: Callable[[], list[Result]] | None,
) -> list[Result]:
    """One of two regions; both give values of the same types."""
    forms: list[Result] = []

    def values(write: Callable[[], list[Result]]) -> Callable[[], Sequence[Value]]:
        def body() -> Sequence[Value]:
            results = write()
            if not forms:
                forms.extend(results)
            return parts_like(ctx, op, results, forms)

        return body

    first = ctx.region("mixed", [], values(then))
    second = None if otherwise is None else ctx.region("mixed", [], values(otherwise))
    types = [value.type for value in flattened(forms)]
    made = If(op.location, types, condition=condition, then_body=first, else_body=second)
    return rebuilt(forms, ctx.builder.add(made).results)


MAX_CASES = 64


@reads("scf.index_switch")
def _switch(ctx: Context, op: Operation) -> Sequence[Result]:
    """Conditions within each other; the first region is the default."""
    selector, cases = ctx.number(op, 0), op.attributes.get("cases")
    if selector.type != index or not isinstance(cases, tuple) or len(op.regions) != 1 + len(cases):
        ctx.fail(op, rules.OPERANDS, "it has an index, and a region for each case")
    if len(cases) > MAX_CASES:
        ctx.fail(op, rules.LENGTH, f"it has {len(cases)} cases, and at most {MAX_CASES} are read")

    def choose(number: int) -> list[Result]:
        if number == len(cases):
            return _of_region(ctx, op, 0)()
        condition = ctx.builder.compare("eq", selector, ctx.constant(int(cases[number])))
        return _branch(ctx, op, condition, _of_region(ctx, op, 1 + number), lambda: choose(number + 1))

    return choose(0)


@reads("scf.execute_region", "memref.alloca_scope")
def _in_place(ctx: Context, op: Operation) -> Sequence[Result]:
    """A region that is executed where it stands."""
    return _of_region(ctx, op, 0)()


# Values of affine maps.


@reads("affine.apply")
def _apply(ctx: Context, op: Operation) -> Sequence[Result]:
    map_ = ctx.map(op, op.attributes.get("map"), len(op.operands))
    if len(map_.results) != 1:
        ctx.fail(op, rules.MAP, f"the map {map_} has {len(map_.results)} results, and not one")
    return affine_values.results(ctx, map_, ctx.indices(op, 0))


@reads("affine.min", "affine.max")
def _extreme(ctx: Context, op: Operation) -> Sequence[Result]:
    return [_affine_bound(ctx, op, "map", range(len(op.operands)), op.name.partition(".")[2])]


def _basis(ctx: Context, op: Operation, first: int) -> list[Value]:
    """The sizes of dimensions."""
    sizes: list[Value] = []
    for number, operand in ctx.listed(op, "basis", range(first, len(op.operands))):
        sizes.append(ctx.constant(number) if operand is None else ctx.indices(op, operand, 1)[0])
    return sizes


@reads("affine.delinearize_index")
def _delinearized(ctx: Context, op: Operation) -> Sequence[Result]:
    """An index as one in each dimension of a shape."""
    number, basis, count = ctx.indices(op, 0, 1)[0], _basis(ctx, op, 1), len(op.result_types)
    if len(basis) not in (count, count - 1) or count == 0:
        ctx.fail(op, rules.OPERANDS, "it has a size for each result, or for each but the first")
    return affine_values.divided(ctx, number, _with_first(basis, count))


def _with_first(basis: list[Value], count: int) -> list[Value]:
    """So many sizes, of which the first one does not matter."""
    return basis if len(basis) == count else [*basis[:1], *basis]


@reads("affine.linearize_index")
def _linearized(ctx: Context, op: Operation) -> Sequence[Result]:
    groups = ctx.segments(op, ("multi_index", "basis"))
    indices = ctx.indices(op, 0, len(groups["multi_index"]))
    basis = _basis(ctx, op, groups["basis"].start)
    if len(basis) not in (len(indices), len(indices) - 1):
        ctx.fail(op, rules.OPERANDS, "it has a size for each index, or for each but the first")
    return [affine_values.joined(ctx, indices, _with_first(basis, len(indices)))]


@reads("affine.prefetch", "memref.prefetch")
def _nothing(ctx: Context, op: Operation) -> None:
    """A hint that changes nothing that is computed."""
    ctx.view(op, 0)


@reads("cf.assert")
def _asserted(ctx: Context, op: Operation) -> None:
    """What a program says of its arguments is taken to hold."""
    ctx.number(op, 0)
