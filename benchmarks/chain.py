"""The manual's chain D_i += α A_i Bᵀ C beside two calls of libxsmm an item, and beside NumPy.

    python benchmarks/chain.py [--budget SECONDS] [--write]

The kernel is that of examples/fused_kernel.py, with the same sizes: A_i is 16×8, B 8×8, C 8×16 and D_i 16×16, in f32.
Where its data are and what the options mean is as in benchmarks/gemm.py. libxsmm and NumPy get α C, made once.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from measure import Cell, Variant, interleaved, on_cores, taking_part
from memory import on_device, on_host, placed
from workload import WHERE, batch, main, peak_of, places

ALPHA = 1.5
FLOPS_PER_ITEM = 2 * 16 * 8 * 8 + 2 * 16 * 16 * 8


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

    library, scaled, into = Libxsmm(newest), placed(c * c.dtype.type(ALPHA)), placed(d)
    name = f"two {NEWEST if newest else 'libxsmm'} calls{', prefetching' if ahead else ''}"
    return Variant(name, lambda: library.chain(a, b, scaled, into, total, ahead), lambda: into)


def by_numpy(a: Any, b: Any, c: Any, d: Any, total: int) -> Variant:
    import numpy as np
    from peers.libraries import batch_first, batch_last

    left, into, scaled = batch_first(a), batch_first(d), c * c.dtype.type(ALPHA)
    between, product = placed(np.empty_like(left), "C"), placed(np.empty_like(into), "C")

    def run() -> None:
        for _ in range(total // d.shape[2]):
            np.matmul(left, b.T, out=between)
            np.add(into, np.matmul(between, scaled, out=product), out=into)

    return Variant("NumPy", run, lambda: batch_last(into))


def measured(place: str, cores: int, budget: float, peak: float | None) -> Cell:
    import numpy as np

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


if __name__ == "__main__":
    main(__file__, __doc__, {"chain": cells})
