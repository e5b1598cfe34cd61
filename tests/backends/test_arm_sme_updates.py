"""Collective instructions as outer products and vectors of Arm's matrix extension, at every vector length."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from differential.cases import BOUNDS, Bound, Case, batches, each_way, uneven
from differential.update_cases import forms, update_case
from reference_kit import COMPLEX, DTYPES, INTEGERS

import pytl
from pytl.backends.arm_sme.backend import VECTOR_LENGTHS
from pytl.ir.types import SCALAR_TYPES

pytestmark = [pytest.mark.tools_of("arm_sme"), pytest.mark.at_most(16)]

TYPES = list(SCALAR_TYPES)
WAYS = [f"arm_sme, {length}" for length in VECTOR_LENGTHS]

PRODUCTS = [
    *((type_,) * 3 for type_ in TYPES if type_ != "i8"),
    *[("f16", "f16", "f32"), ("bf16", "bf16", "f32"), ("f16", "i8", "f16"), ("i8", "bf16", "f32"), ("i8", "i8", "f32")],
    *[("i16", "i16", "i64"), ("i16", "i16", "i32"), ("i8", "i16", "i16"), ("i8", "i8", "i64"), ("i32", "i16", "i64")],
    *[("i8", "f32", "f64"), ("i16", "f32", "f32"), ("f32", "c32", "c32"), ("c32", "i8", "c64"), ("i16", "i16", "c32")],
]
"""Element types of A, B and C, of which all but those of bytes have an outer product in each of its kinds, or none."""
BYTES = [("i8", "i8", "i8"), ("i8", "i8", "i16"), ("i8", "i8", "i32")]
SIZES = [(5, 9, 7), (33, 3, 6), (1, 17, 1), (18, 21, 13), (9, 66, 5)]
"""Of C, and of the sum: fewer and more than a tile has at any length, and remainders of every kind of group."""


def products(types: list[tuple[str, ...]]) -> list[Case]:
    """All transposes of all types, with sizes, layouts and factors in turn."""
    found = []
    for number, (elements, ta, tb) in enumerate(itertools.product(types, "nt", "nt")):
        m, n, k = SIZES[number % len(SIZES)]
        kinds = forms(elements[2])
        kind = kinds[number % 7 if number % 7 not in (5, 6) else -1]  # atomic updates are made of scalars
        shapes = [(m, k) if ta == "n" else (k, m), (k, n) if tb == "n" else (n, k), (m, n)]
        *factors, target = zip(elements, shapes)
        found.append(update_case(f"gemm.{ta}.{tb}", factors, target, **kind))
    return found


@pytest.mark.at_most(2)
@each_way(batches("products", products(PRODUCTS), 20), WAYS)
def test_products(batch: Any, case: Case, way: str) -> None:
    assert batch.differences(case, way) == []


@pytest.mark.at_night
@each_way(batches("bytes", products(BYTES), 12), WAYS)
def test_products_of_bytes(batch: Any, case: Case, way: str) -> None:
    assert batch.differences(case, way) == []


DIGITS = [
    update_case("gemm.n.n", [(a, (37, 41)), (b, (41, 35))], (c, (37, 35)), numbers=uneven, bound=BOUNDS["sums"])
    for a, b, c in [
        ("f32",) * 3,
        ("f64",) * 3,
        ("f16", "f16", "f32"),
        ("bf16",) * 3,
        ("c32",) * 3,
        ("i16", "i16", "i64"),
    ]
]


@pytest.mark.at_night
@each_way(batches("digits", DIGITS, 6), WAYS)
def test_products_with_all_digits(batch: Any, case: Case, way: str) -> None:
    assert batch.differences(case, way) == []


SPECIAL = [0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -2.0, 3e-45, -1e-40, 5e-324, 6e-8, -2e-5, 1e38, 6e4]
"""Zeros with signs, infinities, what is no number, denormal numbers of each type, and numbers near the largest."""


def special(rng: np.random.Generator, type_: str, *shape: int) -> np.ndarray:
    """Special numbers of a type; of integers, the smallest and the largest."""
    if type_ in INTEGERS:
        bounds = np.iinfo(DTYPES[type_])
        known = np.array([bounds.min, bounds.max, -1, 0, 1], DTYPES[type_])
    else:
        with np.errstate(over="ignore"):
            known = np.array(SPECIAL).astype(DTYPES[type_])
    return np.asfortranarray(known[rng.integers(0, len(known), shape)])


ALONE: dict[str, tuple[list[tuple[int, ...]], tuple[int, ...]]] = {
    "gemm.n.n": ([(19, 1), (1, 21)], (19, 21)),
    "gemm.t.t": ([(1, 19), (21, 1)], (19, 21)),
    "ger": ([(19,), (21,)], (19, 21)),
    "hadamard": ([(67,), (67,)], (67,)),
    "axpby.n": ([(67,)], (67,)),
}
"""Instructions whose results are rounded once, with shapes."""
FUSED = Bound({}, "a product that is added to zero at once keeps its sign where it underflows", signed_zeros=False)
SPECIALS = [
    update_case(
        word,
        [(type_, shape) for shape in shapes],
        (type_, target),
        numbers=special,
        bound=FUSED if word.startswith("gemm") else BOUNDS["exact"],
    )
    for word, (shapes, target) in ALONE.items()
    for type_ in TYPES
    if type_ not in COMPLEX and type_ != "index"
]


@pytest.mark.at_most(1)
@each_way(batches("special", SPECIALS, 40), WAYS)
def test_special_values(batch: Any, case: Case, way: str) -> None:
    assert batch.differences(case, way) == []


COPY = """
  axpby.n ONE, %A_T, ZERO, %B_T
  foreach (%i, %j) = (%zero, %zero), (%rows, %columns) {
    %x = load %A_T[%i, %j] : T
    store %x, %C_T[%i, %j]
  }"""


@pytest.mark.at_most(1)
@pytest.mark.parametrize("length", VECTOR_LENGTHS)
def test_copies_keep_all_bits(length: int) -> None:
    """Those of a nan, too, in every type."""
    rng, shape = np.random.default_rng(length), (37, 3)
    parameters, parts, arrays = [], [], []
    for type_ in TYPES:
        one = {"f": "1.0", "b": "1.0", "c": "[1.0, 0.0]"}.get(type_[0], "1")
        parts.append(COPY.replace("ONE", one).replace("ZERO", one.replace("1", "0")).replace("T", type_))
        parameters += [f"%{name}_{type_}: memref<{type_}x37x3>" for name in "ABC"]
        dtype = np.dtype(DTYPES[type_])
        bits = rng.integers(0, 256, (37 * 3, dtype.itemsize), np.uint8)
        bits[::2, -2:] = (255, 127)[-dtype.itemsize :]  # nan, with whatever is in the other bytes
        a = bits.reshape(-1).view(dtype).reshape(shape, order="F")
        arrays += [a, np.zeros_like(a, order="F"), np.zeros_like(a, order="F")]
    constants = "\n".join(
        f"%{name} = constant {n} : index" for name, n in zip(("zero", "rows", "columns"), (0, *shape))
    )
    kernel = pytl.compile(f"func @f({', '.join(parameters)}) {{\n{constants}{''.join(parts)}\n}}")["f"]
    kernel[1, {"vector_length": length}](*arrays, backend="arm_sme")
    for type_, a, b, c in zip(TYPES, arrays[::3], arrays[1::3], arrays[2::3], strict=True):
        for copied in (b, c):
            assert copied.tobytes(order="F") == a.tobytes(order="F"), type_


OTHERS: list[tuple[str, list[tuple[int, ...]], tuple[int, ...], dict[str, Any]]] = [
    ("gemv.n", [(37, 5), (5,)], (37,), {}),
    ("gemv.t", [(35, 6), (35,)], (6,), {}),
    ("ger", [(19,), (5,)], (19, 5), {}),
    ("axpby.n", [(67,)], (67,), {}),
    ("axpby.t", [(5, 9)], (9, 5), {}),
    ("hadamard", [(19, 3), (19, 3)], (19, 3), {}),
    ("sum.n", [(70,)], (), {}),
    ("sum.n", [(35, 6)], (35,), {}),
    ("sum.t", [(35, 6)], (6,), {}),
    ("cumsum", [(7, 5)], (7, 5), {"mode": 0}),
    ("cumsum", [(18, 3, 2)], (18, 3, 2), {"mode": 1}),
]
"""Words, shapes of factors and target, and the mode."""
MIXED = [("i8", "i8", "f16"), ("f16", "f16", "f64"), ("i16", "i32", "i64"), ("f32", "f32", "c32")]


def others() -> list[Case]:
    """Every other instruction on every type, with the forms in turn."""
    found = []
    for number, types in enumerate([*((type_,) * 3 for type_ in TYPES), *MIXED]):
        for place, (word, shapes, target, more) in enumerate(OTHERS):
            if types in MIXED and (place + number) % 2:
                continue
            kinds = forms(types[-1])
            kind = kinds[(number + place) % len(kinds)]
            factors = list(zip(types, shapes))
            if types[-1] in COMPLEX:
                kind = {"bound": BOUNDS["complex products"], **kind}
            found.append(update_case(word, factors, (types[-1], target), **more, **kind))
    return found


@pytest.mark.at_night
@each_way(batches("others", others(), 40), WAYS)
def test_other_instructions(batch: Any, case: Case, way: str) -> None:
    assert batch.differences(case, way) == []
