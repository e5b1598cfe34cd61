"""numba-dpex's compiler as generated source needs it: fewer passes, tables that don't grow, LLVM's intrinsics.

Fewer passes and smaller tables do not change the result, and save a third to a half of numba's time.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any

import numba_dpex
from llvmlite import binding
from numba.core import types
from numba.core.compiler import Flags, compile_extra
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.target_extension import target_override
from numba_dpex.core import config
from numba_dpex.core.descriptor import dpex_kernel_target
from numba_dpex.core.passes.passes import NoPythonBackend, QualNameDisambiguationLowering
from numba_dpex.core.pipelines.kernel_compiler import KernelCompiler
from numba_dpex.core.utils.call_kernel_builder import SPIRVKernelModule
from numba_dpex.kernel_api_impl.spirv import spirv_generator
from numba_dpex.kernel_api_impl.spirv.dispatcher import _SPIRVKernelCompiler
from numba_dpex.kernel_api_impl.spirv.target import LLVM_SPIRV_ARGS, SPIRV_TARGET_NAME

from ... import building
from .called import CALLED, declared
from .lowering import LLVM_SPIRV, LinearStep, for_translator, pipeline, remember_signatures

DEFAULT_LEVEL = 2
"""How much numba-dpex optimizes, where the user's NUMBA_DPEX_OPT says nothing."""
PASSES = (
    *("always_inliner", "global_dce", "sroa", "cfg_simplification", "sroa", "instruction_combining"),
    *("loop_simplification", "lcssa", "loop_rotate", "licm", "gvn", "instruction_combining", "cfg_simplification"),
)
"""LLVM's passes on a kernel in place of those of this level: some of them, in a third of the time.

The device's driver has a pipeline of its own and makes the same loops of it. Without what moves code out of loops and
finds common subexpressions, it keeps fewer addresses in registers.
"""


@register_pass(mutates_CFG=True, analysis_only=False)
class Lowering(LinearStep, QualNameDisambiguationLowering):
    """The step from numba's IR to LLVM."""

    _name = "pytl_lowering"


class GeneratedKernelCompiler(KernelCompiler):
    """numba-dpex's compiler with the passes that generated source needs."""

    def define_pipelines(self) -> list[PassManager]:
        super().define_pipelines()  # it sets flags
        return [pipeline("pytl_kernel", Lowering, NoPythonBackend)]


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
        if config.DPEX_OPT == DEFAULT_LEVEL:
            kernel_library._optimize_final_module = partial(_optimize, kernel_library.final_module)
        kernel_library.finalize()
        module = kernel_library.final_module
        text = str(module)
        rewritten = for_translator(text)
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


def _optimize(module: binding.ModuleRef) -> None:
    """Run the passes on a kernel's module."""
    manager = binding.ModulePassManager()
    for name in PASSES:
        getattr(manager, f"add_{name}_pass")()
    manager.run(module)


def compile_called(function: Callable[..., Any], arguments: tuple[types.Type, ...], result: types.Type) -> Any:
    """A function that a kernel calls."""
    target = dpex_kernel_target
    with target_override(SPIRV_TARGET_NAME):
        return compile_extra(
            target.typing_context,
            target.target_context,
            function,
            arguments,
            result,
            Flags(),
            {},
            pipeline_class=GeneratedKernelCompiler,
        )


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
    """Make numba-dpex's target register what is new since the last refresh, and nothing twice; and call functions.

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
    declare = context.declare_function

    def declare_function(module: Any, fndesc: Any) -> Any:
        return declared(context, module, fndesc) if fndesc.modname == CALLED else declare(module, fndesc)

    context.declare_function = declare_function
    remember_signatures(dpex_kernel_target.typing_context)
