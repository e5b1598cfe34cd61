"""Kernels of SeisSol, a solver for earthquakes, on elements of order 3 to 6, beside the same products by libraries.

    python benchmarks/seissol.py [--budget SECONDS] [--write]

V is the volume term, L the flux through an element's own faces, N that of a neighbour, D the derivatives in time, R the
rotation of results. An element's matrices come as groups of pointers, what all elements share as memrefs. libxsmm is
called for each product of each element, from C; NumPy and torch go through all elements for each product, which is one
large product where all elements share the left factor. All multiply in the same order.
"""

# Without `from __future__ import annotations`: those of the kernels have names of two functions around them.
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial, reduce
from typing import Any

import numpy as np
from measure import ELEMENTS, Cell, Variant, interleaved, on_cores, taking_part
from memory import on_device, on_host, placed
from peers.native import NEWEST
from peers.steps import Addition, Batch, Part, Product, Step, by_libxsmm, by_numpy, by_torch
from workload import main, peak_of

ITEMS = 10_000
ORDERS = (3, 4, 5, 6)
P = 9
"""Quantities of the elastic wave equation."""
DT = 0.25
Shape = tuple[int, ...]


def volume_basis(order: int) -> int:
    """Functions on an element: polynomials of three variables."""
    return order * (order + 1) * (order + 2) // 6


def face_basis(order: int) -> int:
    """Functions on a face: polynomials of two variables."""
    return order * (order + 1) // 2


def derivative_sizes(order: int) -> tuple[list[int], list[int], int]:
    """Of D: the rows of each dQ_i, where it begins behind the ones before, and how much there is of all."""
    rows = [volume_basis(order - i) for i in range(order)]
    return rows, [P * sum(rows[1:i]) for i in range(order)], P * sum(rows[1:])


@dataclass(frozen=True)
class Case:
    """A kernel of one order: its arrays, what is multiplied with what, and the kernel in pytl."""

    own: Mapping[str, Shape]
    shared: Mapping[str, Shape]
    written: Sequence[str]
    steps: Sequence[Step]
    expected: Callable[[Mapping[str, np.ndarray]], Mapping[str, np.ndarray]]
    """What is written, from all arrays before, by the formula."""
    kernel: Callable[[Any], Any]
    """The kernel in pytl, for a type of elements."""
    packed: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """What pytl has as one piece of memory an element."""
    numbers: Mapping[str, float] = field(default_factory=dict)

    @property
    def flops(self) -> int:
        return sum(step.flops for step in self.steps)


