"""complex: numbers of two parts."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...ir.types import ScalarType
from ...ir.values import Value
from ...mlir.text import Complex, Operation
from ...ops import Math
from ...ops.builder import Builder
from . import elementary, rules, scalars
from .context import Context, Handler
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
    is_zero = builder.arith("and", builder.compare("eq", a, zero), builder.compare("ne", b, zero))
    return scalars.select(builder, is_zero, zero, power)


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


def _arith(variant: str) -> Function:
    return lambda at, a, b: at.arith(variant, a, b)


def _unary(variant: str) -> Function:
    return lambda at, a: at.unary(variant, a)


def _constant(ctx: Context, op: Operation) -> Sequence[Result]:
    type_, parts = _type(ctx, op), op.attributes.get("value")
    if not isinstance(parts, tuple) or len(parts) != 2 or not all(isinstance(each, (int, float)) for each in parts):
        ctx.fail(op, rules.OPERANDS, "its value is two numbers")
    return [ctx.builder.constant(type_, complex(*parts))]


def _compare(variant: str) -> Function:
    return lambda at, a, b: at.compare(variant, a, b)


HANDLERS: dict[str, Handler] = {
    "complex.constant": _constant,
    "complex.create": _operation(created, 2, of_parts=True),
    **{f"complex.{word}": _operation(_arith(word), 2) for word in ("add", "sub", "mul", "div")},
    **{f"complex.{word}": _operation(_unary(word), 1) for word in ("re", "im", "abs", "conj", "neg")},
    "complex.eq": _operation(_compare("eq"), 2),
    "complex.neq": _operation(_compare("ne"), 2),
    "complex.exp": _operation(_exp, 1),
    "complex.log": _operation(_log, 1),
    "complex.pow": _operation(_pow, 2),
    "complex.sqrt": _operation(_sqrt, 1),
    "complex.sign": _operation(_sign, 1),
    "complex.angle": _operation(_angle, 1),
    "complex.sin": _operation(_circular(("sin", "cosh"), ("cos", "sinh")), 1),
    "complex.cos": _operation(_circular(("cos", "cosh"), ("sin", "sinh"), -1.0), 1),
}
