"""Devices and queues of OpenCL, with the names that launches read of dpctl's."""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Sequence
from functools import cached_property
from threading import Lock
from types import SimpleNamespace
from typing import Any

import numpy as np

from ...diagnostics import PlatformError, Rule
from ...process import forks
from ..numba_dpex.launch import FORMS, Array, LaunchError, SpirvKernel
from ..numba_dpex.queues import OtherQueue
from ..numba_dpex.spirv import capabilities
from .functions import ALL_HOST_MEMORY, LARGEST_SUBGROUP, SUBGROUP_SIZES, SVM_POINTERS, Refused, api

COARSE_SVM, SYSTEM_SVM = 1, 4
"""Bits of CL_DEVICE_SVM_CAPABILITIES: memory that is allocated for both, and all memory of the host."""

EXTENSIONS = {9: "cl_khr_fp16", 10: "cl_khr_fp64", 12: "cl_khr_int64_base_atomics"}
"""The extensions of OpenCL that SPIR-V's capabilities Float16, Float64 and Int64Atomics stand for."""

NO_EXTENSION = Rule(
    "PYTL-3313",
    "an OpenCL device has the extensions that a kernel's arithmetic and atomics need",
    "Devices",
    explanation="These are cl_khr_fp64 for f64 and c64, cl_khr_fp16 where code computes in half precision, and "
    "cl_khr_int64_base_atomics for atomics of 64 bits.",
)


