"""numba-dpex's compiler as generated source needs it: fewer passes, tables that don't grow, LLVM's intrinsics.

Fewer passes and smaller tables do not change the result, and save a third to a half of numba's time.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import Any

import numba_dpex
from llvmlite import binding
from numba.core import ir, types
from numba.core.analysis import compute_use_defs, must_use_alloca
from numba.core.compiler import Flags
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.lowering import Lower
from numba.core.typed_passes import IRLegalization, NopythonTypeInference, PreLowerStripPhis
from numba.core.untyped_passes import FixupArgs, IRProcessing, ReconstructSSA, TranslateByteCode
from numba_dpex.core.descriptor import dpex_kernel_target
from numba_dpex.core.passes.passes import NoPythonBackend, QualNameDisambiguationLowering
from numba_dpex.core.pipelines.kernel_compiler import KernelCompiler
from numba_dpex.core.utils.call_kernel_builder import SPIRVKernelModule
from numba_dpex.kernel_api_impl.spirv import spirv_generator
from numba_dpex.kernel_api_impl.spirv.dispatcher import _SPIRVKernelCompiler
from numba_dpex.kernel_api_impl.spirv.target import LLVM_SPIRV_ARGS

from ... import building

LLVM_SPIRV = [
    *(
        f"--spirv-ext=+{extension}"
        for extension in (
            "SPV_EXT_shader_atomic_float_add",
            "SPV_EXT_shader_atomic_float_min_max",
            "SPV_INTEL_arbitrary_precision_integers",
            "SPV_INTEL_variable_length_array",
        )
    ),
    "--spirv-allow-unknown-intrinsics=llvm",
]
"""The arguments of llvm-spirv: numba-dpex's own, and permission to pass LLVM's intrinsics on by their names.

Without it, llvm-spirv refuses intrinsics that SPIR-V has no equivalent for, such as masked loads and those of one
processor. The OpenCL CPU device's compiler is LLVM too, and understands them.
"""


class LinearLower(Lower):
    """numba's lowering of a function, in time linear in the source; it stops when the build is cancelled."""

    def _find_singly_assigned_variable(self) -> None:
        """Find the variables that are assigned once, and used in the same block only.

        numba's own method goes through all instructions of a block for each of the block's variables.
        """
        assigned: Counter[str] = Counter()
        blocks: dict[str, int] = {}
        for place, block in self.blocks.items():
            for statement in block.find_insts(ir.Assign):
                assigned[statement.target.name] += 1
                blocks[statement.target.name] = place
        used = compute_use_defs(self.func_ir.blocks)
        elsewhere = {name for names in used.usemap.values() for name in names}
        kept = must_use_alloca(self.func_ir.blocks)
        once = {name for name, count in assigned.items() if count == 1}
        self._singly_assigned_vars = {name for name in once if name not in elsewhere and name not in kept}
        self._blk_local_varmap: dict[str, Any] = {}

    def lower_inst(self, inst: Any) -> None:
        building.check()
        super().lower_inst(inst)


@register_pass(mutates_CFG=True, analysis_only=False)
class Lowering(QualNameDisambiguationLowering):
    """The step from numba's IR to LLVM."""

    _name = "pytl_lowering"

    @property
    def lowering_class(self) -> type[Lower]:
        return LinearLower

    def run_pass(self, state: Any) -> bool:
        building.at("code")
        return super().run_pass(state)


class GeneratedKernelCompiler(KernelCompiler):
    """numba-dpex's pipeline without the passes that look for what generated source doesn't have.

    These are closures, `with`, functions to inline, branches on constants, parallel loops, expressions of arrays.
    """

    def define_pipelines(self) -> list[PassManager]:
        super().define_pipelines()  # it sets flags
        manager = PassManager("pytl_kernel")
        for pass_, description in (
            (TranslateByteCode, "byte code to numba's IR"),
            (FixupArgs, "arguments by their position"),
            (IRProcessing, "where variables are used"),
            (ReconstructSSA, "a variable for each assignment"),
            (NopythonTypeInference, "types"),
            (PreLowerStripPhis, "phis become assignments"),
            (IRLegalization, "where variables end"),
            (Lowering, "LLVM"),
            (NoPythonBackend, "the result of the compilation"),
        ):
            manager.add_pass(pass_, description)
        manager.finalize()
        return [manager]


_SIGNED_TRUTH = re.compile(
    r"= sitofp (?P<source>(?:<(?P<lanes>\d+) x )?i1>?) (?P<value>\S+) to (?:<\d+ x )?(?P<target>\w+)>?"
)


