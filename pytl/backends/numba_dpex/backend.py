"""The SYCL backend: source for numba-dpex, compiled to SPIR-V, launched on a dpctl queue."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Mapping, Sequence
from typing import Any

from ...diagnostics import LaunchError, PlatformError, Rule
from ...ir.types import c64, f64
from ...ir.values import Function
from ...ops import Update
from ...ops.launch_defaults import STRATEGY, work_group_shape
from ...ops.overlap import Overlap, overlap_of
from ...runtime.bootstrap import SyclUnavailable, load_sycl
from ...settings import DEVICE
from .. import rules
from ..base import UNAVAILABLE, Argument, Backend, Lowered
from .emit import KernelSource, ManyItems, OneItem, emit
from .memory import Transfer

NO_DEVICE = Rule("PYTL-3014", "the SYCL device that is asked for exists", "Devices")
NOT_COMPILED = Rule(
    "PYTL-3015",
    "generated source compiles",
    "numba_dpex backend",
    explanation="If it doesn't, that is a bug of pytl: report it with the text that k.emit gives.",
)
NO_SUBGROUPS = Rule(
    "PYTL-3025",
    "the device executes work-items in sub-groups of the size that the function asks for",
    "Execution model",
    explanation="""Intel's OpenCL CPU driver executes the work-items of a sub-group as lanes of vectors. Where it does \
not see how, it executes each work-item alone, as a sub-group of one; a function that looks at its sub-groups would \
compute something else.""",
)
OVERLAP = Rule(
    "PYTL-3026",
    "a factor that the target of a collective instruction overlaps has a static size",
    "Collective instructions",
    explanation="It is copied before the target is written, and memory in a kernel has a size that is known before. "
    "axpby, where nothing is transposed, hadamard and cumsum may update a factor of any size in place.",
)


class SyclBackend(Backend):
    """Launches kernels on SYCL devices."""

    name = "sycl"
    options = {"strategy": ("auto", "one-item", "many-items")}
    asynchronous = True

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._sources: weakref.WeakKeyDictionary[Function, KernelSource] = weakref.WeakKeyDictionary()
        self._kernels: weakref.WeakKeyDictionary[Function, dict[Any, Any]] = weakref.WeakKeyDictionary()
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
        function = lowered.function
        with self._lock:
            if function not in self._sources:
                self._sources[function] = self._emit(lowered)
            return self._sources[function]

    def _emit(self, lowered: Lowered, is_scattered: bool = False) -> KernelSource:
        _refuse_overlap(lowered.original)
        rows, columns = work_group_shape(lowered.function)
        many = lowered.function.attributes.get(STRATEGY) == "many-items"
        strategy = ManyItems(rows * columns, is_scattered) if many else OneItem(rows * columns)
        return emit(lowered.function, strategy, _title(lowered))

    def emit(self, lowered: Lowered, options: Mapping[str, Any]) -> str:
        return self.source(lowered).text

    def _kernel(self, lowered: Lowered, source: KernelSource, queue: Any) -> Any:
        """The kernel built for the queue's context."""
        context = queue.sycl_context
        with self._lock:
            built = self._kernels.setdefault(lowered.function, {})
            if context not in built:
                built[context] = self._build(lowered, source, queue)
            return built[context]

    def _build(self, lowered: Lowered, source: KernelSource, queue: Any) -> Any:
        from . import launch, toolchain

        _check_aspects(lowered.original, queue.sycl_device)
        signature = [
            launch.Array(p.element) if p.kind == "array" else launch.Scalar(p.element) for p in source.parameters
        ]
        place, name = lowered.original.location, lowered.original.name
        try:
            built = launch.load(queue, toolchain.build(source.text, source.entry, signature, source.subgroup_size))
        except Exception as error:  # numba, llvm-spirv and the driver each have their own kinds
            raise PlatformError.single(NOT_COMPILED, f"@{name} did not compile: {_first_line(error)}", place) from error
        if source.subgroup_size is None or launch.has_subgroups(queue, built, source.subgroup_size):
            return built
        if not source.is_scattered:
            self._sources[lowered.function] = scattered = self._emit(lowered, is_scattered=True)
            return self._build(lowered, scattered, queue)
        raise PlatformError.single(
            NO_SUBGROUPS,
            f"the driver of {queue.sycl_device.name.strip()} executes the work-items of @{name} one by one",
            place,
            "divide the function, or let it store from places that differ between work-items",
        )

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

        source = self.source(lowered)
        _check_limits(lowered, source, queue.sycl_device)
        kernel = self._kernel(lowered, source, queue)
        transfer = Transfer(queue, arguments)
        passed = [transfer.value(parameter) for parameter in source.parameters]
        try:
            event = kernel.submit(queue, passed, groups, source.items, depends)
        except (launcher.LaunchError, RuntimeError) as error:
            raise LaunchError.single(rules.REFUSED, _first_line(error), lowered.original.location) from None
        if wait:
            event.wait()
            transfer.copy_back()
            return None
        transfer.keep_until(event)
        return event


def _refuse_overlap(function: Function) -> None:
    """Refuse what the lowering could not copy though the target certainly overlaps it."""
    for op in (op for op in function.walk() if isinstance(op, Update)):
        for name in op.hindering_factors:
            factor = getattr(op, name)
            if not factor.type.has_static_shape and overlap_of(factor, op.updated) is not Overlap.UNKNOWN:
                raise PlatformError.single(
                    OVERLAP,
                    f"{op.word}: {op.target} overlaps {name}, which is {factor.type}",
                    op.location,
                    "give the factor a static size, or copy it to another parameter in a launch before",
                )


def _title(lowered: Lowered) -> str:
    place = lowered.original.location
    strategy = lowered.function.attributes.get(STRATEGY)
    by = "one work-item executes a work-group" if strategy == "one-item" else "work-items share a work-group"
    origin = f", from {place.source.name}:{place.line}" if place is not None else ""
    return (
        f"# Kernel @{lowered.original.name}{origin}; {by}.\n"
        "# A numba-dpex kernel; the functions it calls are in pytl.backends.numba_dpex.device."
    )


def _check_limits(lowered: Lowered, source: KernelSource, device: Any) -> None:
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
