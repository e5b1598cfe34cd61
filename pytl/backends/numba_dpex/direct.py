"""Launches that are waited for, given to the queue of OpenCL that lies beneath a SYCL queue.

SYCL makes objects of its own for each launch, and passes all arguments anew: a launch with two arrays takes 7 µs with
the wait for its end, and 4 µs here. The order stays that of the SYCL queue: whatever was submitted to it has ended
before, and `SyclQueue.wait` waits for these launches, too. Only queues without an order of their own have them, on
processors under OpenCL.
"""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any

from . import machine_code
from .queues import OtherQueue

INDIRECT_ACCESSES = (0x4200, 0x4201, 0x4202)
"""What a kernel may reach by addresses in memory: allocations of the host, of the device, and shared ones."""
DEVICE_PLATFORM = 0x1031
SLOT = 8
"""Bytes of an argument's slot, and of the place of a number."""
SET_ADDRESS = b"clSetKernelArgMemPointerINTEL"
_NOTHING, _ZERO, _ONE = ctypes.c_void_p(), ctypes.c_uint(0), ctypes.c_uint(1)


class DirectLaunch:
    """A kernel of OpenCL with arguments of its own, one launch at a time: see `direct_launch`."""

    def __init__(self, queue: int, kernel: int, set_address: Any, slots: Any, numbers: Any, sizes: Sequence[int]):
        weakref.finalize(self, _release, queue, kernel).atexit = False
        self._functions = functions = _functions()
        self._numbers = memoryview(numbers).cast("B").cast("q") if sizes else ()
        self._known: list[int | None] = [None] * len(sizes)
        self._setters: list[Callable[[], int]] = []
        """What passes on a number; of an address nothing."""
        self._set_address = set_address
        self._addresses: list[tuple[Any, Any, Any]] = []
        """What that is given for each address."""
        of_kernel = ctypes.c_void_p(kernel)
        for number, size in enumerate(sizes):
            given = (of_kernel, ctypes.c_uint(number))
            if size:
                where = ctypes.c_size_t(size), ctypes.c_void_p(slots[number])
                self._setters.append(partial(functions["clSetKernelArg"], *given, *where))
            else:
                self._setters.append(lambda: 0)
                self._addresses.append((*given, ctypes.c_void_p.from_buffer(slots, number * SLOT)))
        self._global, self._local = ctypes.c_size_t(), ctypes.c_size_t()
        ranges = ctypes.byref(self._global), ctypes.byref(self._local)
        self._call = (ctypes.c_void_p(queue), of_kernel, _ONE, _NOTHING, *ranges, _ZERO, _NOTHING)
        self._enqueue = functions["clEnqueueNDRangeKernel"]
        self.delete: Callable[[Any], Any] = functions["clReleaseEvent"]
        """What an event is given to behind the wait."""

    def write(self) -> bool:
        """Pass on the numbers that have changed, and all addresses. False where OpenCL refuses an argument.

        With an address, the driver keeps what it knows of the memory there. When this is freed, and other memory begins
        at the same address, what it has kept is gone, and a launch would read it.
        """
        numbers = list(self._numbers)
        if numbers != self._known:
            for place, number in enumerate(numbers):
                if number != self._known[place]:
                    self._known[place] = None  # until it is known again: Ctrl-C may come in between
                    if self._setters[place]():
                        return False
                    self._known[place] = number
        set_address = self._set_address
        return not any(set_address(*each) for each in self._addresses)

    def submit(self, items: int, local_items: int) -> Any:
        """Launch work-items. Returns the event, None where OpenCL refuses the launch."""
        self._global.value, self._local.value = items, local_items
        event = ctypes.c_void_p()
        return None if self._enqueue(*self._call, ctypes.byref(event)) else event

    def wait(self, event: Any) -> None:
        """Wait for an event. Raises RuntimeError where the device failed."""
        code = self._functions["clWaitForEvents"](_ONE, ctypes.byref(event))
        if code:
            raise RuntimeError(f"clWaitForEvents of the OpenCL driver returns {code}.")


def direct_launch(queue: Any, loaded: Any, slots: Any, numbers: Any, sizes: Sequence[int]) -> DirectLaunch | None:
    """Launches of a loaded kernel; None where the queue has none.

    An argument of `sizes` bytes, more than 0, is a number that lies in `numbers`, where its slot leads to; others are
    addresses, which are in their slots.
    """
    if isinstance(queue, OtherQueue) or queue.is_in_order:
        return None
    functions = machine_code.functions_of_drivers()
    if functions is None or not machine_code.is_for(queue):
        return None
    set_address = _setter_of_addresses(functions, queue)
    kernel = _new_kernel(functions, loaded) if set_address is not None else None
    if kernel is None:
        return None
    native = functions[machine_code.NATIVE_QUEUE](queue.addressof_ref(), ctypes.byref(ctypes.c_int()))
    return DirectLaunch(native, kernel, set_address, slots, numbers, sizes)


def _new_kernel(functions: Any, loaded: Any) -> int | None:
    """Another OpenCL kernel of the same code, whose arguments nobody else sets."""
    native = functions[machine_code.NATIVE_KERNEL](loaded.sycl_kernel.addressof_ref())
    program = machine_code.asked(functions["clGetKernelInfo"], (native, machine_code.KERNEL_PROGRAM), ctypes.c_void_p())
    kernel: int | None = functions["clCreateKernel"](program, loaded.kernel.name.encode(), None) if program else None
    functions["clReleaseKernel"](native)
    yes = ctypes.byref(ctypes.c_uint(1))
    if kernel and any(functions["clSetKernelExecInfo"](kernel, each, 4, yes) for each in INDIRECT_ACCESSES):
        functions["clReleaseKernel"](kernel)
        return None
    return kernel or None


def _setter_of_addresses(functions: Any, queue: Any) -> Any:
    """The function of the platform that passes an address in USM; None where it has none."""
    device = functions[machine_code.NATIVE_DEVICE](queue.sycl_device.addressof_ref())
    platform = machine_code.asked(functions["clGetDeviceInfo"], (device, DEVICE_PLATFORM), ctypes.c_void_p())
    functions["clReleaseDevice"](device)
    find = functions["clGetExtensionFunctionAddressForPlatform"]
    address = find(platform, SET_ADDRESS) if platform else None
    return ctypes.CFUNCTYPE(ctypes.c_int)(address) if address else None


@cache
def _functions() -> dict[str, Any]:
    """Functions without declared types, which launches pass objects of ctypes: to convert arguments takes longer."""
    library = ctypes.CDLL("libOpenCL.so.1")
    names = ("clSetKernelArg", "clEnqueueNDRangeKernel", "clWaitForEvents", "clReleaseEvent")
    return {name: library[name] for name in names}


def _release(queue: int, kernel: int) -> None:
    functions = machine_code.functions_of_drivers()
    assert functions is not None, "the kernel was made by them"
    functions["clReleaseKernel"](kernel)
    functions["clReleaseCommandQueue"](queue)
