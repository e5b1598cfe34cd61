"""The SYCL backend: source for numba-dpex, compiled to SPIR-V, launched on a dpctl queue."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from ...diagnostics import LaunchError, PlatformError, PytlError, Rule
from ...ir.types import c64, f64
from ...ir.values import Function
from ...ir.verifier import STRATEGY
from ...ops.launch_defaults import IN_PARTS, NO_LOCK_STEP, work_group_shape
from ...runtime.bootstrap import SyclUnavailable, load_sycl
from ...settings import DEVICE
from .. import rules
from ..base import UNAVAILABLE, Argument, Backend, Lowered, Option, Repeat
from .emit import KernelSource, ManyItems, OneItem, emit
from .memory import Transfer

MOST_AT_ONCE = 2**31 - 1
"""Work-items of a launch: more are refused by SYCL as dpctl is compiled (`-fsycl-id-queries-fit-in-int`)."""
MOST_GROUPS = 2**56
"""Of a launch in parts; to launch more would take years."""

NO_DEVICE = Rule("PYTL-3014", "the SYCL device that is asked for exists", "Devices")
NOT_COMPILED = Rule(
    "PYTL-3015",
    "generated source compiles",
    "numba_dpex backend",
    explanation="If it doesn't, that is a bug of pytl: report it with the text that k.emit gives.",
)


class SyclBackend(Backend):
    """Launches kernels on SYCL devices."""

    name = "sycl"
    options = {
        "strategy": Option.choice("auto", "one-item", "many-items"),
        "device": Option(
            None,
            lambda value: value is None or type(value) is str,
            "the filter string of a device, such as 'opencl:cpu' or 'gpu'; `pytl devices` lists them",
        ),
    }
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
        lock_step = ",lock-step=false" if options.get(NO_LOCK_STEP) else ""
        return (
            # first, so that the casts and products of constants that it makes are folded
            "lower-collectives{only=gemv+ger+hadamard+sum+cumsum}",
            "canonicalize",
            "insert-lifetime-stop",
            "stack-layout",
            "insert-barrier",
            "work-group-size",
            f"execution-strategy{{many-items={str(many).lower()}{lock_step}}}",
            *(("launch-in-parts",) if options.get(IN_PARTS) else ()),
        )

    def most_groups(self, function: Function) -> float:
        rows, columns = work_group_shape(function)  # the strategy is chosen later, and may be one work-item
        return MOST_AT_ONCE // (rows * columns)

    def complete_options(self, options: Mapping[str, Any], queue: Any) -> dict[str, Any]:
        complete = super().complete_options(options, queue)
        del complete["device"]  # which the queue is of
        on_cpu = queue is None or queue.sycl_device.is_cpu
        if not on_cpu:
            complete[NO_LOCK_STEP] = True
        if complete["strategy"] == "auto":
            # One work-item with its own loops suits a processor; other devices live from many work-items.
            complete["strategy"] = "one-item" if on_cpu else "many-items"
        return complete

    def queue_of(self, queues: Sequence[Any], options: Mapping[str, Any]) -> Any:
        self._require()
        wanted = options.get("device")
        found = [queue for queue in queues if queue is not None]
        if not found:
            return self._default_queue(wanted or DEVICE.get())
        if wanted and found[0].sycl_device != self._default_queue(wanted).sycl_device:
            raise LaunchError.single(
                rules.QUEUES,
                f"the option device is {wanted!r}, but the arrays or the queue= of this launch are on "
                f"{_device_name(found[0].sycl_device)}",
                help=f"leave the option out, or make them for the device: dpctl.tensor.empty(…, device={wanted!r})",
            )
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
                rows, columns = work_group_shape(function)
                many = function.attributes.get(STRATEGY) == "many-items"
                strategy = ManyItems(rows * columns) if many else OneItem(rows * columns)
                self._sources[function] = emit(function, strategy, _title(lowered))
            return self._sources[function]

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
        try:
            return launch.load(queue, toolchain.build(source.text, source.entry, signature, source.subgroup_size))
        except Exception as error:  # numba, llvm-spirv and the driver each have their own kinds
            place = lowered.original.location
            raise PlatformError.single(
                NOT_COMPILED, f"@{lowered.original.name} did not compile: {_first_line(error)}", place
            ) from error

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
        """See Backend.launch.

        A launch that is waited for begins after all that was submitted to its queue, whoever did: nobody can say
        what it depends on. That is the order of the queue itself where it is in order.
        """
        from . import alive, launch

        kernel, source = self._ready(lowered, queue)
        if wait and not queue.is_in_order:
            queue.wait()
        transfer = Transfer(queue, arguments)
        passed = {p: transfer.value(p) for p in source.parameters if p.parameter >= 0}
        event: Any = None
        for first, count in _parts(lowered, source, groups):
            here = {"first_group": first, "group_count": groups}
            values = [passed[p] if p in passed else here[p.source] for p in source.parameters]
            try:
                event = kernel.submit(queue, values, count, source.items, depends)
            except RuntimeError as error:  # the launcher's own, and dpctl's
                raise _refused(lowered, error) from None
            depends = [event]  # so that the last one stands for all
        if wait:
            event.wait()
            transfer.copy_back()
            return None
        alive.keep_until(launch.copy_of(event.addressof_ref()), transfer.kept)
        return event

    def repeat(
        self, lowered: Lowered, arguments: Sequence[Argument], options: Mapping[str, Any], queue: Any
    ) -> Repeat | None:
        from .repeat import RepeatedLaunch, is_repeatable

        if not is_repeatable(arguments, queue):
            return None
        kernel, source = self._ready(lowered, queue)
        return RepeatedLaunch(kernel, source, arguments, queue, partial(_refused, lowered))

    def _ready(self, lowered: Lowered, queue: Any) -> tuple[Any, KernelSource]:
        """The kernel of a function for the queue, and its source, if the device can execute it."""
        source = self.source(lowered)
        _check_limits(lowered, source, queue.sycl_device)
        return self._kernel(lowered, source, queue), source


def _parts(lowered: Lowered, source: KernelSource, groups: int) -> Iterator[tuple[int, int]]:
    """The first work-group of each part of a launch, and how many it has."""
    if not lowered.function.attributes.get(IN_PARTS):
        yield 0, groups
        return
    if groups > MOST_GROUPS:
        problem = f"SYCL does not count {groups} work-groups of {source.items} work-items."
        raise LaunchError.single(rules.REFUSED, problem, lowered.original.location)
    most = MOST_AT_ONCE // source.items
    for first in range(0, groups, most):
        yield first, min(groups - first, most)


def _refused(lowered: Lowered, error: Exception) -> PytlError:
    return LaunchError.single(rules.REFUSED, _first_line(error), lowered.original.location)


def _device_name(device: Any) -> str:
    """A device as messages name it: by its filter string, which a part of a device hasn't."""
    parent = device.parent_device
    return device.filter_string if parent is None else f"a part of {_device_name(parent)}"


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
    sizes = device.sub_group_sizes
    supported, name = ", ".join(map(str, sizes)), device.name.strip()
    given = function.attributes.get("subgroup_size")
    problem = None
    if given is not None:
        if given not in sizes:
            problem = f"the subgroup_size of @{function.name} is {given}, but {name} has {supported}"
            help = f"choose one of {supported}"
    elif source.subgroup_size is None:
        pass  # who doesn't look at sub-groups need not know how the device divides the work-group
    elif "work_group_size" in function.attributes and all(rows % size for size in sizes):
        problem = f"the work-group of @{function.name} has {rows} rows, but {name} has sub-groups of {supported}"
        help = "make the first mode of work_group_size a multiple of one of these"
    elif source.subgroup_size not in sizes:
        problem = (
            f"@{function.name} looks at sub-groups, which have {source.subgroup_size} work-items where it names no "
            f"subgroup_size, but {name} has {supported}"
        )
        help = f"choose a subgroup_size of {supported} that divides {rows}, and a work_group_size"
    if problem is not None:
        raise LaunchError.single(rules.WORK_GROUP, problem, function.location, help)


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
