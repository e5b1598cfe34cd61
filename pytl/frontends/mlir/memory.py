"""memref: accesses, allocations, and views."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from ...ir.types import index
from ...ir.values import Value
from ...mlirtext import Memref, Operation, Scalar
from ...mlirtext.custom import DYNAMIC as UNWRITTEN
from ...ops import Alloca, Expand, Fuse, Load, Slice, Subview
from ...ops import Size as Size_
from ...ops.constants import constant_of
from . import rules
from .affine_values import arith
from .context import Context, Handler
from .types import Placement, element_type, row_major
from .values import Bytes, Items, Origin, Result, Size, View


def _memref(ctx: Context, op: Operation, type_: Any) -> Memref:
    if not isinstance(type_, Memref):
        ctx.fail(op, rules.TYPE, f"{type_} is no memref with a rank")
    return type_


def result_memref(ctx: Context, op: Operation) -> Memref:
    if not op.result_types:
        ctx.fail(op, rules.OPERANDS, "it gives a memref")
    return _memref(ctx, op, op.result_types[0])


# Accesses.


def at_indices(ctx: Context, op: Operation, view: View, indices: Sequence[Value]) -> list[Value]:
    if len(indices) != len(view.type.shape):
        ctx.fail(
            op,
            rules.OPERANDS,
            f"{len(indices)} indices are given, but {view.type} has {len(view.type.shape)} dimensions",
        )
    return list(indices)


def _load(ctx: Context, op: Operation) -> Sequence[Result]:
    items = ctx.operand(op, 0)
    if isinstance(items, Items):
        return [_item(ctx, op, items)]
    view = ctx.view(op, 0)
    return [ctx.load(view, at_indices(ctx, op, view, ctx.indices(op, 1)))]


def _item(ctx: Context, op: Operation, items: Items) -> View:
    """A memref out of a memref of memrefs."""
    indices = ctx.indices(op, 1)
    if len(indices) != 1:
        ctx.fail(op, rules.OPERANDS, f"{items.type} has one dimension")
    type_ = items.type.element
    assert isinstance(type_, Memref)
    item_type = items.group.type.memref
    item = ctx.builder.add(Load(op.place, [item_type], tensor=items.group, indices=indices)).results[0]
    modes = tuple(reversed(range(len(type_.shape))))
    sizes: list[Size] = []
    for mode, size in zip(modes, type_.shape):
        sizes.append(
            size if size is not None else ctx.builder.add(Size_(op.place, [index], tensor=item, mode=mode)).results[0]
        )
    return View(type_, item, modes, tuple(sizes))


def _store(ctx: Context, op: Operation) -> None:
    value, view = ctx.number(op, 0), ctx.view(op, 1)
    store_checked(ctx, op, value, view, ctx.indices(op, 2))


def store_checked(ctx: Context, op: Operation, value: Value, view: View, indices: Sequence[Value]) -> None:
    """A store of a number of the memory's element type."""
    if value.type != view.element:
        ctx.fail(op, rules.OPERANDS, f"a number of the type {value.type} is stored to {view.type}")
    ctx.store(value, view, at_indices(ctx, op, view, indices))


def _dim(ctx: Context, op: Operation) -> Sequence[Result]:
    items = ctx.operand(op, 0)
    if isinstance(items, Items):
        return [ctx.value(items.count)]
    view = ctx.view(op, 0)
    number = ctx.constant_of(op, 1, "the dimension")
    if not 0 <= number < len(view.sizes):
        ctx.fail(op, rules.OPERANDS, f"{view.type} has no dimension {number}")
    return [ctx.value(view.sizes[number])]


def _rank(ctx: Context, op: Operation) -> Sequence[Result]:
    return [ctx.constant(len(ctx.view(op, 0).sizes))]


# Allocations.


def _allocate(ctx: Context, op: Operation) -> Sequence[Result]:
    type_ = result_memref(ctx, op)
    groups = ctx.segments(op, ("dynamicSizes", "symbolOperands"))
    sizes: list[int] = []
    given = list(groups["dynamicSizes"])
    for size in type_.shape:
        if size is None:
            if not given:
                ctx.fail(op, rules.OPERANDS, "there is no operand for a dynamic size")
            size = ctx.constant_of(op, given.pop(0), "a size")
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
    if ctx.spmd:
        help = "allocate it outside"
        ctx.fail(op, rules.SIZE, "memory is allocated for a work-group, and this is for each iteration of a loop", help)
    shape = [n for n in placement.type.shape if isinstance(n, int)]
    memory = ctx.builder.allocate(placement.type.element, shape)
    return View(type_, memory, placement.modes, tuple(sizes))


