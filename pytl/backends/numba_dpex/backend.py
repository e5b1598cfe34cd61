"""The SYCL backend: source for numba-dpex, compiled to SPIR-V, launched on a dpctl queue."""

from __future__ import annotations

import threading
import time
import weakref
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ...diagnostics import LaunchError, PlatformError, Rule
from ...ir.types import c64, f64
from ...ir.values import Function
from ...ops.launch_defaults import STRATEGY, work_group_shape
from ...runtime.bootstrap import SyclUnavailable, load_sycl
from ...runtime.cache import current as current_cache
from ...settings import DEVICE
from .. import rules
from ..base import UNAVAILABLE, Argument, Backend, Lowered, Variant
from . import builds
from .builds import Built
from .interface import KernelInterface
from .memory import Transfer

if TYPE_CHECKING:  # imported with the first kernel that is compiled
    from .emit import KernelSource

NO_DEVICE = Rule("PYTL-3014", "the SYCL device that is asked for exists", "Devices")
NOT_COMPILED = Rule(
    "PYTL-3015",
    "generated source compiles",
    "numba_dpex backend",
    explanation="If it doesn't, that is a bug of pytl: report it with the text that k.emit gives.",
)


class SyclBackend(Backend):
    """Launches kernels on SYCL devices."""

    name = builds.BACKEND
    options = {"strategy": ("auto", "one-item", "many-items")}
    asynchronous = True
    on_demand = ("numba_dpex.emit",)

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._sources: weakref.WeakKeyDictionary[Lowered, KernelSource] = weakref.WeakKeyDictionary()
        self._kernels: weakref.WeakKeyDictionary[Lowered, dict[Any, Built]] = weakref.WeakKeyDictionary()
        self._queues: dict[str | None, Any] = {}

    # Before a launch.

    def unavailable(self) -> tuple[str, str] | None:
        try:
            load_sycl()
        except SyclUnavailable as problem:
            return problem.reason, problem.remedy
        return None

    def passes(self, options: Mapping[str, Any]) -> Sequence[str]:
        many = options.get("strategy") == "many-items"
        return (
            # first, so that the casts and products of constants that it makes are folded
            "lower-collectives{only=gemv+ger+hadamard+sum+cumsum}",
            "canonicalize",
            "insert-lifetime-stop",
            "stack-layout",
            "insert-barrier",
            "work-group-size",
            f"execution-strategy{{many-items={str(many).lower()}}}",
        )

    def complete_options(self, options: Mapping[str, Any], queue: Any) -> dict[str, Any]:
        complete = super().complete_options(options, queue)
        if complete["strategy"] == "auto":
            # One work-item with its own loops suits a processor; other devices live from many work-items.
            on_cpu = queue is None or queue.sycl_device.is_cpu
            complete["strategy"] = "one-item" if on_cpu else "many-items"
        return complete

    def queue_of(self, queues: Sequence[Any]) -> Any:
        self._require()
        found = [queue for queue in queues if queue is not None]
        if not found:
            return self._default_queue(DEVICE.get())
        if any(queue != found[0] for queue in found[1:]):
            return None
        return found[0]

    def _require(self) -> None:
        missing = self.unavailable()
        if missing is not None:
            raise PlatformError.single(UNAVAILABLE, missing[0], help=missing[1])

    def _default_queue(self, device: str | None) -> Any:
        import dpctl

        if device not in self._queues:
            try:
                # dpctl keeps one queue a device, so that arrays made elsewhere with default arguments meet ours
                from dpctl._sycl_queue_manager import get_device_cached_queue

                chosen = dpctl.SyclDevice(device) if device else dpctl.select_default_device()
                self._queues[device] = get_device_cached_queue(chosen)
            except (dpctl.SyclDeviceCreationError, ValueError):
                known = ", ".join(d.filter_string for d in dpctl.get_devices())
                raise PlatformError.single(
                    NO_DEVICE, f"there is no SYCL device {device!r}", help=f"the devices here are: {known}"
                ) from None
        return self._queues[device]

    # Source and kernels.

    def source(self, lowered: Lowered) -> KernelSource:
        """The generated source of a lowered function, made once."""
        from .emit import ManyItems, OneItem, emit

        with self._lock:
            if lowered not in self._sources:
                function = lowered.function
                rows, columns = work_group_shape(function)
                many = function.attributes.get(STRATEGY) == "many-items"
                strategy = ManyItems(rows * columns) if many else OneItem(rows * columns)
                self._sources[lowered] = emit(function, strategy, _title(lowered))
            return self._sources[lowered]

    def emit(self, lowered: Lowered, options: Mapping[str, Any]) -> str:
        return self.source(lowered).text

    def _kernel(self, lowered: Lowered, queue: Any) -> Built:
        """The kernel for the queue's context and device: from memory, from disk, or compiled."""
        place = (queue.sycl_context, queue.sycl_device)
        with self._lock:
            built = self._kernels.setdefault(lowered, {})
            if place in built:
                built[place].hits += 1
            else:
                built[place] = self._load_or_build(lowered, queue)
            return built[place]

    def _load_or_build(self, lowered: Lowered, queue: Any) -> Built:
        device = queue.sycl_device
        _check_aspects(lowered.original, device)
        cache = current_cache()
        if cache is None:
            return self._build(lowered, queue)
        key = builds.key(lowered, device)
        stored = builds.find(cache, key)
        if stored is not None:
            _check_limits(lowered, stored.interface, device)
            try:
                return stored.load(queue)
            except Exception:  # as the driver has it: it does not want this code, or not any more
                cache.remove(key)
        built = self._build(lowered, queue)
        builds.keep(cache, key, lowered, built)
        return built

    def _build(self, lowered: Lowered, queue: Any) -> Built:
        from . import launch, toolchain

        device = queue.sycl_device
        source = self.source(lowered)
        _check_limits(lowered, source, device)
        began = time.perf_counter()
        try:
            compiled = toolchain.build(source.text, source.entry, source.signature, source.subgroup_size)
            loaded = launch.load(queue, compiled)
        except Exception as error:  # numba, llvm-spirv and the driver each have their own kinds
            place = lowered.original.location
            raise PlatformError.single(
                NOT_COMPILED, f"@{lowered.original.name} did not compile: {_first_line(error)}", place
            ) from error
        seconds = time.perf_counter() - began
        return Built(source, loaded, builds.describe(device), "built", seconds, seconds)

    def variants(self, lowered: Lowered) -> Sequence[Variant]:
        with self._lock:
            return [built.variant for built in self._kernels.get(lowered, {}).values()]

    # Launching.

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
        from . import launch as launcher

        built = self._kernel(lowered, queue)
        transfer = Transfer(queue, arguments)
        passed = [transfer.value(parameter) for parameter in built.interface.parameters]
        try:
            event = built.kernel.submit(queue, passed, groups, built.interface.items, depends)
        except (launcher.LaunchError, RuntimeError) as error:
            raise LaunchError.single(rules.REFUSED, _first_line(error), lowered.original.location) from None
        if wait:
            event.wait()
            transfer.copy_back()
            return None
        transfer.keep_until(event)
        return event


