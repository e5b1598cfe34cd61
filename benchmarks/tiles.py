"""Products on tiles beside `gemm`, and beside NumPy's BLAS on as many threads.

    python benchmarks/tiles.py [--budget SECONDS] [--write]

"Batched" are C_i += A_i B_i of 64×64×64, from memory. "Large" is C += A B with 64×256 of C per work-group: on tiles,
and by a `gemm` for each work-group. "Steps" is the same product in the kernels of docs/guide/tiles.md, from a loop over
numbers to tiles that are loaded ahead; "as written" is without the pass raise-products. With `--write`, its tables go
to that page, too.
"""

from __future__ import annotations

import importlib.util
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from measure import ELEMENTS, Cell, Variant, interleaved, on_cores, taking_part
from memory import on_device, on_host, placed
from page import kept, with_part
from report import table, tables
from workload import MEMORY, main, peak_of

GUIDE = Path(__file__).resolve().parents[1] / "docs" / "guide" / "tiles.md"
SMALL, LARGE = 64, 1024
SIZES = (256, 512, 1024, 2048)
ROWS, COLUMNS = 64, 256
"""The part of C that a work-group computes by a `gemm`."""
TYPES = ("float32", "float64")
AS_WRITTEN = {"matrix": "as-written"}
NOTES = ["NumPy multiplies without adding to C.", "As written: without the pass raise-products."]
Launch = Callable[..., None]


def kernels_of_guide(text: str | None = None) -> ModuleType:
    """The kernels that the page shows, and their sizes, as a module."""
    text = GUIDE.read_text(encoding="utf-8") if text is None else text
    _, _, section = text.partition("\n## From a triple loop")
    blocks = re.findall(r"```python\n(.*?)```", section.partition("\n## ")[0], re.DOTALL)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "guide_steps.py"
        path.write_text("\n\n".join(block for block in blocks if "print(" not in block), encoding="utf-8")
        spec = importlib.util.spec_from_file_location("guide_steps", path)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules["guide_steps"] = module
        spec.loader.exec_module(module)
        for name in module.STEPS:
            str(getattr(module, name))  # reads its source
    return module


def batched(dtype: str) -> tuple[Any, Any]:
    """A kernel on tiles of 16×16, and one with a gemm."""
    import pytl
    from pytl import Memref, gemm, group_id, parallel, tile

    element, n = getattr(pytl, ELEMENTS[dtype]), SMALL

    @pytl.kernel
    def on_tiles(A: Memref[element, n, n, ...], B: Memref[element, n, n, ...], C: Memref[element, n, n, ...]):
        g = group_id()
        with parallel():
            for i in range(0, n, 16):
                for j in range(0, n, 16):
                    a, b = tile.init(A[:, :, g], (i, 0), shape=(16, 16)), tile.init(B[:, :, g], (0, j), shape=(16, 16))
                    c = tile.init(C[:, :, g], (i, j), shape=(16, 16))
                    total = tile.load(c)
                    for _ in range(0, n, 16):
                        total = tile.mma(tile.load(a), tile.load(b), total)
                        a, b = tile.update_offset(a, 0, 16), tile.update_offset(b, 16, 0)
                    tile.store(total, c)

    @pytl.kernel
    def by_gemm(A: Memref[element, n, n, ...], B: Memref[element, n, n, ...], C: Memref[element, n, n, ...]):
        g = group_id()
        gemm(1.0, A[:, :, g], B[:, :, g], 1.0, C[:, :, g])

    return on_tiles, by_gemm


