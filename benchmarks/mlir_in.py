"""Products of matrices that come as MLIR, beside the kernel by hand: loops, linalg.batch_matmul and linalg.generic.

    python benchmarks/mlir_in.py [--budget SECONDS] [--write]

C_i += A_i B_i, for matrices in row-major order, the batch first. The kernel by hand takes the same memory as
column-major matrices, and multiplies them the other way round. Where the data are and what the options mean is as in
benchmarks/gemm.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
from measure import ELEMENTS, Cell, Variant, interleaved, on_cores, taking_part
from memory import on_device, on_host, placed
from workload import WHERE, batch, main, peak_of, places

from pytl.launch.arrays.arrays import permuted_array

SIZES = (8, 16, 32, 56)
BY_HAND = "pytl, by hand"


def texts(n: int, items: int, element: str) -> dict[str, str]:
    """A function for each way to say it."""
    type_ = f"memref<{items}x{n}x{n}x{element}>"
    head = f"func.func @product(%A: {type_}, %B: {type_}, %C: {type_}) {{"
    operands = f"ins(%A, %B : {type_}, {type_}) outs(%C : {type_})"
    term = f"%m = arith.mulf %x, %y : {element}\n%t = arith.addf %s, %m : {element}"
    nest = f"""{head}
  affine.parallel (%g) = (0) to ({items}) {{
    affine.for %i = 0 to {n} {{
      affine.for %j = 0 to {n} {{
        affine.for %k = 0 to {n} {{
          %x = affine.load %A[%g, %i, %k] : {type_}
          %y = affine.load %B[%g, %k, %j] : {type_}
          %s = affine.load %C[%g, %i, %j] : {type_}
          {term}
          affine.store %t, %C[%g, %i, %j] : {type_}
        }}
      }}
    }}
  }}
  return
}}"""
    maps = ", ".join(f"affine_map<(g, i, j, k) -> (g, {at})>" for at in ("i, k", "k, j", "i, j"))
    kinds = ", ".join(['"parallel"'] * 3 + ['"reduction"'])
    generic = f"""{head}
  linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}]}} {operands} {{
  ^bb0(%x: {element}, %y: {element}, %s: {element}):
    {term}
    linalg.yield %t : {element}
  }}
  return
}}"""
    named = f"{head}\n  linalg.batch_matmul {operands}\n  return\n}}"
    return {"affine nest": nest, "linalg.batch_matmul": named, "linalg.generic": generic}


def by_mlir(name: str, text: str, arrays: list[np.ndarray]) -> Variant:
    import pytl

    launch = pytl.from_mlir(text)["product"][...]
    device = [on_device(array.T) for array in arrays]
    turned = [permuted_array(array, (2, 1, 0)) for array in device]
    return Variant(name, lambda: launch(*turned), lambda: on_host(device[2]).T)


def by_hand(arrays: list[np.ndarray]) -> Variant:
    import pytl
    from pytl import Memref, gemm, group_id

    items, n, _ = arrays[0].shape
    element = getattr(pytl, ELEMENTS[arrays[0].dtype.name])

    @pytl.kernel
    def product(A: Memref[element, n, n, ...], B: Memref[element, n, n, ...], C: Memref[element, n, n, ...]):
        i = group_id()
        gemm(1.0, B[:, :, i], A[:, :, i], 1.0, C[:, :, i])

    device = [on_device(array.T) for array in arrays]
    launch = product[items]
    return Variant(BY_HAND, lambda: launch(*device), lambda: on_host(device[2]).T)


def makers_of(n: int, dtype: str, items: int) -> tuple[list[Any], np.ndarray]:
    """All who take part, and what they have to find."""
    generator = np.random.default_rng(1)
    arrays = [placed((generator.random((items, n, n), dtype) - 0.5).T).T for _ in range(3)]
    expected = arrays[2] + np.matmul(arrays[0], arrays[1])
    said = texts(n, items, ELEMENTS[dtype])
    return [*(partial(by_mlir, name, text, arrays) for name, text in said.items()), partial(by_hand, arrays)], expected


def measured(n: int, dtype: str, place: str, cores: int, budget: float, peak: float | None) -> Iterator[Cell]:
    """A cell for each way to say the product, beside the kernel by hand, which they took turns with."""
    items, _ = batch(3 * n * n * np.dtype(dtype).itemsize, 2.0 * n**3, place)
    makers, expected = makers_of(n, dtype, items)
    variants, absent = taking_part(makers, expected, n)
    table = f"products from MLIR, {WHERE[place]}, {on_cores(cores)}"
    seconds = interleaved(variants, budget, place)
    for name in texts(n, items, ELEMENTS[dtype]):
        if name in seconds:
            both = {"pytl": seconds[name], BY_HAND: seconds[BY_HAND]}
            row = f"{name}, {n}"
            yield Cell(table, row, ELEMENTS[dtype], cores, 2.0 * n**3 * items, both, peak, absent, place=place)


def cells(cores: int, budget: float) -> Iterator[Cell]:
    for place in places(cores):
        for dtype in ("float32", "float64"):
            peak = peak_of(dtype)
            for n in SIZES:
                yield from measured(n, dtype, place, cores, budget, peak)


if __name__ == "__main__":
    main(__file__, __doc__, {"mlir_in": cells})
