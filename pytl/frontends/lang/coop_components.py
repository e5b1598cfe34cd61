"""The components that a work-item holds of a matrix of its sub-group, for `coop`."""

from __future__ import annotations

from typing import Any

from ...ops import CooperativeMatrixExtract, CooperativeMatrixInsert
from .function import Call, build_operation, function_of
from .matrices import matrix_argument
from .scalars import Number, Tensor, V


def _build(call: Call) -> Any:
    matrix_argument(call, "matrix")
    return build_operation(call)


@function_of(CooperativeMatrixExtract, build=_build, name="coop.extract")
def extract(matrix: Tensor, index: int) -> Any:
    """A component that the work-item holds of a matrix of the sub-group; 0 where the matrix has no such row.

    In a sub-group of S work-items, work-item l holds the rows l, l + S, l + 2 S … one after the other: of a matrix of Y
    columns, component `index`, a Python integer, is that of row `l + index // Y * S` and column `index % Y`. All
    work-items of the sub-group come to it together. Allowed in SPMD regions.

    >>> from pytl import Memref, coop, f32, parallel
    >>> from pytl.frontends.python import trace
    >>> def f(A: Memref[f32, 16, 4]):
    ...     with parallel():
    ...         x = coop.extract(coop.load(A, 0, 0, (16, 4), "matrix_acc"), 3)
    >>> print(str(trace(f)).splitlines()[5].strip())
    %x = v04.cooperative_matrix_extract %2[3] : f32
    """


@function_of(CooperativeMatrixInsert, build=_build, name="coop.insert")
def insert(scalar: Number, matrix: V, index: int) -> V:
    """A matrix of the sub-group in which each work-item has replaced a component that it holds by a number of its own.

    `index` names the component as that of `coop.extract` does. Work-items that hold no such row replace nothing. All
    work-items of the sub-group come to it together. Allowed in SPMD regions.

    >>> from pytl import Memref, coop, f32, parallel, subgroup
    >>> from pytl.frontends.python import trace
    >>> def f():
    ...     with parallel():
    ...         m = coop.full(f32, 0.0, (16, 4), "matrix_acc")
    ...         m = coop.insert(f32(subgroup.local_id()), m, 0)
    >>> print(str(trace(f)).splitlines()[5].strip())
    %m_1 = v04.cooperative_matrix_insert %1, %m[0] : coopmatrix<f32x16x4,matrix_acc>
    """
