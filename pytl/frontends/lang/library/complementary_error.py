"""1 less the error function, which keeps its digits where that is next to 1.

From 0.62 on it is exp(-x²) / x times a number that changes slowly. The square is a sum of two numbers.
"""

from __future__ import annotations

from typing import Any

from ..scalars import f32, f64
from .declare import of_floating
from .exponentials import parts
from .hyperbolic import erf_f64
from .polynomials import polynomial, two_product
from .real_powers import scaled

# x erfc(x) exp(x²) from ½ to 6, by powers of 42 / 11 / (1 + x) - 17 / 11, which lies in [-1, 1]
NEAR = (
    0.4800949673372166,
    -0.12649443506895022,
    -0.05059399964877317,
    0.002744722303016992,
    0.0028337975194858535,
    -0.0007483447813533081,
    -5.965281079902514e-05,
    9.270150027760476e-05,
    -2.6383222953982958e-05,
    -3.8993147367176213e-07,
    3.390465314533156e-06,
    -1.4792129693721474e-06,
    2.502421062413389e-07,
    8.08542150645975e-08,
    -7.771846820403491e-08,
    2.9499401484012705e-08,
    -4.73197394238385e-09,
    -1.5704920894661865e-09,
    1.8826120391251886e-09,
    -1.094386279157941e-09,
    2.0087044121825534e-10,
    1.493302138100174e-10,
    -6.479086140882758e-11,
)
# x erfc(x) exp(x²) from 6 on, by powers of 1 / x²
FAR = (
    0.5641895835477563,
    -0.28209479177385755,
    0.42314218764444933,
    -1.0578554621712337,
    3.7024923337660107,
    -16.6609190546866,
    91.60197446902545,
    -592.8877851124821,
    4314.595014395649,
    -32022.734634974036,
    198818.79537366313,
    -700477.8545101151,
)
OVER = 27.3
"""From here on, the result is less than half of the smallest number."""


def erfc_f64(x: Any) -> Any:
    size = abs(x)
    if size < 0.62:
        return 1.0 - erf_f64(x)
    if size >= OVER:
        return f64(0.0) if x > 0.0 else f64(2.0)
    if size == size:
        result = away_from_zero(size)
        return result if x > 0.0 else 2.0 - result
    return x


def away_from_zero(size: Any) -> Any:
    """Of finite numbers from 0.62 on."""
    square, error = two_product(size, size)
    n, r, rest = parts(-square)
    if size < 6.0:
        slow = polynomial(3.8181818181818183 / (1.0 + size) - 1.5454545454545454, NEAR)
    else:
        slow = polynomial(1.0 / square, FAR)
    slow = slow / size
    return scaled(slow + slow * (r + (rest - error * (1.0 + r + rest))), n)


def erfc_f32(x: Any) -> Any:
    return f32(erfc_f64(f64(x)))


@of_floating(erfc_f64, erfc_f32, ulps=(3.0, 0.51))
def erfc(x: Any) -> Any:
    """1 less the error function of a floating point number, within 3 ulp in f64, 0.51 in f32."""
