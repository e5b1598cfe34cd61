"""Kernels as they are built, launched, and stored in the compilation cache.

The cache stores SPIR-V, which does not depend on the setup of the device's driver (CL_CONFIG_CPU_TARGET_ARCH, for
example), and in another entry the machine code that the driver of a processor made of it. The key of that one has the
processor, the driver's file and its settings: another processor finds the SPIR-V only, and adds machine code of its
own. A process that finds its kernel in the cache needs neither the passes, nor the emitter, nor numba, and where it
finds machine code the driver has nothing to compile.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal

from ...devices.cache import KERNEL, MACHINE_CODE, Cache, Entry, key_of, sources
from ...devices.compilers import is_compatible
from ...ir.values import Function, Module
from ...process.records import dataclass
from ...process.settings import CACHE_MACHINE_CODE
from ..base import Lowered, Variant
from ..building import loading
from . import machine_code
from .interface import BACKEND, KernelInterface
from .launch import LoadedKernel, MachineKernel, SpirvKernel, has_subgroups, load
from .limits import check_limits


@dataclass
class Built:
    """A kernel that a device can launch, and where it came from."""

    interface: KernelInterface
    kernel: LoadedKernel
    device: str
    origin: Literal["built", "disk", "shared"]
    seconds: float
    build_seconds: float
    compiler: Mapping[str, str]
    """The identity of who compiled it."""
    launches: int = 0
    copied_from: Built | None = None
    """That of an equal kernel, which has the same code."""

    def shared(self) -> Built:
        """The same for an equal kernel."""
        return replace(self, origin="shared", seconds=0.0, launches=0, copied_from=self)

    @property
    def variant(self) -> Variant:
        code, hits = self.kernel.kernel, max(self.launches - 1, 0)
        is_machine_code = isinstance(code, MachineKernel)
        return Variant(
            self.device, self.origin, self.seconds, self.build_seconds, code.size, hits, is_machine_code=is_machine_code
        )


@dataclass(frozen=True)
class Stored:
    """A kernel of the cache, which has not been passed to the driver yet."""

    interface: KernelInterface
    entry: Entry

    def load(self, queue: Any) -> Built:
        """Build it for the queue's device. Raises the driver's error where that refuses it."""
        start_time = time.perf_counter()
        of = MachineKernel if self.entry.kind == MACHINE_CODE else SpirvKernel
        kernel = load(queue, of(self.entry.code, self.interface.entry, self.interface.signature))
        entry, seconds = self.entry, time.perf_counter() - start_time
        device = describe(queue.sycl_device)
        return Built(self.interface, kernel, device, "disk", seconds, entry.seconds, entry.compiler)


def key(function: Function, options: Mapping[str, Any], device: Any) -> str:
    """The cache key of a function for a device: a hash of everything that decides what is to be compiled.

    Python and the packages that compile are no part: the entry has the maker's identity. Nor is the driver, which takes
    SPIR-V or refuses it.
    """
    return _key("kernel", function, options, {"name": device.name, "subgroup sizes": list(device.sub_group_sizes)})


def tuning_key(function: Function, options: Mapping[str, Any], device: Any) -> str:
    """The cache key of the options that were the fastest for a function on a device with its driver."""
    identity = {"name": device.name, "driver": device.driver_version, "filter": device_name(device)}
    return _key("tuning", function, options, identity)


def _key(kind: str, function: Function, options: Mapping[str, Any], device: Mapping[str, Any]) -> str:
    return key_of(
        {
            "what": kind,
            "backend": BACKEND,
            "function": str(Module.of(function)),
            "options": options,
            "device": device,
            "sources": sources(),
            "settings": _settings_of_numba(os.environ),
        }
    )


def machine_key(key: str, queue: Any) -> str | None:
    """The cache key of the machine code of a kernel whose key is given; None where none is kept."""
    if not CACHE_MACHINE_CODE.get() or not machine_code.is_for(queue):
        return None
    return key_of({"what": MACHINE_CODE, "kernel": key, "made for": machine_code.made_for()})


def is_kept(cache: Cache, lowered: Lowered, queue: Any) -> bool:
    """Whether the cache has the kernel for a queue's device, as SPIR-V or as machine code."""
    kernel_key = key(lowered.original, lowered.options, queue.sycl_device)
    of_machine = machine_key(kernel_key, queue)
    return cache.has(kernel_key) or (of_machine is not None and cache.has(of_machine))


def find(cache: Cache, key: str) -> Stored | None:
    """The cache's kernel under a key, if it serves here; one that this backend cannot read is removed."""
    entry = cache.load(key)
    if entry is None or not is_compatible(entry.compiler):
        return None
    try:
        return Stored(KernelInterface.from_json(entry.details), entry)
    except ValueError:
        cache.remove(key)
        return None


def loaded(cache: Cache, key: str, lowered: Lowered, queue: Any) -> Built | None:
    """The cache's kernel under a key; None where the cache has no kernel that the driver takes."""
    stored = find(cache, key)
    if stored is None:
        return None
    check_limits(lowered.original, stored.interface, queue.sycl_device)
    with loading(lowered.original, "the device's driver"):
        try:
            built = stored.load(queue)
            if has_subgroups(queue, built.kernel, stored.interface.subgroup_size):
                return built
        except MemoryError:
            raise
        except Exception:  # whatever kind the driver raises: it refuses this code, perhaps after an update
            pass
    cache.remove(key)
    return None


def keep(cache: Cache, key: str, lowered: Lowered, built: Built) -> None:
    """Store a built and loaded kernel."""
    code = built.kernel.kernel
    if isinstance(code, SpirvKernel):
        cache.store(key, _entry(lowered, built, code.spirv, KERNEL))


def keep_machine_code(cache: Cache, key: str, lowered: Lowered, built: Built, queue: Any) -> None:
    """Store what the driver made of a kernel, under the key for machine code, if the driver takes it back."""
    if lowered.options.get("matrix") == "amx":  # while it compiles, the driver may ask the system for tile registers
        return
    name, code = built.interface.entry, machine_code.read(queue, built.kernel.sycl_kernel)
    if code is not None and machine_code.program_of(queue, name, code) is not None:
        cache.store(key, _entry(lowered, built, code, MACHINE_CODE))


def _entry(lowered: Lowered, built: Built, code: bytes, kind: str) -> Entry:
    name, details = lowered.original.name, built.interface.to_json()
    compiler = dict(built.compiler)
    return Entry(
        name, BACKEND, built.device, lowered.options, built.build_seconds, details, code, kind=kind, compiler=compiler
    )


def describe(device: Any) -> str:
    """A description of a device for people."""
    return f"{device_name(device)} {device.name.strip()}"


def device_name(device: Any) -> str:
    """A device's name in messages: its filter string, which a sub-device lacks."""
    parent = device.parent_device
    return device.filter_string if parent is None else f"a part of {device_name(parent)}"


def _settings_of_numba(environment: Mapping[str, str]) -> dict[str, str]:
    """The user's settings of numba and numba-dpex: optimisation levels, debug information."""
    return {name: value for name, value in environment.items() if name.startswith("NUMBA_")}
