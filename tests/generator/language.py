"""The types of the language as the generator writes them, and how large numbers become."""

from __future__ import annotations

import math
from collections.abc import Sequence

from .values import Extent

INTEGERS = ("i8", "i16", "i32", "i64", "index")
FLOATS = ("bf16", "f16", "f32", "f64")
COMPLEX = ("c32", "c64")
ELEMENTS = (*INTEGERS, *FLOATS, *COMPLEX)
SIZES = {
    "i8": 1,
    "i16": 2,
    "i32": 4,
    "i64": 8,
    "index": 8,
    "bf16": 2,
    "f16": 2,
    "f32": 4,
    "f64": 8,
    "c32": 8,
    "c64": 16,
}
COMPONENT = {"c32": "f32", "c64": "f64"}
PROMOTABLE = {
    "i8": ("i8", "i16", "i32", "i64", *FLOATS, *COMPLEX),
    "i16": ("i16", "i32", "i64", "f32", "f64", *COMPLEX),
    "i32": ("i32", "i64", "f64", "c64"),
    "i64": ("i64",),
    "index": ("index",),
    "bf16": ("bf16", "f32", "f64", *COMPLEX),
    "f16": ("f16", "f32", "f64", *COMPLEX),
    "f32": ("f32", "f64", *COMPLEX),
    "f64": ("f64", "c64"),
    "c32": COMPLEX,
    "c64": ("c64",),
}
ATOMIC = ("i32", "i64", "f32", "f64")
"""What a safe program updates atomically."""
USES = ("matrix_a", "matrix_b", "matrix_acc")
LIMIT = 1e4
"""No floating number of a safe program is larger: it fits into f16."""
DATA = 1.0
"""What the parameters hold at most."""


def promote(a: str, b: str) -> str | None:
    """The larger of two types, None where neither represents the other."""
    return b if b in PROMOTABLE[a] else a if a in PROMOTABLE[b] else None


def packed(shape: Sequence[Extent]) -> tuple[int | str, ...]:
    """The strides of the dense layout."""
    strides: list[int | str] = []
    step: int | str = 1
    for extent in shape:
        strides.append(step)
        step = step * extent if isinstance(step, int) and isinstance(extent, int) else "?"
    return tuple(strides)


def memref(element: str, shape: Sequence[Extent], strides: Sequence[int | str], space: str = "global") -> str:
    """The text of a memref type."""
    text = "x".join([element, *map(str, shape)])
    if tuple(strides) != packed(shape):
        text += f",strided<{','.join(map(str, strides))}>"
    return f"memref<{text}{',local' if space == 'local' else ''}>"


def type_bound(name: str) -> float:
    """The largest absolute value of an integer type; floating numbers have none of interest."""
    return 2.0 ** (8 * SIZES[name] - 1) if name in INTEGERS else math.inf


def bound_of(variant: str, type_: str, a: float, b: float) -> float:
    """The largest absolute value that a binary operation gives, from those of its operands."""
    if type_ in INTEGERS:
        small = {"add": a + b, "sub": a + b, "mul": a * b, "min": max(a, b), "max": max(a, b), "div": a, "rem": b}
        bound = small.get(variant, math.inf)
        return bound if bound < type_bound(type_) else type_bound(type_)
    growth = 2 if type_ in COMPLEX else 1
    return {
        "add": a + b,
        "sub": a + b,
        "mul": growth * a * b,
        "div": growth * a / b if b else math.inf,
        "min": max(a, b),
        "max": max(a, b),
        "rem": a,
    }[variant]
