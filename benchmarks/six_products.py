"""A kernel of six products, as in a discontinuous Galerkin scheme in three dimensions, for cold_start.py."""

from __future__ import annotations

import numpy as np

import pytl
from pytl import Memref, alloca, f64, gemm, group_id

N, QUANTITIES = 20, 9


@pytl.kernel
def volume(
    K: Memref[f64, N, N],
    L: Memref[f64, N, N],
    M: Memref[f64, N, N],
    A: Memref[f64, QUANTITIES, QUANTITIES, ...],
    B: Memref[f64, QUANTITIES, QUANTITIES, ...],
    C: Memref[f64, QUANTITIES, QUANTITIES, ...],
    Q: Memref[f64, N, QUANTITIES, ...],
    D: Memref[f64, N, QUANTITIES, ...],
):
    """D := D + K Q A + L Q B + M Q C, one element per work-group."""
    g = group_id()
    T = alloca(f64, N, QUANTITIES)
    gemm(1.0, K, Q[:, :, g], 0.0, T)
    gemm(1.0, T, A[:, :, g], 1.0, D[:, :, g])
    gemm(1.0, L, Q[:, :, g], 0.0, T)
    gemm(1.0, T, B[:, :, g], 1.0, D[:, :, g])
    gemm(1.0, M, Q[:, :, g], 0.0, T)
    gemm(1.0, T, C[:, :, g], 1.0, D[:, :, g])


def random_data(items: int) -> list[np.ndarray]:
    """The arguments, column-major, the batch last."""
    random = np.random.default_rng(1)
    shapes = [*[(N, N)] * 3, *[(QUANTITIES, QUANTITIES, items)] * 3, *[(N, QUANTITIES, items)] * 2]
    return [np.asfortranarray(random.standard_normal(shape)) for shape in shapes]


def expected(K: np.ndarray, L: np.ndarray, M: np.ndarray, *batches: np.ndarray) -> np.ndarray:
    """D after the launch."""
    A, B, C, Q, D = batches
    return D + sum(np.einsum("ij,jkg,klg->ilg", left, Q, right) for left, right in ((K, A), (L, B), (M, C)))
