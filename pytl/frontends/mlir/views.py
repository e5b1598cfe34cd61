"""memref: views of memory."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import prod
from typing import Any

from ...ir.types import ScalarType, index
from ...ir.values import Value
from ...mlir.text import Memref, Operation
from ...mlir.text.types import contiguous
from ...ops import Expand, Fuse, Slice, Subview
from ...ops.constants import constant_of
from . import rules
from .affine_values import arith, divided, joined
from .context import Context, reads
from .memory import memref_type, result_memref
from .types import is_unranked, kept_dimensions
from .values import Origin, Result, Size, View


@reads("memref.cast", "memref.memory_space_cast", "memref.assume_alignment")
def _same(ctx: Context, op: Operation) -> Sequence[Result]:
    view = ctx.view(op, 0)
    type_ = op.result_types[0] if op.result_types else view.type
    if is_unranked(type_):
        return [view]
    result_type = memref_type(ctx, op, type_)
    if len(result_type.shape) != len(view.sizes):
        ctx.fail(op, rules.OPERANDS, f"{view.type} is not cast to {result_type}")
    for size, known in zip(result_type.shape, view.sizes):
        if size is not None and isinstance(known, int) and size != known:
            ctx.fail(op, rules.OPERANDS, f"{view.type} is not cast to {result_type}")
    sizes = tuple(
        known if isinstance(known, int) or size is None else size for size, known in zip(result_type.shape, view.sizes)
    )
    return [View(result_type, view.memory, view.modes, sizes, view.locate, view.base, view.origin)]


@reads("memref.distinct_objects")
def _each(ctx: Context, op: Operation) -> Sequence[Result]:
    """What is said of them is not relied on."""
    return [ctx.view(op, number) for number in range(len(op.operands))]


@reads("vector.type_cast")
def _vectors(ctx: Context, op: Operation) -> Sequence[Result]:
    """Memory of which some dimensions are those of vectors; `make_plain` has made them such of the memory."""
    given, type_ = ctx.view(op, 0).type, result_memref(ctx, op)
    is_known = None not in given.shape and given.offset == 0 and given.layout is None
    if not is_known or given.strides != contiguous(given.shape):
        message = f"{given} has unknown sizes or a layout of its own, and vectors lie in rows behind each other"
        ctx.fail(op, rules.LAYOUT, message, "load its vectors by vector.load or vector.transfer_read")
    if (type_.shape, type_.element, type_.strides) != (given.shape, given.element, given.strides):
        ctx.fail(op, rules.OPERANDS, f"{given} has other dimensions or elements than {type_}")
    return _same(ctx, op) or ()


def bounds(ctx: Context, op: Operation, name: str, operands: range) -> list[Size]:
    """Numbers and operands of a list: `static_NAME`, with operands where it says so."""
    sizes: list[Size] = []
    for number, operand in ctx.listed(op, name, operands):
        value = None if operand is None else ctx.indices(op, operand, 1)[0]
        known = constant_of(value)
        sizes.append(number if value is None else value if known is None else int(known))
    return sizes


@reads("memref.subview")
def _subview(ctx: Context, op: Operation) -> Sequence[Result]:
    view, type_ = ctx.view(op, 0), result_memref(ctx, op)
    groups = ctx.segments(op, ("source", "offsets", "sizes", "strides"))
    offsets, sizes, strides = (bounds(ctx, op, name, groups[name]) for name in ("offsets", "sizes", "strides"))
    if not len(offsets) == len(sizes) == len(strides) == len(view.sizes):
        ctx.fail(
            op, rules.OPERANDS, f"{view.type} has {len(view.sizes)} dimensions, but other numbers of offsets and sizes"
        )
    for offset, size, stride, whole in zip(offsets, sizes, strides, view.sizes):
        if all(isinstance(n, int) for n in (offset, size, stride, whole)) and size:
            assert (
                isinstance(offset, int) and isinstance(size, int) and isinstance(stride, int) and isinstance(whole, int)
            )
            if offset < 0 or size < 0 or stride < 0 or offset + (size - 1) * stride >= whole:
                ctx.fail(op, rules.OPERANDS, f"elements from {offset} on, {size} by {stride}, are not within {whole}")
    kept = _kept(ctx, op, sizes, type_)
    if view.is_plain and all(stride == 1 for stride in strides):
        return [part(ctx, op, view, offsets, sizes, kept, type_)]
    first = [ctx.value(offset) for offset in offsets]
    steps = [ctx.value(stride) for stride in strides]

    def locate(at: Context, indices: Sequence[Value]) -> list[Value]:
        source_indices = list(first)
        for d, each in zip(kept, indices):
            source_indices[d] = arith(at, "+", source_indices[d], arith(at, "*", each, steps[d]))
        return source_indices

    return [View(type_, view.memory, (), tuple(sizes[d] for d in kept), locate, view)]


def _kept(ctx: Context, op: Operation, sizes: Sequence[Size], type_: Memref) -> list[int]:
    """The dimensions that a view keeps; those of size 1 may be left out, as far as the result's type has fewer."""
    kept = kept_dimensions(sizes, type_.shape)
    if kept is None:
        ctx.fail(op, rules.OPERANDS, f"the view has the sizes {', '.join(map(_shown, sizes))}, but is {type_}")
    return kept