def _title(lowered: Lowered) -> str:
    place = lowered.original.location
    strategy = lowered.function.attributes.get(STRATEGY)
    by = "one work-item executes a work-group" if strategy == "one-item" else "work-items share a work-group"
    origin = f", from {place.source.name}:{place.line}" if place is not None else ""
    return (
        f"# Kernel @{lowered.original.name}{origin}; {by}.\n"
        "# A numba-dpex kernel; the functions it calls are in pytl.backends.numba_dpex.device."
    )


def _check_limits(lowered: Lowered, source: KernelInterface, device: Any) -> None:
    function = lowered.original
    if source.local_bytes > device.local_mem_size:
        raise LaunchError.single(
            rules.LOCAL_MEMORY,
            f"@{function.name} needs {source.local_bytes} bytes of local memory, but {device.name.strip()} has "
            f"{device.local_mem_size}",
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
    subgroup = function.attributes.get("subgroup_size", source.subgroup_size)
    if subgroup is not None and subgroup not in device.sub_group_sizes:
        supported = ", ".join(map(str, device.sub_group_sizes))
        raise LaunchError.single(
            rules.WORK_GROUP,
            f"the subgroup_size of @{function.name} is {subgroup}, but {device.name.strip()} has {supported}",
            function.location,
            f"choose one of {supported}",
        )


def _check_aspects(function: Function, device: Any) -> None:
    values = [*function.parameters, *(v for op in function.walk() for v in (*op.operands, *op.results))]
    wide = next((_element(v.type) for v in values if _element(v.type) in (f64, c64)), None)
    if wide is not None and not device.has_aspect_fp64:
        raise LaunchError.single(
            rules.ASPECT,
            f"@{function.name} computes with {wide}, but {device.name.strip()} has no f64",
            function.location,
            "use f32 or c32, or another device",
        )


def _element(type_: Any) -> Any:
    """The type of the numbers that a type is made of."""
    inner = getattr(type_, "memref", type_)
    return getattr(inner, "element", inner)


def _first_line(error: BaseException) -> str:
    text = str(error).strip()
    return text.splitlines()[0] if text else type(error).__name__
