"""A batch that no process holds as a whole: Dask spreads its blocks over workers, which launch a kernel on each.

A Dask array is cut into blocks, here along the batch. Making the blocks, working on them and comparing the results
all happens in the workers, which are processes; this one only says what to do. A kernel is sent to them with the
function that launches it.

Run it with `python examples/dask_batches.py`; `--help` lists the options.
"""

from __future__ import annotations

import argparse
import collections
import logging
import sys
import time
from collections.abc import Sequence

import numpy as np

import pytl
from pytl import Memref, alloca, f32, gemm, group_id

try:
    import dask.array as da
    from dask.distributed import Client, LocalCluster, futures_of, wait
except ImportError:
    sys.exit("This example works with Dask, which `python3 install.py examples` installs.")

ALPHA = 1.5


@pytl.kernel
def fused(
    alpha: f32,
    A: Memref[f32, 16, 8, ...],
    B: Memref[f32, 8, 8],
    C: Memref[f32, 8, 16],
    D: Memref[f32, 16, 16, ...],
):
    """D := alpha A Bᵀ C, one batch item per work-group."""
    g = group_id()
    tmp = alloca(f32, 16, 8)
    gemm(1.0, A[:, :, g], B.T, 0.0, tmp)
    gemm(alpha, tmp, C, 0.0, D[:, :, g])


def pytl_block(A: np.ndarray, B: np.ndarray, C: np.ndarray) -> np.ndarray:
    """D for one block of the batch, in whatever process this is called."""
    items = A.shape[2]
    D = np.empty((16, 16, items), np.float32, order="F")
    fused[items](ALPHA, np.asfortranarray(A), B, C, D)  # no copy where A is column-major, as it is below
    return D


def numpy_block(A: np.ndarray, B: np.ndarray, C: np.ndarray) -> np.ndarray:
    """The same in NumPy."""
    return np.float32(ALPHA) * np.einsum("ikg,lk,lj->ijg", A, B, C, optimize=True)


def positive(text: str) -> int:
    """Reads a number of a command line."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{number} is not 1 or more")
    return number


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__.partition("\n")[0], formatter_class=argparse.ArgumentDefaultsHelpFormatter
    )
    parser.add_argument("--items", type=positive, default=400_000, help="of the batch")
    parser.add_argument("--blocks", type=positive, default=8, help="that the batch is cut into")
    parser.add_argument("--workers", type=positive, default=2, help="processes that work on them")
    options = parser.parse_args(arguments)
    items, per_block = options.items, -(-options.items // options.blocks)

    # Whole numbers: nothing is rounded, so that the results are equal however they are summed up.
    random = np.random.default_rng(1)
    B, C = (np.asfortranarray(random.integers(-4, 5, shape), np.float32) for shape in ((8, 8), (8, 16)))
    # Dask's arrays are row-major, and a row-major array transposed is column-major.
    A = da.random.default_rng(2).integers(-4, 5, (items, 8, 16), chunks=(per_block, 8, 16)).astype(np.float32).T

    # Workers of this machine, without a dashboard. `Client("tcp://…")` goes to the scheduler of a cluster instead.
    with (
        LocalCluster(
            n_workers=options.workers,
            threads_per_worker=1,  # a kernel uses all cores of its device by itself
            processes=True,
            dashboard_address=None,
            silence_logs=logging.ERROR,  # that a worker of a busy machine takes long to end is no news
        ) as cluster,
        Client(cluster) as client,
    ):
        print(f"{items} items in {A.numblocks[2]} blocks, {options.workers} workers, {pytl.default_backend()} backend")
        shapes = {"chunks": (16, 16, A.chunks[2]), "meta": np.empty((0, 0, 0), np.float32)}
        began = time.perf_counter()
        D = A.map_blocks(pytl_block, B=B, C=C, **shapes).persist()  # begins now, and leaves the results where they are
        wait(D)
        print(f"  computed in {time.perf_counter() - began:.2f} s, with the time to compile in each worker")
        holders = client.who_has(futures_of(D))
        blocks = collections.Counter(worker for workers in holders.values() for worker in workers)
        for worker, count in sorted(blocks.items()):
            print(f"  blocks in {worker}: {count}")

        expected = A.map_blocks(numpy_block, B=B, C=C, **shapes)
        different = int((D != expected).sum().compute())
        print(f"  {different} of {D.size} numbers differ from NumPy's")
        if different:
            raise SystemExit("wrong: they are equal")


if __name__ == "__main__":
    main()
