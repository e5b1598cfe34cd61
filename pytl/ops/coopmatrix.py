"""Matrices of a sub-group in memory and in products (manual: Cooperative matrix load to store)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from ..diagnostics.words import counted
from ..ir.constraints import COOPMATRIX, INDEX, MEMREF, SCALAR
from ..ir.fields import Modifier, Operand, Result
from ..ir.meanings import Meanings
from ..ir.operation import Check, Operation, Problem, check
from ..ir.registry import instruction
from ..ir.types import CoopMatrixType, Type, promotable, promote
from ..ir.values import Value
from .arith import admits_cast
from .constants import constant_of
from .memory import STORE_FLAGS
from .result_types import component_check, result_type_check
from .updates import TRANSPOSE, TRANSPOSES, order_check

CHECKED_SIDES: Meanings[str, tuple[str, ...]] = Meanings(
    "cooperative matrices, bounds checks",
    {"": (), "rows_checked": ("rows",), "cols_checked": ("cols",), "both_checked": ("rows", "cols")},
)
"""What is checked to lie in the memref."""


def is_matrix(value: Value) -> bool:
    return isinstance(value.type, CoopMatrixType)


def _checked(what: str) -> dict[str, str]:
    return {
        "": "",
        "rows_checked": f"{what} where the row lies in the memref only",
        "cols_checked": f"{what} where the column lies in the memref only",
        "both_checked": f"{what} where row and column lie in the memref only",
    }


def _element_check(code: str, section: str, matrix: str) -> Check:
    @check(code, f"component_type({matrix}) = element_type(M)", section)
    def element_matches(op: Any) -> Iterator[Problem]:
        component, element = getattr(op, matrix).type.component, op.M.type.element
        if component != element:
            yield Problem(f"the components are {component}, but the elements of M are {element}", part="M")

    return element_matches


def unchecked_modes(op: Any, matrix: CoopMatrixType) -> Iterator[tuple[int, Value, int, str]]:
    """The modes of the memref in which an access does not check where a matrix lies.

    With each: the matrix's first index there, how many elements it takes, and its side that lies along the mode.
    """
    sides = list(zip(matrix.shape, ("rows", "cols")))
    if TRANSPOSES[op.transpose]:
        sides.reverse()
    for mode, (start, (size, side)) in enumerate(zip((op.x, op.y), sides)):
        if side not in CHECKED_SIDES[op.checked]:
            yield mode, start, size, side


def _bounds_check(code: str, section: str, matrix: str) -> Check:
    text = "a matrix at a position that is known lies within the memref where nothing is checked"

    @check(code, text, section, of_values=True)
    def lies_within(op: Any) -> Iterator[Problem]:
        if op.M.type.order != 2:
            return
        for mode, start, size, side in unchecked_modes(op, getattr(op, matrix).type):
            known, extent = constant_of(start), op.M.type.shape[mode]
            begin = 0 if known is None else known
            if begin < 0 or (isinstance(extent, int) and begin + size > extent):
                extent_text = f"{counted(size, 'element')}{'' if known is None else f' from {known} on'}"
                message = f"mode {mode} of M has size {extent}, but the matrix takes {extent_text} of it"
                yield Problem(message, f"leave out what lies outside: .{side}_checked", "M")

    return lies_within


class OfSubgroup(Operation):
    """An instruction of the sub-group as a whole: its operands and results are the same for all work-items."""

    kind = "spmd"
    depends_on_lane = False


@instruction
class CooperativeMatrixLoad(OfSubgroup):
    """Loads a matrix of the sub-group from a memref, its first row and column at the position.

    With `.t`, component (i, j) is element (x + j, y + i). Where a check fails, the component is 0. The position is
    the same for all work-items of the sub-group.
    """

    mnemonic = "cooperative_matrix_load"
    section = "Cooperative matrix load"
    transpose: Any = Modifier(TRANSPOSE)
    checked: Any = Modifier(_checked("loaded"), default="")
    M: Any = Operand(MEMREF, "what is loaded from")
    x: Any = Operand(INDEX, "first row")
    y: Any = Operand(INDEX, "first column")
    result: Any = Result(COOPMATRIX)
    assembly = "` ` $M `[` $x `, ` $y `]` ` : ` $result"
    rules: ClassVar[tuple[Check, ...]] = (
        order_check("PYTL-0510", "Cooperative matrix load", {"M": (2,)}),
        _element_check("PYTL-0511", "Cooperative matrix load", "result"),
        _bounds_check("PYTL-0512", "Cooperative matrix load", "result"),
    )
    reads = ("M",)


@check("PYTL-0520", "A is a matrix_a, B a matrix_b, C a matrix_acc", "Cooperative matrix mul add", is_basic=True)
def operand_uses(op: CooperativeMatrixMulAdd) -> Iterator[Problem]:
    for name, use in (("A", "matrix_a"), ("B", "matrix_b"), ("C", "matrix_acc")):
        type_ = getattr(op, name).type
        if type_.use != use:
            yield Problem(f"{name} is {type_}, but must be of use {use}", part=name)


@check("PYTL-0521", "columns(A) = rows(B)", "Cooperative matrix mul add")
def inner_size(op: CooperativeMatrixMulAdd) -> Iterator[Problem]:
    if op.A.type.columns != op.B.type.rows:
        yield Problem(f"columns(A) = {op.A.type.columns}, but rows(B) = {op.B.type.rows}", part="B")


@check("PYTL-0522", "rows(C) = rows(A) and columns(C) = columns(B)", "Cooperative matrix mul add")
def outer_sizes(op: CooperativeMatrixMulAdd) -> Iterator[Problem]:
    expected, actual = (op.A.type.rows, op.B.type.columns), op.C.type.shape
    if actual != expected:
        yield Problem(f"A B is {expected[0]}x{expected[1]}, but C is {actual[0]}x{actual[1]}", part="C")


@check("PYTL-0523", "shape(D) = shape(C)", "Cooperative matrix mul add")
def result_shape(op: CooperativeMatrixMulAdd) -> Iterator[Problem]:
    expected, actual = op.C.type.shape, op.result.type.shape
    if actual != expected:
        yield Problem(f"C is {expected[0]}x{expected[1]}, but the result is {actual[0]}x{actual[1]}", part="C")


@check("PYTL-0524", "use(D) = matrix_acc", "Cooperative matrix mul add")
def result_use(op: CooperativeMatrixMulAdd) -> Iterator[Problem]:
    if op.result.type.use != "matrix_acc":
        yield Problem(f"the result is {op.result.type}", "its use is matrix_acc")


@check(
    "PYTL-0525",
    "promote(component_type(A), component_type(B)) ⪯ component_type(C)",
    "Cooperative matrix mul add",
)
def components_promote(op: CooperativeMatrixMulAdd) -> Iterator[Problem]:
    a, b, c = (getattr(op, name).type.component for name in ("A", "B", "C"))
    product = promote(a, b)
    if product is None:
        yield Problem(f"promote({a}, {b}) fails: neither represents the other exactly", part="B")
    elif not promotable(product, c):
        yield Problem(f"{product} is not promotable to {c}, the component type of C", part="C")


@check("PYTL-0526", "component_type(C) may be cast to component_type(D)", "Cooperative matrix mul add")
def result_cast(op: CooperativeMatrixMulAdd) -> Iterator[Problem]:
    c, d = op.C.type.component, op.result.type.component
    if not admits_cast(c, d):
        yield Problem(f"{c}, the component type of C, cannot be cast to {d}, that of the result", part="C")


@instruction
class CooperativeMatrixMulAdd(OfSubgroup):
    """`D := A B + C` on matrices of the sub-group; the sum is taken in C's component type, and cast to D's."""

    mnemonic = "cooperative_matrix_mul_add"
    section = "Cooperative matrix mul add"
    A: Any = Operand(COOPMATRIX, "left factor, of use matrix_a")
    B: Any = Operand(COOPMATRIX, "right factor, of use matrix_b")
    C: Any = Operand(COOPMATRIX, "what is added, of use matrix_acc")
    result: Any = Result(COOPMATRIX, like="C")
    assembly = "` ` $A `, ` $B `, ` $C ` : ` $result"
    rules = (
        operand_uses,
        inner_size,
        outer_sizes,
        result_shape,
        result_use,
        components_promote,
        result_cast,
    )
    pure = True


@instruction
class CooperativeMatrixScale(OfSubgroup):
    """A matrix of the sub-group, every component multiplied by a number."""

    mnemonic = "cooperative_matrix_scale"
    section = "Cooperative matrix scale"
    scalar: Any = Operand(SCALAR, "the factor")
    matrix: Any = Operand(COOPMATRIX, "the matrix")
    result: Any = Result(COOPMATRIX, like="matrix")
    assembly = "` ` $scalar `, ` $matrix ` : ` $result"
    rules = (
        component_check("PYTL-0530", section, "matrix", "type(scalar) = component_type(matrix)"),
        result_type_check("PYTL-0531", section, "type(result) = type(matrix)", "matrix", "matrix"),
    )
    pure = True

    @classmethod
    def literal_type(cls, part: str, parts: dict[str, Any]) -> Type | None:
        matrix = parts["matrix"]
        return getattr(matrix.type, "component", None) if part == "scalar" else None


@instruction
class CooperativeMatrixStore(OfSubgroup):
    """Stores a matrix of the sub-group in a memref, its first row and column at the position.

    The position is the same for all work-items of the sub-group.
    """

    mnemonic = "cooperative_matrix_store"
    section = "Cooperative matrix store"
    transpose: Any = "n"
    """Whether the matrix is stored transposed."""
    checked: Any = Modifier(_checked("stored"), default="")
    flag: Any = Modifier(STORE_FLAGS, default="")
    A: Any = Operand(COOPMATRIX, "the matrix")
    M: Any = Operand(MEMREF, "where it is stored")
    x: Any = Operand(INDEX, "first row")
    y: Any = Operand(INDEX, "first column")
    assembly = "` ` $A `, ` $M `[` $x `, ` $y `]`"
    rules: ClassVar[tuple[Check, ...]] = (
        order_check("PYTL-0540", "Cooperative matrix store", {"M": (2,)}),
        _element_check("PYTL-0541", "Cooperative matrix store", "A"),
        _bounds_check("PYTL-0542", "Cooperative matrix store", "A"),
    )
    writes = ("M",)
