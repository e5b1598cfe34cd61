"""Functions before and after the pass vectorize with `streaming`, executed by the oracle."""

from __future__ import annotations

from collections.abc import Sequence

import ml_dtypes
import numpy as np
from passes_kit import assert_printed_and_read

from pytl.backends.reference import MemrefView, execute
from pytl.ir.clone import clone_function
from pytl.ir.text import parse_text
from pytl.ir.values import Function, Module
from pytl.passes import SmeProducts, Vectorize
from pytl.passes.targets.machine import MACHINES

DTYPES = {
    **{f"i{bits}": np.dtype(f"int{bits}") for bits in (8, 16, 32, 64)},
    **{f"f{bits}": np.dtype(f"float{bits}") for bits in (16, 32, 64)},
    "bf16": np.dtype(ml_dtypes.bfloat16),
    "c32": np.dtype(np.complex64),
    "c64": np.dtype(np.complex128),
}


def lowered(text: str, bits: int = 0, machine: str = "sme") -> tuple[Function, Function]:
    """A function, and what the pass makes of it, for vectors of one length or of any."""
    (function,) = parse_text(text).module.functions
    after = clone_function(function)
    SmeProducts(MACHINES[machine], bits=bits).run(after)
    assert_printed_and_read(Module([after]))
    Vectorize(streaming=True, bits=bits, rows=MACHINES[machine].has_groups).run(after)
    assert_printed_and_read(Module([after]))
    return function, after


def literal(value: int, element: str) -> str:
    return str(value) if element[0] == "i" else f"[{value}.0,1.0]" if element[0] == "c" else f"{value}.0"


def values(rng: np.random.Generator, shape: tuple[int, ...], element: str) -> np.ndarray:
    numbers = np.array(rng.integers(-5, 6, shape), order="F")
    parts = 1j * rng.integers(-5, 6, shape) if element[0] == "c" else 0
    return np.asarray(numbers + parts, DTYPES[element], order="F")


def assert_same(
    text: str,
    arrays: list[np.ndarray],
    scale: int,
    bits: int = 0,
    machine: str = "sme",
    numbers: Sequence[float] = (),
) -> Function:
    """Both functions give the same of the same."""
    results, functions = [], lowered(text, bits, machine)
    for function in functions:
        buffers = [array.reshape(-1, order="F").copy() for array in arrays]
        views = [
            MemrefView(buffer, 0, array.shape, tuple(stride // array.itemsize for stride in array.strides))
            for buffer, array in zip(buffers, arrays)
        ]
        execute(function, [*views, *numbers], 1, vector_scale=scale)
        results.append(buffers)
    for expected, actual in zip(*results):
        np.testing.assert_array_equal(actual, expected)
    return functions[1]
