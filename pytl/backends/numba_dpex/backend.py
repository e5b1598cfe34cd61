"""The SYCL backend: source for numba-dpex, compiled to SPIR-V, launched on a dpctl queue."""

from __future__ import annotations

import time
import weakref
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from ...devices import tile_registers
from ...devices.bootstrap import SyclUnavailable, load_sycl
from ...devices.usm import shown_library
from ...diagnostics import LaunchError, PlatformError, PytlError, Rule
from ...diagnostics.quoting import python_comment
from ...ir.values import Function
from ...ops.launch_defaults import IN_PARTS, NO_BLOCKS, NO_LOCK_STEP, has_open_size, subgroup_count, work_group_shape
from ...passes import Pass
from ...passes.targets.amx import FP16, has_tile_products, tile_factors
from ...passes.targets.host import absent_features, machine_of_width
from ...passes.targets.machine import AVX512, DEFAULT
from ...passes.targets.spmd import MAX_WORK_ITEMS
from ...passes.targets.strategies import STRATEGY, strategy_of
from ...process import forks
from ...process.interrupts import raise_swallowed
from ...process.settings import DEVICE
from .. import checked, rules
from ..base import UNAVAILABLE, AheadOfTime, Argument, Backend, Lowered, Repeat, Variant
from ..building import at, building
from ..machines import WORK_ITEMS, chosen_machine, complete_machine, device_of
from ..vector_options import learn_tiles
from .copies import refuse_overlap
from .interface import BACKEND, KernelInterface
from .launch import MAX_AT_ONCE
from .limits import (
    check_device,
    check_limits,
    no_subgroups,
    require_numba_dpex,
    vector_bytes,
)
from .options import AS_WRITTEN, OPTIONS, decided, pipeline, tuning_space

# Launches import NumPy and whatever else only they need: texts and passes are made without them.
if TYPE_CHECKING:
    from ...devices.cache import Cache
    from .builds import Built
    from .emit import KernelSource
    from .tile_registers import DeviceTiles

MAX_GROUPS = 2**56
"""The most work-groups of a launch in parts; to launch more would take years."""

NO_DEVICE = Rule("PYTL-3014", "the requested SYCL device exists", "Devices")
NOT_COMPILED = Rule(
    "PYTL-3015",
    "generated source compiles",
    "numba_dpex backend",
    explanation="If it doesn't, that is a bug of pytl: report it with the text that k.emit gives.",
)


_OF_INTEL = {"vnni", "bf16", AVX512}
"""Features whose instructions are written as assembly, which other drivers do not take."""


def _absent_features(device: Any) -> frozenset[str]:
    """What code for a device does not use of a machine; only Intel's driver takes instructions of the processor."""
    found = absent_features() | (frozenset() if device.vendor.startswith("Intel(R)") else _OF_INTEL)
    return found if tile_registers.multiply_f16() else found | {FP16}


