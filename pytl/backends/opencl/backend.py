"""The OpenCL backend: kernels as the SYCL backend compiles them, launched by pyopencl."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from ...diagnostics import LaunchError, PlatformError, Rule
from ...process import forks
from ...process.settings import DEVICE
from ..base import Argument, GroupArgument, Lowered, Repeat
from ..numba_dpex.backend import SyclBackend

NO_DEVICE = Rule(
    "PYTL-3310",
    "the requested OpenCL device exists, and takes SPIR-V",
    "Devices",
    explanation="`pytl devices` lists them.",
)
OTHERS = Rule("PYTL-3311", "a launch through OpenCL takes arrays of the host", "Devices")
NO_ADDRESSES = Rule(
    "PYTL-3312",
    "a group is passed to devices that share addresses with the host",
    "Devices",
    explanation="The items of a group are found through a table of addresses. A device without shared virtual memory "
    "has buffers, whose addresses nobody knows.",
)


class OpenClBackend(SyclBackend):
    """Launches kernels on OpenCL devices."""

    name = "opencl"
    asynchronous = False
    on_demand: ClassVar[Sequence[str]] = ("opencl.drivers",)

    def unavailable(self) -> tuple[str, str] | None:
        from .drivers import REMEDY, OpenClUnavailable, devices

        try:
            devices()
        except OpenClUnavailable as problem:
            return str(problem), REMEDY
        return None

    def describe(self) -> Sequence[str]:
        missing = self.unavailable()
        if missing is not None:
            return [f"not available: {missing[0]}", missing[1]]
        from .drivers import devices, unusable_devices

        return [
            *(f"{d.filter_string}, {_description(d)}, {_memory(d)}" for d in devices()),
            *(f"not usable: {_description(d)}, which takes no SPIR-V" for d in unusable_devices()),
        ]

    def queue_of(self, queues: Sequence[Any], options: Mapping[str, Any]) -> Any:
        self._require()
        if any(queue is not None for queue in queues):
            message = "an array of this launch lives on a SYCL device"
            help = "pass arrays of NumPy, or launch on the backend sycl"
            raise LaunchError.single(OTHERS, message, help=help)
        return self._default_queue(options.get("device") or DEVICE.get())

    @forks.section()
    def _default_queue(self, device: str | None) -> Any:
        from .devices import Queue
        from .drivers import devices, find_device

        with self._lock:
            if device not in self._queues:
                opencl_device = find_device(device)
                if opencl_device is None:
                    device_names = ", ".join(d.filter_string for d in devices())
                    message = f"there is no OpenCL device {device!r} that takes SPIR-V"
                    raise PlatformError.single(NO_DEVICE, message, help=f"the devices here are: {device_names}")
                existing = [queue for queue in self._queues.values() if queue.sycl_device is opencl_device]
                self._queues[device] = existing[0] if existing else Queue(opencl_device)
            return self._queues[device]

    def launch(
        self,
        lowered: Lowered,
        arguments: Sequence[Argument],
        groups: int,
        options: Mapping[str, Any],
        queue: Any = None,
        depends: Sequence[Any] = (),
        wait: bool = True,
    ) -> Any:
        if not queue.has_addresses and any(isinstance(argument, GroupArgument) for argument in arguments):
            message = (
                f"{queue.sycl_device.name} shares no addresses with the host, and @{lowered.original.name} has a group"
            )
            help = "pass one array with an additional mode for the items, as a memref"
            raise LaunchError.single(NO_ADDRESSES, message, lowered.original.location, help)
        return super().launch(lowered, arguments, groups, options, queue, depends, wait)

    def repeat(
        self, lowered: Lowered, arguments: Sequence[Argument], options: Mapping[str, Any], queue: Any
    ) -> Repeat | None:
        return None


def _description(device: Any) -> str:
    return f"{device.name}, driver {device.driver_version} of {device.platform}"


def _memory(device: Any) -> str:
    if device.has_aspect_usm_system_allocations:
        return "works on arrays in place"
    return "copies arrays to shared memory" if device.svm & 1 else "copies arrays to buffers"
