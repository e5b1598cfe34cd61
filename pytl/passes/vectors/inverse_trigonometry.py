"""Arc tangent, arc sine and arc cosine of f32 in vectors, and the latter two of f64.

Those of f64 are a number of few bits and an arc, whose sum is rounded once: within 0.66 ulp, with `fastmath` too.
"""

from __future__ import annotations

from ...ir.types import f32, f64
from ...ir.values import Value
from .code import Code
from .formulas import Formulas

# (atan(t) / t - 1) / t² by powers of t², for t up to 1
TANGENT = (
    -0.33333333293301176,
    0.19999990275947271,
    -0.14285317963907304,
    0.1110470678864422,
    -0.09036742342070782,
    0.0741749696430051,
    -0.05760716083128117,
    0.038327445983064846,
    -0.019261081322765883,
    0.00620725453378005,
    -0.0009362994719496015,
)
NARROW_TANGENT = (
    -0.3333333173306352,
    0.1999973932983558,
    -0.14278568748210602,
    0.11033764115313455,
    -0.08656880430154522,
    0.06250169444749563,
    -0.03587153898204336,
    0.013507771427020535,
    -0.002386997316724113,
)
"""The same, to the digits of f32."""
# ((asin(s) / s - 1) / s² - 1/6) / s² by powers of s², for s up to ½
SINE = (
    0.07499999723598655,
    0.044643650814604176,
    0.030345474919524516,
    0.022974972938017653,
    0.012977124250508704,
    0.027618297269761886,
)
# (asin(s) / s - 1) / s² by powers of s², for s up to ½, to the digits of f32
NARROW_SINE = (
    0.16666672414795305,
    0.07498855072600821,
    0.04500138006991017,
    0.026554542206161328,
    0.038085023561092654,
)
# (asin(s) / s - 1) / s² by powers of s², for s up to ½, to the digits of f64
WIDE_SINE = (
    0.16666666666666669,
    0.07499999999998433,
    0.04464285714635543,
    0.030381944138531247,
    0.02237217294214989,
    0.017352392720869973,
    0.013971212973552933,
    0.011479177415184906,
    0.01032281435018578,
    0.005457506718640358,
    0.01740087944269402,
    -0.014851887071247204,
    0.028757851367421566,
)
HALF_PI, HALF_PI_REST = 1.5707963267948966, -4.371139000186243e-08
"""And what π/2 in f32 is off by."""
WIDE_HALF_PI_REST = 6.123233995736766e-17
"""What π/2 in f64 is off by."""
LEAST_ROOT = 2.0**-40
"""Below all roots that are not zero, √((1 - size) / 2) of an f64 below 1 in size."""


def arc_sine(code: Code, x: Value, is_fast: bool) -> tuple[Value, None]:
    of, to, is_large, arc = _arc_of_size(code, x, is_fast)
    # that of large numbers is π/2 less twice the one of √((1 - x) / 2)
    if is_fast:
        of_large = to.add(to.fma(arc, -2.0, HALF_PI_REST), HALF_PI)
    else:
        of_large = to.fma(arc, -2.0, HALF_PI)
    found = to.select(is_large, of_large, arc)
    return of.with_sign_of(of.of(found), x), None


def arc_cosine(code: Code, x: Value, is_fast: bool) -> tuple[Value, None]:
    of, to, is_large, arc = _arc_of_size(code, x, is_fast)
    is_negative = of.compare("lt", x, 0.0)
    factor = to.select(is_large, to.select(is_negative, -2.0, 2.0), to.select(is_negative, 1.0, -1.0))
    near = to.select(is_large, to.select(is_negative, 2.0 * HALF_PI, 0.0), HALF_PI)
    return of.of(to.fma(arc, factor, near)), None


