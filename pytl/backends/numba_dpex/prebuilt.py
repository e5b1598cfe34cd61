"""SPIR-V that is compiled ahead of time, and launched where there is no compiler."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ...diagnostics import PlatformError, Rule
from ...ir.values import Function
from ...ops.launch_defaults import NO_LOCK_STEP, has_open_size, subgroup_count, work_group_shape
from ...passes.targets.machine import MACHINES
from ...passes.targets.spmd import DEVICES, MAX_WORK_ITEMS, UNKNOWN, device_words, kind_of_name
from .. import checked
from ..base import AheadOfTime, Lowered, Prebuilt
from ..building import building, loading
from ..machines import PROCESSOR, WORK_ITEMS
from . import builds, launch
from .emit import KernelSource, OneItem
from .emit.parameters import Parameters
from .emit.writer import Writer
from .interface import KernelInterface, KernelParameter
from .limits import check_device, check_limits, no_subgroups, vector_bytes
from .spirv_check import check_arguments

REFUSED = Rule(
    "PYTL-3303",
    "the device's driver takes a kernel that was built ahead of time",
    "Ahead of time",
    explanation="The driver reads SPIR-V. What it refuses was made for newer drivers, or for other devices.",
)
TILES = Rule(
    "PYTL-3304",
    "a kernel that is built ahead of time computes with vectors",
    "Ahead of time",
    explanation="Whether a processor's tile registers (AMX) can be used is known on that processor alone.",
)
MAX_ITEMS = 1 << 16
"""The most work-groups per work-item, and the most work-items per work-group, that code is taken for."""
_PROCESSORS = {"cpu": MACHINES["avx512"], "cpu:32": MACHINES["avx2"], "cpu:16": MACHINES["sse"]}
"""Processors that code is made for."""


class SpirvAheadOfTime(AheadOfTime):
    """Compiles kernels of SYCL ahead of time.

    `emit` writes a function's source, and `other` what is tried next where a driver makes no sub-groups.
    """

    devices = (*_PROCESSORS, *device_words())

    def __init__(
        self,
        complete: Callable[..., dict[str, Any]],
        emit: Callable[[Lowered], KernelSource],
        other: Callable[[Lowered, KernelSource], KernelSource | None],
    ) -> None:
        self._complete = complete
        self._emit = emit
        self._other = other

    def options(self, device: str, options: Mapping[str, Any], function: Function) -> dict[str, Any]:
        if options.get("matrix") == "amx":
            message = f"@{function.name} is to be built for tile registers"
            raise PlatformError.single(TILES, message, function.location, "leave the option matrix out")
        no_matrices = {"matrix": "vectors"} if options.get("matrix") == "vectors" else {}
        # of two machines that build, one may have tile registers
        options = {**options, "matrix": "vectors"}
        if device in _PROCESSORS:
            device_options: dict[str, Any] = {PROCESSOR: _PROCESSORS[device].name, "matrix": "vectors"}
        else:
            device_options = {NO_LOCK_STEP: True, WORK_ITEMS: device, **no_matrices}
            options["strategy"] = "many-items" if options.get("strategy", "auto") == "auto" else options["strategy"]
        return {**self._complete(options, None, function), **device_options}

    def compile(self, lowered: Lowered) -> Sequence[Prebuilt]:
        from . import toolchain

        toolchain.require_compiler(lowered.original)
        with building(lowered.original):
            sources = [self._emit(lowered)]
            while sources[-1].subgroup_size is not None:
                other = self._other(lowered, sources[-1])
                if other is None:
                    break
                sources.append(other)
            return [Prebuilt(each.to_json(), toolchain.build(*each.to_build).spirv) for each in sources]

    def check(self, function: Function, options: Mapping[str, Any], prebuilt: Prebuilt) -> None:
        interface = KernelInterface.from_json(prebuilt.details)
        _check_numbers(function, interface)
        passed = [p for p in interface.parameters if p.parameter >= 0]
        if list(map(_taken, passed)) != list(map(_taken, _parameters_of(function, options))):
            raise ValueError("its arguments are not those of the function")
        hidden = [(p.source, p.kind, p.element) for p in interface.parameters if p.parameter < 0]
        shared = [(source, "scalar", "i64") for source in ("group_count", "share")]
        if hidden and sorted(hidden) != shared:
            raise ValueError("it has arguments that no launch passes")
        if not hidden and interface.groups_per_item != 1:
            raise ValueError("it is not told how many work-groups a work-item executes")
        check_arguments(prebuilt.code, interface.entry, interface.signature)

    def device_of(self, queue: Any, built: Sequence[str]) -> str | None:
        device = queue.sycl_device
        if not device.is_cpu:
            own = kind_of_name(device.name)
            # code for a preset has sub-groups of any of its sizes, and not all devices that it describes have them all
            fits = set(DEVICES[own].subgroup_sizes) <= set(device.sub_group_sizes)
            kinds = (own, UNKNOWN) if fits else (UNKNOWN, own)
            return next((kind for kind in kinds if kind in built), None)
        widths = sorted((_PROCESSORS[name].register_bytes, name) for name in built if name in _PROCESSORS)
        fitting = [name for width, name in widths if width <= vector_bytes(device)]
        return fitting[-1] if fitting else widths[0][1] if widths else None


def load(lowered: Lowered, queue: Any) -> builds.Built:
    """Give a driver the code of a function. Raises `pytl.PlatformError` where the driver does not take the code."""
    function, device = lowered.original, queue.sycl_device
    check_device(function, device)
    start_time = time.perf_counter()
    for prebuilt in lowered.prebuilt:
        interface = KernelInterface.from_json(prebuilt.details)
        check_limits(function, interface, device)
        code = launch.SpirvKernel(prebuilt.code, interface.entry, interface.signature)
        try:
            with loading(function, "the device's driver"):
                kernel = launch.load(queue, code)
        except Exception as error:  # each driver raises its own kinds
            first = (str(error).strip() or type(error).__name__).splitlines()[0]
            raise PlatformError.single(
                REFUSED,
                f"the driver of {device.name.strip()} refuses @{function.name}: {first}",
                help="build the kernel with this pytl, or install a newer driver",
            ) from error
        if launch.has_subgroups(queue, kernel, interface.subgroup_size):
            seconds = time.perf_counter() - start_time
            return builds.Built(interface, kernel, builds.describe(device), "disk", seconds, 0.0, {})
    raise no_subgroups(function, device)


def _check_numbers(function: Function, interface: KernelInterface) -> None:
    rows, columns = work_group_shape(function)
    is_chosen = has_open_size(function) and 0 < interface.items <= MAX_WORK_ITEMS
    if not (interface.items in (1, rows * columns) or is_chosen) or interface.items > MAX_ITEMS:
        raise ValueError("its work-group is not the function's")
    if max(interface.groups_per_item, interface.together) > MAX_ITEMS:
        raise ValueError("it wants too many work-groups per work-item")
    if type(interface.is_private) is not bool:
        raise ValueError("its local memory is of no known kind")


def _parameters_of(function: Function, options: Mapping[str, Any]) -> Sequence[KernelParameter]:
    """What the emitter makes of the function's parameters, and of the status of a checked function."""
    rows, columns = work_group_shape(function)
    parameters = Parameters(Writer(), OneItem(rows * columns, subgroup_count(function)))
    for position, value in enumerate(checked.parameters_of(Lowered(function, options))):
        parameters.add(position, value)
    return parameters.kernel_parameters


def _taken(parameter: KernelParameter) -> tuple[Any, ...]:
    return (parameter.kind, parameter.element, parameter.parameter, parameter.source, parameter.mode)
