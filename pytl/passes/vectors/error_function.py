"""The error function of f32 in vectors: the number times one polynomial of its square, up to where it is 1."""

from __future__ import annotations

from ...ir.types import f32, f64
from ...ir.values import Value
from .code import Code
from .formulas import Formulas

LAST = 3.9375
"""From here on, 1 less the function is less than half a unit."""
SCALE = 0.129
# erf(x) / x by powers of 0.129 x² - 1, which lies in [-1, 1]
ERROR = (
    0.3591361275641735,
    -0.1793255155081426,
    0.1335540199031307,
    -0.10886567584982122,
    0.09054968916440108,
    -0.07419753823004405,
    0.058583223927233107,
    -0.04394109670498061,
    0.031083675689111676,
    -0.02070468689828471,
    0.012876767969156601,
    -0.007361841118691075,
    0.004070417144937452,
    -0.0023508674777264565,
    0.0011137574545935778,
    -0.0002846691719294498,
    0.00014170298355404307,
    -0.00017344476091522615,
    6.444944241848526e-05,
)


def error_function(code: Code, x: Value, _: bool) -> tuple[Value, None]:
    of, to = Formulas(code, f32, x.type.lanes), Formulas(code, f64, x.type.lanes)
    size = code.unary("abs", x)
    # a comparison with nan is false, so that nan stays
    wide = to.of(of.select(of.compare("gt", size, LAST), LAST, size))
    place = to.fma(to.mul(wide, wide), SCALE, -1.0)
    return of.with_sign_of(of.of(to.mul(wide, to.polynomial_in_pairs(place, ERROR))), x), None
