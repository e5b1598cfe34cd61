"""Collective instructions, as a kernel body calls them: the work-group does them together."""

from __future__ import annotations

from typing import Any

from ..ops import Axpby, Foreach, Gemm, Parallel
from .function import function_of


@function_of(Gemm)
def gemm(alpha: Any, A: Any, B: Any, beta: Any, C: Any, atomic: bool = False) -> None:
    """`C := alpha A B + beta C`, for matrices; pass `A.T` or `B.T` for a transposed factor.

    Columns of A are rows of B, C has the rows of A and the columns of B; a static size never matches a
    dynamic one. alpha's type is promotable to the product's, and that to C's. Where beta is 0, C is not read.
    `atomic` updates C atomically; beta is then 0 or 1. Stands in a collective region. Manual: GEMM.

    >>> from pytl import Memref, f32, gemm
    >>> from pytl.frontends.python import trace
    >>> def f(A: Memref[f32, 16, 8], B: Memref[f32, 4, 8], C: Memref[f32, 16, 4]):
    ...     gemm(1.0, A, B.T, 0.0, C)
    >>> print(str(trace(f)).splitlines()[-2].strip())
    gemm.n.t %0, %A, %B, %1, %C
    """


@function_of(Axpby)
def axpby(alpha: Any, A: Any, beta: Any, B: Any, atomic: bool = False) -> None:
    """`B := alpha A + beta B`, for single numbers, vectors and matrices; `A.T` is the transposed matrix.

    A and B have the same shape; alpha's type is promotable to A's, and that to B's. Where beta is 0, B is not
    read. `atomic` updates B atomically; beta is then 0 or 1. Stands in a collective region. Manual: Axpby.

    >>> from pytl import Memref, axpby, f32
    >>> from pytl.frontends.python import trace
    >>> def f(A: Memref[f32, 16, 8], B: Memref[f32, 8, 16]):
    ...     axpby(1.0, A.T, 1.0, B, atomic=True)
    >>> print(str(trace(f)).splitlines()[-2].strip())
    axpby.t.atomic %0, %A, %1, %B
    """


@function_of(Foreach, statement="for i, j in foreach((0, 0), (m, n)):")
def foreach(start: Any, stop: Any = None, /) -> Any:
    """Executes the body for every point of a range, in any order, spread over the work-items.

    `for i, j in foreach((0, 0), (m, n)):` runs over i in [0, m) and j in [0, n); `for i in foreach(m):`
    begins at 0. The body is an SPMD region: it has no collective instruction, and what it computes it stores
    in memory. Manual: Foreach.

    >>> from pytl import Memref, f32, foreach
    >>> from pytl.frontends.python import trace
    >>> def f(A: Memref[f32, 16, 8]):
    ...     for i, j in foreach((0, 0), (16, 8)):
    ...         A[i, j] *= 2.0
    >>> print(str(trace(f)).splitlines()[5].strip())
    foreach (%i, %j) = (%0, %1), (%2, %3) {
    """


@function_of(Parallel, statement="with parallel():")
def parallel() -> Any:
    """`with parallel():` executes its body by every work-item of the work-group.

    The body is an SPMD region: it has no collective instruction, and what it computes it stores in memory.
    Manual: Parallel.

    >>> from pytl import barrier, parallel
    >>> from pytl.frontends.python import trace
    >>> def f():
    ...     with parallel():
    ...         barrier("local")
    >>> print(trace(f))
    func @f() {
      parallel {
        barrier.local
      }
    }
    """
