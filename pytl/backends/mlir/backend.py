"""The backend `mlir`: kernels as MLIR, compiled for the processor of this machine, run in-process.

A processor with Arm's matrix extension has two kinds of code: in streaming mode, with the extension, or without. The
machine that code is made for says which, and is chosen for each function when its options are completed.
"""

from __future__ import annotations

import ctypes
import sys
import time
import weakref
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from ...diagnostics import LaunchError, PytlError
from ...ir.types import bf16, i16
from ...ops.memory import STACK_SIZE
from ...passes import InlineCalls, Pass, Pipeline
from ...passes.targets.amx import has_tile_products, tile_factors
from ...passes.targets.host import changed_machine, executed_here, host_machine, streaming_machine
from ...passes.targets.machine import Machine
from ...process import forks
from ...process.settings import SPECIALIZE_WORDS
from .. import checked, rules
from ..base import UNKNOWN_OPTION, Argument, Backend, Lowered, Option, Repeat, Variant
from ..building import building, loading
from ..machines import MACHINE, MACHINE_OPTION, PROCESSOR, chosen_machine, complete_machine
from ..vector_options import VECTOR_OPTIONS, learn_tiles, scheduling_space
from .pipeline import MATRIX, streaming_passes, vector_passes
from .team import MAX_THREADS
from .toolchain import Missing, Toolchain, find_compiler, find_linker, find_toolchain, missing_of, require

# Builds and launches import NumPy and whatever else only they need: the text is made without them.
if TYPE_CHECKING:
    from ...ir.values import Function
    from .emit import Emitter
    from .host_tiles import HostTiles
    from .targets import Target

STREAMING = "streaming"
"""The option of users whether a kernel is executed in streaming mode, with the matrix extension."""
OPTIMIZED = 2
"""The level of optimization from which on code may be there twice."""
STACK_BYTES = 1 << 16
"""Bytes of local memory that any thread's stack has room for."""
MAX_LOCAL = 4 << 20
"""Bytes of local memory of a kernel: half of the stack of the threads that execute kernels with much of it."""


@dataclass
class Built:
    """A kernel that can be launched, and where it came from."""

    code: Any
    device: str
    origin: Literal["built", "disk"]
    seconds: float
    build_seconds: float
    size: int
    launches: int = 0

    @property
    def variant(self) -> Variant:
        hits = max(self.launches - 1, 0)
        return Variant(self.device, self.origin, self.seconds, self.build_seconds, self.size, hits)