def _arc_of_size(code: Code, x: Value, is_fast: bool) -> tuple[Formulas, Formulas, Value, Value]:
    """Formulas of f32 and of what follows: where the size is ½ or more; the arc sine of it, or of √((1 - size) / 2)."""
    of = Formulas(code, f32, x.type.lanes)
    to = of if is_fast else Formulas(code, f64, x.type.lanes)
    size = code.unary("abs", x)
    is_large = of.compare("ge", size, 0.5)
    # exact for large numbers
    half = of.mul(of.sub(1.0, size), 0.5)
    given = to.of(of.select(is_large, half, size))
    s = to.select(is_large, code.math("sqrt", given), given)
    square = to.select(is_large, given, to.mul(given, given))
    if is_fast:
        rest = to.polynomial(square, NARROW_SINE)
    else:
        narrow = of.select(is_large, half, of.mul(size, size))
        rest = to.fma(square, to.of(of.polynomial(narrow, SINE)), 1 / 6)
    return of, to, is_large, to.fma(s, to.mul(square, rest), s)


def wide_arc_sine(code: Code, x: Value, _: bool) -> tuple[Value, None]:
    of, is_large, s, rest = _wide_arc_of_size(code, x)
    found = _beside_half_pi(of, of.select(is_large, 1.0, 0.0), of.select(is_large, -2.0, 1.0), s, rest)
    return of.with_sign_of(found, x), None


def wide_arc_cosine(code: Code, x: Value, _: bool) -> tuple[Value, None]:
    of, is_large, s, rest = _wide_arc_of_size(code, x)
    # of small numbers π/2 less the arc; of large ones twice the arc, or π less that, where they are negative
    factor = of.with_sign_changed_by(of.select(is_large, 2.0, -1.0), x)
    multiple = of.select(is_large, of.select(of.compare("lt", x, 0.0), 2.0, 0.0), 1.0)
    return _beside_half_pi(of, multiple, factor, s, rest), None


def _beside_half_pi(of: Formulas, multiple: Value, factor: Value, s: Value, rest: Value) -> Value:
    """A multiple of π/2 by 0, 1 or 2, and s and its rest times a factor of 1 or 2 in size."""
    near = of.mul(multiple, HALF_PI)
    total = of.fma(factor, s, near)
    # what was rounded off: the multiple is zero, or no smaller than the product
    error = of.fma(factor, s, of.sub(near, total))
    return of.add(total, of.fma(factor, rest, of.fma(multiple, WIDE_HALF_PI_REST, error)))


def _wide_arc_of_size(code: Code, x: Value) -> tuple[Formulas, Value, Value, Value]:
    """Formulas of f64; where the size is ½ or more; s, which is the size, or √((1 - size) / 2) of a large one; and
    what its arc sine has beyond that.
    """
    of, narrow = Formulas(code, f64, x.type.lanes), Formulas(code, f32, x.type.lanes)
    size = code.unary("abs", x)
    is_large = of.compare("ge", size, 0.5)
    # exact for large numbers
    half = of.fma(size, -0.5, 0.5)
    root = code.math("sqrt", half)
    # what the root is off by has as many bits in f32 as the result needs of it
    divisor = narrow.of(code.arith("max", root, of.term(LEAST_ROOT)))
    off = of.mul(of.fma(of.mul(root, -1.0), root, half), of.of(narrow.div(0.5, divisor)))
    s = of.select(is_large, root, size)
    square = of.select(is_large, half, of.mul(size, size))
    arc = of.mul(s, of.mul(square, of.polynomial(square, WIDE_SINE)))
    return of, is_large, s, of.add(arc, of.select(is_large, off, 0.0))


def arc_tangent(code: Code, x: Value, is_fast: bool) -> tuple[Value, None]:
    of = Formulas(code, f32, x.type.lanes)
    to = of if is_fast else Formulas(code, f64, x.type.lanes)
    size = code.unary("abs", x)
    is_above = of.compare("gt", size, 1.0)
    wide = to.of(size)
    # above one, it is π/2 less that of the inverse
    t = to.select(is_above, to.div(-1.0, wide), wide)
    near = to.select(is_above, HALF_PI, 0.0)
    square = to.mul(t, t)
    rest = to.mul(square, to.polynomial(square, NARROW_TANGENT if is_fast else TANGENT))
    found = to.add(near, to.fma(t, rest, t))
    return of.with_sign_of(of.of(found), x), None
