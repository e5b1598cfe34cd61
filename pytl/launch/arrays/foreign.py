"""Arrays of other libraries, which export their memory to NumPy or dpctl without a copy.

torch, JAX and many others export it by DLPack; what is made for SYCL has a `__sycl_usm_array_interface__`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from enum import Enum
from typing import Any

from ...devices.absent import REMEDY as DPNP_REMEDY
from ...devices.bootstrap import SyclUnavailable, load_sycl
from ...devices.usm import UsmArray, tensor_library

# DLDeviceType of dlpack.h: what NumPy takes as memory of the host, what dpctl takes, and how others are called.
_HOST = frozenset({1, 3, 11})
_ONE_API = 14
_OTHERS = {2: "CUDA", 4: "OpenCL", 7: "Vulkan", 8: "Metal", 9: "VPI", 10: "ROCm", 13: "CUDA managed memory"}
_OTHERS |= {15: "WebGPU", 16: "Hexagon", 17: "MAIA"}


class ExportRefused(Exception):
    """An array that cannot be imported: the message after its name, and the help."""

    def __init__(self, message: str, help: str) -> None:
        super().__init__(message, help)
        self.message = message
        self.help = help


def import_usm(exporter: Any) -> Any:
    """The usm_ndarray on the memory of a `__sycl_usm_array_interface__`, or a UsmArray where no library has that.

    Raises ExportRefused.
    """
    _require_dpctl("has a __sycl_usm_array_interface__")
    tensor = tensor_library()
    if tensor is None:
        return _attempt(exporter, UsmArray, exporter)

    def take(array: Any) -> Any:
        imported = tensor.asarray(array, copy=False)
        if array.__sycl_usm_array_interface__["data"][1]:  # dpctl 0.17 does not look at it
            imported.flags.writable = False
        return imported

    return _attempt(exporter, take, exporter)


def supports_dlpack(candidate: Any) -> bool:
    """Whether an object exports its memory. Classes don't, though they have the methods of their objects."""
    return (
        not isinstance(candidate, type) and hasattr(candidate, "__dlpack__") and hasattr(candidate, "__dlpack_device__")
    )


def import_dlpack(exporter: Any) -> Any:
    """The NumPy array or usm_ndarray on what an object exports by DLPack; raises ExportRefused.

    A device array is on dpctl's own queue of its device, since DLPack knows no queues.
    """
    kind, number = _device_of(exporter)
    if kind in _HOST:
        return _of_host(exporter)
    if kind == _ONE_API:
        return _of_one_api(exporter)
    name = _OTHERS.get(kind, f"a device of DLPack's type {kind}")
    raise ExportRefused(
        f"is on {name}, device {number}, which pytl does not support",
        "copy it to the host, as with .cpu(), or to a oneAPI device",
    )


def _device_of(exporter: Any) -> tuple[int, int]:
    try:
        kind, number = exporter.__dlpack_device__()
        return int(kind.value if isinstance(kind, Enum) else kind), int(number)
    except Exception as error:
        raise _failed(exporter, "does not report its device", error) from error


def _of_host(exporter: Any) -> Any:
    import numpy

    wrapped = _Exporter(_with_known_elements(exporter))
    array = _attempt(exporter, numpy.from_dlpack, wrapped)
    if not array.flags.writeable and wrapped.is_unversioned and not _is_read_only(exporter):
        return numpy.asarray(_Writable(array))
    return array


def _with_known_elements(exporter: Any) -> Any:
    """The same memory as uint16, where an array is one of torch's bfloat16, which NumPy does not take by DLPack.

    pytl takes the bits for bf16.
    """
    if str(getattr(exporter, "dtype", "")) != "torch.bfloat16":
        return exporter
    return _attempt(exporter, lambda array: array.view(sys.modules["torch"].uint16), exporter)


def _of_one_api(exporter: Any) -> Any:
    why = "is on a oneAPI device"
    _require_dpctl(why)
    tensor = tensor_library()
    if tensor is None:
        help = f"{DPNP_REMEDY}; or pass a NumPy array, or one with a __sycl_usm_array_interface__"
        raise ExportRefused(f"{why}, and DLPack's memory is taken by dpnp there, which is not installed", help)
    return _attempt(exporter, lambda array: tensor.from_dlpack(array, copy=False), exporter)


def _require_dpctl(why: str) -> None:
    try:
        load_sycl()
    except SyclUnavailable as missing:
        raise ExportRefused(f"{why}, but {missing.reason}", missing.advice) from missing


def _attempt(exporter: Any, take: Callable[[Any], Any], source: Any) -> Any:
    try:
        return take(source)
    except Exception as error:
        raise _failed(exporter, "is not exported", error) from error


def _failed(exporter: Any, what: str, error: Exception) -> ExportRefused:
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return ExportRefused(f"{what}: {lines[0]}", f"{type(exporter).__name__} says so; a copy as a NumPy array will do")


class _Exporter:
    """Exports an object's capsule, and records its kind."""

    def __init__(self, exporter: Any) -> None:
        self.exporter = exporter
        self.is_unversioned = False

    def __dlpack_device__(self) -> Any:
        return self.exporter.__dlpack_device__()

    def __dlpack__(self, **options: Any) -> Any:
        capsule = self.exporter.__dlpack__(**options)
        # a capsule's name, which its repr shows, is "dltensor" or "dltensor_versioned"
        self.is_unversioned = '"dltensor"' in repr(capsule)
        return capsule


def _is_read_only(exporter: Any) -> bool:
    """Whether the object's buffer says that its memory is read-only; JAX's says so, and torch's tensors have none."""
    try:
        return memoryview(exporter).readonly
    except Exception:  # it has no buffer, or none that Python knows the elements of
        return False


class _Writable:
    """The memory of a NumPy array, to be written.

    A capsule without a version cannot tell whether its memory may be written, and NumPy makes a read-only array of
    it. Whoever exports memory that is read-only has to refuse such a capsule, as NumPy itself does.
    """

    def __init__(self, array: Any) -> None:
        self.array = array
        interface = array.__array_interface__
        self.__array_interface__ = {**interface, "data": (interface["data"][0], False)}
