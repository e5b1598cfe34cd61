"""Arc tangent, arc sine and arc cosine of f32 in vectors."""

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
HALF_PI = 1.5707963267948966


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
