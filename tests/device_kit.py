"""Arrays in memory of a device, for tests: dpctl's or dpnp's, and where neither is installed a few functions of theirs.

`dpt` has the functions of `dpctl.tensor`. The arrays of the stand-in are known to pytl by their
`__sycl_usm_array_interface__` alone, as those of any other library.
"""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np

from pytl.devices.bootstrap import load_sycl
from pytl.devices.usm import LIBRARIES, UsmArray, library_name, shown_library, tensor_library

DPCTL = LIBRARIES[0]


class Exported:
    """An array that exports its memory, with what programs ask of arrays."""

    def __init__(self, memory: Any, host: np.ndarray, first: int = 0, writable: bool = True) -> None:
        """The array that lies in memory as `host` does, from the byte `first` on."""
        self.memory = memory
        self.flags = SimpleNamespace(writable=writable)
        self.place = (host.shape, host.dtype, tuple(stride // host.itemsize for stride in host.strides), first)

    @property
    def __sycl_usm_array_interface__(self) -> dict[str, Any]:
        shape, dtype, strides, first = self.place
        read_only = not (self.flags["W"] if isinstance(self.flags, dict) else self.flags.writable)
        data = {"data": (self.memory._pointer + first, read_only), "syclobj": self.memory.sycl_queue, "version": 1}
        return {**data, "shape": shape, "strides": strides, "typestr": dtype.str}

    def __getattr__(self, name: str) -> Any:
        if name in ("shape", "dtype", "strides", "sycl_queue", "sycl_device", "usm_type", "itemsize", "_pointer"):
            return getattr(UsmArray(self), name)
        raise AttributeError(name)

    def __getitem__(self, key: Any) -> Exported:
        keys = key if isinstance(key, tuple) else (key,)
        return self.seen(lambda host: host[keys if Ellipsis in keys else (*keys, ...)])

    def seen(self, view: Callable[[np.ndarray], np.ndarray]) -> Exported:
        """A view, which is found on memory of the host with this layout."""
        shape, dtype, strides, first = self.place
        reach = sum((n - 1) * stride for n, stride in zip(shape, strides)) + 1 if all(shape) else 1
        memory = np.empty(reach, dtype)
        part = view(np.lib.stride_tricks.as_strided(memory, shape, [stride * dtype.itemsize for stride in strides]))
        assert np.shares_memory(part, memory) or not part.size
        first += part.ctypes.data - memory.ctypes.data if part.size else 0
        return Exported(self.memory, part, first, self.flags.writable)

    def __setitem__(self, key: Any, value: Any) -> None:
        part = UsmArray(self[key])
        part[...] = np.asarray(_on_host(value), part.dtype)

    def __int__(self) -> int:
        return int(_on_host(self))

    def __iadd__(self, other: Any) -> Exported:
        self[...] = _on_host(self) + _on_host(other)
        return self


def _on_host(given: Any) -> Any:
    return UsmArray(given).copied() if isinstance(given, Exported) else given


class _Functions:
    """The functions of dpctl.tensor that tests call."""

    usm_ndarray = Exported

    @staticmethod
    def asarray(
        given: Any,
        dtype: Any = None,
        order: str | None = None,
        device: Any = None,
        sycl_queue: Any = None,
        usm_type: str = "device",
        **_: Any,
    ) -> Exported:
        import dpctl.memory as memory
        from dpctl._sycl_queue_manager import get_device_cached_queue

        host = np.array(_on_host(given), dtype=dtype, order=order or "K")
        kinds = {"device": memory.MemoryUSMDevice, "shared": memory.MemoryUSMShared, "host": memory.MemoryUSMHost}
        queue = sycl_queue or get_device_cached_queue(device or "opencl:cpu")
        held = kinds[usm_type](max(host.nbytes, 8), queue=queue)
        if host.size:
            held.copy_from_host(host.ravel(order="K").view(np.uint8))
        return Exported(held, host)

    def full(self, shape: Any, value: Any, dtype: Any = float, **rest: Any) -> Exported:
        return self.asarray(np.full(shape, value, dtype), **rest)

    def ones(self, shape: Any, dtype: Any = float, **rest: Any) -> Exported:
        return self.full(shape, 1, dtype, **rest)

    def zeros(self, shape: Any, dtype: Any = float, **rest: Any) -> Exported:
        return self.full(shape, 0, dtype, **rest)

    empty = zeros

    def arange(self, *numbers: Any, dtype: Any = None, **rest: Any) -> Exported:
        return self.asarray(np.arange(*numbers, dtype=dtype), **rest)

    def copy(self, array: Any, order: str = "K") -> Exported:
        return self.asarray(array, order=order)

    @staticmethod
    def asnumpy(array: Any) -> np.ndarray:
        return UsmArray(array).copied()

    @staticmethod
    def reshape(array: Exported, shape: Any, order: str = "C", copy: bool | None = None) -> Exported:
        return array.seen(lambda host: host.reshape(shape, order=order))

    @staticmethod
    def sum(array: Any) -> Any:
        return _on_host(array).sum()

    @staticmethod
    def any(array: Any) -> np.bool_:
        return _on_host(array).any()


class _Tensors:
    def __getattr__(self, name: str) -> Any:
        load_sycl()
        return getattr(tensor_library() or _Functions(), name)


dpt = _Tensors()

IMPORT = "import dpctl.tensor as dpt"
"""How programs of the manual begin to use dpctl's arrays."""


def with_arrays(program: str) -> str:
    """A program of the manual, with what stands in for dpctl's arrays where dpctl has none."""
    return program if library_name() == DPCTL else program.replace(IMPORT, "from device_kit import dpt")


def as_of_dpctl(shown: str) -> str:
    """What a program prints, as it would where dpctl has arrays."""
    return shown.replace(shown_library(), DPCTL)
