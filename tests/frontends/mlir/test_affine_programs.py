"""Random affine programs compute what MLIR's own tools make of them."""

from __future__ import annotations

import copy
import functools
from typing import Any

import numpy as np
import pytest
from frontends.mlir.host import Host
from frontends.mlir.programs import Program, program
from launch_kit import needs_sycl
from sampling import at_night

import pytl

pytestmark = pytest.mark.at_most(12)

IN_BETWEEN, ALL = 20, 100
SEEDS = [*range(IN_BETWEEN), *at_night(range(IN_BETWEEN, ALL))]


@functools.cache
def host() -> Host:
    """All programs, compiled together: the tools take longer to start than to compile one."""
    return Host("\n".join(program(seed).text for seed in SEEDS))


def same(found: dict[str, Any], wanted: dict[str, Any], given: Program) -> None:
    for name in given.shapes:
        if given.element[0] == "i":
            np.testing.assert_array_equal(found[name], wanted[name], err_msg=name)
        else:
            # sums are taken in another order
            scale = max(1.0, float(np.abs(wanted[name]).max()))
            tolerance = scale * (1e-4 if given.element == "f32" else 1e-10)
            np.testing.assert_allclose(found[name], wanted[name], rtol=0, atol=tolerance, err_msg=name)


@pytest.mark.at_most(1)
@pytest.mark.tools_of("mlir")
@pytest.mark.parametrize("backend", ["reference", pytest.param("sycl", marks=needs_sycl), "mlir"])
@pytest.mark.parametrize("seed", SEEDS)
def test_a_program_computes_what_mlir_makes_of_it(seed: int, backend: str) -> None:
    given = program(seed)
    arguments = given.arguments(seed)
    wanted = {name: _like(value) for name, value in arguments.items()}
    host().call(given.name, list(wanted.values()))
    kernel = pytl.from_mlir(given.text)[given.name]
    for groups in (..., 3):
        found = {name: _like(value) for name, value in arguments.items()}
        kernel[groups](*found.values(), backend=backend)
        same(found, wanted, given)


def _like(value: Any) -> Any:
    """A copy that lies in memory as the array does."""
    if not isinstance(value, np.ndarray):
        return value
    steps = [step // value.itemsize for step in value.strides]
    span = 1 + sum((n - 1) * s for n, s in zip(value.shape, steps))
    memory = np.lib.stride_tricks.as_strided(value, (span,), (value.itemsize,)).copy()
    return np.lib.stride_tricks.as_strided(memory, value.shape, copy.copy(value.strides))
