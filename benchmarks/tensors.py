"""Kernels on tensors for benchmarks/einsum.py, each by hand and as contractions, with the same in NumPy's subscripts.

A term of coupled cluster theory (CCSD), operators that are Kronecker products, sum-factorised spectral elements, and
attention.
"""

# Without `from __future__ import annotations`: those of the kernels have names of two functions around them.
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from peers.einsums import NUMPY, Factor, Softmax, Term, Terms, execute
from seissol import Case

Kernel = Callable[[Any], Any]


@dataclass(frozen=True)
class Work:
    """What is measured: a kernel by hand in `case`, the same as contractions, and for libraries."""

    case: Case
    contracted: Kernel
    terms: Terms
    flops: int
    items: int
    steps: int
    """Roundings on the way to an entry of a result."""


def formula(terms: Terms, written: Sequence[str], own: Sequence[str]) -> Callable[[Any], Any]:
    """What is written, by NumPy in double precision; arrays have the batch last."""

    def expected(x: Mapping[str, np.ndarray]) -> Mapping[str, np.ndarray]:
        arrays = {name: np.moveaxis(a, -1, 0) if name in own else a for name, a in x.items()}
        arrays = {name: np.array(a, np.float64) for name, a in arrays.items()}
        shared = {name: a for name, a in arrays.items() if name not in own}
        execute(terms, NUMPY, arrays, shared)
        return {name: np.moveaxis(arrays[name].reshape(-1, *x[name].shape[:-1]), 0, -1) for name in written}

    return expected


def _work(
    by_hand: Kernel,
    contracted: Kernel,
    terms: Terms,
    own: Mapping[str, tuple[int, ...]],
    shared: Mapping[str, tuple[int, ...]],
    written: str,
    **numbers: int,
) -> Work:
    case = Case(own, shared, [written], (), formula(terms, [written], list(own)), by_hand)
    return Work(case, contracted, terms, **numbers)


