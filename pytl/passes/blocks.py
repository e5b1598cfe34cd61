"""Large products in blocks, whose left factor is copied to local memory: there its columns are contiguous.

The columns of a part of a large matrix are far from each other: each is a page of its own, and where the distance is a
power of two, all are in few sets of the cache. (Columns that follow each other are read where they are, unless they are
many.) Each block of the left factor serves all columns of the result, so that the copy costs little. A slice of the sum
is added to the result before the next one begins.

Where a register tile has few columns, the rows of the left factor that it multiplies have to stay in the first-level
cache for the next tile. Then a product is computed in slices that are short enough, without copies.
"""

from __future__ import annotations

import math
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
from .matrix_sums import MOST_VECTORS
from .packs import LocalMemoryBudget, pack_left
from .software_prefetch import prefetches_next_rows
from .targets.costs import BlockCosts
from .targets.cpu_attributes import lies_in_local_memory
from .targets.machine import Machine
from .targets.partition import even_part
from .tiles import Product, choose_tile

PAGE = 4096
"""Bytes of a page of memory, and of the first-level cache between lines of the same set."""
MIN_SLICE = 24
"""The fewest terms of a slice that is not copied: each slice loads and stores the result."""
MIN_SLICES = 3
"""The fewest slices of such a product. Two are no loop; products that are added to one result without one share their
registers, so that nothing would be in the first-level cache again.
"""
STREAMED = 8
"""Terms of a slice of a left factor that is not in a cache: as many streams as the processor's prefetcher follows."""
MAX_SHARE = 0.75
"""How much of what a core reads from the second-level cache, or from memory, a factor may need."""