class Device:
    """A device, with the properties of `dpctl.SyclDevice` that launches read."""

    parent_device = None
    backend = SimpleNamespace(name="pyopencl")
    filter_string = ""

    def __init__(self, device: Any) -> None:
        import pyopencl as cl

        self.device = device
        self.name = device.name.strip()
        self.driver_version = device.driver_version
        self.vendor = device.vendor.strip()
        self.platform = device.platform.name.strip()
        self.is_cpu = bool(device.type & cl.device_type.CPU)
        self.kind = "cpu" if self.is_cpu else "gpu" if device.type & cl.device_type.GPU else "accelerator"
        self.max_compute_units = device.max_compute_units
        self.max_work_group_size = device.max_work_group_size
        self.local_mem_size = device.local_mem_size
        self.global_mem_size = device.global_mem_size
        self.native_vector_width_float = device.native_vector_width_float
        self.has_aspect_fp64 = bool(device.double_fp_config)
        self.svm = _or_zero(lambda: device.svm_capabilities)
        self.extensions = frozenset(device.extensions.split())

    @property
    def has_aspect_usm_system_allocations(self) -> bool:
        """Whether kernels work on NumPy arrays in place."""
        return bool(self.svm & SYSTEM_SVM)

    @property
    def takes_spirv(self) -> bool:
        """Whether the driver reads SPIR-V for devices with addresses of 64 bits."""
        import pyopencl as cl

        try:
            return self.device.address_bits == 64 and "SPIR-V" in self.device.get_info(cl.device_info.IL_VERSION)
        except cl.Error:
            return False

    @cached_property
    def sub_group_sizes(self) -> Sequence[int]:
        """The sizes that a kernel may demand; none where the driver does not say."""
        sizes, length = (ctypes.c_size_t * 32)(), ctypes.c_size_t()
        try:
            device = ctypes.c_void_p(self.device.int_ptr)
            api().clGetDeviceInfo(device, SUBGROUP_SIZES, ctypes.c_size_t(256), sizes, ctypes.byref(length))
        except Refused:
            return ()
        return tuple(sizes[: length.value // 8])


def _or_zero(read: Any) -> int:
    import pyopencl as cl

    try:
        return int(read())
    except (cl.Error, AttributeError):
        return 0


class Queue(OtherQueue):
    """The queue of a device, which is in order."""

    def __init__(self, device: Device) -> None:
        import pyopencl as cl

        self.sycl_device = device
        self.sycl_context = cl.Context([device.device])
        self._queue = cl.CommandQueue(self.sycl_context, device.device)
        self.address = ctypes.c_void_p(self._queue.int_ptr)
        self._shared: weakref.WeakSet[SharedMemory] = weakref.WeakSet()
        self.sharing = forks.rlock()
        """Held by launches, which list what is shared, and by what is given back."""

    @property
    def has_addresses(self) -> bool:
        """Whether memory has addresses that the kernels know, so that tables of addresses can be passed."""
        return bool(self.sycl_device.svm & (COARSE_SVM | SYSTEM_SVM))

    @property
    def shared(self) -> Sequence[SharedMemory]:
        """What is allocated for host and device, which kernels find through tables of addresses."""
        with self.sharing:
            return [memory for memory in self._shared if memory._pointer]

    def share(self, memory: SharedMemory) -> None:
        """Let kernels find memory."""
        with self.sharing:
            self._shared.add(memory)

    def load(self, kernel: SpirvKernel) -> Kernel:
        return Kernel(self, kernel)

    def machine_code(self, kernel: Kernel) -> bytes | None:
        return kernel.machine_code()

    def to_device(self, flat: np.ndarray) -> SharedMemory | BufferMemory:
        return SharedMemory(self, flat) if self.has_addresses else BufferMemory(self, flat)

    def wait(self) -> None:
        self._queue.finish()


class Kernel:
    """A kernel built for a queue's device."""

    def __init__(self, queue: Queue, kernel: SpirvKernel) -> None:
        self.kernel = kernel
        device = queue.sycl_device
        _check_extensions(kernel, device)
        import pyopencl as cl

        self._program = cl.Program(queue.sycl_context, kernel.spirv)
        # pyopencl's own `build` warns of the driver's remarks
        program, none = ctypes.c_void_p(self._program.int_ptr), ctypes.c_void_p()
        api().clBuildProgram(program, ctypes.c_uint(0), none, b"", none, none)
        self._made = cl.Kernel(self._program, kernel.name)
        self._address = ctypes.c_void_p(self._made.int_ptr)
        self._lock: Lock = forks.lock()  # arguments are the kernel's until it is submitted
        self.sycl_kernel = SimpleNamespace(max_sub_group_size=self._largest_subgroup(device))
        if device.has_aspect_usm_system_allocations:
            one = ctypes.byref(ctypes.c_uint(1))
            api().clSetKernelExecInfo(self._address, ALL_HOST_MEMORY, ctypes.c_size_t(4), one)

    def machine_code(self) -> bytes | None:
        """What the driver made; None where it does not give it."""
        import pyopencl as cl

        try:
            (binary,) = self._program.get_info(cl.program_info.BINARIES)
        except (cl.Error, ValueError):
            return None
        return bytes(binary) or None

    def _largest_subgroup(self, device: Device) -> int | None:
        shape, largest = (ctypes.c_size_t * 1)(device.max_work_group_size), ctypes.c_size_t()
        at = ctypes.c_void_p(device.device.int_ptr)
        size = ctypes.c_size_t(8)
        try:
            api().clGetKernelSubGroupInfo(
                self._address, at, LARGEST_SUBGROUP, size, shape, size, ctypes.byref(largest), None
            )
        except Refused:
            return None
        return largest.value

    def submit(
        self, queue: Queue, arguments: Sequence[Any], groups: int, items: int, depends: Sequence[Any] = ()
    ) -> Event:
        """Launch `groups` work-groups of `items` work-items, after everything that was submitted before.

        A scalar is given as a number, an array as its address, or as the buffer that has its copy.
        """
        if groups == 0:
            return Event(None)
        with self._lock, queue.sharing:
            shared = queue.shared  # lives until the launch is submitted, so that the driver finds no freed memory
            self._write(arguments, queue.has_addresses)
            if shared:
                listed = (ctypes.c_void_p * len(shared))(*(memory._pointer for memory in shared))
                length = ctypes.c_size_t(ctypes.sizeof(listed))
                api().clSetKernelExecInfo(self._address, SVM_POINTERS, length, listed)
            size, shape = ctypes.c_size_t(groups * items), ctypes.c_size_t(items)
            event = ctypes.c_void_p()
            pointer = ctypes.byref
            none = ctypes.c_uint(0)
            api().clEnqueueNDRangeKernel(
                queue.address, self._address, 1, None, pointer(size), pointer(shape), none, None, pointer(event)
            )
        return Event(event)

    def _write(self, arguments: Sequence[Any], has_addresses: bool) -> None:
        functions, argument_index = api(), 0
        for kind, argument in zip(self.kernel.signature, arguments):
            number = ctypes.c_uint(argument_index)
            if isinstance(kind, Array):
                argument_index += 1
                if isinstance(argument, int) and has_addresses:
                    functions.clSetKernelArgSVMPointer(self._address, number, ctypes.c_void_p(argument))
                else:
                    # an array without elements has no buffer
                    buffer = ctypes.c_void_p(None if isinstance(argument, int) else argument.int_ptr)
                    functions.clSetKernelArg(self._address, number, ctypes.c_size_t(8), ctypes.byref(buffer))
                continue
            letter, _, count = FORMS[kind.dtype]
            for part in (argument,) if count == 1 else (argument.real, argument.imag):
                value = _C_TYPES[letter](part)
                size = ctypes.c_size_t(ctypes.sizeof(value))
                functions.clSetKernelArg(self._address, ctypes.c_uint(argument_index), size, ctypes.byref(value))
                argument_index += 1


def _check_extensions(kernel: SpirvKernel, device: Device) -> None:
    needed = {EXTENSIONS[number] for number in capabilities(kernel.spirv) if number in EXTENSIONS}
    missing = sorted(needed - device.extensions)
    if missing:
        message = f"{kernel.name} needs {', '.join(missing)}, which {device.name} does not have"
        raise PlatformError.single(NO_EXTENSION, message, help="use narrower types, or another device")


_C_TYPES: dict[str, Any] = {
    "b": ctypes.c_int8,
    "h": ctypes.c_int16,
    "i": ctypes.c_int32,
    "q": ctypes.c_int64,
    "f": ctypes.c_float,
    "d": ctypes.c_double,
}


class Event:
    """The end of a launch; `None` is one that has ended."""

    def __init__(self, event: ctypes.c_void_p | None) -> None:
        self._event = event

    def wait(self) -> None:
        """Wait for it. Raises `LaunchError` where the device failed."""
        if self._event is not None:
            try:
                api().clWaitForEvents(ctypes.c_uint(1), ctypes.byref(self._event))
            except Refused as error:
                raise LaunchError(str(error)) from None

    def __del__(self) -> None:
        if self._event is not None:
            api().clReleaseEvent(self._event)


class SharedMemory:
    """A copy of an array in memory that is allocated for host and device, at one address for both."""

    def __init__(self, queue: Queue, flat: np.ndarray) -> None:
        self._queue, self._size = queue, max(flat.nbytes, 1) + 3 & ~3  # whole words, as in `memory.to_device`
        self._context = ctypes.c_void_p(queue.sycl_context.int_ptr)
        size = ctypes.c_size_t(self._size)
        self._pointer = api().clSVMAlloc(self._context, ctypes.c_uint64(1), size, ctypes.c_uint(0))
        if not self._pointer:
            raise LaunchError(f"The OpenCL driver has no {self._size} bytes of memory.")
        if flat.nbytes:
            self._copy(self._pointer, np.ascontiguousarray(flat).ctypes.data, flat.nbytes)
        queue.share(self)

    def _copy(self, target: int, source: int, size: int) -> None:
        waits, none = ctypes.c_uint(1), ctypes.c_uint(0)
        to, of, count = ctypes.c_void_p(target), ctypes.c_void_p(source), ctypes.c_size_t(size)
        api().clEnqueueSVMMemcpy(self._queue.address, waits, to, of, count, none, None, None)

    def copy_to_host(self) -> np.ndarray:
        """All bytes."""
        held = np.empty(self._size, np.uint8)
        self._copy(held.ctypes.data, self._pointer, self._size)
        return held

    def __del__(self) -> None:
        # while this runs, a weak reference still leads here
        with self._queue.sharing:
            pointer, self._pointer = getattr(self, "_pointer", None), None
        if pointer:
            api().clSVMFree(self._context, ctypes.c_void_p(pointer))


class BufferMemory:
    """A copy of an array in a buffer, for devices that share no addresses with the host."""

    def __init__(self, queue: Queue, flat: np.ndarray) -> None:
        import pyopencl as cl

        self._queue, self._size = queue._queue, max(flat.nbytes, 1) + 3 & ~3
        self._pointer = cl.Buffer(queue.sycl_context, cl.mem_flags.READ_WRITE, self._size)
        if flat.nbytes:
            cl.enqueue_copy(self._queue, self._pointer, np.ascontiguousarray(flat).view(np.uint8), is_blocking=True)

    def copy_to_host(self) -> np.ndarray:
        """All bytes."""
        import pyopencl as cl

        held = np.empty(self._size, np.uint8)
        cl.enqueue_copy(self._queue, held, self._pointer, is_blocking=True)
        return held
