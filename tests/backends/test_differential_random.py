"""Random programs without undefined behaviour: the SYCL backend against the reference."""

from __future__ import annotations

from random import Random

import pytest
from backends.differential import NEEDS_SYCL, STRATEGIES, clone, spans
from generator import INTEGERS, generate
from properties.execution import GROUPS, data_for, differences, execute

import pytl

pytestmark = NEEDS_SYCL


@pytest.mark.parametrize("seed", range(14))
@pytest.mark.parametrize("elements", ["integers", "all"])
def test_random_program(elements: str, seed: int) -> None:
    chosen = {"elements": INTEGERS} if elements == "integers" else {}
    text = generate(Random(seed), safe=True, size=25, language="sycl", **chosen)
    (kernel,) = pytl.compile(text).values()
    given = data_for(kernel.function, seed, sizes={"": 4})
    expected = execute(kernel.module, given)
    for way in STRATEGIES:
        actual = [clone(argument) for argument in given]
        kernel[GROUPS, {"strategy": way}](*actual, backend="sycl")
        left = [span for argument in actual for span in spans(argument)]
        found = differences(left, expected, [0.0] * len(expected))
        assert not found, f"{way}: {found}\n{text}"
