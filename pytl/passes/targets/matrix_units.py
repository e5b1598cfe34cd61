"""What the matrix units of GPUs multiply: matrices that a sub-group has in registers, whose products are added to sums.

A product has as many rows as a sub-group has work-items, and some columns. Each work-item has a row of the left factor,
and of the right factor 16 bits of each column.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...ir.operation import Operation
from ...ir.types import ScalarType, bf16, compute_type, f16, f32, i8, i32
from ...ops.coopmatrix import CooperativeMatrixMulAdd

MATRIX_TYPES = "cpu.matrix_types"
"""The attribute of a function, executed by many work-items, with the types whose cooperative matrices are multiplied by
a matrix unit, with a comma between."""
MATRIX_ITEMS = 16
"""How many work-items a sub-group has that multiplies matrices."""
MATRIX_COLUMNS = (2, 4, 8)
"""How many columns such a product may have."""
_MATRIX_SUMS = {f16: f32, bf16: f32, i8: i32}
"""The types of sums, by the type of both factors."""


def matrix_sums(factors: ScalarType) -> ScalarType | None:
    """The type in which a matrix unit sums products of numbers of a type; None where it multiplies no such numbers."""
    return _MATRIX_SUMS.get(factors)


def matrix_share(factors: ScalarType) -> int:
    """How many steps of a product a work-item has of the right factor, which are side by side in 16 bits."""
    return 2 // factors.size


def matrix_steps(factors: ScalarType) -> int:
    """How many steps of the sum a matrix unit does at once.

    >>> matrix_steps(bf16), matrix_steps(i8)
    (16, 32)
    """
    return MATRIX_ITEMS * matrix_share(factors)


def takes_matrices(factors: ScalarType, wide: ScalarType) -> bool:
    """Whether sums in a type are those of a matrix unit, of which integers may be the lower bits."""
    sums = matrix_sums(factors)
    return sums is not None and (wide == sums or (sums.is_integer and wide.is_integer and wide.size < sums.size))


def steps_at_once(op: Operation, lanes: int, matrix_types: Sequence[str]) -> int:
    """How many steps of a product's sum a matrix unit does at once; 0 where there is none for it."""
    if not isinstance(op, CooperativeMatrixMulAdd) or lanes != MATRIX_ITEMS:
        return 0
    a, b, c = (value.type.component for value in (op.A, op.B, op.C))
    return matrix_steps(a) if a == b and str(a) in matrix_types and takes_matrices(a, compute_type(c)) else 0


def matrix_blocks(columns: int) -> Iterator[tuple[range, int]]:
    """The columns of each product that some columns are computed by, and how many columns of zeros are beside them.

    >>> list(matrix_blocks(11))
    [(range(0, 8), 0), (range(8, 10), 0), (range(10, 11), 1)]
    """
    begin = 0
    for count in sorted(MATRIX_COLUMNS, reverse=True):
        while columns - begin >= count:
            yield range(begin, begin + count), 0
            begin += count
    if begin < columns:
        yield range(begin, columns), min(MATRIX_COLUMNS) - (columns - begin)
