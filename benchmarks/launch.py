"""What a launch costs beside the same launch through dpctl and numba-dpex.

    python benchmarks/launch.py

Prints microseconds from the call to the end of a kernel that does nothing, for several kinds of arguments: of pytl; of
`dpctl.SyclQueue.submit(…).wait()` with pytl's own kernel and the same arguments, made beforehand in the form that
dpctl takes (memory objects; for NumPy arrays, which it does not take, those of device arrays); and of
`numba_dpex.call_kernel`, which takes device arrays only. All are medians over repetitions that take turns. The bar: no
more than twice what dpctl takes, with `k[n]` made once or at each launch.
"""

from __future__ import annotations

import ctypes
import importlib.util
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

if importlib.util.find_spec("numba_dpex") is None:
    sys.exit("numba-dpex is not installed here, so there is nothing to compare with")

import pytl  # isort: skip  (it makes the others loadable)

import dpctl
import dpctl.tensor as dpt
import dpnp
import numba_dpex
import numpy as np
from numba_dpex import kernel_api

from pytl import Group, Memref, f32
from pytl.backends.numba_dpex.launch import FORMS
from pytl.backends.registry import find_backend

REPETITIONS, LAUNCHES = 400, 10


@pytl.kernel
def nothing():
    pass


@pytl.kernel
def number(alpha: f32):
    pass


@pytl.kernel
def two(a: Memref[f32, ...], b: Memref[f32, ...]):
    pass


@pytl.kernel
def five(a: Memref[f32, ...], b: Memref[f32, ...], c: Memref[f32, ...], d: Memref[f32, ...], e: Memref[f32, 8, ...]):
    pass


@pytl.kernel
def group(a: Group[f32, 8, 8]):
    pass


@numba_dpex.kernel
def dpex_two(item: kernel_api.NdItem, a, b):
    pass


@numba_dpex.kernel
def dpex_five(item: kernel_api.NdItem, a, b, c, d, e):
    pass


def submitted_by_dpctl(kernel: pytl.Kernel, arguments: list[Any], memory: list[Any]) -> Callable[[], Any]:
    """A launch of pytl's kernel by dpctl: with its numbers, and with memory objects in the place of addresses."""
    backend: Any = find_backend("sycl")
    kernel[1](*arguments)
    options = backend.complete_options({}, None)
    lowered = kernel.current().launches.lowered(backend, options)
    queue = backend.queue_of([], {})
    built = backend._kernel(lowered, queue)
    loaded, source = built.kernel, built.interface
    types = {"q": ctypes.c_int64, "f": ctypes.c_float}
    left = list(memory)
    passed = [
        left.pop(0) if p.kind == "array" else types[FORMS[p.element][0]](8 if p.element == "i64" else 1.0)
        for p in source.parameters
    ]
    return lambda: queue.submit(loaded.sycl_kernel, passed, [source.items], [source.items]).wait()


def medians(variants: dict[str, Callable[[], Any]]) -> dict[str, float]:
    """Microseconds a call of each."""
    times: dict[str, list[float]] = {name: [] for name in variants}
    for call in variants.values():
        for _ in range(20):
            call()
    for _ in range(REPETITIONS):
        for name, call in variants.items():
            began = time.perf_counter()
            for _ in range(LAUNCHES):
                call()
            times[name].append((time.perf_counter() - began) / LAUNCHES * 1e6)
    return {name: statistics.median(taken) for name, taken in times.items()}


def cases() -> dict[str, dict[str, Callable[[], Any]]]:
    arrays = [dpt.zeros(8, dtype="f4") for _ in range(4)] + [dpt.zeros((8, 8), dtype="f4", order="F")]
    on_host = [np.zeros(8, np.float32) for _ in range(2)]
    of_dpnp = [dpnp.zeros(8, dtype="f4") for _ in range(2)]
    items = dpt.zeros((8, 8, 64), dtype="f4", order="F")
    addresses = dpt.zeros(64, dtype="i8")
    once = kernel_api.NdRange((1,), (1,))

    def of(
        kernel: pytl.Kernel, arguments: list[Any], memory: list[Any], dpex: Any, dpex_arguments: list[Any]
    ) -> dict[str, Callable[[], Any]]:
        launcher = kernel[1]
        found = {
            "dpctl": submitted_by_dpctl(kernel, arguments, memory),
            "k[n] each": lambda: kernel[1](*arguments),
            "k[n] once": lambda: launcher(*arguments),
            "bound": launcher.bind(*arguments),
        }
        if not any(isinstance(argument, np.ndarray) for argument in arguments):
            found["submit"] = lambda: launcher.submit(*arguments).wait()
        if dpex is not None:
            found["call_kernel"] = lambda: numba_dpex.call_kernel(dpex, once, *dpex_arguments)
        return found

    pair, all_five = arrays[:2], arrays
    memory = [array.usm_data for array in arrays]
    return {
        "no arguments": of(nothing, [], [], None, []),
        "a number": of(number, [1.0], [], None, []),
        "two usm_ndarrays": of(two, pair, memory[:2], dpex_two, pair),
        "five usm_ndarrays": of(five, all_five, memory, dpex_five, all_five),
        "two dpnp arrays": of(two, of_dpnp, memory[:2], dpex_two, of_dpnp),
        "two NumPy arrays": of(two, on_host, memory[:2], None, []),
        "a strided group": of(group, [items], [addresses.usm_data], None, []),
        "10,000 arrays": of(
            group, [pytl.group([items[:, :, 0] for _ in range(10_000)])], [addresses.usm_data], None, []
        ),
    }


def main() -> None:
    print(f"device: {dpctl.select_default_device().name.strip()}; µs a launch, and as a multiple of dpctl's")
    columns = ["dpctl", "bound", "k[n] once", "k[n] each", "submit", "call_kernel"]
    print(f"{'':18}" + "".join(f"{column:>18}" for column in columns))
    for name, variants in cases().items():
        found = medians(variants)
        cells = [f"{found[c]:.1f} ({found[c] / found['dpctl']:.2f})" if c in found else "" for c in columns]
        print(f"{name:18}" + "".join(f"{cell:>18}" for cell in cells))


if __name__ == "__main__":
    main()
