"""scf and affine: loops, branches, accesses by affine maps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ...ir.types import bool_
from ...ir.values import Value
from ...mlirtext import Block, Operation
from ...mlirtext.custom import DYNAMIC as UNWRITTEN
from ...mlirtext.tree import Dense
from ...ops.constants import constant_of
from . import affine_values, rules, scalars
from .context import Context, Handler, like, parts_of
from .memory import store_checked
from .sequence import has_for_group
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
        ctx.fail(op, rules.STRUCTURE, "its body has an argument for the loop's variable, and one for each carried value")
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


def _step(ctx: Context, op: Operation, step: Any) -> Value:
    if not isinstance(step, int) or step <= 0:
        ctx.fail(op, rules.OPERANDS, f"the step is {step}, and not positive")
    return ctx.constant(step)


def _affine_for(ctx: Context, op: Operation) -> Sequence[Result]:
    groups = ctx.segments(op, ("lower", "upper", "inits"))
    start = _affine_bound(ctx, op, "lowerBoundMap", groups["lower"], "max")
    stop = _affine_bound(ctx, op, "upperBoundMap", groups["upper"], "min")
    step = _step(ctx, op, op.attributes.get("step", 1))
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


# Parallel loops.


@dataclass
class Parallel:
    """A parallel loop: bounds of each dimension, and its body."""

    op: Operation
    bounds: list[Bounds]
    block: Block
    inits: list[Result]

    @property
    def trips(self) -> list[tuple[Value, Value, Value]]:
        return self.bounds


def parallel_of(ctx: Context, op: Operation) -> Parallel:
    """What a parallel loop says."""
    bounds = _PARALLEL[op.name](ctx, op)
    block = ctx.block(op)
    if len(block.arguments) != len(bounds) or not bounds:
        ctx.fail(op, rules.STRUCTURE, "its body has an argument for each dimension")
    for _, _, step in bounds:
        known = constant_of(step)
        if known is not None and known <= 0:
            ctx.fail(op, rules.OPERANDS, f"the step is {known}, and not positive")
    inits: list[Result] = []
    if op.name == "scf.parallel":
        inits = [ctx.operand(op, n) for n in ctx.segments(op, _SEGMENTS)["initVals"]]
    return Parallel(op, bounds, block, inits)


_SEGMENTS = ("lowerBound", "upperBound", "step", "initVals")


def _scf_bounds(ctx: Context, op: Operation) -> list[Bounds]:
    groups = ctx.segments(op, _SEGMENTS)
    lower, upper, steps = (ctx.indices(op, groups[n].start, len(groups[n])) for n in _SEGMENTS[:3])
    if not len(lower) == len(upper) == len(steps):
        ctx.fail(op, rules.OPERANDS, "it has as many lower as upper bounds and steps")
    return list(zip(lower, upper, steps))


def _forall_bounds(ctx: Context, op: Operation) -> list[Bounds]:
    names = ("dynamicLowerBound", "dynamicUpperBound", "dynamicStep", "outputs")
    groups = ctx.segments(op, names)
    if groups["outputs"] or op.result_types:
        ctx.fail(op, rules.TENSOR, "it gives tensors", "run mlir-opt --one-shot-bufferize first")
    found: list[list[Value]] = []
    for static, dynamic in zip(("staticLowerBound", "staticUpperBound", "staticStep"), names):
        numbers, rest = op.attributes.get(static), list(groups[dynamic])
        if not isinstance(numbers, tuple) or sum(n == UNWRITTEN for n in numbers) != len(rest):
            ctx.fail(op, rules.OPERANDS, f"{static} has a number for each dimension, or an operand")
        found.append([ctx.indices(op, rest.pop(0), 1)[0] if n == UNWRITTEN else ctx.constant(n) for n in numbers])
    if not len(found[0]) == len(found[1]) == len(found[2]):
        ctx.fail(op, rules.OPERANDS, "it has as many lower as upper bounds and steps")
    return list(zip(*found))


def _affine_bounds(ctx: Context, op: Operation) -> list[Bounds]:
    steps = op.attributes.get("steps", ())
    sides: list[list[Value]] = []
    first = 0
    for side, word in (("lower", "max"), ("upper", "min")):
        map_ = ctx.map(op, op.attributes.get(f"{side}BoundsMap"))
        count = len(map_.dimensions) + len(map_.symbols)
        found = affine_values.results(ctx, map_, ctx.indices(op, first, count))
        first += count
        given = op.attributes.get(f"{side}BoundsGroups")
        groups = given.values if isinstance(given, Dense) else given
        groups = groups if isinstance(groups, tuple) else (groups,) * len(steps)
        if not all(isinstance(n, int) and n > 0 for n in groups) or sum(groups) != len(found):
            ctx.fail(op, rules.OPERANDS, f"{side}BoundsGroups says how many results of the map each bound has")
        sides.append([])
        for size in groups:
            sides[-1].append(affine_values.extreme(ctx, word, found[:size]))
            found = found[size:]
    if not len(sides[0]) == len(sides[1]) == len(steps):
        ctx.fail(op, rules.OPERANDS, "it has as many lower as upper bounds and steps")
    return [(low, up, _step(ctx, op, step)) for low, up, step in zip(*sides, steps)]


_PARALLEL: dict[str, Callable[[Context, Operation], list[Bounds]]] = {
    "scf.parallel": _scf_bounds,
    "scf.forall": _forall_bounds,
    "affine.parallel": _affine_bounds,
}


def trips(ctx: Context, bounds: Bounds) -> Value:
    """How many iterations a loop has; it may be negative for none."""
    start, stop, step = bounds
    distance = stop if constant_of(start) == 0 else _difference(ctx, stop, start)
    if constant_of(step) == 1:
        return distance
    return affine_values.arith(ctx, "ceildiv", distance, step)


def _difference(ctx: Context, a: Value, b: Value) -> Value:
    x, y = constant_of(a), constant_of(b)
    return ctx.constant(x - y) if x is not None and y is not None else ctx.builder.arith("sub", a, b)


def variable_of(ctx: Context, bounds: Bounds, number: Value) -> Value:
    """The loop's variable in an iteration."""
    start, _, step = bounds
    return affine_values.arith(ctx, "+", start, affine_values.arith(ctx, "*", number, step))


