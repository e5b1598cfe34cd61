"""Launching SPIR-V kernels with dpctl alone: a kernel out of the compilation cache runs without numba.

A launch goes through the C functions of dpctl's library, as numba-dpex's own do, and not through
`SyclQueue.submit`. That one takes an array only as a memory object, which costs 4 µs to make for each array,
and the one that an array has at hand (`usm_data`) begins where the allocation does, not where the array does.
"""

from __future__ import annotations

import ctypes
import struct
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytl.runtime.bootstrap import load_sycl

from . import spirv

if TYPE_CHECKING:
    import dpctl

# A scalar of an element type to a launch: struct's letter, dpctl's DPCTLKernelArgType, and how many of them
# it takes.
FORMS = {
    "i8": ("b", 0, 1),
    "i16": ("h", 2, 1),
    "i32": ("i", 4, 1),
    "i64": ("q", 6, 1),
    "f16": ("f", 8, 1),
    "bf16": ("f", 8, 1),
    "f32": ("f", 8, 1),
    "f64": ("d", 9, 1),
    "c32": ("f", 8, 2),
    "c64": ("d", 9, 2),
}
POINTER_ARGUMENT = 10
SLOT = 8


@dataclass(frozen=True)
class Array:
    """The kind of a parameter that is an array of an element type: `Array("f32")`, `Array("bf16")`."""

    dtype: str


@dataclass(frozen=True)
class Scalar:
    """The kind of a parameter that is a number: `Scalar("i64")`; `f16` and `bf16` travel as float32."""

    dtype: str


ParamKind = Array | Scalar


@dataclass(frozen=True)
class SpirvKernel:
    """A compiled kernel, with all that is needed to launch it."""

    spirv: bytes
    name: str
    signature: tuple[ParamKind, ...]


class LaunchError(RuntimeError):
    """The SYCL run time refused a launch."""


class LoadedKernel:
    """A kernel built for the devices of a queue's context."""

    def __init__(self, queue: dpctl.SyclQueue, kernel: SpirvKernel) -> None:
        import dpctl.program

        self.kernel = kernel
        self.program = dpctl.program.create_program_from_spirv(queue, kernel.spirv)
        self.sycl_kernel = self.program.get_sycl_kernel(kernel.name)
        self._reference = self.sycl_kernel.addressof_ref()
        self._pack, types, self._pointers = _layout(kernel.signature)
        self._count = len(types)
        # dpctl copies the arguments while it submits: one set of slots a kernel will do, for one launch at
        # a time.
        self._slots = ctypes.create_string_buffer(SLOT * self._count)
        self._types = (ctypes.c_int * self._count)(*types)
        first = ctypes.addressof(self._slots)
        self._arguments = (ctypes.c_void_p * self._count)(*(first + SLOT * k for k in range(self._count)))
        self._global_range, self._local_range = (ctypes.c_size_t * 3)(1, 1, 1), (ctypes.c_size_t * 3)(1, 1, 1)
        self._lock = threading.Lock()

    def submit(
        self,
        queue: dpctl.SyclQueue,
        arguments: Sequence[Any],
        groups: int,
        items: int,
        depends: Iterable[dpctl.SyclEvent] = (),
    ) -> dpctl.SyclEvent:
        """Launch `groups` work-groups of `items` work-items.

        A scalar is given as a number, an array as its address in USM, which may be in the middle of an
        allocation. The memory must live until the event that is returned has completed.
        """
        signature = self.kernel.signature
        if len(arguments) != len(signature):
            raise TypeError(f"{self.kernel.name} takes {len(signature)} arguments, not {len(arguments)}")
        depends = tuple(depends)
        if groups == 0:  # not an nd-range to SYCL
            return queue.submit_barrier(list(depends))
        if groups * items >= 2**63:  # ctypes would drop the upper bits
            raise LaunchError(f"SYCL does not count {groups} work-groups of {items} work-items.")
        flat: list[Any] = []
        for kind, argument in zip(signature, arguments, strict=True):
            if isinstance(kind, Scalar) and kind.dtype in ("c32", "c64"):
                flat += (argument.real, argument.imag)
            else:
                flat.append(argument)
        interface = _interface()
        events = (ctypes.c_void_p * len(depends))(*(event.addressof_ref() for event in depends))
        with self._lock:
            self._pack.pack_into(self._slots, 0, *flat)
            for place in self._pointers:
                self._arguments[place] = flat[place]
            self._global_range[0] = groups * items
            self._local_range[0] = items
            event = interface.DPCTLQueue_SubmitNDRange(
                self._reference,
                queue.addressof_ref(),
                self._arguments,
                self._types,
                self._count,
                self._global_range,
                self._local_range,
                1,
                events,
                len(depends),
            )
        if not event:
            size = f"{groups} work-groups of {items} work-items"
            raise LaunchError(f"The SYCL run time refused to launch {self.kernel.name} with {size}.")
        return _python_event(interface, event)


