"""The examples flash_attention.py and ozaki.py beside NumPy and torch.

    python benchmarks/schemes.py [--budget SECONDS] [--write]

Attention is of 8 heads of 512 tokens with 64 features; torch computes scaled_dot_product_attention of the same heads in
its own layout, and NumPy the matrix of all scores in f32. Ozaki's scheme multiplies 256×256 matrices of doubles by
eight slices of each, which cuts them, too; NumPy and torch multiply the doubles.
"""

from __future__ import annotations

import importlib.util
import math
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from types import ModuleType

import numpy as np
from measure import Cell, Variant, interleaved, on_cores, taking_part
from peers.libraries import import_peer
from workload import main

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
HEADS, TOKENS, FEATURES = 8, 512, 64
SIZE, SLICES = 256, 8
EPSILON = {"f32": 2.0**-23, "f16": 2.0**-10, "bf16": 2.0**-7}
TORCH = "python install.py bench-torch"


def example(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def attention_makers(
    element: str, heads: int = HEADS, tokens: int = TOKENS
) -> tuple[list[Callable[[], Variant]], np.ndarray]:
    """All who take part, and what they have to find."""
    flash = example("flash_attention")
    type_, dtype = flash.TYPES[element]
    Q, K, V = flash.random_heads(dtype, (tokens, FEATURES, heads))
    scale = 1 / math.sqrt(FEATURES)

    def by_pytl() -> Variant:
        R = np.zeros(Q.shape, np.float32, order="F")
        launch = flash.flash_attention_kernel(type_, tokens, FEATURES)[heads * tokens // flash.ROWS]
        return Variant("pytl", lambda: launch(scale, Q, K, V, R), lambda: R, EPSILON[element])

    def by_numpy() -> Variant:
        singles = [array.astype(np.float32) for array in (Q, K, V)]
        result = flash.single_precision(scale, *singles)

        def run() -> None:
            result[...] = flash.single_precision(scale, *singles)

        return Variant("NumPy", run, lambda: result.transpose(1, 2, 0))

    def by_torch() -> Variant:
        import_peer("torch", TORCH)
        call = flash.of_torch(element, Q, K, V)
        return Variant("torch", call, lambda: call()[0].float().numpy().transpose(1, 2, 0), 4 * EPSILON[element])

    return [by_pytl, by_numpy, by_torch], flash.numpy_attention(scale, Q, K, V).astype(np.float32)


def attention(cores: int, budget: float) -> Iterator[Cell]:
    for element in EPSILON:
        makers, expected = attention_makers(element)
        variants, absent = taking_part(makers, expected, 4)
        work = HEADS * 4.0 * TOKENS**2 * FEATURES
        table, row = f"attention, {on_cores(cores)}", f"{HEADS} heads, {TOKENS} tokens, {FEATURES} features"
        yield Cell(table, row, element, cores, work, interleaved(variants, budget), None, absent)


def product_makers(size: int = SIZE, slices: int = SLICES) -> tuple[list[Callable[[], Variant]], np.ndarray]:
    """All who take part in a product of doubles, and what they have to find."""
    ozaki = example("ozaki")
    random = np.random.default_rng(1)
    A, B = (np.asfortranarray(random.standard_normal((size, size))) for _ in "AB")

    def by_pytl() -> Variant:
        result = np.zeros((size, size), order="F")

        def run() -> None:
            result[...] = ozaki.multiply(A, B, slices)

        return Variant("pytl", run, lambda: result)

    def by_numpy() -> Variant:
        result = np.zeros((size, size), order="F")
        return Variant("NumPy", lambda: np.matmul(A, B, out=result), lambda: result)

    def by_torch() -> Variant:
        torch = import_peer("torch", TORCH)
        left, right = torch.from_numpy(A), torch.from_numpy(B)
        return Variant("torch", partial(torch.matmul, left, right), lambda: torch.matmul(left, right).numpy())

    return [by_pytl, by_numpy, by_torch], A @ B


def products(cores: int, budget: float) -> Iterator[Cell]:
    makers, expected = product_makers()
    variants, absent = taking_part(makers, expected, 16)
    table, row = f"Ozaki's scheme, {on_cores(cores)}", f"{SIZE}×{SIZE}, {SLICES} slices"
    yield Cell(table, row, "i8→f64", cores, 2.0 * SIZE**3, interleaved(variants, budget), None, absent)


def cells(cores: int, budget: float) -> Iterator[Cell]:
    yield from attention(cores, budget)
    yield from products(cores, budget)


if __name__ == "__main__":
    main(__file__, __doc__, {"schemes": cells})
