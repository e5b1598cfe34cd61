"""Cooperative matrices: C_i += A_i B_i of 32×32×256 with narrow factors, beside `gemm`, torch and NumPy.

    python benchmarks/coopmatrix.py [--budget SECONDS] [--write]

A and B are bf16 and C is f32, or A and B are i8 and C is i32; 100 MB of data, each item once. The rows say whether the
processor has AMX, for which such products are made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
from measure import ELEMENTS, Cell, Variant, interleaved, on_cores, taking_part
from memory import on_device, on_host
from mixed import named, random_numbers
from peers import narrow
from workload import MEMORY, main

M, N, K = 32, 32, 256
LANES = 16
TYPES: tuple[tuple[Any, Any], ...] = ((ml_dtypes.bfloat16, np.float32), (np.int8, np.int32))
NEEDED = {"bf16": {"amx_tile", "amx_bf16"}, "i8": {"amx_tile", "amx_int8"}}
"""Flags of processors that multiply tiles of these factors."""

FOOT = "The libraries multiply as in the tables of other types."


def processor_flags() -> set[str]:
    """As Linux lists them; none elsewhere."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    return next((set(line.partition(":")[2].split()) for line in lines if line.startswith("flags")), set())


def by_pytl(a: np.ndarray, b: np.ndarray, c: np.ndarray, total: int) -> Variant:
    import pytl
    from pytl import Memref, coop, group_id, parallel

    factor, element = (getattr(pytl, ELEMENTS[array.dtype.name]) for array in (a, c))
    step = 64 // a.dtype.itemsize  # what a row of a tile of AMX has

    @pytl.kernel(subgroup_size=LANES, work_group_size=(LANES, 1))
    def product(A: Memref[factor, M, K, ...], B: Memref[factor, K, N, ...], C: Memref[element, M, N, ...]):
        i = group_id()
        left, right, into = A[:, :, i], B[:, :, i], C[:, :, i]
        with parallel():
            sums = coop.load(into, 0, 0, shape=(M, N), use="matrix_acc")
            for k in range(0, K, step):
                rows = coop.load(left, 0, k, shape=(M, step), use="matrix_a")
                columns = coop.load(right, k, 0, shape=(step, N), use="matrix_b")
                sums = coop.mul_add(rows, columns, sums)
            coop.store(sums, into, 0, 0)

    return _launched("pytl", product, (a, b, c), total)


def by_gemm(a: np.ndarray, b: np.ndarray, c: np.ndarray, total: int) -> Variant:
    import pytl
    from pytl import Memref, gemm, group_id

    factor, element = (getattr(pytl, ELEMENTS[array.dtype.name]) for array in (a, c))
    one = 1 if a.dtype.kind == "i" else 1.0

    @pytl.kernel
    def product(A: Memref[factor, M, K, ...], B: Memref[factor, K, N, ...], C: Memref[element, M, N, ...]):
        i = group_id()
        gemm(one, A[:, :, i], B[:, :, i], one, C[:, :, i])

    return _launched("pytl, gemm", product, (a, b, c), total)


def _launched(name: str, product: Any, arrays: tuple[np.ndarray, ...], total: int) -> Variant:
    device = [on_device(array) for array in arrays]
    launch = product[total]
    return Variant(name, lambda: launch(*device), lambda: on_host(device[2]))


def makers_of(types: tuple[Any, Any], items: int) -> tuple[list[Callable[[], Variant]], np.ndarray]:
    """All who take part, and what they have to find."""
    factors, result = types
    a, b = random_numbers((M, K, items), factors, 1), random_numbers((K, N, items), factors, 2)
    c = random_numbers((M, N, items), result, 3)
    left, right = (array.astype(np.float32).transpose(2, 0, 1) for array in (a, b))
    expected = (c + np.matmul(left, right).transpose(1, 2, 0)).astype(result)
    return [partial(maker, a, b, c, items) for maker in (by_pytl, by_gemm, *narrow.BY_LIBRARIES)], expected


def measured(types: tuple[Any, Any], cores: int, budget: float) -> Cell:
    factors, result = (np.dtype(dtype) for dtype in types)
    items = MEMORY // ((M * K + K * N) * factors.itemsize + M * N * result.itemsize)
    makers, expected = makers_of(types, items)
    variants, absent = taking_part(makers, expected, K)
    name = ELEMENTS[factors.name]
    missing = NEEDED[name] - processor_flags()
    if missing:
        note = f"{name}: the processor has no {', '.join(sorted(missing))}; what ran does without."
    else:
        note = f"{name}: the processor has {', '.join(sorted(NEEDED[name]))}."
    table, row = f"cooperative matrices, {on_cores(cores)}", f"{name}, {'no AMX' if missing else 'AMX'}"
    work, seconds, notes = 2.0 * M * N * K * items, interleaved(variants, budget), [FOOT, note]
    return Cell(table, row, named(*types), cores, work, seconds, None, absent, notes=notes)


def cells(cores: int, budget: float) -> Iterator[Cell]:
    for types in TYPES:
        yield measured(types, cores, budget)


if __name__ == "__main__":
    main(__file__, __doc__, {"coopmatrix": cells})
