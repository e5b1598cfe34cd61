"""The backend `arm_sme`: what `mlir` makes for Arm's matrix extension, run here where there is one, else under QEMU."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from ...diagnostics import LaunchError
from ...passes.targets.host import changed_machine, streaming_machine
from ...passes.targets.machine import ARM, MACHINES, Machine
from .. import checked
from ..base import UNKNOWN_OPTION, Argument, Lowered, Option
from ..machines import MACHINE, PROCESSOR, chosen_machine
from ..mlir.backend import MlirBackend
from ..mlir.toolchain import Missing, find_toolchain, missing_of, require
from ..vector_options import VECTOR_OPTIONS
from . import machine

# Builds and launches import NumPy and whatever else only they need: the text is made without them.
if TYPE_CHECKING:
    from ...ir.values import Function
    from ..mlir.targets import Target

VECTOR_LENGTH = "vector_length"
VECTOR_LENGTHS = (128, 256, 512, 1024, 2048)
DEFAULT_LENGTH = 512
"""Bits of a streaming vector under QEMU, where the launch gives no number."""


class ArmSmeBackend(MlirBackend):
    """Compiles kernels for SME; under QEMU, the code runs at every vector length, unless one is named."""

    name = "arm_sme"
    calls: ClassVar[Sequence[str]] = ("sequential",)
    options: ClassVar[Mapping[str, Option]] = {
        VECTOR_LENGTH: Option.choice(None, *VECTOR_LENGTHS),
        **{name: option for name, option in MlirBackend.options.items() if name not in VECTOR_OPTIONS},
        MACHINE: Option.choice(None, *(name for name, each in MACHINES.items() if each.architecture == ARM)),
    }
    on_demand: ClassVar[Sequence[str]] = (*MlirBackend.on_demand, "arm_sme.qemu")

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
            return [*lines, f"in this process, {'with' if streaming_machine() else 'without'} SME"]
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

    # What code is made for.

    def runs_here(self, options: Mapping[str, Any]) -> bool:
        # a machine that is named may be another one
        return machine.is_arm() and options[VECTOR_LENGTH] is None and MACHINE not in options

    def complete_options(self, options: Mapping[str, Any], queue: Any, function: Any | None = None) -> dict[str, Any]:
        complete = super().complete_options(options, queue, function)
        target, length = chosen_machine(complete), complete[VECTOR_LENGTH]
        if length is not None and target.is_streaming:
            complete[PROCESSOR] = changed_machine(target.name, vector_bits=length, has_any_length=False).name
        elif target.has_scalable_vectors and length not in (None, target.vector_bits):
            raise LaunchError.single(
                UNKNOWN_OPTION,
                f"the option vector_length is {length}, but the machine {target} has {target.vector_bits} bits",
                help="leave vector_length out, or name another machine",
            )
        return complete

    def _machine(self, options: Mapping[str, Any], is_streaming: bool | None, function: Function | None) -> Machine:
        """The machine that code is made for where none is named: for this one, too, it is that with the extension."""
        if options.get(MACHINE) is None and machine.is_arm() and options[VECTOR_LENGTH] is None:
            return super()._machine(options, True if is_streaming is None else is_streaming, function)
        return MACHINES["neon" if is_streaming is False else "sme"]

    def _target(self, options: Mapping[str, Any], stage: str = "code") -> Target:
        from ..mlir.targets import target_of

        if self.runs_here(options):
            return super()._target(options, stage)
        target = chosen_machine(options)
        if stage == "code" and target.is_streaming and not machine.emulates_all():
            # what is shown has all products, for it is the same everywhere
            target = changed_machine(target.name, without=machine.NOT_EMULATED)
        return target_of(target, options["opt_level"])

    def _stage(self, lowered: Lowered, stage: str, target: Target) -> bytes:
        if target.processor != lowered.options[PROCESSOR]:
            lowered = Lowered(lowered.original, {**lowered.options, PROCESSOR: target.processor}, self)
        return super()._stage(lowered, stage, target)

    # Under QEMU.

    def _conditions(self, options: Mapping[str, Any]) -> Any:
        return machine.emulates_all()

    def _programs(self, options: Mapping[str, Any]) -> Sequence[str]:
        return super()._programs(options) if self.runs_here(options) else self._compiler()[:1]

    def _build(self, lowered: Lowered, target: Target) -> bytes:
        from . import qemu

        if self.runs_here(lowered.options):
            return super()._build(lowered, target)
        return qemu.link_program(self._compiler(), self._stage(lowered, "object", target), lowered.original)

    def _load(self, content: bytes, lowered: Lowered, local_bytes: int) -> Any:
        from .qemu import Program

        return super()._load(content, lowered, local_bytes) if self.runs_here(lowered.options) else Program(content)

    def _run(
        self,
        code: Any,
        lowered: Lowered,
        arguments: Sequence[Argument],
        memory: Any,
        groups: int,
        options: Mapping[str, Any],
    ) -> None:
        if self.runs_here(options):
            super()._run(code, lowered, arguments, memory, groups, options)
            return
        from .image import Image

        function = lowered.original
        image = Image(checked.parameters_of(lowered), function, arguments, memory, groups)
        try:
            length = chosen_machine(options).known_bits or DEFAULT_LENGTH
            code.run(self._qemu(), length, image, function)
            image.copy_back()
        finally:
            image.close()
