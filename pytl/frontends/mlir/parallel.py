"""Parallel loops and their reductions: scf.parallel, scf.forall and affine.parallel."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ...ir.types import BoolType, ScalarType, bool_, index
from ...ir.values import Value
from ...mlir.text import Block, Operation
from ...mlir.text.custom import DYNAMIC as UNWRITTEN
from ...mlir.text.names import KINDS
from ...mlir.text.tree import Dense
from ...ops import Builtin
from ...ops.builder import Builder
from ...ops.constants import constant_of
from . import affine_values, rules, scalars
from .context import Context, reads
from .loops import Bounds, checked_step
from .numbers import FUNCTIONS
from .sequence import has_for_group
from .types import number_type
from .values import Result


@dataclass
class Parallel:
    """A parallel loop: bounds of each dimension, and its body."""

    op: Operation
    bounds: list[Bounds]
    block: Block
    inits: list[Result]


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
    return _zipped(ctx, op, lower, upper, steps)


def _zipped(ctx: Context, op: Operation, lower: Sequence[Value], upper: Sequence[Value], steps: Any) -> list[Bounds]:
    if not len(lower) == len(upper) == len(steps):
        ctx.fail(op, rules.OPERANDS, "it has as many lower as upper bounds and steps")
    return list(zip(lower, upper, steps))


def _forall_bounds(ctx: Context, op: Operation) -> list[Bounds]:
    names = ("dynamicLowerBound", "dynamicUpperBound", "dynamicStep", "outputs")
    groups = ctx.segments(op, names)
    if groups["outputs"] or op.result_types:
        ctx.fail(op, rules.TENSOR, "it gives tensors", "run mlir-opt --one-shot-bufferize first")
    sides: list[list[Value]] = []
    for static, dynamic in zip(("staticLowerBound", "staticUpperBound", "staticStep"), names):
        numbers, rest = op.attributes.get(static), list(groups[dynamic])
        if not isinstance(numbers, tuple) or sum(n == UNWRITTEN for n in numbers) != len(rest):
            ctx.fail(op, rules.OPERANDS, f"{static} has a number for each dimension, or an operand")
        sides.append([ctx.indices(op, rest.pop(0), 1)[0] if n == UNWRITTEN else ctx.constant(n) for n in numbers])
    return _zipped(ctx, op, sides[0], sides[1], sides[2])


def _affine_bounds(ctx: Context, op: Operation) -> list[Bounds]:
    steps = op.attributes.get("steps", ())
    sides: list[list[Value]] = []
    first = 0
    for side, word in (("lower", "max"), ("upper", "min")):
        map_ = ctx.map(op, op.attributes.get(f"{side}BoundsMap"))
        count = len(map_.dimensions) + len(map_.symbols)
        results = affine_values.results(ctx, map_, ctx.indices(op, first, count))
        first += count
        attribute = op.attributes.get(f"{side}BoundsGroups")
        groups = attribute.values if isinstance(attribute, Dense) else attribute
        groups = groups if isinstance(groups, tuple) else (groups,) * len(steps)
        if not all(isinstance(n, int) and n > 0 for n in groups) or sum(n for n in groups if isinstance(n, int)) != len(
            results
        ):
            ctx.fail(op, rules.OPERANDS, f"{side}BoundsGroups says how many results of the map each bound has")
        sides.append([])
        for size in groups:
            sides[-1].append(affine_values.extreme(ctx, word, results[:size]))
            results = results[size:]
    return _zipped(ctx, op, sides[0], sides[1], [checked_step(ctx, op, step) for step in steps])


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
    if not affine_values.is_positive(ctx, distance):
        distance = affine_values.extreme(ctx, "max", [ctx.constant(0), distance])
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
        ctx.bind(name, value, loop.op.location)


@reads(*_PARALLEL)
def _parallel(ctx: Context, op: Operation) -> Sequence[Result]:
    loop = parallel_of(ctx, op)
    reductions = reductions_of(ctx, loop)
    if reductions:
        return _reduced(ctx, loop, reductions)
    names = [name for name, _ in loop.block.arguments]
    if ctx.is_spmd or any(has_for_group(ctx, inner) for inner in loop.block.operations):
        ctx.loops(loop.bounds, [], lambda values, _: _body(ctx, loop, values), names)
        return ()
    # the last dimension is the contiguous one, as a rule
    stops = [trips(ctx, bounds) for bounds in loop.bounds]

    def body(at: list[Value]) -> None:
        numbers = list(reversed(at))
        _body(ctx, loop, [variable_of(ctx, bounds, n) for bounds, n in zip(loop.bounds, numbers)])

    ctx.foreach(list(reversed(stops)), body, list(reversed(names)))
    return ()


def _body(ctx: Context, loop: Parallel, values: Sequence[Value]) -> None:
    with ctx.names.inner():
        bind_variables(ctx, loop, values)
        ctx.operations(loop.block.operations)


# Reductions.


def reductions_of(ctx: Context, loop: Parallel) -> list[Any]:
    """How each result of a parallel loop is reduced: the region of scf.reduce, or a word of affine.parallel."""
    op = loop.op
    if op.name == "affine.parallel":
        reductions = op.attributes.get("reductions", ())
        if not isinstance(reductions, tuple) or len(reductions) != len(op.result_types):
            ctx.fail(op, rules.REDUCTION, "it has a reduction for each result")
        return list(reductions)
    if not loop.inits:
        return []
    last = loop.block.operations[-1] if loop.block.operations else None
    if last is None or last.name != "scf.reduce" or not len(last.regions) == len(loop.inits) == len(op.result_types):
        ctx.fail(op, rules.REDUCTION, "it ends with scf.reduce, with a region for each result")
    return [ctx.block(last, number) for number in range(len(last.regions))]


Combine = Callable[[Builder, Value, Value], Value]


_INFINITY = float("inf")
_FIRST: dict[str, float] = {
    **dict.fromkeys(("addf", "addi", "ori", "xori", "maxui"), 0),
    **dict.fromkeys(("mulf", "muli"), 1),
    **dict.fromkeys(("andi", "minui"), -1),
    **dict.fromkeys(("maximumf", "maxnumf"), -_INFINITY),
    **dict.fromkeys(("minimumf", "minnumf"), _INFINITY),
}
"""The number that each reduction begins with; that of signed numbers depends on their type."""
OF_TRUTH = ("arith.addi", "arith.muli", "arith.andi", "arith.ori", "arith.xori")
"""What joins truth values."""


def operation_of(kind: Any) -> str:
    """The operation of arith of a kind of updates and reductions, which is a word or its number."""
    is_number = isinstance(kind, int) and not isinstance(kind, bool) and 0 <= kind < len(KINDS)
    word = KINDS[kind] if is_number else str(kind)
    return f"arith.{word}{'i' if word[-1:] in ('s', 'u') else ''}"


def neutral_of(name: str, type_: ScalarType | BoolType) -> float | None:
    """The number that changes no other one, for an operation of arith; None where there is none of the type."""
    word = name.removeprefix("arith.")
    if isinstance(type_, BoolType):
        return bool(_FIRST[word]) if name in OF_TRUTH else None
    if word in ("maxsi", "minsi") and not type_.is_floating:
        half = 1 << type_.bits - 1
        return -half if word == "maxsi" else half - 1
    if word not in _FIRST or word.endswith("f") != type_.is_floating:
        return None
    return float(_FIRST[word]) if type_.is_floating else _FIRST[word]


def combination(ctx: Context, op: Operation, kind: Any, type_: Any) -> tuple[Combine, float]:
    """How an update or reduction of a kind combines numbers, and the one that it begins with."""
    name = operation_of(kind)
    first = neutral_of(name, type_)
    if first is None:
        known = [each for each in KINDS if neutral_of(operation_of(each), type_) is not None]
        word = KINDS[kind] if isinstance(kind, int) and 0 <= kind < len(KINDS) else kind
        ctx.fail(op, rules.REDUCTION, f"there is no reduction {word!r} of {type_}", f"there are {', '.join(known)}")
    return FUNCTIONS[name], first


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
            type_ = number_type(op.result_types[number])
            if type_ is None or type_ == bool_:
                ctx.fail(op, rules.REDUCTION, f"{op.result_types[number]} is not reduced")
            first = combination(ctx, op, each, type_)[1]
            made = scalars.floating if isinstance(first, float) else scalars.integer
            inits.append(made(ctx.builder, type_, first))  # type: ignore[arg-type]

    def at(values: list[Value], carried: list[Value]) -> list[Value]:
        with ctx.names.inner():
            bind_variables(ctx, loop, values)
            last = ctx.operations(loop.block.operations)
            yielded = ctx.yielded(op, last, len(reductions))
            return [_joined(ctx, loop, reductions[n], n, carried[n], yielded[n]) for n in range(len(reductions))]

    return ctx.loops(loop.bounds, inits, at, [name for name, _ in loop.block.arguments])


def _joined(ctx: Context, loop: Parallel, reduction: Any, number: int, so_far: Value, new: Result) -> Value:
    if not isinstance(new, Value) or new.type != so_far.type:
        ctx.fail(loop.op, rules.REDUCTION, "what is reduced has the type of the result")
    if not isinstance(reduction, Block):
        return combination(ctx, loop.op, reduction, new.type)[0](ctx.builder, so_far, new)
    if len(reduction.arguments) != 2:
        ctx.fail(loop.op, rules.REDUCTION, "a reduction is a function of two values")
    with ctx.names.inner():
        for (name, _), value in zip(reduction.arguments, (so_far, new)):
            ctx.bind(name, value, loop.op.location)
        last = ctx.operations(reduction.operations)
        result = ctx.yielded(loop.op, last, 1)[0]
    if not isinstance(result, Value) or result.type != so_far.type:
        ctx.fail(loop.op, rules.REDUCTION, "a reduction gives a value of the type of the result")
    return result


# Work-groups.


def write_grid_stride_loop(ctx: Context, stop: Value, body: Callable[[Value], None]) -> None:
    """Deal out iterations from 0 to a number to the work-groups."""
    if not ctx.has_bodies:
        return
    at = ctx.builder
    first, step = (
        at.add(Builtin(at.location, [index], variant=word)).results[0] for word in ("group_id", "group_size")
    )
    ctx.positive.add(first)
    with ctx.sharing(constant_of(stop) != 1):
        ctx.loop((first, stop, step), [], lambda number, _: body(number), "%group")