def bind_variables(ctx: Context, loop: Parallel, values: Sequence[Value]) -> None:
    for (name, _), value in zip(loop.block.arguments, values):
        ctx.bind(name, value, loop.op.place)


def _parallel(ctx: Context, op: Operation) -> Sequence[Result]:
    loop = parallel_of(ctx, op)
    reductions = reductions_of(ctx, loop)
    if reductions:
        return _reduced(ctx, loop, reductions)
    if ctx.spmd or any(has_for_group(ctx, inner) for inner in loop.block.operations):
        _nested(ctx, loop, [], lambda values: _body(ctx, loop, values))
        return ()
    # the last dimension is the contiguous one, as a rule
    stops = [trips(ctx, bounds) for bounds in loop.bounds]
    names = [name for name, _ in loop.block.arguments]

    def body(at: list[Value]) -> None:
        numbers = list(reversed(at))
        _body(ctx, loop, [variable_of(ctx, bounds, n) for bounds, n in zip(loop.bounds, numbers)])

    ctx.foreach(list(reversed(stops)), body, list(reversed(names)))
    return ()


def _body(ctx: Context, loop: Parallel, values: Sequence[Value]) -> None:
    with ctx.scope():
        bind_variables(ctx, loop, values)
        ctx.operations(loop.block.operations)


def _nested(ctx: Context, loop: Parallel, values: list[Value], body: Callable[[list[Value]], None]) -> None:
    """The loop as sequential ones, one in the other."""
    if len(values) == len(loop.bounds):
        body(values)
        return

    def inner(variable: Value, _: list[Value]) -> Sequence[Value]:
        _nested(ctx, loop, [*values, variable], body)
        return ()

    ctx.loop(loop.bounds[len(values)], [], inner, loop.block.arguments[len(values)][0])


# Reductions.


def reductions_of(ctx: Context, loop: Parallel) -> list[Any]:
    """How each result of a parallel loop is reduced: the region of scf.reduce, or a word of affine.parallel."""
    op = loop.op
    if op.name == "affine.parallel":
        given = op.attributes.get("reductions", ())
        if not isinstance(given, tuple) or len(given) != len(op.result_types):
            ctx.fail(op, rules.REDUCTION, "it has a reduction for each result")
        return list(given)
    if not loop.inits:
        return []
    last = loop.block.operations[-1] if loop.block.operations else None
    if last is None or last.name != "scf.reduce" or not len(last.regions) == len(loop.inits) == len(op.result_types):
        ctx.fail(op, rules.REDUCTION, "it ends with scf.reduce, with a region for each result")
    return [ctx.block(last, number) for number in range(len(last.regions))]


