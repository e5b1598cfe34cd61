"""Functions of numbers as a kernel body calls them, with the bound on the error of each.

A bound is in units in the last place (ulp) of the correctly rounded result, and holds for all arguments.
docs/guide/functions.md has the measured errors.
"""

from __future__ import annotations

import builtins
from typing import Any, TypeVar, overload

from ....ir.types import BoolType, ScalarType
from ....ir.values import Value
from ....ops import ArithBinary, ArithUnary
from .. import outside
from ..function import Call
from ..scalars import Floating, Real, Scalar, V, c32, c64, f32, f64
from ..traced import describe, is_number
from . import exponentials, hyperbolic, inverse_trigonometry, logarithms, roots, rounding, trigonometry
from .declare import library, of_floating, of_one_type, spread, unified

WITH_FASTMATH = {"log": 2.0, "log2": 2.0, "sin": 2.0, "cos": 2.0, "tan": 3.0, "asin": 3.0, "acos": 2.0, "atan": 2.0}
"""The bounds of f32 in vectors, with the option `fastmath`, where they are others."""

F = TypeVar("F", bound="Floating | float")
R = TypeVar("R", bound="Real[Any] | float")
N = TypeVar("N", bound="Scalar[Any] | complex")
P = TypeVar("P", bound=complex)


def is_real(type_: ScalarType) -> bool:
    return not type_.is_complex


@of_floating(roots.sqrt_f64, roots.sqrt_f32, ulps=(0.5, 0.5))
def sqrt(x: F) -> F:
    """The square root of a floating point number, rounded correctly; nan below zero, and -0.0 for -0.0.

    f32, and f16 and bf16 through f32, are computed in f64.

    >>> import pytl
    >>> pytl.sqrt(2.0)
    1.4142135623730951
    """


@of_floating(roots.rsqrt_f64, roots.rsqrt_f32, ulps=(1.5, 0.5))
def rsqrt(x: F) -> F:
    """One divided by the square root of a floating point number, within 1.5 ulp in f64; f32 is rounded correctly.

    The result is inf for 0.0, -inf for -0.0, and nan below zero.

    >>> import pytl
    >>> pytl.rsqrt(4.0)
    0.5
    """


@of_floating(rounding.floor_f64, rounding.floor_f32, ulps=(0, 0))
def floor(x: F) -> F:
    """The largest whole number that is not above a floating point number; exact, and of the number's type.

    >>> import pytl
    >>> pytl.floor(-1.5)
    -2.0
    """


@of_floating(rounding.ceil_f64, rounding.ceil_f32, ulps=(0, 0))
def ceil(x: F) -> F:
    """The smallest whole number that is not below a floating point number; exact, and of the number's type.

    >>> import pytl
    >>> pytl.ceil(-1.5), pytl.ceil(-0.5)
    (-1.0, -0.0)
    """


@of_floating(logarithms.log_f64, logarithms.log_f32, ulps=(1.0, 0.51))
def log(x: F) -> F:
    """The natural logarithm of a floating point number, within 1 ulp in f64, 0.51 in f32.

    The result is -inf for zeros, and nan below zero.

    >>> import pytl
    >>> pytl.log(1.0), pytl.log(0.0)
    (0.0, -inf)
    """


@of_floating(logarithms.log2_f64, logarithms.log2_f32, ulps=(1.0, 0.51))
def log2(x: F) -> F:
    """The logarithm of a floating point number to the base 2, within 1 ulp in f64, 0.51 in f32.

    The result is exact for powers of two, -inf for zeros, and nan below zero.

    >>> import pytl
    >>> pytl.log2(8.0)
    3.0
    """


@of_floating(trigonometry.sin_f64, trigonometry.sin_f32, ulps=(1.0, 0.51))
def sin(x: F) -> F:
    """The sine of an angle in radians, within 1 ulp in f64, 0.51 in f32, however large the angle is.

    The result is nan for infinities.

    >>> import pytl
    >>> pytl.sin(1e300)
    -0.8178819121159085
    """


@of_floating(trigonometry.cos_f64, trigonometry.cos_f32, ulps=(1.0, 0.51))
def cos(x: F) -> F:
    """The cosine of an angle in radians, within 1 ulp in f64, 0.51 in f32, however large the angle is.

    The result is nan for infinities.

    >>> import pytl
    >>> pytl.cos(0.0)
    1.0
    """


