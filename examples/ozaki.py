"""A product of double precision from products of 8-bit integers, by Ozaki's scheme, on tiles.

Each row of A, and each column of B, is divided by a power of two, so that its numbers are less than 1, and cut into
slices of 7 bits with a sign: A = 2^e (A₁ 2⁻⁷ + A₂ 2⁻¹⁴ + …). A product of two slices is exact in 32-bit integers, as
matrix units for i8 compute it; those whose weight is below the last bit of the result are left out. Eight slices hold
the 53 bits of a double.

Run it with `python examples/ozaki.py`; `--help` lists the options. It prints how far the result is from the exact one
beside NumPy's own product of doubles, for some numbers of slices, and the times of both.
"""

from __future__ import annotations

import argparse
import functools
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

import numpy as np

import pytl
from pytl import Memref, coop, f64, foreach, group_id, i8, i32, parallel, tile

SIZE, DEPTH = 32, 64
"""Rows and columns of a tile of the result, and the terms of a product of tiles."""
BITS = 7
REPETITIONS = 3
MAX_TERMS = 2**31 // (127**2 * 8)
"""Terms whose sums over eight products of slices fit in i32."""


@functools.cache
def split_kernel(by_row: bool) -> pytl.Kernel:
    """The kernel that cuts a matrix into slices, with an exponent for each row or each column."""

    @pytl.kernel
    def split(A: Memref[f64, ..., ...], powers: Memref[f64, ...], slices: Memref[i8, ..., ..., ...]):
        """slices[:, :, p] := bits 7 p to 7 p + 6 of A divided by powers of two, a column per work-group."""
        j = group_id()
        for i in foreach(0, A.shape[0]):
            rest = A[i, j] / powers[i if by_row else j]
            for number in range(slices.shape[2]):
                rest = 128.0 * rest
                bits = i8(rest)
                slices[i, j, number] = bits
                rest = rest - f64(bits)

    return split


