"""The manual's chain D_i += α A_i Bᵀ C beside two calls of libxsmm an item, and beside NumPy; and longer chains.

    python benchmarks/chain.py [--only chain|chains] [--budget SECONDS] [--write]

The kernel is that of examples/fused_kernel.py, with the same sizes: A_i is 16×8, B 8×8, C 8×16 and D_i 16×16, in f32.
Where its data are and what the options mean is as in benchmarks/gemm.py. libxsmm and NumPy get α C, made once.

Longer chains have square matrices, and factors that all items share. What a product hands on is the left factor of the
next one (D_i += A_i B C …), or the right one (D_i += … C B A_i); between layers, numbers are added and negative ones
become zero.
"""

# Without `from __future__ import annotations`: those of the kernels have names of the functions around them.
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
from measure import ELEMENTS, Cell, Variant, interleaved, on_cores, taking_part
from memory import on_device, on_host, placed
from peers.native import NEWEST
from peers.steps import Batch, Part, Product, by_torch
from peers.steps import by_libxsmm as calls_of_libxsmm
from peers.steps import by_numpy as calls_of_numpy
from workload import WHERE, batch, main, peak_of, places

ALPHA = 1.5
FLOPS_PER_ITEM = 2 * 16 * 8 * 8 + 2 * 16 * 16 * 8
LEFT, RIGHT, LAYERS = "left", "right", "layers"
KINDS = (LEFT, RIGHT, LAYERS)
LENGTHS = (2, 3, 4)
EXTENTS = (8, 16, 24, 32)


def by_pytl(a: Any, b: Any, c: Any, d: Any, total: int) -> Variant:
    import pytl
    from pytl import Memref, alloca, f32, gemm, group_id

    items, repeated = d.shape[2], total > d.shape[2]

    # The batch comes as one array, as in gemm.py; the example's pointers to items cost time that depends on how many.
    @pytl.kernel
    def chain(
        alpha: f32,
        A: Memref[f32, 16, 8, ...],
        B: Memref[f32, 8, 8],
        C: Memref[f32, 8, 16],
        D: Memref[f32, 16, 16, ...],
    ):
        g = group_id() % items if repeated else group_id()
        tmp = alloca(f32, 16, 8)
        gemm(1.0, A[:, :, g], B.T, 0.0, tmp)
        gemm(alpha, tmp, C, 1.0, D[:, :, g])

    arrays = [on_device(array) for array in (a, b, c, d)]
    launch = chain[total]
    return Variant("pytl", lambda: launch(ALPHA, *arrays), lambda: on_host(arrays[-1]))


def by_libxsmm(a: Any, b: Any, c: Any, d: Any, total: int, ahead: bool = False, newest: bool = False) -> Variant:
    from peers.native import NEWEST, Libxsmm

    library, a, scaled, into = Libxsmm(newest), placed(a), placed(c * c.dtype.type(ALPHA)), placed(d)
    name = f"two {NEWEST if newest else 'libxsmm'} calls{', prefetching' if ahead else ''}"
    return Variant(name, lambda: library.chain(a, b, scaled, into, total, ahead), lambda: into)


