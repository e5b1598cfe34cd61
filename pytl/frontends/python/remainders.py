"""`(i - 1) % n`: a remainder that may be negative, where Python's never is."""

from __future__ import annotations

import ast

from ...ir.types import ScalarType
from ...ir.values import Value
from ...ops import Cast
from ...ops.constants import constant_of
from .frame import Frame
from .linear import Linear
from .rules import REMAINDER
from .source import Positioned

MAX_DEPTH = 16
"""The largest number of casts in a chain that is followed."""


def check_remainder(frame: Frame, a: Value, b: Value, node: Positioned) -> None:
    """Warn once per kernel about `a % b` where a is a difference or a negation that may be negative.

    Numbers of unknown sign, such as parameters and loaded elements, give no warning.
    """
    if frame.builder.has_remainder or not (isinstance(a.type, ScalarType) and a.type.is_integer):
        return
    if not frame.builder.intervals.may_be_negative(a) or not _subtracts(a, b, 0):
        return
    frame.builder.has_remainder = True
    left, right = "x", "n"
    if isinstance(node, (ast.BinOp, ast.AugAssign)):
        first, second = (node.left, node.right) if isinstance(node, ast.BinOp) else (node.target, node.value)
        left, right = ast.unparse(first), ast.unparse(second)
        right = f"({right})" if isinstance(second, (ast.BinOp, ast.IfExp)) else right
    divisor = constant_of(b)
    size = divisor if isinstance(divisor, int) and divisor > 1 else 8
    frame.report(
        REMAINDER,
        f"the remainder is negative where {left} is: -1 % {size} is -1, but {size - 1} in Python",
        node,
        f"write ({left} + {right}) % {right}, if {left} is never below -{right}",
    )


def _subtracts(value: Value, divisor: Value, depth: int) -> bool:
    """Whether something is subtracted, and not the divisor added."""
    terms = Linear.of(value)
    if divisor in terms.factors and terms.factors[divisor] > 0:
        return False
    if terms.constant < 0 or any(factor < 0 for factor in terms.factors.values()):
        return True
    casts = [term.owner for term in terms.factors if isinstance(term.owner, Cast)]
    return depth < MAX_DEPTH and any(
        isinstance(cast.operand.type, ScalarType)
        and cast.operand.type.is_integer
        and _subtracts(cast.operand, divisor, depth + 1)
        for cast in casts
    )
