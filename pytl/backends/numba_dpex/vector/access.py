"""Loads and stores of lanes that are not contiguous in memory: one after the other."""

from __future__ import annotations

from collections.abc import Sequence

from llvmlite import ir

from ....process.records import dataclass
from ..device import pointers
from ..device.elements import ELEMENTS, Element
from ..device.signatures import choose
from ..element_names import device_name
from . import lanes, numbers
from .context import Context, Number, Tensor, number, plus, times


@dataclass(frozen=True)
class Index:
    """The index of each lane: a number and its increment from lane to lane; or a vector, with step None."""

    first: Number
    step: int | None = None


def load(context: Context, tensor: Tensor, at: Sequence[Index], count: int, mask: ir.Value | None) -> ir.Value:
    """The elements of so many lanes."""
    builder, element = context.builder, _element(tensor)
    lane = _Lanes(context, tensor, at, count, mask)
    elements = [pointers.load(builder, element, lane.address(k)) for k in range(count)]
    return elements[0] if count == 1 else numbers.of_lanes(builder, elements)


def store(
    context: Context, value: ir.Value, tensor: Tensor, at: Sequence[Index], count: int, mask: ir.Value | None
) -> None:
    """Write the elements of the active lanes."""
    builder, element = context.builder, _element(tensor)
    lane = _Lanes(context, tensor, at, count, mask)
    for k, written in enumerate(lane.values(value)):
        pointers.store(builder, element, lane.address(k), written)


def _element(tensor: Tensor) -> Element:
    return ELEMENTS[device_name(tensor.element)]


class _Lanes:
    """The addresses of the lanes.

    An inactive lane uses the address of an active one: it reads the same element, and writes the same value.
    """

    def __init__(
        self, context: Context, tensor: Tensor, at: Sequence[Index], count: int, mask: ir.Value | None
    ) -> None:
        self.builder = context.builder
        self.tensor = tensor
        self.count = count
        self.begin: Number = 0
        self.step: Number = 0
        self.vector: ir.Value | None = None
        for index, stride in zip(at, tensor.strides):
            if index.step is None:
                distance = self.builder.mul(number(index.first), lanes.splat(self.builder, number(stride), count))
                self.vector = distance if self.vector is None else self.builder.add(self.vector, distance)
                continue
            self.begin = plus(self.builder, self.begin, times(self.builder, index.first, stride))
            self.step = plus(self.builder, self.step, times(self.builder, index.step, stride))
        self.active = self._active(mask)
        self.offsets = self._redirected([self._offset(k) for k in range(count)])

    def _offset(self, lane: int) -> ir.Value:
        offset = plus(self.builder, self.begin, times(self.builder, self.step, lane))
        if self.vector is not None:
            offset = plus(self.builder, offset, numbers.lane_of(self.builder, self.vector, lane))
        return number(offset)

    def _active(self, mask: ir.Value | None) -> list[ir.Value | None]:
        """The condition that each lane is active; None for a lane that certainly is."""
        if mask is None:
            return [None] * self.count
        if isinstance(mask, ir.Constant) and self.count > 1:
            return [None if bit.constant else bit for bit in mask.constant]
        return [numbers.lane_of(self.builder, mask, k) for k in range(self.count)]

    def address(self, lane: int) -> ir.Value:
        return self.builder.gep(self.tensor.pointer, [self.offsets[lane]])

    def values(self, value: ir.Value) -> list[ir.Value]:
        """The value that each lane writes."""
        return self._redirected([numbers.lane_of(self.builder, value, k) for k in range(self.count)])

    def _redirected(self, values: list[ir.Value]) -> list[ir.Value]:
        """Values of the lanes; an inactive lane gets that of the first active one."""
        first = values[-1]
        for active, value in list(zip(self.active, values))[-2::-1]:
            first = value if active is None else choose(self.builder, active, value, first)
        return [
            value if active is None else choose(self.builder, active, value, first)
            for active, value in zip(self.active, values)
        ]