class MlirBackend(Backend):
    """Compiles kernels with MLIR's tools and LLVM for the host, and calls them."""

    name = "mlir"
    options: ClassVar[Mapping[str, Option]] = {
        "threads": Option(
            None,
            lambda value: value is None or (type(value) is int and 1 <= value <= MAX_THREADS),
            f"a number of threads from 1 to {MAX_THREADS}; None is one for each processor",
        ),
        "opt_level": Option.choice(2, 0, 1, 3),
        # not `items`: a thread takes its work-groups at the launch
        **{name: option for name, option in VECTOR_OPTIONS.items() if name != "items"},
        "specialize": Option(
            None,
            lambda value: value is None or (type(value) is str and value in SPECIALIZE_WORDS),
            f"one of: {', '.join(map(repr, SPECIALIZE_WORDS))}",
        ),
        MATRIX: Option.choice("auto", "vectors", "amx"),
        MACHINE: MACHINE_OPTION,
        STREAMING: Option.choice(None, True, False),
        checked.CHECKED: checked.OPTION,
    }
    launch_only: ClassVar[Sequence[str]] = ("threads",)
    """Options that do not change the code."""
    calls: ClassVar[Sequence[str]] = ("sequential", "collective")
    compiles = True
    stages = ("mlir", "llvm-dialect", "llvm", "asm")
    on_demand: ClassVar[Sequence[str]] = ("mlir.vectors", "mlir.process", "mlir.host_tiles", "tile_check")

    def __init__(self) -> None:
        self._lock = forks.rlock()
        self._built: weakref.WeakKeyDictionary[Lowered, dict[Any, Built]] = weakref.WeakKeyDictionary()
        self._by_key: weakref.WeakValueDictionary[str, Built] = weakref.WeakValueDictionary()
        self._tile_registers: HostTiles | None = None

    @property
    def _tiles(self) -> HostTiles:
        from .host_tiles import HostTiles

        with self._lock:
            self._tile_registers = self._tile_registers or HostTiles(self)
            return self._tile_registers

    # The text.

    def passes(self, options: Mapping[str, Any]) -> list[Pass]:
        machine = chosen_machine(options)
        return (streaming_passes if machine.is_streaming else vector_passes)(options, machine)

    def call_passes(self, options: Mapping[str, Any]) -> Sequence[Pass]:
        # what has tiles has a state of them of its own, which a call would have to save
        is_streaming = chosen_machine(options).is_streaming and not options.get("checks")
        return (InlineCalls(("sequential",)),) if is_streaming else super().call_passes(options)

    def text(self, lowered: Lowered, options: Mapping[str, Any], locations: bool = False) -> str:
        """The module as MLIR's text; on request with locations in the user's source."""
        from ...mlir.text.printer import print_operation

        return print_operation(self.emitter(lowered, chosen_machine(options)).run(), locations)

    def emitter(self, lowered: Lowered, machine: Machine) -> Emitter:
        """What writes a function that has been through `passes`, for a machine."""
        from .streaming import GroupEmitter, StreamingEmitter
        from .vectors import VectorEmitter

        if not machine.is_streaming:
            here = executed_here(machine)
            pairs = [element for element in (i16, bf16) if here.multiplies_pairs(element)]
            return VectorEmitter(lowered.function, machine.has_lane_products, pairs)
        of_length = self._of_length(lowered, machine)
        return (GroupEmitter if machine.has_groups else StreamingEmitter)(lowered.function, of_length)

    def _of_length(self, lowered: Lowered, machine: Machine) -> Function | None:
        """The function for the length of vectors that a machine of any length is likely to have.

        Code for all lengths has it beside, if it is optimized, where it has products of known sizes: they take 0.7 of
        the instructions there. What else there is gains less than it is longer.
        """
        from .streaming import has_known_masks

        if not machine.has_any_length or lowered.options.get("opt_level", 0) < OPTIMIZED:
            return None
        of_length = changed_machine(machine.name, has_any_length=False).name
        function = Lowered(lowered.original, {**lowered.options, PROCESSOR: of_length}, self).function
        size, most = (each.attributes.get(STACK_SIZE, 0) for each in (function, lowered.function))
        return function if has_known_masks(function) and size <= max(most, STACK_BYTES) else None

    def emit(self, lowered: Lowered, options: Mapping[str, Any]) -> str:
        return self.text(lowered, options)

    def emit_stage(self, lowered: Lowered, options: Mapping[str, Any], stage: str) -> str:
        from ...devices.cache import Entry
        from . import artefacts

        if stage == "mlir":
            return self.emit(lowered, options)
        tools = self._tools()
        target = self._target(options, stage)
        key = artefacts.key(lowered.original, self._shown(options), target, tools.programs, stage, self.name)
        stored = artefacts.find(key)
        if stored is not None:
            return stored.code.decode()
        began = time.perf_counter()
        content = self._stage(lowered, stage, target)
        shown = {**self._shown(options), "stage": stage}
        name, seconds = lowered.original.name, time.perf_counter() - began
        artefacts.keep(key, Entry(name, self.name, target.name, shown, seconds, {}, content))
        return content.decode()

    # Tuning.

    def tuning_space(self, lowered: Lowered) -> Mapping[str, Sequence[Any]]:
        machine = chosen_machine(lowered.options)
        if machine.is_streaming:
            return {}
        space = scheduling_space(self._decided(lowered), machine)
        return {name: values for name, values in space.items() if name in self.options}

    def learn(self, lowered: Lowered, seconds: Mapping[str, float]) -> None:
        learn_tiles(self._decided(lowered), chosen_machine(lowered.options), seconds)

    def _decided(self, lowered: Lowered) -> Function:
        """The function behind all passes that decide about vector code."""
        *deciding, _ = self.passes(lowered.options)  # the last pass writes what these have decided
        return Pipeline(deciding).run_on(lowered.original)

    def tuning_key(self, function: Function, options: Mapping[str, Any], queue: Any) -> str | None:
        from . import artefacts

        if VECTOR_OPTIONS.keys().isdisjoint(self.options) or self.missing():
            return None
        target = self._target(self.complete_options(options, queue, function))
        return artefacts.key(function, options, target, self._tools().programs, "tuning", self.name)

    # Before a launch.

    def missing(self) -> Missing:
        """What a launch needs and is not installed."""
        return missing_of(find_toolchain(), find_compiler() if streaming_machine() else find_linker())

    def unavailable(self) -> tuple[str, str] | None:
        if sys.platform == "win32":
            return "kernels are not built with MLIR's tools on Windows", "use Linux, as in WSL, or another backend"
        missing = self.missing()
        return (missing.reason, missing.advice) if missing else None

    def describe(self) -> Sequence[str]:
        from .host import processors

        missing = self.unavailable()
        if missing is not None:
            return [f"not available: {missing[0]}", missing[1]]
        tools = self._tools()
        extension = ", with SME" if streaming_machine() else ""
        return [f"LLVM {tools.version} in {tools.directory}, {find_linker()}; {processors()} threads{extension}"]

    def complete_options(self, options: Mapping[str, Any], queue: Any, function: Any | None = None) -> dict[str, Any]:
        complete = super().complete_options(options, queue, function)
        del complete["specialize"]  # functions are specialized before they get here
        is_streaming = complete.pop(STREAMING)
        complete_machine(complete, self._machine(complete, is_streaming, function))
        machine = chosen_machine(complete)
        if is_streaming not in (None, machine.is_streaming):
            raise LaunchError.single(
                UNKNOWN_OPTION,
                f"the option streaming is {is_streaming}, but the machine {machine} "
                f"{'has' if machine.is_streaming else 'has no'} matrix extension",
                help="leave streaming out, or name another machine",
            )
        matrix = complete.pop(MATRIX)
        if function is not None and not machine.is_streaming:
            has_products = has_tile_products(function, tile_factors(machine))
            if has_products and self._tiles.are_used(matrix, function, None):
                complete[MATRIX] = "amx"
        return checked.complete(complete)

    def _machine(self, options: Mapping[str, Any], is_streaming: bool | None, function: Function | None) -> Machine:
        """The machine that code is made for where none is named: this one, in streaming mode where that pays."""
        from ...passes.streaming import pays_for_streaming

        here, tiles = host_machine(), streaming_machine()
        if tiles is None or is_streaming is False:
            return here
        if is_streaming or (function is not None and pays_for_streaming(function, tiles, here)):
            return tiles
        return here

    def _tools(self) -> Toolchain:
        tools = find_toolchain()
        require(tools)
        assert isinstance(tools, Toolchain)
        return tools

    def _target(self, options: Mapping[str, Any], stage: str = "code") -> Target:
        """The target of a stage; `code` is what is launched."""
        from .targets import target_of

        machine = chosen_machine(options)
        if stage == "code" and machine != streaming_machine():
            if machine.is_streaming:
                raise LaunchError.single(
                    UNKNOWN_OPTION,
                    f"the machine {machine} has a matrix extension, which this processor has not",
                    help='launch with backend="arm_sme", by which QEMU executes it, or name another machine',
                )
            machine = host_machine()  # whatever has decided about the code
        return target_of(machine, options["opt_level"])

    def _shown(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """The options that decide the code."""
        return {name: value for name, value in options.items() if name not in self.launch_only}

    # Code.

    def prepare(self, lowered: Lowered, queue: Any) -> None:
        self._kernel(lowered)

    def is_cached(self, lowered: Lowered, queue: Any) -> bool:
        from . import artefacts

        built = self._built.get(lowered, {})
        return self._conditions(lowered.options) in built or artefacts.is_kept(self._key(lowered))

    def variants(self, lowered: Lowered) -> Sequence[Variant]:
        with self._lock:
            return [built.variant for built in self._built.get(lowered, {}).values()]

    def _key(self, lowered: Lowered) -> str:
        from . import artefacts

        options = lowered.options
        programs = *self._tools().programs, *self._programs(options)
        target, shown = self._target(options), {**self._shown(options), "conditions": self._conditions(options)}
        return artefacts.key(lowered.original, shown, target, programs, "code", self.name)

    def _programs(self, options: Mapping[str, Any]) -> Sequence[str]:
        """What makes code beside the tools: what links, and compiles what code in streaming mode is linked with."""
        linker = find_compiler() if chosen_machine(options).is_streaming else find_linker()
        require(linker)
        return [str(linker)]

    def _kernel(self, lowered: Lowered) -> Built:
        """The code of a function: from memory, from disk, or built."""
        with self._lock:
            by_conditions, conditions = self._built.setdefault(lowered, {}), self._conditions(lowered.options)
            if conditions not in by_conditions:
                self._check_tiles(lowered)
                key = self._key(lowered)
                built = self._by_key.get(key) or self._load_or_build(lowered, key)
                self._by_key[key] = by_conditions[conditions] = built
            return by_conditions[conditions]

    def _check_tiles(self, lowered: Lowered) -> None:
        """Refuse code on tile registers that cannot be used here."""
        if lowered.options.get(MATRIX) == "amx":
            from ..tile_check import refused

            problem = self._tiles.problem_of(chosen_machine(lowered.options))
            if problem is not None:
                raise refused(lowered.original, problem)

    def _conditions(self, options: Mapping[str, Any]) -> Any:
        """What decides the code beside function, options, target and tools, and may change during the process."""
        return None

    def _load_or_build(self, lowered: Lowered, key: str) -> Built:
        from ...devices.cache import Entry
        from . import artefacts

        began = time.perf_counter()
        stored = artefacts.find(key)
        if stored is not None:
            try:
                with loading(lowered.original, "the linker"):
                    code = self._load(stored.code, lowered, int(stored.details["local_bytes"]))
                seconds = time.perf_counter() - began
                return Built(code, stored.device, "disk", seconds, stored.seconds, len(stored.code))
            except (
                PytlError,
                KeyError,
                ValueError,
                TypeError,
            ):  # as where the C library is not the one that it was linked with
                artefacts.drop(key)
        target = self._target(lowered.options)
        with building(lowered.original):
            self._check_stack(lowered)
            content = self._build(lowered, target)
        local_bytes = lowered.function.attributes.get(STACK_SIZE, 0)
        code = self._load(content, lowered, local_bytes)
        shown, name, seconds = self._shown(lowered.options), lowered.original.name, time.perf_counter() - began
        details = {"local_bytes": local_bytes}
        artefacts.keep(key, Entry(name, self.name, target.name, shown, seconds, details, content))
        return Built(code, target.name, "built", seconds, seconds, len(content))

    def _stage(self, lowered: Lowered, stage: str, target: Target) -> bytes:
        from .artefacts import Build

        # the original has the places that tools' messages lead to
        build = Build(lowered.original, len(checked.parameters_of(lowered)), target, self._tools())
        return build.stage(stage, self.text(lowered, lowered.options, locations=True))

    def _build(self, lowered: Lowered, target: Target) -> bytes:
        from . import artefacts

        programs, objects = self._programs(lowered.options), [self._stage(lowered, "object", target)]
        if chosen_machine(lowered.options).is_streaming:
            support = artefacts.STREAMING_SUPPORT
            objects.append(artefacts.compiled(programs, support, ["-fPIC"], lowered.original))
        return artefacts.link_shared(programs[0], objects, lowered.original)

    def _check_stack(self, lowered: Lowered) -> None:
        size = lowered.function.attributes.get(STACK_SIZE, 0)
        if size > MAX_LOCAL:
            raise LaunchError.single(
                rules.LOCAL_MEMORY,
                f"@{lowered.original.name} needs {size} bytes of local memory, but the backend {self.name} has "
                f"{MAX_LOCAL}",
                lowered.original.location,
                "make the allocas smaller, or let their lifetimes end before others begin (lifetime_stop)",
            )

    def _load(self, content: bytes, lowered: Lowered, local_bytes: int) -> Any:
        from .host import load_kernel

        return load_kernel(content, lowered.original, local_bytes)

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
    ) -> None:
        from .host_memory import HostMemory

        built = self._kernel(lowered)
        status = checked.Status(lowered, arguments, groups)
        arguments = [*arguments, *status.arguments]
        memory = HostMemory(arguments)
        self._run(built.code, lowered, arguments, memory, groups, options)
        built.launches += 1
        memory.copy_back()
        status.raise_failure()

    def repeat(
        self, lowered: Lowered, arguments: Sequence[Argument], options: Mapping[str, Any], queue: Any
    ) -> Repeat | None:
        from .repeat import RepeatedLaunch, is_repeatable

        if lowered.options.get(checked.CHECKED) or not self.runs_here(options) or not is_repeatable(arguments):
            return None
        return RepeatedLaunch(self._kernel(lowered), lowered, arguments, options)

    def runs_here(self, options: Mapping[str, Any]) -> bool:
        """Whether code is executed in this process."""
        return True

    def _run(
        self,
        code: Any,
        lowered: Lowered,
        arguments: Sequence[Argument],
        memory: Any,
        groups: int,
        options: Mapping[str, Any],
    ) -> None:
        from .descriptors import Table

        table = Table(checked.parameters_of(lowered), arguments, memory.addresses)
        address = table.words.ctypes.data
        table.moved_to(address)
        code.run(groups, ctypes.c_void_p(address), options["threads"], (table, arguments, memory))
