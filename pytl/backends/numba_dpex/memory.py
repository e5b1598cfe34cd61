"""The memory of a launch: addresses that the device can use, and copying back to NumPy arrays.

Device arrays are used in place. NumPy arrays are used in place, too, where the device can access the host's memory;
otherwise each is copied to the device and, if the kernel writes it, its elements are copied back after the launch.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...process.settings import COPY_NUMPY
from ..base import Argument, ArrayView, GroupArgument, ItemViews, MemrefArgument
from ..overlap import Key, key_of, refuse_overlaps, views_of
from .interface import KernelParameter
from .queues import OtherQueue
from .spirv import ATOMIC_WORD


@dataclass
class _Copy:
    """The copy of a NumPy array's span on the device."""

    view: ArrayView
    memory: Any
    written: bool


def uses_host_memory(queue: Any) -> bool:
    """Whether kernels work on NumPy arrays in place."""
    return bool(queue.sycl_device.has_aspect_usm_system_allocations) and not COPY_NUMPY.get()


class Transfer:
    """The values of the parameters of one launch; holds what must live until the launch has ended."""

    def __init__(self, queue: Any, arguments: Sequence[Argument]) -> None:
        self.queue = queue
        self.arguments = arguments
        self._in_place = uses_host_memory(queue)
        self._copies: dict[Key, _Copy] = {}
        self._kept: list[Any] = []
        if not self._in_place:
            refuse_overlaps([entry for entry in views_of(arguments) if entry[0].queue is None])

    def value(self, parameter: KernelParameter) -> Any:
        """The value that a launch passes for a parameter of the generated source."""
        argument = self.arguments[parameter.parameter]
        if isinstance(argument, MemrefArgument):
            if parameter.source == "data":
                return self._address(argument.view, argument.written)
            numbers = argument.shape if parameter.source == "size" else argument.strides
            return numbers[parameter.mode]
        if isinstance(argument, GroupArgument):
            return self._group_value(parameter, argument)
        return argument

    def _group_value(self, parameter: KernelParameter, group: GroupArgument) -> int:
        if parameter.source == "count":
            return group.count
        if parameter.source == "offset":
            return group.offset
        if parameter.source == "addresses":
            if isinstance(group.views, ItemViews) and (self._in_place or group.views.queue is not None):
                self._kept.append(group.views)
                return self._placed(group.views)
            return self._upload(self._item_addresses(group))
        rows = group.shapes if parameter.source == "size" else group.strides
        numbers = np.array([row[parameter.mode] for row in rows], dtype=np.int64)
        if len(rows) == 1:
            numbers = np.broadcast_to(numbers, (group.count,))
        return self._upload(np.ascontiguousarray(numbers))

    def _item_addresses(self, group: GroupArgument) -> np.ndarray:
        if not group.strided:
            return np.array([self._address(view, group.written) for view in group.views], dtype=np.int64)
        base = self._address(group.views[0], group.written)
        return base + group.step * np.arange(group.count, dtype=np.int64)

    def _address(self, view: ArrayView, written: bool) -> int:
        if view.queue is not None or self._in_place or view.span == 0:
            self._kept.append(view.array)
            return view.address
        key = key_of(view)
        copy = self._copies.get(key)
        if copy is None:
            copy = self._copies[key] = _Copy(view, to_device(_span_of(view), self.queue), written)
        copy.written = copy.written or written
        return copy.memory._pointer

    def _placed(self, views: ItemViews) -> Any:
        """The table of the addresses of arrays, which lies on the device."""
        return views.placed(self.queue, upload)[1]

    def _upload(self, numbers: np.ndarray) -> int:
        held, address = upload(numbers, self.queue)
        self._kept.append(held)
        return address

    def copy_back(self) -> None:
        """Copy what the kernel wrote to the NumPy arrays. Gaps between elements are not touched."""
        for copy in self._copies.values():
            if copy.written:
                held = copy.memory.copy_to_host()
                span = held[: copy.view.span * copy.view.item_size].view(copy.view.array.dtype)
                strides = tuple(stride * copy.view.item_size for stride in copy.view.strides)
                copy.view.array[...] = np.lib.stride_tricks.as_strided(span, copy.view.shape, strides)

    @property
    def kept(self) -> tuple[Any, ...]:
        """What must live until the launch has ended."""
        return (self._kept, self._copies)


def upload(numbers: np.ndarray, queue: Any) -> tuple[Any, int]:
    """Numbers that pytl itself passes, such as a group's addresses: the object that holds them, and their address."""
    if not numbers.size:  # a checked kernel reads the first item of a group, and uses it only if there is one
        numbers = np.zeros(1, numbers.dtype)
    if uses_host_memory(queue):
        return numbers, numbers.ctypes.data
    memory = to_device(numbers, queue)
    return memory, memory._pointer


def to_device(flat: np.ndarray, queue: Any) -> Any:
    if isinstance(queue, OtherQueue):
        return queue.to_device(flat)
    import dpctl.memory

    # whole words, because atomic updates of narrow elements exchange words
    size = -(-flat.nbytes // ATOMIC_WORD) * ATOMIC_WORD
    memory = dpctl.memory.MemoryUSMDevice(size, queue=queue)
    memory.copy_from_host(np.ascontiguousarray(flat).view(np.uint8))
    return memory


def _span_of(view: ArrayView) -> np.ndarray:
    """The memory of a strided array from its first to its last element."""
    return np.lib.stride_tricks.as_strided(view.array, (view.span,), (view.item_size,))