def by_numpy(a: Any, b: Any, c: Any, d: Any, total: int) -> Variant:
    from peers.libraries import batch_first, batch_last

    left, into, scaled = batch_first(a), batch_first(d), c * c.dtype.type(ALPHA)
    between, product = placed(np.empty_like(left), "C"), placed(np.empty_like(into), "C")

    def run() -> None:
        for _ in range(total // d.shape[2]):
            np.matmul(left, b.T, out=between)
            np.add(into, np.matmul(between, scaled, out=product), out=into)

    return Variant("NumPy", run, lambda: batch_last(into))


def measured(place: str, cores: int, budget: float, peak: float | None) -> Cell:
    items, total = batch((16 * 8 + 16 * 16) * 4, FLOPS_PER_ITEM, place)
    rounds = total // items
    generator = np.random.default_rng(1)
    shapes = [(16, 8, items), (8, 8), (8, 16), (16, 16, items)]
    a, b, c, d = (placed(generator.random(shape, dtype=np.float32) - 0.5) for shape in shapes)
    product = np.matmul(np.matmul(a.transpose(2, 0, 1), b.T), np.float32(rounds * ALPHA) * c)
    expected = d + product.transpose(1, 2, 0)
    data = (a, b, c, d, total)
    makers = [partial(by_pytl, *data), partial(by_numpy, *data), partial(by_libxsmm, *data)]
    makers.append(partial(by_libxsmm, *data, newest=True))
    if place == "memory":
        makers.append(partial(by_libxsmm, *data, ahead=True))
    variants, absent = taking_part(makers, expected, 16 + rounds)
    seconds = interleaved(variants, budget, place)
    row, work = f"{WHERE[place]}, {on_cores(cores)}", float(FLOPS_PER_ITEM * total)
    return Cell("chain", row, "f32", cores, work, seconds, peak, absent, place=place)


def cells(cores: int, budget: float) -> Iterator[Cell]:
    peak = peak_of("float32")
    for place in places(cores):
        yield measured(place, cores, budget, peak)


# Longer chains.


def long_by_pytl(kind: str, factors: list[np.ndarray], x: np.ndarray, d: np.ndarray, total: int) -> Variant:
    """A work-group for each item of x; `factors` has two to four matrices."""
    import pytl
    from pytl import Memref, alloca, foreach, gemm, group_id

    extent, _, items = x.shape
    element, count = getattr(pytl, ELEMENTS[x.dtype.name]), len(factors)
    Matrix, Matrices = Memref[element, extent, extent], Memref[element, extent, extent, ...]

    def rectified(t: Any, b: Any) -> None:
        for i, j in foreach((0, 0), (extent, extent)):
            t[i, j] = max(t[i, j] + b[j, 0], element(0))

    def step(before: Any, b: Any, beta: Any, into: Any) -> None:
        if kind == RIGHT:
            gemm(1.0, b, before, beta, into)
        else:
            gemm(1.0, before, b, beta, into)

    def handed_on(before: Any, b: Any) -> Any:
        t = alloca(element, extent, extent)
        step(before, b, 0.0, t)
        if kind == LAYERS:
            rectified(t, b)
        return t

    @pytl.kernel
    def two(B0: Matrix, B1: Matrix, X: Matrices, D: Matrices):
        g = group_id() % items
        step(handed_on(X[:, :, g], B0), B1, 1.0, D[:, :, g])

    @pytl.kernel
    def three(B0: Matrix, B1: Matrix, B2: Matrix, X: Matrices, D: Matrices):
        g = group_id() % items
        step(handed_on(handed_on(X[:, :, g], B0), B1), B2, 1.0, D[:, :, g])

    @pytl.kernel
    def four(B0: Matrix, B1: Matrix, B2: Matrix, B3: Matrix, X: Matrices, D: Matrices):
        g = group_id() % items
        step(handed_on(handed_on(handed_on(X[:, :, g], B0), B1), B2), B3, 1.0, D[:, :, g])

    arrays = [on_device(array) for array in (*factors, x, d)]
    launch = {2: two, 3: three, 4: four}[count][total]
    return Variant("pytl", lambda: launch(*arrays), lambda: on_host(arrays[-1]))


def random_chain(
    count: int, extent: int, dtype: str, place: str
) -> tuple[list[np.ndarray], np.ndarray, np.ndarray, int]:
    """Factors, what they are multiplied with, what the products are added to, and items that are worked on."""
    items, total = batch(2 * extent**2 * np.dtype(dtype).itemsize, count * 2.0 * extent**3, place)
    generator = np.random.default_rng(1)

    def numbers(*shape: int) -> np.ndarray:
        return placed(generator.random(shape, dtype=dtype) - 0.5)  # type: ignore[call-overload]

    factors = [numbers(extent, extent) for _ in range(count)]
    return factors, numbers(extent, extent, items), numbers(extent, extent, items), total


def expected_of(kind: str, factors: list[np.ndarray], x: np.ndarray, d: np.ndarray, rounds: int) -> np.ndarray:
    """D afterwards, computed in f64."""
    *first, last = (factor.astype(np.float64) for factor in factors)
    value = x.astype(np.float64).transpose(2, 0, 1)
    for factor in first:
        value = factor @ value if kind == RIGHT else value @ factor
        if kind == LAYERS:
            value = np.maximum(value + factor[:, 0], 0)
    value = last @ value if kind == RIGHT else value @ last
    return (d + rounds * value.transpose(1, 2, 0)).astype(d.dtype)


def long_measured(
    kind: str, count: int, extent: int, dtype: str, place: str, cores: int, budget: float, peak: float | None
) -> Cell:
    factors, x, d, total = random_chain(count, extent, dtype, place)
    rounds = total // x.shape[-1]
    makers: list[Callable[[], Variant]] = [partial(long_by_pytl, kind, factors, x, d, total)]
    if kind != LAYERS:
        parts = [Part(f"B{k}", extent, extent) for k in range(count)]
        handed_on = [Part(name, extent, extent) for name in ("X", *(f"T{k}" for k in range(count - 1)), "D")]
        steps = [
            Product(*((b, before) if kind == RIGHT else (before, b)), after, beta=int(after.name == "D"))
            for b, before, after in zip(parts, handed_on, handed_on[1:])
        ]
        given = Batch({"X": x, "D": d}, {part.name: factor for part, factor in zip(parts, factors)}, ["D"])
        library = (steps, given, total, lambda done: done.own["D"])
        makers += [partial(calls_of_libxsmm, *library), partial(calls_of_libxsmm, *library, name=NEWEST, newest=True)]
        makers += [partial(calls_of_numpy, *library), partial(by_torch, *library)]
    variants, absent = taking_part(makers, expected_of(kind, factors, x, d, rounds), count * extent + rounds)
    seconds = interleaved(variants, budget, place)
    work = float(count * 2 * extent**3 * total)
    row = f"{kind}, {count} of {extent}, {WHERE[place]}"
    return Cell(f"Chains, {on_cores(cores)}", row, ELEMENTS[dtype], cores, work, seconds, peak, absent, place=place)


def long_cells(cores: int, budget: float) -> Iterator[Cell]:
    for dtype in ("float32", "float64"):
        peak = peak_of(dtype)
        for place in places(cores):
            for kind in KINDS:
                for count in LENGTHS:
                    for extent in EXTENTS:
                        yield long_measured(kind, count, extent, dtype, place, cores, budget, peak)


if __name__ == "__main__":
    main(__file__, __doc__, {"chain": cells, "chains": long_cells})
