"""Components that a work-item holds of a matrix of its sub-group.

In a sub-group of S work-items, work-item l holds the rows l, l + S, l + 2 S … of a matrix of X rows and Y columns, one
after the other: component n is that of row l + n div Y S and column n mod Y, and there are ceil(X / S) Y of them. So it
is on every backend, for matrices of every use, and so the pass `lower-coopmatrix` writes it.

The Tiny Tensor Compiler has these instructions from its release 0.4 on, under the words behind `v04.`. It spreads sums
in the same way, and factors in others.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..diagnostics import Diagnostics, Rule
from ..ir.constraints import COOPMATRIX, SCALAR
from ..ir.fields import IntegerConstant, Operand, Result
from ..ir.operation import Problem, check
from ..ir.registry import instruction
from ..ir.types import CoopMatrixType, ScalarType, Type
from ..ir.values import Function
from ..ir.verifier import function_check
from .coopmatrix import OfSubgroup
from .launch_defaults import known_subgroup_size
from .result_types import component_check, result_type_check

EXTRACT, INSERT = "Cooperative matrix extract", "Cooperative matrix insert"


def rows_of(type_: CoopMatrixType, lanes: int) -> int:
    """How many rows a work-item holds of a matrix."""
    return -(-type_.rows // lanes)


def components_of(type_: CoopMatrixType, lanes: int) -> int:
    """How many components a work-item holds of a matrix."""
    return rows_of(type_, lanes) * type_.columns


def place_of(type_: CoopMatrixType, component: int, lanes: int) -> tuple[int, int, int]:
    """The row of work-item 0 and the column of a component, and how many of the work-items have that row."""
    block, column = divmod(component, type_.columns)
    first = block * lanes
    return first, column, min(lanes, type_.rows - first)


def is_spread_as_by_others(type_: CoopMatrixType, lanes: int) -> bool:
    """Whether the Tiny Tensor Compiler spreads the components of a matrix in the same way."""
    if type_.use == "matrix_a":
        return type_.component.size >= 4  # it packs smaller ones
    return type_.use == "matrix_acc" or type_.rows == lanes or type_.columns == 1


class OfWorkItem(OfSubgroup):
    """An instruction on a matrix of the sub-group that each work-item executes for a component of its own."""

    depends_on_lane = True
    pure = True


@check("PYTL-0720", "the result has the type of the components", EXTRACT)
def extracted_type(op: CooperativeMatrixExtract) -> Iterator[Problem]:
    component = op.matrix.type.component
    if op.result.type != component:
        yield Problem(
            f"the components are {component}, but the result is {op.result.type}", f"write : {component}", "matrix"
        )


@instruction
class CooperativeMatrixExtract(OfWorkItem):
    """A component that the work-item holds of a matrix; 0 where the matrix has no such row.

    In a sub-group of S work-items, work-item l holds the rows l, l + S, l + 2 S … one after the other. Of a matrix of Y
    columns, component n is that of row l + n div Y S and column n mod Y, whatever the use of the matrix.
    """

    mnemonic = "v04.cooperative_matrix_extract"
    section = EXTRACT
    matrix: Any = Operand(COOPMATRIX, "the matrix")
    index: Any = IntegerConstant("the number of the component among those of the work-item")
    result: Any = Result(SCALAR)
    assembly = "` ` $matrix `[` $index `]` ` : ` $result"
    rules = (extracted_type,)

    def infer_result_types(self) -> list[Type]:
        return [self.matrix.type.component]


@instruction
class CooperativeMatrixInsert(OfWorkItem):
    """A matrix in which each work-item has replaced a component that it holds by a number of its own.

    Which one that is, its index says as that of `cooperative_matrix_extract` does. Work-items that hold no such row
    replace nothing.
    """

    mnemonic = "v04.cooperative_matrix_insert"
    section = INSERT
    scalar: Any = Operand(SCALAR, "the number")
    matrix: Any = Operand(COOPMATRIX, "the matrix")
    index: Any = IntegerConstant("the number of the component among those of the work-item")
    result: Any = Result(COOPMATRIX, like="matrix")
    assembly = "` ` $scalar `, ` $matrix `[` $index `]` ` : ` $result"
    rules = (
        component_check("PYTL-0721", INSERT, "matrix"),
        result_type_check("PYTL-0722", INSERT, "the result has the type of the matrix", "matrix", "matrix"),
    )

    @classmethod
    def literal_type(cls, part: str, parts: dict[str, Any]) -> Type | None:
        component = getattr(parts["matrix"].type, "component", None)
        return component if part == "scalar" and isinstance(component, ScalarType) else None


NUMBER = Rule(
    "PYTL-0723",
    "a work-item holds ceil(rows(m) / S) columns(m) components of a matrix m; the index is one of them",
    EXTRACT,
    explanation="S is the number of work-items of a sub-group: the attribute subgroup_size, or 16.",
)
SPREAD = Rule(
    "PYTL-0724",
    "components are taken of sums, and of factors that the Tiny Tensor Compiler spreads in the same way",
    EXTRACT,
    "warning",
    "Work-items hold rows of matrices of every use here. The Tiny Tensor Compiler packs components of less than four "
    "bytes of a matrix_a, and spreads a matrix_b by columns where its rows are not as many as the work-items.",
)


@function_check
def _check_components(function: Function, diagnostics: Diagnostics) -> None:
    lanes = known_subgroup_size(function)
    if lanes is None:
        return
    if not any(issubclass(cls, OfWorkItem) for cls in set(map(type, function.walk()))):
        return
    for op in function.walk():
        if isinstance(op, OfWorkItem) and isinstance(op.matrix.type, CoopMatrixType):  # type: ignore[attr-defined]
            _check_component(op, lanes, diagnostics)


def _check_component(op: Any, lanes: int, diagnostics: Diagnostics) -> None:
    type_: CoopMatrixType = op.matrix.type
    count = components_of(type_, lanes)
    if not 0 <= op.index < count:
        message = f"{op.display_name}: the index is {op.index}, but a work-item of {lanes} holds {count} components "
        message += f"of {type_}"
        diagnostics.report(NUMBER, message, op.location_of("index"), f"write an index from 0 to {count - 1}")
    elif not is_spread_as_by_others(type_, lanes):
        message = f"{op.display_name}: the Tiny Tensor Compiler spreads {type_} over {lanes} work-items in another way"
        diagnostics.report(
            SPREAD, message, op.location_of("matrix"), "take the component of a matrix_acc, and cast it afterwards"
        )
