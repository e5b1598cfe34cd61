"""What the lanes of a vector load and store: one number, neighbours, or each lane where it says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from llvmlite import ir

from ..device import pointers
from ..device.elements import ELEMENTS, I64, Element
from ..device.signatures import choose
from . import lanes, numbers
from .context import Context, Number, Tensor, number, plus, times
from .lanes import Lanes


@dataclass(frozen=True)
class Index:
    """An index of each lane: a number, and how much it grows from lane to lane; or a vector, of step None."""

    first: Number
    step: int | None = None


def load(context: Context, tensor: Tensor, at: Sequence[Index], which: Lanes) -> ir.Value:
    """The elements of the lanes, which are one number where it is the same for all."""
    builder, element = context.builder, _element(tensor)
    if _is_same(at):
        return pointers.load(builder, element, context.address(tensor, [i.first for i in at]))
    if _are_neighbours(tensor, at):
        found = lanes.load(context, tensor, tuple(i.first for i in at), which)
        return numbers.of_parts(builder, lanes.deinterleave(builder, found)) if element.is_complex else found
    lane = _Lanes(context, tensor, at, which)
    return numbers.of_lanes(builder, [pointers.load(builder, element, lane.address(k)) for k in range(which.count)])


def store(context: Context, value: ir.Value, tensor: Tensor, at: Sequence[Index], which: Lanes) -> None:
    """Write the elements of the lanes that are there, rounded already."""
    builder, element = context.builder, _element(tensor)
    if _are_neighbours(tensor, at) and not _is_same(at):
        parts = numbers.parts_of(builder, value)
        joined = lanes.interleave(builder, *parts) if len(parts) == 2 else value
        lanes.store(context, joined, tensor, tuple(i.first for i in at), which)
        return
    lane = _Lanes(context, tensor, at, which)
    count = 1 if _is_same(at) else which.mask if isinstance(which.mask, int) else which.count
    for k, written in enumerate(lane.values(value)[:count]):
        pointers.store(builder, element, lane.address(k), written)


def _element(tensor: Tensor) -> Element:
    return ELEMENTS[lanes.device_element_name(tensor.element)]


def _is_same(at: Sequence[Index]) -> bool:
    return all(i.step == 0 for i in at)


def _are_neighbours(tensor: Tensor, at: Sequence[Index]) -> bool:
    steps = [(i.step, stride) for i, stride in zip(at, tensor.strides) if i.step != 0]
    return len(steps) == 1 and steps[0][0] == 1 and isinstance(steps[0][1], int) and steps[0][1] == 1


class _Lanes:
    """The elements of lanes that are no neighbours.

    A lane that is not there goes where one goes that is: it reads what may be read, and writes what is written.
    """

    def __init__(self, context: Context, tensor: Tensor, at: Sequence[Index], which: Lanes) -> None:
        self.context = context
        self.builder = context.builder
        self.tensor = tensor
        self.which = which
        self.begin: Number = 0
        self.step: Number = 0
        self.vector: ir.Value | None = None
        for index, stride in zip(at, tensor.strides):
            if index.step is None:
                splat = lanes.splat(self.builder, number(stride), which.count)
                distance = self.builder.mul(number(index.first), splat)
                self.vector = distance if self.vector is None else self.builder.add(self.vector, distance)
                continue
            self.begin = plus(self.builder, self.begin, times(self.builder, index.first, stride))
            self.step = plus(self.builder, self.step, times(self.builder, index.step, stride))
        self.there = self._there()
        self.offsets = self._harmless([self._offset(k) for k in range(which.count)])

    def _offset(self, lane: int) -> ir.Value:
        offset = plus(self.builder, self.begin, times(self.builder, self.step, lane))
        if self.vector is not None:
            offset = plus(self.builder, offset, numbers.lane_of(self.builder, self.vector, lane))
        return number(offset)

    def _there(self) -> list[ir.Value | None]:
        """Which lanes are there; None for one that certainly is."""
        mask, count = self.which.mask, self.which.count
        if mask is None:
            return [None] * count
        if isinstance(mask, ir.Value) and isinstance(mask.type, ir.VectorType):
            return [numbers.lane_of(self.builder, mask, k) for k in range(count)]
        # of the rows that are left over, the first one is there
        return [None, *(self._is_below(k, mask) for k in range(1, count))]

    def _is_below(self, lane: int, mask: Number) -> ir.Value | None:
        if isinstance(mask, int):
            return None if lane < mask else ir.Constant(ir.IntType(1), 0)
        return self.builder.icmp_signed("<", I64(lane), mask)

    def address(self, lane: int) -> ir.Value:
        return self.builder.gep(self.tensor.pointer, [self.offsets[lane]])

    def values(self, value: ir.Value) -> list[ir.Value]:
        """What each lane writes."""
        return self._harmless([numbers.lane_of(self.builder, value, k) for k in range(self.which.count)])

    def _harmless(self, found: list[ir.Value]) -> list[ir.Value]:
        """What lanes have, with that of the first lane that is there in place of that of one that is not."""
        first = found[-1]
        for there, value in list(zip(self.there, found))[-2::-1]:
            first = value if there is None else choose(self.builder, there, value, first)
        return [
            value if there is None else choose(self.builder, there, value, first)
            for there, value in zip(self.there, found)
        ]
