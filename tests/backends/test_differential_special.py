"""Denormal numbers, infinities, nan and zeros of either sign in all updates, on every backend.

Whatever order sums are taken in, they are exact here, so that all bits are compared.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from backends.differential import EXACT, WAYS, Batch, Bound, Case, batches, each, small
from backends.update_cases import Shaped, update_case
from reference_kit import DTYPES, FORMATS

TYPES = ("f16", "f32", "bf16")
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

Numbers = Callable[..., np.ndarray]


def zeros_of_either_sign(rng: np.random.Generator, type_: str, *shape: int) -> np.ndarray:
    return np.asarray(rng.choice([0.0, -0.0, -0.0, -0.0, 1.0, -1.0], shape)).astype(DTYPES[type_], order="F")


def not_finite(rng: np.random.Generator, type_: str, *shape: int) -> np.ndarray:
    values = small(rng, type_, *shape)
    values[rng.random(shape) < 0.1] = rng.choice([np.inf, -np.inf, np.nan])
    return values


def denormal(places: Iterator[bool]) -> Numbers:
    """Few times the smallest number, for each array where that is the next of `places`; else small integers."""

    def numbers(rng: np.random.Generator, type_: str, *shape: int) -> np.ndarray:
        values = small(rng, type_, *shape)
        least = 2.0 ** FORMATS[type_][1]
        return (values.astype(np.float64) * least).astype(np.float32).astype(values.dtype) if next(places) else values

    return numbers


def cases() -> Iterator[Case]:
    """Each kind of numbers for each update, with types and factors in turn."""
    turn = itertools.count()
    for place, (word, factors, target, more) in enumerate(UPDATES):
        # a product of two denormal numbers is zero
        places = iter((True, False, True) if len(factors) == 2 else (True, True))
        kinds = (("zeros", zeros_of_either_sign), ("inf", not_finite), ("denormal", denormal(places)))
        for shift, (kind, numbers) in enumerate(kinds):
            type_ = TYPES[(place + shift) % len(TYPES)]
            operands: list[Shaped] = [(type_, shape) for shape in factors]
            alpha, beta = FACTORS[next(turn) % len(FACTORS)]
            known, bound = next(turn) % 4 < 2, OF_PRODUCTS if word.startswith("gemm") else EXACT
            case = update_case(
                word, operands, (type_, target), alpha, beta, numbers=numbers, known=known, bound=bound, **more
            )
            yield Case(f"{kind}-{case.name}", case.parameters, case.body, case.bound)


SPECIAL = batches("special", list(cases()), 12)


@pytest.mark.parametrize("way", WAYS)
@each(SPECIAL)
def test_special_numbers_in_updates(batch: Batch, case: Case, way: str) -> None:
    assert batch.differences(case, way) == []


def test_denormal_numbers_are_denormal() -> None:
    """What the cases above take them for."""
    for type_ in TYPES:
        (values,) = (denormal(iter([True]))(np.random.default_rng(1), type_, 50),)
        wide = np.abs(values.astype(np.float64))
        normal = 2.0 ** (FORMATS[type_][1] + FORMATS[type_][0] - 1)
        assert 0 < wide.max() < normal and set(np.unique(wide / 2.0 ** FORMATS[type_][1])) == {0, 1, 2, 3}