def _shown(size: Size) -> str:
    return str(size) if isinstance(size, int) else "?"


def part(
    ctx: Context,
    op: Operation,
    view: View,
    offsets: Sequence[Size],
    sizes: Sequence[Size],
    kept: Sequence[int],
    type_: Memref,
) -> View:
    """A rectangle of a plain view, without some dimensions of size 1."""
    whole = all(offset == 0 for offset in offsets) and list(sizes) == list(view.sizes)
    if whole and len(kept) == len(view.sizes):
        return View(type_, view.memory, view.modes, tuple(sizes), origin=view.origin)
    slices: list[Slice] = [Slice(0)] * len(offsets)
    for d, (offset, size) in enumerate(zip(offsets, sizes)):
        if isinstance(size, int) and size <= 0 and d in kept:
            ctx.fail(op, rules.SIZE, "a view has no elements")
        slices[view.modes[d]] = Slice(offset, size) if d in kept else Slice(offset)
    memory = ctx.builder.add(Subview(op.location, None, tensor=view.memory, slices=slices)).results[0]
    modes_kept = sorted(view.modes[d] for d in kept)
    modes = tuple(modes_kept.index(view.modes[d]) for d in kept)
    origin = Origin(view, tuple(offsets), tuple(kept))
    return View(type_, memory, modes, tuple(sizes[d] for d in kept), origin=origin)


@reads("memref.transpose")
def _transpose(ctx: Context, op: Operation) -> Sequence[Result]:
    view, type_ = ctx.view(op, 0), result_memref(ctx, op)
    map_ = ctx.map(op, op.attributes.get("permutation"), len(view.sizes))
    order = [getattr(result, "position", -1) for result in map_.results]
    if sorted(order) != list(range(len(view.sizes))):
        ctx.fail(op, rules.MAP, f"{map_} is no permutation of the dimensions")
    sizes = tuple(view.sizes[d] for d in order)
    if view.is_plain:
        return [View(type_, view.memory, tuple(view.modes[d] for d in order), sizes)]

    def locate(at: Context, indices: Sequence[Value]) -> list[Value]:
        source_indices: list[Value] = list(indices)
        for each, d in zip(indices, order):
            source_indices[d] = each
        return source_indices

    return [View(type_, view.memory, (), sizes, locate, view)]


def _groups(ctx: Context, op: Operation, many: int, few: int) -> list[tuple[int, ...]]:
    groups = op.attributes.get("reassociation")
    if (
        not isinstance(groups, tuple)
        or [d for group in groups for d in group] != (list(range(many)) if groups else [])
        or len(groups) != few
    ):
        ctx.fail(op, rules.OPERANDS, f"reassociation groups {many} dimensions to {few}")
    return list(groups)


@reads("memref.collapse_shape")
def _collapse(ctx: Context, op: Operation) -> Sequence[Result]:
    view, type_ = ctx.view(op, 0), result_memref(ctx, op)
    return [_collapsed(ctx, op, view, type_, _groups(ctx, op, len(view.sizes), len(type_.shape)))]


def _collapsed(ctx: Context, op: Operation, view: View, type_: Memref, groups: Sequence[tuple[int, ...]]) -> View:
    if not groups and view.sizes:
        # all dimensions have one element
        return View(type_, view.memory, (), (), lambda at, _: [at.constant(0)] * len(view.sizes), view)
    sizes: list[Size] = []
    for group in groups:
        total: Size = 1
        for d in group:
            total = _product(ctx, total, view.sizes[d])
        sizes.append(total)
    ordered = tuple(reversed(range(len(view.sizes))))
    if view.is_plain and view.modes == ordered and all(_is_contiguous(view, group) for group in groups):
        memory, order = view.memory, len(view.sizes)
        for group in reversed(groups):
            if len(group) > 1:
                first, last = order - 1 - group[-1], order - 1 - group[0]
                # the modes in front of these are not fused yet
                fused = sum(len(other) - 1 for other in groups if other[0] > group[-1])
                op_ = Fuse(op.location, None, tensor=memory, first=first - fused, last=last - fused)
                memory = ctx.builder.add(op_).results[0]
        return View(type_, memory, tuple(reversed(range(len(groups)))), tuple(sizes))

    def locate(at: Context, indices: Sequence[Value]) -> list[Value]:
        source_indices: list[Value] = [at.constant(0)] * len(view.sizes)
        for group, each in zip(groups, indices):
            sizes_ = [at.value(view.sizes[d]) for d in group]
            at.positive.update((each, *sizes_))
            for d, own in zip(group, divided(at, each, sizes_)):
                source_indices[d] = own
        return source_indices

    return View(type_, view.memory, (), tuple(sizes), locate, view)


