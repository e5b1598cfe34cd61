"""Batched products C_i += A_i B whose sizes are known at launch only, beside the same kernel with static sizes.

    python benchmarks/dynamic.py [--budget SECONDS] [--write]

Where the data are and what the options mean is as in benchmarks/gemm.py. Launches are repeated ones: what the first
with these sizes costs is not in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
from measure import ELEMENTS, Cell, Variant, interleaved, on_cores, taking_part
from memory import on_device, on_host, placed
from workload import WHERE, batch, main, peak_of, places

SIZES = (16, 32, 64, 13)


def kernel_of(element: Any, size: Any, items: int, repeated: bool) -> Any:
    """The product of square matrices; their size is `...` for one that is known at launch."""
    from pytl import Memref, gemm, group_id
    from pytl import kernel as pytl_kernel

    @pytl_kernel
    def product(
        A: Memref[element, size, size, ...], B: Memref[element, size, size], C: Memref[element, size, size, ...]
    ):
        i = group_id() % items if repeated else group_id()
        gemm(1.0, A[:, :, i], B, 1.0, C[:, :, i])

    return product


def by_pytl(name: str, size: Any, a: np.ndarray, b: np.ndarray, c: np.ndarray, total: int) -> Variant:
    import pytl

    items = c.shape[2]
    element = getattr(pytl, ELEMENTS[c.dtype.name])
    arrays = [on_device(array) for array in (a, b, c)]
    launch = kernel_of(element, size, items, total > items)[total]
    return Variant(name, lambda: launch(*arrays), lambda: on_host(arrays[2]))


def makers_of(n: int, dtype: str, items: int, total: int) -> tuple[list[Callable[[], Variant]], np.ndarray]:
    generator = np.random.default_rng(1)
    shapes = [(n, n, items), (n, n), (n, n, items)]
    a, b, c = (placed(generator.random(shape, dtype) - 0.5) for shape in shapes)
    expected = c + total // items * np.matmul(a.transpose(2, 0, 1), b).transpose(1, 2, 0)
    return [
        partial(by_pytl, name, size, a, b, c, total) for name, size in (("pytl", ...), ("static sizes", n))
    ], expected


def measured(n: int, dtype: str, place: str, cores: int, budget: float, peak: float | None) -> Cell:
    items, total = batch(2 * n * n * np.dtype(dtype).itemsize, 2.0 * n**3, place)
    makers, expected = makers_of(n, dtype, items, total)
    variants, absent = taking_part(makers, expected, n + total // items)
    table, row = f"dynamic sizes, {WHERE[place]}, {on_cores(cores)}", f"{n}×{n}×{n}"
    work, seconds = 2.0 * n**3 * total, interleaved(variants, budget, place)
    return Cell(table, row, ELEMENTS[dtype], cores, work, seconds, peak, absent, place=place)


def cells(cores: int, budget: float) -> Iterator[Cell]:
    for place in places(cores):
        for dtype in ("float32", "float64"):
            peak = peak_of(dtype)
            for n in SIZES:
                yield measured(n, dtype, place, cores, budget, peak)


if __name__ == "__main__":
    main(__file__, __doc__, {"dynamic": cells})
