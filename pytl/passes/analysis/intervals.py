"""Intervals of integers under the language's arithmetic, as it is before a result wraps around."""

from __future__ import annotations

from ...ir.types import BoolType, ScalarType

Interval = tuple[int, int]
"""The least and the largest number, both included."""


def whole(type_: ScalarType | BoolType) -> Interval:
    """All numbers of an integer type; of a truth value, those of one bit."""
    half = 1 << ((type_.bits if isinstance(type_, ScalarType) else 1) - 1)
    return -half, half - 1


def of_binary(variant: str, a: Interval, b: Interval) -> Interval | None:
    """The interval of `arith.<variant>` on numbers of two intervals; None where nothing is known of it.

    >>> of_binary("rem", (-3, 100), (1, 8))
    (-3, 7)
    """
    if variant == "add":
        return a[0] + b[0], a[1] + b[1]
    if variant == "sub":
        return a[0] - b[1], a[1] - b[0]
    if variant == "mul":
        corners = [x * y for x in a for y in b]
        return min(corners), max(corners)
    if variant in ("min", "max"):
        choose = min if variant == "min" else max
        return choose(a[0], b[0]), choose(a[1], b[1])
    if variant == "rem":
        maximum = max(abs(b[0]), abs(b[1])) - 1  # of the sign of the first operand, and nearer to zero than either
        return (0 if a[0] >= 0 else max(a[0], -maximum)), (0 if a[1] <= 0 else min(a[1], maximum))
    if a[0] >= 0 and variant == "div" and b[0] >= 1:
        return a[0] // b[1], a[1] // b[0]
    if a[0] >= 0 and variant == "shr":
        return 0, a[1]
    if variant == "and" and (a[0] >= 0 or b[0] >= 0):
        return 0, min(maximum for minimum, maximum in (a, b) if minimum >= 0)
    if variant in ("or", "xor") and a[0] >= 0 and b[0] >= 0:
        return 0, (1 << max(a[1], b[1]).bit_length()) - 1
    return None


def of_unary(variant: str, a: Interval) -> Interval | None:
    """The interval of `arith.<variant>` on a number of an interval; None where nothing is known of it."""
    minimum, maximum = a
    if variant == "abs":
        return (0 if minimum <= 0 <= maximum else min(abs(minimum), abs(maximum))), max(abs(minimum), abs(maximum))
    if variant == "neg":
        return -maximum, -minimum
    return (~maximum, ~minimum) if variant == "not" else None
