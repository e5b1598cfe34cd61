"""A product of matrices on tiles for Intel GPUs: k-sliced, prefetched, and pipelined in software.

Each sub-group computes a tile of C of 32 by 64. It goes along the inner dimension in slices of 32, keeps its sums in
registers, and asks for the slices that are `AHEAD` steps further, so that they are in the cache when they are loaded.

Run it: `python examples/xe_gemm.py`, and `pytl emit xegpu examples/xe_gemm.py` for the text alone. It needs no GPU;
with the tools of MLIR it also prints what becomes of the text.
"""

from __future__ import annotations

import ml_dtypes
import numpy as np

import pytl
from pytl import Memref, bf16, f32, group_id, index, parallel, subgroup, tile

M, N, K = 128, 256, 128
ROWS, COLUMNS, DEPTH = 32, 64, 32
"""The tile of a sub-group, and the depth of a slice."""
AHEAD = 2
"""Slices that are prefetched before they are loaded."""
SUBGROUPS = N // COLUMNS


@pytl.kernel(subgroup_size=16, work_group_size=(16, SUBGROUPS))
def xe_gemm(A: Memref[bf16, M, K], B: Memref[bf16, K, N], C: Memref[f32, M, N]):
    """C := A B; a work-group computes 32 rows of C, and each of its sub-groups 64 columns of them."""
    i = ROWS * group_id()
    with parallel():
        j = COLUMNS * index(subgroup.id())
        a = tile.init(A, (i, 0), shape=(ROWS, DEPTH))
        b = tile.init(B, (0, j), shape=(DEPTH, COLUMNS))
        a_ahead, b_ahead = a, b
        for _ in range(AHEAD):
            tile.prefetch(a_ahead)
            tile.prefetch(b_ahead)
            a_ahead = tile.update_offset(a_ahead, 0, DEPTH)
            b_ahead = tile.update_offset(b_ahead, DEPTH, 0)
        total = pytl.coop.full(f32, 0, shape=(ROWS, COLUMNS), use="matrix_acc")
        for _ in range(0, K, DEPTH):
            left, right = tile.load(a), tile.load(b)
            tile.prefetch(a_ahead)
            tile.prefetch(b_ahead)
            total = tile.mma(left, right, total)
            a, b = tile.update_offset(a, 0, DEPTH), tile.update_offset(b, DEPTH, 0)
            a_ahead = tile.update_offset(a_ahead, 0, DEPTH)
            b_ahead = tile.update_offset(b_ahead, DEPTH, 0)
        tile.store(total, tile.init(C, (i, j), shape=(ROWS, COLUMNS)))


def array(rows: int, columns: int, dtype: type) -> np.ndarray:
    """A column-major array that begins at a multiple of 64 bytes, as blocks do."""
    size = rows * columns * np.dtype(dtype).itemsize
    memory = np.zeros(size + 64, np.uint8)
    begin = -memory.ctypes.data % 64
    return memory[begin : begin + size].view(dtype).reshape((rows, columns), order="F")


def check(backend: str) -> None:
    """Compare the kernel with NumPy on a backend that executes it."""
    rng = np.random.default_rng(0)
    A, B = array(M, K, ml_dtypes.bfloat16), array(K, N, ml_dtypes.bfloat16)
    C = array(M, N, np.float32)
    A[...], B[...] = rng.integers(-4, 5, (M, K)), rng.integers(-4, 5, (K, N))
    xe_gemm[M // ROWS](A, B, C, backend=backend)
    np.testing.assert_array_equal(C, A.astype(np.float32) @ B.astype(np.float32))


def main() -> None:
    print("The tensor language:\n")
    print(xe_gemm)
    print("\nXeGPU, as one work-item of a pvc executes it:\n")
    print(xe_gemm.emit("xegpu", chip="pvc"))
    for stage in ("xevm", "llvm", "spirv"):
        try:
            text = xe_gemm.emit("xegpu", chip="pvc", stage=stage)
        except pytl.PytlError as error:
            print(f"\n{stage}: {error.diagnostics[0].message}")
        else:
            lines = text.splitlines()
            print(f"\n{stage}, the first 20 of {len(lines)} lines:\n")
            print("\n".join(lines[:20]))
    check("reference")
    print("\nOn the reference backend, C is A B exactly.")


if __name__ == "__main__":
    main()
