"""Atomic accesses of matrices of a sub-group in memory, with scope and memory order, for `coop`."""

from __future__ import annotations

from typing import Any

from ...ir.types import MatrixUse
from ...ops import (
    CooperativeMatrixAtomicAdd,
    CooperativeMatrixAtomicLoad,
    CooperativeMatrixAtomicMax,
    CooperativeMatrixAtomicMin,
    CooperativeMatrixAtomicStore,
)
from .atomic import Order, Scope, scope_and_order
from .function import Call, function_of, taking_what
from .matrices import (
    Checked,
    access_arguments,
    check_components,
    matrix_argument,
    matrix_type,
    position_argument,
)
from .scalars import Bound, Tensor, V


def _modifiers(call: Call) -> dict[str, Any]:
    return {**access_arguments(call), **scope_and_order(call)}


def _build_load(call: Call) -> Any:
    position = position_argument(call)
    type_ = matrix_type(call, position["M"].type.element)
    return call.emit(CooperativeMatrixAtomicLoad, [type_], **_modifiers(call), **position).result


def _build_update(call: Call) -> Any:
    matrix, position = matrix_argument(call, "A"), position_argument(call)
    check_components(call, matrix, position["M"])
    results = call.emit(call.function.operation, A=matrix, **_modifiers(call), **position).results
    return results[0] if results else None


@function_of(CooperativeMatrixAtomicLoad, build=_build_load, name="coop.atomic_load")
def atomic_load(
    M: V,
    x: Bound,
    y: Bound,
    shape: tuple[int, int],
    use: MatrixUse,
    transpose: bool = False,
    checked: Checked | None = None,
    scope: Scope | None = None,
    order: Order | None = None,
) -> V:
    """A matrix of the sub-group from a memref of two modes as `load` gives it, each component loaded atomically.

    `scope` is for whom each access is atomic,
    "device" where it is left out: "cross_device", "device", "work_group" or "subgroup"; `order` how other accesses are
    ordered around it, "relaxed", which is the default, "acquire" or "sequentially_consistent". Allowed in SPMD
    regions.

    >>> from pytl import Memref, coop, f32, parallel
    >>> from pytl.frontends.python import trace
    >>> def f(A: Memref[f32, 8, 8]):
    ...     with parallel():
    ...         a = coop.atomic_load(A, 0, 0, (8, 8), "matrix_acc", order="acquire")
    >>> print(str(trace(f)).splitlines()[4].strip())
    %a = v04.cooperative_matrix_atomic_load.device.acquire %A[%0, %1] : coopmatrix<f32x8x8,matrix_acc>
    """


@function_of(CooperativeMatrixAtomicStore, build=_build_update, name="coop.atomic_store")
def atomic_store(
    A: Tensor,
    M: Tensor,
    x: Bound,
    y: Bound,
    checked: Checked | None = None,
    transpose: bool = False,
    scope: Scope | None = None,
    order: Order | None = None,
) -> None:
    """Stores a matrix of the sub-group in a memref of two modes as `store` does, each component atomically.

    `scope` is for whom each access is atomic,
    "device" where it is left out: "cross_device", "device", "work_group" or "subgroup"; `order` how other accesses are
    ordered around it, "relaxed", which is the default, "release" or "sequentially_consistent". Allowed in SPMD
    regions.

    >>> from pytl import Memref, coop, f32, parallel
    >>> from pytl.frontends.python import trace
    >>> def f(A: Memref[f32, 8, 8]):
    ...     with parallel():
    ...         coop.atomic_store(coop.full(f32, 1.0, (8, 8), "matrix_acc"), A, 0, 0, scope="work_group")
    >>> print(str(trace(f)).splitlines()[5].strip())
    v04.cooperative_matrix_atomic_store %0, %A[%1, %2]
    """


@function_of(CooperativeMatrixAtomicAdd, build=_build_update, name="coop.atomic_add")
def atomic_add(
    A: V,
    M: Tensor,
    x: Bound,
    y: Bound,
    checked: Checked | None = None,
    transpose: bool = False,
    scope: Scope | None = None,
    order: Order | None = None,
) -> V:
    """Adds a matrix of the sub-group to elements of a memref of two modes, each atomically; gives the elements before.

    The components have the element type of M, and their first row and column are at `M[x, y]`. `scope` is for whom each
    access is atomic, "device" where it is left out: "cross_device", "device", "work_group" or "subgroup"; `order` how
    other accesses are ordered around it, "relaxed" where it is left out. What lies outside of M where `checked` says so
    ("rows", "cols", "both") is left out, and 0 in the result. With `transpose` component (i, j) is `M[x + j, y + i]`.
    Allowed in SPMD regions.

    >>> from pytl import Memref, coop, f32, parallel
    >>> from pytl.frontends.python import trace
    >>> def f(A: Memref[f32, 8, 8]):
    ...     with parallel():
    ...         before = coop.atomic_add(coop.full(f32, 1.0, (8, 8), "matrix_acc"), A, 0, 0, transpose=True)
    >>> print(str(trace(f)).splitlines()[5].strip())
    %before = v04.cooperative_matrix_atomic_add.t.device %0, %A[%1, %2] : coopmatrix<f32x8x8,matrix_acc>
    """


@function_of(CooperativeMatrixAtomicMin, build=_build_update, name="coop.atomic_min")
@taking_what(atomic_add)
def atomic_min(*arguments: Any, **keywords: Any) -> Any:
    """Sets elements to the minimum of themselves and a matrix, each atomically; gives the elements before.

    Arguments are those of `atomic_add`; the components are not complex. Allowed in SPMD regions.

    >>> from pytl import Memref, coop, f32, parallel
    >>> from pytl.frontends.python import trace
    >>> def f(A: Memref[f32, 8, 8]):
    ...     with parallel():
    ...         before = coop.atomic_min(coop.full(f32, 1.0, (8, 8), "matrix_acc"), A, 0, 0, transpose=True)
    >>> print(str(trace(f)).splitlines()[5].strip())
    %before = v04.cooperative_matrix_atomic_min.t.device %0, %A[%1, %2] : coopmatrix<f32x8x8,matrix_acc>
    """


@function_of(CooperativeMatrixAtomicMax, build=_build_update, name="coop.atomic_max")
@taking_what(atomic_add)
def atomic_max(*arguments: Any, **keywords: Any) -> Any:
    """Sets elements to the maximum of themselves and a matrix, each atomically; gives the elements before.

    Arguments are those of `atomic_add`; the components are not complex. Allowed in SPMD regions.

    >>> from pytl import Memref, coop, f32, parallel
    >>> from pytl.frontends.python import trace
    >>> def f(A: Memref[f32, 8, 8]):
    ...     with parallel():
    ...         before = coop.atomic_max(coop.full(f32, 1.0, (8, 8), "matrix_acc"), A, 0, 0, transpose=True)
    >>> print(str(trace(f)).splitlines()[5].strip())
    %before = v04.cooperative_matrix_atomic_max.t.device %0, %A[%1, %2] : coopmatrix<f32x8x8,matrix_acc>
    """
