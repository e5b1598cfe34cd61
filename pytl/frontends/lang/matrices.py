"""What the functions on matrices of a sub-group have in common: their types, and matrices as arguments."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

from ...ir.types import CoopMatrixType, MatrixUse, ScalarType
from ...ops import Cast, Convert
from .annotations import ir_type_of
from .casts import cast_to
from .function import Call, memref_argument, one_of, operand_argument, python_integer
from .rules import TRANSPOSED
from .traced import Transposed, describe

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
    argument = call.arguments[name]
    type_ = ir_type_of(argument)
    if not isinstance(type_, ScalarType):
        call.fail(f"{name} of {call.function.name} is {describe(argument)}, not a number type", "write f32", name)
    return type_


def matrix_argument(call: Call, name: str) -> Any:
    argument = call.arguments[name]
    if not isinstance(getattr(argument, "type", None), CoopMatrixType):
        call.fail(
            f"{name} of {call.function.name} is {describe(argument)}, not coopmatrix-type",
            "load it with coop.load, or make a constant one with coop.full",
            name,
        )
    return argument


def for_use(call: Call, matrix: Any, use: MatrixUse, component: ScalarType | None = None) -> Any:
    """The matrix as one of another use, its components cast where a type is given; itself where nothing differs."""
    source_type: CoopMatrixType = matrix.type
    target_type = replace(source_type, component=component or source_type.component, use=use)
    if target_type == source_type:
        return matrix
    return call.emit(Cast if use == source_type.use else Convert, [target_type], operand=matrix).result


Checked = Literal["rows", "cols", "both"]
CHECKS = {None: "", "rows": "rows_checked", "cols": "cols_checked", "both": "both_checked"}
"""The modifiers of what `checked` may be."""


def position_argument(call: Call) -> dict[str, Any]:
    """The arguments M, x and y: where a matrix lies."""
    memref = call.arguments["M"]
    if isinstance(memref, Transposed):
        advice = (
            "write transpose=True; x and y are still the row and column of the memref"
            if "transpose" in call.arguments
            else None
        )
        call.fail(f"M of {call.function.name} can't be transposed", advice, "M", TRANSPOSED)
    return {"M": memref_argument(call, "M"), "x": operand_argument(call, "x"), "y": operand_argument(call, "y")}


def transpose_argument(call: Call) -> str:
    """The word of what the argument `transpose` says."""
    return "t" if one_of(call, "transpose", (False, True)) else "n"


def access_arguments(call: Call) -> dict[str, Any]:
    """How a matrix is accessed: what the arguments `transpose` and `checked` say."""
    return {"transpose": transpose_argument(call), "checked": CHECKS[one_of(call, "checked", CHECKS)]}


def check_components(call: Call, matrix: Any, memref: Any) -> None:
    """Refuse a matrix A of other components than the elements of the memref."""
    component, element = matrix.type.component, memref.type.element
    if component != element:
        message = f"the components are {component}, but the elements of M are {element}"
        call.fail(message, f"cast it: {cast_to(element, '…', component)}", "A")