@functools.cache
def product_kernel(slices: int) -> pytl.Kernel:
    """The kernel that multiplies so many slices of both matrices."""

    @pytl.kernel(subgroup_size=16, work_group_size=(16, 1))
    def product(
        A: Memref[i8, ..., ..., slices],
        B: Memref[i8, ..., ..., slices],
        of_rows: Memref[f64, ..., 1],
        of_columns: Memref[f64, 1, ...],
        C: Memref[f64, ..., ...],
    ):
        """C := the sum of 2^(-7 (p + q)) A_p B_q, times the powers of rows and columns; a tile per work-group."""
        down = (C.shape[0] + (SIZE - 1)) // SIZE
        i, j = SIZE * (group_id() % down), SIZE * (group_id() // down)
        with parallel():
            total = coop.full(f64, 0.0, (SIZE, SIZE), "matrix_acc")
            weight = f64(2.0**-BITS)
            for both in range(slices):
                weight = weight * 2.0**-BITS
                exact = coop.full(i32, 0, (SIZE, SIZE), "matrix_acc")
                for p in range(both + 1):
                    for k in range(0, A.shape[1], DEPTH):
                        left = tile.load(tile.init(A[:, :, p], (i, k), shape=(SIZE, DEPTH)))
                        right = tile.load(tile.init(B[:, :, both - p], (k, j), shape=(DEPTH, SIZE)))
                        exact = tile.mma(left, right, exact)
                total = total + weight * f64(exact)
            rows = tile.load(tile.init(of_rows, (i, 0), shape=(SIZE, 1)))
            columns = tile.load(tile.init(of_columns, (0, j), shape=(1, SIZE)))
            total = coop.broadcast(rows, (SIZE, SIZE)) * total * coop.broadcast(columns, (SIZE, SIZE))
            tile.store(total, tile.init(C, (i, j), shape=(SIZE, SIZE)))

    return product


def powers_of_two(A: np.ndarray, axis: int) -> np.ndarray:
    """For each row or column the least power of two above its numbers."""
    _, exponents = np.frexp(np.abs(A).max(axis=axis, initial=0.0))
    return np.ldexp(1.0, exponents)


def multiply(
    A: np.ndarray, B: np.ndarray, slices: int = 8, backend: str | None = None, options: Mapping[str, object] = {}
) -> np.ndarray:
    """A B of column-major matrices of doubles, by products of so many slices of each."""
    (m, k), n = A.shape, B.shape[1]
    if k > MAX_TERMS:
        raise ValueError(f"sums of {k} terms may not fit in 32 bits; {MAX_TERMS} do")
    of_rows, of_columns = powers_of_two(A, 1), powers_of_two(B, 0)
    left, right = np.zeros((m, k, slices), np.int8, order="F"), np.zeros((k, n, slices), np.int8, order="F")
    C = np.zeros((m, n), order="F")
    split_kernel(True)[k, options](A, of_rows, left, backend=backend)
    split_kernel(False)[n, options](B, of_columns, right, backend=backend)
    groups = -(-m // SIZE) * -(-n // SIZE)
    scales = of_rows.reshape(m, 1), of_columns.reshape(1, n)
    product_kernel(slices)[groups, options](left, right, *scales, C, backend=backend)
    return C


def exact_entries(A: np.ndarray, B: np.ndarray, count: int) -> dict[tuple[int, int], Fraction]:
    """Some entries of A B without any rounding."""
    random = np.random.default_rng(2)
    places = {(int(random.integers(A.shape[0])), int(random.integers(B.shape[1]))) for _ in range(count)}
    return {(i, j): sum((Fraction(a) * Fraction(b) for a, b in zip(A[i], B[:, j])), Fraction()) for i, j in places}


def largest_error(C: np.ndarray, A: np.ndarray, B: np.ndarray, exact: dict[tuple[int, int], Fraction]) -> float:
    """The largest error of the entries, relative to the sum of the absolute values of their terms."""
    return max(
        float(abs(Fraction(C[at]) - value)) / (np.abs(A[at[0]]) @ np.abs(B[:, at[1]])) for at, value in exact.items()
    )


def median_time(work: Callable[[], object]) -> float:
    """The median of some repetitions, in seconds, without the first."""
    times = []
    for _ in range(1 + REPETITIONS):
        began = time.perf_counter()
        work()
        times.append(time.perf_counter() - began)
    return statistics.median(times[1:])


def random_matrices(m: int, n: int, k: int) -> tuple[np.ndarray, np.ndarray]:
    """Column-major matrices of doubles, whose rows and columns are of different size."""
    random = np.random.default_rng(1)
    A = random.standard_normal((m, k)) * 2.0 ** random.integers(-40, 40, (m, 1))
    B = random.standard_normal((k, n)) * 2.0 ** random.integers(-40, 40, (1, n))
    return np.asfortranarray(A), np.asfortranarray(B)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__.partition("\n")[0], formatter_class=argparse.ArgumentDefaultsHelpFormatter
    )
    parser.add_argument("--size", type=int, default=256, help="rows and columns of the matrices")
    parser.add_argument("--slices", type=int, nargs="+", default=[2, 4, 8], help="of both matrices, to compare")
    options = parser.parse_args(arguments)
    if not 1 <= options.size <= MAX_TERMS or min(options.slices) < 1:
        parser.error(f"the size is from 1 to {MAX_TERMS}, and there is a slice at least")

    n = options.size
    A, B = random_matrices(n, n, n)
    exact = exact_entries(A, B, 50)
    gflop = 2 * n**3 / 1e9
    print(f"{n}×{n} by {n}×{n} in double precision, on the backend {pytl.default_backend()}")
    of_numpy, seconds = largest_error(A @ B, A, B, exact), median_time(lambda: A @ B)
    print(f"  NumPy     error {of_numpy:8.1e}  {seconds * 1e3:8.2f} ms, {gflop / seconds:.2f} GFLOP/s")
    for slices in options.slices:
        error = largest_error(multiply(A, B, slices), A, B, exact)
        took = median_time(functools.partial(multiply, A, B, slices))
        print(f"  {slices} slices  error {error:8.1e}  {took * 1e3:8.2f} ms, {gflop / took:.2f} GFLOP/s")
        if not error <= bound(slices):
            raise SystemExit("wrong: the error is beyond the bound")


def bound(slices: int) -> float:
    """How far an entry may be off, relative to the sum of the absolute values of its terms.

    What is left out is at most the weight of one more slice for each slice; numbers are less than the power of two that
    they were divided by, by what they vary in a row.
    """
    return 64 * (slices + 1) * 2.0 ** (-BITS * slices) + 2.0**-50


if __name__ == "__main__":
    main()
