"""vector: elements, of which each is a number of its own, and what is computed of several."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Any

from ...ir.types import BoolType, ScalarType, bool_
from ...ir.values import Value
from ...mlir.text import Operation, Vector
from ...mlir.text.names import combiner
from ...ops.constants import constant_of
from . import rules, scalars
from .context import Context, Handler
from .numbers import FUNCTIONS
from .values import Result, Size, Vec, count, linear_position, positions
from .vectors import both, integers, result_type, vector_operand
from .views import bounds


def _broadcast(ctx: Context, op: Operation) -> Sequence[Result]:
    operand = ctx.operand(op, 0)
    type_, element = result_type(ctx, op)
    if isinstance(operand, Value):
        if operand.type != element:
            ctx.fail(op, rules.OPERANDS, f"{op.operands[0]} is no element of {type_}")
        return [Vec(type_.shape, element, (operand,) * count(type_.shape))]
    source = vector_operand(ctx, op, 0)
    lead = len(type_.shape) - len(source.shape)
    if lead < 0 or any(a not in (1, b) for a, b in zip(source.shape, type_.shape[lead:])):
        ctx.fail(op, rules.OPERANDS, f"{op.operand_types[0]} is not spread to {type_}")
    values = [
        source.at([0 if size == 1 else n for size, n in zip(source.shape, at[lead:])]) for at in positions(type_.shape)
    ]
    return [Vec(type_.shape, element, tuple(values))]


def _combined(ctx: Context, op: Operation, values: Sequence[Value]) -> Value:
    """The elements, combined in their order by the kind of an operation."""
    text, type_ = op.word_of("kind"), values[0].type
    name = combiner(text, isinstance(type_, ScalarType) and type_.is_floating)
    if name is None or (isinstance(type_, BoolType) and text[:3] in ("min", "max")):
        ctx.fail(op, rules.REDUCTION, f"there is no combination {text} of {'i1' if type_ == bool_ else type_}")
    combine = FUNCTIONS[name]
    return reduce(lambda a, b: combine(ctx.builder, a, b), values)


def _reduction(ctx: Context, op: Operation) -> Sequence[Result]:
    vector = vector_operand(ctx, op, 0)
    values = list(vector.values)
    if len(op.operands) > 1:
        values.insert(0, ctx.number(op, 1))
    if not values or any(value.type != values[0].type for value in values):
        ctx.fail(op, rules.OPERANDS, "a vector is reduced to a number of its elements' type")
    return [_combined(ctx, op, values)]


def _multi_reduction(ctx: Context, op: Operation) -> Sequence[Result]:
    source, first = vector_operand(ctx, op, 0), ctx.operand(op, 1)
    dims = integers(ctx, op, "reduction_dims")
    kept = [d for d in range(len(source.shape)) if d not in dims]
    shape = tuple(source.shape[d] for d in kept)
    if (first.shape if isinstance(first, Vec) else ()) != shape or not set(dims) <= set(range(len(source.shape))):
        ctx.fail(op, rules.OPERANDS, "what is left of the vector has the shape of the value to begin with")
    begin = first.values if isinstance(first, Vec) else (first,)
    groups: list[list[Value]] = [[value] for value in begin]  # type: ignore[list-item]
    for at in positions(source.shape):
        groups[linear_position(shape, [at[d] for d in kept])].append(source.at(at))
    values = [_combined(ctx, op, group) for group in groups]
    return [Vec(shape, source.element, tuple(values)) if shape or isinstance(first, Vec) else values[0]]


def _position(ctx: Context, op: Operation, first: int) -> list[Size]:
    """Where an element or part is: numbers, and operands where there are none."""
    return bounds(ctx, op, "position", range(first, len(op.operands)))


def _part(ctx: Context, op: Operation, shape: Sequence[int], position: Sequence[int | Value]) -> tuple[int, ...]:
    """The shape of what is at a position."""
    if len(position) > len(shape):
        ctx.fail(op, rules.OPERANDS, f"a vector with {len(shape)} dimensions has no such position")
    for size, each in zip(shape, position):
        if isinstance(each, int) and not 0 <= each < size:
            ctx.fail(op, rules.VECTOR, f"there is no element {each} of {size}")
    return tuple(shape[len(position) :])


def _extract(ctx: Context, op: Operation) -> Sequence[Result]:
    source = vector_operand(ctx, op, 0)
    position = _position(ctx, op, 1)
    rest = _part(ctx, op, source.shape, position)
    values = [_picked(ctx, source, position, at) for at in positions(rest)]
    written = op.result_types[0] if op.result_types else None
    return [Vec(rest, source.element, tuple(values)) if rest or isinstance(written, Vector) else values[0]]


def _picked(ctx: Context, source: Vec, position: Sequence[int | Value], rest: Sequence[int]) -> Value:
    """An element at a position, of which a part may be known at run time only."""
    for d, each in enumerate(position):
        if isinstance(each, Value):
            options = [
                _picked(ctx, source, [*position[:d], n, *position[d + 1 :]], rest) for n in range(source.shape[d])
            ]
            total = options[0]
            for n, option in enumerate(options[1:], 1):
                is_here = ctx.builder.compare("eq", each, ctx.constant(n))
                total = scalars.select(ctx.builder, is_here, option, total)
            return total
    return source.at([*(n for n in position if isinstance(n, int)), *rest])


def _insert(ctx: Context, op: Operation) -> Sequence[Result]:
    source, target = ctx.operand(op, 0), vector_operand(ctx, op, 1)
    position = _position(ctx, op, 2)
    rest = _part(ctx, op, target.shape, position)
    if (source.shape if isinstance(source, Vec) else ()) != rest:
        ctx.fail(op, rules.OPERANDS, "what is inserted has the shape of the place")
    values: list[Value] = []
    for at in positions(target.shape):
        here = target.at(at)
        inserted = source.at(at[len(position) :]) if isinstance(source, Vec) else source
        if not isinstance(inserted, Value) or inserted.type != here.type:
            ctx.fail(op, rules.OPERANDS, "what is inserted has the type of the vector's elements")
        values.append(_replaced(ctx, position, at, here, inserted))
    return [Vec(target.shape, target.element, tuple(values))]


def _replaced(ctx: Context, position: Sequence[int | Value], at: Sequence[int], here: Value, inserted: Value) -> Value:
    if any(isinstance(n, int) and n != index for n, index in zip(position, at)):
        return here
    condition: Value | None = None
    for n, index in zip(position, at):
        if isinstance(n, Value):
            condition = both(ctx, condition, ctx.builder.compare("eq", n, ctx.constant(index)))
    return inserted if condition is None else scalars.select(ctx.builder, condition, inserted, here)


def _strided(ctx: Context, op: Operation, outer: Sequence[int], inner: Sequence[int]) -> list[int]:
    """Where a part begins, of which each step is 1."""
    offsets = integers(ctx, op, "offsets")
    if set(integers(ctx, op, "strides")) - {1} or len(offsets) > len(outer):
        ctx.fail(
            op, rules.OPERANDS, "the strides of a part are 1, and its offsets are not more than the vector's dimensions"
        )
    padded = [*offsets, *[0] * (len(outer) - len(offsets))]
    lead = len(outer) - len(inner)
    for offset, size, part in zip(padded, outer, [*[1] * lead, *inner]):
        if not 0 <= offset <= size - part:
            ctx.fail(op, rules.VECTOR, f"a part of {part} elements from {offset} on is not within {size}")
    return padded


def _extract_strided(ctx: Context, op: Operation) -> Sequence[Result]:
    source = vector_operand(ctx, op, 0)
    type_, element = result_type(ctx, op)
    if len(type_.shape) != len(source.shape):
        ctx.fail(op, rules.OPERANDS, f"{type_} is no part of {op.operand_types[0]}")
    first = _strided(ctx, op, source.shape, type_.shape)
    values = [source.at([a + b for a, b in zip(first, at)]) for at in positions(type_.shape)]
    return [Vec(type_.shape, element, tuple(values))]


def _insert_strided(ctx: Context, op: Operation) -> Sequence[Result]:
    part, target = vector_operand(ctx, op, 0), vector_operand(ctx, op, 1)
    first = _strided(ctx, op, target.shape, part.shape)
    lead = len(target.shape) - len(part.shape)
    values = list(target.values)
    for at in positions(part.shape):
        values[linear_position(target.shape, [a + b for a, b in zip(first, [*[0] * lead, *at])])] = part.at(at)
    return [Vec(target.shape, target.element, tuple(values))]


def _shape_cast(ctx: Context, op: Operation) -> Sequence[Result]:
    source = vector_operand(ctx, op, 0)
    type_, element = result_type(ctx, op)
    if count(type_.shape) != len(source.values):
        ctx.fail(op, rules.OPERANDS, f"{op.operand_types[0]} has not as many elements as {type_}")
    return [Vec(type_.shape, element, source.values)]


def _transpose(ctx: Context, op: Operation) -> Sequence[Result]:
    source, order = vector_operand(ctx, op, 0), integers(ctx, op, "permutation")
    if sorted(order) != list(range(len(source.shape))):
        ctx.fail(op, rules.OPERANDS, "permutation is an order of the vector's dimensions")
    shape = tuple(source.shape[d] for d in order)
    values: list[Value] = []
    for at in positions(shape):
        source_position = [0] * len(shape)
        for n, d in zip(at, order):
            source_position[d] = n
        values.append(source.at(source_position))
    return [Vec(shape, source.element, tuple(values))]


def _shuffle(ctx: Context, op: Operation) -> Sequence[Result]:
    a, b, mask = vector_operand(ctx, op, 0), vector_operand(ctx, op, 1), integers(ctx, op, "mask")
    size = count(a.shape[1:])
    rows = [v.values[n * size : (n + 1) * size] for v in (a, b) for n in range(v.shape[0] if v.shape else 1)]
    if a.shape[1:] != b.shape[1:] or any(not -1 <= n < len(rows) for n in mask):
        ctx.fail(op, rules.VECTOR, f"the mask has numbers from 0 to {len(rows) - 1}")
    values = [value for n in mask for value in rows[max(n, 0)]]
    return [Vec((len(mask), *a.shape[1:]), a.element, tuple(values))]


def _interleave(ctx: Context, op: Operation) -> Sequence[Result]:
    a, b = vector_operand(ctx, op, 0), vector_operand(ctx, op, 1)
    type_, element = result_type(ctx, op)
    if a.shape != b.shape or type_.shape != (*a.shape[:-1], 2 * a.shape[-1]):
        ctx.fail(op, rules.OPERANDS, f"{type_} has not as many elements as both vectors")
    return [Vec(type_.shape, element, tuple(value for pair in zip(a.values, b.values) for value in pair))]


def _deinterleave(ctx: Context, op: Operation) -> Sequence[Result]:
    source = vector_operand(ctx, op, 0)
    type_, element = result_type(ctx, op)
    if source.shape != (*type_.shape[:-1], 2 * type_.shape[-1]):
        ctx.fail(op, rules.OPERANDS, f"{type_} has not half as many elements as the vector")
    return [Vec(type_.shape, element, source.values[part::2]) for part in (0, 1)]


def _from_elements(ctx: Context, op: Operation) -> Sequence[Result]:
    type_, element = result_type(ctx, op)
    values = [ctx.operand(op, number) for number in range(len(op.operands))]
    if len(values) != count(type_.shape) or any(not isinstance(v, Value) or v.type != element for v in values):
        ctx.fail(op, rules.OPERANDS, f"{type_} has {count(type_.shape)} elements of its type")
    return [Vec(type_.shape, element, tuple(v for v in values if isinstance(v, Value)))]


def _step(ctx: Context, op: Operation) -> Sequence[Result]:
    type_, element = result_type(ctx, op)
    if len(type_.shape) != 1 or str(element) != "index":
        ctx.fail(op, rules.OPERANDS, "it gives a vector of indices")
    return [Vec(type_.shape, element, tuple(ctx.constant(n) for n in range(type_.shape[0])))]


def _create_mask(ctx: Context, op: Operation) -> Sequence[Result]:
    type_, element = result_type(ctx, op)
    if op.name == "vector.constant_mask":
        sizes: list[Value] = [ctx.constant(n) for n in integers(ctx, op, "mask_dim_sizes")]
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


# Products.


def _outer_product(ctx: Context, op: Operation) -> Sequence[Result]:
    left, right = vector_operand(ctx, op, 0), ctx.operand(op, 1)
    shape = (*left.shape, *(right.shape if isinstance(right, Vec) else ()))
    factors = right.values if isinstance(right, Vec) else (right,)
    products = [ctx.builder.arith("mul", a, b) for a in left.values for b in factors if isinstance(b, Value)]
    if len(op.operands) > 2:
        before = vector_operand(ctx, op, 2)
        if before.shape != shape:
            ctx.fail(op, rules.OPERANDS, "what is added to has the shape of the product")
        op = _with_kind(op)
        products = [_combined(ctx, op, [a, b]) for a, b in zip(before.values, products)]
    return [Vec(shape, left.element, tuple(products))]


def _with_kind(op: Operation) -> Operation:
    if "kind" not in op.attributes:
        op.attributes["kind"] = "add"
    return op


def _contract(ctx: Context, op: Operation) -> Sequence[Result]:
    left, right, first = vector_operand(ctx, op, 0), vector_operand(ctx, op, 1), ctx.operand(op, 2)
    attribute = op.attributes.get("indexing_maps")
    maps = [ctx.map(op, each) for each in attribute] if isinstance(attribute, tuple) else []
    begin = first.values if isinstance(first, Vec) else (first,)
    shapes = [left.shape, right.shape, first.shape if isinstance(first, Vec) else ()]
    if len(maps) != 3 or any(len(m.results) != len(s) for m, s in zip(maps, shapes)):
        ctx.fail(op, rules.MAP, "it has a map for each of its operands")
    sizes: dict[int, int] = {}
    dims = [[getattr(each, "position", -1) for each in map_.results] for map_ in maps]
    for dimensions, shape in zip(dims, shapes):
        for d, size in zip(dimensions, shape):
            if d < 0 or sizes.setdefault(d, size) != size:
                ctx.fail(op, rules.MAP, "its maps give dimensions of one size")
    if sorted(sizes) != list(range(len(maps[0].dimensions))) or count(tuple(sizes.values())) > 1 << 16:
        ctx.fail(op, rules.VECTOR, "its iterations are sizes of its operands, and not more than 65536")
    totals: list[list[Value]] = [[value] for value in begin if isinstance(value, Value)]
    wide = totals[0][0].type
    for at in positions([sizes[d] for d in range(len(sizes))]):
        a, b = left.at([at[d] for d in dims[0]]), right.at([at[d] for d in dims[1]])
        product = ctx.builder.arith("mul", _widened(ctx, a, wide), _widened(ctx, b, wide))
        totals[linear_position(shapes[2], [at[d] for d in dims[2]])].append(product)
    values = [_combined(ctx, _with_kind(op), total) for total in totals]
    return [Vec(shapes[2], first.element, tuple(values)) if isinstance(first, Vec) else values[0]]


def _widened(ctx: Context, a: Value, wide: Any) -> Value:
    return a if a.type == wide else ctx.builder.cast(a, wide)


HANDLERS: dict[str, Handler] = {
    "vector.broadcast": _broadcast,
    "vector.splat": _broadcast,
    "vector.reduction": _reduction,
    "vector.multi_reduction": _multi_reduction,
    "vector.extract": _extract,
    "vector.insert": _insert,
    "vector.extract_strided_slice": _extract_strided,
    "vector.insert_strided_slice": _insert_strided,
    "vector.shape_cast": _shape_cast,
    "vector.transpose": _transpose,
    "vector.shuffle": _shuffle,
    "vector.interleave": _interleave,
    "vector.deinterleave": _deinterleave,
    "vector.from_elements": _from_elements,
    "vector.step": _step,
    "vector.create_mask": _create_mask,
    "vector.constant_mask": _create_mask,
    "vector.outerproduct": _outer_product,
    "vector.contract": _contract,
}