def _nothing(ctx: Context, op: Operation) -> None:
    """Memory lives as long as the work-group is executed."""


def _byte_view(ctx: Context, op: Operation) -> Sequence[Result]:
    """memref.view: a part of bytes with a type, which is memory of its own."""
    given = ctx.operand(op, 0)
    type_ = result_memref(ctx, op)
    if not isinstance(given, Bytes):
        ctx.fail(op, rules.OPERANDS, f"{op.operands[0]} is not allocated as bytes in this function")
    shift: object = constant_of(ctx.number(op, 1))
    if shift is None:
        ctx.fail(op, rules.SIZE, "the place in the bytes is not known")
    rest = list(range(2, len(op.operands)))
    if len(rest) != type_.shape.count(None):
        ctx.fail(op, rules.OPERANDS, "it has an operand for each dynamic size")
    sizes = [ctx.constant_of(op, rest.pop(0), "a size") if size is None else size for size in type_.shape]
    key = (shift, str(type_))
    if key not in given.parts:
        given.parts[key] = _in_front(ctx, op, type_, sizes, (given, *key))
    return [given.parts[key]]


def _in_front(ctx: Context, op: Operation, type_: Memref, sizes: Sequence[int], key: object) -> View:
    """Local memory that is allocated in front of all that is executed."""
    placement = _local(ctx, op, type_, sizes)
    memory = ctx.builder.once(key, lambda: Alloca(op.place, [placement.type.in_space("local")], attributes={}))
    return View(type_, memory, placement.modes, tuple(sizes))


def _local(ctx: Context, op: Operation, type_: Memref, sizes: Sequence[int]) -> Placement:
    element = element_type(type_.element)
    if element is None:
        ctx.fail(op, rules.TYPE, f"there is no memory with elements of {type_.element}")
    if any(size <= 0 for size in sizes):
        ctx.fail(op, rules.SIZE, f"{type_} has no elements")
    return row_major(tuple(sizes), element)


# Views.


def _same(ctx: Context, op: Operation) -> Sequence[Result]:
    view = ctx.view(op, 0)
    type_ = op.result_types[0] if op.result_types else view.type
    wanted = _memref(ctx, op, type_)
    if len(wanted.shape) != len(view.sizes):
        ctx.fail(op, rules.OPERANDS, f"{view.type} is not cast to {wanted}")
    for size, known in zip(wanted.shape, view.sizes):
        if size is not None and isinstance(known, int) and size != known:
            ctx.fail(op, rules.OPERANDS, f"{view.type} is not cast to {wanted}")
    sizes = tuple(
        known if isinstance(known, int) or size is None else size for size, known in zip(wanted.shape, view.sizes)
    )
    return [View(wanted, view.memory, view.modes, sizes, view.place, view.of, view.origin)]


def bounds(ctx: Context, op: Operation, name: str, operands: range) -> list[Size]:
    """Numbers and operands of a list: `static_NAME`, with operands where it says so."""
    static = op.attributes.get(f"static_{name}")
    if not isinstance(static, tuple):
        ctx.fail(op, rules.OPERANDS, f"static_{name} is missing")
    rest = list(operands)
    found: list[Size] = []
    for each in static:
        if each != UNWRITTEN:
            found.append(each)
            continue
        if not rest:
            ctx.fail(op, rules.OPERANDS, f"there are too few operands for {name}")
        value = ctx.indices(op, rest.pop(0), 1)[0]
        known = constant_of(value)
        found.append(value if known is None else int(known))
    return found


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

    def place(at: Context, indices: Sequence[Value]) -> list[Value]:
        found = list(first)
        for d, each in zip(kept, indices):
            found[d] = arith(at, "+", found[d], arith(at, "*", each, steps[d]))
        return found

    return [View(type_, view.memory, (), tuple(sizes[d] for d in kept), place, view)]