_WORDS: dict[str, tuple[str, Any]] = {
    "addf": ("add", 0.0),
    "addi": ("add", 0),
    "mulf": ("mul", 1.0),
    "muli": ("mul", 1),
    "andi": ("and", -1),
    "ori": ("or", 0),
    "maxs": ("max", None),
    "mins": ("min", None),
    "maximumf": ("max", float("-inf")),
    "minimumf": ("min", float("inf")),
    "maxnumf": ("max", float("-inf")),
    "minnumf": ("min", float("inf")),
}
_NUMBERED = (
    "addf addi assign maximumf maxs maxu minimumf mins minu mulf muli ori andi maxnumf minnumf".split()
)
"""The numbers of arith.AtomicRMWKind, which reductions have in the generic form."""


def _word_of(ctx: Context, op: Operation, word: Any, type_: Any) -> tuple[str, Any]:
    if isinstance(word, int) and not isinstance(word, bool) and 0 <= word < len(_NUMBERED):
        word = _NUMBERED[word]
    if word not in _WORDS:
        ctx.fail(op, rules.REDUCTION, f"there is no reduction {word!r}", f"there are {', '.join(_WORDS)}")
    variant, first = _WORDS[word]
    if first is None:
        first = (-(1 << type_.bits - 1)) if variant == "max" else (1 << type_.bits - 1) - 1
    return variant, first


def _reduced(ctx: Context, loop: Parallel, reductions: list[Any]) -> Sequence[Result]:
    """A parallel loop with results: sequential loops, which carry what was reduced so far."""
    op = loop.op
    inits: list[Value] = []
    for number, each in enumerate(reductions):
        if isinstance(each, Block):
            init = loop.inits[number]
            if not isinstance(init, Value):
                ctx.fail(op, rules.REDUCTION, "only numbers are reduced")
            inits.append(init)
        else:
            from .types import number_type

            type_ = number_type(op.result_types[number])
            if type_ is None or type_ == bool_:
                ctx.fail(op, rules.REDUCTION, f"{op.result_types[number]} is not reduced")
            first = _word_of(ctx, op, each, type_)[1]
            made = scalars.floating if isinstance(first, float) else scalars.integer
            inits.append(made(ctx.builder, type_, first))  # type: ignore[arg-type, operator]

    def at(values: list[Value], carried: list[Value]) -> list[Value]:
        with ctx.scope():
            bind_variables(ctx, loop, values)
            last = ctx.operations(loop.block.operations)
            given = ctx.yielded(op, last, len(reductions))
            return [_joined(ctx, loop, reductions[n], n, carried[n], given[n]) for n in range(len(reductions))]

    def nested(values: list[Value], carried: list[Value]) -> list[Value]:
        if len(values) == len(loop.bounds):
            return at(values, carried)

        def inner(variable: Value, inside: list[Value]) -> Sequence[Value]:
            return nested([*values, variable], inside)

        return ctx.loop(loop.bounds[len(values)], carried, inner, loop.block.arguments[len(values)][0])

    return nested([], inits)


def _joined(ctx: Context, loop: Parallel, how: Any, number: int, so_far: Value, given: Result) -> Value:
    if not isinstance(given, Value) or given.type != so_far.type:
        ctx.fail(loop.op, rules.REDUCTION, "what is reduced has the type of the result")
    if not isinstance(how, Block):
        variant, _ = _word_of(ctx, loop.op, how, given.type)
        return ctx.builder.arith(variant, so_far, given)
    if len(how.arguments) != 2:
        ctx.fail(loop.op, rules.REDUCTION, "a reduction is a function of two values")
    with ctx.scope():
        for (name, _), value in zip(how.arguments, (so_far, given)):
            ctx.bind(name, value, loop.op.place)
        last = ctx.operations(how.operations)
        result = ctx.yielded(loop.op, last, 1)[0]
    if not isinstance(result, Value) or result.type != so_far.type:
        ctx.fail(loop.op, rules.REDUCTION, "a reduction gives a value of the type of the result")
    return result


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
    "scf.parallel": _parallel,
    "scf.forall": _parallel,
    "affine.for": _affine_for,
    "affine.if": _affine_if,
    "affine.parallel": _parallel,
    "affine.apply": _apply,
    "affine.min": _extreme("min"),
    "affine.max": _extreme("max"),
    "affine.load": _affine_load,
    "affine.store": _affine_store,
}