@of_floating(trigonometry.tan_f64, trigonometry.tan_f32, ulps=(1.5, 0.51))
def tan(x: F) -> F:
    """The tangent of an angle in radians, within 1.5 ulp in f64, 0.51 in f32, however large the angle is.

    The result is nan for infinities.

    >>> import pytl
    >>> pytl.tan(0.0)
    0.0
    """


@of_floating(inverse_trigonometry.asin_f64, inverse_trigonometry.asin_f32, ulps=(1.0, 0.51))
def asin(x: F) -> F:
    """The angle in radians, from -π/2 to π/2, whose sine is a number, within 1 ulp in f64, 0.51 in f32.

    The result is nan above 1 and below -1.

    >>> import pytl
    >>> pytl.asin(1.0)
    1.5707963267948966
    """


@of_floating(inverse_trigonometry.acos_f64, inverse_trigonometry.acos_f32, ulps=(1.0, 0.51))
def acos(x: F) -> F:
    """The angle in radians, from 0 to π, whose cosine is a number, within 1 ulp in f64, 0.51 in f32.

    The result is nan above 1 and below -1.

    >>> import pytl
    >>> pytl.acos(1.0)
    0.0
    """


@of_floating(inverse_trigonometry.atan_f64, inverse_trigonometry.atan_f32, ulps=(1.0, 0.51))
def atan(x: F) -> F:
    """The angle in radians, from -π/2 to π/2, whose tangent is a number, within 1 ulp in f64, 0.51 in f32.

    >>> import pytl
    >>> pytl.atan(1.0)
    0.7853981633974483
    """


@of_floating(exponentials.sinh_f64, exponentials.sinh_f32, ulps=(1.0, 0.51))
def sinh(x: F) -> F:
    """The hyperbolic sine of a floating point number, within 1 ulp in f64, 0.51 in f32.

    >>> import pytl
    >>> pytl.sinh(1.0)
    1.1752011936438014
    """


@of_floating(exponentials.cosh_f64, exponentials.cosh_f32, ulps=(1.0, 0.51))
def cosh(x: F) -> F:
    """The hyperbolic cosine of a floating point number, within 1 ulp in f64, 0.51 in f32.

    >>> import pytl
    >>> pytl.cosh(0.0)
    1.0
    """


@of_floating(exponentials.expm1_f64, exponentials.expm1_f32, ulps=(1.0, 0.51))
def expm1(x: F) -> F:
    """The exponential of a floating point number, less 1, within 1 ulp in f64, 0.51 in f32.

    Near zero, where the exponential is next to 1, it keeps all digits.

    >>> import pytl
    >>> pytl.expm1(1e-20)
    1e-20
    """


@of_floating(hyperbolic.tanh_f64, hyperbolic.tanh_f32, ulps=(2.0, 2.0))
def tanh(x: F) -> F:
    """The hyperbolic tangent of a floating point number, within 2 ulp.

    >>> import pytl
    >>> pytl.tanh(100.0)
    1.0
    """


@of_floating(hyperbolic.erf_f64, hyperbolic.erf_f32, ulps=(2.0, 0.51))
def erf(x: F) -> F:
    """The error function of a floating point number, within 2 ulp in f64, 0.51 in f32.

    >>> import pytl
    >>> pytl.erf(0.0), pytl.erf(10.0)
    (0.0, 1.0)
    """


def _extreme(variant: str) -> Any:
    def build(call: Call) -> Any:
        items = spread(call.arguments.values())
        if all(is_number(item) for item in items):
            return compute(*items)
        first, *rest = unified(call, is_real, "a real number")
        for other in rest:
            first = call.emit(ArithBinary, variant=variant, a=first, b=other).result
        return first

    def compute(*items: Any) -> Any:
        import numpy as np

        from ....ops import scalars

        numbers = outside.numbers(variant, items)
        if not isinstance(numbers.type, ScalarType) or numbers.type.is_complex:
            outside.fail(f"{variant} takes real numbers, but got {numbers.type}")
        first, *rest = (np.array([value]) for value in numbers.values)
        for other in rest:
            first = scalars.binary(variant, first, other, numbers.type)
        return numbers.result(first[0])

    return library(build, compute)


