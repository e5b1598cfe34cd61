"""Collective instructions, as a kernel body calls them: the work-items of a work-group execute them together."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import Any

from ...ops import Axpby, Cumsum, Foreach, ForeachTile, Gemm, Gemv, Ger, Hadamard, Parallel, Sum
from .function import function_of
from .scalars import Bounds, Number, Tensor


@function_of(Gemm)
def gemm(
    alpha: Number, A: Tensor, B: Tensor, beta: Number, C: Tensor, atomic: bool = False, any_beta: bool = False
) -> None:
    """`C := alpha A B + beta C`, for matrices; pass `A.T` or `B.T` for a transposed factor.

    Columns of A are rows of B, C has the rows of A and the columns of B; a static size never matches a
    dynamic one. alpha's type is promotable to the product's, and that to C's. Where beta is 0, C is not read.
    `atomic` updates C atomically; beta is then 0 or 1, or any number with `any_beta`. Allowed in collective regions.
    Manual: GEMM.

    >>> from pytl import Memref, f32, gemm
    >>> from pytl.frontends.python import trace
    >>> def f(A: Memref[f32, 16, 8], B: Memref[f32, 4, 8], C: Memref[f32, 16, 4]):
    ...     gemm(1.0, A, B.T, 0.0, C)
    >>> print(str(trace(f)).splitlines()[-2].strip())
    gemm.n.t %0, %A, %B, %1, %C
    """


@function_of(Gemv)
def gemv(
    alpha: Number, A: Tensor, b: Tensor, beta: Number, c: Tensor, atomic: bool = False, any_beta: bool = False
) -> None:
    """`c := alpha A b + beta c`, for a matrix and vectors; pass `A.T` for the transposed matrix.

    b has the columns of A, c its rows; a static size never matches a dynamic one. alpha's type is promotable to
    the product's, and that to c's. Where beta is 0, c is not read. `atomic` updates c atomically; beta is then 0
    or 1, or any number with `any_beta`. Allowed in collective regions. Manual: GEMV.

    >>> from pytl import Memref, f32, gemv
    >>> from pytl.frontends.python import trace
    >>> def f(A: Memref[f32, 16, 8], b: Memref[f32, 16], c: Memref[f32, 8]):
    ...     gemv(1.0, A.T, b, 0.0, c)
    >>> print(str(trace(f)).splitlines()[-2].strip())
    gemv.t %0, %A, %b, %1, %c
    """


@function_of(Ger)
def ger(
    alpha: Number, a: Tensor, b: Tensor, beta: Number, C: Tensor, atomic: bool = False, any_beta: bool = False
) -> None:
    """`C := alpha a bᵀ + beta C`, the rank-1 update of a matrix by two vectors.

    C has the rows of a, and as many columns as b has rows; a static size never matches a dynamic one. alpha's
    type is promotable to the product's, and that to C's. Where beta is 0, C is not read. `atomic` updates C
    atomically; beta is then 0 or 1, or any number with `any_beta`. Allowed in collective regions. Manual: GER.

    >>> from pytl import Memref, f32, ger
    >>> from pytl.frontends.python import trace
    >>> def f(a: Memref[f32, 16], b: Memref[f32, 8], C: Memref[f32, 16, 8]):
    ...     ger(-1.0, a, b, 1.0, C)
    >>> print(str(trace(f)).splitlines()[-2].strip())
    ger %0, %a, %b, %1, %C
    """


@function_of(Hadamard)
def hadamard(
    alpha: Number, A: Tensor, B: Tensor, beta: Number, C: Tensor, atomic: bool = False, any_beta: bool = False
) -> None:
    """`C := alpha A ∘ B + beta C`, element by element, for vectors and matrices of one shape.

    A static size never matches a dynamic one. alpha's type is promotable to the product's, and that to C's.
    Where beta is 0, C is not read. `atomic` updates C atomically; beta is then 0 or 1, or any number with
    `any_beta`. Allowed in collective regions. Manual: Hadamard product.

    >>> from pytl import Memref, f32, hadamard
    >>> from pytl.frontends.python import trace
    >>> def f(A: Memref[f32, 16], B: Memref[f32, 16], C: Memref[f32, 16]):
    ...     hadamard(1.0, A, B, 0.0, C)
    >>> print(str(trace(f)).splitlines()[-2].strip())
    hadamard %0, %A, %B, %1, %C
    """


@function_of(Axpby)
def axpby(alpha: Number, A: Tensor, beta: Number, B: Tensor, atomic: bool = False, any_beta: bool = False) -> None:
    """`B := alpha A + beta B`, for single numbers, vectors and matrices; `A.T` is the transposed matrix.

    A and B have the same shape; alpha's type is promotable to A's, and that to B's. Where beta is 0, B is not
    read. `atomic` updates B atomically; beta is then 0 or 1, or any number with `any_beta`, as in texts of the
    release 0.3: each element is exchanged for what is computed of it. Of a complex number, each part is. Allowed in
    collective regions. Manual: Axpby.

    >>> from pytl import Memref, axpby, f32
    >>> from pytl.frontends.python import trace
    >>> def f(A: Memref[f32, 16, 8], B: Memref[f32, 8, 16]):
    ...     axpby(1.0, A.T, 1.0, B, atomic=True)
    ...     axpby(1.0, A.T, 0.5, B, atomic=True, any_beta=True)
    >>> print(str(trace(f)).splitlines()[-2].strip())
    axpby.t.atomic.v03 %2, %A, %3, %B
    """


@function_of(Sum)
def sum(alpha: Number, A: Tensor, beta: Number, b: Tensor, atomic: bool = False, any_beta: bool = False) -> None:
    """`b := alpha A 1 + beta b`: the sums of a matrix's rows (of its columns: `A.T`), or the sum of a vector.

    b is a vector with the rows of A, or a single number where A is a vector. alpha's type is promotable to A's,
    and that to b's. Where beta is 0, b is not read. `atomic` updates b atomically; beta is then 0 or 1, or any
    number with `any_beta`. Allowed in collective regions. Python's own `sum` is another function: write `pytl.sum`.
    Manual: Sum.

    >>> import pytl
    >>> from pytl import Memref, f32
    >>> from pytl.frontends.python import trace
    >>> def f(A: Memref[f32, 16, 8], b: Memref[f32, 8]):
    ...     pytl.sum(1.0, A.T, 0.0, b)
    >>> print(str(trace(f)).splitlines()[-2].strip())
    sum.t %0, %A, %1, %b
    """


@function_of(Cumsum)
def cumsum(
    alpha: Number, A: Tensor, mode: int, beta: Number, B: Tensor, atomic: bool = False, any_beta: bool = False
) -> None:
    """`B := alpha cumsum(A) + beta B`: along the mode, each element is the sum of those up to it.

    A and B have the same shape, of any number of modes from one on; `mode` is a Python integer, counted from 0.
    alpha's type is promotable to A's, and that to B's. Where beta is 0, B is not read. `atomic` updates B
    atomically; beta is then 0 or 1, or any number with `any_beta`. Allowed in collective regions. Manual: Cumulative
    sum.

    >>> from pytl import Memref, cumsum, f32
    >>> from pytl.frontends.python import trace
    >>> def f(A: Memref[f32, 16, 8], B: Memref[f32, 16, 8]):
    ...     cumsum(1.0, A, 1, 0.0, B)
    >>> print(str(trace(f)).splitlines()[-2].strip())
    cumsum %0, %A, 1, %1, %B
    """


@function_of(Foreach, statement="for i, j in foreach((0, 0), (m, n)):")
def foreach(start: Bounds, stop: Bounds | None = None, /) -> Iterator[Any]:
    """Executes the body for every point of a range, in any order, distributed over the work-items.

    `for i, j in foreach((0, 0), (m, n)):` runs over i in [0, m) and j in [0, n); `for i in foreach(m):`
    begins at 0. The body is an SPMD region: it has no collective instruction, and its results are stored
    in memory. Manual: Foreach.

    >>> from pytl import Memref, f32, foreach
    >>> from pytl.frontends.python import trace
    >>> def f(A: Memref[f32, 16, 8]):
    ...     for i, j in foreach((0, 0), (16, 8)):
    ...         A[i, j] *= 2.0
    >>> print(str(trace(f)).splitlines()[5].strip())
    foreach (%i, %j) = (%0, %1), (%2, %3) {
    """


@function_of(ForeachTile, statement="for (i, j), (p, q) in foreach_tile((0, 0), (m, n), (32, 16)):")
def foreach_tile(start: Bounds, stop: Bounds, size: Any = None, /) -> Iterator[Any]:
    """Executes the body for every tile of a range, in any order, each by one sub-group.

    `for (i, j), (p, q) in foreach_tile((0, 0), (m, n), (32, 16)):` cuts [0, m) × [0, n) into tiles of 32×16. The tile
    begins at i, j, and has p rows and q columns, which are fewer at the end of the range. `for i, p in foreach_tile(m,
    32):` is a range of one mode that begins at 0. Sizes are Python integers. The work-items of a sub-group execute the
    body together, as that of `parallel`: it may load and store matrices, and has no barriers.

    >>> from pytl import Memref, coop, f32, foreach_tile
    >>> from pytl.frontends.python import trace
    >>> def f(A: Memref[f32, ..., ...]):
    ...     for (i, j), (p, q) in foreach_tile((0, 0), A.shape, (16, 8)):
    ...         a = coop.load(A, i, j, (16, 8), "matrix_acc", checked="both")
    ...         coop.store(2.0 * a, A, i, j, checked="both")
    >>> print(str(trace(f)).splitlines()[5].strip())
    v04.foreach_tile (%i, %j) = (%2, %3), (%0, %1) as (%p, %q) <= (16, 8) {
    """


@function_of(Parallel, statement="with parallel():")
def parallel() -> AbstractContextManager[None]:
    """`with parallel():` executes its body in every work-item of the work-group.

    The body is an SPMD region: it has no collective instruction, and its results are stored in memory.
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
