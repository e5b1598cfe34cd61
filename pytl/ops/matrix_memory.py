"""Matrices of a sub-group in memory, where the manual has no instruction.

The Tiny Tensor Compiler has these from its release 0.4 on, under the words behind `v04.`.
"""

from __future__ import annotations

from typing import Any, TypeVar

from ..ir.constraints import COOPMATRIX
from ..ir.fields import Modifier, Result
from ..ir.operation import Operation
from ..ir.registry import instruction
from .atomics import DEFAULT_ORDER, DEFAULT_SCOPE, ORDERS, SCOPES, load_order, store_order
from .coopmatrix import CooperativeMatrixLoad, CooperativeMatrixStore
from .result_types import order_of_numbers_check, result_type_check
from .updates import TRANSPOSE

Cls = TypeVar("Cls", bound=type[Operation])


@instruction
class CooperativeMatrixStoreTransposed(CooperativeMatrixStore):
    """Stores a matrix of the sub-group transposed: component (i, j) is element (x + j, y + i) of the memref.

    The checks are of rows and columns of the matrix. The position is the same for all work-items of the sub-group.
    """

    mnemonic = "v04.cooperative_matrix_store.t"
    transpose = "t"


def _transposed_first(cls: Cls) -> Cls:
    """Write the transpose modifier in front of those that a class inherits."""
    cls.parts = {name: cls.parts[name] for name in ("transpose", *cls.parts)}
    return cls


@_transposed_first
@instruction
class CooperativeMatrixAtomicLoad(CooperativeMatrixLoad):
    """Loads a matrix of the sub-group as `cooperative_matrix_load` does, each component atomically.

    The parts of a complex number may be loaded one after the other.
    """

    mnemonic = "v04.cooperative_matrix_atomic_load"
    section = "Cooperative matrix atomic load"
    transpose: Any = Modifier(TRANSPOSE, default="n")
    scope: Any = Modifier(SCOPES, default=DEFAULT_SCOPE)
    order: Any = Modifier(ORDERS, default=DEFAULT_ORDER)
    rules = (*CooperativeMatrixLoad.rules, load_order)


@_transposed_first
@instruction
class CooperativeMatrixAtomicStore(CooperativeMatrixStore):
    """Stores a matrix of the sub-group, each component atomically.

    With `.t`, component (i, j) is element (x + j, y + i). The parts of a complex number may be stored one after the
    other.
    """

    mnemonic = "v04.cooperative_matrix_atomic_store"
    section = "Cooperative matrix atomic store"
    flag = "atomic"
    transpose: Any = Modifier(TRANSPOSE, default="n")
    scope: Any = Modifier(SCOPES, default=DEFAULT_SCOPE)
    order: Any = Modifier(ORDERS, default=DEFAULT_ORDER)
    rules = (*CooperativeMatrixStore.rules, store_order)


UPDATE = "Cooperative matrix atomic update"
update_type = result_type_check("PYTL-0729", UPDATE, "the result has the type of the matrix", "A", "matrix")
has_order = order_of_numbers_check("PYTL-0730", UPDATE, "A", "add, or keep real numbers")


class CooperativeMatrixAtomicUpdate(CooperativeMatrixStore):
    """What elements are combined with, each atomically; the result has the elements before, as a matrix.

    Where a check fails, nothing is updated, and the component of the result is 0. With `.t`, component (i, j) is
    element (x + j, y + i). The parts of a complex number may be updated one after the other.
    """

    combines: str = ""
    """The arithmetic that combines an element with a component."""
    transpose: Any = Modifier(TRANSPOSE, default="n")
    scope: Any = Modifier(SCOPES, default=DEFAULT_SCOPE)
    order: Any = Modifier(ORDERS, default=DEFAULT_ORDER)
    result: Any = Result(COOPMATRIX, like="A")
    assembly = f"{CooperativeMatrixStore.assembly} ` : ` $result"
    reads = ("M",)


@_transposed_first
@instruction
class CooperativeMatrixAtomicAdd(CooperativeMatrixAtomicUpdate):
    """Adds a matrix of the sub-group to elements, each atomically; the result has the elements before.

    Where a check fails, nothing is added, and the component of the result is 0. With `.t`, component (i, j) is element
    (x + j, y + i).
    """

    mnemonic = "v04.cooperative_matrix_atomic_add"
    section = UPDATE
    combines = "add"
    flag = "atomic_add"
    rules = (*CooperativeMatrixStore.rules, update_type)


@_transposed_first
@instruction
class CooperativeMatrixAtomicMin(CooperativeMatrixAtomicUpdate):
    """Sets elements to the minimum of themselves and a matrix, each atomically; the result has the elements before."""

    mnemonic = "v04.cooperative_matrix_atomic_min"
    section = UPDATE
    combines = "min"
    flag = "atomic_min"
    rules = (*CooperativeMatrixStore.rules, update_type, has_order)


@_transposed_first
@instruction
class CooperativeMatrixAtomicMax(CooperativeMatrixAtomicUpdate):
    """Sets elements to the maximum of themselves and a matrix, each atomically; the result has the elements before."""

    mnemonic = "v04.cooperative_matrix_atomic_max"
    section = UPDATE
    combines = "max"
    flag = "atomic_max"
    rules = (*CooperativeMatrixStore.rules, update_type, has_order)


MATRIX_ACCESSES = (
    CooperativeMatrixAtomicLoad,
    CooperativeMatrixAtomicStore,
    CooperativeMatrixAtomicAdd,
    CooperativeMatrixAtomicMin,
    CooperativeMatrixAtomicMax,
)
"""All of the atomic ones."""
