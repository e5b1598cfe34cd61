"""Flash attention, softmax(Q Kᵀ / √d) V without the matrix of all scores, on tiles, beside torch's on the processor.

A sub-group has some queries of a head. It goes along the keys and values in tiles, and keeps for each query the largest
score so far, the sum of the weights relative to it, and the weighted sum of the values. Where a tile has a larger
score, both sums are scaled down before the tile is added. The scores of a tile, an accumulator of a product, become the
left factor of the next one.

Run it with `python examples/flash_attention.py`; `--help` lists the options. It compares with NumPy in double
precision, and prints the time beside that of torch's scaled_dot_product_attention, if torch is installed.
"""

from __future__ import annotations

import argparse
import functools
import math
import statistics
import time
from collections.abc import Callable, Sequence

import ml_dtypes
import numpy as np

import pytl
from pytl import Memref, bf16, coop, exp, f16, f32, group_id, parallel, tile

ROWS, COLUMNS = 32, 128
"""Queries of a sub-group, and keys of a tile."""
LOWEST = -1e30
"""Less than every score; exp of its distance to one is zero."""
TYPES = {"f32": (f32, np.float32), "f16": (f16, np.float16), "bf16": (bf16, ml_dtypes.bfloat16)}
"""What Q, K and V may have, for pytl and for NumPy."""
REPETITIONS = 7


def inverse(x):
    return 1.0 / x


@functools.cache
def flash_attention_kernel(element: type, tokens: int, features: int) -> pytl.Kernel:
    """The kernel for heads of some size; `tokens` is a multiple of ROWS and of COLUMNS."""
    blocks = tokens // ROWS

    @pytl.kernel(subgroup_size=16, work_group_size=(16, 1))
    def flash_attention(
        scale: f32,
        Q: Memref[element, tokens, features, ...],  # the last mode: heads of all sequences
        K: Memref[element, tokens, features, ...],
        V: Memref[element, tokens, features, ...],
        R: Memref[f32, tokens, features, ...],
    ):
        """R := softmax(scale Q Kᵀ) V, ROWS queries of one head per work-group."""
        head, first = group_id() // blocks, ROWS * (group_id() % blocks)
        with parallel():
            q = tile.load(tile.init(Q[:, :, head], (first, 0), shape=(ROWS, features)))
            largest = coop.full(f32, LOWEST, (ROWS, 1), "matrix_acc")
            total = coop.full(f32, 0.0, (ROWS, 1), "matrix_acc")
            result = coop.full(f32, 0.0, (ROWS, features), "matrix_acc")
            for j in range(0, tokens, COLUMNS):
                keys = tile.init(K[:, :, head], (j, 0), shape=(COLUMNS, features))
                values = tile.init(V[:, :, head], (j, 0), shape=(COLUMNS, features))
                zero = coop.full(f32, 0.0, (ROWS, COLUMNS), "matrix_acc")
                scores = scale * tile.mma(q, tile.load(keys, transpose=True), zero)
                larger = max(largest, coop.reduce_max(scores, "row"))
                weights = exp(scores - coop.broadcast(larger, (ROWS, COLUMNS)))
                shrink = exp(largest - larger)
                total = shrink * total + coop.reduce_add(weights, "row")
                result = coop.broadcast(shrink, (ROWS, features)) * result
                result = tile.mma(pytl.cast(weights, element), tile.load(values), result)
                largest = larger
            result = coop.broadcast(coop.apply(inverse, total), (ROWS, features)) * result
            tile.store(result, tile.init(R[:, :, head], (first, 0), shape=(ROWS, features)))

    return flash_attention


def numpy_attention(scale: float, Q: np.ndarray, K: np.ndarray, V: np.ndarray) -> np.ndarray:
    """The same in double precision, with the matrix of all scores."""
    Q, K, V = (array.astype(np.float64).transpose(2, 0, 1) for array in (Q, K, V))
    scores = scale * Q @ K.transpose(0, 2, 1)
    weights = np.exp(scores - scores.max(axis=2, keepdims=True))
    return (weights @ V / weights.sum(axis=2, keepdims=True)).transpose(1, 2, 0)


def bound(element: str, V: np.ndarray) -> float:
    """How far the result may be off: a few units of the type that the weights are rounded to."""
    unit = float(ml_dtypes.finfo(TYPES[element][1]).eps)
    return 4 * unit * float(np.abs(V.astype(np.float64)).max())


