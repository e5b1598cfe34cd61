"""libxsmm's kernels for sparse matrices: C that its generator writes for a pattern, as SeisSol has it.

The sparse factor has its values alone, column by column. The other factor and the result are column-major, as pytl has
them. The generator is part of Debian's `libxsmm-dev`; the machine's compiler compiles what it writes. What it has
written is kept for the next run: it takes minutes.

Where items are packed, so that their numbers lie side by side, libxsmm 2.0 makes machine code for a pattern.
"""

from __future__ import annotations

import ctypes
import hashlib
import resource
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from measure import ELEMENTS, Variant
from memory import placed

from peers import Missing
from peers.native import INSTALLED_BY, address, load, newest_libxsmm
from peers.steps import Batch, Part, Product, leading_dimension

GENERATOR = "libxsmm_gemm_generator"
NAME = "libxsmm, sparse"
MOST_SECONDS = 60
"""What all attempts of the generator may take together."""
MOST_BYTES = 4 << 30
"""Memory of an attempt. Debian's generator, version 1.17, takes some of its sizes from memory that nobody has written:
it ends at once, or fills all memory, or writes the kernel, as chance has it."""
PACKED = "libxsmm 2.0, packed"
WRITTEN = Path(tempfile.gettempdir()) / "pytl-benchmarks-libxsmm"
"""Where what the generator has written is kept."""
C_TYPES = {"f32": ("float", "SP"), "f64": ("double", "DP")}


def by_sparse_libxsmm(
    steps: Sequence[Product], batch: Batch, masks: Mapping[str, np.ndarray], total: int, result: Callable[[Batch], Any]
) -> Variant:
    """A call of a generated function for each product of each item; one factor of each product is sparse."""
    generator = shutil.which(GENERATOR)
    if generator is None:
        raise Missing(NAME, f"{GENERATOR} is not found", INSTALLED_BY)
    mine = batch.copy()
    element = ELEMENTS[mine.dtype.name]
    arrays = {**mine.own, **mine.shared}
    values = {name: _values(arrays[name], mask) for name, mask in masks.items()}
    names = list(arrays)
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "sparse.c"
        source.write_text("#define NDEBUG\n#include <immintrin.h>\n#include <stdint.h>\n\n")
        for number, step in enumerate(steps):
            _generate(generator, source, f"step{number}", step, mine, masks, element)
        with source.open("a") as file:
            file.write("\n".join(_driver(steps, mine, names, values, element)))
        library = load(str(source), NAME)
    addresses = [address(values.get(name, arrays[name])) for name in names]
    numbers = (ctypes.c_int64(mine.items), ctypes.c_int64(total))

    def run() -> None:
        library.run((ctypes.c_void_p * len(addresses))(*addresses), *numbers)

    return Variant(NAME, run, lambda: result(mine))