def _kept(ctx: Context, op: Operation, sizes: Sequence[Size], type_: Memref) -> list[int]:
    """The dimensions that a view keeps; those of size 1 may be left out, as far as the result's type has fewer."""
    dropped = len(sizes) - len(type_.shape)
    kept: list[int] = []
    wanted = list(type_.shape)
    for d, size in enumerate(sizes):
        left = len(sizes) - d
        fits = bool(wanted) and (wanted[0] is None or not isinstance(size, int) or wanted[0] == size)
        if size == 1 and dropped > 0 and (not fits or (len(wanted) < left and wanted[:1] != [1])):
            dropped -= 1
        elif fits:
            kept.append(d)
            wanted.pop(0)
        else:
            ctx.fail(op, rules.OPERANDS, f"the view has the sizes {', '.join(map(_shown, sizes))}, but is {type_}")
    if wanted:
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
    memory = ctx.builder.add(Subview(op.place, None, tensor=view.memory, slices=slices)).results[0]
    modes_kept = sorted(view.modes[d] for d in kept)
    modes = tuple(modes_kept.index(view.modes[d]) for d in kept)
    origin = Origin(view, tuple(offsets), tuple(kept))
    return View(type_, memory, modes, tuple(sizes[d] for d in kept), origin=origin)


def _transpose(ctx: Context, op: Operation) -> Sequence[Result]:
    view, type_ = ctx.view(op, 0), result_memref(ctx, op)
    map_ = ctx.map(op, op.attributes.get("permutation"), len(view.sizes))
    order = [getattr(result, "position", -1) for result in map_.results]
    if sorted(order) != list(range(len(view.sizes))):
        ctx.fail(op, rules.MAP, f"{map_} is no permutation of the dimensions")
    sizes = tuple(view.sizes[d] for d in order)
    if view.is_plain:
        return [View(type_, view.memory, tuple(view.modes[d] for d in order), sizes)]

    def place(at: Context, indices: Sequence[Value]) -> list[Value]:
        found: list[Value] = list(indices)
        for each, d in zip(indices, order):
            found[d] = each
        return found

    return [View(type_, view.memory, (), sizes, place, view)]


def _groups(ctx: Context, op: Operation, many: int, few: int) -> list[tuple[int, ...]]:
    groups = op.attributes.get("reassociation")
    if (
        not isinstance(groups, tuple)
        or [d for group in groups for d in group] != list(range(many))
        or len(groups) != few
    ):
        ctx.fail(op, rules.OPERANDS, f"reassociation groups {many} dimensions to {few}")
    return list(groups)


def _collapse(ctx: Context, op: Operation) -> Sequence[Result]:
    view, type_ = ctx.view(op, 0), result_memref(ctx, op)
    groups = _groups(ctx, op, len(view.sizes), len(type_.shape))
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
                op_ = Fuse(op.place, None, tensor=memory, first=first - fused, last=last - fused)
                memory = ctx.builder.add(op_).results[0]
        return [View(type_, memory, tuple(reversed(range(len(groups)))), tuple(sizes))]

    def place(at: Context, indices: Sequence[Value]) -> list[Value]:
        found: list[Value] = [at.constant(0)] * len(view.sizes)
        for group, each in zip(groups, indices):
            for d in reversed(group[1:]):
                size = at.value(view.sizes[d])
                at.positive.add(size)
                at.positive.add(each)
                found[d], each = arith(at, "mod", each, size), arith(at, "floordiv", each, size)
            if group:
                found[group[0]] = each
        return found

    return [View(type_, view.memory, (), tuple(sizes), place, view)]


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
    if view.is_plain and view.modes == tuple(reversed(range(len(view.sizes)))):
        memory = view.memory
        for d, group in enumerate(groups):
            if len(group) > 1:
                # modes behind this one are those of dimensions in front of it, which are expanded already
                mode = len(groups) - 1 - d
                shape = [sizes[each] for each in reversed(group)]
                memory = ctx.builder.add(Expand(op.place, None, tensor=memory, mode=mode, expand_shape=shape)).results[
                    0
                ]
        return [View(type_, memory, tuple(reversed(range(len(sizes)))), tuple(sizes))]

    def place(at: Context, indices: Sequence[Value]) -> list[Value]:
        found: list[Value] = []
        for group in groups:
            total = at.constant(0)
            for d in group:
                total = arith(at, "+", arith(at, "*", total, at.value(sizes[d])), indices[d])
            found.append(total)
        return found

    return [View(type_, view.memory, (), tuple(sizes), place, view)]


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


HANDLERS: dict[str, Handler] = {
    "memref.load": _load,
    "memref.store": _store,
    "memref.dim": _dim,
    "memref.rank": _rank,
    "memref.alloc": _allocate,
    "memref.alloca": _allocate,
    "memref.dealloc": _nothing,
    "memref.view": _byte_view,
    "memref.cast": _same,
    "memref.memory_space_cast": _same,
    "memref.assume_alignment": _same,
    "memref.subview": _subview,
    "memref.transpose": _transpose,
    "memref.collapse_shape": _collapse,
    "memref.expand_shape": _expand,
    "memref.copy": _copy,
}
