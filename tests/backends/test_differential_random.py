"""Random programs without undefined behaviour: the SYCL backend against the reference."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from backends.differential import NEEDS_SYCL, STRATEGIES, clone, spans
from generator import INTEGERS, generate

import pytl
from pytl.runtime.sample import _Arguments

pytestmark = NEEDS_SYCL

GROUPS = 3
LEAST_DIGITS = {
    "bfloat16": 0.1,
    "float16": 1e-2,
    "float32": 1e-4,
    "complex64": 1e-4,
    "float64": 1e-9,
    "complex128": 1e-9,
}
"""What numbers may differ by, relative to the larger of 1 and the number: roundings add up along a program."""


def agree(actual: np.ndarray, expected: np.ndarray) -> bool:
    if actual.dtype.kind in "iu":
        return np.array_equal(actual, expected)
    a, e = actual.astype(np.complex128), expected.astype(np.complex128)
    return np.allclose(a, e, atol=LEAST_DIGITS[actual.dtype.name], rtol=LEAST_DIGITS[actual.dtype.name], equal_nan=True)


@pytest.mark.parametrize("seed", range(14))
@pytest.mark.parametrize("elements", ["integers", "all"])
def test_random_program(elements: str, seed: int) -> None:
    chosen = {"elements": INTEGERS} if elements == "integers" else {}
    text = generate(Random(seed), safe=True, size=25, language="sycl", **chosen)
    (kernel,) = pytl.compile(text).values()
    data = _Arguments(np.random.default_rng(seed), GROUPS, {"": 4}, {})
    parameters = kernel.function.parameters
    given = [data.make(value.name or str(place), value.type) for place, value in enumerate(parameters)]
    expected = [clone(argument) for argument in given]
    kernel[GROUPS](*expected, backend="reference")
    for way in STRATEGIES:
        actual = [clone(argument) for argument in given]
        kernel[GROUPS, {"strategy": way}](*actual, backend="sycl")
        for parameter, a, e in zip(parameters, actual, expected, strict=True):
            assert all(map(agree, spans(a), spans(e))), f"{way}: {parameter.name} differs in\n{text}"
