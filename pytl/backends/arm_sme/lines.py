"""Memory as lines of numbers that lie next to each other: what vectors are loaded from and stored to.

MLIR takes the numbers of a vector to be adjacent whatever a memref's type says of its last stride, so that nothing but
what this module has asked about may be loaded or stored as one.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...ir.types import Extent, MemrefType, ScalarType
from ..mlir import types
from ..mlir.builder import Builder
from ..mlir.memory import Memref
from .vectors import Vector, Vectors


def adjacent_mode(type_: MemrefType) -> int | None:
    """The mode along which the elements of a memref are known to be adjacent; None where there is none."""
    return next((mode for mode, stride in enumerate(type_.strides) if stride == 1), None)


@dataclass(frozen=True)
class Lines:
    """A vector, or a matrix as lines along one of its modes. Complex numbers are pairs of numbers in a line."""

    name: str
    text: str
    element: ScalarType
    order: int

    def place(self, line: str, at: str) -> str:
        return f"{self.name}[{at if self.order == 1 else f'{line}, {at}'}]"


def lines_of(to: Builder, memref: Memref, mode: int) -> Lines:
    """A vector or matrix as lines along `mode`, in which elements are adjacent."""
    type_ = memref.type
    assert type_.strides[mode] == 1, "the elements of a line are adjacent"
    name, element = memref.name, type_.element
    sizes, strides = types.sizes(type_), types.strides(type_)
    if type_.order == 2 and mode == 1:
        places = [1, 0, *range(2, len(sizes))]
        before = memref.text
        sizes, strides = [sizes[p] for p in places], [strides[p] for p in places]
        given = ", ".join(f"d{p}" for p in range(len(places)))
        turned = ", ".join(f"d{p}" for p in places)
        text = types.strided(sizes, strides, element.component.name)
        name = to.op(f"memref.transpose {name} ({given}) -> ({turned}) : {before} to {text}", "turned")
    text = types.strided(sizes, strides, element.component.name)
    if element.is_complex:
        groups = "[[0, 1]]" if type_.order == 1 else "[[0], [1, 2]]"
        length: Extent = sizes[-2] * 2 if isinstance(sizes[-2], int) else sizes[-2]
        flat = types.strided([*sizes[:-2], length], [*strides[:-2], 1], element.component.name)
        name = to.op(f"memref.collapse_shape {name} {groups} : {text} into {flat}", "pairs")
        text = flat
    return Lines(name, text, element, type_.order)


@dataclass(frozen=True)
class Stretch:
    """A vector's worth of a line: from the element `at`, as many as `count` and the vector length allow."""

    at: str
    mask: str
    wide_mask: str | None
    """Of the numbers that complex elements are pairs of."""


class Access:
    """Loads and stores vectors of a line."""

    def __init__(self, vectors: Vectors) -> None:
        self.vectors, self.to = vectors, vectors.to
        self.pairs = Vectors(self.to, vectors.lanes * 2)

    def stretch(self, at: str, count: str, has_pairs: bool) -> Stretch:
        """`count` is how many elements there are from `at` on; `has_pairs`, whether any of them are complex."""
        mask = self.vectors.mask(count)
        if not has_pairs:
            return Stretch(at, mask, None)
        return Stretch(at, mask, self.pairs.mask(self.to.op(f"arith.addi {count}, {count} : index", "numbers")))

    def load(self, lines: Lines, line: str, stretch: Stretch) -> Vector:
        """A vector of elements; 0 where there are none."""
        element = lines.element
        if not element.is_complex:
            return (self.load_masked(self.vectors, lines, lines.place(line, stretch.at), stretch.mask),)
        assert stretch.wide_mask is not None
        numbers = self.load_masked(self.pairs, lines, self._pair(lines, line, stretch), stretch.wide_mask)
        of, part = self.pairs.type(element.component), self.vectors.type(element.component)
        real, imaginary = self.to.fresh("re"), self.to.fresh("im")
        self.to.line(f"{real}, {imaginary} = vector.deinterleave {numbers} : {of} -> {part}")
        return (real, imaginary)

    def store(self, value: Vector, lines: Lines, line: str, stretch: Stretch) -> None:
        part = lines.element.component
        if not lines.element.is_complex:
            self.store_masked(self.vectors, value[0], lines, lines.place(line, stretch.at), stretch.mask)
            return
        assert stretch.wide_mask is not None
        of = self.vectors.type(part)
        numbers = self.to.op(f"vector.interleave {value[0]}, {value[1]} : {of} -> {self.pairs.type(part)}", "pairs")
        self.store_masked(self.pairs, numbers, lines, self._pair(lines, line, stretch), stretch.wide_mask)

    def _pair(self, lines: Lines, line: str, stretch: Stretch) -> str:
        return lines.place(line, self.to.op(f"arith.addi {stretch.at}, {stretch.at} : index", "at"))

    @staticmethod
    def load_masked(vectors: Vectors, lines: Lines, place: str, mask: str) -> str:
        part = lines.element.component
        of = vectors.type(part)
        zero = vectors.zero(part)
        types_ = f"{lines.text}, {vectors.type('i1')}, {of} into {of}"
        return vectors.to.op(f"vector.maskedload {place}, {mask}, {zero} : {types_}", "loaded")

    @staticmethod
    def store_masked(vectors: Vectors, value: str, lines: Lines, place: str, mask: str) -> None:
        types_ = f"{lines.text}, {vectors.type('i1')}, {vectors.type(lines.element.component)}"
        vectors.to.line(f"vector.maskedstore {place}, {mask}, {value} : {types_}")
