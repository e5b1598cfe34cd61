"""Memory of a device behind a `__sycl_usm_array_interface__`, where no library of arrays is installed.

dpctl has such arrays up to release 0.21, and dpnp from 0.20 on. Launches need memory with a data type, a shape and
strides, and copies from and to the host, and no more: `UsmArray` is that.
"""

from __future__ import annotations

import importlib
import importlib.machinery
import importlib.util
import math
import sys
from contextlib import suppress
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any

from .compilers import is_current

if TYPE_CHECKING:
    import numpy as np

LIBRARIES = ("dpctl.tensor", "dpnp.tensor")
"""The modules that have a `usm_ndarray`, with the functions of the array API."""
KINDS = "biufc"
"""The kinds of NumPy's data types that memory of a device may have."""


def tensor_library() -> ModuleType | None:
    """The installed module with arrays in memory of devices."""
    for name in LIBRARIES:
        with suppress(ImportError):
            return importlib.import_module(name)
    return None


def library_name() -> str | None:
    """The name of the installed module with arrays in memory of devices. Nothing is imported."""
    for name in LIBRARIES:
        package = importlib.util.find_spec(name.partition(".")[0])
        directories = package and package.submodule_search_locations
        if directories and importlib.machinery.PathFinder.find_spec(name, directories) is not None:
            return name
    return None


def shown_library() -> str:
    """What messages call that module: the installed one, or the one that this stack has."""
    return library_name() or LIBRARIES[is_current()]


def library_of(array: Any) -> ModuleType | None:
    """The module that an array in memory of a device is from; None for a `UsmArray`."""
    for name in LIBRARIES:
        module = sys.modules.get(name)
        if module is not None and isinstance(array, module.usm_ndarray):
            return module
    return None


class UsmArray:
    """An array on the memory of another object, which it keeps alive. Raises ValueError where that is malformed."""

    def __init__(self, exporter: Any) -> None:
        import dpctl.memory
        import numpy as np

        interface = dict(exporter.__sycl_usm_array_interface__)  # read once: what is checked is what is used
        self.base = exporter
        # dpctl checks that the memory is of the queue's context, too
        self.memory = dpctl.memory.as_usm_memory(SimpleNamespace(__sycl_usm_array_interface__=interface))
        self.dtype = np.dtype(interface["typestr"])
        if self.dtype.kind not in KINDS:
            raise ValueError(f"its elements are of type {self.dtype}")
        self.itemsize = self.dtype.itemsize
        self.shape = tuple(map(int, interface["shape"]))
        declared_strides = interface.get("strides")
        self.strides = _packed(self.shape) if declared_strides is None else tuple(map(int, declared_strides))
        if len(self.strides) != len(self.shape) or any(n < 0 for n in self.shape):
            raise ValueError(f"the shape is {self.shape}, and the strides are {self.strides}")
        if self.size * self.itemsize > sys.maxsize:
            raise ValueError(f"no memory holds the shape {self.shape}")
        reach = [(n - 1) * stride for n, stride in zip(self.shape, self.strides)] if self.size else []
        self._before = -sum(each for each in reach if each < 0)
        self._span = self._before + sum(each for each in reach if each > 0) + 1 if self.size else 0
        self._pointer = self.memory._pointer + self._before * self.itemsize
        address, read_only = interface["data"]
        if self.size and self._pointer != address + interface.get("offset", 0) * self.itemsize:
            raise ValueError("its memory does not begin where its data does")
        if self.size and self._pointer % self.dtype.alignment:
            raise ValueError(f"its memory begins at no multiple of {self.dtype.alignment} bytes")
        self.flags = SimpleNamespace(writable=not read_only)
        self.sycl_queue = self.memory.sycl_queue
        self.sycl_device = self.sycl_queue.sycl_device
        self.usm_type = self.memory.get_usm_type()

    @property
    def size(self) -> int:
        """The number of elements."""
        return math.prod(self.shape)

    @property
    def __sycl_usm_array_interface__(self) -> dict[str, Any]:
        return {
            "data": (self._pointer, not self.flags.writable),
            "shape": self.shape,
            "strides": self.strides,
            "typestr": self.dtype.str,
            "version": 1,
            "syclobj": self.sycl_queue,
        }

    def copied(self) -> np.ndarray:
        """The elements in memory of the host."""
        return self._elements_of(self._held()).copy(order="K")

    def __setitem__(self, all_of_it: Any, values: np.ndarray) -> None:
        """`array[...] = values`: write all elements. What lies between them is read before, and written again."""
        if self.size:
            held = self._held()
            self._elements_of(held)[...] = values
            self.memory.copy_from_host(held)

    def _held(self) -> np.ndarray:
        """A copy of the memory from the lowest to the highest element."""
        import numpy as np

        held = np.empty(self._span * self.itemsize, np.uint8)
        if self.size:
            self.memory.copy_to_host(held)
        return held

    def _elements_of(self, held: np.ndarray) -> np.ndarray:
        import numpy as np

        first = held.view(self.dtype)[self._before :]
        return np.lib.stride_tricks.as_strided(first, self.shape, [stride * self.itemsize for stride in self.strides])


def _packed(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Strides in elements, in C order."""
    strides, step = [], 1
    for n in reversed(shape):
        strides.append(step)
        step *= n
    return tuple(reversed(strides))


def on_host(array: Any) -> np.ndarray:
    """The elements of an array in memory of a device, in memory of the host."""
    library = library_of(array)
    return array.copied() if library is None else library.asnumpy(array)
