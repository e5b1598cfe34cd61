"""Whole numbers next to a number, without a cast: numbers beyond 2**52 have no fraction, so a sum rounds it off."""

from __future__ import annotations

from typing import Any

from ..scalars import f32, f64


def floor_beside(x: Any, whole_from: Any, one: Any) -> Any:
    size = abs(x)
    near = (size + whole_from) - whole_from
    if x < 0.0:
        near = -near
    if near > x:
        near = near - one
    # whole numbers stay as they are, a zero with its sign
    return x if size >= whole_from or near == x else near


def floor_f64(x: Any) -> Any:
    return floor_beside(x, f64(4503599627370496.0), f64(1.0))


def floor_f32(x: Any) -> Any:
    return floor_beside(x, f32(8388608.0), f32(1.0))


def ceil_f64(x: Any) -> Any:
    return -floor_f64(-x)


def ceil_f32(x: Any) -> Any:
    return -floor_f32(-x)


def nearest(x: Any) -> Any:
    """The whole number nearest to an f64 below 2**51."""
    return (x + 6755399441055744.0) - 6755399441055744.0
