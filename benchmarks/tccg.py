"""The 48 tensor contractions that are usually measured (TCCG), beside the einsum of NumPy and torch and tensordot.

    python benchmarks/tccg.py [--budget SECONDS] [--write]

P. Springer and P. Bientinesi collected them, "Design of a high-performance GEMM-like tensor-tensor multiplication", ACM
TOMS 44 (2018): `abc-bda-dc` is C[abc] = Σ A[bda] B[dc]. All indices have about the same size here, a multiple of 4, so
that a contraction is 0.2 or 2 GFLOP. Tensors are in Fortran order, in all variants; tensordot's result is a view.
"""

from __future__ import annotations

import statistics
import sys
from collections.abc import Callable, Iterator, Sequence

import numpy as np
from bars import TCCG, fastest
from measure import ELEMENTS, Cell, Variant, interleaved, on_cores, taking_part
from peers.libraries import import_peer
from workload import main, peak_of

CONTRACTIONS = (
    *("abc-bda-dc", "abc-dca-bd", "abcd-dbea-ec", "abcd-deca-be", "abcd-ebad-ce"),
    *("abcde-efbad-cf", "abcde-ecbfa-fd", "abcde-efcad-bf", "abcd-ea-ebcd", "abcd-eb-aecd", "abcd-ec-abed"),
    *("ab-ac-cb", "ab-acd-dbc", "ab-cad-dcb", "abc-acd-db", "abc-ad-bdc", "abc-adc-bd", "abc-adc-db", "abc-adec-ebd"),
    *("abcd-aebf-dfce", "abcd-aebf-fdec", "abcd-aecf-bfde", "abcd-aecf-fbed", "abcd-aedf-bfce", "abcd-aedf-fbec"),
    *("abcd-aefb-fdce", "abcd-aefc-fbed", "abcd-eafb-fdec", "abcd-eafc-bfde", "abcd-eafd-fbec"),
    *("abcdef-dega-gfbc", "abcdef-degb-gfac", "abcdef-degc-gfab", "abcdef-dfga-gebc", "abcdef-dfgb-geac"),
    *("abcdef-dfgc-geab", "abcdef-efga-gdbc", "abcdef-efgb-gdac", "abcdef-efgc-gdab", "abcdef-gdab-efgc"),
    *("abcdef-gdac-efgb", "abcdef-gdbc-efga", "abcdef-geab-dfgc", "abcdef-geac-dfgb", "abcdef-gebc-dfga"),
    *("abcdef-gfab-degc", "abcdef-gfac-degb", "abcdef-gfbc-dega"),
)
GFLOP = (0.2, 2.0)


def size_of(contraction: str, gflop: float) -> int:
    """The size of each index: a contraction is a multiply-add for each choice of all of them."""
    letters = set(contraction) - {"-"}
    return max(4, 4 * round((gflop * 1e9 / 2) ** (1 / len(letters)) / 4))


def subscripts_of(contraction: str) -> str:
    """Those of numpy.einsum."""
    output, left, right = contraction.split("-")
    return f"{left},{right}->{output}"


def makers_of(contraction: str, size: int, dtype: str) -> tuple[list[Callable[[], Variant]], np.ndarray, int]:
    """All who take part, what they have to find, and how many products are summed."""
    subscripts = subscripts_of(contraction)
    output, left, right = contraction.split("-")
    numbers = np.random.default_rng(0)
    a, b = (np.asfortranarray(numbers.random((size,) * len(names)).astype(dtype)) for names in (left, right))
    summed = [name for name in left if name not in output]
    terms = size ** len(summed)

    def found(result: np.ndarray) -> np.ndarray:
        return np.asarray(result) / terms

    def by_pytl() -> Variant:
        import pytl

        out = np.zeros((size,) * len(output), dtype, order="F")
        return Variant("pytl", lambda: pytl.einsum(subscripts, a, b, out=out), lambda: found(out))

    def by_numpy() -> Variant:
        out = np.zeros((size,) * len(output), dtype, order="F")
        return Variant("NumPy", lambda: np.einsum(subscripts, a, b, out=out, optimize=True), lambda: found(out))

    def by_tensordot() -> Variant:
        free = [name for name in left + right if name in output]
        axes = ([left.index(name) for name in summed], [right.index(name) for name in summed])
        results: list[np.ndarray] = []

        def run() -> None:
            results[:] = [np.tensordot(a, b, axes).transpose([free.index(name) for name in output])]

        return Variant("tensordot", run, lambda: found(results[0]))

    def by_torch() -> Variant:
        torch = import_peer("torch")
        given = [torch.from_numpy(array) for array in (a, b)]
        results: list[np.ndarray] = []

        def run() -> None:
            results[:] = [torch.einsum(subscripts, *given)]

        return Variant("torch", run, lambda: found(results[0].numpy()))

    expected = found(np.einsum(subscripts, a.astype("d"), b.astype("d"), optimize=True)).astype(dtype)
    return [by_pytl, by_numpy, by_tensordot, by_torch], expected, terms


def measured(contraction: str, gflop: float, dtype: str, cores: int, budget: float, peak: float | None) -> Cell:
    size = size_of(contraction, gflop)
    makers, expected, terms = makers_of(contraction, size, dtype)
    variants, absent = taking_part(makers, expected, terms)
    seconds = interleaved(variants, budget)
    flops = 2.0 * size ** len(set(contraction) - {"-"})
    row = f"{contraction}, {gflop:g} GFLOP"
    return Cell(f"TCCG, {on_cores(cores)}", row, ELEMENTS[dtype], cores, flops, seconds, peak, absent)


def cells(cores: int, budget: float) -> Iterator[Cell]:
    found = []
    for dtype in ("float32", "float64"):
        peak = peak_of(dtype)
        for gflop in GFLOP:
            for contraction in CONTRACTIONS:
                found.append(measured(contraction, gflop, dtype, cores, budget, peak))
                yield found[-1]
    print(in_short(found), file=sys.stderr)


def in_short(found: Sequence[Cell]) -> str:
    """The geometric mean of the ratios to the fastest library, the least one, and how many are below 1."""
    ratios = [ratio for cell in found if (ratio := fastest(cell, TCCG)) is not None]
    if not ratios:
        return "nothing to compare with"
    below = sum(ratio < 1 for ratio in ratios)
    mean = statistics.geometric_mean(ratios)
    return (
        f"{mean:.2f} times as fast as the fastest library, at least {min(ratios):.2f}; {below} of {len(ratios)} below 1"
    )


if __name__ == "__main__":
    main(__file__, __doc__, {"tccg": cells})
