"""What moves data rather than computes: sum, axpby, hadamard and gemv, beside the machine's memory and NumPy.

    python benchmarks/bandwidth.py [--budget SECONDS] [--write]

100 MB of data, each element once. Vectors are columns of 4096, a work-group each; gemv has a matrix and two vectors for
each item. Rates count what is read and what is written; *triad* (a := b + s c) and *reading* are C, on as many bytes.
"""

# Without `from __future__ import annotations`: those of the kernels have names of two functions around them.
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from measure import ELEMENTS, Cell, Variant, interleaved, on_cores, taking_part
from memory import on_device, on_host, placed
from peers import Missing
from peers.native import Machine
from workload import MEMORY, main

LENGTH = 4096
ALPHA, BETA = 1.5, 0.5
Arrays = list[np.ndarray]


@dataclass(frozen=True)
class Case:
    """An instruction on a batch. Of the arrays, the last is what is written."""

    shapes: list[tuple[int, ...]]
    """Of an item's parts; arrays have the batch behind them."""
    kernel: Callable[[Any], Any]
    """The kernel in pytl, for a type of elements."""
    by_numpy: Callable[..., Any]
    """Does it with the transposed arrays, the batch first, in place."""
    peer: str
    reads_result: bool = False
    steps: int = 4
    """Roundings on the way to a number of the result."""

    def elements(self) -> int:
        """What an item has moved."""
        sizes = [int(np.prod(shape)) for shape in self.shapes]
        return sum(sizes) + (sizes[-1] if self.reads_result else 0)


def sums(element: Any) -> Any:
    import pytl
    from pytl import Memref, group_id, subview

    @pytl.kernel
    def sums(A: Memref[element, LENGTH, ...], b: Memref[element, ...]):
        g = group_id()
        pytl.sum(1.0, A[:, g], 0.0, subview(b, g))

    return sums


def additions(element: Any) -> Any:
    import pytl
    from pytl import Memref, axpby, group_id

    @pytl.kernel
    def additions(A: Memref[element, LENGTH, ...], B: Memref[element, LENGTH, ...]):
        g = group_id()
        axpby(ALPHA, A[:, g], BETA, B[:, g])

    return additions


def products(element: Any) -> Any:
    import pytl
    from pytl import Memref, group_id, hadamard

    @pytl.kernel
    def products(A: Memref[element, LENGTH, ...], B: Memref[element, LENGTH, ...], C: Memref[element, LENGTH, ...]):
        g = group_id()
        hadamard(ALPHA, A[:, g], B[:, g], 0.0, C[:, g])

    return products


def vectors(n: int, transposed: bool, element: Any) -> Any:
    import pytl
    from pytl import Memref, gemv, group_id

    @pytl.kernel
    def vectors(A: Memref[element, n, n, ...], b: Memref[element, n, ...], c: Memref[element, n, ...]):
        g = group_id()
        if transposed:
            gemv(1.0, A[:, :, g].T, b[:, g], 0.0, c[:, g])
        else:
            gemv(1.0, A[:, :, g], b[:, g], 0.0, c[:, g])

    return vectors


def numpy_axpby(a: np.ndarray, b: np.ndarray) -> None:
    np.multiply(b, b.dtype.type(BETA), out=b)
    np.add(b, a * a.dtype.type(ALPHA), out=b)


def numpy_hadamard(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> None:
    np.multiply(a, b, out=c)
    np.multiply(c, c.dtype.type(ALPHA), out=c)


def numpy_gemv(transposed: bool, a: np.ndarray, b: np.ndarray, c: np.ndarray) -> None:
    """The items of `a` are transposed already."""
    np.matmul(a if transposed else a.swapaxes(1, 2), b[:, :, None], out=c[:, :, None])


def cases() -> dict[str, Case]:
    """All of them, by the row that they have."""
    vector = (LENGTH,)
    found = {
        "sum": Case([vector, ()], sums, lambda a, b: np.sum(a, axis=1, out=b), "reading", steps=LENGTH),
        "axpby": Case([vector, vector], additions, numpy_axpby, "triad", reads_result=True),
        "hadamard": Case([vector, vector, vector], products, numpy_hadamard, "triad"),
    }
    for n in (64, 512):
        for letter in "nt":
            kernel, by_numpy = partial(vectors, n, letter == "t"), partial(numpy_gemv, letter == "t")
            found[f"gemv.{letter} {n}×{n}"] = Case([(n, n), (n,), (n,)], kernel, by_numpy, "reading", steps=n)
    return found


def random_arrays(case: Case, dtype: str, items: int) -> Arrays:
    generator = np.random.default_rng(1)
    return [placed(generator.random((*shape, items), dtype) - 0.5) for shape in case.shapes]


def expected_of(case: Case, arrays: Arrays) -> np.ndarray:
    """By NumPy, in double precision, rounded at the end."""
    wide = [array.T.astype(np.float64) for array in arrays]
    case.by_numpy(*wide)
    return wide[-1].T.astype(arrays[-1].dtype)


def by_pytl(case: Case, arrays: Arrays) -> Variant:
    import pytl

    device = [on_device(array) for array in arrays]
    launch = case.kernel(getattr(pytl, ELEMENTS[arrays[0].dtype.name]))[arrays[0].shape[-1]]
    return Variant("pytl", lambda: launch(*device), lambda: on_host(device[-1]))


def by_numpy(case: Case, arrays: Arrays) -> Variant:
    mine = [array.T for array in [*arrays[:-1], placed(arrays[-1])]]
    return Variant("NumPy", lambda: case.by_numpy(*mine), lambda: mine[-1].T)


def measured(row: str, case: Case, dtype: str, cores: int, budget: float) -> Cell:
    itemsize = np.dtype(dtype).itemsize
    items = MEMORY // (sum(int(np.prod(shape)) for shape in case.shapes) * itemsize)
    moved = case.elements() * items * itemsize
    arrays = random_arrays(case, dtype, items)
    makers = [partial(by_pytl, case, arrays), partial(by_numpy, case, arrays)]
    variants, absent = taking_part(makers, expected_of(case, arrays), case.steps)
    try:
        machine = Machine()
        run = machine.triad(moved) if case.peer == "triad" else machine.reading(moved)
        variants.append(Variant(case.peer, run, lambda: None))
    except Missing as missing:
        absent.append(str(missing))
    seconds = interleaved(variants, budget)
    table = f"bandwidth, {on_cores(cores)}"
    return Cell(table, row, ELEMENTS[dtype], cores, float(moved), seconds, absent=absent, unit="GB/s", place="memory")


def cells(cores: int, budget: float) -> Iterator[Cell]:
    for dtype in ("float32", "float64"):
        for row, case in cases().items():
            yield measured(row, case, dtype, cores, budget)


if __name__ == "__main__":
    main(__file__, __doc__, {"bandwidth": cells})
