"""Launching SPIR-V kernels with dpctl alone: a cached kernel runs without numba.

A launch calls the C functions of dpctl's library, as numba-dpex's own launches do, and not `SyclQueue.submit`. That
method takes an array as a memory object only, which costs 4 µs per array; the memory object of an existing array
(`usm_data`) begins where the allocation does, not where the array does.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from pytl.devices.bootstrap import compiling, load_sycl

from ...process.records import dataclass
from . import direct, machine_code, queues, spirv
from .direct import SLOT
from .events import copy_of, interface, python_event, wait_and_delete

if TYPE_CHECKING:
    import dpctl

# How a launch passes a scalar of an element type: struct's letter, dpctl's DPCTLKernelArgType, and the number of
# arguments.
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
MAX_AT_ONCE = 2**31 - 1
"""The most work-items of a launch: SYCL refuses more as dpctl is compiled (`-fsycl-id-queries-fit-in-int`)."""
POINTER_ARGUMENT = 10
MAX_WORK_ITEMS = 2**63 - 1
"""Ids and ranges are i64 in a kernel; ctypes would drop the upper bits of larger ones."""


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

    @property
    def size(self) -> int:
        """Bytes of its code."""
        return len(self.spirv)


@dataclass(frozen=True)
class MachineKernel:
    """The same as machine code of the device's driver."""

    code: bytes
    name: str
    signature: tuple[ParamKind, ...]

    @property
    def size(self) -> int:
        """Bytes of its code."""
        return len(self.code)


class LaunchError(RuntimeError):
    """The SYCL run time refused a launch."""


class LoadedKernel:
    """A kernel built for the devices of a queue's context. Raises LaunchError where these refuse its machine code."""

    def __init__(self, queue: dpctl.SyclQueue, kernel: SpirvKernel | MachineKernel) -> None:
        self.kernel = kernel
        self.program = _program_of(queue, kernel)
        self.sycl_kernel = self.program.get_sycl_kernel(kernel.name)
        machine_code.release_leaked(queue, self.sycl_kernel, is_of_dpctl=isinstance(kernel, SpirvKernel))

    def submit(
        self,
        queue: dpctl.SyclQueue,
        arguments: Sequence[Any],
        groups: int,
        items: int,
        depends: Sequence[dpctl.SyclEvent] = (),
    ) -> dpctl.SyclEvent:
        """Launch `groups` work-groups of `items` work-items.

        A scalar is given as a number, an array as its address in USM, which may be in the middle of an
        allocation. The memory must live until the event that is returned has completed.
        """
        prepared = PreparedLaunch(self, queue, items)
        if len(arguments) != len(prepared.write):
            raise TypeError(f"{self.kernel.name} takes {len(prepared.write)} arguments, not {len(arguments)}")
        for write, argument in zip(prepared.write, arguments):
            write(argument)
        with queues.lock_of(queue):
            return python_event(prepared.submit(groups, depends))


