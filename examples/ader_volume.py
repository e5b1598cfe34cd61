"""Three kernels of SeisSol, in YATeTo's immediate language and with `contract`: the same numbers.

An element of an ADER discontinuous Galerkin method has B functions on it, b on each of its faces, and P quantities.

    V, the volume term:            Q[kp] += sum over d of  K_d[kl] U[lq] A_d[qp]
    L, the flux of its own faces:  Q[kp] += sum over f of  R_f[km] F_f[ml] U[lq] A_f[qp]
    N, the flux of a neighbour:    Q[kp] += R[km] P[mn] T[nl] U[lq] A[qp]

Q, U and the A belong to an element, and come by pointers; all elements share the others.
"""

import argparse
import time
from collections.abc import Callable, Sequence

import numpy as np

import pytl
from pytl import Group, Memref, contract, f32, group_id

P = 9
"""Quantities of the elastic wave equation."""


def memref(rows: int, columns: int) -> str:
    return f"memref<f32x{rows}x{columns}>"


def term(left: Sequence[tuple[str, int, int]], flux: str, name: str) -> list[str]:
    """The text of `q += left … u flux`: first what is small, from the right, and last what is as large as q."""
    lines = []
    product, rows = "u", left[-1][2]

    def multiply(a: str, b: str, sizes: tuple[int, int, int], result: str, beta: str) -> None:
        m, n, k = sizes
        types = f"{memref(m, k)}, {memref(k, n)} to {memref(m, n)}"
        lines.append(f"log {{ik, kj to ij}}, 1.0, %{a}, %{b}, {beta}, %{result} : {types}")

    first, *others = left
    for matrix, m, k in reversed(others):
        lines.append(f"%{name}_{matrix} = alloca : {memref(m, P)}")
        multiply(matrix, product, (m, P, k), f"{name}_{matrix}", "0.0")
        product, rows = f"{name}_{matrix}", m
    lines.append(f"%{name} = alloca : {memref(rows, P)}")
    multiply(product, flux, (rows, P, P), name, "0.0")
    multiply(first[0], name, (first[1], P, rows), "q", "1.0")
    return lines


def define(
    name: str, own: Sequence[tuple[str, int, int]], shared: Sequence[tuple[str, int, int]], body: list[str]
) -> str:
    """A function with groups, whose items have small names, and with what all elements share."""
    groups = {item: f"group<{memref(*shape)},pointers>" for item, *shape in own}
    parameters = [f"%{item.upper()}: {group}" for item, group in groups.items()]
    parameters += [f"%{matrix}: {memref(*shape)}" for matrix, *shape in shared]
    items = [f"%{item} = get_work_item %{item.upper()} : {group}" for item, group in groups.items()]
    lines = "\n".join(f"  {line}" for line in [*items, *body])
    return f"define @{name}({', '.join(parameters)}) {{\n{lines}\n}}\n"


def text_of(B: int, b: int) -> str:
    """The three kernels in the immediate language."""
    q, u = ("q", B, P), ("u", B, P)
    stiffness = [(f"K{d}", B, B) for d in range(3)]
    faces = [(f"R{f}", B, b) for f in range(4)]
    fluxes = [(f"F{f}", b, B) for f in range(4)]
    a = [(f"a{f}", P, P) for f in range(4)]
    neighbour = [("R", B, b), ("P", b, b), ("T", b, B)]
    volume = [line for d in range(3) for line in term([stiffness[d]], f"a{d}", f"v{d}")]
    local = [line for f in range(4) for line in term([faces[f], fluxes[f]], f"a{f}", f"l{f}")]
    return "\n".join(
        [
            define("volume", [u, *a[:3], q], stiffness, volume),
            define("local", [u, *a, q], [*faces, *fluxes], local),
            define("neighbour", [u, a[0], q], neighbour, term(neighbour, "a0", "n")),
        ]
    )


