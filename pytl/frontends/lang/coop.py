"""Cooperative matrices: matrices that are distributed over the work-items of a sub-group.

Their operators are Python's own: `a + b`, `a - b`, `a * b` and `a / b` work component by component, `x * a` scales
by a number, `-a` negates, and `f32(a)` or `cast(a, f32)` casts every component. `min`, `max`, `%` of real
and `&`, `|`, `^` of integer components do, too; `apply` computes any function of them.
"""

from __future__ import annotations

from typing import Any, Literal, NoReturn, overload

from ...ir.types import CoopMatrixType, MatrixUse, ScalarType, Type
from ...ops import (
    Constant,
    CooperativeMatrixLoad,
    CooperativeMatrixMulAdd,
    CooperativeMatrixPrefetch,
    CooperativeMatrixScale,
    CooperativeMatrixStore,
    CooperativeMatrixStoreTransposed,
)
from .coop_atomics import atomic_add as atomic_add
from .coop_atomics import atomic_load as atomic_load
from .coop_atomics import atomic_max as atomic_max
from .coop_atomics import atomic_min as atomic_min
from .coop_atomics import atomic_store as atomic_store
from .coop_components import extract as extract
from .coop_components import insert as insert
from .coop_functions import apply as apply
from .coop_functions import broadcast as broadcast
from .coop_functions import construct as construct
from .coop_functions import reduce_add as reduce_add
from .coop_functions import reduce_max as reduce_max
from .coop_functions import reduce_min as reduce_min
from .function import Call, build_operation, function_of, one_of, python_integer
from .literals import literal_of
from .matrices import (
    CHECKS,
    Checked,
    access_arguments,
    check_components,
    component_argument,
    matrix_argument,
    matrix_type,
    position_argument,
)
from .scalars import Bound, Number, Tensor, V, W
from .traced import describe, is_number

_FLAGS = {False: "", True: "atomic", "add": "atomic_add"}


def _build_load(call: Call) -> Any:
    position = position_argument(call)
    type_ = matrix_type(call, position["M"].type.element)
    return call.emit(CooperativeMatrixLoad, [type_], **access_arguments(call), **position).result


@function_of(CooperativeMatrixLoad, build=_build_load, name="coop.load")
def load(
    M: V,
    x: Bound,
    y: Bound,
    shape: tuple[int, int],
    use: MatrixUse,
    transpose: bool = False,
    checked: Checked | None = None,
) -> V:
    """A matrix of the sub-group from a memref of two modes, its first row and column at `M[x, y]`.

    `shape` is two Python integers; the components have the element type of M. `use` is "matrix_a" or "matrix_b"
    for a factor of `mul_add`, "matrix_acc" for the summand. With `transpose` component (i, j) is
    `M[x + j, y + i]`. `checked` makes components 0 whose row, column, or either ("rows", "cols", "both") is
    outside of M. M, x and y are the same for all work-items of the sub-group. Allowed in SPMD regions.
    Manual: Cooperative matrix load.

    >>> from pytl import Memref, coop, f32, parallel
    >>> from pytl.frontends.python import trace
    >>> def f(A: Memref[f32, 64, 48]):
    ...     with parallel():
    ...         a = coop.load(A, 8, 0, shape=(8, 16), use="matrix_a", checked="rows")
    >>> print(str(trace(f)).splitlines()[4].strip())
    %a = cooperative_matrix_load.n.rows_checked %A[%0, %1] : coopmatrix<f32x8x16,matrix_a>
    """


def _build_mul_add(call: Call) -> Any:
    A, B, C = (matrix_argument(call, name) for name in ("A", "B", "C"))
    types: list[Type] | None = None
    if call.arguments["component"] is not None:
        types = [CoopMatrixType(component_argument(call), C.type.rows, C.type.columns, C.type.use)]
    return call.emit(CooperativeMatrixMulAdd, types, A=A, B=B, C=C).result


@overload
def mul_add(A: Tensor, B: Tensor, C: V, component: None = None) -> V: ...
@overload
def mul_add(A: Tensor, B: Tensor, C: Tensor, component: type[W]) -> W: ...
@function_of(CooperativeMatrixMulAdd, build=_build_mul_add, name="coop.mul_add")
def mul_add(A: Tensor, B: Tensor, C: Tensor, component: type[Any] | None = None) -> Any:
    """`A B + C`, for matrices of the sub-group of uses matrix_a, matrix_b and matrix_acc.

    Columns of A are rows of B, C has the rows of A and the columns of B. The sum is taken in C's component type,
    which the product's is promotable to, and cast to `component`, C's where it is left out. Allowed in SPMD
    regions. Manual: Cooperative matrix mul add.

    >>> from pytl import Memref, coop, f16, f32, parallel
    >>> from pytl.frontends.python import trace
    >>> def f(A: Memref[f16, 8, 16], B: Memref[f16, 16, 8]):
    ...     with parallel():
    ...         a = coop.load(A, 0, 0, (8, 16), "matrix_a")
    ...         b = coop.load(B, 0, 0, (16, 8), "matrix_b")
    ...         c = coop.full(f32, 0.0, (8, 8), "matrix_acc")
    ...         c = coop.mul_add(a, b, c)
    >>> print(str(trace(f)).splitlines()[-3].strip())
    %c_1 = cooperative_matrix_mul_add %a, %b, %c : coopmatrix<f32x8x8,matrix_acc>
    """


def _build_scale(call: Call) -> Any:
    matrix_argument(call, "matrix")
    return build_operation(call)