def parts_by_gemm(dtype: str, n: int, rows: int, columns: int) -> Any:
    """A kernel with a gemm for rows×columns of C, which has n rows and columns."""
    import pytl
    from pytl import Memref, gemm, group_id

    element = getattr(pytl, ELEMENTS[dtype])

    @pytl.kernel
    def by_gemm(A: Memref[element, n, n], B: Memref[element, n, n], C: Memref[element, n, n]):
        g = group_id()
        i, j = g % (n // rows) * rows, g // (n // rows) * columns
        gemm(1.0, A[i : i + rows, :], B[:, j : j + columns], 1.0, C[i : i + rows, j : j + columns])

    return by_gemm


def of_kernel(name: str, launch: Launch, a: np.ndarray, b: np.ndarray, c: np.ndarray) -> Variant:
    import pytl

    left, right, into = (on_device(array) for array in (a, b, c))

    def run() -> None:
        try:
            launch(left, right, into)
        except pytl.LaunchError as refused:  # where the device has too little local memory
            raise NotImplementedError(f"{name}: {refused.diagnostics[0].message}") from None

    return Variant(name, run, lambda: on_host(into))


def by_numpy(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> Variant:
    left, right, product = placed(a, "C"), placed(b, "C"), placed(np.zeros_like(c), "C")
    return Variant("NumPy", lambda: np.matmul(left, right, out=product), lambda: c + product)


def numbers(shape: tuple[int, ...], dtype: str, seed: int) -> np.ndarray:
    return placed(np.random.default_rng(seed).random(shape, dtype=dtype) - 0.5)


def measured_batched(dtype: str, cores: int, budget: float) -> Cell:
    items = MEMORY // (3 * SMALL * SMALL * np.dtype(dtype).itemsize)
    a, b, c = (numbers((SMALL, SMALL, items), dtype, seed) for seed in (1, 2, 3))
    expected = c + np.matmul(a.transpose(2, 0, 1), b.transpose(2, 0, 1)).transpose(1, 2, 0)
    on_tiles, by_gemm = batched(dtype)
    makers = [
        partial(of_kernel, "pytl", on_tiles[items], a, b, c),
        partial(of_kernel, "gemm", by_gemm[items], a, b, c),
        partial(of_kernel, "as written", on_tiles[items, AS_WRITTEN], a, b, c),
    ]
    variants, absent = taking_part(makers, expected, SMALL)
    row, work = f"{SMALL}×{SMALL}×{SMALL}", 2.0 * SMALL**3 * items
    seconds = interleaved(variants, budget)
    table_ = f"batched tiles, {on_cores(cores)}"
    return Cell(table_, row, ELEMENTS[dtype], cores, work, seconds, peak_of(dtype), absent, notes=NOTES[1:])


def measured_large(dtype: str, cores: int, budget: float) -> Cell:
    import pytl

    steps = kernels_of_guide()
    rows, columns = steps.ROWS, steps.COLUMNS
    groups = (LARGE // rows) * (LARGE // columns)
    a, b, c = (numbers((LARGE, LARGE), dtype, seed) for seed in (1, 2, 3))
    sliced = pytl.compile(str(steps.slices).replace("f32", ELEMENTS[dtype]))["slices"]
    makers = [
        partial(of_kernel, "pytl", sliced[groups], a, b, c),
        partial(of_kernel, "gemm", parts_by_gemm(dtype, LARGE, rows, columns)[groups], a, b, c),
        partial(of_kernel, "as written", sliced[groups, AS_WRITTEN], a, b, c),
        partial(by_numpy, a, b, c),
    ]
    variants, absent = taking_part(makers, c + a @ b, LARGE)
    row, work = f"{LARGE}×{LARGE}×{LARGE}", 2.0 * LARGE**3
    seconds = interleaved(variants, budget)
    name = f"a large product on tiles, {on_cores(cores)}"
    return Cell(name, row, ELEMENTS[dtype], cores, work, seconds, peak_of(dtype), absent, notes=NOTES)


def measured_grid(dtype: str, n: int, cores: int, budget: float) -> Cell:
    """A large product of which each work-group computes a part by a `gemm`."""
    a, b, c = (numbers((n, n), dtype, seed) for seed in (1, 2, 3))
    kernel = parts_by_gemm(dtype, n, ROWS, COLUMNS)
    groups = (n // ROWS) * (n // COLUMNS)
    makers = [partial(of_kernel, "pytl", kernel[groups], a, b, c), partial(by_numpy, a, b, c)]
    variants, absent = taking_part(makers, c + a @ b, n)
    seconds = interleaved(variants, budget, "L2")  # the caches have what they can of it
    table_, row = f"large products by a grid of gemms, {on_cores(cores)}", f"{n}×{n}×{n}"
    return Cell(table_, row, ELEMENTS[dtype], cores, 2.0 * n**3, seconds, peak_of(dtype), absent, notes=NOTES[:1])


def measured_step(name: str, cores: int, budget: float) -> Cell:
    steps = kernels_of_guide()
    groups = (LARGE // steps.ROWS) * (LARGE // steps.COLUMNS)
    a, b, c = (numbers((LARGE, LARGE), "float32", seed) for seed in (1, 2, 3))
    kernel = getattr(steps, name)
    makers = [
        partial(of_kernel, "pytl", kernel[groups], a, b, c),
        partial(of_kernel, "as written", kernel[groups, AS_WRITTEN], a, b, c),
        partial(by_numpy, a, b, c),
    ]
    variants, absent = taking_part(makers, c + a @ b, LARGE)
    seconds = interleaved(variants, budget)
    return Cell(f"steps, {on_cores(cores)}", name, "f32", cores, 2.0 * LARGE**3, seconds, None, absent, notes=NOTES)


def cells(cores: int, budget: float) -> Iterator[Cell]:
    for dtype in TYPES:
        yield measured_batched(dtype, cores, budget)
    for dtype in TYPES:
        yield measured_large(dtype, cores, budget)
    for dtype in TYPES:
        for n in SIZES:
            yield measured_grid(dtype, n, cores, budget)
    for name in kernels_of_guide().STEPS:
        yield measured_step(name, cores, budget)


def write_guide() -> None:
    """Put the steps' tables into the guide."""
    run, *_ = kept()["tiles"].values()
    found = {title: some for title, some in tables(run.cells).items() if title.startswith("steps")}
    parts = [f"On {title.partition(', ')[2]}:\n\n{table({run.processor: some})}" for title, some in found.items()]
    text = with_part(GUIDE.read_text(encoding="utf-8"), "steps", "\n".join([run.made, *parts]))
    GUIDE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(__file__, __doc__, {"tiles": cells})
    if "--write" in sys.argv:
        write_guide()
