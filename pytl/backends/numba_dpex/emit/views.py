"""Views on tensors: another pointer, shape and strides for the same memory."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from ....ops import Expand, Expandc2r, Fuse, Load, Subview
from ....ops.reshape import expanded, fused
from ....ops.views import Bound
from ....passes.targets import cpu
from ....passes.targets.cpu_attributes import LINE
from ..element_names import device_name
from .strategy import Strategy
from .writer import Expression, Known, MemrefCode, Writer, known, product_of


def item_of_group(writer: Writer, op: Load, item: str, strategy: Strategy) -> None:
    """The memref at a place of a group."""
    group = writer.group(op.tensor)

    def at_item(expression: Expression, hint: str) -> Expression:
        if "{}" not in expression:
            return expression
        name = writer.names.fresh(hint)
        writer.line(f"{name} = {expression.format(item)}")
        return name

    pointer = writer.names.of(op.result, "item_of_group")
    address = f"group_{device_name(group.element)}({group.addresses}, {item}, {group.offset})"
    writer.line(f"{pointer} = {strategy.pointer(address)}")
    shape = tuple(at_item(e, f"{pointer}_size{m}") for m, e in enumerate(group.shape))
    strides = tuple(at_item(e, f"{pointer}_stride{m}") for m, e in enumerate(group.strides))
    writer.bind(op.result, MemrefCode(pointer, group.element, shape, strides))


def subview(writer: Writer, op: Subview) -> None:
    """A pointer to the first element of a part, and the part's shape and strides."""
    tensor = writer.memref(op.tensor)
    kept = [mode for mode, piece in enumerate(op.slices) if piece.keeps_mode]
    shape = tuple(_bound(writer, op.slices[mode].size) for mode in kept)
    strides = tuple(tensor.strides[mode] for mode in kept)
    distance = tensor.offset([_bound(writer, piece.offset) for piece in op.slices])
    pointer = tensor.pointer
    if known(distance) != 0:
        pointer = writer.names.of(op.result, "view")
        simple = distance.isidentifier() or known(distance) is not None
        writer.line(f"{pointer} = {tensor.pointer} + {distance if simple else f'({distance})'}")
    writer.bind(op.result, MemrefCode(pointer, tensor.element, shape, strides))


def expand(writer: Writer, op: Expand) -> None:
    """The same pointer; the strides of the new modes grow with their sizes."""
    tensor = writer.memref(op.tensor)
    sizes = tuple(_bound(writer, bound) for bound in op.expand_shape)
    modes = expanded(tensor.shape, tensor.strides, op.mode, sizes, partial(_product, writer, hint="stride"))
    writer.bind(op.result, MemrefCode(tensor.pointer, tensor.element, *modes))


def fuse(writer: Writer, op: Fuse) -> None:
    """The same pointer; the fused modes follow each other without a gap, with the stride of the first one."""
    tensor = writer.memref(op.tensor)
    modes = fused(tensor.shape, tensor.strides, op.first, op.last, partial(_product, writer, hint="extent"))
    writer.bind(op.result, MemrefCode(tensor.pointer, tensor.element, *modes))


def expandc2r(writer: Writer, op: Expandc2r) -> None:
    """The same address as one of reals; strides count twice as many of them."""
    tensor = writer.memref(op.tensor)
    pointer = writer.names.of(op.result, "parts")
    writer.line(f"{pointer} = parts_of({tensor.pointer})")
    strides = (Known(1), *(_product(writer, [stride, Known(2)], "stride") for stride in tensor.strides))
    writer.bind(op.result, MemrefCode(pointer, op.result.type.element, (Known(2), *tensor.shape), strides))


def begins_at_line(writer: Writer, op: cpu.BeginsAtLine) -> None:
    """Whether the memory of a tensor begins at a cache line."""
    writer.assign(op.result, f"begins_at({writer.memref(op.tensor).pointer}, {op.attributes[LINE]})")


def _bound(writer: Writer, bound: Bound) -> str:
    return Known(bound) if isinstance(bound, int) else writer.scalar(bound)


def _product(writer: Writer, factors: Sequence[str], hint: str) -> str:
    """The product of sizes, in a variable where it has to be computed."""
    product: Expression = Known(1)
    for factor in factors:
        product = product_of(product, factor)
    if product.isidentifier() or known(product) is not None:
        return product
    name = writer.names.fresh(hint)
    writer.line(f"{name} = {product}")
    return name
