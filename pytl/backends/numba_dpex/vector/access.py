"""Loads and stores of the lanes of a vector: a broadcast, contiguous elements, or a gather or scatter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from llvmlite import ir

from ..device import pointers
from ..device.elements import ELEMENTS, I64, Element
from ..device.signatures import choose
from ..matrix_layout import device_name
from . import lanes, numbers
from .context import Context, Number, Tensor, number, plus, times
from .lanes import Lanes


@dataclass(frozen=True)
class Index:
    """The index of each lane: a number and its increment from lane to lane; or a vector, with step None."""

    first: Number
    step: int | None = None


def load(context: Context, tensor: Tensor, at: Sequence[Index], active_lanes: Lanes) -> ir.Value:
    """The elements of the lanes; a broadcast where all lanes have the same index."""
    builder, element = context.builder, _element(tensor)
    if _is_same(at):
        return pointers.load(builder, element, context.address(tensor, [i.first for i in at]))
    if _are_neighbours(tensor, at):
        vector = lanes.load(context, tensor, tuple(i.first for i in at), active_lanes)
        return numbers.of_parts(builder, lanes.deinterleave(builder, vector)) if element.is_complex else vector
    lane = _Lanes(context, tensor, at, active_lanes)
    addresses = map(lane.address, range(active_lanes.count))
    return numbers.of_lanes(builder, [pointers.load(builder, element, address) for address in addresses])


def store(context: Context, value: ir.Value, tensor: Tensor, at: Sequence[Index], active_lanes: Lanes) -> None:
    """Write the elements of the active lanes, which are rounded already."""
    builder, element = context.builder, _element(tensor)
    if _are_neighbours(tensor, at) and not _is_same(at):
        parts = numbers.parts_of(builder, value)
        joined = lanes.interleave(builder, *parts) if len(parts) == 2 else value
        lanes.store(context, joined, tensor, tuple(i.first for i in at), active_lanes)
        return
    lane = _Lanes(context, tensor, at, active_lanes)
    count = 1 if _is_same(at) else active_lanes.mask if isinstance(active_lanes.mask, int) else active_lanes.count
    for k, written in enumerate(lane.values(value)[:count]):
        pointers.store(builder, element, lane.address(k), written)


def _element(tensor: Tensor) -> Element:
    return ELEMENTS[device_name(tensor.element)]


def _is_same(at: Sequence[Index]) -> bool:
    return all(i.step == 0 for i in at)


def _are_neighbours(tensor: Tensor, at: Sequence[Index]) -> bool:
    steps = [(i.step, stride) for i, stride in zip(at, tensor.strides) if i.step != 0]
    return len(steps) == 1 and steps[0][0] == 1 and isinstance(steps[0][1], int) and steps[0][1] == 1


class _Lanes:
    """A gather or scatter, lane by lane.

    An inactive lane uses the address of an active one: it reads the same element, and writes the same value.
    """

    def __init__(self, context: Context, tensor: Tensor, at: Sequence[Index], active_lanes: Lanes) -> None:
        self.context = context
        self.builder = context.builder
        self.tensor = tensor
        self.active_lanes = active_lanes
        self.begin: Number = 0
        self.step: Number = 0
        self.vector: ir.Value | None = None
        for index, stride in zip(at, tensor.strides):
            if index.step is None:
                splat = lanes.splat(self.builder, number(stride), active_lanes.count)
                distance = self.builder.mul(number(index.first), splat)
                self.vector = distance if self.vector is None else self.builder.add(self.vector, distance)
                continue
            self.begin = plus(self.builder, self.begin, times(self.builder, index.first, stride))
            self.step = plus(self.builder, self.step, times(self.builder, index.step, stride))
        self.active = self._active()
        self.offsets = self._redirected([self._offset(k) for k in range(active_lanes.count)])

    def _offset(self, lane: int) -> ir.Value:
        offset = plus(self.builder, self.begin, times(self.builder, self.step, lane))
        if self.vector is not None:
            offset = plus(self.builder, offset, numbers.lane_of(self.builder, self.vector, lane))
        return number(offset)

    def _active(self) -> list[ir.Value | None]:
        """The condition that each lane is active; None for a lane that certainly is."""
        mask, count = self.active_lanes.mask, self.active_lanes.count
        if mask is None:
            return [None] * count
        if isinstance(mask, ir.Value) and isinstance(mask.type, ir.VectorType):
            return [numbers.lane_of(self.builder, mask, k) for k in range(count)]
        # a remainder has at least one row
        return [None, *(self._is_below(k, mask) for k in range(1, count))]

    def _is_below(self, lane: int, mask: Number) -> ir.Value | None:
        if isinstance(mask, int):
            return None if lane < mask else ir.Constant(ir.IntType(1), 0)
        return self.builder.icmp_signed("<", I64(lane), mask)

    def address(self, lane: int) -> ir.Value:
        return self.builder.gep(self.tensor.pointer, [self.offsets[lane]])

    def values(self, value: ir.Value) -> list[ir.Value]:
        """The value that each lane writes."""
        return self._redirected([numbers.lane_of(self.builder, value, k) for k in range(self.active_lanes.count)])

    def _redirected(self, values: list[ir.Value]) -> list[ir.Value]:
        """Values of the lanes; an inactive lane gets that of the first active one."""
        first = values[-1]
        for active, value in list(zip(self.active, values))[-2::-1]:
            first = value if active is None else choose(self.builder, active, value, first)
        return [
            value if active is None else choose(self.builder, active, value, first)
            for active, value in zip(self.active, values)
        ]
