"""Batched products with transposed factors, C_i += op(A_i) op(B), beside libxsmm and libraries of Python.

    python benchmarks/transposes.py [--budget SECONDS] [--write]

Where the data are and what the options mean is as in benchmarks/gemm.py. libxsmm 1.17 has no kernels for Aᵀ: it gets
its own transposition of A_i into scratch memory, and a product after it. B is the same for all items, so that Bᵀ can
be made once, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
from measure import ELEMENTS, Cell, Variant, interleaved, on_cores, taking_part
from memory import on_device, on_host, placed
from peers.steps import Batch, Part, Product, Step, Transposition, by_libxsmm, by_numpy, by_torch
from workload import WHERE, batch, main, peak_of, places

SIZES = (16, 32)
FORMS = ("tn", "tt", "nt")
"""Whether A and B are transposed."""
FOOT = (
    "libxsmm has no kernels for Aᵀ: its own transposition of each A into scratch memory comes before its product. "
    "Where it says so, Bᵀ was made once, before the run."
)


def by_pytl(form: str, data: Batch, total: int) -> Variant:
    import pytl
    from pytl import Memref, gemm, group_id

    n, _, items = data.own["C"].shape
    element = getattr(pytl, ELEMENTS[data.dtype.name])
    repeated, transposed_a, transposed_b = total > items, form[0] == "t", form[1] == "t"

    @pytl.kernel
    def product(A: Memref[element, n, n, ...], B: Memref[element, n, n], C: Memref[element, n, n, ...]):
        i = group_id() % items if repeated else group_id()
        if transposed_a and transposed_b:
            gemm(1.0, A[:, :, i].T, B.T, 1.0, C[:, :, i])
        elif transposed_a:
            gemm(1.0, A[:, :, i].T, B, 1.0, C[:, :, i])
        else:
            gemm(1.0, A[:, :, i], B.T, 1.0, C[:, :, i])

    device = [on_device(array) for array in (data.own["A"], data.shared["B"], data.own["C"])]
    launch = product[total]
    return Variant("pytl", lambda: launch(*device), lambda: on_host(device[2]))


def by_views(form: str, n: int) -> list[Step]:
    """C += op(A) op(B) as NumPy and torch do it, which look at memory in any order."""
    return [Product(*(Part(name, n, n) for name in "ABC"), beta=1, transposed=form)]


def by_copies(form: str, n: int, once: bool = False) -> list[Step]:
    """The same with Aᵀ in scratch memory; and with the Bᵀ that was made once, or not."""
    a, b, c = (Part(name, n, n) for name in ("A", "Bᵀ" if once else "B", "C"))
    before: list[Step] = []
    if form[0] == "t":
        before, a = [Transposition(a, Part("Aᵀ", n, n))], Part("Aᵀ", n, n)
    return [*before, Product(a, b, c, beta=1, transposed="nn" if once else f"n{form[1]}")]


def measured(form: str, n: int, dtype: str, place: str, cores: int, budget: float, peak: float | None) -> Cell:
    items, total = batch(2 * n * n * np.dtype(dtype).itemsize, 2.0 * n**3, place)
    makers, expected = makers_of(form, n, dtype, items, total)
    variants, absent = taking_part(makers, expected, n + total // items)
    table = f"transposed factors, {WHERE[place]}, {on_cores(cores)}"
    row, work, seconds = f"{form[0]}.{form[1]} {n}", 2.0 * n**3 * total, interleaved(variants, budget, place)
    return Cell(table, row, ELEMENTS[dtype], cores, work, seconds, peak, absent, place=place, notes=[FOOT])


def makers_of(form: str, n: int, dtype: str, items: int, total: int) -> tuple[list[Any], np.ndarray]:
    """All who take part, and what they have to find."""
    generator = np.random.default_rng(1)
    a, b, c = (placed(generator.random(shape, dtype) - 0.5) for shape in [(n, n, items), (n, n), (n, n, items)])
    data = Batch({"A": a, "C": c}, {"B": b, "Bᵀ": placed(b.T)}, ["C"])
    left = a.transpose(2, 1, 0) if form[0] == "t" else a.transpose(2, 0, 1)
    product = np.matmul(left, b.T if form[1] == "t" else b)
    expected = c + total // items * product.transpose(1, 2, 0)

    def result(done: Batch) -> np.ndarray:
        return done.own["C"]

    makers = [partial(by_pytl, form, data, total), partial(by_libxsmm, by_copies(form, n), data, total, result)]
    if form[1] == "t":
        once = partial(by_libxsmm, by_copies(form, n, once=True), data, total, result, "libxsmm, Bᵀ made once")
        makers.append(once)
    makers += [partial(maker, by_views(form, n), data, total, result) for maker in (by_numpy, by_torch)]
    return makers, expected


def cells(cores: int, budget: float) -> Iterator[Cell]:
    for place in places(cores):
        for dtype in ("float32", "float64"):
            peak = peak_of(dtype)
            for form in FORMS:
                for n in SIZES:
                    yield measured(form, n, dtype, place, cores, budget, peak)


if __name__ == "__main__":
    main(__file__, __doc__, {"transposes": cells})
