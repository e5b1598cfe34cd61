"""Which SYCL devices take kernels: those whose drivers read SPIR-V, and the one that is used where nobody names one.

A system often has drivers that compile OpenCL C alone, such as Debian's PoCL and Mesa. SYCL lists their devices with
the others, may choose one as the default, and says nothing of SPIR-V. So OpenCL is asked.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from functools import cache
from typing import Any

READS_SPIRV = ("opencl", "level_zero", "pyopencl")
"""The interfaces under which drivers may read SPIR-V; "pyopencl" is the backend `opencl`'s, whose devices all do."""

IL_VERSION, ADDRESS_BITS, NAME, DRIVER_VERSION = 0x105B, 0x100D, 0x102B, 0x102D
ALL_DEVICES = ctypes.c_uint64(0xFFFFFFFF)


def unavailable_reason(device: Any) -> str | None:
    """Why a `dpctl.SyclDevice` takes no kernels, in the words of a message; None where it does, or nobody says."""
    interface = device.backend.name
    if interface not in READS_SPIRV:
        return f"its driver, {interface} {device.driver_version}, takes no SPIR-V"
    if interface == "opencl" and _takes_spirv().get((device.name.strip(), device.driver_version)) is False:
        return f"its driver, {device.sycl_platform.name} {device.driver_version}, takes no SPIR-V"
    return None


def usable_devices() -> list[Any]:
    """The devices that take kernels."""
    import dpctl

    return [device for device in dpctl.get_devices() if unavailable_reason(device) is None]


def choose(named: str | None) -> Any:
    """The device of a filter string, such as "cpu"; without one, SYCL's default.

    Where that takes no kernels, the best of those that do and that the string names, too. Raises what dpctl raises for
    a string that names none.
    """
    import dpctl

    chosen = dpctl.SyclDevice(named) if named else dpctl.select_default_device()
    if unavailable_reason(chosen) is None:
        return chosen
    words = set(named.split(":")) if named else set()  # a number among them is of the device that was found
    others = [one for one in usable_devices() if words <= {one.backend.name, one.device_type.name}]
    return max(others, key=lambda one: one.default_selector_score, default=chosen)


@cache
def _takes_spirv() -> dict[tuple[str, str], bool]:
    """Of each device of OpenCL, by its name and its driver's version, whether it takes SPIR-V with 64-bit addresses."""
    try:
        opencl = ctypes.CDLL("libOpenCL.so.1")  # which dpctl has loaded, and no second one
        return {
            (_text(opencl, device, NAME), _text(opencl, device, DRIVER_VERSION)): (
                "SPIR-V" in _text(opencl, device, IL_VERSION)
                and int.from_bytes(_information(opencl, device, ADDRESS_BITS), "little") == 64
            )
            for device in _opencl_devices(opencl)
        }
    except (OSError, AttributeError):
        return {}


def _opencl_devices(opencl: ctypes.CDLL) -> Iterator[ctypes.c_void_p]:
    for platform in _listed(opencl.clGetPlatformIDs):
        yield from _listed(opencl.clGetDeviceIDs, platform, ALL_DEVICES)


def _listed(function: Any, *of: Any) -> list[ctypes.c_void_p]:
    """The handles that a function of OpenCL lists; it is asked for their number first."""
    count = ctypes.c_uint()
    if function(*of, ctypes.c_uint(0), None, ctypes.byref(count)):
        return []
    handles = (ctypes.c_void_p * count.value)()
    return [] if function(*of, count, handles, None) else [ctypes.c_void_p(handle) for handle in handles]


def _information(opencl: ctypes.CDLL, device: ctypes.c_void_p, what: int) -> bytes:
    """What a driver says of a device; nothing where it does not know the question, as before OpenCL 2.1."""
    size, number = ctypes.c_size_t(), ctypes.c_uint(what)
    if opencl.clGetDeviceInfo(device, number, ctypes.c_size_t(0), None, ctypes.byref(size)):
        return b""
    answer = ctypes.create_string_buffer(size.value)
    return b"" if opencl.clGetDeviceInfo(device, number, size, answer, None) else answer.raw


def _text(opencl: ctypes.CDLL, device: ctypes.c_void_p, what: int) -> str:
    return _information(opencl, device, what).rstrip(b"\0").decode("utf-8", "replace").strip()