def signed_truths_selected(text: str) -> str:
    """LLVM's text with a `select` for each `sitofp i1`, which is -1.0 where the bit is set.

    LLVM's optimizer introduces such a conversion for an integer that is known to be 0 or -1. llvm-spirv translates it
    to 1.0 (SPIRV-LLVM-Translator, pull request 3918), in all versions that numba-dpex works with.
    """

    def selected(found: re.Match[str]) -> str:
        target, lanes = found["target"], found["lanes"]
        one, zero = f"{target} -1.0", f"{target} 0.0"
        if lanes:
            vector = f"<{lanes} x {target}>"
            one, zero = (f"{vector} <{', '.join([each] * int(lanes))}>" for each in (one, zero))
        return f"= select {found['source']} {found['value']}, {one}, {zero}"

    return _SIGNED_TRUTH.sub(selected, text)


class SpirvCompiler(_SPIRVKernelCompiler):
    """numba-dpex's compiler of a kernel, which rewrites the LLVM code for llvm-spirv."""

    llvm = ""
    """The LLVM code of the last kernel that was compiled, as llvm-spirv got it."""

    def _compile_to_spirv(self, kernel_library: Any, kernel_fndesc: Any, kernel_targetctx: Any) -> Any:
        """numba-dpex's method with one more step between the optimized LLVM code and llvm-spirv."""
        function = kernel_library.get_function(kernel_fndesc.llvm_func_name)
        wrapper = kernel_targetctx.prepare_spir_kernel(function, kernel_fndesc.argtypes)
        flags = Flags()
        self.targetdescr.options.parse_as_flags(flags, self.targetoptions)
        kernel_library.inline_threshold = flags.inline_threshold
        kernel_library.finalize()
        module = kernel_library.final_module
        text = str(module)
        rewritten = signed_truths_selected(text)
        if rewritten != text:
            module = binding.parse_assembly(rewritten)
        self.llvm = rewritten
        building.at("SPIR-V")
        options = kernel_targetctx.extra_compile_options
        options[LLVM_SPIRV_ARGS] = LLVM_SPIRV  # for the next call alone
        try:
            compiled = spirv_generator.llvm_to_spirv(kernel_targetctx, rewritten, module.as_bitcode())
        finally:
            options.pop(LLVM_SPIRV_ARGS, None)
        return SPIRVKernelModule(kernel_name=wrapper.name, kernel_bitcode=compiled)


def kernel(function: Callable[..., None], compiler: type[SpirvCompiler] = SpirvCompiler) -> Any:
    """A function of generated source as a numba-dpex kernel."""
    _stop_growth()
    dispatcher = numba_dpex.kernel(function)
    its = dispatcher._compiler
    dispatcher._compiler = compiler(
        its.py_func, its.targetdescr, its.targetoptions, its.locals, GeneratedKernelCompiler
    )
    return dispatcher


@cache
def _stop_growth() -> None:
    """Make numba-dpex's target register what is new since the last refresh, and nothing twice.

    numba refreshes the target whenever it meets a function that is new to it, some twenty times per kernel. numba-dpex
    then appends all its mathematical functions to the tables once more: ten thousand entries per kernel, which take
    memory and slow down each search for an operator.
    """
    from numba_dpex.dpctl_iface import dpctlimpl
    from numba_dpex.dpnp_iface import dpnpimpl
    from numba_dpex.kernel_api_impl.spirv import printimpl, target
    from numba_dpex.kernel_api_impl.spirv.math import mathimpl

    context: Any = dpex_kernel_target.target_context
    # The other effect of a refresh. The typing context must not be refreshed at this moment: numba would register the
    # methods of numba-dpex's kernel API for the target that it is compiling for now, which is the host.
    context.replace_dpnp_ufunc_with_ocl_intrinsics()
    modules = (mathimpl, dpnpimpl, printimpl, dpctlimpl)
    registries = [*(module.registry for module in modules), target.spirv_registry]

    def load_additional_registries() -> None:
        for registry in registries:
            context.install_registry(registry)

    context.load_additional_registries = load_additional_registries
    typing: Any = dpex_kernel_target.typing_context
    resolve = typing.resolve_function_type

    known: dict[Any, Any] = {}

    def resolve_function_type(function: Any, arguments: Any, named: Any) -> Any:
        building.check()
        # to resolve an operator on two numbers takes two milliseconds, and numba resolves each several times
        if named or type(function) is not types.Function or not all(isinstance(a, types.Number) for a in arguments):
            return resolve(function, arguments, named)
        key = (function, tuple(arguments))
        if key not in known:
            known[key] = resolve(function, arguments, named)
        return known[key]

    typing.resolve_function_type = resolve_function_type
