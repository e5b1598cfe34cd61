"""complex: numbers of two parts. Its functions are formulas in the language, as those of `elementary.py`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...ir.types import ScalarType
from ...ir.values import Value
from ...mlir.text import Complex, Operation
from ...ops import ArithBinary, Cast
from ..lang import cosh, exp, expm1, sinh, sqrt, tan, where
from ..lang.function import Call, CalledFunction
from . import rules
from .context import Context, Handler, reads
from .elementary import HALF, PI, QUARTER, angle, cos, infinity, log, log_of_one_more, sin, with_sign
from .numbers import Function, arith, unary
from .scalars import written
from .types import COMPLEX, number_type
from .values import Result

END_OF_TANGENT = 20.0
"""From here on, the real part of a hyperbolic tangent is 1 in each type."""


def _of_parts(call: Call) -> Value:
    parts = [call.arguments[name] for name in ("real", "imaginary")]
    type_ = COMPLEX[parts[0].type.name]
    real, imaginary = (call.emit(Cast, [type_], operand=part).result for part in parts)
    turned = call.emit(ArithBinary, variant="mul", a=imaginary, b=call.typed(1j, type_, "imaginary")).result
    result: Value = call.emit(ArithBinary, variant="add", a=real, b=turned).result
    return result


of_parts: Any = CalledFunction(lambda real, imaginary: real, _of_parts, name="of_parts")
"""The number of two parts."""


def logarithm(a: Any) -> Any:
    return of_parts(log(abs(a)), angle(a.imag, a.real))


def power(a: Any, b: Any) -> Any:
    is_zero = (a == 0.0) & (b.real > 0.0)
    result = where(is_zero, 0.0, exp(b * logarithm(a)))
    # of the exponent 0 also where the logarithm is infinite
    return where(b == 0.0, 1.0, result)


def root(a: Any) -> Any:
    """The root with the real part from 0 on: √((|a| + |re|) / 2), and half the imaginary part by that."""
    large = sqrt((abs(a) + abs(a.real)) * HALF)
    small = where(large == 0.0, 0.0, abs(a.imag) * HALF / large)
    is_right = a.real >= 0.0
    return of_parts(where(is_right, large, small), with_sign(where(is_right, small, large), a.imag))


def inverse_root(a: Any) -> Any:
    """The conjugate of the root by its square."""
    whole, size = root(a), abs(a)
    beyond = infinity(size)
    real = where(size == beyond, 0.0, whole.real / size)
    imaginary = where(size == beyond, 0.0, -whole.imag / size)
    # the inverse of zero is infinite, in no direction
    return of_parts(where(size == 0.0, beyond, real), imaginary)


def exponential_less_one(a: Any) -> Any:
    """exp(a) - 1: the real part is (exp(x) - 1) cos(y) - 2 sin²(y / 2)."""
    x, y = a.real, a.imag
    half = sin(y * HALF)
    turned = exp(x) * sin(y)
    # an infinite exponential of a real number has no other part
    return of_parts(expm1(x) * cos(y) - 2.0 * half * half, where(y == 0.0, y, turned))


def complex_log_of_one_more(a: Any) -> Any:
    """log(1 + a): half the logarithm of 1 + (2 x + x² + y²), unless the size of 1 + a is far from 1."""
    x, y = a.real, a.imag
    more = 1.0 + x
    near = HALF * log_of_one_more(x * (2.0 + x) + y * y)
    size = abs(of_parts(more, y))
    is_far = (size > 4.0) | (size < HALF)
    return of_parts(where(is_far, log(size), near), angle(y, more))


def hyperbolic_tangent_of_parts(x: Any, y: Any) -> Any:
    """The parts of tanh(x + i y), by the sine of one and the tangent of the other (Kahan)."""
    size = abs(x)
    is_far = size > END_OF_TANGENT
    sine, tangent = sinh(where(is_far, END_OF_TANGENT, size)), tan(y)
    square, steep = sine * sine, 1.0 + tangent * tangent
    below = 1.0 + steep * square
    real = where(is_far, 1.0, steep * sqrt(1.0 + square) * sine / below)
    # 4 sin(y) cos(y) exp(-2 |x|)
    small = 4.0 * (sin(y) * cos(y)) * exp(-2.0 * size)
    return with_sign(real, x), where(is_far, small, tangent / below)


def hyperbolic_tangent(a: Any) -> Any:
    real, imaginary = hyperbolic_tangent_of_parts(a.real, a.imag)
    return of_parts(real, imaginary)


def tangent(a: Any) -> Any:
    """tan(z) = -i tanh(i z)."""
    imaginary, real = hyperbolic_tangent_of_parts(a.imag, a.real)
    return of_parts(real, imaginary)


def size_squared(x: Any, y: Any) -> Any:
    return x * x + y * y


def angle_of_two(y: Any, x: Any) -> Any:
    """-i log(w), where w = (x + i y) / √(x² + y²).

    w² is (x + i y) / (x - i y), whose angle and size need no difference of numbers that are nearly equal. The root is
    only asked for its direction.
    """
    real, imaginary = x.real - y.imag, x.imag + y.real
    along = x.real * y.real + x.imag * y.imag
    across = y.imag * x.real - y.real * x.imag
    half = HALF * angle(2.0 * along, size_squared(x.real, x.imag) - size_squared(y.real, y.imag))
    whole = root(x * x + y * y)
    # w by a positive factor, and its part in the direction of the half angle
    cosine = real * whole.real + imaginary * whole.imag
    sine = imaginary * whole.real - real * whole.imag
    other = where(half > 0.0, half - PI, half + PI)
    turned = where(cosine * cos(half) + sine * sin(half) < 0.0, other, half)
    # how much larger the square of one of x ± i y is, beside the smaller one
    reverse = size_squared(x.real + y.imag, x.imag - y.real)
    smaller = where(across < 0.0, reverse, size_squared(real, imaginary))
    quarter = QUARTER * log_of_one_more(4.0 * abs(across) / smaller)
    return of_parts(turned, with_sign(quarter, across))


def sign(a: Any) -> Any:
    size = abs(a)
    return where(a == 0.0, 0.0, of_parts(a.real / size, a.imag / size))


def sine(a: Any) -> Any:
    return of_parts(sin(a.real) * cosh(a.imag), cos(a.real) * sinh(a.imag))


def cosine(a: Any) -> Any:
    return of_parts(cos(a.real) * cosh(a.imag), -(sin(a.real) * sinh(a.imag)))


def angle_of(a: Any) -> Any:
    return angle(a.imag, a.real)


# Operations.


def _type(ctx: Context, op: Operation) -> ScalarType:
    """The complex type that an operation gives."""
    type_ = op.result_types[0] if op.result_types else None
    number = number_type(type_) if isinstance(type_, Complex) else None
    if not isinstance(number, ScalarType):
        ctx.fail(op, rules.TYPE, f"there are no complex numbers of the type {type_}", "complex<f32> and complex<f64>")
    return number


def _operation(count: int, function: Function, kind: str = "complex numbers") -> Handler:
    """A function of so many numbers of one type, which are complex unless another kind is named."""

    def write(ctx: Context, op: Operation) -> Sequence[Result]:
        if len(op.operands) != count:
            ctx.fail(op, rules.OPERANDS, f"it has {count} operands, not {len(op.operands)}")
        values = [ctx.number(op, number) for number in range(count)]
        is_complex = {getattr(each.type, "is_complex", False) for each in values}
        if is_complex != {kind == "complex numbers"} or any(each.type != values[0].type for each in values):
            ctx.fail(op, rules.OPERANDS, f"its operands are {kind} of one type")
        return [function(ctx.builder, *values)]

    return write


def _created(ctx: Context, op: Operation) -> Sequence[Result] | None:
    _type(ctx, op)
    return _operation(2, written(of_parts), "floating point numbers")(ctx, op)


@reads("complex.constant")
def _constant(ctx: Context, op: Operation) -> Sequence[Result]:
    type_, parts = _type(ctx, op), op.attributes.get("value")
    if not isinstance(parts, tuple) or len(parts) != 2 or not all(isinstance(each, (int, float)) for each in parts):
        ctx.fail(op, rules.OPERANDS, "its value is two numbers")
    return [ctx.builder.constant(type_, complex(*parts))]


@reads("complex.powi")
def _whole_power(ctx: Context, op: Operation) -> Sequence[Result]:
    """The power of a complex number with an exponent that is an integer."""
    a, n = ctx.number(op, 0), ctx.number(op, 1)
    if a.type != _type(ctx, op) or not isinstance(n.type, ScalarType) or not n.type.is_integer:
        ctx.fail(op, rules.OPERANDS, "it has a complex number, and an exponent that is an integer")
    return [written(power)(ctx.builder, a, ctx.builder.cast(n, a.type))]


_FORMULAS = {
    "exp": exp,
    "log": logarithm,
    "sqrt": root,
    "rsqrt": inverse_root,
    "expm1": exponential_less_one,
    "log1p": complex_log_of_one_more,
    "tanh": hyperbolic_tangent,
    "tan": tangent,
    "sign": sign,
    "angle": angle_of,
    "sin": sine,
    "cos": cosine,
}
_OPERATIONS: dict[str, Handler] = {
    "complex.create": _created,
    **{f"complex.{word}": _operation(2, arith(word)) for word in ("add", "sub", "mul", "div")},
    **{f"complex.{word}": _operation(1, unary(word)) for word in ("re", "im", "abs", "conj", "neg")},
    **{f"complex.{word}": _operation(1, written(formula)) for word, formula in _FORMULAS.items()},
    "complex.pow": _operation(2, written(power)),
    "complex.atan2": _operation(2, written(angle_of_two)),
    "complex.eq": _operation(2, lambda at, a, b: at.compare("eq", a, b)),
    "complex.neq": _operation(2, lambda at, a, b: at.compare("ne", a, b)),
}
for _name, _handler in _OPERATIONS.items():
    reads(_name)(_handler)
