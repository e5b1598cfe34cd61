"""Whether this process may use the tile registers of its processor (AMX), and the request to Linux for them.

Three things must hold: the processor has them; the driver of the CPU device compiles for a processor that does, for it
ends the process where it meets their instructions otherwise; and Linux has given the process the memory that they are
saved in.
"""

from __future__ import annotations

import platform
import sys
from functools import cache

from . import bootstrap

FLAGS = ("amx_tile", "amx_bf16", "amx_int8")
"""The flags in /proc/cpuinfo."""
F16_FLAG = "amx_fp16"
F16_ARCHITECTURES = ("graniterapids", "graniterapids-d", "graniterapids_d")
"""The `ARCHITECTURES` with products of f16."""
ARCHITECTURES = ("sapphirerapids", "emeraldrapids", *F16_ARCHITECTURES)
"""Values of CL_CONFIG_CPU_TARGET_ARCH with which the driver compiles their instructions."""
ARCH_PRCTL, REQUEST_PERMISSION, TILE_DATA = 158, 0x1023, 18
"""The number of the Linux system call on x86-64, ARCH_REQ_XCOMP_PERM, and the requested state component."""


@cache
def unavailable_reason() -> str | None:
    """Why kernels of SYCL's CPU device cannot use tile registers, in the words of a message; None where they can."""
    reason = absent_reason()
    if reason is not None:
        return reason
    bootstrap.prepare()
    architecture = bootstrap.driver_architecture()
    if architecture not in ARCHITECTURES:
        processor = "the processor that it detects" if architecture is None else architecture
        return f"the driver of the CPU device compiles for {processor} (CL_CONFIG_CPU_TARGET_ARCH)"
    return None


@cache
def absent_reason() -> str | None:
    """Why this process cannot use tile registers, whatever compiles their instructions; None where it can."""
    _, flags = bootstrap.processor()
    if not flags.issuperset(FLAGS):
        return "the processor has none (AMX)"
    return None if _permitted() else "Linux does not let this process use them"


@cache
def have_f16() -> bool:
    """Whether the processor's tile registers multiply f16."""
    return F16_FLAG in bootstrap.processor()[1]


@cache
def multiply_f16() -> bool:
    """Whether they do, and the driver of SYCL's CPU device compiles that."""
    bootstrap.prepare()
    return have_f16() and bootstrap.driver_architecture() in F16_ARCHITECTURES


def _permitted() -> bool:
    if sys.platform != "linux" or platform.machine() != "x86_64":
        return False
    import ctypes  # not at `import pytl`

    arguments = (ctypes.c_long(number) for number in (ARCH_PRCTL, REQUEST_PERMISSION, TILE_DATA))
    return ctypes.CDLL(None).syscall(*arguments) == 0
