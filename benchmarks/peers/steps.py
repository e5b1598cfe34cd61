"""Lists of small steps, executed for each item of a batch: by libxsmm's calls in C, by NumPy, and by torch.

A list says what is multiplied with what; all who execute it do so in the same order, with the same number of
operations. libxsmm goes through the list for an item, then for the next; NumPy and torch go through the batch for each
step.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from measure import Variant
from memory import placed

from peers.libraries import import_peer
from peers.native import Libxsmm


@dataclass(frozen=True)
class Batch:
    """The arrays that steps work on, by name and column-major. What is in neither is scratch memory of an item."""

    own: Mapping[str, np.ndarray]
    """(rows, columns, items)."""
    shared: Mapping[str, np.ndarray]
    """(rows, columns), the same for all items."""
    written: Sequence[str]
    """The arrays of `own` that steps write, scratch arrays left out."""

    @property
    def items(self) -> int:
        return next(iter(self.own.values())).shape[-1]

    @property
    def dtype(self) -> np.dtype:
        return next(iter(self.own.values())).dtype

    def copy(self) -> Batch:
        """For one program alone: others would find in the cache what this one has read."""
        return Batch({name: placed(array) for name, array in self.own.items()}, self.shared, self.written)

    def scratch(self, steps: Sequence[Step]) -> dict[str, tuple[int, int]]:
        """Rows and columns of an operand without an array: the most that any step has of it."""
        found: dict[str, tuple[int, int]] = {}
        for part in (part for step in steps for part in step.parts):
            if part.name not in self.own and part.name not in self.shared:
                rows, columns = found.get(part.name, (0, 0))
                found[part.name] = max(rows, part.rows), max(columns, part.columns)
        return found


@dataclass(frozen=True)
class Part:
    """The first rows and columns of a matrix."""

    name: str
    rows: int
    columns: int


@dataclass(frozen=True)
class Product:
    """C := op(A) op(B) + beta C. For Aᵀ libxsmm needs a transposition before."""

    a: Part
    b: Part
    c: Part
    beta: int = 0
    transposed: str = "nn"

    @property
    def parts(self) -> tuple[Part, ...]:
        return self.a, self.b, self.c

    @property
    def flops(self) -> int:
        return 2 * self.c.rows * self.c.columns * self.inner

    @property
    def inner(self) -> int:
        return self.a.rows if self.transposed[0] == "t" else self.a.columns


@dataclass(frozen=True)
class Addition:
    """C := C + scale A."""

    scale: float
    a: Part
    c: Part

    @property
    def parts(self) -> tuple[Part, ...]:
        return self.a, self.c

    flops = 0  # they are not counted


@dataclass(frozen=True)
class Transposition:
    """C := Aᵀ."""

    a: Part
    c: Part

    @property
    def parts(self) -> tuple[Part, ...]:
        return self.a, self.c

    flops = 0  # they are not counted


Step = Product | Addition | Transposition


# libxsmm


class Matrix(ctypes.Structure):
    """As libxsmm_driver.c has it."""

    _fields_ = [
        ("address", ctypes.c_void_p),
        ("stride", ctypes.c_int64),
        ("offset", ctypes.c_int64),
        ("leading", ctypes.c_int64),
    ]


class CStep(ctypes.Structure):
    """As libxsmm_driver.c has it."""

    _fields_ = [
        *((name, ctypes.c_int64) for name in ("kind", "m", "n", "k", "trans_b", "beta")),
        ("scale", ctypes.c_double),
        *((name, Matrix) for name in "abc"),
    ]


KINDS = {Product: 0, Addition: 1, Transposition: 2}
LINE = 64
"""Bytes: where scratch matrices begin, and what a column of theirs is padded to if it is longer."""


def leading_dimension(rows: int, itemsize: int) -> int:
    """Of a scratch matrix: columns begin at whole vectors, as code generators for finite elements have it."""
    vector = 32 // itemsize
    return -(-rows // vector) * vector


def for_libxsmm(steps: Sequence[Step], batch: Batch) -> tuple[Any, int]:
    """The steps as the driver takes them, and the elements of scratch memory that an item needs."""
    itemsize = batch.dtype.itemsize
    places, size = {}, 0
    for name, (rows, columns) in batch.scratch(steps).items():
        leading = leading_dimension(rows, itemsize)
        places[name] = (size, leading)
        size += -(-leading * columns * itemsize // LINE) * LINE // itemsize

    def matrix(part: Part) -> Matrix:
        if part.name in places:
            offset, leading = places[part.name]
            return Matrix(None, 0, offset, leading)
        shared = part.name in batch.shared
        array = (batch.shared if shared else batch.own)[part.name]
        assert array.flags.f_contiguous
        rows, columns = array.shape[:2]
        return Matrix(array.ctypes.data, 0 if shared else rows * columns, 0, rows)

    def converted(step: Step) -> CStep:
        product = step if isinstance(step, Product) else None
        assert product is None or product.transposed[0] == "n"
        return CStep(
            kind=KINDS[type(step)],
            m=step.c.rows,
            n=step.c.columns,
            k=product.inner if product else 0,
            trans_b=product.transposed[1] == "t" if product else 0,
            beta=product.beta if product else 0,
            scale=step.scale if isinstance(step, Addition) else 0.0,
            a=matrix(step.a),
            b=matrix(product.b) if product else Matrix(),
            c=matrix(step.c),
        )

    return (CStep * len(steps))(*map(converted, steps)), max(size, 1)


def by_libxsmm(
    steps: Sequence[Step],
    batch: Batch,
    total: int,
    result: Callable[[Batch], Any],
    name: str = "libxsmm",
    newest: bool = False,
) -> Variant:
    """A call of libxsmm for each product and each transposition of each item."""
    library, mine = Libxsmm(newest), batch.copy()
    described, size = for_libxsmm(steps, mine)
    kind = mine.dtype.name
    return Variant(name, lambda: library.steps(kind, described, size, mine.items, total), lambda: result(mine))


# NumPy and torch: an item's matrix is row-major to them, which is the transposed one. So they compute
# Cᵀ = op(B)ᵀ Aᵀ, on the same memory; where all items share A, that is one large product.


def _views(steps: Sequence[Step], batch: Batch) -> Callable[[Part], np.ndarray]:
    """What makes the transposed of a part: (columns, rows), or (items, columns, rows)."""
    memory: dict[Part, np.ndarray] = {}

    def view(part: Part) -> np.ndarray:
        if part.name in batch.shared:
            return batch.shared[part.name].T[: part.columns, : part.rows]
        if part.name not in batch.own:
            if part not in memory:
                memory[part] = placed(np.empty((batch.items, part.columns, part.rows), batch.dtype), "C")
            return memory[part]
        return batch.own[part.name].T[:, : part.columns, : part.rows]

    return view


def _operands(steps: Sequence[Step], batch: Batch) -> Iterator[tuple[Step, np.ndarray, np.ndarray, np.ndarray]]:
    """For each step Cᵀ, op(B)ᵀ and Aᵀ, as two matrices and not as many where one product does for all items."""
    view = _views(steps, batch)
    for step in steps:
        left, c = view(step.a), view(step.c)
        if not isinstance(step, Product):
            yield step, c, c, left
            continue
        right = view(step.b)
        if step.transposed[0] == "t":
            left = left.swapaxes(-1, -2)
        if step.transposed[1] == "t":
            right = right.swapaxes(-1, -2)
        if left.ndim == 2 and right.flags.c_contiguous and c.flags.c_contiguous:
            right, c = right.reshape(-1, right.shape[-1]), c.reshape(-1, c.shape[-1])
        yield step, c, right, left


def by_numpy(steps: Sequence[Step], batch: Batch, total: int, result: Callable[[Batch], Any]) -> Variant:
    mine = batch.copy()
    calls: list[Callable[[], Any]] = []

    def add(c: np.ndarray, right: np.ndarray, left: np.ndarray, product: np.ndarray) -> None:
        np.add(c, np.matmul(right, left, out=product), out=c)

    def add_scaled(c: np.ndarray, left: np.ndarray, scale: float, product: np.ndarray) -> None:
        np.add(c, np.multiply(left, left.dtype.type(scale), out=product), out=c)

    for step, c, right, left in _operands(steps, mine):
        if isinstance(step, Addition):
            calls.append(partial(add_scaled, c, left, step.scale, placed(np.empty_like(left), "C")))
        elif isinstance(step, Transposition):
            calls.append(partial(np.copyto, c, left.swapaxes(-1, -2)))
        elif step.beta:
            calls.append(partial(add, c, right, left, placed(np.empty(c.shape, c.dtype), "C")))
        else:
            calls.append(partial(np.matmul, right, left, out=c))
    return Variant("NumPy", _rounds(calls, total // mine.items), lambda: result(mine))


def by_torch(steps: Sequence[Step], batch: Batch, total: int, result: Callable[[Batch], Any]) -> Variant:
    torch = import_peer("torch", "python install.py bench-torch")
    mine = batch.copy()
    calls: list[Callable[[], Any]] = []
    for step, *arrays in _operands(steps, mine):
        c, right, left = map(torch.from_numpy, arrays)
        if isinstance(step, Addition):
            calls.append(partial(c.add_, left, alpha=step.scale))
        elif isinstance(step, Transposition):
            calls.append(partial(c.copy_, left.transpose(-1, -2)))
        elif c.ndim == 2:
            calls.append(partial(c.addmm_, right, left) if step.beta else partial(torch.mm, right, left, out=c))
        else:
            right, left = (each.expand(mine.items, *each.shape[-2:]) for each in (right, left))
            calls.append(partial(c.baddbmm_, right, left) if step.beta else partial(torch.bmm, right, left, out=c))
    return Variant("torch", _rounds(calls, total // mine.items), lambda: result(mine))


def _rounds(calls: Sequence[Callable[[], Any]], rounds: int) -> Callable[[], None]:
    def run() -> None:
        for _ in range(rounds):
            for call in calls:
                call()

    return run