def padded(rows: int, element: Any) -> int:
    """The stride of a temporary matrix's columns, for each to begin with a whole vector."""
    vector = {"f32": 8, "f64": 4}[element.__name__]
    return -(-rows // vector) * vector


def volume(order: int) -> Case:
    """Q[kp] += Σ_d K_d[kl] I[lq] A_d[qp]; K_d has columns for the polynomials of a lower degree alone."""
    B, B1 = volume_basis(order), volume_basis(order - 1)

    def kernel(element: Any) -> Any:
        import pytl
        from pytl import Group, Memref, alloca, gemm, group_id, strides

        T = Memref[element, B1, P, strides(1, padded(B1, element))]

        def rotated(i: Any, a: Any) -> Any:
            t = alloca(T, align=64)
            gemm(1.0, i, a, 0.0, t)
            return t

        @pytl.kernel
        def volume(
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
            t0, t1, t2 = rotated(i, A0[e]), rotated(i, A1[e]), rotated(i, A2[e])
            # one after the other, so that they are summed in registers
            gemm(1.0, K0, t0, 1.0, q)
            gemm(1.0, K1, t1, 1.0, q)
            gemm(1.0, K2, t2, 1.0, q)

        return volume

    def steps() -> Iterator[Step]:
        for d in range(3):
            yield Product(Part("I", B1, P), Part(f"A{d}", P, P), Part("t", B1, P))
            yield Product(Part(f"K{d}", B, B1), Part("t", B1, P), Part("Q", B, P), beta=1)

    def expected(x: Mapping[str, np.ndarray]) -> Mapping[str, np.ndarray]:
        terms = (product(x[f"K{d}"], x["I"][:B1], x[f"A{d}"]) for d in range(3))
        return {"Q": x["Q"] + sum(terms)}

    own = {"A0": (P, P), "A1": (P, P), "A2": (P, P), "I": (B, P), "Q": (B, P)}
    return Case(own, {f"K{d}": (B, B1) for d in range(3)}, ["Q"], tuple(steps()), expected, kernel)


def local_flux(order: int) -> Case:
    """Q[kp] += Σ_f R_f[km] F_f[ml] I[lq] A_f[qp], over the four faces."""
    B, B2 = volume_basis(order), face_basis(order)

    def kernel(element: Any) -> Any:
        import pytl
        from pytl import Group, Memref, alloca, gemm, group_id, strides

        T = Memref[element, B2, P, strides(1, padded(B2, element))]

        def on_face(F: Any, i: Any, a: Any) -> Any:
            t = alloca(T, align=64)
            u = alloca(T, align=64)
            gemm(1.0, F, i, 0.0, t)
            gemm(1.0, t, a, 0.0, u)
            return u

        @pytl.kernel
        def local_flux(
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
            u0, u1 = on_face(F0, i, A0[e]), on_face(F1, i, A1[e])
            u2, u3 = on_face(F2, i, A2[e]), on_face(F3, i, A3[e])
            # one after the other, so that they are summed in registers
            gemm(1.0, R0, u0, 1.0, q)
            gemm(1.0, R1, u1, 1.0, q)
            gemm(1.0, R2, u2, 1.0, q)
            gemm(1.0, R3, u3, 1.0, q)

        return local_flux

    def steps() -> Iterator[Step]:
        for f in range(4):
            yield Product(Part(f"F{f}", B2, B), Part("I", B, P), Part("t", B2, P))
            yield Product(Part("t", B2, P), Part(f"A{f}", P, P), Part("u", B2, P))
            yield Product(Part(f"R{f}", B, B2), Part("u", B2, P), Part("Q", B, P), beta=1)

    def expected(x: Mapping[str, np.ndarray]) -> Mapping[str, np.ndarray]:
        terms = (product(x[f"R{f}"], x[f"F{f}"], x["I"], x[f"A{f}"]) for f in range(4))
        return {"Q": x["Q"] + sum(terms)}

    own = {**{f"A{f}": (P, P) for f in range(4)}, "I": (B, P), "Q": (B, P)}
    shared = {**{f"R{f}": (B, B2) for f in range(4)}, **{f"F{f}": (B2, B) for f in range(4)}}
    return Case(own, shared, ["Q"], tuple(steps()), expected, kernel)


def neighbour_flux(order: int) -> Case:
    """Q[kp] += R[km] P[mn] T[nl] I[lq] A[qp]; I is the neighbour's."""
    B, B2 = volume_basis(order), face_basis(order)

    def kernel(element: Any) -> Any:
        import pytl
        from pytl import Group, Memref, alloca, gemm, group_id, strides

        Face = Memref[element, B2, P, strides(1, padded(B2, element))]

        @pytl.kernel
        def neighbour_flux(
            R: Memref[element, B, B2],
            M: Memref[element, B2, B2],  # P of the formula
            T: Memref[element, B2, B],
            A: Group[element, P, P],
            I: Group[element, B, P],  # noqa: E741
            Q: Group[element, B, P],
        ):
            e = group_id()
            t = alloca(Face, align=64)
            u = alloca(Face, align=64)
            v = alloca(Face, align=64)
            gemm(1.0, T, I[e], 0.0, t)
            gemm(1.0, M, t, 0.0, u)
            gemm(1.0, u, A[e], 0.0, v)
            gemm(1.0, R, v, 1.0, Q[e])

        return neighbour_flux

    steps = (
        Product(Part("T", B2, B), Part("I", B, P), Part("t", B2, P)),
        Product(Part("M", B2, B2), Part("t", B2, P), Part("u", B2, P)),
        Product(Part("u", B2, P), Part("A", P, P), Part("v", B2, P)),
        Product(Part("R", B, B2), Part("v", B2, P), Part("Q", B, P), beta=1),
    )

    def expected(x: Mapping[str, np.ndarray]) -> Mapping[str, np.ndarray]:
        return {"Q": x["Q"] + product(x["R"], x["M"], x["T"], x["I"], x["A"])}

    own = {"A": (P, P), "I": (B, P), "Q": (B, P)}
    return Case(own, {"R": (B, B2), "M": (B2, B2), "T": (B2, B)}, ["Q"], steps, expected, kernel)


def derivatives_by(order: int, element: Any, derive: Callable[..., None], add: Callable[..., None]) -> Any:
    """The kernel of `derivatives`: `derive(K, before, A, beta, now, i)` adds a term, `add` what the integral gets."""
    import pytl
    from pytl import Group, Memref, expand, group_id

    B, begin, after = derivative_sizes(order)
    rows, columns = B[1], B[0]

    def matrix(memory: Any, i: Any) -> Any:
        return expand(memory[begin[i] : begin[i] + P * B[i]], 0, (B[i], P))

    def level(K0: Any, K1: Any, K2: Any, a0: Any, a1: Any, a2: Any, before: Any, now: Any, i: Any) -> None:
        derive(K0, before, a0, 0.0, now, i)
        derive(K1, before, a1, 1.0, now, i)
        derive(K2, before, a2, 1.0, now, i)

    @pytl.kernel
    def derivatives(
        dt: element,
        K0: Memref[element, rows, columns],
        K1: Memref[element, rows, columns],
        K2: Memref[element, rows, columns],
        A0: Group[element, P, P],
        A1: Group[element, P, P],
        A2: Group[element, P, P],
        Q: Group[element, columns, P],
        dQ: Group[element, after],
        I: Group[element, columns, P],  # noqa: E741
    ):
        e = group_id()
        a0, a1, a2 = A0[e], A1[e], A2[e]
        memory, integral = dQ[e], I[e]
        factor = dt * dt / element(2)
        level(K0, K1, K2, a0, a1, a2, Q[e], matrix(memory, 1), 1)
        add(factor, matrix(memory, 1), integral[0 : B[1], :])
        factor = factor * dt / element(3)
        level(K0, K1, K2, a0, a1, a2, matrix(memory, 1), matrix(memory, 2), 2)
        add(factor, matrix(memory, 2), integral[0 : B[2], :])
        if order > 3:
            factor = factor * dt / element(4)
            level(K0, K1, K2, a0, a1, a2, matrix(memory, 2), matrix(memory, 3), 3)
            add(factor, matrix(memory, 3), integral[0 : B[3], :])
        if order > 4:
            factor = factor * dt / element(5)
            level(K0, K1, K2, a0, a1, a2, matrix(memory, 3), matrix(memory, 4), 4)
            add(factor, matrix(memory, 4), integral[0 : B[4], :])
        if order > 5:
            factor = factor * dt / element(6)
            level(K0, K1, K2, a0, a1, a2, matrix(memory, 4), matrix(memory, 5), 5)
            add(factor, matrix(memory, 5), integral[0 : B[5], :])

    return derivatives


def derivatives(order: int) -> Case:
    """dQ_i[kp] = Σ_d KT_d[kl] dQ_(i-1)[lq] A_d[qp]; I += c_i dQ_i; i = 1 … order − 1, with ever fewer rows.

    dQ_0 is Q, c_i is dt^(i+1) / (i+1)!. pytl has all dQ_i of an element behind one another.
    """
    B, _, _ = derivative_sizes(order)
    rows, columns = B[1], B[0]

    def kernel(element: Any) -> Any:
        from pytl import Memref, alloca, axpby, gemm, strides

        T = [Memref[element, rows, P, strides(1, padded(rows, element))] for rows in B]

        def derive(K: Any, before: Any, a: Any, beta: Any, now: Any, i: Any) -> None:
            t = alloca(T[i], align=64)
            gemm(1.0, K[0 : B[i], 0 : B[i - 1]], before, 0.0, t)
            gemm(1.0, t, a, beta, now)

        def add(factor: Any, now: Any, integral: Any) -> None:
            axpby(factor, now, 1.0, integral)

        return derivatives_by(order, element, derive, add)

    names = [f"dQ{i}" for i in range(1, order)]

    def c(i: int) -> float:
        return DT ** (i + 1) / math.factorial(i + 1)

    def steps() -> Iterator[Step]:
        for i in range(1, order):
            before, now = Part(f"dQ{i - 1}" if i > 1 else "Q", B[i - 1], P), Part(f"dQ{i}", B[i], P)
            for d in range(3):
                yield Product(Part(f"K{d}", B[i], B[i - 1]), before, Part("t", B[i], P))
                yield Product(Part("t", B[i], P), Part(f"A{d}", P, P), now, beta=int(d > 0))
            yield Addition(c(i), now, Part("I", B[i], P))

    def expected(x: Mapping[str, np.ndarray]) -> Mapping[str, np.ndarray]:
        found, before, integral = {}, x["Q"], x["I"].copy()
        for i in range(1, order):
            terms = (product(x[f"K{d}"][: B[i], : B[i - 1]], before, x[f"A{d}"]) for d in range(3))
            found[f"dQ{i}"] = before = sum(terms)
            integral[: B[i]] += c(i) * before
        return {**found, "I": integral}

    own = {**{f"A{d}": (P, P) for d in range(3)}, "Q": (B[0], P), "I": (B[0], P)}
    own.update({name: (size, P) for name, size in zip(names, B[1:])})
    shared = {f"K{d}": (rows, columns) for d in range(3)}
    return Case(own, shared, [*names, "I"], tuple(steps()), expected, kernel, {"dQ": names}, {"dt": DT})


def rotation(order: int) -> Case:
    """X[sp] = V[sl] Q[lq] T[qp], at (order + 1)² points."""
    B, S = volume_basis(order), (order + 1) ** 2

    def kernel(element: Any) -> Any:
        import pytl
        from pytl import Group, Memref, alloca, gemm, group_id, strides

        Between = Memref[element, B, P, strides(1, padded(B, element))]

        @pytl.kernel
        def rotation(
            V: Memref[element, S, B],
            T: Memref[element, P, P],
            Q: Group[element, B, P],
            X: Group[element, S, P],
        ):
            e = group_id()
            t = alloca(Between, align=64)
            gemm(1.0, Q[e], T, 0.0, t)
            gemm(1.0, V, t, 0.0, X[e])

        return rotation

    steps = (
        Product(Part("Q", B, P), Part("T", P, P), Part("t", B, P)),
        Product(Part("V", S, B), Part("t", B, P), Part("X", S, P)),
    )

    def expected(x: Mapping[str, np.ndarray]) -> Mapping[str, np.ndarray]:
        return {"X": product(x["V"], x["Q"], x["T"])}

    return Case({"Q": (B, P), "X": (S, P)}, {"V": (S, B), "T": (P, P)}, ["X"], steps, expected, kernel)


CASES: dict[str, Callable[[int], Case]] = {
    "V": volume,
    "L": local_flux,
    "N": neighbour_flux,
    "D": derivatives,
    "R": rotation,
}


def product(*factors: np.ndarray) -> np.ndarray:
    """In double precision, for all items: a factor is (rows, columns), or (rows, columns, items)."""
    batches = (factor.astype(np.float64).transpose(2, 0, 1) if factor.ndim == 3 else factor for factor in factors)
    return reduce(np.matmul, batches).transpose(1, 2, 0)


def random_batch(case: Case, dtype: str, items: int) -> Batch:
    """Numbers around zero, which results keep the size of."""
    generator = np.random.default_rng(1)

    def numbers(*shape: int) -> np.ndarray:
        return placed(generator.random(shape, dtype=dtype) - 0.5)

    own = {name: numbers(*shape, items) for name, shape in case.own.items()}
    return Batch(own, {name: numbers(*shape) for name, shape in case.shared.items()}, case.written)


def scaled(case: Case, sizes: Mapping[str, float], arrays: Mapping[str, Any]) -> np.ndarray:
    """All that is written, as one vector; each array by its largest number, for small ones to be checked, too."""
    return np.concatenate([np.asarray(arrays[name]).ravel(order="K") / sizes[name] for name in case.written])


def by_pytl(case: Case, batch: Batch, result: Callable[[Mapping[str, Any]], Any], name: str = "pytl") -> Variant:
    """A work-group an element, launched on device arrays."""
    import pytl

    kernel = case.kernel(getattr(pytl, ELEMENTS[batch.dtype.name]))
    arrays = {name: on_device(array) for name, array in pack(case, batch).items()}
    launch = kernel[batch.items]

    def written() -> Any:
        return result(unpack(case, {name: on_host(array) for name, array in arrays.items()}))

    return Variant(name, lambda: launch(**case.numbers, **arrays), written)


def pack(case: Case, batch: Batch) -> dict[str, np.ndarray]:
    """The arrays that the kernel takes."""
    found = {**batch.own, **batch.shared}
    for name, members in case.packed.items():
        flat = [found.pop(member).reshape(-1, batch.items, order="F") for member in members]
        found[name] = placed(np.concatenate(flat))
    return found


def unpack(case: Case, arrays: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """And the other way."""
    found = dict(arrays)
    for name, members in case.packed.items():
        ends = np.cumsum([math.prod(case.own[member]) for member in members])
        for member, flat in zip(members, np.split(found.pop(name), ends[:-1])):
            found[member] = flat.reshape(*case.own[member], -1, order="F")
    return found


def makers_of(case: Case, dtype: str, items: int) -> tuple[list[Callable[[], Variant]], np.ndarray]:
    """All who execute a kernel, and what they have to find."""
    batch = random_batch(case, dtype, items)
    found = case.expected({**batch.own, **batch.shared})
    result = partial(scaled, case, {name: float(np.abs(array).max()) for name, array in found.items()})
    library = (case.steps, batch, items, lambda done: result(done.own))
    makers = [partial(by_pytl, case, batch, result), partial(by_libxsmm, *library)]
    makers += [partial(by_libxsmm, *library, name=NEWEST, newest=True)]
    makers += [partial(by_numpy, *library), partial(by_torch, *library)]
    expected = result({name: np.asfortranarray(array) for name, array in found.items()})
    return makers, expected.astype(dtype)


def measured(name: str, order: int, dtype: str, cores: int, budget: float, peak: float | None) -> Cell:
    case = CASES[name](order)
    makers, expected = makers_of(case, dtype, ITEMS)
    variants, absent = taking_part(makers, expected, 4 * volume_basis(order))
    seconds = interleaved(variants, budget)
    work = float(case.flops * ITEMS)
    table, row = f"SeisSol's kernels, {on_cores(cores)}", f"{name}, order {order}"
    return Cell(table, row, ELEMENTS[dtype], cores, work, seconds, peak, absent)


def cells(cores: int, budget: float) -> Iterator[Cell]:
    for dtype in ("float32", "float64"):
        peak = peak_of(dtype)
        for name in CASES:
            for order in ORDERS:
                yield measured(name, order, dtype, cores, budget, peak)


if __name__ == "__main__":
    main(__file__, __doc__, {"seissol": cells})
