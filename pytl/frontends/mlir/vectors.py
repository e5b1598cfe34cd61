"""vector: accesses to memory, which are loads and stores of each element."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial, reduce
from typing import Any

from ...ir.types import Type, bool_, index
from ...ir.values import Value
from ...mlir.text import Operation, Vector
from ...mlir.text.tree import MALFORMED
from ...ops import If
from ...ops.constants import constant_of
from . import affine_values, rules, scalars
from .context import Context, reads
from .numbers import vector_type
from .values import Result, Vec, View, positions
from .vector_forms import Unfit, access, transfer


def vector_operand(ctx: Context, op: Operation, number: int) -> Vec:
    """An operand that is a vector."""
    operand = ctx.operand(op, number)
    if not isinstance(operand, Vec):
        ctx.fail(op, rules.OPERANDS, f"{op.operands[number]} is no vector")
    type_ = op.operand_types[number]
    if not isinstance(type_, Vector) or type_.shape != operand.shape:
        ctx.fail(op, rules.OPERANDS, f"{op.operands[number]} is not {type_}")
    return operand


def result_type(ctx: Context, op: Operation) -> tuple[Vector, Type]:
    """The type of a vector that an operation gives, and that of its elements."""
    type_ = op.result_types[0] if op.result_types else None
    return type_, vector_type(ctx, op, type_)  # type: ignore[return-value]


@contextmanager
def fitting(ctx: Context, op: Operation) -> Iterator[None]:
    """While something of an operation is read, which is told if it does not fit."""
    try:
        yield
    except Unfit as problem:
        ctx.fail(op, problem.rule, problem.message)
    except MALFORMED:
        ctx.fail(op, rules.OPERANDS, "it has operands, types or attributes that do not fit each other")


def shape_of_mask(ctx: Context) -> tuple[int, ...] | None:
    """The shape of the vector.mask around an operation, if there is one."""
    return None if ctx.mask is None else ctx.mask.shape


# Memory.


def _plus(ctx: Context, base: Value, number: int) -> Value:
    return affine_values.arith(ctx, "+", base, ctx.constant(number))


def _along(ctx: Context, view: View, first: Sequence[Value], vector: Sequence[int]) -> list[Value]:
    """The indices of an element of a vector that lies along the last dimensions."""
    lead = len(first) - len(vector)
    return [*first[:lead], *(_plus(ctx, start, n) for start, n in zip(first[lead:], vector))]


def _checked(
    ctx: Context, op: Operation, view: View, indices: Sequence[Value], vector: Any, rank: int | None = None
) -> None:
    """Check an access to a vector of elements, which has as many dimensions as memory has at least, or `rank`."""
    if len(indices) != len(view.sizes):
        ctx.fail(
            op, rules.OPERANDS, f"{len(indices)} indices are given, but {view.type} has {len(view.sizes)} dimensions"
        )
    is_vector = isinstance(vector, Vector) and (len(vector.shape) if rank is None else rank) <= len(view.sizes)
    if not is_vector or vector.element != view.type.element:
        ctx.fail(op, rules.OPERANDS, f"{view.type} has no part that is {vector}")


@reads("vector.load", "affine.vector_load")
def _load(ctx: Context, op: Operation) -> Sequence[Result]:
    view = ctx.view(op, 0)
    type_, element = result_type(ctx, op)
    indices = affine_values.places(ctx, op, 1)
    _checked(ctx, op, view, indices, type_)
    values = [ctx.load(view, _along(ctx, view, indices, at)) for at in positions(type_.shape)]
    return [Vec(type_.shape, element, tuple(values))]


@reads("vector.store", "affine.vector_store")
def _store(ctx: Context, op: Operation) -> None:
    value, view = vector_operand(ctx, op, 0), ctx.view(op, 1)
    indices = affine_values.places(ctx, op, 2)
    _checked(ctx, op, view, indices, op.operand_types[0])
    _stored(ctx, value, lambda: [(_along(ctx, view, indices, at), None) for at in positions(value.shape)], view)


def _stored(ctx: Context, value: Vec, elements: Any, view: View) -> None:
    """Store elements at places, where a condition holds that each may have."""

    def write() -> None:
        for each, (at, condition) in zip(value.values, elements()):
            if condition is None:
                ctx.store(each, view, at)
            elif not _never_holds(condition, view, at):
                then = ctx.region("mixed", [], partial(ctx.store, each, view, at))
                ctx.builder.add(If(ctx.builder.location, [], condition=condition, then_body=then, else_body=None))

    ctx.single(write)


def _masked(ctx: Context, op: Operation) -> tuple[View, Callable[[], list[list[Value]]], Vec, Vec]:
    """Memory, what gives the indices of the elements there, the mask, and the vector that is the last operand."""
    with fitting(ctx, op):
        form = access(op, shape_of_mask(ctx))
    mask, other = vector_operand(ctx, op, form.mask), vector_operand(ctx, op, form.vector)
    view, indices = ctx.view(op, 0), ctx.indices(op, form.indices.start, len(form.indices))
    _checked(ctx, op, view, indices, op.operand_types[-1], None if form.by is None else 1)
    if ctx.mask is not None:
        conditions = (both(ctx, *pair) for pair in zip(mask.values, ctx.mask.values))
        mask = mask.with_parts([each for each in conditions if each is not None])
    by = None if form.by is None else vector_operand(ctx, op, form.by)

    def places() -> list[list[Value]]:
        if by is not None:
            offsets = [ctx.builder.cast(each, index) for each in by.values]
            return [[*indices[:-1], affine_values.arith(ctx, "+", indices[-1], offset)] for offset in offsets]
        if form.is_packed:
            return _packed(ctx, view, indices, mask)
        return [_along(ctx, view, indices, position) for position in positions(mask.shape)]

    return view, places, mask, other


def _packed(ctx: Context, view: View, indices: Sequence[Value], mask: Vec) -> list[list[Value]]:
    """The indices of elements that lie behind each other in each row, but for those that the mask leaves out."""
    places: list[list[Value]] = []
    for position, is_set in zip(positions(mask.shape), mask.values):
        if position[-1] == 0:
            offset = ctx.constant(0)
        *before, start = _along(ctx, view, indices, (*position[:-1], 0))
        places.append([*before, affine_values.arith(ctx, "+", start, offset)])
        known = constant_of(is_set)
        step = scalars.as_integer(ctx.builder, is_set, index) if known is None else ctx.constant(int(known))
        offset = affine_values.arith(ctx, "+", offset, step)
    return places


@reads("vector.maskedload", "vector.expandload", "vector.gather")
def _masked_load(ctx: Context, op: Operation) -> Sequence[Result]:
    view, places, mask, other = _masked(ctx, op)
    type_, element = result_type(ctx, op)
    read = [_read_where(ctx, is_set, view, at, pad) for is_set, at, pad in zip(mask.values, places(), other.values)]
    return [Vec(type_.shape, element, tuple(read))]


def _read_where(ctx: Context, condition: Value, view: View, at: Sequence[Value], other: Value) -> Value:
    """An element where a condition holds, else another number; only then memory is read."""
    if _never_holds(condition, view, at):
        return other
    then = ctx.region("mixed", [], lambda: [ctx.load(view, at)])
    otherwise = ctx.region("mixed", [], lambda: [other])
    op = If(ctx.builder.location, [other.type], condition=condition, then_body=then, else_body=otherwise)
    return ctx.builder.add(op).results[0]


def _never_holds(condition: Value, view: View, at: Sequence[Value]) -> bool:
    """Whether an element is known not to be accessed: its condition is false, or has to be, as there is no element."""
    known = constant_of(condition)
    if known is not None:
        return not known
    return any(
        isinstance(size, int) and place is not None and not 0 <= place < size
        for place, size in zip(map(constant_of, at), view.sizes)
    )


@reads("vector.maskedstore", "vector.compressstore", "vector.scatter")
def _masked_store(ctx: Context, op: Operation) -> None:
    view, places, mask, value = _masked(ctx, op)
    _stored(ctx, value, lambda: zip(places(), mask.values), view)


Elements = list[tuple[list[Value], Value | None]]


def _transferred(
    ctx: Context, op: Operation, view: View, first: Sequence[Value], shape: Sequence[int], given: range
) -> Callable[[], Elements]:
    """What writes the indices in memory of each element of a vector, and the condition for it to be transferred."""
    masks = [vector_operand(ctx, op, number) for number in given]
    with fitting(ctx, op):
        form = transfer(op, len(view.sizes), shape, shape_of_mask(ctx))
    if ctx.mask is not None:
        masks.append(ctx.mask)

    def elements() -> Elements:
        pairs: Elements = []
        for position in positions(shape):
            at = form.place(lambda _, base, number: _plus(ctx, base, number), first, position)
            conditions = [_in_bounds(ctx, at[d], view.sizes[d]) for d in form.unbounded]
            conditions += [mask.at(form.masked(position)) for mask in masks]
            pairs.append((at, reduce(partial(both, ctx), conditions, None)))
        return pairs

    return elements


def _in_bounds(ctx: Context, position: Value, size: int | Value) -> Value | None:
    known = constant_of(position)
    if known is not None and isinstance(size, int):
        return None if 0 <= known < size else ctx.builder.constant(bool_, False)
    below = ctx.builder.compare("lt", position, ctx.value(size))
    if affine_values.is_positive(ctx, position):
        return below
    return ctx.builder.arith("and", below, ctx.builder.compare("ge", position, ctx.constant(0)))


def both(ctx: Context, a: Value | None, b: Value | None) -> Value | None:
    """Whether two conditions hold, of which None always does."""
    if a is None or b is None:
        return b if a is None else a
    for one, other in ((a, b), (b, a)):
        if (known := constant_of(one)) is not None:
            return other if known else one
    return ctx.builder.arith("and", a, b)


@reads("vector.transfer_read")
def _transfer_read(ctx: Context, op: Operation) -> Sequence[Result]:
    groups = ctx.segments(op, ("base", "indices", "padding", "mask"))
    view, padding = ctx.view(op, 0), ctx.number(op, groups["padding"].start)
    type_, element = result_type(ctx, op)
    _checked(ctx, op, view, indices := ctx.indices(op, 1, len(groups["indices"])), type_)
    if padding.type != element:
        ctx.fail(op, rules.OPERANDS, "the padding has the type of the elements")
    values = [
        ctx.load(view, at) if condition is None else _read_where(ctx, condition, view, at, padding)
        for at, condition in _transferred(ctx, op, view, indices, type_.shape, groups["mask"])()
    ]
    return [Vec(type_.shape, element, tuple(values))]


@reads("vector.transfer_write")
def _transfer_write(ctx: Context, op: Operation) -> None:
    groups = ctx.segments(op, ("value", "base", "indices", "mask"))
    value, view = vector_operand(ctx, op, 0), ctx.view(op, 1)
    _checked(ctx, op, view, indices := ctx.indices(op, 2, len(groups["indices"])), op.operand_types[0])
    _stored(ctx, value, _transferred(ctx, op, view, indices, value.shape, groups["mask"]), view)
