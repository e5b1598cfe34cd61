"""gemm and axpby with vectors along the contiguous mode, for one work-item a work-group.

The rows of a matrix are cut into vectors, the widest first, and what is left is done entry by entry. A gemm keeps
a vector of sums for each of a few columns, so that a vector of A is loaded once for all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ....ir.types import ScalarType
from ....ops import Axpby, Gemm
from ....ops.constants import is_constant
from . import scalars
from .writer import MemrefCode, Writer, device_name, sum_of

COLUMNS = 4
"""Columns of a gemm's result that are summed at the same time."""
WIDEST = {"f32": 16, "f64": 8}
"""Elements of the widest vector, 64 bytes."""


def applies(*matrices: MemrefCode) -> bool:
    """Whether vectors can run along the first mode of all of these."""
    element = matrices[0].element
    contiguous = all(m.shape and m.strides[0] == "1" and m.element == element for m in matrices)
    return contiguous and element.name in WIDEST


class Vectors:
    """The words for vectors of one width; width 1 stands for plain numbers."""

    def __init__(self, element: ScalarType, width: int) -> None:
        self.element = element
        self.width = width
        self._name = f"{device_name(element)}x{width}"

    def splat(self, number: str) -> str:
        return number if self.width == 1 else f"splat_{self._name}({number})"

    def load(self, tensor: MemrefCode, indices: tuple[str, ...]) -> str:
        if self.width == 1:
            return tensor.at(*indices)
        return f"load_{self._name}({tensor.pointer}, {tensor.offset(indices)})"

    def store(self, tensor: MemrefCode, indices: tuple[str, ...], value: str) -> str:
        if self.width == 1:
            return f"{tensor.at(*indices)} = {value}"
        return f"store_vector({tensor.pointer}, {tensor.offset(indices)}, {value})"

    def mul(self, a: str, b: str) -> str:
        return f"({a} * {b})" if self.width == 1 else f"vector_mul({a}, {b})"

    def add(self, a: str, b: str) -> str:
        return f"({a} + {b})" if self.width == 1 else f"vector_add({a}, {b})"

    def fma(self, a: str, b: str, c: str) -> str:
        return f"fma({a}, {b}, {c})" if self.width == 1 else f"vector_fma({a}, {b}, {c})"


Tile = Callable[[Vectors, str], None]


def gemm(writer: Writer, op: Gemm, A: MemrefCode, B: MemrefCode, C: MemrefCode) -> None:
    """`C := alpha A B + beta C`, where A and C have contiguous columns."""

    def columns(first: str, count: int) -> None:
        js = tuple(sum_of([first, str(c)]) for c in range(count))
        _rows(writer, C.element, C.shape[0], lambda vectors, i: _gemm_tile(writer, vectors, op, (A, B, C), i, js))

    if C.shape[1].isdigit():
        whole = str(int(C.shape[1]) // COLUMNS * COLUMNS)
    else:
        whole = writer.names.fresh("whole")
        writer.line(f"{whole} = int_div({C.shape[1]}, {COLUMNS}) * {COLUMNS}")
    for j in _loop(writer, "j", "0", whole, COLUMNS):
        columns(j, COLUMNS)
    for j in _loop(writer, "j", whole, C.shape[1], 1):
        columns(j, 1)


def _gemm_tile(
    writer: Writer,
    vectors: Vectors,
    op: Gemm,
    matrices: tuple[MemrefCode, MemrefCode, MemrefCode],
    i: str,
    js: tuple[str, ...],
) -> None:
    A, B, C = matrices
    sums = [writer.names.fresh("sum") for _ in js]
    for name in sums:
        writer.line(f"{name} = {vectors.splat(_number(C.element, '0.0'))}")
    k, a = writer.names.fresh("k"), writer.names.fresh("a")
    with writer.block(f"for {k} in range({A.shape[1]}):"):
        writer.line(f"{a} = {vectors.load(A, (i, k))}")
        for name, j in zip(sums, js):
            b = vectors.splat(scalars.cast(B.at(k, j), B.element, C.element))
            writer.line(f"{name} = {vectors.fma(a, b, name)}")
    _update(writer, vectors, op, C, [((i, j), name) for name, j in zip(sums, js)])


def axpby(writer: Writer, op: Axpby, A: MemrefCode, B: MemrefCode) -> None:
    """`B := alpha A + beta B`, where both have a contiguous first mode."""

    def column(rest: tuple[str, ...]) -> None:
        def tile(vectors: Vectors, i: str) -> None:
            _update(writer, vectors, op, B, [((i, *rest), vectors.load(A, (i, *rest)))])

        _rows(writer, B.element, B.shape[0], tile)

    if len(B.shape) == 1:
        column(())
        return
    for j in _loop(writer, "j", "0", B.shape[1], 1):
        column((j,))


def _update(
    writer: Writer,
    vectors: Vectors,
    op: Gemm | Axpby,
    target: MemrefCode,
    terms: list[tuple[tuple[str, ...], str]],
) -> None:
    """`target := alpha * term + beta * target` at each place; beta = 0 does not read it."""
    element = target.element
    alpha = vectors.splat(scalars.cast(writer.scalar(op.alpha), op.alpha.type, element))
    beta = vectors.splat(scalars.cast(writer.scalar(op.beta), op.beta.type, element))
    scaled = [(place, term if is_constant(op.alpha, 1) else vectors.mul(alpha, term)) for place, term in terms]

    def write(update: Callable[[str, str], str] | None) -> None:
        for place, term in scaled:
            value = term if update is None else update(term, vectors.load(target, place))
            writer.line(vectors.store(target, place, value))

    if is_constant(op.beta, 0):
        write(None)
    elif is_constant(op.beta, 1):
        write(lambda term, old: vectors.add(term, old))
    else:
        with writer.block(f"if {writer.scalar(op.beta)} == 0:"):
            write(None)
        with writer.block("else:"):
            write(lambda term, old: vectors.fma(beta, old, term))


def _rows(writer: Writer, element: ScalarType, rows: str, tile: Tile) -> None:
    """Cut rows into vectors: a loop of the widest, then narrower ones, then single entries."""
    widest = WIDEST[element.name]
    if not rows.isdigit():
        whole = writer.names.fresh("whole")
        writer.line(f"{whole} = int_div({rows}, {widest}) * {widest}")
        for i in _loop(writer, "i", "0", whole, widest):
            tile(Vectors(element, widest), i)
        for i in _loop(writer, "i", whole, rows, 1):
            tile(Vectors(element, 1), i)
        return
    done, total = 0, int(rows)
    width = widest
    while done < total:
        while width > total - done:
            width //= 2
        count = (total - done) // width
        for i in _loop(writer, "i", str(done), str(done + count * width), width):
            tile(Vectors(element, width), i)
        done += count * width


def _loop(writer: Writer, wish: str, first: str, last: str, step: int) -> Iterator[str]:
    """Gives the index of a loop whose body is written meanwhile: once, or not at all if it never runs.

    A loop that runs a single time is its body alone, with the index as a number.
    """
    if first.isdigit() and last.isdigit() and int(first) + step >= int(last):
        if int(first) < int(last):
            yield first
        return
    name = writer.names.fresh(wish)
    bounds = last if (first, step) == ("0", 1) else f"{first}, {last}" if step == 1 else f"{first}, {last}, {step}"
    with writer.block(f"for {name} in range({bounds}):"):
        yield name


def _number(element: ScalarType, text: str) -> str:
    return f"float{element.size * 8}({text})"