def _values(array: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """The entries of a pattern, column by column, of each item."""
    columns, rows = np.nonzero(mask.T)
    return placed(array[rows, columns])


def _leading(part: Part, batch: Batch) -> int:
    array = {**batch.own, **batch.shared}.get(part.name)
    return leading_dimension(part.rows, batch.dtype.itemsize) if array is None else int(array.shape[0])


def _generate(
    generator: str,
    source: Path,
    name: str,
    step: Product,
    batch: Batch,
    masks: Mapping[str, np.ndarray],
    element: str,
) -> None:
    """Let the generator append the function of a product to a source."""
    mask = masks[(step.a if step.a.name in masks else step.b).name]
    columns, rows = np.nonzero(mask.T)
    matrix = source.with_suffix(".mtx")
    entries = "".join(f"{row + 1} {column + 1} 1.0\n" for row, column in zip(rows, columns))
    head = "%%MatrixMarket matrix coordinate real general\n%\n"
    matrix.write_text(f"{head}{mask.shape[0]} {mask.shape[1]} {len(rows)}\n{entries}")
    leading = [0 if part.name in masks else _leading(part, batch) for part in step.parts]
    sizes = (step.c.rows, step.c.columns, step.inner, *leading)
    words = ["1", str(step.beta), "0", "0", "skx", "nopf", C_TYPES[element][1], str(matrix)]
    asked = repr((name, sizes, words[:-1], entries))
    kept = WRITTEN / f"{hashlib.sha256(asked.encode()).hexdigest()[:16]}.c"
    if not kept.exists():
        WRITTEN.mkdir(exist_ok=True)
        alone = source.with_name("alone.c")
        command = [generator, "sparse", str(alone), name, *map(str, sizes), *words]
        end = time.monotonic() + MOST_SECONDS
        while not _has_written(command, alone, name, end - time.monotonic()):
            if time.monotonic() > end:
                raise NotImplementedError(f"libxsmm's generator makes no kernel for {_words_of(step, mask)}")
        shutil.move(alone, kept)
    with source.open("a") as file:
        file.write(kept.read_text())


def _has_written(command: Sequence[str], file: Path, name: str, seconds: float) -> bool:
    """Whether an attempt of the generator has written a function into a file that was empty."""
    file.write_text("")
    limited = partial(resource.setrlimit, resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
    try:
        made = subprocess.run(command, capture_output=True, timeout=max(seconds, 1.0), preexec_fn=limited)
    except subprocess.TimeoutExpired:
        return False
    return made.returncode == 0 and f" {name}(" in file.read_text()


def _words_of(step: Product, mask: np.ndarray) -> str:
    """A product with its sparse factor, for a message."""
    return f"{step.c.rows}×{step.c.columns}×{step.inner} with {np.count_nonzero(mask)} entries"


def _driver(
    steps: Sequence[Product], batch: Batch, names: Sequence[str], values: Mapping[str, np.ndarray], element: str
) -> Iterator[str]:
    """The C function that executes the steps for each item."""
    c_type, _ = C_TYPES[element]
    arrays = {**batch.own, **batch.shared}
    yield f"\nvoid run({c_type} **arrays, int64_t items, int64_t total) {{"
    for name, (rows, columns) in batch.scratch(steps).items():
        size = leading_dimension(rows, batch.dtype.itemsize) * columns
        yield f"    {c_type} {name}[{size}] __attribute__((aligned(64)));"
    yield "    for (int64_t done = 0, here = 0; done < total; done++, here = here + 1 == items ? 0 : here + 1) {"
    for number, name in enumerate(names):
        array = values.get(name, arrays[name])
        stride = int(np.prod(array.shape[:-1])) if name in batch.own else 0
        yield f"        {c_type} *const {name} = arrays[{number}] + here * {stride};"
    for number, step in enumerate(steps):
        yield f"        step{number}({step.a.name}, {step.b.name}, {step.c.name});"
    yield "    }\n}\n"


def by_packed_libxsmm(matrix: np.ndarray, b: np.ndarray, c: np.ndarray, packed: int, total: int) -> Variant:
    """C += A B for packs of items: B and C have a pack's numbers first, then columns, rows and packs."""
    library = load("packed.c", PACKED, *newest_libxsmm())
    library.packed_product.restype = ctypes.c_void_p
    mine = placed(c)
    (rows, depth), columns = matrix.shape, b.shape[1]
    begins = np.concatenate([[0], np.cumsum(np.count_nonzero(matrix, axis=1))]).astype(np.uint32)
    places = np.nonzero(matrix)[1].astype(np.uint32)
    values = placed(matrix[matrix != 0])
    sizes = (rows, columns, depth, packed, int(c.itemsize == 8))
    product = ctypes.c_void_p(library.packed_product(*sizes, address(begins), address(places), address(values)))
    if product.value is None:
        raise NotImplementedError(f"{PACKED}: no kernel for {rows}×{columns}×{depth}")
    packs = c.shape[3]
    numbers = [ctypes.c_int64(n) for n in (b.nbytes // packs, c.nbytes // packs, packs, total)]
    pointers = [address(each) for each in (values, b, mine)]
    return Variant(PACKED, lambda: library.packed_run(product, *pointers, *numbers), lambda: mine)
