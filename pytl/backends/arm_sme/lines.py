"""Memory as lines of contiguous numbers, which vectors are loaded from and stored to.

MLIR takes the numbers of a vector to be contiguous whatever the last stride of a memref's type is. So only what this
module has checked may be loaded or stored as a vector.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from ...ir.types import ScalarType
from ...passes.targets.sme import has_unit_stride
from ..mlir import types
from ..mlir.builder import Builder
from ..mlir.memory import Memref
from .vectors import Vector, Vectors


@dataclass(frozen=True)
class Lines:
    """A tensor as lines along its first mode. Complex numbers are pairs of numbers in a line."""

    name: str
    text: str
    element: ScalarType
    order: int

    def place(self, line: str, at: str) -> str:
        """A place in memory; a tensor of one mode has one line."""
        return f"{self.name}[{at if self.order == 1 else f'{line}, {at}'}]"


def line_at(indices: Sequence[str]) -> str:
    """The line with these indices of the modes after the first, in the language's order."""
    return ", ".join(reversed(indices))


def lines_of(to: Builder, memref: Memref) -> Lines:
    """A tensor that has lines."""
    type_ = memref.type
    assert has_unit_stride(type_), type_
    name, text, part = memref.name, memref.text, types.element(type_.element)
    if type_.order == 0 and not type_.element.is_complex:
        text = types.strided([1], [1], part)
        name = to.op(f"memref.expand_shape {name} [] output_shape [1] : {memref.text} into {text}", "line")
    elif type_.order > 0 and type_.element.is_complex:
        *sizes, length, _ = types.sizes(type_)
        numbers = length * 2 if isinstance(length, int) else length
        strides = types.strides(type_)
        flat = types.strided([*sizes, numbers], [*strides[:-2], 1], part)
        groups = ", ".join([*(f"[{mode}]" for mode in range(len(sizes))), f"[{len(sizes)}, {len(sizes) + 1}]"])
        name = to.op(f"memref.collapse_shape {name} [{groups}] : {text} into {flat}", "pairs")
        text = flat
    return Lines(name, text, type_.element, max(type_.order, 1))


@dataclass(frozen=True)
class Stretch:
    """A vector's worth of a line: from the element `at` on, as many as `count` and the vector length allow."""

    at: str
    mask: str
    wide_mask: str | None
    """The mask of the numbers that complex elements consist of."""


class Access:
    """Loads and stores vectors of a line."""

    def __init__(self, vectors: Vectors) -> None:
        self.vectors, self.to = vectors, vectors.to
        self.pairs = Vectors(self.to, vectors.lanes * 2)

    @contextmanager
    def stretches(self, extent: str, has_pairs: bool) -> Iterator[Stretch]:
        """A loop over a line of some length, vector by vector."""
        zero = self.to.constant(0)
        with self.to.loop(zero, extent, self.vectors.length(), "i") as i:
            left = self.to.op(f"arith.subi {extent}, {i} : index", "left")
            yield self.stretch(i, left, has_pairs)

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
