"""NumPy and torch on factors of 8 and 16 bits: C_i += A_i B or A_i B_i with C in f32 or i32.

Neither has such a product. They may convert the factors to f32, in which products of such numbers, and the sums that
are measured here, are as exact as they are to be; or, in torch, multiply in the type that there is.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from measure import Variant
from memory import placed

from peers.libraries import batch_first, batch_last, import_peer


def _first(array: np.ndarray) -> np.ndarray:
    """With the batch first, if there is one."""
    return batch_first(array) if array.ndim == 3 else placed(array, "C")


def by_numpy(a: np.ndarray, b: np.ndarray, c: np.ndarray, total: int) -> Variant:
    left, right, into = _first(a), _first(b), _first(c)
    product = placed(np.empty(into.shape, np.float32), "C")

    def run() -> None:
        for _ in range(total // c.shape[2]):
            np.matmul(left.astype(np.float32), right.astype(np.float32), out=product)
            np.add(into, product, out=into, casting="unsafe")

    return Variant("NumPy", run, lambda: batch_last(into))


def _torch(
    a: np.ndarray, b: np.ndarray, c: np.ndarray, total: int, name: str, call: Callable[..., Any], epsilon: float | None
) -> Variant:
    torch = import_peer("torch", "python install.py bench-torch")

    def tensor(array: np.ndarray) -> Any:
        """A copy, as torch has it; it takes no array of ml_dtypes."""
        first = _first(array)
        if array.dtype.name == "bfloat16":
            return torch.from_numpy(first.view(np.int16)).view(torch.bfloat16)
        return torch.from_numpy(first)

    left, right, into = tensor(a), tensor(b), tensor(c)
    if right.ndim == 2:
        right = right.expand(c.shape[2], *b.shape)

    def run() -> None:
        for _ in range(total // c.shape[2]):
            call(torch, into, left, right)

    return Variant(name, run, lambda: batch_last(into.numpy()), epsilon)


def by_torch(a: np.ndarray, b: np.ndarray, c: np.ndarray, total: int) -> Variant:
    """A product in the factors' own type, added to C; of integers in i32, for one of i8 would be one modulo 256."""
    if a.dtype == np.int8:
        return _torch(a, b, c, total, "torch", lambda torch, c, a, b: c.add_(torch.bmm(a.int(), b.int())), None)
    import ml_dtypes

    epsilon = float(ml_dtypes.finfo(a.dtype).eps)
    return _torch(a, b, c, total, "torch", lambda torch, c, a, b: c.add_(torch.bmm(a, b)), epsilon)


def by_torch_converting(a: np.ndarray, b: np.ndarray, c: np.ndarray, total: int) -> Variant:
    """A product in f32."""
    name = "torch, converting"
    if a.dtype == np.int8:
        return _torch(a, b, c, total, name, lambda torch, c, a, b: c.add_(torch.bmm(a.float(), b.float()).int()), None)
    return _torch(a, b, c, total, name, lambda torch, c, a, b: c.baddbmm_(a.float(), b.float()), None)


BY_LIBRARIES = (by_numpy, by_torch, by_torch_converting)
