"""Attention, softmax(Q Kᵀ / √d) V for a batch of sequences with several heads, on cooperative matrices.

Q, K and V have numbers of 16 bits, and products are summed in f32, as matrix units do. A work-group computes one head
of one sequence. Each of its sub-groups has 16 tokens, from their scores to their results: the sub-group multiplies
matrices as a whole, and its work-items reduce the rows of the softmax together.

Run it with `python examples/attention.py`; `--help` lists the options. It prints how far the result is from NumPy's
in double precision, the bound that the types give for that, and how long it takes.
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
from pytl import Memref, alloca, bf16, coop, exp, f16, f32, group_id, index, parallel, subgroup

LANES = 16
"""Work-items of a sub-group; also the rows and columns of the cooperative matrices."""
BLOCK = (LANES, LANES)
TYPES = {"f16": (f16, np.float16), "bf16": (bf16, ml_dtypes.bfloat16)}
"""What Q, K and V may have, for pytl and for NumPy."""
REPETITIONS = 7


@functools.cache
def attention_kernel(element: type[f16] | type[bf16], tokens: int, features: int) -> pytl.Kernel:
    """The kernel for heads of some size, whose modes are multiples of LANES."""

    @pytl.kernel(subgroup_size=LANES, work_group_size=(tokens, 1))
    def attention(
        scale: f32,
        Q: Memref[element, tokens, features, ..., ...],  # the last modes: heads, and sequences
        K: Memref[element, tokens, features, ..., ...],
        V: Memref[element, tokens, features, ..., ...],
        R: Memref[f32, tokens, features, ..., ...],
    ):
        """R := softmax(scale Q Kᵀ) V, one head of one sequence per work-group."""
        heads = Q.shape[2]
        head, sequence = group_id() % heads, group_id() // heads
        queries, keys = Q[:, :, head, sequence], K[:, :, head, sequence]
        values, results = V[:, :, head, sequence], R[:, :, head, sequence]
        scores = alloca(f32, tokens, tokens)
        weights = alloca(element, tokens, tokens)

        # All work-items wait where a `parallel` ends, so what one part has stored the next one may load.
        with parallel():
            mine = LANES * index(subgroup.id())
            for j in range(0, tokens, LANES):
                c = coop.full(f32, 0.0, BLOCK, "matrix_acc")
                for k in range(0, features, LANES):
                    a = coop.load(queries, mine, k, BLOCK, "matrix_a")
                    b = coop.load(keys, j, k, BLOCK, "matrix_b", transpose=True)
                    c = coop.mul_add(a, b, c)
                coop.store(scale * c, scores, mine, j)

        with parallel():
            mine = LANES * index(subgroup.id())
            lane = index(subgroup.local_id())
            for i in range(mine, mine + LANES):
                # exp of a score may be too large; that of its distance to the largest one is at most 1.
                largest = scores[i, lane]
                for j in range(lane + LANES, tokens, LANES):
                    largest = max(largest, scores[i, j])
                largest = subgroup.max.reduce(largest)
                total = f32(0.0)
                for j in range(lane, tokens, LANES):
                    weight = exp(scores[i, j] - largest)
                    scores[i, j] = weight
                    total += weight
                total = subgroup.add.reduce(total)
                for j in range(lane, tokens, LANES):
                    weights[i, j] = element(scores[i, j] / total)

        with parallel():
            mine = LANES * index(subgroup.id())
            for k in range(0, features, LANES):
                c = coop.full(f32, 0.0, BLOCK, "matrix_acc")
                for j in range(0, tokens, LANES):
                    a = coop.load(weights, mine, j, BLOCK, "matrix_a")
                    b = coop.load(values, j, k, BLOCK, "matrix_b")
                    c = coop.mul_add(a, b, c)
                coop.store(c, results, mine, k)

    return attention


def numpy_attention(scale: float, Q: np.ndarray, K: np.ndarray, V: np.ndarray) -> np.ndarray:
    """The same in double precision."""
    Q, K, V = (array.astype(np.float64) for array in (Q, K, V))
    weights = scale * np.einsum("ikhs,jkhs->ijhs", Q, K)
    weights = np.exp(weights - weights.max(axis=1, keepdims=True))
    return np.einsum("ijhs,jkhs->ikhs", weights / weights.sum(axis=1, keepdims=True), V)


def error_bound(scale: float, Q: np.ndarray, K: np.ndarray, V: np.ndarray) -> float:
    """How far the kernel's result may be from the exact one, to first order in what rounding does.

    A sum of n numbers in f32 is off by at most n units, relative to the sum of the absolute values. What a score is
    off is the relative error of its exponential, and of their sum. The weights, which are at most 1 together, are
    rounded once more, to the type of V; small ones by what the least number of that type allows.
    """
    tokens, features = Q.shape[:2]
    single, narrow = ml_dtypes.finfo(np.float32), ml_dtypes.finfo(V.dtype)
    unit = float(single.eps) / 2
    largest_score = scale * np.einsum("ikhs,jkhs->ijhs", *(np.abs(array.astype(np.float64)) for array in (Q, K))).max()
    of_scores = (features + 4) * unit * largest_score  # the sum, the scale and its rounding, the difference: twice
    of_weights = 2 * of_scores + (tokens + 14) * unit  # exp, which OpenCL allows 3 ulp, twice; the sum; the quotient
    rounded = float(narrow.eps) / 2 + tokens * float(narrow.smallest_subnormal) / 2
    return (of_weights + rounded + tokens * unit) * float(np.abs(V.astype(np.float64)).max())


def random_heads(dtype: type, shape: tuple[int, ...]) -> list[np.ndarray]:
    """Q, K and V in the language's layout: column-major, a head's matrix first."""
    random = np.random.default_rng(1)
    return [np.asfortranarray(random.standard_normal(shape).astype(dtype)) for _ in "QKV"]


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
    parser.add_argument("--sequences", type=multiple_of(1), default=16, help="of the batch")
    parser.add_argument("--heads", type=multiple_of(1), default=8, help="of a sequence")
    parser.add_argument("--tokens", type=multiple_of(LANES), default=64, help=f"of a sequence, a multiple of {LANES}")
    parser.add_argument("--features", type=multiple_of(LANES), default=32, help=f"of a head, a multiple of {LANES}")
    parser.add_argument("--type", choices=TYPES, default="f16", help="of Q, K and V")
    options = parser.parse_args(arguments)

    element, dtype = TYPES[options.type]
    kernel = attention_kernel(element, options.tokens, options.features)
    Q, K, V = random_heads(dtype, (options.tokens, options.features, options.heads, options.sequences))
    R = np.zeros(Q.shape, np.float32, order="F")
    scale = 1 / math.sqrt(options.features)
    groups = options.heads * options.sequences

    print(f"{groups} heads of {options.tokens} tokens with {options.features} features in {options.type}, ", end="")
    print(f"on the backend {pytl.default_backend()}")
    times = []
    for _ in range(1 + REPETITIONS):
        began = time.perf_counter()
        kernel[groups](scale, Q, K, V, R)
        times.append(time.perf_counter() - began)
    seconds = statistics.median(times[1:])
    gflop = groups * 4 * options.tokens**2 * options.features / 1e9

    error = np.abs(R - numpy_attention(scale, Q, K, V)).max(initial=0.0)
    bound = error_bound(scale, Q, K, V)
    print(f"  largest error           {error:10.2e}")
    print(f"  bound for {options.type:<4}          {bound:10.2e}")
    print(f"  first launch, compiled  {times[0]:10.2f} s")
    print(f"  a launch                {seconds * 1e3:10.2f} ms, {gflop / seconds:.2f} GFLOP/s")
    if not error <= bound:
        raise SystemExit("wrong: the error is beyond the bound")


if __name__ == "__main__":
    main()
