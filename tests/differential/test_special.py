"""Denormal numbers, infinities, nan and zeros of either sign on every backend: in updates, atomic stores and matrices.

The tables of scalars, casts, mathematical functions and sub-groups have such numbers among theirs.

Whatever order sums are taken in, they are exact here, so that all bits are compared.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from differential.cases import BOUNDS, EXACT, WAYS, Batch, Bound, Case, batches, each_way, literal, small
from differential.update_cases import Shaped, update_case
from reference_kit import DTYPES, FORMATS, float_edges
from sampling import at_night

from pytl.backends.arm_sme.backend import DEFAULT_LENGTH, VECTOR_LENGTHS

pytestmark = pytest.mark.at_most(4)

Numbers = Callable[..., np.ndarray]
TYPES = ("f16", "f32", "bf16", "c64", "f64", "c32")
PARTS = {"c32": "f32", "c64": "f64"}
UPDATES: list[tuple[str, list[tuple[int, ...]], tuple[int, ...], dict[str, Any]]] = [
    ("gemm.n.n", [(17, 5), (5, 4)], (17, 4), {}),
    ("gemm.t.t", [(2, 17), (4, 2)], (17, 4), {}),
    ("gemv.n", [(17, 5), (5,)], (17,), {}),
    ("gemv.t", [(5, 17), (5,)], (17,), {}),
    ("ger", [(17,), (4,)], (17, 4), {}),
    ("axpby.n", [(17, 4)], (17, 4), {}),
    ("axpby.t", [(4, 17)], (17, 4), {}),
    ("hadamard", [(17, 4), (17, 4)], (17, 4), {}),
    ("sum.n", [(17, 5)], (17,), {}),
    ("sum.t", [(5, 17)], (17,), {}),
    ("cumsum", [(17, 4)], (17, 4), {"mode": 0}),
    ("cumsum", [(17, 4)], (17, 4), {"mode": 1}),
]
FACTORS = [(1, 0), (-1, 2), (1, 1), (0, 1), (2, -1)]
OF_PRODUCTS = Bound({}, "a sum of products may begin with the target in place of zero", signed_zeros=False)


def real(draw: Numbers) -> Numbers:
    """Numbers of any type: of complex ones, both parts are drawn."""

    def numbers(rng: np.random.Generator, type_: str, *shape: int) -> np.ndarray:
        if type_ not in PARTS:
            return draw(rng, type_, *shape)
        values = np.empty(shape, DTYPES[type_], order="F")
        values.real, values.imag = draw(rng, PARTS[type_], *shape), draw(rng, PARTS[type_], *shape)
        return values

    return numbers


@real
def zeros_of_either_sign(rng: np.random.Generator, type_: str, *shape: int) -> np.ndarray:
    return np.asarray(rng.choice([0.0, -0.0, -0.0, -0.0, 1.0, -1.0], shape)).astype(DTYPES[type_], order="F")


def not_finite(rng: np.random.Generator, type_: str, *shape: int) -> np.ndarray:
    values = small(rng, type_, *shape)
    values[rng.random(shape) < 0.1] = rng.choice([np.inf, -np.inf, np.nan])
    return values


def denormal(places: Iterator[bool]) -> Numbers:
    """Few times the smallest number, for each array where that is the next of `places`; else small integers."""

    def numbers(rng: np.random.Generator, type_: str, *shape: int) -> np.ndarray:
        if not next(places):
            return small(rng, type_, *shape)

        @real
        def least(rng: np.random.Generator, part: str, *shape: int) -> np.ndarray:
            multiples = small(rng, part, *shape).astype(np.float64) * 2.0 ** FORMATS[part][1]
            # NumPy has no cast from double to bfloat16 that rounds once
            return multiples.astype(np.float32 if part == "bf16" else DTYPES[part]).astype(DTYPES[part])

        return least(rng, type_, *shape)

    return numbers


@real
def edges(rng: np.random.Generator, type_: str, *shape: int) -> np.ndarray:
    """The largest and the least numbers, infinities, nan, and zeros of either sign, each at least once."""
    known = [
        *float_edges(type_),
        DTYPES[type_].type(math.inf),
        DTYPES[type_].type(-math.inf),
        DTYPES[type_].type(math.nan),
    ]
    values = np.array([known[n % len(known)] for n in range(int(np.prod(shape)))], DTYPES[type_])
    return np.asfortranarray(rng.permutation(values).reshape(shape))


def cases() -> Iterator[Case]:
    """Each kind of numbers for each update, with types and factors in turn."""
    turn = itertools.count()
    for place, (word, factors, target, more) in enumerate(UPDATES):
        for (shift, kind), other in itertools.product(enumerate(("zeros", "inf", "denormal")), (0, len(TYPES) // 2)):
            # a product of two denormal numbers is zero
            places = iter((True, False, True) if len(factors) == 2 else (True, True))
            numbers = {"zeros": zeros_of_either_sign, "inf": not_finite, "denormal": denormal(places)}[kind]
            type_ = TYPES[(place + shift + other) % len(TYPES)]
            if type_ in PARTS and kind == "inf":
                continue  # which parts of a product with a complex infinity are nan depends on the formula
            operands: list[Shaped] = [(type_, shape) for shape in factors]
            alpha, beta = FACTORS[next(turn) % len(FACTORS)]
            known = next(turn) % 4 < 2
            bound = OF_PRODUCTS if word.startswith("gemm") else BOUNDS["complex products"] if type_ in PARTS else EXACT
            case = update_case(
                word, operands, (type_, target), alpha, beta, numbers=numbers, known=known, bound=bound, **more
            )
            yield Case(f"{kind}-{case.name}", case.parameters, case.body, case.bound)


SPECIAL = batches("special", list(cases()), 12)


AT_LENGTHS = [f"arm_sme, {length}" for length in VECTOR_LENGTHS if length != DEFAULT_LENGTH]
"""Arm's matrix extension with other vectors than the backend's own way has."""


@pytest.mark.at_night
@each_way(SPECIAL, [*WAYS, *(pytest.param(way, marks=pytest.mark.tools_of("arm_sme")) for way in AT_LENGTHS)])
def test_special_numbers_in_updates(batch: Batch, case: Case, way: str) -> None:
    assert batch.differences(case, way) == []


# Atomic stores and cooperative matrices.

ITEMS = 24
"""Elements of the arrays of edges."""


def atomic_case(type_: str) -> Case:
    """Edges are stored, and added to edges and to zeros of either sign, each element once."""
    rng = np.random.default_rng(11)
    body = f"""
    %zero = constant 0 : index
    %end = constant {ITEMS} : index
    foreach (%i) = (%zero), (%end) {{
      %v = load %a[%i] : {type_}
      store.atomic %v, %s[%i]
      store.atomic_add %v, %r[%i]
      store.atomic_add %v, %z[%i]
    }}"""
    given = {"a": edges, "s": zeros_of_either_sign, "r": edges, "z": zeros_of_either_sign}
    parameters = {name: (f"memref<{type_}x{ITEMS}>", draw(rng, type_, ITEMS)) for name, draw in given.items()}
    return Case(f"atomic-{type_}", parameters, body)


def ties(type_: str) -> tuple[np.ndarray, np.ndarray]:
    """Numbers whose sums lie halfway between two numbers of the type, every other one."""
    half = 2.0 ** -FORMATS[PARTS.get(type_, type_)][0]
    one, halves = np.ones((4, 6), np.float64), half * np.arange(24.0).reshape(4, 6)
    return tuple(np.asfortranarray(each.astype(np.float32).astype(DTYPES[type_])) for each in (one, halves))


def matrix_case(type_: str) -> Case:
    """Edges and ties are loaded, transposed, added, negated, scaled and stored."""
    rng = np.random.default_rng(12)
    one = literal(complex(1) if type_ in PARTS else 1.0, type_)
    t = f"coopmatrix<{type_}x4x6,matrix_acc>"
    scaled = "" if type_ in PARTS else f"%m5 = cooperative_matrix_scale %one, %m4 : {t}"
    body = f"""
    %zero = constant 0 : index
    %one = constant {one} : {type_}
    parallel {{
      %m1 = cooperative_matrix_load.t %a[%zero, %zero] : {t}
      %m2 = cooperative_matrix_load.n %d[%zero, %zero] : {t}
      %m3 = arith.add %m1, %m2 : {t}
      %m4 = arith.neg %m3 : {t}
      {scaled}
      cooperative_matrix_store {"%m5" if scaled else "%m4"}, %e[%zero, %zero]
      cooperative_matrix_store.atomic_add %m1, %f[%zero, %zero]
      %h1 = cooperative_matrix_load.n %h[%zero, %zero] : {t}
      %h2 = cooperative_matrix_load.n %k[%zero, %zero] : {t}
      %h3 = arith.add %h1, %h2 : {t}
      cooperative_matrix_store %h3, %h[%zero, %zero]
    }}"""
    shapes = {"a": (6, 4), "d": (4, 6), "e": (4, 6), "f": (4, 6)}
    parameters = {
        name: (f"memref<{type_}x{m}x{n}>", (zeros_of_either_sign if name == "f" else edges)(rng, type_, m, n))
        for name, (m, n) in shapes.items()
    }
    parameters.update((name, (f"memref<{type_}x4x6>", each)) for name, each in zip("hk", ties(type_)))
    return Case(f"matrices-{type_}", parameters, body)


def matrix_product_case(type_: str) -> Case:
    """Zeros of either sign are multiplied."""
    rng = np.random.default_rng(12)
    a, b, c = (f"coopmatrix<{type_}x{shape}>" for shape in ("6x4,matrix_a", "4x6,matrix_b", "6x6,matrix_acc"))
    body = f"""
    %zero = constant 0 : index
    parallel {{
      %x = cooperative_matrix_load.n %p[%zero, %zero] : {a}
      %y = cooperative_matrix_load.n %q[%zero, %zero] : {b}
      %z = cooperative_matrix_load.n %r[%zero, %zero] : {c}
      %w = cooperative_matrix_mul_add %x, %y, %z : {c}
      cooperative_matrix_store %w, %r[%zero, %zero]
    }}"""
    parameters = {
        name: (f"memref<{type_}x{m}x{n}>", zeros_of_either_sign(rng, type_, m, n))
        for name, (m, n) in {"p": (6, 4), "q": (4, 6), "r": (6, 6)}.items()
    }
    return Case(f"products-{type_}", parameters, body, OF_PRODUCTS)


@pytest.mark.at_most(1)
@each_way(batches("special", [*map(atomic_case, TYPES)], 6), WAYS)
def test_special_numbers_in_atomic_stores(batch: Batch, case: Case, way: str) -> None:
    assert batch.differences(case, way) == []


# Many matrices in a kernel take the driver many times as long.
@pytest.mark.at_most(1)
@each_way(
    batches("special", [*map(matrix_case, [t for t in TYPES if t != "f16"]), *map(matrix_product_case, TYPES)], 1), WAYS
)
def test_special_numbers_in_matrices(batch: Batch, case: Case, way: str) -> None:
    assert batch.differences(case, way) == []


# The driver takes a minute for its many work-items.
@pytest.mark.at_most(1)
@pytest.mark.parametrize("way", [WAYS[0], *WAYS[2:], *at_night(WAYS[1:2])])
def test_special_numbers_in_matrices_of_halves(way: str) -> None:
    (batch,) = batches("special", [matrix_case("f16")], 1)
    assert batch.differences(batch.cases[0], way) == []


def test_denormal_numbers_are_denormal() -> None:
    """What the cases above take them for."""
    for type_ in set(TYPES) - set(PARTS):
        (values,) = (denormal(iter([True]))(np.random.default_rng(1), type_, 50),)
        wide = np.abs(values.astype(np.float64))
        normal = 2.0 ** (FORMATS[type_][1] + FORMATS[type_][0] - 1)
        assert 0 < wide.max() < normal and set(np.unique(wide / 2.0 ** FORMATS[type_][1])) == {0, 1, 2, 3}
