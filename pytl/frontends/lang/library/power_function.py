"""`pow`: which of the ways to a power a call takes, by its exponent."""

from __future__ import annotations

from typing import Any, TypeVar

from ....ir import types
from ....ir.types import ScalarType
from ....ir.values import Value
from ....ops import Cast
from .. import outside
from ..casts import floating_for
from ..function import Call
from ..scalars import Scalar, i32
from ..traced import describe, is_number
from . import powers, real_powers
from .declare import library, unified

N = TypeVar("N", bound="Scalar[Any] | complex")

REAL_POWER_ULPS = {"f64": 1.0, "f32": 0.51, "f16": 1.0, "bf16": 1.0}
"""The bounds of powers with a floating point exponent."""
_MAX_WHOLE = 2**31 - 1
"""The largest exponent, given as a literal with a point, that is taken for the integer."""


def _whole(n: Any) -> Any:
    """The integer that a literal like 2.0 stands for; anything else as it is."""
    return int(n) if isinstance(n, float) and n.is_integer() and abs(n) <= _MAX_WHOLE else n


def _build_pow(call: Call) -> Any:
    x, n = call.arguments["x"], _whole(call.arguments["n"])
    if is_number(x) and is_number(n):
        return _compute_pow(x, n)
    if isinstance(n, float) or (isinstance(n, Value) and isinstance(n.type, ScalarType) and n.type.is_floating):
        return _build_real_pow(call, x, n)
    type_ = n.type if isinstance(n, Value) else None
    narrow = isinstance(type_, ScalarType) and type_.is_integer and type_.name in ("i8", "i16", "i32")
    if not narrow and (isinstance(n, bool) or not isinstance(n, int)):
        call.fail(f"n of pow is {describe(n)}, not a real number, or an integer up to i32", _advice_on_exponent(n), "n")
    x = call.typed(x, None, "x")
    if not isinstance(x.type, ScalarType):
        call.fail(f"x of pow is {describe(x)}, not a number", argument="x")
    if isinstance(n, int) and n < 0 and x.type.is_integer:
        call.fail(f"{x.type} to the power {n} is not an integer", f"cast it: {floating_for(x.type)}(…)", "x")
    if isinstance(n, Value) and x.type.is_complex:
        call.fail("n of pow is known at run time, but x is complex", "write a loop of products", "n")
    if isinstance(n, int) and n == 0:
        return call.typed(1, x.type, "x")
    if x.type.name not in ("f16", "bf16"):
        return call.inline(_power_body(x.type, n), x, n)
    wide = call.emit(Cast, [types.f32], operand=x).result
    return call.emit(Cast, [x.type], operand=call.inline(_power_body(types.f32, n), wide, n)).result


def _build_real_pow(call: Call, x: Any, n: Any) -> Any:
    """The power with a floating point exponent, of which at least one is a value."""
    for name, argument, other in (("x", x, n), ("n", n, x)):
        type_ = argument.type if isinstance(argument, Value) else None
        if isinstance(type_, ScalarType) and type_.is_integer:
            message = f"{name} of pow is {type_}, and the other is a floating point number"
            target = other.type if isinstance(other, Value) else floating_for(type_)
            call.fail(message, f"cast it: {target}(…)", name)
    values = unified(call, lambda type_: type_.is_floating, "a floating point number")
    type_ = values[0].type
    assert isinstance(type_, ScalarType)
    bodies = _bodies_for(n)
    values = values[:1] if bodies is real_powers.HALF_POWERS else values
    if type_.name in bodies:
        return call.inline(bodies[type_.name], *values)
    wide = [call.emit(Cast, [types.f32], operand=each).result for each in values]
    return call.emit(Cast, [type_], operand=call.inline(bodies["f32"], *wide)).result


def _bodies_for(n: Any) -> dict[str, Any]:
    """The functions for a floating point exponent, by type: of both numbers, or of the base alone."""
    is_half = isinstance(n, float) and float(n) == 0.5  # a value of the kernel is no float, and may be anything
    return real_powers.HALF_POWERS if is_half else real_powers.BODIES


def _power_body(type_: ScalarType, n: Any) -> Any:
    return powers.known_body(type_.name, n) if isinstance(n, int) else powers.run_time_body(type_)


def _advice_on_exponent(n: Any) -> str | None:
    is_integer = isinstance(n, Value) and isinstance(n.type, ScalarType) and n.type.is_integer
    return "cast it: i32(…)" if is_integer else None


def _compute_pow(x: Any, n: Any) -> Any:
    n = _whole(n)
    exponent = outside.numbers("pow", [n])
    assert isinstance(exponent.type, ScalarType)
    if not exponent.type.is_integer:
        return _compute_real_pow(x, n)
    n = int(n)
    base = outside.numbers("pow", [float(x) if isinstance(x, int) and n < 0 else x])
    type_ = base.type
    assert isinstance(type_, ScalarType)
    if n < 0 and type_.is_integer:
        outside.fail(f"{type_} to the power {n} is not an integer", "cast it: pytl.f64(…)")
    if isinstance(x, int) and base.are_python:
        return x**n
    if n == 0:
        return base.result(outside.cast(1, type_))
    halves = type_.name in ("f16", "bf16")
    value = outside.cast(base.values[0], types.f32) if halves else base.values[0]
    result = outside.apply(powers.known_body("f32" if halves else type_.name, n), value, n)
    return base.result(outside.cast(result, type_))


def _compute_real_pow(x: Any, n: Any) -> Any:
    base_type = outside.numpy_type(x)
    if isinstance(base_type, ScalarType) and base_type.is_integer:
        outside.fail(f"x of pow is {base_type}, and the other is a floating point number", "cast it: pytl.f64(…)")
    numbers = outside.numbers("pow", [x, n], floating=True)
    type_ = numbers.type
    assert isinstance(type_, ScalarType)
    if not type_.is_floating:
        outside.fail(f"{type_} to the power of a number with a fraction has several values, and pow takes real numbers")
    halves = type_.name in ("f16", "bf16")
    values = [outside.cast(value, types.f32) for value in numbers.values] if halves else numbers.values
    bodies = _bodies_for(n)
    values = values[:1] if bodies is real_powers.HALF_POWERS else values
    return numbers.result(outside.cast(outside.apply(bodies["f32" if halves else type_.name], *values), type_))


@library(_build_pow, _compute_pow, {"f64": 2.0, "f32": 2.0, "f16": 1.0, "bf16": 1.0})
def pow(x: N, n: N | i32 | complex) -> N:
    """A number to the power of another; the result has the type of the number.

    Where both are of one floating point type, the result is within 1 ulp in f64 and 0.51 in f32, and exact if the
    power is a number of the type. Special cases are those of IEEE 754 and NumPy: the result is nan for an x below zero
    and an n with a fraction.

    Or n is a Python integer, or an i32, i16 or i8; a literal like 2.0 is taken for the integer. Floating point numbers
    are then within 2 ulp. Integers wrap around; for an n below zero that is known at run time only, the power of an
    integer is 1 / x**-n without its fraction, and 0 for 0. Powers of complex numbers are plain products, without a
    bound, and n is a Python integer. With n = 0 the result is 1, also for nan.

    >>> import pytl
    >>> pytl.pow(1.5, 2), pytl.pow(2.0, -1074), pytl.pow(3, 4), pytl.pow(32.0, 0.2)
    (2.25, 5e-324, 81, 2.0)
    """
