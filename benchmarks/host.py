"""The same kernels by MLIR's tools and LLVM for the host (the backend `mlir`) and on the SYCL device of the processor.

    python benchmarks/host.py [--budget SECONDS] [--write]

Products, the chain and SeisSol's kernels are those of benchmarks/gemm.py, chain.py and seissol.py; beside them a sum of
two vectors, and a layer norm as people write it. Where the data are and what the options mean is as there.
"""

# Without `from __future__ import annotations`: those of the kernels have names of the functions around them.
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import chain
import gemm
import numpy as np
import seissol
from measure import ELEMENTS, Cell, Variant, interleaved, on_cores, taking_part
from memory import on_device, on_host, placed
from workload import WHERE, batch, main, peak_of

SQUARES = [(n, n, n) for n in (8, 16, 24, 32, 40, 48, 56, 64)]
SIZES = [*SQUARES, *gemm.REMAINDERS]
LENGTH = 4096
NORMALIZED = (64, 16)
BY_SYCL = "SYCL"
Made = Callable[[], Variant]


def axpby(x: np.ndarray, y: np.ndarray, total: int) -> Variant:
    import pytl
    from pytl import Memref, group_id

    length, items = x.shape
    element = getattr(pytl, ELEMENTS[x.dtype.name])

    @pytl.kernel
    def sums(X: Memref[element, length, ...], Y: Memref[element, length, ...]):
        g = group_id() % items
        pytl.axpby(0.25, X[:, g], 0.5, Y[:, g])

    arrays = [on_device(array) for array in (x, y)]
    launch = sums[total]
    return Variant("pytl", lambda: launch(*arrays), lambda: on_host(arrays[1]))


def layer_norm(x: np.ndarray, total: int) -> Variant:
    """Each iteration of a `foreach` reduces a contiguous column."""
    import pytl
    from pytl import Memref, foreach, group_id, rsqrt

    rows, columns, items = x.shape
    element = getattr(pytl, ELEMENTS[x.dtype.name])

    @pytl.kernel
    def normalized(X: Memref[element, rows, columns, ...], Y: Memref[element, rows, columns, ...]):
        g = group_id() % items
        for t in foreach(columns):
            s = element(0.0)
            q = element(0.0)
            for i in range(rows):
                v = X[i, t, g]
                s = s + v
                q = q + v * v
            mean = s / float(rows)
            r = rsqrt(q / float(rows) - mean * mean + 1e-5)
            for i in range(rows):
                Y[i, t, g] = (X[i, t, g] - mean) * r

    arrays = [on_device(x), on_device(np.zeros_like(x))]
    launch = normalized[total]
    return Variant("pytl", lambda: launch(*arrays), lambda: on_host(arrays[1]))


def on_backend(backend: str, name: str, maker: Made) -> Variant:
    """What a maker makes, on a backend, and with arrays for it."""
    import pytl

    with pytl.use(backend):
        variant = maker()

    def run() -> None:
        with pytl.use(backend):
            variant.run()

    return replace(variant, name=name, run=run)


def beside(
    maker: Made, expected: np.ndarray, terms: int, budget: float, place: str
) -> tuple[Mapping[str, float], list[str]]:
    """The seconds of both backends, which take turns."""
    makers = [partial(on_backend, "mlir", "pytl", maker), partial(on_backend, "sycl", BY_SYCL, maker)]
    variants, absent = taking_part(makers, expected, terms)
    return interleaved(variants, budget, place), absent


def of_product(size: tuple[int, int, int], dtype: str, budget: float) -> tuple[float, Any]:
    m, n, k = size
    items, total = batch((m * k + m * n) * np.dtype(dtype).itemsize, 2.0 * m * n * k, "L2")
    a, b, c = random((m, k, items), (k, n), (m, n, items), dtype=dtype)
    rounds = total // items
    expected = c + rounds * np.matmul(a.transpose(2, 0, 1), b).transpose(1, 2, 0)
    found = beside(partial(gemm.by_pytl, a, b, c, total), expected, k + rounds, budget, "L2")
    return 2.0 * m * n * k * total, found