@function_of(CooperativeMatrixScale, build=_build_scale, name="coop.scale")
def scale(scalar: Number, matrix: V) -> V:
    """A matrix of the sub-group, every component multiplied by a number of its type; `x * a` is the same.

    Allowed in SPMD regions. Manual: Cooperative matrix scale.

    >>> from pytl import Memref, coop, f32, parallel
    >>> from pytl.frontends.python import trace
    >>> def f(x: f32):
    ...     with parallel():
    ...         a = coop.scale(x, coop.full(f32, 1.0, (8, 8), "matrix_acc"))
    >>> print(str(trace(f)).splitlines()[3].strip())
    %a = cooperative_matrix_scale %x, %0 : coopmatrix<f32x8x8,matrix_acc>
    """


def _build_store(call: Call) -> None:
    matrix, position = matrix_argument(call, "A"), position_argument(call)
    checked = CHECKS[one_of(call, "checked", CHECKS)]
    flag = _FLAGS[one_of(call, "atomic", _FLAGS)]
    check_components(call, matrix, position["M"])
    is_transposed = one_of(call, "transpose", (False, True))
    operation = CooperativeMatrixStoreTransposed if is_transposed else CooperativeMatrixStore
    call.emit(operation, checked=checked, flag=flag, A=matrix, **position)


@function_of(CooperativeMatrixStore, build=_build_store, name="coop.store")
def store(
    A: Tensor,
    M: Tensor,
    x: Bound,
    y: Bound,
    checked: Checked | None = None,
    atomic: bool | Literal["add"] = False,
    transpose: bool = False,
) -> None:
    """Stores a matrix of the sub-group in a memref of two modes, its first row and column at `M[x, y]`.

    The components have the element type of M. With `transpose` component (i, j) is `M[x + j, y + i]`. `checked` leaves
    components out whose row, column, or either ("rows", "cols", "both") is outside of M. `atomic=True` stores
    atomically, `atomic="add"` adds to the elements atomically. A, M, x and y are the same for all work-items of the
    sub-group. Allowed in SPMD regions. Manual: Cooperative matrix store.

    >>> from pytl import Memref, coop, f32, parallel
    >>> from pytl.frontends.python import trace
    >>> def f(A: Memref[f32, 8, 8]):
    ...     with parallel():
    ...         coop.store(coop.full(f32, 1.0, (8, 8), "matrix_acc"), A, 0, 0, atomic="add")
    >>> print(str(trace(f)).splitlines()[5].strip())
    cooperative_matrix_store.atomic_add %0, %A[%1, %2]
    """


def _build_prefetch(call: Call) -> None:
    shape = call.arguments["shape"]
    if not isinstance(shape, tuple) or len(shape) != 2:
        call.fail(f"shape of coop.prefetch is {describe(shape)}, not rows and columns", "write shape=(8, 16)", "shape")
    rows, columns = (python_integer(call, size, "a size of coop.prefetch", "shape") for size in shape)
    level = python_integer(call, call.arguments["level"], "level of coop.prefetch", "level")
    call.emit(CooperativeMatrixPrefetch, level=level, rows=rows, columns=columns, **position_argument(call))


@function_of(CooperativeMatrixPrefetch, build=_build_prefetch, name="coop.prefetch")
def prefetch(M: Tensor, x: Bound, y: Bound, shape: tuple[int, int], level: int = 0) -> None:
    """Asks for a rectangle of a memref of two modes, from `M[x, y]` on, to be brought to the cache.

    `shape` is two Python integers, and level 0 the cache next to the registers. The rectangle may be outside of M in
    part. M, x and y are the same for all work-items of the sub-group. Allowed in SPMD regions.

    >>> from pytl import Memref, coop, f32, parallel
    >>> from pytl.frontends.python import trace
    >>> def f(A: Memref[f32, 64, 64]):
    ...     with parallel():
    ...         coop.prefetch(A, 0, 32, shape=(32, 32))
    ...         coop.store(coop.full(f32, 1.0, (8, 8), "matrix_acc"), A, 0, 0)
    >>> print(str(trace(f)).splitlines()[4].strip())
    v04.cooperative_matrix_prefetch 0, %A[%0, %1], 32, 32
    """


def _build_full(call: Call) -> Any:
    type_ = matrix_type(call, component_argument(call))
    value = call.arguments["value"]
    literal = literal_of(value, type_) if is_number(value) else None
    if literal is None:
        _refuse_value(call, value, type_)
    return call.emit(Constant, [type_], literal=literal).result


def _refuse_value(call: Call, value: Any, type_: CoopMatrixType) -> NoReturn:
    advice = None
    if isinstance(value, float) and value.is_integer():
        advice = f"write {int(value)}"
    if isinstance(getattr(value, "type", None), ScalarType):
        advice = f"scale a matrix of ones: coop.scale(…, coop.full({type_.component}, 1, shape, use))"
    call.fail(
        f"value of coop.full is {describe(value)}, not a Python number that {type_.component} has", advice, "value"
    )


@function_of(Constant, build=_build_full, name="coop.full")
def full(component: type[V], value: complex, shape: tuple[int, int], use: MatrixUse) -> V:
    """A matrix of the sub-group whose components are all the same Python number.

    `component` is their type, `shape` two Python integers, and `use` "matrix_a", "matrix_b" or "matrix_acc".
    Manual: Constant.

    >>> from pytl import coop, f32, parallel
    >>> from pytl.frontends.python import trace
    >>> def f():
    ...     with parallel():
    ...         c = coop.full(f32, 0.0, (8, 16), "matrix_acc")
    >>> print(str(trace(f)).splitlines()[2].strip())
    %c = constant 0x0p+0 : coopmatrix<f32x8x16,matrix_acc>
    """
