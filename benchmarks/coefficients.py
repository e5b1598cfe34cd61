"""How the coefficients of pytl's functions are made, and whether those in the library are these: needs mpmath.

    python benchmarks/coefficients.py

Each is an interpolation at the points of Chebyshev, in 60 digits, rounded to f64. Printed is the largest error of each
polynomial, as a power of two, and ends with 1 where the library has other coefficients.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

from mpmath import asin, atan, cos, erf, erfc, exp, log, lu_solve, matrix, mp, mpf, pi, sin, sinh, sqrt, tan, tanh

import pytl.passes.vectors.exponentials as of_vectors
from pytl.frontends.lang.library import exponentials, hyperbolic, inverse_trigonometry, logarithms, roots, trigonometry
from pytl.passes.vectors import error_function
from pytl.passes.vectors import inverse_trigonometry as arcs_of_vectors
from pytl.passes.vectors import logarithms as logarithms_of_vectors
from pytl.passes.vectors import trigonometry as angles_of_vectors

mp.dps = 60
Function = Callable[[mpf], mpf]


def interpolated(f: Function, first: mpf, last: mpf, count: int) -> list[mpf]:
    """The coefficients, from the constant one on, of the polynomial that is f at Chebyshev's points."""
    middle, half = (mpf(first) + mpf(last)) / 2, (mpf(last) - mpf(first)) / 2
    points = [middle + half * cos(pi * (2 * i + 1) / (2 * count)) for i in range(count)]
    powers = matrix([[x**j for j in range(count)] for x in points])
    return list(lu_solve(powers, matrix([f(x) for x in points])))


def largest_error(f: Function, coefficients: Sequence[float], first: mpf, last: mpf) -> mpf:
    points = [first + (last - first) * (i + mpf(1) / 2) / 500 for i in range(500)]
    return max(abs(sum(c * x**k for k, c in enumerate(coefficients)) - f(x)) for x in points)


def complement(u: mpf) -> mpf:
    x = 1 / ((mpf("1.8") + u) / mpf("5.6")) - 1
    return erfc(x) * exp(x * x)


def behind_linear(r: mpf) -> mpf:
    return (exp(r) - 1 - r) / r**2 if abs(r) > mpf(10) ** -20 else mpf(1) / 2 + r / 6


def of_sine(z: mpf) -> mpf:
    return (sin(sqrt(z)) / sqrt(z) - 1) / z


def of_tangent(z: mpf) -> mpf:
    return (tan(sqrt(z)) / sqrt(z) - 1) / z


def of_arc(z: mpf) -> mpf:
    return (atan(sqrt(z)) / sqrt(z) - 1) / z


def of_arc_sine(z: mpf) -> mpf:
    return (asin(sqrt(z)) / sqrt(z) - 1) / z


def behind_square(f: mpf) -> mpf:
    return (log(1 + f) - f + f**2 / 2) / f**3 if abs(f) > mpf(10) ** -15 else mpf(1) / 3 - f / 4


def of_error(u: mpf) -> mpf:
    x = sqrt((u + 1) / mpf("0.129"))
    return erf(x) / x


