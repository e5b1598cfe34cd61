"""Products with factors of a known pattern, as a solver for earthquakes has them, beside the same products without it.

    python benchmarks/patterns.py [--budget SECONDS] [--write]

"star": Q_i += I_i A_i, where A_i, an item's own, is 9×9 with the 24 entries of the elastic wave equation. "stiffness":
Q_i += K I_i, where all items share K, which has the pattern of a stiffness matrix along x, y or z. "flux" has matrices
that lift functions of a face to the element (R), and restrict them to the face (F), in place of K. "volume" is the
volume term, Q_i += Σ K_d I_i A_di over the three directions. Data are in L2, on one core. pytl has each kernel twice:
with the patterns, and dense. libxsmm has the C that its generator writes for a sparse factor, as SeisSol has it, which
gets the values of the pattern alone; the volume term is six calls of such functions.

"packed" has the matrices of "stiffness" and "flux" where as many items as a register of 512 bits has numbers lie side
by side: [row][column][item]. libxsmm 2.0 has machine code for that, in the folder that LIBXSMM_2 names; all variants
have the same arrays.

A launch has as much work on entries that may be other than zero as one of the other workloads has in all: to begin one
takes about 50 microseconds, which was a tenth of its time where few entries are.
"""

# Without `from __future__ import annotations`: those of the kernels have names of the functions around them.
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np
from elements import fluxes, star, stiffness
from measure import ELEMENTS, Cell, Variant, interleaved, taking_part
from memory import on_device, on_host, placed
from peers.sparse import by_packed_libxsmm, by_sparse_libxsmm
from peers.steps import Batch, Part, Product
from workload import batch, main, peak_of

ORDERS = (3, 4, 5, 6)
FACES = (0, 1, 3)
"""The fluxes of the faces 2 and 3 have the same pattern."""
QUANTITIES = 9
PACK_BYTES = 64
"""Of the items of a pack, whose numbers are a vector."""
Arrays = Mapping[str, np.ndarray]


def typed(pytl: Any, array: np.ndarray, mask: np.ndarray | None) -> Any:
    """The annotation of an array, of which the third mode are the items."""
    element, sizes = getattr(pytl, ELEMENTS[array.dtype.name]), (*array.shape[:2], *[...] * (array.ndim - 2))
    return pytl.Memref[(element, *sizes)] if mask is None else pytl.Memref[(element, *sizes, pytl.pattern(mask))]


def product(pytl: Any, arrays: Arrays, masks: Arrays, items: int) -> Any:
    """Q_i += A B, of which one factor is the item's own."""
    a, b, q = (typed(pytl, arrays[name], masks.get(name)) for name in "ABQ")
    own_a, own_b = (arrays[name].ndim > 2 for name in "AB")

    @pytl.kernel
    def product(A: a, B: b, Q: q):
        i = pytl.group_id() % items
        pytl.gemm(1.0, A[:, :, i] if own_a else A, B[:, :, i] if own_b else B, 1.0, Q[:, :, i])

    return product


