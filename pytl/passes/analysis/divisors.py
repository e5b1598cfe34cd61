"""Numbers that the sizes and strides of a memref can be divided by, as far as types and attributes say so."""

from __future__ import annotations

import math

from ...ir.types import Extent, MemrefType
from ...ir.values import Function, Value
from ...ops import ArithBinary, Cast, For
from ...ops.constants import constant_of
from ...ops.views import Size, Subview, root_of

UNSAID = 1 << 12
"""The assumed alignment, in bytes, of memory without a stated alignment. Only estimates of costs use it."""


def divisor_of_size(tensor: Value, mode: int) -> int:
    """A number that the size of a mode is a multiple of: itself where it is known, else 1 at least."""
    size = tensor.type.shape[mode]
    if isinstance(size, int):
        return size
    view = tensor.owner
    if isinstance(view, Subview):
        extent = [piece.size for piece in view.slices if piece.keeps_mode][mode]
        op = extent.owner if isinstance(extent, Value) else None
        if isinstance(op, Size) and isinstance(op.tensor.type, MemrefType):
            return divisor_of_size(op.tensor, op.mode)
        return 1
    return _attribute(tensor, "shape_gcd", mode)


def divisor_of_stride(tensor: Value, mode: int) -> int:
    """A number that the stride of a mode is a multiple of, in elements."""
    stride: Extent = tensor.type.strides[mode]
    if isinstance(stride, int):
        return stride
    view = tensor.owner
    if isinstance(view, Subview):
        kept_modes = [mode_of_view for mode_of_view, piece in enumerate(view.slices) if piece.keeps_mode]
        return divisor_of_stride(view.tensor, kept_modes[mode])
    return _attribute(tensor, "stride_gcd", mode)


def alignment_of(tensor: Value) -> int:
    """The alignment of a tensor's memory in bytes; a large number if nothing is stated."""
    return int(root_of(tensor).attributes.get("alignment", UNSAID))


def _attribute(tensor: Value, name: str, mode: int) -> int:
    """The attributes of a parameter, or of an item of a group. A mode without an entry is a multiple of 1."""
    divisors = tensor.attributes.get(name, [])
    return divisors[mode] if mode < len(divisors) else 1


class Divisors:
    """Numbers that integers of a function can be divided by."""

    def __init__(self, function: Function) -> None:
        self._parts: dict[Value, tuple[Value | None, ...]] = {}
        """What a value of a loop is made of, all multiples of what it is a multiple of; None is 1."""
        for op in function.walk():
            if isinstance(op, For):
                self._parts[op.variable] = (op.start, op.step)
                for carried, result, init, last in zip(op.carried, op.results, op.inits, op.yielded):
                    self._parts[carried] = self._parts[result] = (init, last)

    def of(self, value: Value, within: frozenset[Value] = frozenset()) -> int:
        """A number that a value is a multiple of, 1 at least; 0 where it is 0."""
        if value in within:
            return 0  # what a loop carries has the divisor that the rest has
        known, op = constant_of(value), value.owner
        if known is not None:
            return abs(int(known))
        if value in self._parts:
            parts = self._parts[value]
            return math.gcd(*(1 if part is None else self.of(part, within | {value}) for part in parts))
        if isinstance(op, Cast):
            return self.of(op.operand, within) if op.operand.type.is_integer else 1
        if isinstance(op, ArithBinary) and op.variant in ("add", "sub", "mul"):
            a, b = self.of(op.a, within), self.of(op.b, within)
            return a * b if op.variant == "mul" else math.gcd(a, b)
        return 1
