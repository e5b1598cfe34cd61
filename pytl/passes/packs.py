"""Factors of products that are copied before, to where vector code wants them: contiguous rows, and the type that is
computed in.

A transposed left factor has its rows apart. Numbers of the right factor are taken one by one, each as often as there are
tiles of rows; to convert them each time takes longer than to do so once, by vectors.
"""

from __future__ import annotations

from typing import Any

from ..ir.operation import Operation
from ..ir.types import MemrefType, ScalarType, f32
from ..ir.values import Value
from ..ops import Alloca, Axpby, Gemm
from .builder import Builder

MOST_PACKED = 64 * 1024
"""Bytes of a copy; what is larger would not stay near, nor have room in a work-item's memory."""
LINE = 64


def computed_in(element: ScalarType) -> ScalarType:
    """The type that products are summed in."""
    return f32 if element.is_floating and element.size == 2 else element


def packed(op: Gemm) -> tuple[list[Operation], Gemm]:
    """Copies of factors, and the product that uses them; nothing and the product where it needs none."""
    wide = computed_in(op.C.type.element)
    builder = Builder(op.location)
    if op.transpose_a == "t" and op.A.type.strides[0] == 1:
        copy = _room(builder, op.A.type, wide, turned=True)
        if copy is not None:
            element = op.A.type.element
            one, zero = builder.constant(element, _one(element)), builder.zero(wide)
            builder.add(Axpby(op.location, transpose="t", alpha=one, A=op.A, beta=zero, B=copy))
            op.A, op.transpose_a = copy, "n"
    if op.B.type.element.component != wide.component:
        # its parts alone are taken, so that a real factor stays one
        copy = _room(builder, op.B.type, wide if op.B.type.element.is_complex else wide.component, turned=False)
        if copy is not None:
            _convert(builder, op.B, copy)
            op.B = copy
    return builder.operations, op


def _one(element: ScalarType) -> int | float | complex:
    return 1 if element.is_integer else 1.0 if element.is_floating else 1 + 0j


def _room(builder: Builder, type_: MemrefType, element: ScalarType, turned: bool) -> Value | None:
    """An alloca for a copy, whose columns begin at cache lines where they are longer than one."""
    if not type_.has_static_shape:
        return None
    shape: tuple[Any, ...] = type_.shape[::-1] if turned else type_.shape
    line = LINE // element.size
    rows = -(-shape[0] // line) * line if turned and shape[0] > line else shape[0]
    made = MemrefType(element, shape, (1, rows), "local")
    if made.span * element.size > MOST_PACKED:
        return None
    return builder.add(Alloca(builder.location, [made], attributes={})).results[0]


def _convert(builder: Builder, tensor: Value, copy: Value) -> None:
    stops = [builder.size(tensor, mode) for mode in range(2)]

    def element(at: Builder, points: list[Value]) -> None:
        at.store(at.cast(at.load(tensor, points), copy.type.element), copy, points)

    builder.foreach(stops, element)
