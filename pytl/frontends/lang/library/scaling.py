"""Numbers of f64 as m 2**k. The language has no access to the bits, so powers of two are divided out one by one.

Each step is a comparison and two products with powers of two, which are exact.
"""

from __future__ import annotations

from typing import Any

from ..scalars import f64


def quartered(m: Any, root: Any, bound: float) -> Any:
    """m and root, divided by bound and by its square root if m is not below it; bound is a power of 4."""
    if m >= bound:
        m = m * (1.0 / bound)
        root = root * bound**0.5
    return m, root


def over_four(x: Any) -> Any:
    """A positive f64 as m root**2, with m in [1, 4) and root a power of two."""
    m, root = x, f64(1.0)
    if x < 1.0:
        m = x * 2.0**1022
        root = root * 2.0**-511
        if m < 1.0:
            m = m * 2.0**54
            root = root * 2.0**-27
    m, root = quartered(m, root, 2.0**512)
    m, root = quartered(m, root, 2.0**256)
    return over_four_narrow(m, root)


def over_four_narrow(m: Any, root: Any) -> Any:
    """The same for m below 2**256."""
    m, root = quartered(m, root, 2.0**128)
    m, root = quartered(m, root, 2.0**64)
    m, root = quartered(m, root, 2.0**32)
    m, root = quartered(m, root, 2.0**16)
    m, root = quartered(m, root, 2.0**8)
    m, root = quartered(m, root, 2.0**4)
    return quartered(m, root, 2.0**2)


def halved(m: Any, k: Any, power: float) -> Any:
    """m and k, with 2**power divided out if m is not below it."""
    if m >= 2.0**power:
        m = m * 2.0**-power
        k = k + power
    return m, k


def mantissa(x: Any) -> Any:
    """A positive f64 as m 2**k, with m in [√½, √2)."""
    m, k = x, f64(0.0)
    if x < 1.0:
        m = x * 2.0**1022
        k = k - 1022.0
        if m < 1.0:
            m = m * 2.0**54
            k = k - 54.0
    m, k = halved(m, k, 512.0)
    m, k = halved(m, k, 256.0)
    return mantissa_narrow(m, k)


def mantissa_narrow(m: Any, k: Any) -> Any:
    """The same for m below 2**256."""
    m, k = halved(m, k, 128.0)
    m, k = halved(m, k, 64.0)
    m, k = halved(m, k, 32.0)
    m, k = halved(m, k, 16.0)
    m, k = halved(m, k, 8.0)
    m, k = halved(m, k, 4.0)
    m, k = halved(m, k, 2.0)
    m, k = halved(m, k, 1.0)
    if m >= 1.4142135623730951:
        m = m * 0.5
        k = k + 1.0
    return m, k


def doubled(m: Any, n: Any, power: float) -> Any:
    """m and n, with 2**power multiplied in if n is not below it."""
    if n >= power:
        m = m * 2.0**power
        n = n - power
    return m, n


def power_of_two(n: Any) -> Any:
    """2**n of a whole f64 between -1000 and 1000."""
    m, rest = doubled(f64(2.0**-1000), n + 1000.0, 1000.0)
    m, rest = doubled(m, rest, 512.0)
    m, rest = doubled(m, rest, 256.0)
    return doublings(m, rest)


def power_of_two_narrow(n: Any) -> Any:
    """2**n of a whole f64 between -200 and 200."""
    m, rest = doubled(f64(2.0**-200), n + 200.0, 256.0)
    return doublings(m, rest)


def doublings(m: Any, n: Any) -> Any:
    """m 2**n for a whole n from 0 to 255."""
    m, n = doubled(m, n, 128.0)
    m, n = doubled(m, n, 64.0)
    m, n = doubled(m, n, 32.0)
    m, n = doubled(m, n, 16.0)
    m, n = doubled(m, n, 8.0)
    m, n = doubled(m, n, 4.0)
    m, n = doubled(m, n, 2.0)
    return doubled(m, n, 1.0)[0]
