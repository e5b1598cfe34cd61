"""vector: elements, of which each is a number of its own, and what is computed of several."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from itertools import product
from typing import Any

from ...ir.types import bool_
from ...ir.values import Value
from ...mlir.text import Operation, Vector
from ...ops.constants import constant_of
from . import rules, scalars
from .context import Context, reads
from .numbers import FUNCTIONS, apply_elementwise, literal
from .parallel import neutral_of
from .tree_writer import ARITHMETIC
from .types import number_type
from .values import Result, Vec, count, linear_position, positions
from .vector_forms import CONTRACTED, MOVED, PLACED, Of, Place, check_masked, contraction, integers, scan
from .vectors import both, fitting, result_type, shape_of_mask, vector_operand
from .views import bounds


def _form(ctx: Context, op: Operation, forms: Any, first: int) -> Callable[[Sequence[int]], Place]:
    """Where the elements of an operation are; a position in its text has operands from one on."""
    position = bounds(ctx, op, "position", range(first, len(op.operands))) if "static_position" in op.attributes else ()
    with fitting(ctx, op):
        of: Of = forms[op.name](op, position)
    return lambda at: of(lambda word, a, b: ARITHMETIC[f"arith.{word}"](a, b), at)


def _given(ctx: Context, op: Operation, values: Sequence[Value]) -> list[Result]:
    """The elements of a result, or the number that it is."""
    if len(values) == 1 and op.result_types and values[0].type == number_type(op.result_types[0]):
        return [values[0]]
    type_, element = result_type(ctx, op)
    if any(value.type != element for value in values):
        ctx.fail(op, rules.OPERANDS, f"what it is made of are no elements of {type_}")
    return [Vec(type_.shape, element, tuple(values))]


def _operand(ctx: Context, op: Operation, number: int) -> Vec:
    """A vector of the shape that is written; a number as a vector without dimensions."""
    if isinstance(op.operand_types[number], Vector):
        return vector_operand(ctx, op, number)
    value = ctx.number(op, number)
    return Vec((), value.type, (value,))


def _candidates(ctx: Context, shape: Sequence[int], place: Place) -> Iterator[tuple[int, Value | None]]:
    """The elements that may be at a place, of which parts are known at run time only: their numbers, and when."""
    for at in product(*(range(size) if isinstance(each, Value) else [each] for size, each in zip(shape, place))):
        condition: Value | None = None
        for n, each in zip(at, place):
            if isinstance(each, Value):
                condition = both(ctx, condition, ctx.builder.compare("eq", each, ctx.constant(n)))
        yield linear_position(shape, at), condition


@reads(*MOVED)
def _moved(ctx: Context, op: Operation) -> Sequence[Result]:
    of, source = _form(ctx, op, MOVED, 1), _operand(ctx, op, 0)
    shape = result_type(ctx, op)[0].shape if isinstance(op.result_types[0], Vector) else ()

    def element(at: Sequence[int]) -> Value:
        (first, _), *others = _candidates(ctx, source.shape, of(at))
        total = source.values[first]
        for number, condition in others:
            assert condition is not None
            total = scalars.select(ctx.builder, condition, source.values[number], total)
        return total

    return _given(ctx, op, [element(at) for at in positions(shape)])


@reads(*PLACED)
def _placed(ctx: Context, op: Operation) -> Sequence[Result]:
    of, part, target = _form(ctx, op, PLACED, 2), _operand(ctx, op, 0), vector_operand(ctx, op, 1)
    values = list(target.values)
    for at in positions(part.shape):
        for number, condition in _candidates(ctx, target.shape, of(at)):
            here = part.at(at)
            values[number] = here if condition is None else scalars.select(ctx.builder, condition, here, values[number])
    return _given(ctx, op, values)


@reads(*CONTRACTED)
def _contracted(ctx: Context, op: Operation) -> Sequence[Result]:
    """Elements or their products, joined in the order of the iterations."""
    with fitting(ctx, op):
        form = contraction(op, shape_of_mask(ctx))
    if count(form.sizes) > MAX_ITERATIONS:
        ctx.fail(op, rules.VECTOR, f"it has {count(form.sizes)} iterations, and at most {MAX_ITERATIONS} are read")
    factors = [_operand(ctx, op, number) for number in range(len(form.indices) - 1)]
    shape = [form.sizes[d] for d in form.indices[-1]]
    first = () if form.first is None else _operand(ctx, op, form.first).values
    wide = first[0].type if first else factors[0].element
    if ctx.mask is not None:
        first = first or (_neutral(ctx, op, form.combine, wide),) * count(shape)
    totals: list[list[tuple[Value, Value | None]]] = [[(a, None)] for a in first] or [[] for _ in range(count(shape))]
    multiply = FUNCTIONS["arith.mulf" if form.element.is_float else "arith.muli"]
    for at in positions(form.sizes):
        found = [each.at(form.place(number, dict(enumerate(at)))) for number, each in enumerate(factors)]
        product_ = reduce(lambda a, b: multiply(ctx.builder, a, b), [_widened(ctx, each, wide) for each in found])
        condition = None if ctx.mask is None else ctx.mask.at(at)
        totals[linear_position(shape, form.place(-1, dict(enumerate(at))))].append((product_, condition))

    def joined(total: Value, each: tuple[Value, Value | None]) -> Value:
        value = FUNCTIONS[form.combine](ctx.builder, total, each[0])
        return value if each[1] is None else scalars.select(ctx.builder, each[1], value, total)

    return _given(ctx, op, [reduce(joined, rest, begin) for (begin, _), *rest in totals])


def _neutral(ctx: Context, op: Operation, combine: str, type_: Any) -> Value:
    """What a reduction begins with, where no number is given and a mask may leave out all."""
    return literal(ctx, op, neutral_of(combine, type_), type_)


MAX_ITERATIONS = 1 << 16


def _widened(ctx: Context, a: Value, wide: Any) -> Value:
    return a if a.type == wide else ctx.builder.cast(a, wide)


def _integers(ctx: Context, op: Operation, name: str) -> list[int]:
    with fitting(ctx, op):
        return integers(op, name)


@reads("vector.shuffle")
def _shuffle(ctx: Context, op: Operation) -> Sequence[Result]:
    a, b, mask = vector_operand(ctx, op, 0), vector_operand(ctx, op, 1), _integers(ctx, op, "mask")
    size = count(a.shape[1:])
    rows = [v.values[n * size : (n + 1) * size] for v in (a, b) for n in range(v.shape[0] if v.shape else 1)]
    if a.shape[1:] != b.shape[1:] or any(not -1 <= n < len(rows) for n in mask):
        ctx.fail(op, rules.VECTOR, f"the mask has numbers from 0 to {len(rows) - 1}")
    values = [value for n in mask for value in rows[max(n, 0)]]
    return [Vec((len(mask), *a.shape[1:]), a.element, tuple(values))]


@reads("vector.interleave")
def _interleave(ctx: Context, op: Operation) -> Sequence[Result]:
    a, b = vector_operand(ctx, op, 0), vector_operand(ctx, op, 1)
    type_, element = result_type(ctx, op)
    if a.shape != b.shape or type_.shape != (*a.shape[:-1], 2 * a.shape[-1]):
        ctx.fail(op, rules.OPERANDS, f"{type_} has not as many elements as both vectors")
    return [Vec(type_.shape, element, tuple(value for pair in zip(a.values, b.values) for value in pair))]


@reads("vector.deinterleave")
def _deinterleave(ctx: Context, op: Operation) -> Sequence[Result]:
    source = vector_operand(ctx, op, 0)
    type_, element = result_type(ctx, op)
    if source.shape != (*type_.shape[:-1], 2 * type_.shape[-1]):
        ctx.fail(op, rules.OPERANDS, f"{type_} has not half as many elements as the vector")
    return [Vec(type_.shape, element, source.values[part::2]) for part in (0, 1)]


@reads("vector.from_elements")
def _from_elements(ctx: Context, op: Operation) -> Sequence[Result]:
    type_, element = result_type(ctx, op)
    values = [ctx.operand(op, number) for number in range(len(op.operands))]
    if len(values) != count(type_.shape) or any(not isinstance(v, Value) or v.type != element for v in values):
        ctx.fail(op, rules.OPERANDS, f"{type_} has {count(type_.shape)} elements of its type")
    return [Vec(type_.shape, element, tuple(v for v in values if isinstance(v, Value)))]


@reads("vector.to_elements")
def _to_elements(ctx: Context, op: Operation) -> Sequence[Result]:
    return vector_operand(ctx, op, 0).values


@reads("vector.scan")
def _scan(ctx: Context, op: Operation) -> Sequence[Result]:
    """Along one dimension, what is joined so far: up to each element, or up to the one before, from a given one on."""
    source, first = vector_operand(ctx, op, 0), vector_operand(ctx, op, 1)
    with fitting(ctx, op):
        form = scan(op)
    combine, d = FUNCTIONS[form.combine], form.dimension
    made: list[Value] = []
    step, length = count(source.shape[d + 1 :]), count(source.shape[d:])
    for number, value in enumerate(source.values):
        if number % length >= step:
            joined = value if form.is_inclusive else source.values[number - step]
            made.append(combine(ctx.builder, made[number - step], joined))
        else:
            # MLIR does not join the given numbers to those of an inclusive scan
            made.append(value if form.is_inclusive else first.values[number // length * step + number % length])
    last = [made[at + length - step + n] for at in range(0, len(made), length) for n in range(step)]
    return [source.with_parts(made), first.with_parts(last)]


@reads("vector.mask")
def _mask(ctx: Context, op: Operation) -> Sequence[Result]:
    """One operation, for the lanes of a mask; the others have what is passed, if something is."""
    mask, block = vector_operand(ctx, op, 0), ctx.block(op)
    with fitting(ctx, op):
        check_masked(op)
    outer, ctx.mask = ctx.mask, mask
    with ctx.names.inner():
        last = ctx.operations(block.operations)
        ctx.mask = outer
        given = ctx.yielded(op, last, len(op.result_types))
    if len(op.operands) < 2:
        return given
    return [apply_elementwise(ctx, op, scalars.select, [mask, given[0], vector_operand(ctx, op, 1)])]


@reads("vector.step")
def _step(ctx: Context, op: Operation) -> Sequence[Result]:
    type_, element = result_type(ctx, op)
    if len(type_.shape) != 1 or str(element) != "index":
        ctx.fail(op, rules.OPERANDS, "it gives a vector of indices")
    return [Vec(type_.shape, element, tuple(ctx.constant(n) for n in range(type_.shape[0])))]


@reads("vector.create_mask", "vector.constant_mask")
def _create_mask(ctx: Context, op: Operation) -> Sequence[Result]:
    type_, element = result_type(ctx, op)
    if op.name == "vector.constant_mask":
        sizes: list[Value] = [ctx.constant(n) for n in _integers(ctx, op, "mask_dim_sizes")]
    else:
        sizes = ctx.indices(op, 0)
    shape = type_.shape or (1,)
    if len(sizes) != len(shape):
        ctx.fail(op, rules.OPERANDS, "a mask has a size for each dimension, and one without dimensions has one size")
    values: list[Value] = []
    for at in positions(shape):
        condition: Value | None = None
        for n, size in zip(at, sizes):
            known = constant_of(size)
            if known is None:
                condition = both(ctx, condition, ctx.builder.compare("lt", ctx.constant(n), size))
            elif n >= known:
                condition = ctx.builder.constant(bool_, False)
                break
        values.append(ctx.builder.constant(bool_, True) if condition is None else condition)
    return [Vec(type_.shape, element, tuple(values))]
