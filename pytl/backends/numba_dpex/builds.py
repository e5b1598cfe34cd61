"""Kernels as they are built, launched, and stored in the compilation cache.

The cache stores SPIR-V, which does not depend on the setup of the device's driver (CL_CONFIG_CPU_TARGET_ARCH, for
example): the driver compiles it to machine code in each process. A process that finds its kernel in the cache needs
neither the passes, nor the emitter, nor numba.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from ...ir.values import Function
from ...runtime.cache import Cache, Entry, key_of, toolchain_of
from ..base import Lowered, Variant
from .interface import BACKEND, KernelInterface
from .launch import LoadedKernel, SpirvKernel, load

# The modules that generate code from IR, in the package and elsewhere. The printed IR is in the key itself.
SOURCES = ("ir", "ops", "passes", "backends/numba_dpex")
DISTRIBUTIONS = ("pytl", "numba-dpex", "numba", "llvmlite", "dpcpp-llvm-spirv", "dpctl")


@dataclass
class Built:
    """A kernel that a device can launch, and where it came from."""

    interface: KernelInterface
    kernel: LoadedKernel
    device: str
    origin: Literal["built", "disk"]
    seconds: float
    build_seconds: float
    launches: int = 0

    @property
    def variant(self) -> Variant:
        size, hits = len(self.kernel.kernel.spirv), max(self.launches - 1, 0)
        return Variant(self.device, self.origin, self.seconds, self.build_seconds, size, hits)


@dataclass(frozen=True)
class Stored:
    """A kernel of the cache, which has not been passed to the driver yet."""

    interface: KernelInterface
    entry: Entry

    def load(self, queue: Any) -> Built:
        """Build it for the queue's device. Raises the driver's error where that refuses it."""
        began = time.perf_counter()
        kernel = load(queue, SpirvKernel(self.entry.code, self.interface.entry, self.interface.signature))
        seconds = time.perf_counter() - began
        return Built(self.interface, kernel, describe(queue.sycl_device), "disk", seconds, self.entry.seconds)


def key(function: Function, options: Mapping[str, Any], device: Any, what: str = "kernel") -> str:
    """The cache key of a function for a device: a hash of everything that decides the code."""
    return key_of(
        {
            "what": what,
            "backend": BACKEND,
            "function": str(function),
            "options": options,
            "device": {
                "name": device.name,
                "driver": device.driver_version,
                "filter": device_name(device),
                "subgroup sizes": list(device.sub_group_sizes),
            },
            "toolchain": toolchain_of(SOURCES, DISTRIBUTIONS),
            "settings": _settings_of_numba(os.environ),
        }
    )


def find(cache: Cache, key: str) -> Stored | None:
    """The cache's kernel under a key; one that this backend cannot read is removed."""
    entry = cache.load(key)
    if entry is None:
        return None
    try:
        return Stored(KernelInterface.from_json(entry.details), entry)
    except ValueError:
        cache.remove(key)
        return None


def keep(cache: Cache, key: str, lowered: Lowered, built: Built) -> None:
    """Store a built and loaded kernel."""
    code, details = built.kernel.kernel.spirv, built.interface.to_json()
    options = lowered.options
    cache.store(key, Entry(lowered.original.name, BACKEND, built.device, options, built.build_seconds, details, code))


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
