"""Batched products C_i += A_i B of complex numbers, and of factors narrower than C, beside NumPy and torch.

    python benchmarks/mixed.py [--budget SECONDS] [--write]

Where the data are and what the options mean is as in benchmarks/gemm.py; f16→f32 has A and B in f16, C in f32.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import ml_dtypes
import numpy as np
from measure import ELEMENTS, Cell, Variant, interleaved, on_cores, taking_part
from memory import on_device, on_host, placed
from peers import libraries, narrow
from workload import WHERE, batch, main, peak_of, places

SIZES = (16, 32)
TYPES: tuple[tuple[Any, Any], ...] = (
    (np.complex64, np.complex64),
    (np.float16, np.float32),
    (ml_dtypes.bfloat16, np.float32),
    (np.complex128, np.complex128),
    (np.int8, np.int32),
)
"""Of the factors, and of C."""
FOOT = (
    "A complex multiply-add is four. torch multiplies in the type of A and B and adds the result to C; i8 it takes "
    "as i32. *Converting*, it multiplies in f32, as NumPy does. The peak is that of f32, for c64 of f64. With "
    "*fastmath*, bf16 below 2^-126 may be zero, as in torch."
)


def named(factors: Any, result: Any) -> str:
    """The types in the language's words."""
    names = [ELEMENTS[np.dtype(dtype).name] for dtype in (factors, result)]
    return "→".join(dict.fromkeys(names))


def random_numbers(shape: tuple[int, ...], dtype: Any, seed: int) -> np.ndarray:
    """Numbers around zero, column-major; integers of all sizes."""
    generator = np.random.default_rng(seed)
    if np.dtype(dtype).kind == "i":
        return placed(generator.integers(-128, 128, shape).astype(dtype))
    numbers = generator.random(shape) - 0.5
    if np.dtype(dtype).kind == "c":
        numbers = numbers + 1j * (generator.random(shape) - 0.5)
    return placed(numbers.astype(dtype))


def by_pytl(a: np.ndarray, b: np.ndarray, c: np.ndarray, total: int, fastmath: bool = False) -> Variant:
    import pytl
    from pytl import Memref, gemm, group_id

    n, _, items = c.shape
    repeated = total > items
    factor, element = (getattr(pytl, ELEMENTS[array.dtype.name]) for array in (a, c))
    one = 1 if a.dtype.kind == "i" else 1.0

    @pytl.kernel
    def product(A: Memref[factor, n, n, ...], B: Memref[factor, n, n], C: Memref[element, n, n, ...]):
        i = group_id() % items if repeated else group_id()
        gemm(one, A[:, :, i], B, one, C[:, :, i])

    device = [on_device(array) for array in (a, b, c)]
    launch = product[total, {"fastmath": True}] if fastmath else product[total]
    return Variant("pytl", lambda: launch(*device), lambda: on_host(device[2]))


def makers_of(
    types: tuple[Any, Any], n: int, items: int, total: int, fastmath: bool = False
) -> tuple[list[Callable[[], Variant]], np.ndarray]:
    """All who take part, and what they have to find."""
    factors, result = types
    a, b = random_numbers((n, n, items), factors, 1), random_numbers((n, n), factors, 2)
    c = random_numbers((n, n, items), result, 3)
    wide = np.dtype({"i": np.float64, "f": np.float64, "c": np.complex128}[np.dtype(result).kind])
    product = np.matmul(a.transpose(2, 0, 1).astype(wide), b.astype(wide)).transpose(1, 2, 0)
    expected = (c + total // items * product).astype(result)
    same = factors is result
    peers = (libraries.by_numpy, libraries.by_torch) if same else narrow.BY_LIBRARIES
    own = partial(by_pytl, fastmath=fastmath)
    return [partial(maker, a, b, c, total) for maker in (own, *peers)], expected


def measured(
    types: tuple[Any, Any], n: int, place: str, cores: int, budget: float, peak: float | None, fastmath: bool = False
) -> Cell:
    bytes_of_one = [np.dtype(dtype).itemsize for dtype in types]
    flops = (8.0 if np.dtype(types[1]).kind == "c" else 2.0) * n**3
    items, total = batch(n * n * sum(bytes_of_one), flops, place)
    makers, expected = makers_of(types, n, items, total, fastmath)
    variants, absent = taking_part(makers, expected, n + total // items)
    seconds = interleaved(variants, budget, place)
    table = f"other types, {WHERE[place]}, {on_cores(cores)}"
    row = f"{n}×{n}×{n}{', fastmath' if fastmath else ''}"
    return Cell(table, row, named(*types), cores, flops * total, seconds, peak, absent, place=place, notes=[FOOT])


def cells(cores: int, budget: float) -> Iterator[Cell]:
    single, double = peak_of("float32"), peak_of("float64")
    peaks = {"float32": single, "complex64": single, "complex128": double}
    for place in places(cores):
        for factors, result in TYPES:
            peak = peaks.get(np.dtype(result).name)
            for n in SIZES:
                yield measured((factors, result), n, place, cores, budget, peak)
                if factors is ml_dtypes.bfloat16:
                    yield measured((factors, result), n, place, cores, budget, peak, fastmath=True)


if __name__ == "__main__":
    main(__file__, __doc__, {"mixed": cells})
