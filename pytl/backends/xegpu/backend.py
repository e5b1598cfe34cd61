"""The backend `xegpu`: kernels as text for Intel GPUs, which an interpreter executes on request."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from ... import passes
from ...diagnostics import PlatformError
from ...ops.launch_defaults import OVERLAPPING
from ...passes import Pass
from ...passes.targets.spmd import DEVICES, SpmdDevice
from ...passes.targets.xe import CHIPS
from ..base import Argument, Backend, Lowered, Option
from . import rules

if TYPE_CHECKING:
    from .emit import XeEmitter

_REASON = "pytl has no way to run a kernel on an Intel GPU by the text of xegpu"
_REMEDY = (
    'print it: k.emit("xegpu"), or with stage="spirv" for a driver of OpenCL or Level Zero; to launch, use '
    'backend="sycl", "mlir" or "reference"; the option interpreted=True executes the text on the processor, slowly'
)


class XeGpuBackend(Backend):
    """Prints kernels in MLIR's dialect xegpu, and what MLIR's pipeline makes of them."""

    name = "xegpu"
    options: ClassVar[Mapping[str, Option]] = {
        "chip": Option.choice(*CHIPS),
        "matrices": Option.choice("auto", "dpas", "lanes"),
        "blocks": Option.choice("auto", "required", "preferred"),
        "barriers": Option.choice("group", "named"),
        "interpreted": Option.choice(False, True),
        "offsets": Option.choice("access", "update"),
    }
    stages = ("xegpu", "xevm", "llvm", "spirv")
    on_demand: ClassVar[Sequence[str]] = ("xegpu.rules", "xegpu.interpreter.running")

    def passes(self, options: Mapping[str, Any]) -> list[Pass]:
        return [
            passes.RaiseLoops(as_written=bool(options.get(OVERLAPPING))),
            passes.LowerForeachTile(),
            passes.LowerTiles(prefetches=True),
            passes.LoopOverGemm(),
            passes.DenseBlocks(),
            passes.ExecutionStrategy(lock_step=False, only_many=True),
            *self._of_matrices(options),
            passes.LowerCollectives(blocks=True),
            passes.Canonicalize(),
            passes.DivideRows(),
            passes.SubgroupBlocks(self._device(options)),
            passes.InsertLifetimeStop(),
            passes.StackLayout(),
            passes.InsertBarrier(),
            passes.WorkGroupSize(),
        ]

    def _device(self, options: Mapping[str, Any]) -> SpmdDevice:
        device = DEVICES[options["chip"]]
        return device.without_matrices() if options["matrices"] == "lanes" else device

    def _of_matrices(self, options: Mapping[str, Any]) -> list[Pass]:
        """What computes with matrices: the work-items in their registers, or the matrix unit."""
        device = self._device(options)
        if options["matrices"] == "auto":
            from .checks import MatricesOfLanes

            return [MatricesOfLanes(device.matrix_types, device.unrolled, chip=CHIPS[options["chip"]])]
        return [passes.LowerCoopmatrix(unrolled=device.unrolled)] if options["matrices"] == "lanes" else []

    def emit(self, lowered: Lowered, options: Mapping[str, Any]) -> str:
        return self._text(lowered, options, False)

    def _text(self, lowered: Lowered, options: Mapping[str, Any], lowerable: bool) -> str:
        """The text; one that is lowered has locations, which messages of tools refer to."""
        from ...mlir.text.printer import print_operation

        return print_operation(self.emitter(lowered, options, lowerable).run(), locations=lowerable)

    def emit_stage(self, lowered: Lowered, options: Mapping[str, Any], stage: str) -> str:
        if stage == "xegpu":
            return self.emit(lowered, options)
        from . import lowering

        return lowering.stage(stage, self._text(lowered, options, True), options["chip"], lowered.original)

    def emitter(self, lowered: Lowered, options: Mapping[str, Any], lowerable: bool) -> XeEmitter:
        """What writes a function, after the demands of the hardware were checked."""
        from .checks import Checks
        from .emit import XeEmitter
        from .options import Options

        chip = CHIPS[options["chip"]]
        Checks(chip, options["blocks"]).run(lowered.function)
        named = {name: options[name] for name in ("blocks", "barriers", "offsets")}
        return XeEmitter(lowered.function, chip, Options(**named, lowerable=lowerable))

    def describe(self) -> Sequence[str]:
        return [f'emits only, for {", ".join(CHIPS)}: k.emit("xegpu")']

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
        if options["interpreted"]:
            from .interpreter.launching import launch

            launch(self.emit(lowered, options), lowered.function.parameters, arguments, groups)
            return
        raise PlatformError.single(rules.NO_LAUNCH, _REASON, help=_REMEDY)
