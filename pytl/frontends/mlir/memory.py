"""memref: accesses, allocations, and views."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...ir.types import index
from ...ir.values import Value
from ...mlir.text import Memref, Operation, Scalar
from ...ops import Alloca, Load
from ...ops import Size as Size_
from ...ops.constants import constant_of
from . import rules
from .affine_values import places
from .context import Context, reads
from .types import Placement, element_type, row_major
from .values import Bytes, Items, Result, Size, View


def memref_type(ctx: Context, op: Operation, type_: Any) -> Memref:
    """A type that has to be that of a memref."""
    if not isinstance(type_, Memref):
        ctx.fail(op, rules.TYPE, f"{type_} is no memref with a rank")
    return type_


def result_memref(ctx: Context, op: Operation) -> Memref:
    """The type of the memref that an operation gives."""
    if not op.result_types:
        ctx.fail(op, rules.OPERANDS, "it gives a memref")
    return memref_type(ctx, op, op.result_types[0])


# Accesses.


def at_indices(ctx: Context, op: Operation, view: View, indices: Sequence[Value]) -> list[Value]:
    if len(indices) != len(view.type.shape):
        ctx.fail(
            op,
            rules.OPERANDS,
            f"{len(indices)} indices are given, but {view.type} has {len(view.type.shape)} dimensions",
        )
    return list(indices)


@reads("memref.load", "affine.load")
def _load(ctx: Context, op: Operation) -> Sequence[Result]:
    items = ctx.operand(op, 0)
    if isinstance(items, Items):
        return [_item(ctx, op, items)]
    view = ctx.view(op, 0)
    return [ctx.load(view, at_indices(ctx, op, view, places(ctx, op, 1)))]


def _item(ctx: Context, op: Operation, items: Items) -> View:
    """A memref out of a memref of memrefs."""
    indices = ctx.indices(op, 1)
    if len(indices) != 1:
        ctx.fail(op, rules.OPERANDS, f"{items.type} has one dimension")
    type_ = items.type.element
    assert isinstance(type_, Memref)
    item_type = items.group.type.memref
    item = ctx.builder.add(Load(op.location, [item_type], tensor=items.group, indices=indices)).results[0]
    modes = tuple(reversed(range(len(type_.shape))))
    sizes: list[Size] = []
    for mode, size in zip(modes, type_.shape):
        sizes.append(
            size
            if size is not None
            else ctx.builder.add(Size_(op.location, [index], tensor=item, mode=mode)).results[0]
        )
    return View(type_, item, modes, tuple(sizes))


@reads("memref.store", "affine.store")
def _store(ctx: Context, op: Operation) -> None:
    value, view = ctx.number(op, 0), ctx.view(op, 1)
    if value.type != view.element:
        ctx.fail(op, rules.OPERANDS, f"a number of the type {value.type} is stored to {view.type}")
    ctx.store(value, view, at_indices(ctx, op, view, places(ctx, op, 2)))


@reads("memref.dim")
def _dim(ctx: Context, op: Operation) -> Sequence[Result]:
    items = ctx.operand(op, 0)
    if isinstance(items, Items):
        return [ctx.value(items.count)]
    view = ctx.view(op, 0)
    number = ctx.constant_of(op, 1, "the dimension")
    if not 0 <= number < len(view.sizes):
        ctx.fail(op, rules.OPERANDS, f"{view.type} has no dimension {number}")
    size = ctx.value(view.sizes[number])
    ctx.positive.add(size)
    return [size]


@reads("memref.rank")
def _rank(ctx: Context, op: Operation) -> Sequence[Result]:
    return [ctx.constant(len(ctx.view(op, 0).sizes))]


# Allocations.


@reads("memref.alloc", "memref.alloca")
def _allocate(ctx: Context, op: Operation) -> Sequence[Result]:
    type_ = result_memref(ctx, op)
    groups = ctx.segments(op, ("dynamicSizes", "symbolOperands"))
    sizes: list[int] = []
    dynamic_sizes = list(groups["dynamicSizes"])
    for size in type_.shape:
        if size is None:
            if not dynamic_sizes:
                ctx.fail(op, rules.OPERANDS, "there is no operand for a dynamic size")
            size = ctx.constant_of(op, dynamic_sizes.pop(0), "a size")
        sizes.append(size)
    if type_.element == Scalar("i8") and len(sizes) == 1:
        # its parts have types of their own, unless it is used as it is
        bytes_ = Bytes(type_, {})
        if op.results and _is_viewed(ctx, op.results[0]):
            return [bytes_]
    return [allocated(ctx, op, type_, sizes)]


def _is_viewed(ctx: Context, name: str) -> bool:
    return name in ctx.viewed


def allocated(ctx: Context, op: Operation, type_: Memref, sizes: Sequence[int]) -> View:
    """Local memory of the work-group, row-major."""
    placement = _local(ctx, op, type_, sizes)
    if ctx.is_spmd and not ctx.is_in_foreach:
        # one work-item executes it, and each iteration has the memory of the one before
        return _in_front(ctx, op, type_, sizes, ("each iteration", id(op), *ctx.calls))
    if ctx.is_spmd:
        help = "allocate it outside"
        ctx.fail(op, rules.SIZE, "memory is allocated for a work-group, and this is for each iteration of a loop", help)
    shape = [n for n in placement.type.shape if isinstance(n, int)]
    memory = ctx.builder.allocate(placement.type.element, shape)
    return View(type_, memory, placement.modes, tuple(sizes))


@reads("memref.dealloc")
def _nothing(ctx: Context, op: Operation) -> None:
    """Memory lives as long as the work-group is executed."""


@reads("memref.view")
def _byte_view(ctx: Context, op: Operation) -> Sequence[Result]:
    """memref.view: a part of bytes with a type, which is memory of its own."""
    source = ctx.operand(op, 0)
    type_ = result_memref(ctx, op)
    if not isinstance(source, Bytes):
        ctx.fail(op, rules.OPERANDS, f"{op.operands[0]} is not allocated as bytes in this function")
    shift: object = constant_of(ctx.number(op, 1))
    if shift is None:
        ctx.fail(op, rules.SIZE, "the place in the bytes is not known")
    rest = list(range(2, len(op.operands)))
    if len(rest) != type_.shape.count(None):
        ctx.fail(op, rules.OPERANDS, "it has an operand for each dynamic size")
    sizes = [ctx.constant_of(op, rest.pop(0), "a size") if size is None else size for size in type_.shape]
    key = (shift, str(type_))
    if key not in source.parts:
        source.parts[key] = _in_front(ctx, op, type_, sizes, (source, *key))
    return [source.parts[key]]


def _in_front(ctx: Context, op: Operation, type_: Memref, sizes: Sequence[int], key: object) -> View:
    """Local memory that is allocated in front of all that is executed."""
    placement = _local(ctx, op, type_, sizes)
    memory = ctx.builder.once(key, lambda: Alloca(op.location, [placement.type.in_space("local")], attributes={}))
    return View(type_, memory, placement.modes, tuple(sizes))


def _local(ctx: Context, op: Operation, type_: Memref, sizes: Sequence[int]) -> Placement:
    element = element_type(type_.element)
    if element is None:
        ctx.fail(op, rules.TYPE, f"there is no memory with elements of {type_.element}")
    if any(size <= 0 for size in sizes):
        ctx.fail(op, rules.SIZE, f"{type_} has no elements")
    return row_major(tuple(sizes), element)


# Copies.


@reads("memref.copy")
def _copy(ctx: Context, op: Operation) -> None:
    source, target = ctx.view(op, 0), ctx.view(op, 1)
    copy_elements(ctx, op, source, target)


def copy_elements(ctx: Context, op: Operation, source: View, target: View) -> None:
    """Copy each element to the same place of another memref."""
    if len(source.sizes) != len(target.sizes) or source.memory.type.element != target.memory.type.element:
        ctx.fail(op, rules.OPERANDS, f"{source.type} is not copied to {target.type}")
    over(ctx, target.sizes, lambda at: ctx.store(ctx.load(source, at), target, at))


def over(ctx: Context, sizes: Sequence[Size], body: Callable[[list[Value]], None]) -> None:
    """Execute something for each index of a shape; the last dimension is contiguous."""
    stops = [ctx.value(size) for size in reversed(sizes)] or [ctx.constant(1)]
    ctx.foreach(stops, lambda at: body(list(reversed(at)) if sizes else []))
