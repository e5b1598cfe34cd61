"""Building blocks of the library: polynomials, and sums and products with their rounding errors.

The error of a sum or product is itself a number of the type, which these functions compute. They hold as long as each
operation is rounded by itself: no backend contracts `a * b + c` or reorders sums.
"""

from __future__ import annotations

from typing import Any


def polynomial(x: Any, coefficients: Any) -> Any:
    """c0 + c1 x + c2 x² + … by Horner's scheme."""
    first = coefficients[0]
    return first if len(coefficients) == 1 else first + x * polynomial(x, coefficients[1:])


def polynomial_in_pairs(x: Any, coefficients: Any) -> Any:
    """The same as the sum of its even and odd powers, which do not wait for each other; its last digits may differ."""
    square = x * x
    return polynomial(square, coefficients[::2]) + x * polynomial(square, coefficients[1::2])


def two_sum(a: Any, b: Any) -> Any:
    """a + b, rounded, and its rounding error."""
    s = a + b
    b_part = s - a
    return s, (a - (s - b_part)) + (b - b_part)


def fast_two_sum(a: Any, b: Any) -> Any:
    """As `two_sum`, where a is the larger number, or zero."""
    s = a + b
    return s, b - (s - a)


def two_product(a: Any, b: Any) -> Any:
    """a b in f64, rounded, and its rounding error; for numbers below 2**990 with products above 2**-960."""
    p = a * b
    a_head, a_tail = halves(a)
    b_head, b_tail = halves(b)
    return p, ((a_head * b_head - p) + a_head * b_tail + a_tail * b_head) + a_tail * b_tail


def halves(a: Any) -> Any:
    """An f64 as the sum of two numbers of 26 bits."""
    c = 134217729.0 * a
    head = c - (c - a)
    return head, a - head
