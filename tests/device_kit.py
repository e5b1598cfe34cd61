"""Arrays in memory of a device, for tests: dpctl's or dpnp's, and where neither is installed a few functions of theirs.

`dpt` has the functions of `dpctl.tensor`. The arrays of the stand-in are known to pytl by their
`__sycl_usm_array_interface__` alone, as those of any other library.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pytl.runtime.bootstrap import load_sycl
from pytl.runtime.usm import UsmArray, tensor_library


class Exported:
    """An array that exports its memory, with what programs ask of arrays."""

    def __init__(
        self, shape: Any, dtype: Any, strides: Any, memory: Any, writable: bool = True, offset: int = 0
    ) -> None:
        self.__sycl_usm_array_interface__ = {
            "data": (memory._pointer, not writable),
            "shape": tuple(shape),
            "strides": strides,
            "typestr": np.dtype(dtype).str,
            "version": 1,
            "syclobj": memory.sycl_queue,
            "offset": offset,
        }
        self.memory = memory

    @property
    def view(self) -> UsmArray:
        return UsmArray(self)

    def __getattr__(self, name: str) -> Any:
        if name in (
            "shape",
            "dtype",
            "strides",
            "sycl_queue",
            "sycl_device",
            "usm_type",
            "itemsize",
            "_pointer",
            "size",
        ):
            return getattr(self.view, name)
        raise AttributeError(name)


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

        host = np.array(given, dtype=dtype, order=order or "K")
        if dtype is None and host.dtype == float and not isinstance(given, np.ndarray):
            host = host.astype(np.float64)
        kinds = {"device": memory.MemoryUSMDevice, "shared": memory.MemoryUSMShared, "host": memory.MemoryUSMHost}
        queue = sycl_queue or get_device_cached_queue(device or "opencl:cpu")
        held = kinds[usm_type](max(host.nbytes, 8), queue=queue)
        if host.size:
            held.copy_from_host(host.ravel(order="K").view(np.uint8))
        return Exported(host.shape, host.dtype, tuple(s // host.itemsize for s in host.strides), held)

    def full(self, shape: Any, value: Any, dtype: Any = float, **rest: Any) -> Exported:
        return self.asarray(np.full(shape, value, dtype), **rest)

    def ones(self, shape: Any, dtype: Any = float, **rest: Any) -> Exported:
        return self.full(shape, 1, dtype, **rest)

    def zeros(self, shape: Any, dtype: Any = float, **rest: Any) -> Exported:
        return self.full(shape, 0, dtype, **rest)

    empty = zeros

    def arange(self, *numbers: Any, dtype: Any = None, **rest: Any) -> Exported:
        return self.asarray(np.arange(*numbers, dtype=dtype), **rest)

    @staticmethod
    def asnumpy(array: Any) -> np.ndarray:
        return (array if isinstance(array, UsmArray) else UsmArray(array)).copied()


class _Tensors:
    def __getattr__(self, name: str) -> Any:
        load_sycl()
        return getattr(tensor_library() or _Functions(), name)


dpt = _Tensors()
