"""Loads and stores of the lanes of a vector: one element for all, contiguous elements, strided ones, or any."""

from __future__ import annotations

from collections.abc import Sequence

from ...ir.types import VectorType
from ...ir.values import Value
from ...process.records import dataclass
from ..targets import vector
from .code import Code, Number


@dataclass(frozen=True)
class Lanes:
    """The lanes of a vector, and which of them are active: all, so many from the first on, or those of a mask."""

    count: int
    active: Number | None = None

    @property
    def has_mask(self) -> bool:
        """Whether they are those of a mask."""
        return isinstance(self.active, Value) and isinstance(self.active.type, VectorType)

    def mask(self, code: Code) -> Value | None:
        """The mask of the active lanes; None where all are."""
        if self.has_mask:
            return self.active  # type: ignore[return-value]
        return None if self.active is None else code.mask(self.active, self.count)

    def doubled(self, code: Code) -> Lanes:
        """Twice the lanes, two for each; of a number of them."""
        return Lanes(2 * self.count, None if self.active is None else code.times(self.active, 2))

    def counted(self) -> Lanes:
        """The same lanes by their number, where their mask is that of a number."""
        made = self.active.owner if isinstance(self.active, Value) else None
        return Lanes(self.count, made.count) if isinstance(made, vector.Mask) else self

    def with_mask(self, code: Code) -> Lanes:
        """The same lanes, with the mask made here where their number is known at run time only."""
        return Lanes(self.count, self.mask(code)) if isinstance(self.active, Value) else self


ONE = Lanes(1)
"""A single element, which is a number where all its indices have the step 0."""


@dataclass(frozen=True)
class Index:
    """The index of each lane: a number and its increment from lane to lane; or a vector, with step None."""

    first: Number
    step: int | None = None


def is_same(at: Sequence[Index]) -> bool:
    """Whether all lanes have one element."""
    return all(i.step == 0 for i in at)


def make_mask(code: Code, tensor: Value, lanes: Lanes) -> None:
    """Make the mask here that loads and stores of contiguous elements have, so that what follows has it, too."""
    (lanes.doubled(code) if _has_parts(code, tensor, lanes) else lanes).mask(code)


def _has_parts(code: Code, tensor: Value, lanes: Lanes) -> bool:
    """Whether the parts of complex elements are loaded and stored as numbers.

    One mask for all parts costs less than one that is made of the elements', which lanes of a mask have.
    """
    return code.is_scalable and tensor.type.element.is_complex and not lanes.has_mask


def load(code: Code, tensor: Value, at: Sequence[Index], lanes: Lanes) -> Value:
    """The elements of the lanes; a number where all lanes have one element."""
    if is_same(at):
        return code.load_number(tensor, [i.first for i in at])
    mode = _mode_of_lanes(at)
    if mode is None:
        return code.gather(tensor, _by_lane(code, at, lanes.count), lanes.count, lanes.mask(code))
    element, first = tensor.type.element, [i.first for i in at]
    if _has_parts(code, tensor, lanes):
        type_ = code.vector(element.component, 2 * lanes.count)
        return code.complex(code.load(tensor, first, type_, mode, lanes.doubled(code).mask(code)), element)
    return code.load(tensor, first, code.vector(element, lanes.count), mode, lanes.mask(code))


def store(code: Code, value: Value, tensor: Value, at: Sequence[Index], lanes: Lanes) -> None:
    """Store the elements of the active lanes, which have the tensor's element type.

    Where all lanes name one element, the value is a number.
    """
    if is_same(at):
        code.store_number(value, tensor, [i.first for i in at])
        return
    mode = _mode_of_lanes(at)
    if mode is None:
        code.scatter(value, tensor, _by_lane(code, at, lanes.count), lanes.mask(code))
        return
    value, parts = (code.parts(value), 2) if _has_parts(code, tensor, lanes) else (value, 1)
    store_along(code, value, tensor, [i.first for i in at], mode, lanes, parts)


def store_along(
    code: Code, value: Value, tensor: Value, indices: Sequence[Number], mode: int, lanes: Lanes, parts: int = 1
) -> None:
    """Store elements that follow each other along a mode; a vector has so many lanes for each.

    So many lanes that are known become vectors whose lengths are powers of two: a masked store takes longer, or lets
    what is loaded behind its active lanes wait. More than two such vectors become two that overlap.
    """
    if code.is_scalable or not isinstance(lanes.active, int):
        lanes = lanes.doubled(code) if parts == 2 else lanes
        code.store(value, tensor, indices, mode, lanes.mask(code))
        return
    for first, width in pieces_of(lanes.active):
        piece = code.shuffle(value, value, range(first * parts, (first + width) * parts))
        code.store(piece, tensor, moved(code, indices, mode, first), mode, None)


def pieces_of(count: int) -> list[tuple[int, int]]:
    """Where vectors begin that have so many lanes together, and their lengths, which are powers of two.

    >>> pieces_of(12), pieces_of(15)
    ([(0, 8), (8, 4)], [(0, 8), (7, 8)])
    """
    pieces, done = [], 0
    while done < count:
        width = 1 << (count - done).bit_length() - 1
        pieces.append((done, width))
        done += width
    width = pieces[0][1] if pieces else 0
    return pieces if len(pieces) <= 2 else [(0, width), (count - width, width)]


def moved(code: Code, indices: Sequence[Number], mode: int, distance: Number) -> list[Number]:
    """Indices with a distance added along a mode."""
    return [code.plus(i, distance) if m == mode else i for m, i in enumerate(indices)]


def _mode_of_lanes(at: Sequence[Index]) -> int | None:
    """The mode along which the elements of lanes follow each other; None where they lie in another way."""
    modes = [mode for mode, i in enumerate(at) if i.step != 0]
    return modes[0] if len(modes) == 1 and at[modes[0]].step == 1 else None


def _by_lane(code: Code, at: Sequence[Index], count: int) -> list[Value]:
    """The indices of a gather or scatter: a vector for each mode in which the lanes differ."""
    return [
        code.step(code.number(i.first), count, i.step) if i.step else code.number(i.first)  # of a vector: itself
        for i in at
    ]
