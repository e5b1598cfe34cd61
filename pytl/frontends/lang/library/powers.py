"""Powers with an integer exponent, by repeated squaring. Each square and product carries its rounding error along.

Otherwise the errors of 2**31 roundings would add up. Small exponents that are known while tracing need no such care.
"""

from __future__ import annotations

from typing import Any

from ....ir.types import ScalarType
from ..scalars import f32, f64, i64
from .polynomials import fast_two_sum, two_product
from .roots import LARGEST

FEW = 2**16
"""The largest exponent whose power, computed in f64, is right as an f32."""


def power(x: Any, n: int) -> Any:
    """x of any type to the power of a number known while tracing, by plain products."""
    if n == 1:
        return x
    half = power(x, n // 2)
    return half * half * x if n % 2 == 1 else half * half


def power_f64(x: Any, n: int) -> Any:
    """The same for an f64, within the bound; for an n that is not small."""
    if n > 0:
        base, rest = x, f64(0.0)
    else:
        base, rest = reciprocal(x)
    return closed(raised(base, rest, abs(n)))


def raised(base: Any, rest: Any, n: int) -> Any:
    if n == 1:
        return base, rest
    half, half_rest = raised(base, rest, n // 2)
    square, square_rest = power_product(half, half_rest, half, half_rest)
    return power_product(square, square_rest, base, rest) if n % 2 == 1 else (square, square_rest)


def run_time_power_f64(x: Any, n: Any) -> Any:
    """The same with an exponent that is known at run time, of an integer type no wider than i32."""
    base, rest, count = x, f64(0.0), i64(n)
    if count < 0:
        base, rest = reciprocal(x)
        count = -count
    result, result_rest = f64(1.0), f64(0.0)
    for _ in range(32):
        if count & 1 == 1:
            result, result_rest = power_product(result, result_rest, base, rest)
        base, rest = power_product(base, rest, base, rest)
        count = count >> 1
    return closed((result, result_rest))


def run_time_power(x: Any, n: Any) -> Any:
    """x of an integer type; the power of a negative exponent is 1 / x**-n without its fraction, and 0 for 0."""
    return integer_power(x, n, 32)


def run_time_power_of_long(x: Any, n: Any) -> Any:
    """The same with an exponent of 64 bits."""
    return integer_power(x, n, 64)


def integer_power(x: Any, n: Any, bits: int) -> Any:
    base, count = x, i64(n)
    result = x * 0 + 1
    if count < 0:
        count = -count
    for _ in range(bits):
        if count & 1 == 1:
            result = result * base
        base = base * base
        count = count >> 1
    return result * 0 if n < 0 and abs(x) != 1 else result


def reciprocal(x: Any) -> Any:
    """1 / x of an f64, and its rounding error; where 1 / x is out of range, powers are 0 or infinite anyway."""
    near = 1.0 / x
    product, error = two_product(near, x)
    rest = ((1.0 - product) - error) * near
    size = abs(x)
    return near, rest if 2.0**-900 < size < 2.0**900 else f64(0.0)


def power_product(a: Any, a_rest: Any, b: Any, b_rest: Any) -> Any:
    """The product of two powers of one number: both are below 1 in size, or neither is."""
    p = a * b
    # large factors are scaled for the error, else their halves would overflow
    large = abs(a) >= 1.0
    scale = f64(2.0**-30) if large else f64(1.0)
    back = f64(2.0**60) if large else f64(1.0)
    _, error = two_product(a * scale, b * scale)
    # the type cannot represent the error of the smallest products
    error = error * back if abs(p) >= 2.0**-960 else f64(0.0)
    high, low = fast_two_sum(p, error + (a * b_rest + a_rest * b))
    # a zero keeps its sign, and an infinity has no error
    usual = abs(p) <= LARGEST and p != 0.0
    return high if usual else p, low if usual else f64(0.0)


def closed(parts: Any) -> Any:
    """The sum of a power and its error term."""
    high, low = parts
    return high if high == 0.0 else high + low


# The functions that `pow` chooses from, by the type and the exponent.

SMALL = range(-2, 5)
"""The exponents whose plain products are within the error bound."""


def known_body(name: str, n: int) -> Any:
    """The function of x, of the type of a name, and n, which is not 0, that gives the power."""
    if name == "f64":
        return small_power if n in SMALL else power_f64
    if name == "f32":
        return small_power if n in SMALL else power_f32 if abs(n) <= FEW else power_of_wide
    return small_power


def small_power(x: Any, n: int) -> Any:
    return power(x, n) if n > 0 else power(1 / x, -n)


def power_f32(x: Any, n: int) -> Any:
    return f32(small_power(f64(x), n))


def power_of_wide(x: Any, n: int) -> Any:
    return f32(power_f64(f64(x), n))


def run_time_body(type_: ScalarType) -> Any:
    """The function of x of a type, and n of an integer type no wider than i32, that gives the power."""
    if type_.is_integer:
        return run_time_power
    return {"f64": run_time_power_f64, "f32": run_time_power_f32}.get(type_.name)


def run_time_power_f32(x: Any, n: Any) -> Any:
    return f32(run_time_power_f64(f64(x), n))