@_extreme("min")
def min(a: R, b: R | float, *more: R | float) -> R:
    """The smallest of numbers of one real type, like Python's own `min` in a kernel; nans are ignored.

    Manual: Arithmetic (binary).

    >>> import pytl
    >>> pytl.min(2.0, float("nan"), 1.5)
    1.5
    """


@_extreme("max")
def max(a: R, b: R | float, *more: R | float) -> R:
    """The largest of numbers of one real type, like Python's own `max` in a kernel; nans are ignored.

    Manual: Arithmetic (binary).

    >>> import pytl
    >>> pytl.max(2, 3)
    3
    """


def _build_abs(call: Call) -> Any:
    argument = call.arguments["x"]
    if is_number(argument):
        return builtins.abs(argument)
    value = call.typed(argument, None, "x")
    if not isinstance(value.type, ScalarType):
        call.fail(f"x of abs is {describe(value)}, not a number", argument="x")
    return call.emit(ArithUnary, variant="abs", a=value).result


def _compute_abs(number: Any) -> Any:
    import numpy as np

    from ....ops import scalars

    numbers = outside.numbers("abs", [number])
    assert isinstance(numbers.type, ScalarType)
    return numbers.result(scalars.unary("abs", np.array(numbers.values), numbers.type, numbers.type.component)[0])


@overload
def abs(x: c32) -> f32: ...
@overload
def abs(x: c64) -> f64: ...
@overload
def abs(x: R) -> R: ...
@overload
def abs(x: complex) -> float: ...
@library(_build_abs, _compute_abs)
def abs(x: Any) -> Any:
    """The absolute value of a number, like Python's own `abs` in a kernel; that of a complex number is real.

    Manual: Arithmetic (unary).

    >>> import pytl
    >>> pytl.abs(-1.5), pytl.abs(3 + 4j)
    (1.5, 5.0)
    """


def _sign(x: Any) -> Any:
    return 1 if x > 0 else -1 if x < 0 else x


@of_one_type(_sign, is_real, "a real number")
def sign(x: R) -> R:
    """1 for a number above zero, -1 for one below zero; zeros, with their sign, and nan are returned unchanged.

    >>> import pytl
    >>> pytl.sign(-0.5), pytl.sign(7)
    (-1.0, 1)
    """


def _clamp(x: Any, low: Any, high: Any) -> Any:
    return min(max(x, low), high)


@of_one_type(_clamp, is_real, "a real number")
def clamp(x: R, low: R | float, high: R | float) -> R:
    """`min(max(x, low), high)`, for numbers of one real type; low for a nan.

    >>> import pytl
    >>> pytl.clamp(1.5, 0.0, 1.0)
    1.0
    """


def _where(condition: Any, a: Any, b: Any) -> Any:
    return a if condition else b


def _build_where(call: Call) -> Any:
    condition, a, b = (call.arguments[name] for name in ("condition", "a", "b"))
    if isinstance(condition, Value):
        if not isinstance(condition.type, BoolType):
            help = "compare it: … != 0" if isinstance(condition.type, ScalarType) else None
            call.fail(f"condition of where is {describe(condition)}, not a truth value", help, "condition")
    elif not isinstance(condition, bool):
        call.fail(f"condition of where is {describe(condition)}, not a truth value", None, "condition")
    return call.inline(_where, condition, a, b)


def _compute_where(condition: Any, a: Any, b: Any) -> Any:
    condition = outside.cast(condition, BoolType())
    numbers = outside.numbers("where", [a, b])
    return numbers.result(numbers.values[0 if condition else 1])


@overload
def where(condition: bool, a: V, b: V | complex) -> V: ...
@overload
def where(condition: bool, a: complex, b: V) -> V: ...
@overload
def where(condition: bool, a: P, b: P) -> P: ...
@library(_build_where, _compute_where)
def where(condition: bool, a: Any, b: Any) -> Any:
    """`a if condition else b`, for two values of one type; both are computed.

    Manual: If.

    >>> import pytl
    >>> pytl.where(1.0 < 2.0, 1.5, 2.5)
    1.5
    """
