"""Square roots by Newton's iteration, rounded correctly."""

from __future__ import annotations

from typing import Any

from ..scalars import f32, f64
from .polynomials import polynomial, two_product
from .scaling import over_four, over_four_narrow

LARGEST = 1.7976931348623157e308
INVERSE_ROOT = (
    1.7312362448617138,
    -1.0885857095883102,
    0.4350376227044789,
    -0.08718713136698493,
    0.0068095320793314295,
)
"""1/√m in [1, 4), to 8 bits."""


def sqrt_f64(x: Any) -> Any:
    if 0.0 < x <= LARGEST:
        return root_of_positive(x)
    return not_positive(x)


def not_positive(x: Any) -> Any:
    """The square root of zeros, infinity and nan; nan for negative numbers."""
    return (x - x) / (x - x) if x < 0.0 else x


def root_of_positive(x: Any) -> Any:
    m, scale = over_four(x)
    inverse = inverse_root(m)
    near = m * inverse
    p, e = two_product(near, near)
    root = near + 0.5 * inverse * ((m - p) - e)
    # All but the last bit of root are right. The exact m - root² is compared with its change by half a unit.
    p, e = two_product(root, root)
    rest = (m - p) - e
    unit = f64(2.0**-52)
    if rest > root * unit:
        root = root + unit
    elif rest <= -(root * unit):
        root = root - unit
    return root * scale


def inverse_root(m: Any) -> Any:
    """1/√m of m in [1, 4), to 32 bits."""
    y = polynomial(m, INVERSE_ROOT)
    half = 0.5 * m
    y = y * (1.5 - half * y * y)
    return y * (1.5 - half * y * y)


def sqrt_f32(x: Any) -> Any:
    wide = f64(x)
    if 0.0 < wide <= LARGEST:
        return f32(narrow_root(wide))
    return not_positive(x)


def narrow_root(x: Any) -> Any:
    """The square root of a positive f32, in f64; a root of 24 bits is never near the middle of two others."""
    m, scale = x, f64(1.0)
    if x < 1.0:
        m = x * 2.0**150
        scale = scale * 2.0**-75
    m, scale = over_four_narrow(m, scale)
    inverse = inverse_root(m)
    near = m * inverse
    return (near + 0.5 * inverse * (m - near * near)) * scale


def rsqrt_f64(x: Any) -> Any:
    return 1.0 / sqrt_f64(x)


def rsqrt_f32(x: Any) -> Any:
    wide = f64(x)
    if 0.0 < wide <= LARGEST:
        return f32(1.0 / narrow_root(wide))
    return 1.0 / not_positive(x)
