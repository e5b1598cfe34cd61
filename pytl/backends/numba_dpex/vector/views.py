"""Views on tensors in vector code: another pointer, shape and strides for the same memory."""

from __future__ import annotations

from collections.abc import Callable

from ....ops import Expand, Fuse, Subview
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
    strides = [tensor.strides[op.mode]]
    for size in sizes[:-1]:
        strides.append(times(context.builder, strides[-1], size))
    return _reshaped(tensor, op.mode, op.mode, sizes, tuple(strides))


def fuse(context: Context, op: Fuse, number: Bounds) -> Tensor:
    """The same pointer; the fused modes follow each other without a gap, with the stride of the first one."""
    tensor: Tensor = context.values[op.tensor]
    size: Number = 1
    for extent in tensor.shape[op.first : op.last + 1]:
        size = times(context.builder, size, extent)
    return _reshaped(tensor, op.first, op.last, (size,), (tensor.strides[op.first],))


def _reshaped(tensor: Tensor, first: int, last: int, shape: tuple[Number, ...], strides: tuple[Number, ...]) -> Tensor:
    """A tensor with some modes, from the first to the last, replaced."""

    def replaced(old: tuple[Number, ...], new: tuple[Number, ...]) -> tuple[Number, ...]:
        return (*old[:first], *new, *old[last + 1 :])

    return Tensor(tensor.pointer, tensor.element, replaced(tensor.shape, shape), replaced(tensor.strides, strides))
