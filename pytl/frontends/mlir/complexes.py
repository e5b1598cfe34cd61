"""complex: numbers of two parts."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from ...ir.types import ScalarType
from ...ir.values import Value
from ...mlir.text import Complex, Operation
from ...ops import Math
from ...ops.builder import Builder
from ...ops.constants import round_to
from . import elementary, rules, scalars
from .context import Context, Handler
from .numbers import arith, bits, unary
from .types import number_type
from .values import Result

Function = Callable[..., Value]


def _type(ctx: Context, op: Operation) -> ScalarType:
    """The complex type that an operation gives."""
    type_ = op.result_types[0] if op.result_types else None
    number = number_type(type_) if isinstance(type_, Complex) else None
    if not isinstance(number, ScalarType):
        ctx.fail(op, rules.TYPE, f"there are no complex numbers of the type {type_}", "complex<f32> and complex<f64>")
    return number


def _operation(function: Function, count: int, of_parts: bool = False) -> Handler:
    def write(ctx: Context, op: Operation) -> Sequence[Result]:
        if len(op.operands) != count:
            ctx.fail(op, rules.OPERANDS, f"it has {count} operands, not {len(op.operands)}")
        values = [ctx.number(op, number) for number in range(count)]
        if any(getattr(each.type, "is_complex", False) is of_parts or each.type != values[0].type for each in values):
            kind = "floating point numbers" if of_parts else "complex numbers"
            ctx.fail(op, rules.OPERANDS, f"its operands are {kind} of one type")
        return [function(ctx.builder, *values, *([_type(ctx, op)] if of_parts else []))]

    return write


def created(builder: Builder, real: Value, imaginary: Value, type_: ScalarType) -> Value:
    """The number of two parts."""
    unit = builder.constant(type_, 1j)
    turned = builder.arith("mul", builder.cast(imaginary, type_), unit)
    return builder.arith("add", builder.cast(real, type_), turned)


def _of(builder: Builder, like: Value, real: Value, imaginary: Value) -> Value:
    return created(builder, real, imaginary, like.type)


def _parts(builder: Builder, a: Value) -> tuple[Value, Value]:
    return builder.unary("re", a), builder.unary("im", a)


def _exp(builder: Builder, a: Value) -> Value:
    return builder.add(Math(builder.location, [a.type], variant="exp", a=a)).results[0]


def _angle(builder: Builder, a: Value) -> Value:
    real, imaginary = _parts(builder, a)
    return elementary.angle(builder, imaginary, real)


def _log(builder: Builder, a: Value) -> Value:
    return _of(builder, a, elementary.FUNCTIONS["log"](builder, builder.unary("abs", a)), _angle(builder, a))


def _pow(builder: Builder, a: Value, b: Value) -> Value:
    power = _exp(builder, builder.arith("mul", b, _log(builder, a)))
    zero = builder.zero(a.type)
    is_above = builder.compare("gt", builder.unary("re", b), builder.zero(builder.unary("re", b).type))
    is_zero = builder.arith("and", builder.compare("eq", a, zero), is_above)
    power = scalars.select(builder, is_zero, zero, power)
    # of the exponent 0 also where the logarithm is infinite
    return scalars.select(builder, builder.compare("eq", b, zero), builder.one(a.type), power)


def _sqrt(builder: Builder, a: Value) -> Value:
    """The root with the real part from 0 on: √((|a| + |re|) / 2), and half the imaginary part by that."""
    real, imaginary = _parts(builder, a)
    half = builder.constant(real.type, 0.5)
    sum_ = builder.arith("add", builder.unary("abs", a), builder.unary("abs", real))
    large = scalars.called(builder, "sqrt", [builder.arith("mul", sum_, half)])
    zero = builder.zero(real.type)
    small = builder.arith("div", builder.arith("mul", builder.unary("abs", imaginary), half), large)
    small = scalars.select(builder, builder.compare("eq", large, zero), zero, small)
    is_right = builder.compare("ge", real, zero)
    other = scalars.with_sign(builder, scalars.select(builder, is_right, small, large), imaginary)
    return _of(builder, a, scalars.select(builder, is_right, large, small), other)


def _inverse_sqrt(builder: Builder, a: Value) -> Value:
    """The conjugate of the root by its square."""
    real, imaginary = _parts(builder, _sqrt(builder, a))
    size = builder.unary("abs", a)
    zero, infinity = builder.zero(size.type), scalars.floating(builder, size.type, math.inf)
    parts = [
        scalars.select(builder, builder.compare("eq", size, infinity), zero, builder.arith("div", each, size))
        for each in (real, builder.unary("neg", imaginary))
    ]
    # the inverse of zero is infinite, in no direction
    parts[0] = scalars.select(builder, builder.compare("eq", size, zero), infinity, parts[0])
    return _of(builder, a, *parts)


def _less_one(builder: Builder, a: Value) -> Value:
    """exp(a) - 1: the real part is (exp(x) - 1) cos(y) - 2 sin²(y / 2)."""
    x, y = _parts(builder, a)
    half = elementary.FUNCTIONS["sin"](builder, builder.arith("mul", y, builder.constant(y.type, 0.5)))
    off = builder.arith("mul", builder.arith("mul", builder.constant(y.type, 2.0), half), half)
    grown = builder.arith("mul", elementary.FUNCTIONS["expm1"](builder, x), elementary.FUNCTIONS["cos"](builder, y))
    turned = builder.arith("mul", elementary.FUNCTIONS["exp"](builder, x), elementary.FUNCTIONS["sin"](builder, y))
    # an infinite exponential of a real number has no other part
    is_real = builder.compare("eq", y, builder.zero(y.type))
    return _of(builder, a, builder.arith("sub", grown, off), scalars.select(builder, is_real, y, turned))


def _log_of_one_more(builder: Builder, a: Value) -> Value:
    """log(1 + a): half the logarithm of 1 + (2 x + x² + y²), unless the size of 1 + a is far from 1."""
    x, y = _parts(builder, a)
    one, half = builder.one(x.type), builder.constant(x.type, 0.5)
    more = builder.arith("add", one, x)
    squares = builder.arith(
        "add",
        builder.arith("mul", x, builder.arith("add", builder.constant(x.type, 2.0), x)),
        builder.arith("mul", y, y),
    )
    near = builder.arith("mul", half, elementary.log_of_one_more(builder, squares))
    size = builder.unary("abs", _of(builder, a, more, y))
    is_far = builder.arith(
        "or",
        builder.compare("gt", size, builder.constant(x.type, 4.0)),
        builder.compare("lt", size, builder.constant(x.type, 0.5)),
    )
    real = scalars.select(builder, is_far, elementary.FUNCTIONS["log"](builder, size), near)
    return _of(builder, a, real, elementary.angle(builder, y, more))


_END_OF_TANGENT = 20.0
"""From here on, the real part of a hyperbolic tangent is 1 in each type."""


def _hyperbolic_tangent(builder: Builder, x: Value, y: Value) -> tuple[Value, Value]:
    """The parts of tanh(x + i y), by the sine of one and the tangent of the other (Kahan)."""
    one = builder.one(x.type)
    size, end = builder.unary("abs", x), builder.constant(x.type, _END_OF_TANGENT)
    is_far = builder.compare("gt", size, end)
    sine = elementary.FUNCTIONS["sinh"](builder, scalars.select(builder, is_far, end, size))
    tangent = elementary.FUNCTIONS["tan"](builder, y)
    square, steep = (builder.arith("mul", each, each) for each in (sine, tangent))
    cosine = scalars.called(builder, "sqrt", [builder.arith("add", one, square)])
    steep = builder.arith("add", one, steep)
    below = builder.arith("add", one, builder.arith("mul", steep, square))
    above = builder.arith("mul", builder.arith("mul", steep, cosine), sine)
    real = scalars.select(builder, is_far, one, builder.arith("div", above, below))
    # 4 sin(y) cos(y) exp(-2 |x|)
    both = builder.arith("mul", elementary.FUNCTIONS["sin"](builder, y), elementary.FUNCTIONS["cos"](builder, y))
    small = elementary.FUNCTIONS["exp"](builder, builder.arith("mul", builder.constant(x.type, -2.0), size))
    small = builder.arith("mul", builder.arith("mul", builder.constant(x.type, 4.0), both), small)
    imaginary = scalars.select(builder, is_far, small, builder.arith("div", tangent, below))
    return scalars.with_sign(builder, real, x), imaginary


def _tanh(builder: Builder, a: Value) -> Value:
    return _of(builder, a, *_hyperbolic_tangent(builder, *_parts(builder, a)))


def _tan(builder: Builder, a: Value) -> Value:
    """tan(z) = -i tanh(i z)."""
    x, y = _parts(builder, a)
    imaginary, real = _hyperbolic_tangent(builder, y, x)
    return _of(builder, a, real, imaginary)


def _angle_of_two(builder: Builder, y: Value, x: Value) -> Value:
    """-i log(w), where w = (x + i y) / √(x² + y²).

    w² is (x + i y) / (x - i y), whose angle and size need no difference of numbers that are nearly equal. The root is
    only asked for its direction.
    """
    (xr, xi), (yr, yi) = _parts(builder, x), _parts(builder, y)
    mul, add, sub = (arith(word) for word in ("mul", "add", "sub"))
    two, four = (builder.constant(xr.type, number) for number in (2.0, 4.0))

    def square(real: Value, imaginary: Value) -> Value:
        return add(builder, mul(builder, real, real), mul(builder, imaginary, imaginary))

    real, imaginary = sub(builder, xr, yi), add(builder, xi, yr)
    along = add(builder, mul(builder, xr, yr), mul(builder, xi, yi))
    across = sub(builder, mul(builder, yi, xr), mul(builder, yr, xi))
    difference = sub(builder, square(xr, xi), square(yr, yi))
    half = mul(
        builder,
        builder.constant(xr.type, 0.5),
        elementary.angle(builder, mul(builder, two, along), difference),
    )
    root = _sqrt(builder, add(builder, mul(builder, x, x), mul(builder, y, y)))
    root_parts = _parts(builder, root)
    # w by a positive factor, and its part in the direction of the half angle
    cosine = add(builder, mul(builder, real, root_parts[0]), mul(builder, imaginary, root_parts[1]))
    sine = sub(builder, mul(builder, imaginary, root_parts[0]), mul(builder, real, root_parts[1]))
    same = add(
        builder,
        mul(builder, cosine, elementary.FUNCTIONS["cos"](builder, half)),
        mul(builder, sine, elementary.FUNCTIONS["sin"](builder, half)),
    )
    zero = builder.zero(xr.type)
    pi = builder.constant(xr.type, round_to(math.pi, xr.type))
    is_above = builder.compare("gt", half, zero)
    other = scalars.select(builder, is_above, sub(builder, half, pi), add(builder, half, pi))
    turned = scalars.select(builder, builder.compare("lt", same, zero), other, half)
    # how much larger the square of one of x ± i y is, beside the smaller one
    smaller = scalars.select(
        builder,
        builder.compare("lt", across, zero),
        square(add(builder, xr, yi), sub(builder, xi, yr)),
        square(real, imaginary),
    )
    ratio = builder.arith("div", mul(builder, four, builder.unary("abs", across)), smaller)
    quarter = mul(builder, builder.constant(xr.type, 0.25), elementary.log_of_one_more(builder, ratio))
    return _of(builder, x, turned, scalars.with_sign(builder, quarter, across))


def _sign(builder: Builder, a: Value) -> Value:
    size = builder.cast(builder.unary("abs", a), a.type)
    zero = builder.zero(a.type)
    return scalars.select(builder, builder.compare("eq", a, zero), zero, builder.arith("div", a, size))


def _circular(real: Sequence[str], imaginary: Sequence[str], sign: float = 1.0) -> Function:
    """A function whose parts are products of a function of the real part, and one of the imaginary part."""

    def write(builder: Builder, a: Value) -> Value:
        x, y = _parts(builder, a)
        parts = [
            builder.arith("mul", elementary.FUNCTIONS[of_x](builder, x), elementary.FUNCTIONS[of_y](builder, y))
            for of_x, of_y in (real, imaginary)
        ]
        return _of(builder, a, parts[0], builder.unary("neg", parts[1]) if sign < 0 else parts[1])

    return write


def _constant(ctx: Context, op: Operation) -> Sequence[Result]:
    type_, parts = _type(ctx, op), op.attributes.get("value")
    if not isinstance(parts, tuple) or len(parts) != 2 or not all(isinstance(each, (int, float)) for each in parts):
        ctx.fail(op, rules.OPERANDS, "its value is two numbers")
    return [ctx.builder.constant(type_, complex(*parts))]


def _whole_power(ctx: Context, op: Operation) -> Sequence[Result]:
    """The power of a complex number with an exponent that is an integer."""
    a, n = ctx.number(op, 0), ctx.number(op, 1)
    if a.type != _type(ctx, op) or not isinstance(n.type, ScalarType) or not n.type.is_integer:
        ctx.fail(op, rules.OPERANDS, "it has a complex number, and an exponent that is an integer")
    return [_pow(ctx.builder, a, ctx.builder.cast(n, a.type))]


def _compare(variant: str) -> Function:
    return lambda at, a, b: at.compare(variant, a, b)


HANDLERS: dict[str, Handler] = {
    "complex.constant": _constant,
    "complex.bitcast": bits,
    "complex.powi": _whole_power,
    "complex.create": _operation(created, 2, of_parts=True),
    **{f"complex.{word}": _operation(arith(word), 2) for word in ("add", "sub", "mul", "div")},
    **{f"complex.{word}": _operation(unary(word), 1) for word in ("re", "im", "abs", "conj", "neg")},
    "complex.eq": _operation(_compare("eq"), 2),
    "complex.neq": _operation(_compare("ne"), 2),
    "complex.exp": _operation(_exp, 1),
    "complex.log": _operation(_log, 1),
    "complex.pow": _operation(_pow, 2),
    "complex.sqrt": _operation(_sqrt, 1),
    "complex.rsqrt": _operation(_inverse_sqrt, 1),
    "complex.expm1": _operation(_less_one, 1),
    "complex.log1p": _operation(_log_of_one_more, 1),
    "complex.tanh": _operation(_tanh, 1),
    "complex.tan": _operation(_tan, 1),
    "complex.atan2": _operation(_angle_of_two, 2),
    "complex.sign": _operation(_sign, 1),
    "complex.angle": _operation(_angle, 1),
    "complex.sin": _operation(_circular(("sin", "cosh"), ("cos", "sinh")), 1),
    "complex.cos": _operation(_circular(("cos", "cosh"), ("sin", "sinh"), -1.0), 1),
}