def _is_contiguous(view: View, group: Sequence[int]) -> bool:
    """Whether dimensions that are joined lie one behind the other, as their sizes and strides say."""
    type_ = view.memory.type
    for outer, inner in pairwise(group):
        stride, size = type_.strides[view.modes[inner]], type_.shape[view.modes[inner]]
        known = isinstance(stride, int) and isinstance(size, int)
        if not known or type_.strides[view.modes[outer]] != stride * size:
            return False
    return True


def _product(ctx: Context, a: Size, b: Size) -> Size:
    if isinstance(a, int) and isinstance(b, int):
        return a * b
    return b if a == 1 else a if b == 1 else arith(ctx, "*", ctx.value(a), ctx.value(b))


@reads("memref.expand_shape")
def _expand(ctx: Context, op: Operation) -> Sequence[Result]:
    view, type_ = ctx.view(op, 0), result_memref(ctx, op)
    groups = _groups(ctx, op, len(type_.shape), len(view.sizes))
    if "static_output_shape" in op.attributes:
        sizes = bounds(ctx, op, "output_shape", range(1, len(op.operands)))
    else:
        sizes = [_left(ctx, op, view, groups, type_, d) if n is None else n for d, n in enumerate(type_.shape)]
    if len(sizes) != len(type_.shape):
        ctx.fail(op, rules.OPERANDS, f"{type_} has {len(type_.shape)} dimensions, but {len(sizes)} sizes are given")
    for group, whole in zip(groups, view.sizes):
        total = 1
        for d in group:
            size = sizes[d]
            total = total * size if isinstance(size, int) else 0
        if total and isinstance(whole, int) and total != whole:
            ctx.fail(op, rules.OPERANDS, f"a dimension of size {whole} is expanded to {total} elements")
    return [_expanded(ctx, op, view, type_, groups, sizes)]


def _expanded(
    ctx: Context, op: Operation, view: View, type_: Memref, groups: Sequence[tuple[int, ...]], sizes: Sequence[Size]
) -> View:
    if not groups:
        return View(type_, view.memory, (), tuple(sizes), lambda at, _: [], view)
    if view.is_plain and view.modes == tuple(reversed(range(len(view.sizes)))):
        memory = view.memory
        for d, group in enumerate(groups):
            if len(group) > 1:
                # modes behind this one are those of dimensions in front of it, which are expanded already
                mode = len(groups) - 1 - d
                shape = [sizes[each] for each in reversed(group)]
                memory = ctx.builder.add(
                    Expand(op.location, None, tensor=memory, mode=mode, expand_shape=shape)
                ).results[0]
        return View(type_, memory, tuple(reversed(range(len(sizes)))), tuple(sizes))

    def locate(at: Context, indices: Sequence[Value]) -> list[Value]:
        return [joined(at, [indices[d] for d in group], [at.value(sizes[d]) for d in group]) for group in groups]

    return View(type_, view.memory, (), tuple(sizes), locate, view)


def _left(ctx: Context, op: Operation, view: View, groups: Any, type_: Memref, d: int) -> Size:
    """The one size of a group that is not known."""
    number, group = next((n, group) for n, group in enumerate(groups) if d in group)
    known = 1
    for other in group:
        if other != d:
            size = type_.shape[other]
            if size is None:
                ctx.fail(op, rules.OPERANDS, "the sizes that are not known are operands: output_shape […]")
            known *= size
    whole = view.sizes[number]
    return whole // known if isinstance(whole, int) else arith(ctx, "floordiv", whole, ctx.constant(known))


@reads("memref.reshape")
def _reshape(ctx: Context, op: Operation) -> Sequence[Result]:
    """The elements in row-major order as those of other sizes, of which the type or the shape's memory has each."""
    view, shape, type_ = ctx.view(op, 0), ctx.view(op, 1), result_memref(ctx, op)
    for each in (view.type, type_):
        if each.layout or each.offset != 0 or each.strides != contiguous(each.shape):
            ctx.fail(op, rules.OPERANDS, f"the elements of {each} are not in row-major order")
    if len(shape.sizes) != 1 or not isinstance(shape.element, ScalarType) or not shape.element.is_integer:
        ctx.fail(op, rules.OPERANDS, f"{shape.type} is no shape: its elements are integers, in one dimension")
    if shape.sizes[0] != len(type_.shape):
        ctx.fail(op, rules.OPERANDS, f"{type_} has {len(type_.shape)} dimensions, but the shape is {shape.type}")
    sizes: list[Size] = []
    for d, size in enumerate(type_.shape):
        if size is not None:
            sizes.append(size)
            continue
        loaded = ctx.builder.cast(ctx.load(shape, [ctx.constant(d)]), index)
        ctx.positive.add(loaded)
        sizes.append(loaded)
    many, few = (prod(n if isinstance(n, int) else 0 for n in each) for each in (view.sizes, sizes))
    if many and few and many != few:
        ctx.fail(op, rules.OPERANDS, f"{view.type} has {many} elements, but {type_} has {few}")
    if not view.sizes:
        return [View(type_, view.memory, (), tuple(sizes), lambda at, indices: [], view)]
    flat = _collapsed(ctx, op, view, type_, [tuple(range(len(view.sizes)))])
    return [_expanded(ctx, op, flat, type_, [tuple(range(len(sizes)))], sizes)]
