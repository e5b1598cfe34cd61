"""SeisSol's kernels of benchmarks/seissol.py as contractions: the same arguments, as many temporaries or fewer.

Each function makes the kernel of an order, for a type of elements.
"""

# Without `from __future__ import annotations`: those of the kernels have names of two functions around them.
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from peers.einsums import Factor, Term
from seissol import DT, P, derivative_sizes, derivatives_by, face_basis, volume_basis


def volume(order: int) -> Callable[[Any], Any]:
    B, B1 = volume_basis(order), volume_basis(order - 1)

    def kernel(element: Any) -> Any:
        import pytl
        from pytl import Group, Memref, contract, group_id

        @pytl.kernel
        def volume_contracted(
            K0: Memref[element, B, B1],
            K1: Memref[element, B, B1],
            K2: Memref[element, B, B1],
            A0: Group[element, P, P],
            A1: Group[element, P, P],
            A2: Group[element, P, P],
            I: Group[element, B, P],  # noqa: E741 (its name in the formula)
            Q: Group[element, B, P],
        ):
            e = group_id()
            i, q = I[e][0:B1, :], Q[e]
            # the factors of all terms first, so that the terms are summed in registers
            t0 = contract("lq,qp->lp", i, A0[e])
            t1 = contract("lq,qp->lp", i, A1[e])
            t2 = contract("lq,qp->lp", i, A2[e])
            contract("kl,lp->kp", K0, t0, out=q, beta=1.0)
            contract("kl,lp->kp", K1, t1, out=q, beta=1.0)
            contract("kl,lp->kp", K2, t2, out=q, beta=1.0)

        return volume_contracted

    return kernel


def local_flux(order: int) -> Callable[[Any], Any]:
    B, B2 = volume_basis(order), face_basis(order)

    def kernel(element: Any) -> Any:
        import pytl
        from pytl import Group, Memref, contract, group_id

        @pytl.kernel
        def local_flux_contracted(
            R0: Memref[element, B, B2],
            R1: Memref[element, B, B2],
            R2: Memref[element, B, B2],
            R3: Memref[element, B, B2],
            F0: Memref[element, B2, B],
            F1: Memref[element, B2, B],
            F2: Memref[element, B2, B],
            F3: Memref[element, B2, B],
            A0: Group[element, P, P],
            A1: Group[element, P, P],
            A2: Group[element, P, P],
            A3: Group[element, P, P],
            I: Group[element, B, P],  # noqa: E741
            Q: Group[element, B, P],
        ):
            e = group_id()
            i, q = I[e], Q[e]
            u0 = contract("ml,lq,qp->mp", F0, i, A0[e])
            u1 = contract("ml,lq,qp->mp", F1, i, A1[e])
            u2 = contract("ml,lq,qp->mp", F2, i, A2[e])
            u3 = contract("ml,lq,qp->mp", F3, i, A3[e])
            contract("km,mp->kp", R0, u0, out=q, beta=1.0)
            contract("km,mp->kp", R1, u1, out=q, beta=1.0)
            contract("km,mp->kp", R2, u2, out=q, beta=1.0)
            contract("km,mp->kp", R3, u3, out=q, beta=1.0)

        return local_flux_contracted

    return kernel


def neighbour_flux(order: int) -> Callable[[Any], Any]:
    B, B2 = volume_basis(order), face_basis(order)

    def kernel(element: Any) -> Any:
        import pytl
        from pytl import Group, Memref, contract, group_id

        @pytl.kernel
        def neighbour_flux_contracted(
            R: Memref[element, B, B2],
            M: Memref[element, B2, B2],  # P of the formula
            T: Memref[element, B2, B],
            A: Group[element, P, P],
            I: Group[element, B, P],  # noqa: E741
            Q: Group[element, B, P],
        ):
            e = group_id()
            contract("km,mn,nl,lq,qp->kp", R, M, T, I[e], A[e], out=Q[e], beta=1.0)

        return neighbour_flux_contracted

    return kernel


def derivatives(order: int) -> Callable[[Any], Any]:
    B, _, _ = derivative_sizes(order)

    def kernel(element: Any) -> Any:
        from pytl import contract

        def derive(K: Any, before: Any, a: Any, beta: Any, now: Any, i: Any) -> None:
            contract("kl,lq,qp->kp", K[0 : B[i], 0 : B[i - 1]], before, a, out=now, beta=beta)

        def add(factor: Any, now: Any, integral: Any) -> None:
            contract("kp->kp", now, out=integral, alpha=factor, beta=1.0)

        return derivatives_by(order, element, derive, add)

    return kernel


def rotation(order: int) -> Callable[[Any], Any]:
    B, S = volume_basis(order), (order + 1) ** 2

    def kernel(element: Any) -> Any:
        import pytl
        from pytl import Group, Memref, contract, group_id

        @pytl.kernel
        def rotation_contracted(
            V: Memref[element, S, B],
            T: Memref[element, P, P],
            Q: Group[element, B, P],
            X: Group[element, S, P],
        ):
            e = group_id()
            contract("sl,lq,qp->sp", V, Q[e], T, out=X[e])

        return rotation_contracted

    return kernel


KERNELS: dict[str, Callable[[int], Callable[[Any], Any]]] = {
    "V": volume,
    "L": local_flux,
    "N": neighbour_flux,
    "D": derivatives,
    "R": rotation,
}


def terms_of(name: str, order: int) -> Sequence[Term]:
    """The contractions of a kernel, for libraries."""
    return tuple(_TERMS[name](order))


def _volume(order: int) -> Iterator[Term]:
    i = Factor("I", (volume_basis(order - 1), P))
    for d in range(3):
        yield Term("kl,lq,qp->kp", (Factor(f"K{d}"), i, Factor(f"A{d}")), Factor("Q"), beta=1)


def _local_flux(_: int) -> Iterator[Term]:
    for f in range(4):
        factors = (Factor(f"R{f}"), Factor(f"F{f}"), Factor("I"), Factor(f"A{f}"))
        yield Term("km,ml,lq,qp->kp", factors, Factor("Q"), beta=1)


def _neighbour_flux(_: int) -> Iterator[Term]:
    yield Term("km,mn,nl,lq,qp->kp", tuple(map(Factor, "RMTIA")), Factor("Q"), beta=1)


def _derivatives(order: int) -> Iterator[Term]:
    B, _, _ = derivative_sizes(order)
    factor = DT
    for i in range(1, order):
        before, now = Factor(f"dQ{i - 1}" if i > 1 else "Q"), Factor(f"dQ{i}")
        for d in range(3):
            factors = (Factor(f"K{d}", (B[i], B[i - 1])), before, Factor(f"A{d}"))
            yield Term("kl,lq,qp->kp", factors, now, beta=int(d > 0))
        factor *= DT / (i + 1)
        yield Term("kp->kp", (now,), Factor("I", (B[i], P)), beta=1, alpha=factor)


def _rotation(_: int) -> Iterator[Term]:
    yield Term("sl,lq,qp->sp", tuple(map(Factor, "VQT")), Factor("X"))


_TERMS: dict[str, Callable[[int], Iterator[Term]]] = {
    "V": _volume,
    "L": _local_flux,
    "N": _neighbour_flux,
    "D": _derivatives,
    "R": _rotation,
}
