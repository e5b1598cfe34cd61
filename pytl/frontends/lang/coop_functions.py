"""Functions of the components of a sub-group's matrices, and sums and extremes of rows and columns, for `coop`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from ...ir.types import CoopMatrixType, MatrixUse, i32
from ...ir.values import Region, Value
from ...ops import (
    Constant,
    CooperativeMatrixApply,
    CooperativeMatrixConstruct,
    CooperativeMatrixMulAdd,
    CooperativeMatrixReduceAdd,
    CooperativeMatrixReduceMax,
    CooperativeMatrixReduceMin,
    Yield,
)
from ...ops.constants import one_of as one_of_type
from ...ops.constants import zero_of
from .function import Call, function_of, one_of
from .matrices import component_argument, for_use, matrix_argument, matrix_type
from .scalars import Number, Tensor, V
from .traced import describe


def _build_construct(call: Call) -> Any:
    type_ = matrix_type(call, component_argument(call))
    scalar = call.typed(call.arguments["scalar"], type_.component, "scalar")
    return call.emit(CooperativeMatrixConstruct, [type_], scalar=scalar).result


@function_of(CooperativeMatrixConstruct, build=_build_construct, name="coop.construct")
def construct(component: type[V], scalar: Number, shape: tuple[int, int], use: MatrixUse) -> V:
    """A matrix of the sub-group whose components are all the same number, computed or not; `full` takes Python's.

    `component` is the type of the number, `shape` two Python integers. The number is the same for all work-items of
    the sub-group. Allowed in SPMD regions.

    >>> from pytl import coop, f32, parallel
    >>> from pytl.frontends.python import trace
    >>> def f(x: f32):
    ...     with parallel():
    ...         c = coop.construct(f32, x, (8, 16), "matrix_acc")
    >>> print(str(trace(f)).splitlines()[2].strip())
    %c = v04.cooperative_matrix_construct %x : coopmatrix<f32x8x16,matrix_acc>
    """


def _build_apply(call: Call) -> Any:
    matrices = call.arguments["matrices"]
    if not matrices:
        call.fail(f"{call.function.name} takes a function and matrices", "write coop.apply(exp, m)")
    for matrix in matrices:
        if not isinstance(getattr(matrix, "type", None), CoopMatrixType):
            call.fail(f"a matrix of {call.function.name} is {describe(matrix)}, not coopmatrix-type", None, "matrices")
    first = matrices[0].type
    for matrix in matrices[1:]:
        if (matrix.type.shape, matrix.type.use) != (first.shape, first.use):
            call.fail(f"the matrices are {first} and {matrix.type}, but have one shape and use", None, "matrices")
    position = [Value(i32), Value(i32)]
    components = [Value(matrix.type.component) for matrix in matrices]
    argument_count = len(components) + (2 if one_of(call, "indices", (False, True)) else 0)
    component_type = None if call.arguments["dtype"] is None else component_argument(call, "dtype")
    body, component = call.component_region("function", position, components, argument_count, component_type)
    type_ = CoopMatrixType(component, first.rows, first.columns, first.use)
    return call.emit(CooperativeMatrixApply, [type_], matrices=list(matrices), body=body).result


@function_of(CooperativeMatrixApply, build=_build_apply, name="coop.apply", regions=("function",))
def apply(
    function: Callable[..., Any], *matrices: Tensor, indices: bool = False, dtype: type[Any] | None = None
) -> Any:
    """A matrix of the sub-group whose components are a function of those of other matrices at the same place.

    `function` is a lambda, a function of Python that is inlined, or one of pytl's, as `exp`; it takes a number of each
    matrix, and with `indices` the row and the column, of type i32, in front of them. The matrices have one shape and
    use, and may have several types; the result has the type of number that the function gives, or `dtype`, which it
    is cast to. What the function uses of the kernel's values is the same for all work-items of the sub-group. Allowed
    in SPMD regions.

    >>> from pytl import coop, exp, f32, parallel
    >>> from pytl.frontends.python import trace
    >>> def f(x: f32):
    ...     with parallel():
    ...         c = coop.full(f32, 1.0, (8, 8), "matrix_acc")
    ...         d = coop.apply(lambda i, j, v: exp(v) if i >= j else x, c, indices=True)
    >>> print(str(trace(f)).splitlines()[3].strip())
    %d = v04.cooperative_matrix_apply (%i, %j, %v) = %c -> coopmatrix<f32x8x8,matrix_acc> {
    """


def of_components(call: Call, matrix: Any) -> Any:
    """The function of numbers that is called, of each component of a matrix."""
    component = Value(matrix.type.component)
    arguments = [Value(i32), Value(i32), component]
    op = call.emit(CooperativeMatrixApply, [matrix.type], matrices=[matrix], body=Region("mixed", arguments))
    computed = call.function.operation(op.location, [component.type], **call.function.fixed, a=component)
    op.body.operations = [computed, Yield(op.location, yielded=computed.results)]  # type: ignore[attr-defined]
    return op.result


def _build_reduce(call: Call) -> Any:
    matrix = matrix_argument(call, "a")
    return call.emit(call.function.operation, None, variant=one_of(call, "mode", ("row", "column")), a=matrix).result


@function_of(CooperativeMatrixReduceAdd, build=_build_reduce, name="coop.reduce_add")
def reduce_add(a: Tensor, mode: Literal["row", "column"]) -> Any:
    """The sums of the rows of a matrix of the sub-group, as a matrix of one column; of its columns, as one of one row.

    f16 and bf16 are summed in f32 and rounded once. Allowed in SPMD regions.

    >>> from pytl import coop, f32, parallel
    >>> from pytl.frontends.python import trace
    >>> def f():
    ...     with parallel():
    ...         s = coop.reduce_add(coop.full(f32, 1.0, (8, 16), "matrix_acc"), "row")
    >>> print(str(trace(f)).splitlines()[3].strip())
    %s = v04.cooperative_matrix_reduce_add.row %0 : coopmatrix<f32x8x1,matrix_acc>
    """


@function_of(CooperativeMatrixReduceMax, build=_build_reduce, name="coop.reduce_max")
def reduce_max(a: Tensor, mode: Literal["row", "column"]) -> Any:
    """The maximum of each row of a matrix of the sub-group, as a matrix of one column, or of each column.

    Allowed in SPMD regions.

    >>> from pytl import coop, f32, parallel
    >>> from pytl.frontends.python import trace
    >>> def f():
    ...     with parallel():
    ...         s = coop.reduce_max(coop.full(f32, 1.0, (8, 16), "matrix_acc"), "column")
    >>> print(str(trace(f)).splitlines()[3].strip())
    %s = v04.cooperative_matrix_reduce_max.column %0 : coopmatrix<f32x1x16,matrix_acc>
    """


@function_of(CooperativeMatrixReduceMin, build=_build_reduce, name="coop.reduce_min")
def reduce_min(a: Tensor, mode: Literal["row", "column"]) -> Any:
    """The minimum of each row of a matrix of the sub-group, as a matrix of one column, or of each column.

    Allowed in SPMD regions.

    >>> from pytl import coop, f32, parallel
    >>> from pytl.frontends.python import trace
    >>> def f():
    ...     with parallel():
    ...         s = coop.reduce_min(coop.full(f32, 1.0, (8, 16), "matrix_acc"), "row")
    >>> print(str(trace(f)).splitlines()[3].strip())
    %s = v04.cooperative_matrix_reduce_min.row %0 : coopmatrix<f32x8x1,matrix_acc>
    """


def _build_broadcast(call: Call) -> Any:
    vector = matrix_argument(call, "vector")
    type_ = vector.type
    requested_shape = call.arguments["shape"]
    result_type = matrix_type(call, type_.component, type_.use)
    rows, columns = result_type.shape
    if type_.shape not in ((rows, 1), (1, columns)):
        help = f"its shape is ({rows}, 1) or (1, {columns})"
        call.fail(f"{type_} can't be broadcast to {requested_shape}", help, "vector")
    # the product with a matrix of ones, of one inner column, is exact
    of_row = type_.shape == (rows, 1)
    use: MatrixUse = "matrix_b" if of_row else "matrix_a"
    size = CoopMatrixType(type_.component, 1 if of_row else rows, columns if of_row else 1, use)
    ones = call.emit(Constant, [size], literal=one_of_type(type_.component)).result
    total = CoopMatrixType(type_.component, rows, columns, "matrix_acc")
    zero = call.emit(Constant, [total], literal=zero_of(type_.component)).result
    factors = (for_use(call, vector, "matrix_a"), ones) if of_row else (ones, for_use(call, vector, "matrix_b"))
    product = call.emit(CooperativeMatrixMulAdd, A=factors[0], B=factors[1], C=zero).result
    return for_use(call, product, type_.use)


@function_of(CooperativeMatrixMulAdd, build=_build_broadcast, name="coop.broadcast")
def broadcast(vector: Tensor, shape: tuple[int, int]) -> Any:
    """A matrix of the sub-group all of whose columns, or rows, are the same: those of a matrix of one column, or row.

    `shape` is two Python integers. It is the product with a matrix of ones, which is exact. Allowed in SPMD regions.
    Manual: Cooperative matrix mul add.

    >>> from pytl import coop, f32, parallel
    >>> from pytl.frontends.python import trace
    >>> def f():
    ...     with parallel():
    ...         c = coop.broadcast(coop.full(f32, 1.0, (8, 1), "matrix_acc"), (8, 16))
    >>> print(str(trace(f)).splitlines()[6].strip())
    %c = cooperative_matrix_mul_add %3, %1, %2 : coopmatrix<f32x8x16,matrix_acc>
    """
