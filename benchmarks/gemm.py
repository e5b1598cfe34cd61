"""Batched products C_i += A_i B beside hand-tuned libraries.

    python benchmarks/gemm.py [--only KIND] [--budget SECONDS] [--write]

A and C are the item's, B is the batch's. "In L2": a few items in the second-level cache, worked on again and again, on
one core (on two, both could work on one item at a time). "From memory": 100 MB of A and C, each item once. `--budget`
is for a cell of the tables; `--write` puts tables and plots into docs/performance.md, and `--only` measures one kind of
sizes: squares, in L2 remainders and drawn ones, which are tuned, too, and from memory those of few columns.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import partial
from typing import Any

from measure import ELEMENTS, Cell, Variant, interleaved, on_cores, taking_part
from memory import on_device, on_host, placed
from workload import WHERE, batch, main, peak_of, places

SQUARES = [(n, n, n) for n in (8, 16, 32, 64, 128)]
REMAINDERS = [
    *((20, 9, 20), (35, 9, 35), (56, 9, 56), (10, 9, 10), (56, 56, 9)),
    *((13, 13, 13), (9, 9, 9), (5, 5, 5), (23, 23, 23)),
]
"""m, n, k that fill no whole vectors: those of finite elements, and odd ones."""
DRAWN = [tuple(random.Random(seed).choices(range(1, 65), k=3)) for seed in range(20)]
NARROW = [
    *((32, 4, 32), (64, 1, 64), (64, 2, 64), (64, 4, 64), (64, 8, 64), (128, 4, 128)),
    *((300, 2, 300), (300, 8, 300), (512, 8, 512), (512, 24, 512), (700, 20, 300), (1000, 16, 1000)),
]
"""m, n, k of few columns, which wait for memory."""
KINDS = {"squares": SQUARES, "remainders": REMAINDERS, "drawn": DRAWN, "narrow": NARROW}


def by_pytl(a: Any, b: Any, c: Any, total: int, tuning: float = 0.0) -> Variant:
    """Launched on device arrays, one work-group per item; tuned before, for a number of seconds."""
    import pytl
    from pytl import Memref, gemm, group_id

    (m, n, items), k = c.shape, b.shape[0]
    element = getattr(pytl, ELEMENTS[c.dtype.name])
    repeated = total > items

    @pytl.kernel
    def product(A: Memref[element, m, k, ...], B: Memref[element, k, n], C: Memref[element, m, n, ...]):
        i = group_id() % items if repeated else group_id()
        gemm(1.0, A[:, :, i], B, 1.0, C[:, :, i])

    left, right, into = (on_device(array) for array in (a, b, c))
    launch = product[total]
    if tuning:
        # under a name of its own, for what tuning finds is for all kernels with the same text
        launch = pytl.compile(str(product).replace("@product(", "@tuned("))["tuned"][total]
        pytl.tune(launch, (left, right, into), budget=tuning, progress=False, print_table=False)
    return Variant("pytl, tuned" if tuning else "pytl", lambda: launch(left, right, into), lambda: on_host(into))


def by_libxsmm(a: Any, b: Any, c: Any, total: int, ahead: bool = False, newest: bool = False) -> Variant:
    from peers.native import NEWEST, Libxsmm

    library, a, into = Libxsmm(newest), placed(a), placed(c)
    name = NEWEST if newest else "libxsmm, prefetching" if ahead else "libxsmm"
    return Variant(name, lambda: library.gemm(a, b, into, total, ahead=ahead), lambda: into)


def measured(
    kind: str, size: tuple[int, int, int], dtype: str, place: str, cores: int, budget: float, peak: float | None
) -> Cell:
    """One size, by everyone who is there, on random data."""
    import numpy as np
    from peers import libraries

    import pytl

    m, n, k = size
    items, total = batch((m * k + m * n) * np.dtype(dtype).itemsize, 2.0 * m * n * k, place)
    generator = np.random.default_rng(1)
    shapes = [(m, k, items), (k, n), (m, n, items)]
    a, b, c = (placed(generator.random(shape, dtype=dtype) - 0.5) for shape in shapes)
    rounds = total // items
    expected = c + rounds * np.matmul(a.transpose(2, 0, 1), b).transpose(1, 2, 0)
    data = (a, b, c, total)
    makers = [partial(by_pytl, *data), partial(by_libxsmm, *data), partial(by_libxsmm, *data, newest=True)]
    if place == "L2" and kind != "squares" and hasattr(pytl, "tune"):
        makers.append(partial(by_pytl, *data, tuning=20 * budget))
    if place == "memory":
        makers.append(partial(by_libxsmm, *data, ahead=True))
    makers.extend(partial(maker, *data) for maker in libraries.BY_LIBRARIES)
    variants, absent = taking_part(makers, expected, k + rounds)
    seconds = interleaved(variants, budget, place)
    table = f"{kind}, {WHERE[place]}, {on_cores(cores)}"
    work, named = 2.0 * m * n * k * total, ELEMENTS[dtype]
    return Cell(table, f"{m}×{n}×{k}", named, cores, work, seconds, peak, absent, place=place)


def cells(kind: str, cores: int, budget: float) -> Iterator[Cell]:
    """What one process measures."""
    # sizes that fill no vectors differ by how they are computed, which memory would hide
    of_kind = {"squares": places(cores), "narrow": places(cores)[-1:]}
    for place in of_kind.get(kind, places(cores)[:-1]):
        for dtype in ("float32", "float64"):
            peak = peak_of(dtype)
            for size in KINDS[kind]:
                yield measured(kind, size, dtype, place, cores, budget, peak)


if __name__ == "__main__":
    main(__file__, __doc__, {kind: partial(cells, kind) for kind in KINDS})