class PreparedLaunch:
    """The arguments of a kernel as dpctl takes them, and everything else that a launch on a queue passes.

    `write` has a function per parameter, which writes its argument. dpctl copies the arguments while it submits, so
    that one such object serves many launches, one at a time.
    """

    def __init__(self, loaded: LoadedKernel, queue: dpctl.SyclQueue, items: int, is_repeated: bool = False) -> None:
        """One that `is_repeated` gives launches that are awaited to OpenCL where it can."""
        types = [number for kind in loaded.kernel.signature for number in _types_of(kind)]
        numbers = ctypes.create_string_buffer(SLOT * len(types))
        slots = (ctypes.c_void_p * len(types))()
        self.write: list[Callable[[Any], None]] = []
        sizes = [0] * len(types)
        slot = 0
        for kind in loaded.kernel.signature:
            if isinstance(kind, Array):  # its slot is the address; a number's is where the number lies
                self.write.append(partial(struct.pack_into, "P", slots, SLOT * slot))
            else:
                letter, _, count = FORMS[kind.dtype]
                for part in range(slot, slot + count):
                    sizes[part] = struct.calcsize(letter)
                    slots[part] = ctypes.addressof(numbers) + SLOT * part
                pack = partial(struct.Struct(letter).pack_into, numbers)
                self.write.append(partial(pack, SLOT * slot) if count == 1 else partial(_write_complex, pack, slot))
            slot += len(_types_of(kind))
        self._global_range, local_range = ctypes.c_size_t(), ctypes.c_size_t(items)
        self._items = items
        self._queue, self._loaded = queue, loaded
        # No argument types are declared, and all arguments are ctypes objects: converting ten of them takes 3 µs.
        address, size = ctypes.c_void_p, ctypes.c_size_t
        self._call_arguments = (
            address(loaded.sycl_kernel.addressof_ref()),
            address(queue.addressof_ref()),
            slots,
            (ctypes.c_int * len(types))(*types),
            size(len(types)),
            ctypes.byref(self._global_range),
            ctypes.byref(local_range),
            size(1),
        )
        self._independent = (*self._call_arguments, address(), size(0))
        self._submit = interface().DPCTLQueue_SubmitNDRange
        self.are_alike = False
        """Whether a direct launch has the arguments of the one before, whose memory has been there all the time."""
        self._direct: direct.DirectLaunch | None = None
        if is_repeated:
            self._direct = direct.direct_launch(queue, loaded, slots, numbers, sizes)
        self.wait: Callable[[Any], Any]
        self.delete: Callable[[Any], Any]
        """What the event of an awaited launch is given to, one behind the other."""
        self.wait, self.delete = (self._direct.wait, self._direct.delete) if self._direct else wait_and_delete()

    def submit(self, groups: int, depends: Sequence[dpctl.SyclEvent] = (), is_awaited: bool = False) -> Any:
        """Launch with the written arguments. Returns dpctl's reference to the event, which the caller has to delete.

        One that `is_awaited` has work-groups, begins when all that was submitted before has ended, and its event is for
        `wait` and `delete`.
        """
        if groups == 0:  # SYCL refuses an empty nd-range
            return _event_of_nothing(self._queue, depends)
        count = groups * self._items
        if count > MAX_WORK_ITEMS:
            raise LaunchError(f"SYCL does not count {groups} work-groups of {self._items} work-items.")
        event: Any
        if is_awaited and self._direct is not None:
            event = self._direct.submit(count, self._items) if self.are_alike or self._direct.write() else None
        else:
            event = self._submit_to_sycl(count, depends)
        if not event:
            name, size = self._loaded.kernel.name, f"{groups} work-groups of {self._items} work-items"
            raise LaunchError(f"The SYCL run time refused to launch {name} with {size}.")
        return event

    def _submit_to_sycl(self, count: int, depends: Sequence[dpctl.SyclEvent]) -> int | None:
        self._global_range.value = count
        if depends:
            references = (ctypes.c_void_p * len(depends))(*(event.addressof_ref() for event in depends))
            return self._submit(*self._call_arguments, references, ctypes.c_size_t(len(depends)))
        return self._submit(*self._independent)


def _program_of(queue: dpctl.SyclQueue, kernel: SpirvKernel | MachineKernel) -> Any:
    import dpctl.program

    if isinstance(kernel, SpirvKernel):
        return dpctl.program.create_program_from_spirv(queue, kernel.spirv)
    program = machine_code.program_of(queue, kernel.name, kernel.code)
    if program is None:
        raise LaunchError(f"The driver refused the machine code of {kernel.name}.")
    return program


def _types_of(kind: ParamKind) -> list[int]:
    """dpctl's argument types for a parameter."""
    if isinstance(kind, Array):
        return [POINTER_ARGUMENT]
    _, number, count = FORMS[kind.dtype]
    return [number] * count


def _write_complex(pack: Callable[[int, float], None], slot: int, number: complex) -> None:
    pack(SLOT * slot, number.real)
    pack(SLOT * (slot + 1), number.imag)


def has_subgroups(queue: Any, loaded: LoadedKernel, size: int | None) -> bool:
    """Whether a kernel executes in sub-groups of the size that its SPIR-V demands, if it demands one.

    Intel's OpenCL CPU driver makes sub-groups by executing work-items as lanes of vectors. Where it cannot vectorise,
    it executes each work-item alone, and the only sign is that it reports every sub-group size as possible.
    """
    sizes = queue.sycl_device.sub_group_sizes
    if size is None or not queue.sycl_device.is_cpu or len(sizes) < 2:
        return True
    if isinstance(loaded.kernel, MachineKernel):  # was tested as SPIR-V, before it was stored
        return True
    if size == max(sizes):
        # for this size the answer means nothing; whether the kernel is vectorised does not depend on the size
        size = min(sizes)
        code = spirv.required_sizes(loaded.kernel.spirv, loaded.kernel.name, size)
        loaded = load(queue, replace(loaded.kernel, spirv=code))
    return bool(loaded.sycl_kernel.max_sub_group_size == size)


def load(queue: Any, kernel: SpirvKernel | MachineKernel) -> LoadedKernel:
    """Build a kernel for the context of a queue. Raises an error of the driver's or LaunchError if it is refused."""
    if isinstance(queue, queues.OtherQueue):
        with compiling():
            return queue.load(kernel)
    load_sycl()
    with compiling() if isinstance(kernel, SpirvKernel) else nullcontext():
        return LoadedKernel(queue, kernel)


def _event_of_nothing(queue: dpctl.SyclQueue, depends: Sequence[dpctl.SyclEvent]) -> int:
    """An event that completes when others have, and on an in-order queue after everything submitted before."""
    if not depends and not queue.is_in_order:
        return interface().DPCTLEvent_Create()
    event = queue.submit_barrier(list(depends))
    return copy_of(event.addressof_ref())
