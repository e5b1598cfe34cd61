"""The backend `arm_sme`: kernels as MLIR for Arm's matrix extension, run on an Arm machine or under QEMU."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from ... import passes
from ...diagnostics import LaunchError
from ...passes import Pass
from ...passes.targets.host import find_machine
from ...passes.targets.machine import ARM, MACHINES, Machine
from .. import checked
from ..base import UNKNOWN_OPTION, Argument, Lowered, Option
from ..machines import MACHINE, chosen_machine
from ..mlir.backend import MlirBackend
from ..mlir.pipeline import lowering_passes
from ..mlir.toolchain import Missing, find_toolchain, missing_of, require
from ..vector_options import VECTOR_OPTIONS
from . import machine

# Builds and launches import NumPy and whatever else only they need: the text is made without them.
if TYPE_CHECKING:
    from ...ir.values import Function
    from ..mlir.artefacts import Target
    from ..mlir.emit import Emitter

VECTOR_LENGTH = "vector_length"
VECTOR_LENGTHS = (128, 256, 512, 1024, 2048)
DEFAULT_LENGTH = 512
"""Bits of a streaming vector under QEMU, where the launch gives no number."""
STREAMING = "streaming"
"""The option whether a kernel is executed in streaming mode, with the matrix extension. Where it is left out, the model
decides where the machine is this one; under QEMU, and in what is shown, the extension is what the backend is for."""
NEUTRAL = "neon"
"""The machine that code without streaming mode is for under QEMU, where none is named."""
BITS = "bits"
"""Of options that decide code: the vectors' length, where that is not the option vector_length; 0 is any."""
WITHOUT = "without"
"""Of options that decide code: the factor types without an outer product, where these are not those that are shown."""


class ArmSmeBackend(MlirBackend):
    """Compiles kernels for SME; the code runs at every vector length, unless one is named."""

    name = "arm_sme"
    # what has tiles has a state of them of its own, which a call would have to save
    calls: ClassVar[Sequence[str]] = ("sequential",)
    options: ClassVar[Mapping[str, Option]] = {
        VECTOR_LENGTH: Option.choice(None, *VECTOR_LENGTHS),
        STREAMING: Option.choice(None, True, False),
        **{name: option for name, option in MlirBackend.options.items() if name not in VECTOR_OPTIONS},
        MACHINE: Option.choice(None, *(name for name, each in MACHINES.items() if each.architecture == ARM)),
    }
    on_demand: ClassVar[Sequence[str]] = (*MlirBackend.on_demand, "arm_sme.qemu")

    # The text.

    def passes(self, options: Mapping[str, Any]) -> list[Pass]:
        if _is_neutral(options):
            return super().passes(options)
        without = options.get(WITHOUT, tuple(_lacking(options)))
        collectives = passes.LowerCollectives(streaming=True, without=without)
        bits = options.get(BITS, options[VECTOR_LENGTH] or 0)
        products = passes.SmeProducts(_tiled(options), without, bits)
        return lowering_passes(options, collectives, [products, passes.Vectorize(streaming=True, bits=bits)])

    def text(
        self, lowered: Lowered, options: Mapping[str, Any], locations: bool = False, target: Target | None = None
    ) -> str:
        if target is not None and not _is_neutral(options):
            # what is shown has all products, though an emulator may have some of them wrong
            options = {**options, WITHOUT: tuple(target.without), BITS: target.bits or options[VECTOR_LENGTH] or 0}
            lowered = Lowered(lowered.original, options, self)
        return super().text(lowered, options, locations, target)

    def emitter(self, function: Function, options: Mapping[str, Any], target: Target | None = None) -> Emitter:
        from .emit import ArmEmitter, GroupEmitter

        if _is_neutral(options):
            return super().emitter(function, options, target)
        return (GroupEmitter if _has_groups(options) else ArmEmitter)(function)

    def _machine(self, options: Mapping[str, Any]) -> Machine:
        return super()._machine(options) if _is_neutral(options) else _tiled(options)

    def complete_options(self, options: Mapping[str, Any], queue: Any, function: Any | None = None) -> dict[str, Any]:
        complete = super().complete_options(_with_mode(options, function), queue, function)
        target, length = chosen_machine(complete), complete[VECTOR_LENGTH]
        if MACHINE in complete and complete[STREAMING] not in (None, _has_tiles(target)):
            raise LaunchError.single(
                UNKNOWN_OPTION,
                f"the option streaming is {complete[STREAMING]}, but the machine {target} "
                f"{'has' if _has_tiles(target) else 'has no'} matrix extension",
                help="leave streaming out, or name another machine",
            )
        if MACHINE in complete and target.has_scalable_vectors and not _has_tiles(target):
            if length not in (None, target.vector_bits):
                raise LaunchError.single(
                    UNKNOWN_OPTION,
                    f"the option vector_length is {length}, but the machine {target} has {target.vector_bits} bits",
                    help="leave vector_length out, or name another machine",
                )
            complete[VECTOR_LENGTH] = target.vector_bits
        return complete

    # What is here.

    def missing(self) -> Missing:
        missing = missing_of(find_toolchain(), machine.find_compiler())
        return missing if machine.is_arm() else missing_of(missing, machine.find_qemu())

    def describe(self) -> Sequence[str]:
        missing = self.unavailable()
        if missing is not None:
            return [f"not available: {missing[0]}", missing[1]]
        tools = self._tools()
        lines = [f"LLVM {tools.version} in {tools.directory}, {' '.join(self._compiler())}"]
        if machine.is_arm():
            return [*lines, f"in this process, {'with' if machine.has_sme() else 'without'} SME"]
        qemu = self._qemu()
        right = (
            "" if machine.emulates_all() else ", where products of i8 are made of those of i16, of bf16 of those of f32"
        )
        version = ".".join(map(str, machine.qemu_version(qemu)))
        return [*lines, f"QEMU {version} in {qemu}{right}; vectors of {', '.join(map(str, VECTOR_LENGTHS))} bits"]

    def _compiler(self) -> list[str]:
        compiler = machine.find_compiler()
        require(compiler)
        assert isinstance(compiler, list)
        return compiler

    def _qemu(self) -> str:
        qemu = machine.find_qemu()
        require(qemu)
        return str(qemu)

    # Code.

    def _target(self, options: Mapping[str, Any], stage: str = "code") -> Target:
        from ..mlir.artefacts import target_of
        from . import lowering

        if MACHINE in options and _is_neutral(options):
            return target_of(chosen_machine(options), options["opt_level"])
        if stage != "code":  # which is shown on every machine
            return lowering.sme(options["opt_level"], _lacking(options), _has_groups(options))
        if _is_here(options):
            features = machine.features() - ({"sme"} if options[STREAMING] is False else set())
            return lowering.here(options["opt_level"], features, machine.streaming_bits())
        has_all = machine.emulates_all(options[VECTOR_LENGTH])
        return lowering.sme(options["opt_level"], () if has_all else lowering.NOT_EMULATED, _has_groups(options))

    def _conditions(self, options: Mapping[str, Any]) -> Any:
        length = options[VECTOR_LENGTH]
        return machine.executor_for(length), machine.emulates_all(length)

    def _programs(self) -> Sequence[str]:
        return self._compiler()[:1]

    def _build(self, lowered: Lowered, target: Target) -> bytes:
        from ..mlir.artefacts import link_shared
        from . import qemu

        compiler, function = self._compiler(), lowered.original
        if _is_here(lowered.options):
            objects = [self._stage(lowered, "object", target), qemu.support(compiler, function, in_process=True)]
            return link_shared(compiler[0], objects, function)
        return qemu.link_program(compiler, self._stage(lowered, "object", target), function)

    def _load(self, content: bytes, lowered: Lowered, local_bytes: int) -> Any:
        if _is_here(lowered.options):
            return super()._load(content, lowered, local_bytes)
        from .qemu import Program

        return Program(content)

    # Launching.

    def runs_here(self, options: Mapping[str, Any]) -> bool:
        return _is_here(options)

    def _run(
        self,
        code: Any,
        lowered: Lowered,
        arguments: Sequence[Argument],
        memory: Any,
        groups: int,
        options: Mapping[str, Any],
    ) -> None:
        if _is_here(options):
            super()._run(code, lowered, arguments, memory, groups, options)
            return
        from .image import Image

        function = lowered.original
        image = Image(checked.parameters_of(lowered), function, arguments, memory, groups)
        try:
            code.run(self._qemu(), options[VECTOR_LENGTH] or DEFAULT_LENGTH, image, function)
            image.copy_back()
        finally:
            image.close()


