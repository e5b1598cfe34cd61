"""Views on tensors in vector code: another pointer, shape and strides for the same memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial, reduce

from ....ops import Expand, Fuse, Subview
from ....ops.reshape import expanded, fused
from ....ops.views import Bound
from .context import Context, Number, Tensor, times

Bounds = Callable[[Bound], Number]


def subview(context: Context, op: Subview, number: Bounds) -> Tensor:
    """A pointer to the first element of a part, and the part's shape and strides."""
    tensor: Tensor = context.values[op.tensor]
    kept = [mode for mode, piece in enumerate(op.slices) if piece.keeps_mode]
    pointer = context.address(tensor, [number(piece.offset) for piece in op.slices])
    shape = tuple(number(op.slices[mode].size) for mode in kept)
    return Tensor(pointer, tensor.element, shape, tuple(tensor.strides[mode] for mode in kept))


def expand(context: Context, op: Expand, number: Bounds) -> Tensor:
    """The same pointer; the strides of the new modes grow with their sizes."""
    tensor: Tensor = context.values[op.tensor]
    sizes = tuple(map(number, op.expand_shape))
    modes = expanded(tensor.shape, tensor.strides, op.mode, sizes, partial(_product, context))
    return Tensor(tensor.pointer, tensor.element, *modes)


def fuse(context: Context, op: Fuse, number: Bounds) -> Tensor:
    """The same pointer; the fused modes follow each other without a gap, with the stride of the first one."""
    tensor: Tensor = context.values[op.tensor]
    modes = fused(tensor.shape, tensor.strides, op.first, op.last, partial(_product, context))
    return Tensor(tensor.pointer, tensor.element, *modes)


def _product(context: Context, factors: Sequence[Number]) -> Number:
    return reduce(partial(times, context.builder), factors)
