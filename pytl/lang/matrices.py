"""What the functions on matrices of a sub-group have in common: their types, and matrices as arguments."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ..ir.types import CoopMatrixType, MatrixUse, ScalarType
from ..ops import Cast, Convert
from .annotations import ir_type_of
from .function import Call, one_of, python_integer
from .traced import describe

USES: tuple[MatrixUse, ...] = ("matrix_a", "matrix_b", "matrix_acc")


def matrix_type(call: Call, component: ScalarType, use: MatrixUse | None = None) -> CoopMatrixType:
    """The type that the arguments `shape` and `use` describe."""
    shape = call.arguments["shape"]
    if not isinstance(shape, tuple) or len(shape) != 2:
        call.fail(
            f"shape of {call.function.name} is {describe(shape)}, not rows and columns", "write shape=(8, 16)", "shape"
        )
    rows, columns = (python_integer(call, size, f"a size of {call.function.name}", "shape") for size in shape)
    for size in (rows, columns):
        if size < 1:
            call.fail(f"a size of {call.function.name} is {size}, but each is at least 1", argument="shape")
    return CoopMatrixType(component, rows, columns, use or one_of(call, "use", USES))


def component_argument(call: Call, name: str = "component") -> ScalarType:
    given = call.arguments[name]
    type_ = ir_type_of(given)
    if not isinstance(type_, ScalarType):
        call.fail(f"{name} of {call.function.name} is {describe(given)}, not a number type", "write f32", name)
    return type_


def matrix_argument(call: Call, name: str) -> Any:
    given = call.arguments[name]
    if not isinstance(getattr(given, "type", None), CoopMatrixType):
        call.fail(
            f"{name} of {call.function.name} is {describe(given)}, not coopmatrix-type",
            "load it with coop.load, or make a constant one with coop.full",
            name,
        )
    return given


def for_use(call: Call, matrix: Any, use: MatrixUse, component: ScalarType | None = None) -> Any:
    """The matrix as one of another use, its components cast where a type is given; itself where nothing differs."""
    given: CoopMatrixType = matrix.type
    wanted = replace(given, component=component or given.component, use=use)
    if wanted == given:
        return matrix
    return call.emit(Cast if use == given.use else Convert, [wanted], operand=matrix).result