class SyclBackend(Backend):
    """Launches kernels on SYCL devices."""

    name = BACKEND
    options = OPTIONS
    calls = ("sequential", "spmd", "collective")
    compiles = True
    asynchronous = True
    stages: ClassVar[Sequence[str]] = ("python", "llvm", "spirv", "asm")
    stages_of_host: ClassVar[Sequence[str]] = ("asm",)
    on_demand: ClassVar[Sequence[str]] = (
        "numba_dpex.emit",
        "numba_dpex.prebuilt",
        "numba_dpex.stages",
        "numba_dpex.tile_registers",
        "tile_check",
        "numba_dpex.toolchain",
    )

    def __init__(self) -> None:
        self._lock = forks.rlock()
        self._sources: weakref.WeakKeyDictionary[Lowered, KernelSource] = weakref.WeakKeyDictionary()
        self._kernels: weakref.WeakKeyDictionary[Lowered, dict[Any, Built]] = weakref.WeakKeyDictionary()
        self._shared: weakref.WeakValueDictionary[tuple[Any, ...], Built] = weakref.WeakValueDictionary()
        self._dpex_kernels: weakref.WeakKeyDictionary[Lowered, Any] = weakref.WeakKeyDictionary()
        self._queues: dict[str | None, Any] = {}
        self._tile_registers: DeviceTiles | None = None

    @property
    def _tiles(self) -> DeviceTiles:
        from .tile_registers import DeviceTiles

        with self._lock:
            self._tile_registers = self._tile_registers or DeviceTiles(self)
            return self._tile_registers

    # Before a launch.

    @forks.section()
    def unavailable(self) -> tuple[str, str] | None:
        try:
            load_sycl()
        except SyclUnavailable as problem:
            return problem.reason, problem.advice
        return None

    def passes(self, options: Mapping[str, Any]) -> list[Pass]:
        return pipeline(options)

    def max_groups(self, function: Function, options: Mapping[str, Any]) -> float:
        if strategy_of(function, many_items=options.get("strategy") != "one-item")[0] == "one-item":
            return MAX_AT_ONCE
        rows, columns = work_group_shape(function)
        return MAX_AT_ONCE // (MAX_WORK_ITEMS if has_open_size(function) else rows * columns)

    def complete_options(
        self, options: Mapping[str, Any], queue: Any, function: Function | None = None
    ) -> dict[str, Any]:
        complete = super().complete_options(options, queue, function)
        # the queue is of the device, and functions are specialized before they get here
        del complete["specialize"]
        checked.complete(complete)
        device = device_of(queue, complete.pop("device"))
        on_cpu = device is None
        if queue is None:
            complete_machine(complete, DEFAULT)
        else:
            machine = machine_of_width(vector_bytes(queue.sycl_device))
            complete_machine(complete, machine, _absent_features(queue.sycl_device))
        if device is not None:
            complete[NO_LOCK_STEP], complete[WORK_ITEMS] = True, device.name
        if complete["strategy"] == "auto":
            # One work-item with its own loops suits a processor; other devices need many work-items.
            complete["strategy"] = "one-item" if on_cpu else "many-items"
        matrix = complete.pop("matrix")
        if matrix == AS_WRITTEN:
            return {**complete, "matrix": matrix}
        if matrix == "vectors" and device is not None and device.matrix_types:
            complete["matrix"] = matrix
        if function is not None and complete["strategy"] == "one-item":
            has_products = has_tile_products(function, tile_factors(chosen_machine(complete)))
            if has_products and self._tiles.are_used(matrix, function, queue):
                complete["matrix"] = "amx"
        return complete

    def tuning_space(self, lowered: Lowered) -> Mapping[str, Sequence[Any]]:
        return tuning_space(lowered)

    def learn(self, lowered: Lowered, seconds: Mapping[str, float]) -> None:
        learn_tiles(decided(lowered), chosen_machine(lowered.options), seconds)

    def tuning_key(self, function: Function, options: Mapping[str, Any], queue: Any) -> str:
        from . import builds

        return builds.tuning_key(function, options, queue.sycl_device)

    @forks.section()
    def finish(self, queue: Any) -> None:
        from . import queues

        queues.finish(queue)

    def queue_of(self, queues: Sequence[Any], options: Mapping[str, Any]) -> Any:
        self._require()
        device = options.get("device")
        present = [queue for queue in queues if queue is not None]
        if not present:
            return self._default_queue(device or DEVICE.get())
        if device and present[0].sycl_device != self._default_queue(device).sycl_device:
            from .builds import device_name

            raise LaunchError.single(
                rules.QUEUES,
                f"the option device is {device!r}, but the arrays or the queue= of this launch are on "
                f"{device_name(present[0].sycl_device)}",
                help="leave the option out, or make them for the device: "
                f"{shown_library()}.empty(…, device={device!r})",
            )
        if any(queue != present[0] for queue in present[1:]):
            return None
        return present[0]

    def _require(self) -> None:
        missing = self.unavailable()
        if missing is not None:
            raise PlatformError.single(UNAVAILABLE, missing[0], help=missing[1])

    @forks.section()
    def _default_queue(self, device: str | None) -> Any:
        import dpctl

        from ...devices import sycl_devices

        if device not in self._queues:
            try:
                # dpctl keeps one queue per device, so that arrays made elsewhere with default arguments meet ours
                from dpctl._sycl_queue_manager import get_device_cached_queue

                self._queues[device] = get_device_cached_queue(sycl_devices.choose(device))
            except (dpctl.SyclDeviceCreationError, ValueError):
                device_names = ", ".join(d.filter_string for d in sycl_devices.usable_devices())
                message, help = f"there is no SYCL device {device!r}", f"the devices here are: {device_names}"
                raise PlatformError.single(NO_DEVICE, message, help=help) from None
        return self._queues[device]

    @property
    def ahead_of_time(self) -> AheadOfTime:
        from .prebuilt import SpirvAheadOfTime

        return SpirvAheadOfTime(self.complete_options, self._emit, self._other_source)

    # Source and kernels.

    def source(self, lowered: Lowered) -> KernelSource:
        """The generated source of a lowered function, computed once."""
        with self._lock:
            if lowered not in self._sources:
                self._sources[lowered] = self._emit(lowered)
            return self._sources[lowered]

    def _emit(self, lowered: Lowered, is_scattered: bool = False) -> KernelSource:
        from .emit import ManyItems, OneItem, emit

        refuse_overlap(lowered.written)
        rows, columns = work_group_shape(lowered.function)
        many = lowered.function.attributes.get(STRATEGY) == "many-items"
        if many:
            return emit(lowered.function, ManyItems(rows * columns, is_scattered), _title(lowered))
        return emit(lowered.function, OneItem(rows * columns, subgroup_count(lowered.function)), _title(lowered))

    def _other_source(self, lowered: Lowered, source: KernelSource) -> KernelSource | None:
        """What is tried next where a driver makes no sub-groups of the work-items of some source.

        First addresses are scattered, then products are loops, which need no sub-groups if nothing else does.
        """
        from ...passes.targets import vector  # which a launch of code from the cache does not need

        has_blocks = any(isinstance(kernel.operation, vector.WorkItems) for kernel in source.kernels.values())
        if source.is_scattered and not has_blocks:
            return None
        if source.is_scattered or not has_blocks:
            lowered = Lowered(lowered.original, {**lowered.options, NO_BLOCKS: True}, self, lowered.written)
        return self._emit(lowered, is_scattered=not source.is_scattered)

    def emit(self, lowered: Lowered, options: Mapping[str, Any]) -> str:
        return self.source(lowered).text

    def emit_stage(self, lowered: Lowered, options: Mapping[str, Any], stage: str) -> str:
        if stage == "python":
            return self.emit(lowered, options)
        from . import stages

        self._require()
        if stage == "asm":
            queue = self.queue_of((), options)
            return stages.assembly(queue, partial(self._kernel, lowered, queue))
        return stages.shown(stage, lowered.original, self.source(lowered))

    def prepare(self, lowered: Lowered, queue: Any) -> None:
        self._kernel(lowered, queue)

    def is_cached(self, lowered: Lowered, queue: Any) -> bool:
        if _device_key(queue) in self._kernels.get(lowered, {}):
            return True
        from ...devices.cache import current
        from . import builds

        cache = current()
        return cache is not None and builds.is_kept(cache, lowered, queue)

    @forks.section()
    def _kernel(self, lowered: Lowered, queue: Any) -> Built:
        """The kernel for the queue's context and device: from memory, from disk, or compiled."""
        device_key = _device_key(queue)
        with self._lock:
            built = self._kernels.setdefault(lowered, {})
            if device_key not in built:
                built[device_key] = self._load_or_build(lowered, queue)
            return built[device_key]

    def _load_or_build(self, lowered: Lowered, queue: Any) -> Built:
        from ...devices.cache import current
        from . import builds

        if lowered.prebuilt:
            from .prebuilt import load

            return load(lowered, queue)
        device = queue.sycl_device
        check_device(lowered.original, device)
        cache, key = current(), builds.key(lowered.original, lowered.options, device)
        # Equal kernels share what is compiled, which is freed with the last of them.
        shared = (key, _device_key(queue), cache and cache.directory)
        existing = self._shared.get(shared)
        if existing is not None:
            return existing.shared()
        built = self._shared[shared] = self._load_or_build_anew(lowered, queue, cache, key)
        return built

    def _load_or_build_anew(self, lowered: Lowered, queue: Any, cache: Cache | None, key: str) -> Built:
        from . import builds

        if cache is None:
            return self._build(lowered, queue)
        machine_key = builds.machine_key(key, queue)
        loaded = builds.loaded(cache, machine_key, lowered, queue) if machine_key is not None else None
        if loaded is not None:
            return loaded
        built = builds.loaded(cache, key, lowered, queue)
        if built is None:
            built = self._build(lowered, queue)
            builds.keep(cache, key, lowered, built)
        if machine_key is not None:
            builds.keep_machine_code(cache, machine_key, lowered, built, queue)
        return built

    def _build(self, lowered: Lowered, queue: Any) -> Built:
        with building(lowered.original):
            return self._build_now(lowered, queue)

    def _build_now(self, lowered: Lowered, queue: Any) -> Built:
        from . import builds, launch, toolchain

        compiler = toolchain.require_compiler(lowered.original)
        device = queue.sycl_device
        source = self.source(lowered)
        check_limits(lowered.original, source, device)
        location, name = lowered.original.location, lowered.original.name
        start_time = time.perf_counter()
        try:
            compiled = toolchain.build(*source.to_build)
            at("the device's driver")
            loaded = launch.load(queue, compiled)
        except PytlError:
            raise
        except Exception as error:  # numba, llvm-spirv and the driver each raise their own kinds
            raise_swallowed()
            message = f"@{name} did not compile: {_first_line(error)}"
            raise PlatformError.single(NOT_COMPILED, message, location) from error
        if not launch.has_subgroups(queue, loaded, source.subgroup_size):
            other = self._other_source(lowered, source)
            if other is None:
                raise no_subgroups(lowered.original, device)
            self._sources[lowered] = other
            return self._build_now(lowered, queue)
        seconds = time.perf_counter() - start_time
        return builds.Built(source, loaded, builds.describe(device), "built", seconds, seconds, compiler.identity())

    def variants(self, lowered: Lowered) -> Sequence[Variant]:
        with self._lock:
            return [built.variant for built in self._kernels.get(lowered, {}).values()]

    # Launching.

    @forks.section()
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

        A launch that is waited for begins after everything that was submitted to its queue, by anyone: its dependencies
        are unknown. An in-order queue has that order anyway. A checked launch is always waited for, even if it was
        submitted, so that a failed test is an error of the launch. A submitted launch begins after its dependencies,
        and after what functions of arrays have begun on the queue.
        """
        from . import events, keep_alive, queues
        from .memory import Transfer

        built, is_submitted = self._kernel(lowered, queue), not wait
        interface = built.interface
        status = checked.Status(lowered, arguments, groups)
        if status.arguments:
            arguments, wait = [*arguments, *status.arguments], True
        if wait and not is_submitted and not queue.is_in_order:
            queues.finish(queue)
        elif is_submitted:
            depends = [*depends, *queues.begun(queue)]
        transfer = Transfer(queue, arguments)
        passed = {p: transfer.value(p) for p in interface.parameters if p.parameter >= 0}
        built.launches += 1
        event: Any = None
        try:
            for first, count in _parts(lowered, interface, groups):
                share = interface.share(count, queue.sycl_device.max_compute_units)
                numbers = {"first_group": first, "group_count": groups, "share": share}
                values = [passed[p] if p in passed else numbers[p.source] for p in interface.parameters]
                event = built.kernel.submit(queue, values, -(-count // share), interface.items, depends)
                depends = [event]  # so that the last one stands for all
            if wait:
                event.wait()
            else:
                keep_alive.keep_alive_until(events.copy_of(event.addressof_ref()), transfer.kept)
        except BaseException as error:
            queue.wait()  # the kernel works on the arguments; see RepeatedLaunch
            if isinstance(error, RuntimeError):  # the launcher's own, and dpctl's
                raise _refused(lowered, error) from None
            raise
        if wait:
            transfer.copy_back()
            status.raise_failure()
            return event if is_submitted else None
        return event

    @forks.section()
    def repeat(
        self, lowered: Lowered, arguments: Sequence[Argument], options: Mapping[str, Any], queue: Any
    ) -> Repeat | None:
        from .repeat import RepeatedLaunch, is_repeatable

        if lowered.options.get(checked.CHECKED) or not is_repeatable(arguments, queue):
            return None
        return RepeatedLaunch(self._kernel(lowered, queue), arguments, queue, partial(_refused, lowered))

    def dpex(
        self,
        lowered: Lowered,
        arguments: Sequence[Argument] | None,
        groups: int,
        queue: Any,
    ) -> Any:
        from . import dpex

        source, original = self.source(lowered), lowered.original
        require_numba_dpex(original)
        check_limits(original, source, queue.sycl_device)
        check_device(original, queue.sycl_device)
        dpex.check_launch(original, source, groups)
        with self._lock:
            kernel = self._dpex_kernels.get(lowered)
            if kernel is None:
                kernel = self._dpex_kernels[lowered] = dpex.define(source, original.name)
        return dpex.call(kernel, source, original, arguments, groups, queue)


def _device_key(queue: Any) -> tuple[Any, Any]:
    """What kernels are built for."""
    return (queue.sycl_context, queue.sycl_device)


def _parts(lowered: Lowered, interface: KernelInterface, groups: int) -> Iterator[tuple[int, int]]:
    """The first work-group of each part of a launch, and the number of work-groups in the part."""
    if not lowered.options.get(IN_PARTS):
        yield 0, groups
        return
    if groups > MAX_GROUPS:
        problem = f"SYCL does not count {groups} work-groups of {interface.items} work-items."
        raise LaunchError.single(rules.REFUSED, problem, lowered.original.location)
    max_groups = MAX_AT_ONCE // interface.items
    for first in range(0, groups, max_groups):
        yield first, min(groups - first, max_groups)


def _refused(lowered: Lowered, error: Exception) -> PytlError:
    return LaunchError.single(rules.REFUSED, _first_line(error), lowered.original.location)


def _title(lowered: Lowered) -> str:
    location = lowered.original.location
    strategy = lowered.function.attributes.get(STRATEGY)
    by = "one work-item executes a work-group" if strategy == "one-item" else "work-items share a work-group"
    name = f"Kernel @{lowered.original.name}"
    title = python_comment(
        f"{name}, from {location.source.name}:{location.line}; {by}." if location else f"{name}; {by}."
    )
    return f"{title}\n# A numba-dpex kernel; the functions it calls are in pytl.backends.numba_dpex.device."


def _first_line(error: BaseException) -> str:
    text = str(error).strip()
    return text.splitlines()[0] if text else type(error).__name__
