"""Linear algebra of the work-group (manual: Axpby, GEMM, GEMV, GER, Hadamard product)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..ir.constraints import MEMREF, SCALAR
from ..ir.fields import Flag, Modifier, Operand
from ..ir.operation import Problem, check
from ..ir.registry import instruction
from .updates import (
    ANY_BETA,
    SINCE_03,
    TRANSPOSE,
    TRANSPOSES,
    Update,
    order_check,
    scalar_checks,
    show_shape,
    size_check,
    transposed,
)


@check("PYTL-0320", "shape(B) = shape(op(A)); a static size never equals a dynamic one", "Axpby")
def axpby_shapes(op: Axpby) -> Iterator[Problem]:
    expected = transposed(op.A.type.shape, op.transpose)
    if op.B.type.shape != expected:
        yield Problem(f"op(A) is {show_shape(expected)}, but B is {show_shape(op.B.type.shape)}", part="B")


@instruction
class Axpby(Update):
    """`B := alpha op(A) + beta B` for scalars, vectors and matrices; B is not read where beta is the constant 0."""

    mnemonic = "axpby"
    section = "Axpby"
    transpose: Any = Modifier(TRANSPOSE)
    atomic: Any = Flag("B is updated atomically")
    any_beta: Any = Flag(ANY_BETA, word=SINCE_03)
    alpha: Any = Operand(SCALAR, "factor of A")
    A: Any = Operand(MEMREF, "what is added")
    beta: Any = Operand(SCALAR, "factor of B")
    B: Any = Operand(MEMREF, "what is updated")
    assembly = "` ` $alpha `, ` $A `, ` $beta `, ` $B"
    rules = (
        order_check("PYTL-0321", "Axpby", {"B": (0, 1, 2)}),
        axpby_shapes,
        *scalar_checks("PYTL-0322", "PYTL-0323", "PYTL-0324", "Axpby", "A", None, "B"),
    )
    factors = ("A",)
    target = "B"

    def allows_in_place(self, factor: str) -> bool:
        return not TRANSPOSES[self.transpose] or self.A.type.order != 2


def _transpose_that_fits(op: Gemm) -> str | None:
    """Which transposes would make all three shapes fit, in the words of text and Python."""
    for ta in "nt":
        for tb in "nt":
            a, b = transposed(op.A.type.shape, ta), transposed(op.B.type.shape, tb)
            if len(a) == len(b) == 2 and a[1] == b[0] and (a[0], b[1]) == op.C.type.shape:
                operands = f"{'A.T' if ta == 't' else 'A'} and {'B.T' if tb == 't' else 'B'}"
                return f"gemm.{ta}.{tb} fits (in Python: pass {operands})"
    return None


def _orders(op: Update, *names: str) -> tuple[int, ...]:
    return tuple(getattr(op, name).type.order for name in names)


_OTHER_PRODUCTS: dict[tuple[int, ...], str] = {
    (2, 1, 1): "the product of a matrix and a vector is gemv: c := alpha A b + beta c",
    (1, 2, 1): "the product of a vector and a matrix is gemv of the transposed matrix: c := alpha Bᵀ a + beta c",
    (1, 1, 2): "the product of a column and a row is ger: C := alpha a bᵀ + beta C",
    (2, 2, 2): "the product of two matrices is gemm: C := alpha A B + beta C",
}
"""Which instruction multiplies operands of these orders."""


def _other_product(op: Gemm | Gemv | Ger) -> str | None:
    return _OTHER_PRODUCTS.get(_orders(op, *op.factors, op.target))


@instruction
class Gemm(Update):
    """`C := alpha op1(A) op2(B) + beta C`; C is not read where beta is the constant 0."""

    mnemonic = "gemm"
    section = "GEMM"
    transpose_a: Any = Modifier(TRANSPOSE)
    transpose_b: Any = Modifier(TRANSPOSE)
    atomic: Any = Flag("C is updated atomically")
    any_beta: Any = Flag(ANY_BETA, word=SINCE_03)
    alpha: Any = Operand(SCALAR, "factor of the product")
    A: Any = Operand(MEMREF, "left factor")
    B: Any = Operand(MEMREF, "right factor")
    beta: Any = Operand(SCALAR, "factor of C")
    C: Any = Operand(MEMREF, "what is updated")
    assembly = "` ` $alpha `, ` $A `, ` $B `, ` $beta `, ` $C"
    rules = (
        order_check("PYTL-0333", "GEMM", {"A": (2,), "B": (2,), "C": (2,)}, _other_product),
        size_check("PYTL-0330", "columns(op1(A)) = rows(op2(B))", "GEMM", "B", _transpose_that_fits),
        size_check("PYTL-0331", "rows(C) = rows(op1(A))", "GEMM", "C"),
        size_check("PYTL-0332", "columns(C) = columns(op2(B))", "GEMM", "C"),
        *scalar_checks("PYTL-0334", "PYTL-0335", "PYTL-0336", "GEMM", "A", "B", "C"),
    )
    factors = ("A", "B")
    target = "C"


def _gemv_transpose_that_fits(op: Gemv) -> str | None:
    """Whether the other transpose would make all shapes fit."""
    other = "n" if TRANSPOSES[op.transpose] else "t"
    if op.A.type.order == 2 and transposed(op.A.type.shape, other) == (*op.c.type.shape, *op.b.type.shape):
        return f"gemv.{other} fits (in Python: pass {'A.T' if other == 't' else 'A'})"
    return None


@instruction
class Gemv(Update):
    """`c := alpha op1(A) b + beta c`; c is not read where beta is the constant 0."""

    mnemonic = "gemv"
    section = "GEMV"
    transpose: Any = Modifier(TRANSPOSE)
    atomic: Any = Flag("c is updated atomically")
    any_beta: Any = Flag(ANY_BETA, word=SINCE_03)
    alpha: Any = Operand(SCALAR, "factor of the product")
    A: Any = Operand(MEMREF, "the matrix")
    b: Any = Operand(MEMREF, "the vector")
    beta: Any = Operand(SCALAR, "factor of c")
    c: Any = Operand(MEMREF, "what is updated")
    assembly = "` ` $alpha `, ` $A `, ` $b `, ` $beta `, ` $c"
    rules = (
        order_check("PYTL-0350", "GEMV", {"A": (2,), "b": (1,), "c": (1,)}, _other_product),
        size_check("PYTL-0351", "columns(op1(A)) = rows(b)", "GEMV", "b", _gemv_transpose_that_fits),
        size_check("PYTL-0352", "rows(c) = rows(op1(A))", "GEMV", "c"),
        *scalar_checks("PYTL-0353", "PYTL-0354", "PYTL-0355", "GEMV", "A", "b", "c"),
    )
    factors = ("A", "b")
    target = "c"


@instruction
class Ger(Update):
    """`C := alpha a bᵀ + beta C`, the rank-1 update; C is not read where beta is the constant 0."""

    mnemonic = "ger"
    section = "GER"
    atomic: Any = Flag("C is updated atomically")
    any_beta: Any = Flag(ANY_BETA, word=SINCE_03)
    alpha: Any = Operand(SCALAR, "factor of the product")
    a: Any = Operand(MEMREF, "the column vector")
    b: Any = Operand(MEMREF, "the vector that is transposed")
    beta: Any = Operand(SCALAR, "factor of C")
    C: Any = Operand(MEMREF, "what is updated")
    assembly = "` ` $alpha `, ` $a `, ` $b `, ` $beta `, ` $C"
    rules = (
        order_check("PYTL-0360", "GER", {"a": (1,), "b": (1,), "C": (2,)}, _other_product),
        size_check("PYTL-0361", "rows(C) = rows(a)", "GER", "C"),
        size_check("PYTL-0362", "columns(C) = rows(b)", "GER", "C"),
        *scalar_checks("PYTL-0363", "PYTL-0364", "PYTL-0365", "GER", "a", "b", "C"),
    )
    factors = ("a", "b")
    target = "C"


@check("PYTL-0370", "order(A) = order(B) = order(C), which is 1 or 2", "Hadamard product")
def hadamard_orders(op: Hadamard) -> Iterator[Problem]:
    orders = [getattr(op, name).type.order for name in ("A", "B", "C")]
    if len(set(orders)) > 1 or orders[0] not in (1, 2):
        yield Problem(f"the orders of A, B and C are {orders[0]}, {orders[1]} and {orders[2]}")


@check(
    "PYTL-0371",
    "shape(A) = shape(B) = shape(C); a static size never equals a dynamic one",
    "Hadamard product",
)
def hadamard_shapes(op: Hadamard) -> Iterator[Problem]:
    expected = op.C.type.shape
    for name in ("A", "B"):
        shape = getattr(op, name).type.shape
        if shape != expected and len(shape) == len(expected):
            yield Problem(f"{name} is {show_shape(shape)}, but C is {show_shape(expected)}", part=name)


@instruction
class Hadamard(Update):
    """`C := alpha A ∘ B + beta C`, element by element, for vectors and matrices.

    C is not read where beta is the constant 0.
    """

    mnemonic = "hadamard"
    spellings = ("hadamard_product",)
    section = "Hadamard product"
    atomic: Any = Flag("C is updated atomically")
    any_beta: Any = Flag(ANY_BETA, word=SINCE_03)
    alpha: Any = Operand(SCALAR, "factor of the product")
    A: Any = Operand(MEMREF, "left factor")
    B: Any = Operand(MEMREF, "right factor")
    beta: Any = Operand(SCALAR, "factor of C")
    C: Any = Operand(MEMREF, "what is updated")
    assembly = "` ` $alpha `, ` $A `, ` $B `, ` $beta `, ` $C"
    rules = (
        hadamard_orders,
        hadamard_shapes,
        *scalar_checks("PYTL-0372", "PYTL-0373", "PYTL-0374", "Hadamard product", "A", "B", "C"),
    )
    factors = ("A", "B")
    target = "C"

    def allows_in_place(self, factor: str) -> bool:
        return True
