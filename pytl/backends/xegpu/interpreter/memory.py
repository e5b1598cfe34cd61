"""Memory: buffers, each in a range of addresses of its own, so that no address leads from one into another."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

_BITS = 40
_LOW = (1 << _BITS) - 1
_BEGIN = 1 << 20
"""Where a buffer begins in its range: small distances before it are in no buffer."""


class Unmapped(Exception):
    """An address that is in no buffer."""


class Memory:
    """The bytes of arguments and of local memory, by address."""

    def __init__(self) -> None:
        self._buffers: list[np.ndarray] = []

    def add(self, array: np.ndarray) -> int:
        """The address of a contiguous array, whose memory is shared."""
        self._buffers.append(array.reshape(-1).view(np.uint8))
        return (len(self._buffers) << _BITS) + _BEGIN

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Take away at the end what is added meanwhile: the local memory of a work-group."""
        count = len(self._buffers)
        try:
            yield
        finally:
            del self._buffers[count:]

    def read(self, addresses: np.ndarray, dtype: np.dtype) -> np.ndarray:
        """An element at each address."""
        data = np.empty((*addresses.shape, dtype.itemsize), np.uint8)
        for chosen, buffer, indices in self._locate(addresses, dtype.itemsize):
            data[chosen] = buffer[indices]
        return data.view(dtype)[..., 0]

    def write(self, addresses: np.ndarray, values: np.ndarray) -> None:
        """Store an element at each address; the last one stays where some are equal."""
        size = values.dtype.itemsize
        data = np.ascontiguousarray(values).reshape(*addresses.shape, 1).view(np.uint8)
        for chosen, buffer, indices in self._locate(addresses, size):
            buffer[indices] = data[chosen]

    def _locate(self, addresses: np.ndarray, size: int) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        parts = []
        numbers = addresses >> _BITS
        for number in np.unique(numbers):
            if not 0 < number <= len(self._buffers):
                raise Unmapped(f"the address {hex(addresses[numbers == number][0])} is of no array")
            buffer = self._buffers[int(number) - 1]
            chosen = numbers == number
            starts = (addresses[chosen] & _LOW) - _BEGIN
            beyond = (starts < 0) | (starts + size > len(buffer))
            if beyond.any():
                first = int(starts[beyond][0])
                raise Unmapped(f"byte {first} of memory of {len(buffer)} bytes is accessed")
            parts.append((chosen, buffer, starts[:, None] + np.arange(size)))
        return parts
