"""A kernel's demands on the device, checked before it is built."""

from __future__ import annotations

import importlib.util
from typing import Any

from ...devices import sycl_devices
from ...devices.bootstrap import driver_vector_bytes, installation_advice
from ...diagnostics import LaunchError, PlatformError, PytlError, Rule
from ...ir.types import c64, f64
from ...ir.values import Function
from ...ops.launch_defaults import work_group_shape
from .. import rules
from .interface import KernelInterface

NO_SUBGROUPS = Rule(
    "PYTL-3025",
    "the device executes work-items in sub-groups of the size that the function asks for",
    "Execution model",
    explanation="""Intel's OpenCL CPU driver executes the work-items of a sub-group as lanes of vectors. Where it does \
not see how, it executes each work-item alone, as a sub-group of one; a function that looks at its sub-groups would \
compute something else.""",
)
TAKES_NO_KERNELS = Rule(
    "PYTL-3083",
    "the driver of the device reads SPIR-V",
    "Devices",
    explanation="""Kernels are compiled to SPIR-V. Drivers that compile OpenCL C alone, such as PoCL before release 7 \
and Mesa as Debian has it, list devices that cannot execute them; `pytl devices` says which. Where no device is named, \
the best one that takes kernels is used.""",
)
NO_CALL_KERNEL = Rule(
    "PYTL-3281",
    "numba_dpex.call_kernel is numba-dpex's",
    "numba_dpex backend",
    explanation="numba-dpex has wheels for CPython 3.10 and 3.11 alone. A launch by pytl needs none.",
)


def require_numba_dpex(function: Function) -> None:
    """Refuse `k.dpex` where numba-dpex is not installed."""
    if importlib.util.find_spec("numba_dpex") is None:
        problem = f"numba-dpex, which is to launch @{function.name}, is not installed"
        help = f"launch it by pytl, {function.name}[n](…); or install numba-dpex on CPython 3.10 or 3.11"
        raise PlatformError.single(NO_CALL_KERNEL, problem, function.location, help)


def no_subgroups(function: Function, device: Any) -> PytlError:
    """The error for a function whose work-items the device's driver executes one by one."""
    return PlatformError.single(
        NO_SUBGROUPS,
        f"the driver of {device.name.strip()} executes the work-items of @{function.name} one by one",
        function.location,
        "divide the function, or let it store to places that differ between work-items",
    )


def check_limits(function: Function, interface: KernelInterface, device: Any) -> None:
    """Refuse a kernel that exceeds the device's local memory, work-group size, or choice of sub-group sizes."""
    available = device.local_mem_size
    if interface.is_private and device.is_cpu:
        available = max(available, MAX_PRIVATE)
    if interface.local_bytes > available:
        raise LaunchError.single(
            rules.LOCAL_MEMORY,
            f"@{function.name} needs {interface.local_bytes} bytes of local memory, but {device.name.strip()} has "
            f"{available}",
            function.location,
            "make the allocas smaller, or let their lifetimes end before others begin (lifetime_stop)",
        )
    rows, columns = work_group_shape(function)
    if rows * columns > device.max_work_group_size:
        raise LaunchError.single(
            rules.WORK_GROUP,
            f"the work-group of @{function.name} has {rows}x{columns} = {rows * columns} work-items, but "
            f"{device.name.strip()} allows {device.max_work_group_size}",
            function.location,
            "choose a smaller work_group_size",
        )
    sizes = device.sub_group_sizes
    supported, name = ", ".join(map(str, sizes)) or "none", device.name.strip()
    requested_size = function.attributes.get("subgroup_size")
    problem = None
    if requested_size is not None:
        if requested_size not in sizes:
            problem = f"the subgroup_size of @{function.name} is {requested_size}, but {name} has {supported}"
            help = f"choose one of {supported}"
    elif interface.subgroup_size is None:
        pass  # a kernel without sub-group instructions does not depend on how the device divides the work-group
    elif "work_group_size" in function.attributes and all(rows % size for size in sizes):
        problem = f"the work-group of @{function.name} has {rows} rows, but {name} has sub-groups of {supported}"
        help = "make the first mode of work_group_size a multiple of one of these"
    elif interface.subgroup_size not in sizes:
        problem = (
            f"@{function.name} looks at sub-groups, which have {interface.subgroup_size} work-items where it names no "
            f"subgroup_size, but {name} has {supported}"
        )
        help = f"choose a subgroup_size of {supported} that divides {rows}, and a work_group_size"
    if problem is not None:
        raise LaunchError.single(rules.WORK_GROUP, problem, function.location, help)


def check_device(function: Function, device: Any) -> None:
    """Refuse devices that take no kernels, and types that the device cannot compute with."""
    problem = sycl_devices.unavailable_reason(device)
    if problem is not None:
        usable = [each.filter_string for each in sycl_devices.usable_devices()]
        help = (
            f"launch on {' or '.join(usable)}, which the option device or PYTL_DEVICE names"
            if usable
            else installation_advice()
        )
        message = f"@{function.name} cannot be launched on {device.name.strip()}: {problem}"
        raise PlatformError.single(TAKES_NO_KERNELS, message, function.location, help)
    check_aspects(function, device)


def check_aspects(function: Function, device: Any) -> None:
    """Refuse types that the device cannot compute with."""
    operations = function.walk_through_calls()  # what a function is passed is an operand of its calls
    values = [*function.parameters, *(v for op in operations for v in (*op.operands, *op.results))]
    wide = next((_element(v.type) for v in values if _element(v.type) in (f64, c64)), None)
    if wide is not None and not device.has_aspect_fp64:
        raise LaunchError.single(
            rules.ASPECT,
            f"@{function.name} computes with {wide}, but {device.name.strip()} has no f64",
            function.location,
            "use f32 or c32, or another device",
        )


def _element(type_: Any) -> Any:
    """The type of the numbers that a type consists of."""
    inner = getattr(type_, "memref", type_)
    return getattr(inner, "element", inner)


MAX_PRIVATE = 128 << 10
"""Bytes of local memory where it is private memory of a processor: on the stack of a thread, which may have 1 MB."""


def vector_bytes(device: Any) -> int:
    """Bytes of a vector register of a processor, as far as its driver uses it."""
    return min(max(int(device.native_vector_width_float) * 4, 16), driver_vector_bytes())
