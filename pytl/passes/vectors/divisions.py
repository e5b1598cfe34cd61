"""Divisions of integers in vectors by those of floats, where no instruction divides integers in vectors.

A quotient of floats that have more than twice an integer's bits is no nearer to a whole number than the rounding is
exact, unless it is one: it is the exact quotient when it is truncated. f32 has enough bits for i16, f64 for i32.
"""

from __future__ import annotations

from ...ir.types import ScalarType, f32, f64
from ...ir.values import Value
from ...ops.constants import constant_of
from ..targets import vector
from .code import Code


def is_of_floats(code: Code, variant: str, a: Value, b: Value) -> bool:
    """Whether integers are divided so. A division by a constant is a product in each backend."""
    if code.machine is None or not code.machine.divides_by_floats or variant not in ("div", "rem"):
        return False
    made, element = b.owner, a.type.element
    is_constant = isinstance(made, vector.Splat) and constant_of(made.scalar) is not None
    return isinstance(element, ScalarType) and element.is_integer and element.size < 8 and not is_constant


def divided(code: Code, variant: str, a: Value, b: Value) -> Value:
    """Quotients toward zero, or their remainders; both are 0 where the divisor is, and the least number by -1 wraps."""
    element = a.type.element
    wide = f64 if element.size == 4 else f32
    quotient = code.arith("div", code.cast(a, wide), code.cast(b, wide))
    # what is divided by 0 is infinite or nan, which no integer is: the cast gives 0
    found = code.cast(quotient, element)
    if variant == "rem":
        remainder = code.arith("sub", a, code.arith("mul", found, b))
        return code.select(code.compare("eq", b, code.zeros_like(b)), code.zeros_like(b), remainder)
    by_minus_one = code.compare("eq", b, code.literal(element, -1, a.type.lanes))
    return code.select(by_minus_one, code.unary("neg", a), found)
