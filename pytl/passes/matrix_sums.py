"""How the sums of rows or columns of a matrix, `gemv` among them, read the matrix; and which products are such sums.

From memory, they read it in its order, one column after the other: the processor's own prefetcher follows few streams,
and loses parts of several columns. From a cache, tiles of rows and several columns at the same time load less beside
the matrix.
"""

from __future__ import annotations

from typing import Any

from ..ir.operation import Operation
from ..ir.types import compute_type
from ..ir.values import Value
from ..ops import Gemm, Gemv, Subview, Sum
from ..ops.updates import TRANSPOSES
from ..ops.views import Slice
from .targets.cpu_attributes import COLUMNS, IN_ORDER, MOST, SLICE, VECTORS, lies_in_local_memory
from .targets.machine import Machine
from .targets.vector_forms import has_vector_code, sums_rows

SPARE_REGISTERS = 4
"""Vector registers that sums of rows leave to what is added to them."""


def order_of_sums(op: Gemv | Sum, lanes: int, machine: Machine, exceeds_cache: bool | None) -> dict[str, Any]:
    """What `cpu-schedule` decides about a kernel that sums the rows or the columns of a matrix, in vectors of so many
    lanes, where it is known whether a launch's data exceed a cache.
    """
    matrix, element = op.A.type, op.updated.type.element
    if exceeds_cache is None:
        cached = machine.prefetches.cache // 4  # of a launch of few work-groups
        exceeds_cache = not matrix.has_static_shape or matrix.count * matrix.element.size > cached
    vectors = -(-matrix.shape[0] // lanes) if isinstance(matrix.shape[0], int) else None
    if not sums_rows(op):
        are_short = vectors is None or vectors <= machine.loops.sums
        return {} if not exceeds_cache else {IN_ORDER: True} if are_short else {IN_ORDER: True, COLUMNS: 1}
    computed = compute_type(element)
    registers = -(-lanes * computed.size // machine.register_bytes)
    if vectors is not None and vectors * registers <= machine.registers - SPARE_REGISTERS:
        return {VECTORS: max(vectors, 1)}
    of_tile = machine.loops.sums * lanes * computed.size
    tiles = min(max(machine.caches.first_level // (2 * of_tile), 1), MOST)
    return {SLICE: tiles} if exceeds_cache and element == computed else {}


def with_vector(op: Gemm, machine: Machine) -> list[Operation]:
    """A product by a matrix of one column or one row as a `gemv` and the views that it takes; nothing for others.

    Register tiles would read several columns of the matrix at the same time, copy it where it is transposed, or have a
    single row. Products of a chain stay as they are, whose results are in registers.
    """
    rows, columns = op.C.type.shape
    if op.atomic or 1 not in (rows, columns) or any(map(lies_in_local_memory, (op.A, op.C))):
        return []
    if columns == 1:
        matrix, is_transposed, vector = op.A, TRANSPOSES[op.transpose_a], _line(op.B, TRANSPOSES[op.transpose_b])
    else:
        matrix, is_transposed, vector = (
            op.B,
            not TRANSPOSES[op.transpose_b],
            _line(op.A, not TRANSPOSES[op.transpose_a]),
        )
    is_small = (
        matrix.type.has_static_shape and matrix.type.count * matrix.type.element.size <= machine.caches.first_level // 4
    )
    if not is_transposed and is_small:
        return []
    result = _line(op.C, columns != 1)
    transpose = "t" if is_transposed else "n"
    of_vector = Gemv(
        op.location, transpose=transpose, alpha=op.alpha, A=matrix, b=vector.result, beta=op.beta, c=result.result
    )
    return [vector, result, of_vector] if has_vector_code(of_vector) else []


def _line(matrix: Value, is_row: bool) -> Subview:
    """A view of the only row of a matrix, or of its only column."""
    extents = matrix.type.shape
    slices = [Slice(0), Slice(0, extents[1])] if is_row else [Slice(0, extents[0]), Slice(0)]
    return Subview(matrix.location, None, tensor=matrix, slices=slices)
