"""Vector code computes what its program does: 500 programs are executed by the oracle as each kind of machine has them.

`test_stages.py` and `test_meaning.py` execute fewer programs, after every pass.
"""

from __future__ import annotations

from random import Random

import pytest
from generator import generate
from generator.products import products
from properties.execution import assert_same_meaning
from sampling import at_night

from pytl.backends.mlir.pipeline import streaming_passes, vector_passes
from pytl.passes import Pass
from pytl.passes.targets.machine import MACHINES

TOGETHER = 50
"""Programs of a test."""
PRODUCTS = 1
"""How many of these are of products, whose vector code has many instructions."""


def pipelines(seed: int) -> dict[str, tuple[list[Pass], bool]]:
    """The passes that are tried on a program: those for vectors of one of the lengths, or of any length with tiles."""
    name = ("sse", "avx2", "avx512", "sve256", "sme")[seed % 5]
    return {name: ((streaming_passes if name == "sme" else vector_passes)({}, MACHINES[name]), True)}


@pytest.mark.parametrize("first", [*range(0, 500, TOGETHER), *at_night(range(500, 20_000, TOGETHER))])
def test_programs_have_the_same_meaning(first: int) -> None:
    made = []
    for seed in range(first, first + TOGETHER):
        has_products = seed - first < PRODUCTS
        text = products(Random(seed)) if has_products else generate(Random(seed), safe=True, size=3)
        made += map(str, assert_same_meaning(text, seed, pipelines(seed)))
    assert sum("vector.code" in text for text in made) > TOGETHER // 10, "there is vector code to execute"
