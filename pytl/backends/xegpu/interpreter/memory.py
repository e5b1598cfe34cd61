"""Memory: buffers, each in a range of addresses of its own, so that no address leads from one into another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import numpy as np

BITS = 40
"""How many bits of an address are the place in its buffer."""
_LOW = (1 << BITS) - 1
_BEGIN = 1 << 20
"""Where a buffer begins in its range: small distances before it are in no buffer."""


_LASTING = 1 << 22
"""The number of the first buffer that lasts."""


class Unmapped(Exception):
    """An address that is in no buffer."""


class Memory:
    """The bytes of arguments and of local memory, by address."""

    def __init__(self) -> None:
        self._buffers: list[np.ndarray] = []
        self._lasting: list[np.ndarray] = []

    def add(self, array: np.ndarray) -> int:
        """The address of a contiguous array, whose memory is shared."""
        self._buffers.append(array.reshape(-1).view(np.uint8))
        return (len(self._buffers) << BITS) + _BEGIN

    def add_for_good(self, array: np.ndarray) -> int:
        """The address of an array that stays when a work-group ends."""
        self._lasting.append(array.reshape(-1).view(np.uint8))
        return ((_LASTING + len(self._lasting) - 1) << BITS) + _BEGIN

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Take away at the end what is added meanwhile: the local memory of a work-group."""
        count = len(self._buffers)
        try:
            yield
        finally:
            del self._buffers[count:]

    def remove(self, address: int) -> bool:
        """Take away the buffer that begins at an address; whether there is one."""
        number = (address >> BITS) - 1
        if not 0 <= number < len(self._buffers) or (address & _LOW) != _BEGIN or self._buffers[number] is _GONE:
            return False
        self._buffers[number] = _GONE
        return True

    def array(self, address: int, sizes: Sequence[int], strides: Sequence[int], dtype: np.dtype) -> np.ndarray:
        """Elements as an array that shares their memory; strides in elements. Raises `Unmapped`."""
        if 0 in sizes:
            return np.empty(sizes, dtype)
        span = 1 + sum((size - 1) * stride for size, stride in zip(sizes, strides))
        ends = np.array([address, address + (span - 1) * dtype.itemsize])
        parts = self._located(ends, dtype.itemsize)
        if len(parts) != 1:
            raise Unmapped("a memref begins in one array, and ends in another one")
        _, buffer, starts = parts[0]
        begin = int(starts[0])
        flat = buffer[begin : begin + span * dtype.itemsize].view(dtype)
        return np.lib.stride_tricks.as_strided(flat, sizes, [stride * dtype.itemsize for stride in strides])

    def read(self, addresses: np.ndarray, dtype: np.dtype) -> np.ndarray:
        """An element at each address."""
        data = np.empty(addresses.shape, dtype)
        for chosen, buffer, starts in self._located(addresses, dtype.itemsize):
            whole = _aligned(buffer, starts, dtype)
            if whole is not None:
                data[chosen] = whole[starts // dtype.itemsize]
            else:
                data[chosen] = buffer[_bytes(starts, dtype.itemsize)].view(dtype)[..., 0]
        return data

    def write(self, addresses: np.ndarray, values: np.ndarray) -> None:
        """Store an element at each address; the last one stays where some are equal."""
        dtype = values.dtype
        for chosen, buffer, starts in self._located(addresses, dtype.itemsize):
            whole = _aligned(buffer, starts, dtype)
            if whole is not None:
                whole[starts // dtype.itemsize] = values[chosen]
            else:
                data = np.ascontiguousarray(values[chosen]).reshape(-1, 1).view(np.uint8)
                buffer[_bytes(starts, dtype.itemsize)] = data

    def bytes_at(self, address: int, size: int) -> np.ndarray:
        """The bytes of a buffer from an address on, of which there are so many at least. Raises `Unmapped`."""
        ((_, buffer, starts),) = self._located(np.array([address]), size)
        return buffer[int(starts[0]) :]

    def _located(self, addresses: np.ndarray, size: int) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """Of each buffer which addresses are in it, and where they are."""
        parts = []
        numbers = addresses >> BITS
        for number in np.unique(numbers):
            if 0 < number <= len(self._buffers):
                buffer = self._buffers[int(number) - 1]
            elif 0 <= number - _LASTING < len(self._lasting):
                buffer = self._lasting[int(number) - _LASTING]
            else:
                raise Unmapped(f"the address {hex(addresses[numbers == number][0])} is of no array")
            if buffer is _GONE:
                raise Unmapped("memory is accessed that has been given back")
            chosen = numbers == number
            starts = (addresses[chosen] & _LOW) - _BEGIN
            beyond = (starts < 0) | (starts + size > len(buffer))
            if beyond.any():
                first = int(starts[beyond][0])
                raise Unmapped(f"byte {first} of memory of {len(buffer)} bytes is accessed")
            parts.append((chosen, buffer, starts))
        return parts


_GONE = np.empty(0, np.uint8)
"""Stands for a buffer that was given back."""


def _bytes(starts: np.ndarray, size: int) -> np.ndarray:
    return starts[:, None] + np.arange(size)


def _aligned(buffer: np.ndarray, starts: np.ndarray, dtype: np.dtype) -> np.ndarray | None:
    """The buffer as elements of a type, where all places are multiples of its size."""
    if len(buffer) % dtype.itemsize or (starts % dtype.itemsize).any():
        return None
    return buffer.view(dtype)