def of_chain(dtype: str, budget: float) -> tuple[float, Any]:
    items, total = batch((16 * 8 + 16 * 16) * 4, chain.FLOPS_PER_ITEM, "L2")
    rounds = total // items
    a, b, c, d = random((16, 8, items), (8, 8), (8, 16), (16, 16, items), dtype=dtype)
    product = np.matmul(np.matmul(a.transpose(2, 0, 1), b.T), np.float32(rounds * chain.ALPHA) * c)
    expected = d + product.transpose(1, 2, 0)
    found = beside(partial(chain.by_pytl, a, b, c, d, total), expected, 16 + rounds, budget, "L2")
    return float(chain.FLOPS_PER_ITEM * total), found


def of_seissol(name: str, order: int, dtype: str, budget: float) -> tuple[float, Any]:
    case = seissol.CASES[name](order)
    (maker, *_), expected = seissol.makers_of(case, dtype, seissol.ITEMS)
    found = beside(maker, expected, 4 * seissol.volume_basis(order), budget, "memory")
    return float(case.flops * seissol.ITEMS), found


def of_sum(dtype: str, budget: float) -> tuple[float, Any]:
    items, total = batch(2 * LENGTH * np.dtype(dtype).itemsize, 3.0 * LENGTH, "L2")
    x, y = random((LENGTH, items), (LENGTH, items), dtype=dtype)
    expected, number = y, np.dtype(dtype).type
    for _ in range(total // items):
        expected = expected * number(0.5) + x * number(0.25)
    return 3.0 * LENGTH * total, beside(partial(axpby, x, y, total), expected, 2, budget, "L2")


def of_layer_norm(dtype: str, budget: float) -> tuple[float, Any]:
    work = 7.0 * NORMALIZED[0] * NORMALIZED[1]
    items, total = batch(2 * NORMALIZED[0] * NORMALIZED[1] * np.dtype(dtype).itemsize, work, "L2")
    (x,) = random((*NORMALIZED, items), dtype=dtype)
    expected = ((x - x.mean(0)) / np.sqrt(x.var(0) + 1e-5)).astype(dtype)
    return work * total, beside(partial(layer_norm, x, total), expected, NORMALIZED[0], budget, "L2")


def random(*shapes: tuple[int, ...], dtype: str) -> list[np.ndarray]:
    generator = np.random.default_rng(1)
    return [placed(generator.random(shape, dtype=dtype) - 0.5) for shape in shapes]


def cells(cores: int, budget: float) -> Iterator[Cell]:
    for dtype in ("float32", "float64"):
        peak = peak_of(dtype)

        def cell(row: str, found: tuple[float, Any], place: str = "L2", dtype: str = dtype, peak: Any = peak) -> Cell:
            work, (seconds, absent) = found
            table = f"the host by MLIR, {on_cores(cores)}"
            return Cell(table, row, ELEMENTS[dtype], cores, work, seconds, peak, absent, place=place)

        for size in SIZES:
            yield cell(f"gemm {'×'.join(map(str, size))}, {WHERE['L2']}", of_product(size, dtype, budget))
        if dtype == "float32":
            yield cell(f"the chain, {WHERE['L2']}", of_chain(dtype, budget))
        yield cell(f"axpby of {LENGTH}, {WHERE['L2']}", of_sum(dtype, budget))
        yield cell(f"layer norm, {WHERE['L2']}", of_layer_norm(dtype, budget))
        for name in seissol.CASES:
            for order in seissol.ORDERS:
                found = of_seissol(name, order, dtype, budget)
                yield cell(f"SeisSol's {name}, order {order}", found, "memory")


if __name__ == "__main__":
    main(__file__, __doc__, {"host": cells}, counts=(1,))
