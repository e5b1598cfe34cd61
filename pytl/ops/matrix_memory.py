"""Matrices of a sub-group in memory, where the manual has no instruction.

The Tiny Tensor Compiler has these from its release 0.4 on, under the words behind `v04.`.
"""

from __future__ import annotations

from ..ir.registry import instruction
from .coopmatrix import CooperativeMatrixStore


@instruction
class CooperativeMatrixStoreTransposed(CooperativeMatrixStore):
    """Stores a matrix of the sub-group transposed: component (i, j) is element (x + j, y + i) of the memref.

    The checks are of rows and columns of the matrix. The position is the same for all work-items of the sub-group.
    """

    mnemonic = "v04.cooperative_matrix_store.t"
    transpose = "t"