def random_heads(dtype: type, shape: tuple[int, ...]) -> list[np.ndarray]:
    """Q, K and V in the language's layout: column-major, a head's matrix first."""
    random = np.random.default_rng(1)
    return [np.asfortranarray(random.standard_normal(shape).astype(dtype)) for _ in "QKV"]


def median_time(work: Callable[[], object]) -> float:
    """The median of some repetitions, in seconds, without the first."""
    times = []
    for _ in range(1 + REPETITIONS):
        began = time.perf_counter()
        work()
        times.append(time.perf_counter() - began)
    return statistics.median(times[1:])


def of_torch(element: str, Q: np.ndarray, K: np.ndarray, V: np.ndarray) -> Callable[[], object] | None:
    """A call of torch's function on the same heads in torch's own layout; None where there is no torch."""
    try:
        import torch
    except ImportError:
        return None
    type_ = {"f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16}[element]
    given = [
        torch.from_numpy(np.ascontiguousarray(array.astype(np.float32).transpose(2, 0, 1)))[None].to(type_)
        for array in (Q, K, V)
    ]
    return lambda: torch.nn.functional.scaled_dot_product_attention(*given)


def multiple_of(unit: int) -> Callable[[str], int]:
    """Reads a multiple of a number from a command line."""

    def size(text: str) -> int:
        value = int(text)
        if value < unit or value % unit:
            raise argparse.ArgumentTypeError(f"{value} is not a multiple of {unit}")
        return value

    return size


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__.partition("\n")[0], formatter_class=argparse.ArgumentDefaultsHelpFormatter
    )
    parser.add_argument("--heads", type=multiple_of(1), default=16, help="of all sequences")
    parser.add_argument("--tokens", type=multiple_of(COLUMNS), default=512, help=f"a multiple of {COLUMNS}")
    parser.add_argument("--features", type=multiple_of(1), default=64, help="of a head")
    parser.add_argument("--type", choices=TYPES, default="f32", help="of Q, K and V")
    options = parser.parse_args(arguments)

    element, dtype = TYPES[options.type]
    kernel = flash_attention_kernel(element, options.tokens, options.features)
    Q, K, V = random_heads(dtype, (options.tokens, options.features, options.heads))
    R = np.zeros(Q.shape, np.float32, order="F")
    scale = 1 / math.sqrt(options.features)
    groups = options.heads * options.tokens // ROWS

    print(
        f"{options.heads} heads of {options.tokens} tokens with {options.features} features in {options.type}, ", end=""
    )
    print(f"on the backend {pytl.default_backend()}")
    seconds = median_time(lambda: kernel[groups](scale, Q, K, V, R))
    gflop = options.heads * 4 * options.tokens**2 * options.features / 1e9
    exact = numpy_attention(scale, Q, K, V)
    error, allowed = np.abs(R - exact).max(), bound(options.type, V)
    print(f"  largest error  {error:10.2e}, of {allowed:.2e}")
    print(f"  pytl           {seconds * 1e3:10.2f} ms, {gflop / seconds:.2f} GFLOP/s")
    singles = [array.astype(np.float32) for array in (Q, K, V)]
    of_numpy = median_time(lambda: single_precision(scale, *singles))
    print(f"  NumPy          {of_numpy * 1e3:10.2f} ms in f32; pytl takes {seconds / of_numpy:.2f} of it")
    peer = of_torch(options.type, Q, K, V)
    if peer is None:
        print("  torch is not installed: NumPy alone is compared with")
    else:
        of_peer = median_time(peer)
        print(f"  torch          {of_peer * 1e3:10.2f} ms; pytl takes {seconds / of_peer:.2f} of it")
    if not error <= allowed:
        raise SystemExit("wrong: the error is beyond the bound")


def single_precision(scale: float, Q: np.ndarray, K: np.ndarray, V: np.ndarray) -> np.ndarray:
    """What one writes with NumPy, in f32."""
    Q, K, V = (array.transpose(2, 0, 1) for array in (Q, K, V))
    weights = np.float32(scale) * Q @ K.transpose(0, 2, 1)
    weights -= weights.max(axis=2, keepdims=True)
    np.exp(weights, out=weights)
    return weights @ V / weights.sum(axis=2, keepdims=True)


if __name__ == "__main__":
    main()
