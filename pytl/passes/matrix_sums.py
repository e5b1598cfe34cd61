"""How the sums of rows or columns of a matrix, `gemv` among them, read the matrix; and which products are such sums.

From memory, they read it in its order, one column after the other: the processor's own prefetcher follows few streams,
and loses parts of several columns. From a cache, tiles of rows and several columns at the same time load less beside
the matrix.
"""

from __future__ import annotations

from typing import Any

from ..ir.operation import Operation
from ..ir.types import compute_type, f32, f64
from ..ir.values import Value
from ..ops import Gemm, Gemv, Subview
from ..ops.updates import TRANSPOSES
from ..ops.views import Slice
from .targets import cpu
from .targets.cpu_attributes import (
    COLUMNS,
    IN_ORDER,
    LANES,
    MOST,
    PATTERNS,
    SHORT_ROWS,
    SLICE,
    VECTORS,
    lies_in_local_memory,
)
from .targets.machine import Machine
from .targets.vector_forms import has_vector_code, pairs_for, sums_rows
from .tiles import lanes_for

SPARE_REGISTERS = 4
"""Vector registers that sums of rows leave to what is added to them."""
MOST_VECTORS = 4
"""The most vectors that a matrix is multiplied by while it is read once."""
FEW_VECTORS = 2
"""The most of them which are worth it for any matrix."""
SHORT_COLUMN = 64 * 64
"""Bytes of a column from memory times those of a register, up to which several columns are added up together: the
shorter registers are, the more instructions a column's own sum takes beside its loads. Of longer columns compilers load
one vector of each in turn, which is not the order of memory.
"""


def order_of_sums(kernel: cpu.Kernel, machine: Machine, exceeds_cache: bool | None) -> dict[str, Any]:
    """What `cpu-schedule` decides about a kernel that sums the rows or the columns of a matrix.

    It may be known whether the data of the launch exceed a cache.
    """
    op: Any = kernel.body.operations[0]
    matrix, element, lanes = op.A.type, op.updated.type.element, kernel.attributes[LANES]
    if exceeds_cache is None:
        cached = machine.prefetches.cache // 4  # of a launch of few work-groups
        exceeds_cache = not matrix.has_static_shape or matrix.count * matrix.element.size > cached
    vectors = -(-matrix.shape[0] // lanes) if isinstance(matrix.shape[0], int) else None
    most = machine.loops.sums
    if not sums_rows(op):
        columns = max(most // len(kernel.body.operations), 1)
        if not exceeds_cache:
            return {COLUMNS: columns}
        short = SHORT_COLUMN // (machine.register_bytes * matrix.element.size)
        if vectors is None:
            return {COLUMNS: columns, IN_ORDER: True, SHORT_ROWS: max(short, 1)}
        return {COLUMNS: columns if vectors * lanes <= short else 1, IN_ORDER: True}
    computed = compute_type(element)
    registers = -(-lanes * computed.size // machine.register_bytes)
    if vectors is not None and vectors * registers <= machine.registers - SPARE_REGISTERS:
        return {VECTORS: max(vectors, 1)}
    # from the second-level cache, where there are rows for it: longer columns are worth more than nearer sums
    tiles = machine.caches.second_level // (4 * most * lanes * computed.size)
    return {SLICE: min(max(tiles, 1), MOST)} if exceeds_cache and element == computed else {}


def order_of_product(kernel: cpu.Kernel, machine: Machine) -> dict[str, Any] | None:
    """What `cpu-schedule` decides about a product by few columns that reads its left factor once, in order of memory.

    Sums are all in registers, or all in the result. None where neither is possible, or faster.
    """
    op, *others = kernel.body.operations
    if others or not isinstance(op, Gemm) or TRANSPOSES[op.transpose_a] or PATTERNS in kernel.attributes:
        return None
    tensors = (op.A, op.B, op.C)
    if not all(tensor.type.has_static_shape for tensor in tensors) or any(map(lies_in_local_memory, tensors)):
        return None
    a, c = op.A.type, op.C.type
    rows, columns = c.shape
    if not a.strides[0] == c.strides[0] == 1 or columns > MOST_VECTORS or c.element not in (f32, f64):
        return None
    lanes = kernel.attributes.get(LANES) or lanes_for(machine, c.element, rows)
    vectors, most = -(-rows // lanes), max(machine.loops.sums // columns, 1)
    # the second half of the columns reads what the first one has brought into the cache
    is_cached = a.count * a.element.size <= machine.caches.second_level // 2
    for block in (columns, -(-columns // 2)) if is_cached else (columns,):
        if vectors * block + block + SPARE_REGISTERS // 2 <= machine.registers:
            return {VECTORS: max(vectors, 1), COLUMNS: block}
    # each vector that is loaded takes as many loads and stores of the result as there are columns
    if columns == MOST_VECTORS or c.count * c.element.size > machine.caches.first_level // 2:
        return None
    return {VECTORS: most, COLUMNS: columns, SLICE: min(-(-vectors // most), MOST)}


def by_vectors(op: Gemm, machine: Machine) -> tuple[list[Operation], list[Gemv]]:
    """A product by a matrix of few columns, or of one row, as a `gemv` for each, behind its views; else nothing.

    Register tiles would read several columns of the matrix at the same time, copy it where it is transposed, or have a
    single row. Products of a chain stay as they are, whose results are in registers.
    """
    rows, columns = op.C.type.shape
    pairs = pairs_for(op)
    stays = op.atomic or any(map(lies_in_local_memory, (op.A, op.C))) or (pairs and machine.multiplies_pairs(pairs))
    if stays or not all(tensor.type.has_static_shape for tensor in (op.A, op.B, op.C)):
        return [], []
    is_left = rows != 1
    count, matrix = (columns, op.A) if is_left else (1, op.B)
    is_transposed = TRANSPOSES[op.transpose_a] if is_left else not TRANSPOSES[op.transpose_b]
    is_small = matrix.type.count * matrix.type.element.size <= machine.caches.first_level // 4
    most = (FEW_VECTORS if is_small else MOST_VECTORS) if is_transposed else (0 if is_small else 1)
    if not 1 <= count <= most:
        return [], []
    views: list[Operation] = []

    def line(whole: Value, is_row: bool, number: int) -> Value:
        extents = whole.type.shape
        slices = [Slice(number), Slice(0, extents[1])] if is_row else [Slice(0, extents[0]), Slice(number)]
        views.append(Subview(op.location, None, tensor=whole, slices=slices))
        return views[-1].results[0]

    factor, is_row = (op.B, TRANSPOSES[op.transpose_b]) if is_left else (op.A, not TRANSPOSES[op.transpose_a])
    common = {"transpose": "t" if is_transposed else "n", "alpha": op.alpha, "A": matrix, "beta": op.beta}
    products = [
        Gemv(op.location, b=line(factor, is_row, n), c=line(op.C, not is_left, n), **common) for n in range(count)
    ]
    return (views, products) if all(map(has_vector_code, products)) else ([], [])
