"""Affine and semi-affine expressions: trees as they were written, their values, and how they are spelled."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from ...diagnostics import LanguageError
from ...process.records import dataclass
from .rules import DIVISOR

Operator = Literal["+", "*", "floordiv", "ceildiv", "mod"]
Spelling = Literal["2018", "today"]
"""The syntax of MLIR's document of 2018, or that of MLIR 22."""


@dataclass(frozen=True)
class Dimension:
    """A dimension of a map or set, by its position in the list in parentheses."""

    position: int


@dataclass(frozen=True)
class Symbol:
    """A symbol of a map or set, by its position in the list in brackets."""

    position: int


@dataclass(frozen=True)
class Constant:
    """An integer."""

    value: int


@dataclass(frozen=True)
class Binary:
    """An operation on two expressions; a difference is a sum with a product by -1."""

    operator: Operator
    left: Expression
    right: Expression


Expression = Dimension | Symbol | Constant | Binary


def divided(dividend: int, divisor: int, operator: Operator) -> int:
    """The value of `floordiv`, `ceildiv` or `mod`. Raises `pytl.LanguageError` unless the divisor is positive.

    >>> divided(-7, 2, "floordiv"), divided(-7, 2, "ceildiv"), divided(-7, 2, "mod")
    (-4, -3, 1)
    """
    if divisor <= 0:
        raise LanguageError.single(DIVISOR, f"the second operand of {operator} is {divisor}")
    if operator == "floordiv":
        return dividend // divisor
    return -(-dividend // divisor) if operator == "ceildiv" else dividend % divisor


def evaluate(expression: Expression, dimensions: Sequence[int], symbols: Sequence[int] = ()) -> int:
    """The value of an expression for values of the dimensions and symbols.

    Raises `pytl.LanguageError` (PYTL-0704) where a divisor is not positive.

    >>> evaluate(Binary("mod", Dimension(0), Constant(4)), [-1])
    3
    """
    if isinstance(expression, Constant):
        return expression.value
    if isinstance(expression, Dimension):
        return dimensions[expression.position]
    if isinstance(expression, Symbol):
        return symbols[expression.position]
    left = evaluate(expression.left, dimensions, symbols)
    right = evaluate(expression.right, dimensions, symbols)
    if expression.operator == "+":
        return left + right
    return left * right if expression.operator == "*" else divided(left, right, expression.operator)


def substitute(expression: Expression, replacements: Mapping[Expression, Expression]) -> Expression:
    """The expression with dimensions and symbols replaced, all at once."""
    if isinstance(expression, Binary):
        left, right = substitute(expression.left, replacements), substitute(expression.right, replacements)
        return Binary(expression.operator, left, right)
    return replacements.get(expression, expression)


def parts(expression: Expression) -> Iterator[Expression]:
    """The expression and all that it is made of, from left to right."""
    yield expression
    if isinstance(expression, Binary):
        yield from parts(expression.left)
        yield from parts(expression.right)


def is_symbolic(expression: Expression) -> bool:
    """Whether only symbols and constants appear."""
    return not any(isinstance(part, Dimension) for part in parts(expression))


def is_affine(expression: Expression) -> bool:
    """Whether all factors and divisors are constants, as the document demands outside of semi-affine maps."""
    for part in parts(expression):
        if isinstance(part, Binary) and part.operator != "+":
            operands = (part.left, part.right) if part.operator == "*" else (part.right,)
            if not any(isinstance(operand, Constant) for operand in operands):
                return False
    return True


_SUM, _PRODUCT, _NAME = range(3)  # how tightly an expression binds


def spell(
    expression: Expression, dimensions: Sequence[str], symbols: Sequence[str], spelling: Spelling = "2018"
) -> str:
    """The expression as text. MLIR's document writes constant factors first, MLIR of today writes them last.

    >>> spell(Binary("+", Dimension(0), Binary("*", Constant(-1), Symbol(0))), ["i"], ["N"])
    'i - N'
    """

    def bound(part: Expression, least: int) -> str:
        text, binding = write(part)
        return text if binding >= least else f"({text})"

    def write(part: Expression) -> tuple[str, int]:
        if isinstance(part, Dimension):
            return dimensions[part.position], _NAME
        if isinstance(part, Symbol):
            return symbols[part.position], _NAME
        if isinstance(part, Constant):
            return str(part.value), _NAME
        left, right = part.left, part.right
        if part.operator == "+":
            negated = _negated(right)
            if negated is not None:
                return f"{bound(left, _SUM)} - {bound(negated, _PRODUCT)}", _SUM
            return f"{bound(left, _SUM)} + {bound(right, _PRODUCT)}", _SUM
        if part.operator == "*":
            if left == Constant(-1):
                return f"-{bound(right, _NAME)}", _PRODUCT
            if spelling == "today" and is_symbolic(left) and not isinstance(right, Constant):
                left, right = right, left
        return f"{bound(left, _PRODUCT)} {part.operator} {bound(right, _NAME)}", _PRODUCT

    return write(expression)[0]


def _negated(expression: Expression) -> Expression | None:
    """What is subtracted where this is added, or None where adding is the way to write it."""
    if isinstance(expression, Constant) and expression.value < 0:
        return Constant(-expression.value)
    if isinstance(expression, Binary) and expression.operator == "*":
        left = expression.left
        if isinstance(left, Constant) and left.value < 0:
            if left.value == -1:
                return expression.right
            return Binary("*", Constant(-left.value), expression.right)
    return None
