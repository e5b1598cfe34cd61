"""Angles as a multiple of π/2 and a remainder of at most π/4 in size, for numbers of any size.

Up to 1.6e6 the multiple is subtracted in parts of 33 bits, after Cody and Waite. Beyond, the angle is multiplied with
2/π, after Payne and Hanek: only the words of 2/π whose products are below 4, and large enough to count, are used.
"""

from __future__ import annotations

from typing import Any

from ..scalars import f64, i32
from .polynomials import fast_two_sum, two_product, two_sum
from .rounding import nearest

FOR_PARTS = 1.6e6
TWO_OVER_PI = 0.6366197723675814
# π/2 in parts of 33 bits, whose products with a whole number below 2**20 are exact; the last has 53.
PART_1, PART_2, PART_3, PART_4 = 1.5707963267341256, 6.077100506303966e-11, 2.0222662487111665e-21, 8.4784276603689e-32
TWO_PARTS = 6.077100506506192e-11
"""The second part of π/2 where there are two: 53 bits."""
HALF_PI, HALF_PI_REST = 1.5707963267948966, 6.123233995736766e-17


def reduced(size: Any) -> Any:
    """For a finite f64 from 0 on: the multiple of π/2, modulo 4 as an i32, and the remainder as two numbers."""
    if size <= FOR_PARTS:
        return by_parts(size)
    return by_words(size)


def by_parts(size: Any) -> Any:
    q = nearest(size * TWO_OVER_PI)
    rest = size - q * PART_1  # exact
    a, a_error = two_sum(rest, -(q * PART_2))
    b, b_error = two_sum(a, -(q * PART_3))
    low = (a_error + b_error) - q * PART_4
    high, low = fast_two_sum(b, low)
    return i32(q) & 3, high, low


def by_words(size: Any) -> Any:
    zero = f64(0.0)
    # fmt: off
    words = (  # 2/π in words of 48 bits
        f64(179192535600708), f64(23270068279249), f64(269607407508322), f64(164485373595713),
        f64(279625518014139), f64(217023475117626), f64(72902017812041), f64(51582721954332),
        f64(279404452032809), f64(183888630658549), f64(51381843323292), f64(123311537225281),
        f64(63298527134547), f64(63722760724363), f64(208877819469816), f64(167125197363215),
        f64(262985436846602), f64(119981743701711), f64(43752994852678), f64(69709976300077),
        f64(128813497838565), f64(265511607155191), f64(152087256787963), f64(105214343208200),
        f64(94571694849147), f64(118386223725600),
        zero, zero, zero, zero, zero, zero, zero, zero, zero, zero,
    )
    # fmt: on
    # Powers of 2**48 are divided off the angle, until it is below 2**102: a word is left out for each.
    m, words = past_words(size, words, 54, 48, 16, 20)
    m, words = past_words(m, words, 54, 48, 8, 12)
    m, words = past_words(m, words, 54, 48, 4, 8)
    m, words = past_words(m, words, 54, 48, 2, 6)
    m, words = past_words(m, words, 54, 48, 1, 5)
    # The products with five words, exact; multiples of 4 are left out.
    a, a_low = two_product(m, words[0] * 2.0**-48)
    a = a - nearest(a * 2.0**-54) * 2.0**54
    b, b_low = two_product(m, words[1] * 2.0**-96)
    c, c_low = two_product(m, words[2] * 2.0**-144)
    total, rest = two_sum(below_four(a), below_four(a_low))
    total, rest, least = added(total, rest, zero, below_four(b))
    total, rest, least = added(total, rest, least, b_low)
    total, rest, least = added(total, rest, least, c)
    total, rest, least = added(total, rest, least, c_low)
    total, rest, least = added(total, rest, least, m * (words[3] * 2.0**-192))
    least = least + m * (words[4] * 2.0**-240)
    q = nearest(total)
    total, rest = two_sum(total - q, rest)
    total, rest = two_sum(total, rest + least)
    # as an angle again
    high, low = two_product(total, HALF_PI)
    high, low = fast_two_sum(high, low + (total * HALF_PI_REST + rest * HALF_PI))
    return i32(q) & 3, high, low


def past_words(m: Any, words: Any, top: int, width: int, step: int, count: int) -> Any:
    """m and the words that it is multiplied with: where m is large enough, so many steps of a word further."""
    if m >= 2.0 ** (top + width * step):
        m = m * 2.0 ** (-width * step)
        words = words[step : step + count]
    else:
        words = words[0:count]
    return m, words


def below_four(x: Any) -> Any:
    """The remainder of an f64 below 2**53 in size after multiples of 4 are subtracted."""
    return x - 4.0 * nearest(0.25 * x)


def added(total: Any, rest: Any, least: Any, term: Any) -> Any:
    """A sum of three numbers, with one more term."""
    total, error = two_sum(total, term)
    rest, error = two_sum(rest, error)
    return total, rest, least + error


def reduced_short(size: Any) -> Any:
    """For a finite f32 from 0 on, given as f64: the multiple of π/2, modulo 4 as an i32, and the remainder in f64."""
    if size <= FOR_PARTS:
        q = nearest(size * TWO_OVER_PI)
        rest = (size - q * PART_1) - q * TWO_PARTS
    else:
        q, rest = by_short_words(size)
    return i32(q) & 3, rest


def by_short_words(size: Any) -> Any:
    # fmt: off
    words = (  # 2/π in words of 28 bits
        f64(170891318), f64(240010261), f64(44024437), f64(131200308),
        f64(232525238), f64(43358524), f64(70845471), f64(240214955),
    )
    # fmt: on
    m, words = past_words(size, words, 25, 28, 2, 6)
    m, words = past_words(m, words, 25, 28, 1, 5)
    # An f32 has 24 bits, so that the products are exact.
    total, error = two_sum(below_four(m * (words[0] * 2.0**-28)), below_four(m * (words[1] * 2.0**-56)))
    total, second = two_sum(total, m * (words[2] * 2.0**-84))
    rest = (error + second) + (m * (words[3] * 2.0**-112) + m * (words[4] * 2.0**-140))
    q = nearest(total)
    return q, ((total - q) + rest) * HALF_PI