def volume(pytl: Any, arrays: Arrays, masks: Arrays, items: int) -> Any:
    """Q_i += Σ K_d I_i A_di."""
    k0, k1, k2, a0, a1, a2, state, q = (typed(pytl, array, masks.get(name)) for name, array in arrays.items())
    rows, element = arrays["K0"].shape[1], getattr(pytl, ELEMENTS[arrays["Q"].dtype.name])
    vector = 32 // arrays["Q"].itemsize
    temporary = pytl.Memref[element, rows, QUANTITIES, pytl.strides(1, -(-rows // vector) * vector)]

    def rotated(state: Any, a: Any) -> Any:
        t = pytl.alloca(temporary, align=64)
        pytl.gemm(1.0, state, a, 0.0, t)
        return t

    @pytl.kernel
    def volume(K0: k0, K1: k1, K2: k2, A0: a0, A1: a1, A2: a2, I: state, Q: q):  # noqa: E741 (its name in the formula)
        i = pytl.group_id() % items
        now, after = I[0:rows, :, i], Q[:, :, i]
        t0, t1, t2 = rotated(now, A0[:, :, i]), rotated(now, A1[:, :, i]), rotated(now, A2[:, :, i])
        pytl.gemm(1.0, K0, t0, 1.0, after)
        pytl.gemm(1.0, K1, t1, 1.0, after)
        pytl.gemm(1.0, K2, t2, 1.0, after)

    return volume


Make = Callable[[Any, Arrays, Arrays, int], Any]


def by_pytl(name: str, make: Make, arrays: Arrays, masks: Arrays, total: int) -> Variant:
    import pytl

    kernel = make(pytl, arrays, masks, arrays["Q"].shape[2])
    on = [on_device(array) for array in arrays.values()]
    launch = kernel[total]
    return Variant(name, lambda: launch(*on), lambda: on_host(on[-1]))


def measured(
    table: str, row: str, make: Make, shapes: Mapping[str, tuple[int, ...]], masks: Arrays, dtype: str, budget: float
) -> Cell:
    """One kernel with its patterns and without. Shapes of arrays that items have end with their number, 0."""
    generator = np.random.default_rng(1)
    work = float(sum(step.flops for step in _steps(shapes)))
    needed = sum(step.flops * _share(step, masks) for step in _steps(shapes))
    size = np.dtype(dtype).itemsize
    items, total = batch(sum(s[0] * s[1] * size for s in shapes.values() if len(s) > 2), needed, "L2")
    arrays = {}
    for name, shape in shapes.items():
        shape = (*shape[:2], *([items] if len(shape) > 2 else []))
        numbers = generator.random(shape, dtype=dtype) - 0.5
        mask = masks.get(name, np.ones(shape[:2], bool))
        arrays[name] = placed(numbers * mask.reshape(*shape[:2], *[1] * (len(shape) - 2)).astype(dtype))
    rounds = total // items
    expected = arrays["Q"] + rounds * _added(arrays)
    shared = {name: array for name, array in arrays.items() if array.ndim == 2}
    steps = list(_steps(shapes))
    data = Batch({name: array for name, array in arrays.items() if array.ndim > 2}, shared, ["Q"])
    makers = [
        partial(by_pytl, "pytl", make, arrays, masks, total),
        partial(by_pytl, "pytl, dense", make, arrays, {}, total),
        partial(by_sparse_libxsmm, steps, data, masks, total, lambda batch: batch.own["Q"]),
    ]
    variants, absent = taking_part(makers, expected, shapes["Q"][0] + rounds)
    seconds = interleaved(variants, budget, "L2")
    return Cell(table, row, ELEMENTS[dtype], 1, work * total, seconds, peak_of(dtype), absent, place="L2")


def packed(pytl: Any, arrays: Arrays, masks: Arrays, packs: int) -> Any:
    """Q_i += K I_i, for packs of items: their numbers and the columns are the rows of one product."""
    k, i, q = (typed(pytl, array.reshape(_joined(array), order="F"), masks.get(name)) for name, array in arrays.items())

    @pytl.kernel
    def packed(K: k, I: i, Q: q):  # noqa: E741 (its name in the formula)
        pack = pytl.group_id() % packs
        pytl.gemm(1.0, I[:, :, pack], K.T, 1.0, Q[:, :, pack])

    return packed


def _joined(array: np.ndarray) -> tuple[int, ...]:
    """The shape where the numbers of a pack and the columns are one mode."""
    return array.shape if array.ndim == 2 else (array.shape[0] * array.shape[1], *array.shape[2:])


def packed_by_pytl(name: str, arrays: Arrays, masks: Arrays, total: int) -> Variant:
    import pytl

    shape = arrays["Q"].shape
    launch = packed(pytl, arrays, masks, shape[3])[total]
    on = [on_device(array.reshape(_joined(array), order="F")) for array in arrays.values()]
    return Variant(name, lambda: launch(*on), lambda: on_host(on[-1]).reshape(shape, order="F"))


def measured_packed(row: str, matrix: np.ndarray, dtype: str, budget: float) -> Cell:
    """One matrix with its pattern and without, for packs of items."""
    generator = np.random.default_rng(1)
    matrix, each = matrix.astype(dtype), PACK_BYTES // np.dtype(dtype).itemsize
    (rows, depth), size = matrix.shape, each * QUANTITIES
    work = 2.0 * rows * depth * size
    packs, total = batch((rows + depth) * size * np.dtype(dtype).itemsize, work * np.mean(matrix != 0), "L2")
    inner, result = (placed(generator.random((each, QUANTITIES, n, packs), dtype=dtype) - 0.5) for n in (depth, rows))
    expected = result + total // packs * np.einsum("rk,pqki->pqri", matrix, inner)
    arrays = {"K": placed(matrix), "I": inner, "Q": result}

    makers = [
        partial(packed_by_pytl, "pytl", arrays, {"K": matrix != 0}, total),
        partial(packed_by_pytl, "pytl, dense", arrays, {}, total),
        partial(by_packed_libxsmm, matrix, inner, result, each, total),
    ]
    variants, absent = taking_part(makers, expected, rows + total // packs)
    seconds, table = interleaved(variants, budget, "L2"), "packed, in L2, on one core"
    return Cell(table, row, ELEMENTS[dtype], 1, work * total, seconds, peak_of(dtype), absent, place="L2")


def of_packed(budget: float) -> Iterator[Cell]:
    """The kernels for packs of items."""
    for dtype in ("float32", "float64"):
        for order in ORDERS:
            for name, matrix in (_matrices("stiffness", order) | _matrices("flux", order)).items():
                yield measured_packed(f"order {order}, {name}", matrix, dtype, budget)


def _matrices(kind: str, order: int) -> dict[str, np.ndarray]:
    """The shared matrices of a kind, by name."""
    if kind == "stiffness":
        return dict(zip(("along x", "along y", "along z"), stiffness(order)))
    pairs = {face: zip("RF", fluxes(order, face)) for face in FACES}
    return {f"{name} of face {face}": m for face, pair in pairs.items() for name, m in pair}


def _steps(shapes: Mapping[str, tuple[int, ...]]) -> Iterator[Product]:
    """The products of an item, one after the other."""
    parts = {name: Part(name, shape[0], shape[1]) for name, shape in shapes.items()}
    if "K0" not in shapes:
        yield Product(parts["A"], parts["B"], parts["Q"], 1)
        return
    (_, depth), state = shapes["K0"], parts["I"]
    between = Part("T", depth, QUANTITIES)
    for d in range(3):
        yield Product(Part("I", depth, state.columns), parts[f"A{d}"], between)
        yield Product(parts[f"K{d}"], between, parts["Q"], 1)


def _share(step: Product, masks: Arrays) -> float:
    """The part of a product's multiply-adds whose factors may be other than zero."""
    return float(np.mean([masks[part.name].mean() for part in step.parts if part.name in masks] or 1))


def _added(arrays: Arrays) -> np.ndarray:
    """What a round adds to Q, items last."""

    def first(name: str) -> np.ndarray:
        return np.moveaxis(arrays[name], 2, 0) if arrays[name].ndim > 2 else arrays[name]

    if "K0" in arrays:
        state = first("I")[:, : arrays["K0"].shape[1]]
        terms = sum(first(f"K{d}") @ state @ first(f"A{d}") for d in range(3))
        return np.moveaxis(terms, 0, 2)
    return np.moveaxis(first("A") @ first("B"), 0, 2)


def of_kind(kind: str, budget: float) -> Iterator[Cell]:
    """The kernels of a kind, each with its patterns and without."""
    table = f"{kind}, in L2, on one core"
    own = (QUANTITIES, 0)
    for dtype in ("float32", "float64"):
        for order in ORDERS:
            matrices = stiffness(order)
            rows, lower = matrices[0].shape
            of = partial(measured, table, dtype=dtype, budget=budget)
            if kind == "star":
                shapes = {"A": (rows, *own), "B": (QUANTITIES, *own), "Q": (rows, *own)}
                yield of(f"order {order}", product, shapes, {"B": star()})
            elif kind in ("stiffness", "flux"):
                for name, matrix in _matrices(kind, order).items():
                    shapes = {"A": matrix.shape, "B": (matrix.shape[1], *own), "Q": (matrix.shape[0], *own)}
                    yield of(f"order {order}, {name}", product, shapes, {"A": matrix != 0})
            else:
                shapes = {f"K{d}": (rows, lower) for d in range(3)} | {f"A{d}": (QUANTITIES, *own) for d in range(3)}
                masks = {f"K{d}": matrix != 0 for d, matrix in enumerate(matrices)}
                masks |= {f"A{d}": star() for d in range(3)}
                yield of(f"order {order}", volume, {**shapes, "I": (rows, *own), "Q": (rows, *own)}, masks)


def cells(cores: int, budget: float) -> Iterator[Cell]:
    """What one process measures, on one core."""
    for kind in ("star", "stiffness", "flux", "volume"):
        yield from of_kind(kind, budget)
    yield from of_packed(budget)


if __name__ == "__main__":
    main(__file__, __doc__, {"patterns": cells}, (1,))