_SERIES = ((sqrt(2) - 1) / (sqrt(2) + 1)) ** 2
_QUARTER = (pi / 4) ** 2 * mpf("1.0001")
POLYNOMIALS: dict[str, tuple[Sequence[float], Function, mpf, mpf]] = {
    "1/√m": (roots.INVERSE_ROOT, lambda m: 1 / sqrt(m), mpf(1), mpf(4)),
    "log": (
        logarithms.SERIES,
        lambda z: (log((1 + sqrt(z)) / (1 - sqrt(z))) / sqrt(z) - 2) / z,
        mpf(0),
        _SERIES,
    ),
    "log of f32": (
        logarithms.SHORT_SERIES,
        lambda z: (log((1 + sqrt(z)) / (1 - sqrt(z))) / sqrt(z) - 2) / z,
        mpf(0),
        _SERIES,
    ),
    "sin": (trigonometry.SINE, of_sine, mpf(0), _QUARTER),
    "cos": (trigonometry.COSINE, lambda z: (cos(sqrt(z)) - 1 + z / 2) / z**2, mpf(0), _QUARTER),
    "sin of f32": (trigonometry.SHORT_SINE, of_sine, mpf(0), _QUARTER),
    "cos of f32": (trigonometry.SHORT_COSINE, lambda z: (cos(sqrt(z)) - 1 + z / 2) / z**2, mpf(0), _QUARTER),
    "atan": (
        inverse_trigonometry.TANGENT,
        of_arc,
        mpf(0),
        (mpf(7) / 16) ** 2 * mpf("1.0001"),
    ),
    "asin": (inverse_trigonometry.SINE, of_arc_sine, mpf(0), mpf(1) / 4),
    "sinh": (exponentials.SINE, lambda z: (sinh(sqrt(z)) / sqrt(z) - 1) / z, mpf(0), mpf(1)),
    "exp": (of_vectors.POWERS, behind_linear, -log(2) / 2, log(2) / 2),
    "exp of f32": (of_vectors.NARROW_POWERS, behind_linear, -log(2) / 2, log(2) / 2),
    "tanh": (hyperbolic.TANGENT, lambda z: (tanh(sqrt(z)) / sqrt(z) - 1) / z, mpf(0), mpf(1)),
    "erf": (hyperbolic.ERROR, lambda z: erf(sqrt(z)) / sqrt(z) - 1, mpf(0), mpf(1)),
    "erf of f32": (hyperbolic.NARROW_ERROR, lambda z: erf(sqrt(z)) / sqrt(z) - 1, mpf(0), mpf(1)),
    "log(1 - erf) of f32": (
        hyperbolic.NARROW_COMPLEMENT,
        lambda u: log(erfc(u * mpf("1.5") + mpf("2.5"))),
        mpf(-1),
        mpf(1),
    ),
    "1 - erf": (hyperbolic.COMPLEMENT, complement, mpf(-1), mpf(1)),
    "sin in vectors": (angles_of_vectors.SINE, of_sine, mpf(0), (pi / 2 + mpf("0.005")) ** 2),
    "tan in vectors": (angles_of_vectors.TANGENT, of_tangent, mpf(0), (pi / 4 + mpf("0.005")) ** 2),
    "tan in vectors of f32": (angles_of_vectors.NARROW_TANGENT, of_tangent, mpf(0), (pi / 4 + mpf("0.005")) ** 2),
    "atan in vectors": (arcs_of_vectors.TANGENT, of_arc, mpf(0), mpf(1)),
    "atan in vectors of f32": (arcs_of_vectors.NARROW_TANGENT, of_arc, mpf(0), mpf(1)),
    "asin in vectors": (arcs_of_vectors.SINE, lambda z: (of_arc_sine(z) - mpf(1) / 6) / z, mpf(0), mpf(1) / 4),
    "asin in vectors of f32": (arcs_of_vectors.NARROW_SINE, of_arc_sine, mpf(0), mpf(1) / 4),
    "asin in vectors of f64": (arcs_of_vectors.WIDE_SINE, of_arc_sine, mpf(0), mpf(1) / 4),
    "log in vectors": (
        (*logarithms_of_vectors.WIDE_SERIES, *logarithms_of_vectors.SERIES),
        behind_square,
        sqrt(mpf(0.5)) - 1,
        sqrt(mpf(2)) - 1,
    ),
    "log in vectors of f32": (
        logarithms_of_vectors.NARROW_SERIES,
        behind_square,
        sqrt(mpf(0.5)) - 1,
        sqrt(mpf(2)) - 1,
    ),
    "log in vectors, as a sum of two": (
        logarithms_of_vectors.SHORT_SERIES,
        behind_square,
        mpf("-0.136"),
        mpf("0.1255"),
    ),
    "erf in vectors": (error_function.ERROR, of_error, mpf(-1), mpf(1)),
}


def main() -> int:
    differ = 0
    for name, (there, f, first, last) in POLYNOMIALS.items():
        found = [float(c) for c in interpolated(f, first, last, len(there))]
        same = found == list(there)
        differ += not same
        error = mp.nstr(log(largest_error(f, there, first, last), 2), 4)
        print(f"{name}: {len(there)} coefficients, error 2**{error}{'' if same else ', but the library has others'}")
        if not same:
            print("\n".join(f"    {c!r}," for c in found))
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