def with_contract(B: int, b: int) -> dict[str, pytl.Kernel]:
    """The three kernels in Python, whose products are in the order that has the fewest operations."""
    Item, Flux = Group[f32, B, P], Group[f32, P, P]
    Square, Lift, Trace = Memref[f32, B, B], Memref[f32, B, b], Memref[f32, b, B]

    @pytl.kernel
    def volume(U: Item, A0: Flux, A1: Flux, A2: Flux, Q: Item, K0: Square, K1: Square, K2: Square):
        g = group_id()
        contract("kl,lq,qp->kp", K0, U[g], A0[g], out=Q[g], beta=1)
        contract("kl,lq,qp->kp", K1, U[g], A1[g], out=Q[g], beta=1)
        contract("kl,lq,qp->kp", K2, U[g], A2[g], out=Q[g], beta=1)

    @pytl.kernel
    def local(
        U: Item, A0: Flux, A1: Flux, A2: Flux, A3: Flux, Q: Item,
        R0: Lift, R1: Lift, R2: Lift, R3: Lift, F0: Trace, F1: Trace, F2: Trace, F3: Trace,
    ):  # fmt: skip
        g = group_id()
        contract("km,ml,lq,qp->kp", R0, F0, U[g], A0[g], out=Q[g], beta=1)
        contract("km,ml,lq,qp->kp", R1, F1, U[g], A1[g], out=Q[g], beta=1)
        contract("km,ml,lq,qp->kp", R2, F2, U[g], A2[g], out=Q[g], beta=1)
        contract("km,ml,lq,qp->kp", R3, F3, U[g], A3[g], out=Q[g], beta=1)

    @pytl.kernel
    def neighbour(U: Item, A0: Flux, Q: Item, R: Lift, P: Memref[f32, b, b], T: Trace):
        g = group_id()
        contract("km,mn,nl,lq,qp->kp", R, P, T, U[g], A0[g], out=Q[g], beta=1)

    return {"volume": volume, "local": local, "neighbour": neighbour}


def by_numpy(name: str, given: list) -> np.ndarray:
    """What a kernel adds to Q, item by item in double precision."""
    whole = [np.stack(each, 0).astype(float) if isinstance(each, list) else each.astype(float) for each in given]
    if name == "neighbour":
        i, a, _, r, p, t = whole
        return r @ p @ t @ i @ a
    terms = 3 if name == "volume" else 4
    i, a, shared = whole[0], whole[1 : terms + 1], whole[terms + 2 :]
    left = shared if name == "volume" else [r @ f for r, f in zip(shared[:4], shared[4:])]
    return sum(matrix @ i @ flux for matrix, flux in zip(left, a))


def data_of(kernel: pytl.Kernel, items: int) -> list:
    """Random arguments: a list of arrays for each group."""
    random = np.random.default_rng(1)

    def numbers(shape: tuple[int, ...]) -> np.ndarray:
        return np.asfortranarray(random.uniform(-1, 1, shape).astype(np.float32))

    types = [parameter.type for parameter in kernel.function.parameters]
    return [
        [numbers(type_.memref.shape) for _ in range(items)] if hasattr(type_, "memref") else numbers(type_.shape)
        for type_ in types
    ]


def milliseconds(launch: Callable[[], None]) -> float:
    launch()  # which compiles
    began = time.perf_counter()
    launch()
    return 1e3 * (time.perf_counter() - began)


def main(items: int = 1000, order: int = 4) -> None:
    B, b = order * (order + 1) * (order + 2) // 6, order * (order + 1) // 2
    text = text_of(B, b)
    print(text[text.index("define @neighbour") :])
    of_text, of_python = pytl.compile(text, language="yateto"), with_contract(B, b)
    print(f"{items} elements of order {order} on {pytl.default_backend()}: {B} functions, {b} on a face")
    for name, kernel in of_text.items():
        given = data_of(kernel, items)
        place = next(n for n, parameter in enumerate(kernel.function.parameters) if parameter.name == "Q")
        start = [array.copy(order="F") for array in given[place]]
        wanted = np.stack(start, 0) + by_numpy(name, given)
        scale = np.abs(wanted).max()
        results = []
        for each in (kernel, of_python[name]):
            arguments = [*given[:place], [array.copy(order="F") for array in start], *given[place + 1 :]]
            each[items](*arguments)
            results.append(np.stack(arguments[place], 0))
            if not np.abs(results[-1] - wanted).max() <= 1e-5 * scale:
                raise SystemExit(f"wrong: {name} differs from NumPy")
            elapsed = milliseconds(lambda: each[items](*arguments))  # noqa: B023
            print(f"  {name:<10}{'text' if each is kernel else 'contract':<10}{elapsed:8.2f} ms")
        print(f"  {name:<10}largest difference of the two, of 1: {np.abs(results[0] - results[1]).max() / scale:.1e}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("items", type=int, nargs="?", default=1000, help="of the batch, 1000 if left out")
    parser.add_argument("--order", type=int, default=4, help="of the method, 4 if left out")
    options = parser.parse_args()
    main(options.items, options.order)