def coupled_cluster(occupied: int, virtual: int) -> Work:
    """R[abij] = Σ T[acik] W[kbcj], a ring term; a pair ij per work-group."""
    o, v = occupied, virtual

    def by_hand(element: Any) -> Any:
        import pytl
        from pytl import Memref, gemm, group_id

        @pytl.kernel
        def ring(T: Memref[element, v, v, o, o], W: Memref[element, o, v, v, o], R: Memref[element, v, v, ...]):
            g = group_id()
            i, j = g % o, g // o
            r = R[:, :, g]
            gemm(1.0, T[:, :, i, 0], W[0, :, :, j].T, 0.0, r)
            for k in range(1, o):
                gemm(1.0, T[:, :, i, k], W[k, :, :, j].T, 1.0, r)

        return ring

    def contracted(element: Any) -> Any:
        import pytl
        from pytl import Memref, contract, group_id

        @pytl.kernel
        def ring_contracted(
            T: Memref[element, v, v, o, o], W: Memref[element, o, v, v, o], R: Memref[element, v, v, ...]
        ):
            g = group_id()
            contract("ack,kbc->ab", T[:, :, g % o, :], W[:, :, :, g // o], out=R[:, :, g])

        return ring_contracted

    terms = (Term("ack,kbc->ab", (Factor("T"), Factor("W")), Factor("R"), whole="acik,kbcj->jiab"),)
    return _work(
        *(by_hand, contracted, terms, {"R": (v, v)}, {"T": (v, v, o, o), "W": (o, v, v, o)}, "R"),
        flops=2 * v * v * v * o,
        items=o * o,
        steps=v * o,
    )


def kronecker(rows: int, columns: int, items: int) -> Work:
    """Y = (B ⊗ A) X: the square matrices Y are A X Bᵀ."""
    m, n = rows, columns

    def by_hand(element: Any) -> Any:
        import pytl
        from pytl import Memref, alloca, gemm, group_id

        @pytl.kernel
        def kronecker(
            A: Memref[element, m, n],
            B: Memref[element, m, n],
            X: Memref[element, n, n, ...],
            Y: Memref[element, m, m, ...],
        ):
            g = group_id()
            t = alloca(element, m, n)
            gemm(1.0, A, X[:, :, g], 0.0, t)
            gemm(1.0, t, B.T, 0.0, Y[:, :, g])

        return kronecker

    def contracted(element: Any) -> Any:
        import pytl
        from pytl import Memref, contract, group_id

        @pytl.kernel
        def kronecker_contracted(
            A: Memref[element, m, n],
            B: Memref[element, m, n],
            X: Memref[element, n, n, ...],
            Y: Memref[element, m, m, ...],
        ):
            g = group_id()
            contract("ia,jb,ab->ij", A, B, X[:, :, g], out=Y[:, :, g])

        return kronecker_contracted

    terms = (Term("ia,jb,ab->ij", tuple(map(Factor, "ABX")), Factor("Y")),)
    return _work(
        *(by_hand, contracted, terms, {"X": (n, n), "Y": (m, m)}, {"A": (m, n), "B": (m, n)}, "Y"),
        flops=2 * m * n * n + 2 * m * m * n,
        items=items,
        steps=2 * n,
    )


def spectral_elements(order: int, items: int) -> Work:
    """V[abc] = A[ai] A[bj] A[ck] U[ijk]: from (order + 1)³ nodes to (order + 2)³ points, one direction at a time."""
    p, q = order + 1, order + 2

    def by_hand(element: Any) -> Any:
        import pytl
        from pytl import Memref, alloca, fuse, gemm, group_id

        @pytl.kernel
        def interpolation(A: Memref[element, q, p], U: Memref[element, p, p, p, ...], V: Memref[element, q, q, q, ...]):
            g = group_id()
            s = alloca(element, q, p, p)
            t = alloca(element, q, q, p)
            gemm(1.0, A, fuse(U[:, :, :, g], 1, 2), 0.0, fuse(s, 1, 2))
            for k in range(p):
                gemm(1.0, s[:, :, k], A.T, 0.0, t[:, :, k])
            gemm(1.0, fuse(t, 0, 1), A.T, 0.0, fuse(V[:, :, :, g], 0, 1))

        return interpolation

    def contracted(element: Any) -> Any:
        import pytl
        from pytl import Memref, contract, group_id

        @pytl.kernel
        def interpolation_contracted(
            A: Memref[element, q, p], U: Memref[element, p, p, p, ...], V: Memref[element, q, q, q, ...]
        ):
            g = group_id()
            contract("ai,bj,ck,ijk->abc", A, A, A, U[:, :, :, g], out=V[:, :, :, g])

        return interpolation_contracted

    terms = (Term("ai,bj,ck,ijk->abc", tuple(map(Factor, "AAAU")), Factor("V")),)
    return _work(
        *(by_hand, contracted, terms, {"U": (p, p, p), "V": (q, q, q)}, {"A": (q, p)}, "V"),
        flops=2 * (q * p * p * p + q * q * p * p + q * q * q * p),
        items=items,
        steps=3 * p,
    )


def attention(tokens: int, features: int, items: int) -> Work:
    """R = softmax(Q Kᵀ / √d) V, a head per work-group."""
    n, d = tokens, features
    scale = d**-0.5

    def softmax(element: Any) -> Any:
        """Of the rows of a matrix."""
        from pytl import exp, foreach

        def rows(scores: Any) -> None:
            for i in foreach(0, n):
                largest = scores[i, 0]
                for j in range(1, n):
                    largest = max(largest, scores[i, j])
                total = element(0.0)
                for j in range(n):
                    weight = exp(scores[i, j] - largest)
                    scores[i, j] = weight
                    total += weight
                inverse = 1.0 / total
                for j in range(n):
                    scores[i, j] *= inverse

        return rows

    def by_hand(element: Any) -> Any:
        import pytl
        from pytl import Memref, alloca, gemm, group_id

        normalise = softmax(element)

        @pytl.kernel
        def attention(
            Q: Memref[element, n, d, ...],
            K: Memref[element, n, d, ...],
            V: Memref[element, n, d, ...],
            R: Memref[element, n, d, ...],
        ):
            g = group_id()
            scores = alloca(element, n, n)
            gemm(scale, Q[:, :, g], K[:, :, g].T, 0.0, scores)
            normalise(scores)
            gemm(1.0, scores, V[:, :, g], 0.0, R[:, :, g])

        return attention

    def contracted(element: Any) -> Any:
        import pytl
        from pytl import Memref, contract, group_id

        normalise = softmax(element)

        @pytl.kernel
        def attention_contracted(
            Q: Memref[element, n, d, ...],
            K: Memref[element, n, d, ...],
            V: Memref[element, n, d, ...],
            R: Memref[element, n, d, ...],
        ):
            g = group_id()
            scores = contract("id,jd->ij", Q[:, :, g], K[:, :, g], alpha=scale)
            normalise(scores)
            contract("ij,jd->id", scores, V[:, :, g], out=R[:, :, g])

        return attention_contracted

    terms = (
        Term("id,jd->ij", (Factor("Q"), Factor("K")), Factor("S"), alpha=scale),
        Softmax("S"),
        Term("ij,jd->id", (Factor("S"), Factor("V")), Factor("R")),
    )
    return _work(
        *(by_hand, contracted, terms, dict.fromkeys("QKVR", (n, d)), {}, "R"),
        flops=4 * n * n * d,
        items=items,
        steps=2 * n + d,
    )
