"""Large products in blocks, whose left factor is copied to local memory: there its columns are contiguous.

The columns of a part of a large matrix are far from each other: each is a page of its own, and where the distance is a
power of two, all are in few sets of the cache. (Columns that follow each other are read where they are, unless they are
many.) Each block of the left factor serves all columns of the result, so that the copy costs little. A slice of the sum
is added to the result before the next one begins.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..ir.operation import Operation
from ..ir.types import MemrefType, index
from ..ir.values import Value
from ..ops import Gemm, Subview
from ..ops.builder import Builder
from ..ops.constants import is_constant
from ..ops.updates import TRANSPOSES
from ..ops.views import Slice
from .packs import LocalMemoryBudget, pack_left
from .targets.costs import BlockCosts
from .targets.cpu_attributes import lies_in_local_memory
from .targets.partition import even_part

PAGE = 4096
"""Bytes of a page of memory."""


def blocked(op: Gemm, room: LocalMemoryBudget, costs: BlockCosts) -> list[Operation]:
    """A large product as loops over blocks; nothing where it stays as it is."""
    types: list[MemrefType] = [op.A.type, op.B.type, op.C.type]
    element = op.C.type.element
    are_equal = all(type_.element == element and type_.has_static_shape for type_ in types)
    if not are_equal or element.size < 4 or op.atomic or lies_in_local_memory(op.A):
        return []
    rows, columns = (int(size) for size in op.C.type.shape)
    depth = int(op.A.type.shape[0 if TRANSPOSES[op.transpose_a] else 1])
    if TRANSPOSES[op.transpose_a]:
        least = min(costs.min_left, room.left)  # one that fits is packed whole
    elif op.A.type.strides[1] == rows:
        least = max(costs.min_left, costs.max_contiguous)
    else:
        is_apart = isinstance(op.A.type.strides[1], int) and op.A.type.strides[1] * element.size >= PAGE
        least = min(costs.min_left, costs.min_apart) if is_apart else costs.min_left
    if rows * depth * element.size <= least or columns < costs.min_columns:
        return []
    height, length = _block(rows, depth, element.size, costs, room.line)
    builder = Builder(op.location)
    copy = room.take(builder, MemrefType(element, (height, length)), element, True, False, in_turn=True)
    if copy is None:
        return []
    _Blocks(op, copy, builder).write(rows, depth)
    return builder.operations


def _block(rows: int, depth: int, size: int, costs: BlockCosts, line: int) -> tuple[int, int]:
    """Rows and columns of the copies: whole cache lines, and blocks of about equal size."""
    height = _part(rows, costs.rows, line // size)
    # each slice of the sum loads and stores the result, so that few large ones are faster than some without a rest
    most = costs.bytes // (height * size)
    unit = line // size if most >= line // size else 1
    return height, even_part(depth, most // unit * unit, unit) if depth else 1


def _part(whole: int, max_size: int, unit: int) -> int:
    """The size of parts, at most so many, in multiples of a unit: without a remainder, or all about equal."""
    even = [size for size in range(min(max_size, whole), max_size // 2, -1) if whole % size == 0 and size % unit == 0]
    if even:
        return even[0]
    return even_part(whole, max_size, unit) if whole else 1


class _Blocks:
    def __init__(self, op: Gemm, copy: Value, builder: Builder) -> None:
        self.op = op
        self.copy = copy
        self.builder = builder

    def write(self, rows: int, depth: int) -> None:
        height, length = self.copy.type.shape
        full, rest = divmod(rows, height)

        def in_rows(builder: Builder, row: int | Value, size: int) -> None:
            beta = self._slices(
                builder, depth // length, lambda on, p, beta: self._block(on, row, p, size, length, beta)
            )
            if depth % length:
                self._block(builder, row, depth - depth % length, size, depth % length, beta)

        self._loop(self.builder, full, height, [], lambda at, row, _: in_rows(at, row, height))
        if rest:
            in_rows(self.builder, rows - rest, rest)

    def _slices(self, builder: Builder, count: int, write: Callable[[Builder, int | Value, Value], None]) -> Value:
        """Slices of the sum: the first one takes beta, the others add to what is there. Returns what to take next."""
        one, length = self.builder.one(self.op.C.type.element), self.copy.type.shape[1]
        inits = [] if is_constant(self.op.beta, 1) or count == 1 else [self.op.beta]
        self._loop(builder, count, length, inits, lambda on, p, beta: write(on, p, *(beta or [self.op.beta])))
        return one

    def _loop(
        self,
        builder: Builder,
        count: int,
        step: int,
        inits: list[Value],
        write: Callable[[Builder, Any, list[Value]], None],
    ) -> None:
        """Write a loop over so many places; after its first step, it carries ones."""
        if count == 1:
            write(builder, 0, inits)
            return

        def body(inner: Builder, number: Value, carried: list[Value]) -> Sequence[Value]:
            write(inner, inner.arith("mul", number, inner.constant(index, step)), carried)
            return [self.builder.one(value.type) for value in carried]

        builder.loop(builder.constant(index, count), inits, body, "block")

    def _block(self, builder: Builder, row: Any, p: Any, rows: int, depth: int, beta: Value) -> None:
        op = self.op
        columns = op.C.type.shape[1]
        is_left_turned, is_right_turned = TRANSPOSES[op.transpose_a], TRANSPOSES[op.transpose_b]
        left = [Slice(row, rows), Slice(p, depth)]
        right = [Slice(p, depth), Slice(0, columns)]
        a = self._view(builder, op.A, left[::-1] if is_left_turned else left)
        b = self._view(builder, op.B, right[::-1] if is_right_turned else right)
        c = self._view(builder, op.C, [Slice(row, rows), Slice(0, columns)])
        copy = self._view(builder, self.copy, [Slice(0, rows), Slice(0, depth)])
        pack_left(builder, a, copy, is_left_turned)
        common = {"transpose_a": "n", "transpose_b": op.transpose_b, "alpha": op.alpha, "beta": beta}
        builder.add(Gemm(op.location, A=copy, B=b, C=c, **common))

    def _view(self, builder: Builder, tensor: Value, slices: list[Slice]) -> Value:
        if tuple(piece.size for piece in slices) == tensor.type.shape:
            return tensor
        return builder.add(Subview(self.op.location, None, tensor=tensor, slices=slices)).results[0]