def has_subgroups(queue: dpctl.SyclQueue, loaded: LoadedKernel, size: int) -> bool:
    """Whether a kernel executes in sub-groups of the size that is written into its SPIR-V.

    Intel's OpenCL CPU driver makes them by executing work-items as lanes of vectors. Where it does not see how, it
    executes each work-item alone, and all that it says is that a sub-group could be as large as any.
    """
    sizes = queue.sycl_device.sub_group_sizes
    if not queue.sycl_device.is_cpu or len(sizes) < 2:
        return True
    if size == max(sizes):
        # of this size the answer tells nothing; whether there are vectors does not depend on their size
        size = min(sizes)
        code = spirv.required_sizes(loaded.kernel.spirv, loaded.kernel.name, size)
        loaded = LoadedKernel(queue, replace(loaded.kernel, spirv=code))
    return bool(loaded.sycl_kernel.max_sub_group_size == size)


def load(queue: dpctl.SyclQueue, kernel: SpirvKernel) -> LoadedKernel:
    """Build a kernel for the context of a queue."""
    load_sycl()
    if not queue.sycl_device.is_cpu:
        # `subgroup_fence` says why processors do without
        kernel = replace(kernel, spirv=spirv.waiting_fences(kernel.spirv))
    return LoadedKernel(queue, kernel)


def submit(
    queue: dpctl.SyclQueue,
    kernel: LoadedKernel,
    arguments: Sequence[Any],
    groups: int,
    items: int,
    depends: Iterable[dpctl.SyclEvent] = (),
) -> dpctl.SyclEvent:
    """Launch a loaded kernel: see LoadedKernel.submit."""
    return kernel.submit(queue, arguments, groups, items, depends)


def _layout(signature: Sequence[ParamKind]) -> tuple[struct.Struct, list[int], list[int]]:
    """How arguments lie in their slots: the packer, dpctl's type of each, and which are pointers."""
    packed = "<"
    types: list[int] = []
    pointers: list[int] = []
    for kind in signature:
        if isinstance(kind, Array):
            pointers.append(len(types))
            packed += "Q"
            types.append(POINTER_ARGUMENT)
        else:
            letter, number, repeat = FORMS[kind.dtype]
            packed += f"{letter}{SLOT - struct.calcsize('=' + letter)}x" * repeat
            types += [number] * repeat
    return struct.Struct(packed), types, pointers


@cache
def _interface() -> ctypes.CDLL:
    import dpctl

    library = ctypes.CDLL(str(next(Path(dpctl.__file__).parent.glob("*DPCTLSyclInterface.so.0"))))
    pointer, size = ctypes.c_void_p, ctypes.c_size_t
    library.DPCTLQueue_SubmitNDRange.restype = pointer
    library.DPCTLQueue_SubmitNDRange.argtypes = (
        *(pointer, pointer, pointer, pointer, size),
        *(pointer, pointer, size, pointer, size),
    )
    library.DPCTLEvent_Delete.argtypes = (pointer,)
    return library


@cache
def _capsule():
    new = ctypes.pythonapi.PyCapsule_New
    new.restype = ctypes.py_object
    new.argtypes = (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
    return new


def _python_event(interface: ctypes.CDLL, reference: int) -> dpctl.SyclEvent:
    import dpctl

    # SyclEvent copies what the capsule holds, which therefore remains ours to delete.
    event = dpctl.SyclEvent(_capsule()(reference, b"SyclEventRef", None))
    interface.DPCTLEvent_Delete(reference)
    return event
