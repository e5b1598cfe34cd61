"""Views on tensors: another pointer, shape and strides for the same memory."""

from __future__ import annotations

from ....ir.values import Value
from ....ops import Subview
from .writer import MemrefCode, Writer


def subview(writer: Writer, op: Subview) -> None:
    """A pointer to the first element of a part, and the part's shape and strides."""
    tensor = writer.memref(op.tensor)

    def bound(b: int | Value) -> str:
        return str(b) if isinstance(b, int) else writer.scalar(b)

    kept = [mode for mode, piece in enumerate(op.slices) if piece.keeps_mode]
    shape = tuple(bound(op.slices[mode].size) for mode in kept)
    strides = tuple(tensor.strides[mode] for mode in kept)
    distance = tensor.offset([bound(piece.offset) for piece in op.slices])
    pointer = tensor.pointer
    if distance != "0":
        pointer = writer.names.of(op.result, "view")
        simple = distance.isidentifier() or distance.isdigit()
        writer.line(f"{pointer} = {tensor.pointer} + {distance if simple else f'({distance})'}")
    writer.bind(op.result, MemrefCode(pointer, tensor.element, shape, strides))
