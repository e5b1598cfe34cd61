"""`x ** n`: products, for an integer that is known while the kernel is traced; else `pytl.pow`."""

from __future__ import annotations

import ast
from typing import Any

from ...ir.types import ScalarType
from ...ir.values import Value
from ...ops import ArithBinary
from ..lang.casts import floating_for
from ..lang.function import CalledFunction
from ..lang.traced import describe, is_number, is_python
from .builder_calls import BuilderCall
from .frame import Frame
from .rules import OPERATOR
from .source import Positioned

MAX_EXPONENT = 1024
"""The largest exponent of products, of either sign, which takes 10 of them; larger powers soon exceed every type."""


def power(frame: Frame, base: Any, exponent: Any, node: Positioned) -> Any:
    """`base ** exponent`, where at least one of them is not a Python constant."""
    sides = _sides(node)
    if not _is_number(base) or not _is_number(exponent) or not _has_type(base, exponent):
        advice = _help(base, exponent, sides)
        frame.fail(OPERATOR, f"** is not defined on {describe(base)} and {describe(exponent)}", node, advice)
    if isinstance(exponent, float) and exponent.is_integer() and abs(exponent) <= MAX_EXPONENT:
        exponent = int(exponent)
    if not isinstance(exponent, int) or abs(exponent) > MAX_EXPONENT:
        from ..lang.library import pow  # many modules, which few kernels need

        assert isinstance(pow, CalledFunction)
        return pow.build(BuilderCall(frame, pow, node, {"x": base, "n": exponent}, sides))
    if exponent < 0 and base.type.is_integer:
        source = ast.unparse(sides["x"]) if sides else "x"
        advice = f"take the power of a floating point number: {floating_for(base.type)}({source}) ** {exponent}"
        frame.fail(OPERATOR, f"{base.type} to the power {exponent} is not an integer", node, advice)
    if exponent < 0:
        one = frame.constant(1, base.type, node)
        return _binary(frame, "div", one, _product(frame, base, -exponent, node), node)
    return _product(frame, base, exponent, node)


def _sides(node: Positioned) -> dict[str, ast.expr]:
    """The sides of the operator in the source, by the parameters of `pow`."""
    if isinstance(node, ast.BinOp):
        return {"x": node.left, "n": node.right}
    return {"x": node.target, "n": node.value} if isinstance(node, ast.AugAssign) else {}


def _is_number(item: Any) -> bool:
    is_value = isinstance(item, Value) and isinstance(item.type, ScalarType)
    return is_value or (is_number(item) and not isinstance(item, bool))


def _has_type(base: Any, exponent: Any) -> bool:
    """Whether the type of the power follows: a literal takes that of a floating point exponent, not of an integer."""
    return isinstance(base, Value) or exponent.type.is_floating


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


def _help(base: Any, exponent: Any, sides: dict[str, ast.expr]) -> str | None:
    if is_python(base) and isinstance(exponent, Value) and isinstance(exponent.type, ScalarType):
        name = ast.unparse(sides["n"]) if sides else "n"
        return f"shift: 1 << {name}" if base == 2 else f"give the base a type: f64({base}) ** {name}"
    return None
