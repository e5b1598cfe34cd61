"""`x ** n`: products, for an exponent that is known while the kernel is traced."""

from __future__ import annotations

import ast
from typing import Any

from ...ir.types import ScalarType
from ...ir.values import Value
from ...lang.casts import floating_for
from ...lang.traced import describe, is_python
from ...ops import ArithBinary
from .frame import Frame
from .rules import OPERATOR
from .source import Positioned

MOST = 1024
"""The largest exponent, of either sign. Its power takes 10 products; larger powers soon exceed every type."""


def power(frame: Frame, base: Any, exponent: Any, node: Positioned) -> Value:
    """`base ** exponent`, where at least one of them is not a Python constant."""
    source = ast.unparse(node.left) if isinstance(node, ast.BinOp) else "x"
    if not isinstance(base, Value) or not isinstance(base.type, ScalarType):
        advice = _help_for_base(base, exponent, node)
        frame.fail(OPERATOR, f"** is not defined on {describe(base)} and {describe(exponent)}", node, advice)
    type_ = base.type
    if isinstance(exponent, bool) or not isinstance(exponent, int):
        frame.fail(
            OPERATOR,
            f"the exponent is {describe(exponent)}, not a Python integer",
            node,
            _help_for_exponent(source, exponent),
        )
    if abs(exponent) > MOST:
        frame.fail(OPERATOR, f"the exponent {exponent} is beyond {MOST}", node, f"call pytl.pow({source}, {exponent})")
    if exponent < 0 and type_.is_integer:
        advice = f"take the power of a floating point number: {floating_for(type_)}({source}) ** {exponent}"
        frame.fail(OPERATOR, f"{type_} to the power {exponent} is not an integer", node, advice)
    if exponent < 0:
        one = frame.constant(1, type_, node)
        return _binary(frame, "div", one, _product(frame, base, -exponent, node), node)
    return _product(frame, base, exponent, node)


def _product(frame: Frame, base: Value, exponent: int, node: Positioned) -> Value:
    """The power for an exponent from 0 on, by repeated squaring."""
    result: Value | None = None
    square = base
    while exponent:
        if exponent & 1:
            result = square if result is None else _binary(frame, "mul", result, square, node)
        exponent >>= 1
        if exponent:
            square = _binary(frame, "mul", square, square, node)
    return frame.constant(1, base.type, node) if result is None else result


def _binary(frame: Frame, variant: str, a: Value, b: Value, node: Positioned) -> Value:
    return frame.compute(ArithBinary, node, variant=variant, a=a, b=b)


def _help_for_exponent(source: str, exponent: Any) -> str:
    if isinstance(exponent, float) and exponent.is_integer():
        return f"write {source} ** {int(exponent)}"
    if exponent == 0.5:
        return f"call sqrt({source})"
    if exponent == -0.5:
        return f"call rsqrt({source})"
    if isinstance(exponent, Value) and isinstance(exponent.type, ScalarType) and exponent.type.is_integer:
        return f"call pytl.pow({source}, n), whose n is an i32"
    return f"call pytl.pow({source}, y), whose y is a number of its type, or an i32"


def _help_for_base(base: Any, exponent: Any, node: Positioned) -> str | None:
    if is_python(base) and base == 2 and isinstance(exponent, Value) and isinstance(exponent.type, ScalarType):
        name = ast.unparse(node.right) if isinstance(node, ast.BinOp) else "n"
        return f"shift: 1 << {name}" if exponent.type.is_integer else f"write exp({name} * log(2.0))"
    if is_python(base) and isinstance(exponent, Value):
        return "call pytl.pow(x, y), whose y is a number of its type, or an i32"
    return None
