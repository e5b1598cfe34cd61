"""Functions of rows as people write them, in loops over the elements of each row: pytl beside numba.

    python benchmarks/rows.py [--budget SECONDS] [--write]

Both have the same loops, which are compiled twice, with and without the option `fastmath`, which may add in another
order; numba's are parallel on two cores. A work-group has sixteen rows. From memory, C's triad (a := b + s c) or
reading takes part, on as many bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
from measure import Cell, Variant, interleaved, on_cores, taking_part
from memory import on_device, on_host, placed
from peers import Missing
from peers.native import Machine
from workload import main

SHAPES = {(4096, 64): "L2", (1024, 1024): "L2", (16384, 1024): "memory"}
"""Rows and their elements, and where they are."""
TOGETHER = 16
Loops = Callable[[Any, Any], None]


def kernels(n: int) -> dict[str, Any]:
    """The functions of rows of `n` elements, by their names."""
    import pytl
    from pytl import Memref, exp, f32, foreach, group_id, i32, rsqrt, sqrt

    rows = TOGETHER

    @pytl.kernel
    def softmax(X: Memref[f32, n, rows, ...], Y: Memref[f32, n, rows, ...]):
        g = group_id()
        for t in foreach(rows):
            largest = X[0, t, g]
            for i in range(n):
                largest = max(largest, X[i, t, g])
            total = f32(0.0)
            for i in range(n):
                raised = exp(X[i, t, g] - largest)
                Y[i, t, g] = raised
                total += raised
            for i in range(n):
                Y[i, t, g] = Y[i, t, g] / total

    @pytl.kernel
    def layer_norm(X: Memref[f32, n, rows, ...], Y: Memref[f32, n, rows, ...]):
        g = group_id()
        for t in foreach(rows):
            total = f32(0.0)
            for i in range(n):
                total += X[i, t, g]
            mean = total / float(n)
            squares = f32(0.0)
            for i in range(n):
                off = X[i, t, g] - mean
                squares += off * off
            factor = rsqrt(squares / float(n) + 1e-5)
            for i in range(n):
                Y[i, t, g] = (X[i, t, g] - mean) * factor

    @pytl.kernel
    def rms_norm(X: Memref[f32, n, rows, ...], Y: Memref[f32, n, rows, ...]):
        g = group_id()
        for t in foreach(rows):
            squares = f32(0.0)
            for i in range(n):
                squares += X[i, t, g] * X[i, t, g]
            factor = rsqrt(squares / float(n) + 1e-5)
            for i in range(n):
                Y[i, t, g] = X[i, t, g] * factor

    @pytl.kernel
    def argmax(X: Memref[f32, n, rows, ...], Y: Memref[i32, rows, ...]):
        g = group_id()
        for t in foreach(rows):
            largest = X[0, t, g]
            place = i32(0)
            for i in range(n):
                if X[i, t, g] > largest:
                    largest = X[i, t, g]
                    place = i32(i)
            Y[t, g] = place

    @pytl.kernel
    def norm(X: Memref[f32, n, rows, ...], Y: Memref[f32, rows, ...]):
        g = group_id()
        for t in foreach(rows):
            squares = f32(0.0)
            for i in range(n):
                squares += X[i, t, g] * X[i, t, g]
            Y[t, g] = sqrt(squares)

    return {each.name: each for each in (softmax, layer_norm, rms_norm, argmax, norm)}


# The same for numba, which has another `prange`.

prange: Any = range


def softmax(X: Any, Y: Any) -> None:
    for t in prange(X.shape[0]):
        largest = X[t, 0]
        for i in range(X.shape[1]):
            largest = max(largest, X[t, i])
        total = np.float32(0)
        for i in range(X.shape[1]):
            raised = np.exp(X[t, i] - largest)
            Y[t, i] = raised
            total += raised
        for i in range(X.shape[1]):
            Y[t, i] = Y[t, i] / total


def layer_norm(X: Any, Y: Any) -> None:
    n = np.float32(X.shape[1])
    for t in prange(X.shape[0]):
        total = np.float32(0)
        for i in range(X.shape[1]):
            total += X[t, i]
        mean = total / n
        squares = np.float32(0)
        for i in range(X.shape[1]):
            off = X[t, i] - mean
            squares += off * off
        factor = np.float32(1) / np.sqrt(squares / n + np.float32(1e-5))
        for i in range(X.shape[1]):
            Y[t, i] = (X[t, i] - mean) * factor


def rms_norm(X: Any, Y: Any) -> None:
    n = np.float32(X.shape[1])
    for t in prange(X.shape[0]):
        squares = np.float32(0)
        for i in range(X.shape[1]):
            squares += X[t, i] * X[t, i]
        factor = np.float32(1) / np.sqrt(squares / n + np.float32(1e-5))
        for i in range(X.shape[1]):
            Y[t, i] = X[t, i] * factor


def argmax(X: Any, Y: Any) -> None:
    for t in prange(X.shape[0]):
        largest = X[t, 0]
        place = np.int32(0)
        for i in range(X.shape[1]):
            if X[t, i] > largest:
                largest = X[t, i]
                place = np.int32(i)
        Y[t] = place


def norm(X: Any, Y: Any) -> None:
    for t in prange(X.shape[0]):
        squares = np.float32(0)
        for i in range(X.shape[1]):
            squares += X[t, i] * X[t, i]
        Y[t] = np.sqrt(squares)


OF_NUMBA: tuple[Loops, ...] = (softmax, layer_norm, rms_norm, argmax, norm)


def expected_of(name: str, x: np.ndarray) -> np.ndarray:
    wide = x.astype(np.float64)
    if name == "argmax":
        return x.argmax(1).astype(np.int32)
    if name == "norm":
        found = np.sqrt((wide**2).sum(1))
    elif name == "softmax":
        raised = np.exp(wide - wide.max(1, keepdims=True))
        found = raised / raised.sum(1, keepdims=True)
    else:
        centred = wide - wide.mean(1, keepdims=True) if name == "layer_norm" else wide
        found = centred / np.sqrt((centred**2).mean(1, keepdims=True) + 1e-5)
    return found.astype(np.float32)


def _of_groups(array: np.ndarray) -> np.ndarray:
    """Rows as a kernel has them: elements of a row first, then rows of a work-group, then work-groups."""
    return array.T.reshape((*array.shape[:0:-1], TOGETHER, array.shape[0] // TOGETHER), order="F")


def by_pytl(name: str, backend: str, is_fast: bool, x: np.ndarray, like: np.ndarray) -> Variant:
    launch = kernels(x.shape[1])[name][len(x) // TOGETHER, {"fastmath": is_fast}]
    arrays = [placed(_of_groups(each)) for each in (x, np.zeros_like(like))]
    given, result = map(on_device, arrays) if backend == "sycl" else arrays
    found = lambda: on_host(result).reshape(like.T.shape, order="F").T  # noqa: E731
    named = "pytl" if backend == "sycl" else f"pytl, {backend}"
    return Variant(_named(named, is_fast), lambda: launch(given, result, backend=backend), found)


def by_numba(loops: Loops, cores: int, is_fast: bool, x: np.ndarray, like: np.ndarray) -> Variant:
    import numba

    global prange
    prange = numba.prange
    function, result = numba.njit(fastmath=is_fast, parallel=cores > 1)(loops), placed(np.zeros_like(like), "C")
    mine = placed(x, "C")
    return Variant(_named("numba", is_fast), lambda: function(mine, result), lambda: result)


def _named(variant: str, is_fast: bool) -> str:
    return f"{variant}, fastmath" if is_fast else variant


def cells(cores: int, budget: float) -> Iterator[Cell]:
    for (m, n), place in SHAPES.items():
        x = np.random.default_rng(1).standard_normal((m, n), dtype=np.float32)
        for loops in OF_NUMBA:
            name = loops.__name__
            expected = expected_of(name, x)
            makers: list[Any] = [
                partial(by_pytl, name, backend, is_fast, x, expected)
                for backend in ("sycl", "mlir")
                for is_fast in (False, True)
            ]
            makers += [partial(by_numba, loops, cores, is_fast, x, expected) for is_fast in (False, True)]
            variants, absent = taking_part(makers, expected, n)
            work = float(x.nbytes + expected.nbytes)
            if place == "memory":
                try:
                    peer = "triad" if expected.shape == x.shape else "reading"
                    variants.append(Variant(peer, getattr(Machine(), peer)(int(work)), lambda: None))
                except Missing as missing:
                    absent.append(str(missing))
            seconds = interleaved(variants, budget, place)
            row = f"{name}, {m}×{n}"
            table = f"functions of rows, {on_cores(cores)}"
            yield Cell(table, row, "f32", cores, work, seconds, None, absent, unit="GB/s", place=place)


if __name__ == "__main__":
    main(__file__, __doc__, {"rows": cells})
