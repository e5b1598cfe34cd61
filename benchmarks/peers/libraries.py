"""The peers in Python: each makes variants of a batched product C_i += A_i B, on a copy of the data in its own layout.

They are given arrays of pytl's layout, column-major with the batch last. Libraries that have the batch first get it
first, each item in row-major order. `total` is the number of items worked on; those who work on whole batches go
through theirs `total / items` times, a call each, which is what their users would write.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from typing import Any

import numpy as np
from measure import Variant
from memory import placed

from peers import Missing


def batch_first(array: np.ndarray) -> np.ndarray:
    """A copy with the batch first; a copy even where a side of one makes both layouts the same."""
    return placed(array.transpose(2, 0, 1), "C")


def batch_last(array: Any) -> np.ndarray:
    return np.asarray(array).transpose(1, 2, 0)


def import_peer(name: str, command: str = "python install.py bench") -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise Missing(name, str(error), command) from None


def by_numpy(a: np.ndarray, b: np.ndarray, c: np.ndarray, total: int) -> Variant:
    rounds = total // c.shape[2]
    a, c, b = batch_first(a), batch_first(c), placed(b, "C")
    product = placed(np.empty_like(c), "C")

    def run() -> None:
        for _ in range(rounds):
            np.add(c, np.matmul(a, b, out=product), out=c)

    return Variant("NumPy", run, lambda: batch_last(c))


def by_torch(a: np.ndarray, b: np.ndarray, c: np.ndarray, total: int) -> Variant:
    torch = import_peer("torch", "python install.py bench-torch")
    rounds = total // c.shape[2]
    left, into = (torch.from_numpy(batch_first(array)) for array in (a, c))
    right = torch.from_numpy(placed(b, "C")).expand(c.shape[2], *b.shape)

    def run() -> None:
        for _ in range(rounds):
            into.baddbmm_(left, right)

    return Variant("torch", run, lambda: batch_last(into.numpy()))


def by_dpnp(a: np.ndarray, b: np.ndarray, c: np.ndarray, total: int) -> Variant:
    dpnp = import_peer("dpnp")
    rounds = total // c.shape[2]
    left, into = (dpnp.asarray(batch_first(array)) for array in (a, c))
    right = dpnp.asarray(placed(b, "C"))
    product = dpnp.empty_like(into)

    def run() -> None:
        for _ in range(rounds):
            dpnp.matmul(left, right, out=product)
            dpnp.add(into, product, out=into)
        into.sycl_queue.wait()

    return Variant("dpnp", run, lambda: batch_last(dpnp.asnumpy(into)))


@functools.cache
def _numba_loops() -> Callable[..., None]:
    numba = import_peer("numba")

    @numba.njit(parallel=True, fastmath=True)
    def loops(a: Any, b: Any, c: Any, total: int) -> None:
        m, n, items = c.shape
        for position in numba.prange(total):
            item = position % items
            for j in range(n):
                for l in range(b.shape[0]):  # noqa: E741 (its name in the formula)
                    for i in range(m):
                        c[i, j, item] += a[i, l, item] * b[l, j]

    return loops


def by_numba(a: np.ndarray, b: np.ndarray, c: np.ndarray, total: int) -> Variant:
    loops = _numba_loops()
    a, into = placed(a), placed(c)
    return Variant("numba", lambda: loops(a, b, into, total), lambda: into)


BY_LIBRARIES = (by_numpy, by_torch, by_dpnp, by_numba)
