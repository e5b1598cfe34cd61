"""The first kernel: D := α A Bᵀ C + D for a batch, two small products fused, beside NumPy on the same data.

Run it with `python examples/fused_kernel.py [ITEMS]`; `--help` says what that is.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable

import numpy as np

import pytl
from pytl import Group, Memref, alloca, f32, gemm, group_id

FLOPS_PER_ITEM = 2 * 16 * 8 * 8 + 2 * 16 * 16 * 8
REPETITIONS = 7


@pytl.kernel
def fused(
    alpha: f32,
    A: Group[f32, 16, 8],  # group<memref<f32x16x8>x?>: a pointer to each item's matrix
    B: Memref[f32, 8, 8],
    C: Memref[f32, 8, 16],
    D: Memref[f32, 16, 16, ...],  # ... is a size that is known at launch, printed ?
):
    """D := alpha A Bᵀ C + D, one batch item per work-group."""
    g = group_id()
    tmp = alloca(f32, 16, 8)
    gemm(1.0, A[g], B.T, 0.0, tmp)
    gemm(alpha, tmp, C, 1.0, D[:, :, g])


def random_data(items: int) -> list[np.ndarray]:
    """A, B, C and D in the language's layout: column-major, the batch last."""
    random = np.random.default_rng(1)
    shapes = [(16, 8, items), (8, 8), (8, 16), (16, 16, items)]
    return [np.asfortranarray(random.standard_normal(shape, dtype=np.float32)) for shape in shapes]


def numpy_fused(alpha: float, A: np.ndarray, B: np.ndarray, C: np.ndarray, D: np.ndarray) -> None:
    """The same as the kernel. A and D come as NumPy likes them: the batch first, each item in C order."""
    D += np.float32(alpha) * np.matmul(np.matmul(A, B.T), C)


def median_seconds(run: Callable[[], None]) -> float:
    """The median time of several runs, the first not counted."""
    run()
    times = []
    for _ in range(REPETITIONS):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def main(items: int = 100_000) -> None:
    print(fused)

    alpha = 1.5
    A, B, C, D = random_data(items)
    A_rows, D_rows = (np.ascontiguousarray(array.transpose(2, 0, 1)) for array in (A, D))
    start = D.copy(order="F")

    backend = pytl.default_backend()
    if backend == "sycl":
        import dpctl

        print(f"\nOn {dpctl.select_default_device().filter_string}, {items} items:")
    else:
        print(f"\nOn the backend {backend}, {items} items:")
    began = time.perf_counter()
    fused[items](alpha, A, B, C, D)
    print(f"  first launch, compiled    {time.perf_counter() - began:8.3f} s")

    numpy_fused(alpha, A_rows, B, C, D_rows)
    difference = np.abs(D - D_rows.transpose(1, 2, 0)).max(initial=0.0)
    scale = np.abs(D_rows).max(initial=1.0)
    if not difference <= 1e-5 * scale:
        raise SystemExit(f"wrong: pytl and NumPy differ by {difference} at values up to {scale}")
    print(f"  largest difference        {difference:8.1e}   beside NumPy, at values up to {scale:.0f}")

    D[...] = start
    gflop = items * FLOPS_PER_ITEM / 1e9
    seconds = {
        "pytl": median_seconds(lambda: fused[items](alpha, A, B, C, D)),
        "NumPy": median_seconds(lambda: numpy_fused(alpha, A_rows, B, C, D_rows)),
    }
    for name, elapsed in seconds.items():
        print(f"  {name:<12}{elapsed * 1e3:10.2f} ms {gflop / elapsed:10.1f} GFLOP/s")
    print(f"  ratio       {seconds['NumPy'] / seconds['pytl']:10.2f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("items", type=int, nargs="?", default=100_000, help="of the batch, 100000 if left out")
    main(parser.parse_args().items)
