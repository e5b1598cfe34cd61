"""Rows of numbers and memory that are seen as other types of the same bits."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from reference_kit import DTYPES

from pytl.ir.types import SCALAR_TYPES

from .mixed import STORE_FLAG, store_flag
from .rows import COMPLEX, ELEMENTS, Row, inside, lines

CHAPTER = "Views and numbers of the same bits"
NUMBERS = [name for name in ELEMENTS if name != "index"]


def rows() -> Iterator[Row]:
    for source in NUMBERS:
        for target in NUMBERS:
            if SCALAR_TYPES[source].size == SCALAR_TYPES[target].size:
                yield _bitcast(source, target)
    for element in COMPLEX:
        yield from _views(element)
    yield _associated("memref<f32x4>")
    yield _associated("group<memref<f32x4>x?>")


def _associated(given: str) -> Row:
    line = "%r = v04.associated %a : bool"
    return Row(
        CHAPTER,
        "v04.associated",
        given.partition("<")[0],
        {"a": given, "o": "memref<i32>"},
        lines(line, store_flag()),
        lines("r = associated(a)", STORE_FLAG),
        lambda data: {"o": np.ones((), np.int32)},
        line,
    )


def _bitcast(source: str, target: str) -> Row:
    line = f"%r = v04.bitcast %x : {target}"
    return Row(
        CHAPTER,
        "v04.bitcast",
        f"{source} → {target}",
        {"a": f"memref<{source}x4>", "o": f"memref<{target}x4>"},
        lines(
            "%0 = constant 0 : index",
            "%n = constant 4 : index",
            inside("foreach (%i) = (%0), (%n)", lines(f"%x = load %a[%i] : {source}", line, "store %r, %o[%i]")),
        ),
        inside("for i in foreach(4):", f"o[i] = bitcast(a[i], {target})"),
        lambda data: {"o": data["a"].view(DTYPES[target])},
        line,
    )


def _views(element: str) -> Iterator[Row]:
    real = {"c32": "f32", "c64": "f64"}[element]
    for given, wanted, dims in (
        (f"memref<{element}x4x3>", f"memref<{real}x2x4x3>", {}),
        (f"memref<{element}x4x3,strided<1,6>>", f"memref<{real}x2x4x3,strided<1,2,12>>", {}),
        (f"memref<{element}x4x?>", f"memref<{real}x2x4x?>", {"a": 3}),
    ):
        line = f"%r = v04.expandc2r %a : {wanted}"
        yield Row(
            CHAPTER,
            f"v04.expandc2r of {'a dynamic' if dims else 'a strided' if 'strided' in given else 'a'} memref",
            element,
            {"a": given, "o": f"memref<{real}x2x4x3>"},
            lines(
                line,
                "%0 = constant 0 : index",
                "%p = constant 2 : index",
                "%n = constant 4 : index",
                "%m = constant 3 : index",
                inside(
                    "foreach (%i, %j, %k) = (%0, %0, %0), (%p, %n, %m)",
                    lines(f"%x = load %r[%i, %j, %k] : {real}", "store %x, %o[%i, %j, %k]"),
                ),
            ),
            lines(
                "r = expandc2r(a)", inside("for i, j, k in foreach((0, 0, 0), (2, 4, 3)):", "o[i, j, k] = r[i, j, k]")
            ),
            lambda data: {"o": np.stack([data["a"].real, data["a"].imag])},
            line,
            dims=dims,
        )