def blocked(op: Gemm, room: LocalMemoryBudget, machine: Machine) -> list[Operation]:
    """A large product as loops over blocks; nothing where it stays as it is."""
    types: list[MemrefType] = [op.A.type, op.B.type, op.C.type]
    element, costs = op.C.type.element, machine.blocks
    are_equal = all(type_.element == element and type_.has_static_shape for type_ in types)
    if not are_equal or element.size < 4 or op.atomic or lies_in_local_memory(op.A):
        return []
    rows, columns = (int(size) for size in op.C.type.shape)
    depth = int(op.A.type.shape[0 if TRANSPOSES[op.transpose_a] else 1])
    most = _longest_slice(op, machine)
    if _is_streamed(op, machine, most):
        return _in_slices(op, depth, STREAMED)
    if most is not None and most >= MIN_SLICE:
        length = even_part(depth, min(most, -(-depth // MIN_SLICES)), machine.tiles.max_unrolled)
        return _in_slices(op, depth, length) if depth > most else []
    if TRANSPOSES[op.transpose_a]:
        least = min(costs.min_left, room.left)  # one that fits is packed whole
    elif op.A.type.strides[1] == rows and most is None:
        least = max(costs.min_left, costs.max_contiguous)
    else:
        least = min(costs.min_left, costs.min_apart) if _is_apart(op.A.type) else costs.min_left
    if rows * depth * element.size <= least or columns < _fewest_columns(op, machine):
        return []
    height, length = _block(rows, depth, element.size, costs, room.line)
    builder = Builder(op.location)
    copy = room.take(builder, MemrefType(element, (height, length)), element, True, False, in_turn=True)
    if copy is None:
        return []
    _Blocks(op, copy, builder).write(rows, depth)
    return builder.operations


def _is_streamed(op: Gemm, machine: Machine, longest: int | None) -> bool:
    """Whether a left factor is read in slices of few columns, as it comes from memory and serves few columns.

    It is not where register tiles read all columns, and prefetch those of the next rows.
    """
    left, c = op.A.type, op.C.type
    depth, columns = int(left.shape[1]), int(c.shape[1])
    if TRANSPOSES[op.transpose_a] or left.strides[0] != 1 or depth <= 2 * STREAMED:
        return False
    if columns > machine.blocks.columns_in_slices:
        return False
    if columns > MOST_VECTORS and longest is None and prefetches_next_rows(op, machine.prefetches):
        return False
    is_large = left.count * left.element.size > machine.prefetches.max_bytes
    # others have their sums in the result, or in registers (`matrix_sums.py`)
    return is_large and (columns >= MOST_VECTORS or c.count * c.element.size > machine.caches.first_level // 2)


def _longest_slice(op: Gemm, machine: Machine) -> int | None:
    """The most terms of a slice whose rows of the left factor stay in the first-level cache for the next tile, or whose
    right factor stays in the second-level cache for the next rows; None where they need not, where the columns of the
    left factor are pages of their own, and for complex numbers, each of which takes four multiply-adds.
    """
    left, caches, line = op.A.type, machine.caches, machine.caches.line
    size, stride = left.element.size, left.strides[1]
    if TRANSPOSES[op.transpose_a] or left.strides[0] != 1 or not isinstance(stride, int) or left.element.is_complex:
        return None
    if _is_apart(left):
        return None
    (rows, depth), columns = (int(extent) for extent in left.shape), int(op.C.type.shape[1])
    if rows * depth * size <= caches.first_level // 2:
        return None
    product = Product.of(op, frozenset(), line)
    tile = choose_tile(machine, [product])
    if tile is None or tile.by_pattern or tile.columns >= columns:
        return None
    step = machine.share_of(tile.lanes * size) * tile.vectors * tile.columns / machine.execution.fmas
    rows_of_tile = min(tile.vectors * tile.lanes, rows)
    if rows_of_tile * size > MAX_SHARE * caches.from_second_level * step:
        column = rows_of_tile * size + (0 if product.is_line_aligned else line)
        # half of the cache, and of the lines of a set; the other half is for the other matrices
        return caches.first_level // max(2 * column, 2 * math.gcd(stride * size, PAGE))
    is_right_large = columns * depth * size > caches.second_level // 2 and rows_of_tile < rows
    if is_right_large and tile.columns * size > MAX_SHARE * caches.from_memory * step:
        return caches.second_level // (4 * columns * size)
    return None


def _is_apart(type_: MemrefType) -> bool:
    """Whether each column of a matrix is known to lie in a page of its own."""
    return isinstance(type_.strides[1], int) and type_.strides[1] * type_.element.size >= PAGE


def _fewest_columns(op: Gemm, machine: Machine) -> int:
    """The fewest columns of the result for which the left factor is copied."""
    if TRANSPOSES[op.transpose_a]:
        return 1  # without a copy, the elements of its columns are gathered
    costs = machine.blocks
    is_prefetched = prefetches_next_rows(op, machine.prefetches)
    fewest = costs.min_columns_prefetched if is_prefetched else costs.min_columns
    return min(fewest, costs.min_columns_in_few_sets) if _is_in_few_sets(op.A.type, machine) else fewest


def _is_in_few_sets(type_: MemrefType, machine: Machine) -> bool:
    """Whether the first-level cache has no room for `MIN_SLICE` columns of a matrix, whose lines share its sets."""
    distance = type_.strides[1]
    if not isinstance(distance, int) or not _is_apart(type_):
        return False
    return machine.caches.first_level < 2 * MIN_SLICE * math.gcd(distance * type_.element.size, PAGE)


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
        copy = _view(builder, self.copy, [Slice(0, rows), Slice(0, depth)])
        _add_product(self.op, builder, (row, rows), (p, depth), beta, copy)


def _in_slices(op: Gemm, depth: int, length: int) -> list[Operation]:
    """A product as a slice of so many terms of its sum, a loop over those that are as long, and a shorter one."""
    builder = Builder(op.location)
    rows, one = (0, op.C.type.shape[0]), builder.one(op.C.type.element)
    _add_product(op, builder, rows, (0, length), op.beta)

    def body(inner: Builder, number: Value, _: list[Value]) -> Sequence[Value]:
        begin = inner.arith("mul", number, inner.constant(index, length))
        _add_product(op, inner, rows, (begin, length), one)
        return []

    builder.loop(builder.constant(index, depth // length), [], body, "slice", 1)
    if depth % length:
        _add_product(op, builder, rows, (depth - depth % length, depth % length), one)
    return builder.operations


def _add_product(
    op: Gemm,
    builder: Builder,
    rows: tuple[Any, Any],
    terms: tuple[Any, Any],
    beta: Value,
    copy: Value | None = None,
) -> None:
    """Write a product of some rows and some terms of the sum, each from an index on; `copy` is for the left factor."""
    columns = op.C.type.shape[1]
    is_left_turned, is_right_turned = TRANSPOSES[op.transpose_a], TRANSPOSES[op.transpose_b]
    left, right = [Slice(*rows), Slice(*terms)], [Slice(*terms), Slice(0, columns)]
    a = _view(builder, op.A, left[::-1] if is_left_turned else left)
    b = _view(builder, op.B, right[::-1] if is_right_turned else right)
    c = _view(builder, op.C, [Slice(*rows), Slice(0, columns)])
    transpose = op.transpose_a
    if copy is not None:
        pack_left(builder, a, copy, is_left_turned)
        a, transpose = copy, "n"
    factors = {"transpose_a": transpose, "transpose_b": op.transpose_b, "alpha": op.alpha, "beta": beta}
    builder.add(Gemm(op.location, A=a, B=b, C=c, **factors))


def _view(builder: Builder, tensor: Value, slices: list[Slice]) -> Value:
    if tuple(piece.size for piece in slices) == tensor.type.shape:
        return tensor
    return builder.add(Subview(builder.location, None, tensor=tensor, slices=slices)).results[0]
