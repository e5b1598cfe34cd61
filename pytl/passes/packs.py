"""Packs factors of products: copies with contiguous rows, in the type of the computation, as vector code needs them.

The rows of a transposed left factor are strided. Elements of the right factor are broadcast, each as often as there are
tiles of rows; to convert them each time takes longer than to convert them once, by vectors. So does loading them where
each has a cache line of its own.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..ir.operation import Operation
from ..ir.types import MemrefType, ScalarType, compute_type
from ..ir.values import Function, Value
from ..ops import Alloca, Axpby, Gemm
from ..ops.builder import Builder
from ..ops.memory import bytes_of
from ..ops.updates import TRANSPOSES
from .targets.cpu_attributes import lies_in_local_memory
from .targets.machine import Machine
from .targets.vector_forms import has_pairs
from .tiles import Product, choose_tile

MAX_LOCAL = 32 * 1024
"""Bytes of local memory that every device has; copies take what the function does not use."""
MAX_IN_TURN = 96 * 1024
"""Bytes that copies may take beside, one after the other, where local memory is private memory of a processor."""
LOCAL_BYTES = MAX_LOCAL // 2
"""What the temporaries of a function may take of it, all together; the rest is for passes."""
MIN_DISTANCE = 4
"""The least distance of a right factor's numbers, in numbers, at which its lines are mostly other data."""


def local_bytes(operations: Iterable[Operation], line: int) -> int:
    """Bytes that the allocas among some instructions take, each in cache lines of so many bytes of its own."""
    types = (op.result.type for op in operations if isinstance(op, Alloca))
    return sum(-(-bytes_of(type_) // line) * line for type_ in types)


class LocalMemoryBudget:
    """How many bytes of local memory a function leaves for copies."""

    def __init__(self, function: Function, line: int) -> None:
        self.line = line
        self.left = MAX_LOCAL - local_bytes(function.walk(), line)
        self.in_turn = MAX_IN_TURN + min(self.left, 0)
        """Bytes for copies of which one is live at a time."""

    def take(
        self,
        builder: Builder,
        type_: MemrefType,
        element: ScalarType,
        is_left: bool,
        is_transposed: bool,
        in_turn: bool = False,
    ) -> Value | None:
        """An alloca for a copy, where there is room.

        The columns of a left factor that are longer than a cache line begin at multiples of one. With `in_turn`, the
        copy is dead behind its product wherever that is, so that stack-layout has one place for all such copies.
        """
        if not type_.has_static_shape:
            return None
        shape: tuple[Any, ...] = type_.shape[::-1] if is_transposed else type_.shape
        of_line = self.line // element.size
        rows = -(-shape[0] // of_line) * of_line if is_left and shape[0] > of_line else shape[0]
        packed_type = MemrefType(element, shape, (1, rows), "local")
        size = -(-bytes_of(packed_type) // self.line) * self.line
        if size > (self.in_turn if in_turn else self.left):
            return None
        if not in_turn:
            self.left -= size
        return builder.add(Alloca(builder.location, [packed_type], attributes={})).results[0]

    def reserve(self, size: int) -> bool:
        """Whether there is room for so many bytes, which are taken then."""
        taken = -(-size // self.line) * self.line
        if taken > self.left:
            return False
        self.left -= taken
        return True


def reads_lines_again(op: Gemm, machine: Machine) -> bool:
    """Whether several tiles of rows read the numbers of a right factor whose lines leave the first-level cache, most of
    each line being other data.
    """
    right, caches = op.B.type, machine.caches
    strides = [stride for stride, extent in zip(right.strides, right.shape) if extent != 1]
    if not (right.has_static_shape and op.C.type.has_static_shape and strides) or lies_in_local_memory(op.B):
        return False
    size = right.element.size
    distance = min(stride if isinstance(stride, int) else 1 for stride in strides) * size
    if distance < MIN_DISTANCE * size or right.count * min(distance, caches.line) <= caches.first_level // 2:
        return False
    tile = choose_tile(machine, [Product.of(op, frozenset(), caches.line)])
    return tile is not None and not tile.by_pattern and tile.vectors * tile.lanes < op.C.type.shape[0]


def packed(
    op: Gemm, room: LocalMemoryBudget, pairs: ScalarType | None, packs_right: bool = False
) -> tuple[list[Operation], Gemm]:
    """Copies of factors, and the product that uses them; no copies and the product itself where it needs none.

    `pairs` is the type of pairs of factors that are to be multiplied at once; `packs_right` says whether the right
    factor is copied for the places of its numbers.
    """
    result = op.C.type.element
    wide = compute_type(result)
    builder = Builder(op.location)
    is_transposed = TRANSPOSES[op.transpose_a]
    if is_transposed or op.A.type.strides[0] != 1:
        copy = room.take(builder, op.A.type, result if pairs is None else pairs, True, is_transposed)
        if copy is not None:
            pack_left(builder, op.A, copy, is_transposed)
            op.A, op.transpose_a = copy, "n"
    if pairs is not None and not has_pairs(op):
        is_transposed = TRANSPOSES[op.transpose_b]
        copy = room.take(builder, op.B.type, pairs, False, is_transposed)
        if copy is not None:
            _convert(builder, op.B, copy, is_transposed)
            op.B, op.transpose_b = copy, "n"
    if pairs is not None and has_pairs(op):
        return builder.operations, op
    if packs_right and op.B.type.element == wide == result:
        copy = room.take(builder, op.B.type, wide, False, False)
        if copy is not None:
            _convert(builder, op.B, copy, False)
            op.B = copy
    # the language has no gemm of factors in f32 whose result is f16 or bf16
    if op.B.type.element.component != wide.component and wide == result:
        # a real factor stays real
        copy = room.take(builder, op.B.type, wide if op.B.type.element.is_complex else wide.component, False, False)
        if copy is not None:
            _convert(builder, op.B, copy, False)
            op.B = copy
    return builder.operations, op


def pack_left(builder: Builder, factor: Value, copy: Value, is_transposed: bool) -> None:
    """Write what copies a left factor."""
    if is_transposed and factor.type.strides[0] == 1:
        one, zero = builder.one(factor.type.element), builder.zero(copy.type.element)
        builder.add(Axpby(builder.location, transpose="t", alpha=one, A=factor, beta=zero, B=copy))
    else:
        _convert(builder, factor, copy, is_transposed)


def _convert(builder: Builder, tensor: Value, copy: Value, is_transposed: bool) -> None:
    order = slice(None, None, -1 if is_transposed else 1)
    stops = [builder.size(tensor, mode) for mode in range(2)][order]

    def element(builder: Builder, points: list[Value]) -> None:
        builder.store(builder.cast(builder.load(tensor, points[order]), copy.type.element), copy, points)

    builder.foreach(stops, element)