def _has_tiles(target: Machine) -> bool:
    return "sme" in target.features


def _tiled(options: Mapping[str, Any]) -> Machine:
    """The machine with a matrix extension that code is for: a named one, or what is here, or what QEMU emulates."""
    if options.get(MACHINE) is not None:
        return chosen_machine(options)
    return MACHINES["sme2" if _is_here(options) and "sme2" in machine.features() else "sme"]


def _has_groups(options: Mapping[str, Any]) -> bool:
    """Whether instructions may take two or four vectors."""
    return "sme2" in _tiled(options).features


def _is_neutral(options: Mapping[str, Any]) -> bool:
    """Whether code is made for a machine that has no matrix extension: a named one, or this one."""
    if options.get(MACHINE) is not None:
        return not _has_tiles(chosen_machine(options))
    return _is_here(options) and not (machine.has_sme() and options.get(STREAMING) is not False)


def _with_mode(options: Mapping[str, Any], function: Function | None) -> Mapping[str, Any]:
    """Options of users with what is decided about streaming mode: they say so where a function does without."""
    is_streaming, named = options.get(STREAMING), find_machine(options.get(MACHINE))
    if is_streaming is None and named is None and function is not None and _is_here(options):
        return options if _pays(function) else {**options, STREAMING: False}
    if is_streaming is False and named is None and not _is_here(options):
        return {**options, MACHINE: NEUTRAL}
    return options


def _pays(function: Function) -> bool:
    """Whether a function is executed in streaming mode on this machine: where it has that, and the model says so."""
    from ...passes.streaming import pays_for_streaming
    from ...passes.targets.host import host_machine
    from .lowering import lacking

    if not machine.has_sme():
        return False
    tiles = _tiled({})
    here = replace(tiles, vector_bits=machine.streaming_bits() or tiles.vector_bits)
    return pays_for_streaming(function, here, host_machine(), tuple(lacking(machine.features())))


def _lacking(options: Mapping[str, Any]) -> Sequence[str]:
    """The factor types without an outer product on the machine where kernels run; an emulator has all of them."""
    from .lowering import lacking

    return lacking(machine.features()) if _is_here(options) else ()


def _is_here(options: Mapping[str, Any]) -> bool:
    """Whether code is executed in this process; that for a named machine is not, which may be another one."""
    return machine.executor_for(options.get(VECTOR_LENGTH)) == "process" and options.get(MACHINE) is None
