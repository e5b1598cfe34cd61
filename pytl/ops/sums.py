"""Sums of the work-group along modes (manual: Sum, Cumulative sum)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..diagnostics.words import counted
from ..ir.constraints import MEMREF, SCALAR
from ..ir.fields import Flag, IntegerConstant, Modifier, Operand
from ..ir.operation import Problem, check
from ..ir.registry import instruction
from .updates import ANY_BETA, SINCE_03, TRANSPOSE, Update, order_check, scalar_checks, show_shape, size_check


@check("PYTL-0381", "order(A) = order(b) + 1", "Sum")
def sum_order(op: Sum) -> Iterator[Problem]:
    order, left = op.A.type.order, op.b.type.order
    if left in (0, 1) and order != left + 1:
        what = "a vector" if left else "a single number"
        yield Problem(f"b is {what}, but A has {counted(order, 'mode')}", part="A")


@instruction
class Sum(Update):
    """`b := alpha op(A) 1 + beta b`: the rows' sums of a matrix, or the sum of a vector.

    b is not read where beta is the constant 0.
    """

    mnemonic = "sum"
    section = "Sum"
    transpose: Any = Modifier(TRANSPOSE)
    atomic: Any = Flag("b is updated atomically")
    any_beta: Any = Flag(ANY_BETA, word=SINCE_03)
    alpha: Any = Operand(SCALAR, "factor of the sum")
    A: Any = Operand(MEMREF, "what is summed up")
    beta: Any = Operand(SCALAR, "factor of b")
    b: Any = Operand(MEMREF, "what is updated")
    assembly = "` ` $alpha `, ` $A `, ` $beta `, ` $b"
    rules = (
        order_check("PYTL-0380", "Sum", {"b": (0, 1)}),
        sum_order,
        size_check("PYTL-0382", "rows(b) = rows(op(A))", "Sum", "b"),
        *scalar_checks("PYTL-0383", "PYTL-0384", "PYTL-0385", "Sum", "A", None, "b"),
    )
    factors = ("A",)
    target = "b"


@check("PYTL-0390", "order(A) ≥ 1", "Cumulative sum")
def cumsum_order(op: Cumsum) -> Iterator[Problem]:
    if op.A.type.order < 1:
        yield Problem(f"A is {op.A.type}, which has no mode to sum along", part="A")


@check("PYTL-0391", "the summation mode is a mode of A, counted from 0", "Cumulative sum")
def cumsum_mode(op: Cumsum) -> Iterator[Problem]:
    order = op.A.type.order
    if order and not 0 <= op.mode < order:
        yield Problem(f"{op.A.type} has no mode {op.mode}", f"modes are counted from 0 to {order - 1}", "A")


@check("PYTL-0392", "shape(A) = shape(B); a static size never equals a dynamic one", "Cumulative sum")
def cumsum_shapes(op: Cumsum) -> Iterator[Problem]:
    if op.A.type.shape != op.B.type.shape:
        yield Problem(f"A is {show_shape(op.A.type.shape)}, but B is {show_shape(op.B.type.shape)}", part="B")


@instruction
class Cumsum(Update):
    """`B := alpha cumsum(A) + beta B`: along one mode, each element is the sum of those up to it.

    B is not read where beta is the constant 0.
    """

    mnemonic = "cumsum"
    section = "Cumulative sum"
    atomic: Any = Flag("B is updated atomically")
    any_beta: Any = Flag(ANY_BETA, word=SINCE_03)
    alpha: Any = Operand(SCALAR, "factor of the sums")
    A: Any = Operand(MEMREF, "what is summed up")
    mode: Any = IntegerConstant("the mode to sum along, counted from 0")
    beta: Any = Operand(SCALAR, "factor of B")
    B: Any = Operand(MEMREF, "what is updated")
    assembly = "` ` $alpha `, ` $A `, ` $mode `, ` $beta `, ` $B"
    rules = (
        cumsum_order,
        cumsum_mode,
        cumsum_shapes,
        *scalar_checks("PYTL-0393", "PYTL-0394", "PYTL-0395", "Cumulative sum", "A", None, "B"),
    )
    factors = ("A",)
    target = "B"

    def allows_in_place(self, factor: str) -> bool:
        return True  # along the mode, each element is read before it is written
