"""Arithmetic on the components of a sub-group's matrices, where the manual has it for numbers only.

The Tiny Tensor Compiler has it from its release 0.4 on, where the operations on matrices are those on their components.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from ..ir.constraints import COOPMATRIX
from ..ir.fields import Operand, Result, Variant
from ..ir.operation import Check, Problem, check
from ..ir.registry import instruction
from ..ir.types import CoopMatrixType, ScalarType, Type
from .arith import BINARY, UNARY, ArithBinary, ArithUnary, admits_binary, admits_unary, same_types, unary_result

MATRIX_BINARY = {word: meaning for word, meaning in BINARY.items() if word not in ("add", "sub", "mul", "div")}
MATRIX_UNARY = {word: meaning for word, meaning in UNARY.items() if word != "neg"}


def aliasing_matrices(variant: str, component: ScalarType) -> bool:
    """Whether `v04.arith.<variant>` takes two matrices of these components."""
    return variant in MATRIX_BINARY and admits_binary(variant, component)


def of_matrix(variant: str, component: ScalarType) -> bool:
    """Whether `v04.arith.<variant>` takes a matrix of these components."""
    return variant in MATRIX_UNARY and admits_unary(variant, component)


@check("PYTL-0669", "the operation is defined on the components", "Cooperative matrix arithmetic (binary)")
def binary_allowed(op: MatrixArithmetic) -> Iterator[Problem]:
    if op.a.type == op.b.type and not aliasing_matrices(op.variant, op.a.type.component):
        yield Problem(f"not defined on {op.a.type}", part="a")


@instruction
class MatrixArithmetic(ArithBinary):
    """Arithmetic component by component on cooperative matrices, where the manual has it for numbers only."""

    mnemonic = "v04.arith"
    section = "Cooperative matrix arithmetic (binary)"
    variant: Any = Variant(MATRIX_BINARY)
    a: Any = Operand(COOPMATRIX, "first operand")
    b: Any = Operand(COOPMATRIX, "second operand")
    result: Any = Result(COOPMATRIX, like="a")
    rules: ClassVar[tuple[Check, ...]] = (same_types, binary_allowed)


@check("PYTL-0678", "the operation is defined on the components", "Cooperative matrix arithmetic (unary)")
def unary_allowed(op: MatrixUnary) -> Iterator[Problem]:
    if not of_matrix(op.variant, op.a.type.component):
        yield Problem(f"not defined on {op.a.type}", part="a")


@check(
    "PYTL-0679",
    "the result has the operand's type; abs, im and re of complex components give real ones",
    "Cooperative matrix arithmetic (unary)",
)
def unary_type(op: MatrixUnary) -> Iterator[Problem]:
    expected = matrix_result(op.variant, op.a.type)
    if op.result.type != expected and of_matrix(op.variant, op.a.type.component):
        yield Problem(f"the operand is {op.a.type}, but the result is {op.result.type}", f"write : {expected}", "a")


def matrix_result(variant: str, type_: CoopMatrixType) -> CoopMatrixType:
    """The type of the result of a unary operation on a matrix."""
    component = unary_result(variant, type_.component)
    assert isinstance(component, ScalarType)
    return CoopMatrixType(component, type_.rows, type_.columns, type_.use)


@instruction
class MatrixUnary(ArithUnary):
    """Unary arithmetic component by component on cooperative matrices, where the manual has it for numbers only."""

    mnemonic = "v04.arith"
    section = "Cooperative matrix arithmetic (unary)"
    variant: Any = Variant(MATRIX_UNARY)
    a: Any = Operand(COOPMATRIX, "operand")
    result: Any = Result(COOPMATRIX)
    rules = (unary_allowed, unary_type)

    def infer_result_types(self) -> list[Type]:
        type_ = self.a.type
        return [matrix_result(self.variant, type_) if isinstance(type_, CoopMatrixType) else type_]
